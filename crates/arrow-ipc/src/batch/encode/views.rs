//! Writes views. A slice keeps whole data buffers in memory. In a message, each data buffer is trimmed to the range that
//! valid slots refer to, and views are rebased to the start of this range. If the views refer to less than half of a
//! buffer, the used bytes are copied together. Empty data buffers are not written: some readers panic on them.

use arrow_buffer::{Buffer, View};
use arrow_data::{ArrayData, Swap};

use super::{
    ArrayWalk, Sink,
    extents::{Extents, UncheckedViews},
    words::{numbers, try_write},
};
use crate::{
    error::{IpcError, Result},
    segment::GATHER_BYTES,
};
use arrow_ipc_format::columns::Column;

/// Data buffers are trimmed if at least this many bytes are unused. Views are rebased if at least this many unused
/// bytes precede the used bytes. Fewer bytes would not shrink the message, because buffers are padded to this length.
/// If there are so few views that they are copied anyway, one byte is enough.
const MIN_TRIMMED_BYTES: usize = 64;

impl<S: Sink> ArrayWalk<'_, S> {
    /// Not inlined, because inlining slows the walk over many columns of other types.
    #[inline(never)]
    pub(super) fn views(&mut self, column: &Column, array: &ArrayData) -> Result<()> {
        let data = array.variadic();
        let next = column.layout.data_buffers();
        let views = numbers::<View>(array.buffer(0), array.len());
        let views = views.or_else(|kind| self.unsound(next, kind.into()))?;
        let validity = if array.null_count() > 0 { array.validity() } else { None };
        let min_bytes = if size_of_val(views) < GATHER_BYTES { 1 } else { MIN_TRIMMED_BYTES };
        if data.is_empty() {
            return self.plain(column, array);
        }
        let is_covered = self.extents.cover(data, UncheckedViews { views, validity }, min_bytes);
        let n_bytes = if is_covered { Extents::n_data_bytes(data) } else { self.extents.n_used_bytes() };
        if let Some(used) = self.without_unused(next, array, n_bytes)? {
            return self.plain(column, &used);
        }
        if is_covered && !data.iter().any(Buffer::is_empty) {
            return self.plain(column, array);
        }
        self.check_positions(next, array)?;
        if is_covered {
            self.extents.be_whole(data);
        }
        // Some readers check views of null slots, too, so these views must not refer to removed bytes.
        if validity.is_some() || self.extents.n_bytes_before() >= min_bytes || self.extents.are_renumbered() {
            self.extents.number();
            let extents = &self.extents;
            self.sink.rebuild(Swap::View, size_of_val(views), |to| {
                let rebased = |view: &View| extents.rebase(view);
                let what = "a checked view refers to no data buffer";
                match validity {
                    None => try_write(to, views.iter().map(rebased), what),
                    Some(validity) => {
                        let valid = views.iter().zip(validity.iter());
                        let rebased = |(view, bit)| if bit { rebased(view) } else { Some(View::default()) };
                        try_write(to, valid.map(rebased), what)
                    }
                }
            })?;
        } else {
            self.extents.begin_at_zero();
            self.sink.share(Swap::View, array.buffer(0), 0, size_of_val(views));
        }
        self.sink.variadic_count(self.extents.used().count());
        for (idx, extent) in self.extents.used() {
            let data = data.get(idx).filter(|data| extent.end <= data.len());
            let data = data.ok_or_else(|| IpcError::internal("a checked view is out of bounds"))?;
            self.sink.share(Swap::None, data, extent.start, extent.end);
        }
        Ok(())
    }
}
