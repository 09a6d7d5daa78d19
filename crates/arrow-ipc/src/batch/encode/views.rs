//! Views. A slice keeps whole data buffers in memory; in a message each is trimmed to what valid slots refer to, and
//! views are rebased where it does not begin at its first byte.

use arrow_buffer::View;
use arrow_data::{ArrayData, Swap};

use super::{Sink, Walk, extents::Slots, words::write};
use crate::{columns::Column, error::Result, segment::GATHER_BYTES};

/// Data buffers are trimmed where that leaves out as many bytes as this, and views are rebased where it leaves out as
/// many before what they refer to. A message gets no smaller by less: its parts are padded to this size. Views that
/// are copied in any case, since they are few, are rebased for a single byte.
const MIN_TRIMMED_BYTES: usize = 64;

impl<S: Sink> Walk<'_, S> {
    /// Out of line: the walk over many columns of other types is faster without it.
    #[inline(never)]
    pub(super) fn views(&mut self, column: &Column, array: &ArrayData) -> Result<()> {
        let (data, n_slots) = (array.variadic(), array.len());
        // Aligned and long enough, by the structure of arrays.
        let views = array.buffer(0).view::<View>().unwrap_or_default().get(..n_slots).unwrap_or_default();
        let validity = array.validity().filter(|_| array.null_count() > 0);
        let min_bytes = if size_of_val(views) < GATHER_BYTES { 1 } else { MIN_TRIMMED_BYTES };
        let slots = Slots { views, validity };
        if data.is_empty() || views.len() < n_slots || self.extents.cover(data, slots, min_bytes) {
            return self.plain(column, array);
        }
        self.check_positions(column.layout.data_buffers(), array)?;
        // Whoever checks views of null slots too must not find one that refers to what is left out.
        if validity.is_some() || self.extents.n_bytes_before() >= min_bytes {
            let extents = &self.extents;
            self.sink.rebuild(Swap::View, size_of_val(views), |to| {
                let rebased = |view: &View| extents.rebase(view);
                match validity {
                    None => write(to, views.iter().map(rebased)),
                    Some(validity) => {
                        let valid = views.iter().zip(validity.iter());
                        write(to, valid.map(|(view, bit)| if bit { rebased(view) } else { View::default() }));
                    }
                }
                Ok(())
            })?;
        } else {
            self.extents.begin_at_zero();
            self.sink.share(Swap::View, array.buffer(0), 0, size_of_val(views));
        }
        let n_used = self.extents.n_used();
        self.sink.variadic_count(n_used);
        for (data, extent) in data.iter().zip(self.extents.ranges()).take(n_used) {
            let (start, end) = (extent.start.min(data.len()), extent.end.min(data.len()));
            self.sink.share(Swap::None, data, start, end);
        }
        Ok(())
    }
}
