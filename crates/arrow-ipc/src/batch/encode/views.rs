//! Writes views. A slice keeps whole data buffers in memory. In a message, each buffer is trimmed to the part that valid slots
//! refer to, and views are rebased if the part does not begin at the first byte of the buffer. If the views refer to less than
//! half of a buffer, the used bytes are copied together. Data buffers that become empty are not written: some readers panic on
//! them.

use arrow_buffer::{Buffer, View};
use arrow_data::{ArrayData, Swap};

use super::{
    ArrayWalk, Sink,
    extents::{Extents, UncheckedViews},
    words::{numbers, try_write},
};
use crate::{
    columns::Column,
    error::{IpcError, Result},
    segment::GATHER_BYTES,
};

/// Data buffers are trimmed if that leaves out at least this many bytes. Views are rebased if at least this many bytes
/// precede the used bytes. Saving fewer bytes would not shrink a message, since its buffers are padded to this length.
/// A few views, which are copied in any case, are rebased even for a single byte.
const MIN_TRIMMED_BYTES: usize = 64;

impl<S: Sink> ArrayWalk<'_, S> {
    /// Not inlined, which makes the walk over many columns of other types faster.
    #[inline(never)]
    pub(super) fn views(&mut self, column: &Column, array: &ArrayData) -> Result<()> {
        let (data, next) = (array.variadic(), column.layout.data_buffers());
        let views = numbers::<View>(array.buffer(0), array.len());
        let views = views.or_else(|kind| self.unsound(next, kind.into()))?;
        let validity = array.validity().filter(|_| array.null_count() > 0);
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
        // Some readers check views of null slots, too, so those must not refer to bytes that are left out.
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
        self.sink.variadic_count(self.extents.kept().count());
        for (idx, extent) in self.extents.kept() {
            let data = data.get(idx).filter(|data| extent.end <= data.len());
            let data =
                data.ok_or_else(|| IpcError::internal("a checked view lies outside of its data buffer"))?;
            self.sink.share(Swap::None, data, extent.start, extent.end);
        }
        Ok(())
    }
}
