//! Views. A slice keeps whole data buffers in memory; in a message each is trimmed to what valid slots refer to, and
//! views are rebased where it does not begin at its first byte.

use std::ops::Range;

use arrow_buffer::{Bitmap, Buffer, View};
use arrow_data::ArrayData;

use super::{Sink, Walk, words::write};
use crate::{columns::Column, error::Result, segment::GATHER_BYTES};

/// Data buffers are trimmed where that leaves out as many bytes as this, and views are rebased where it leaves out as
/// many before what they refer to. A message gets no smaller by less: its parts are padded to this size. Views that
/// are copied in any case, since they are few, are rebased for a single byte.
const MIN_TRIMMED_BYTES: usize = 64;

/// The slots at either end that are looked at first: mostly they refer to both ends of the data.
const N_EDGE_SLOTS: usize = 64;

impl<S: Sink> Walk<'_, S> {
    pub(super) fn views(&mut self, column: &Column, array: &ArrayData) -> Result<()> {
        let (data, n_slots) = (array.variadic(), array.len());
        // Aligned and long enough, by the structure of arrays.
        let views = array.buffer(0).view::<View>().unwrap_or_default().get(..n_slots).unwrap_or_default();
        let validity = array.validity().filter(|_| array.null_count() > 0);
        let min_bytes = if size_of_val(views) < GATHER_BYTES { 1 } else { MIN_TRIMMED_BYTES };
        if data.is_empty() || views.len() < n_slots || self.extents.cover(data, views, validity, min_bytes) {
            return self.plain(column, array);
        }
        self.check_positions(column.layout.data_buffers(), array)?;
        // Whoever checks views of null slots too must not find one that refers to what is left out.
        if validity.is_some() || self.extents.n_bytes_before() >= min_bytes {
            let extents = &self.extents;
            self.sink.rebuild(size_of_val(views), |to| {
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
            self.sink.share(array.buffer(0), 0, size_of_val(views));
        }
        let n_used = self.extents.n_used();
        self.sink.variadic_count(n_used);
        for (data, extent) in data.iter().zip(self.extents.ranges()).take(n_used) {
            self.sink.share(data, extent.start.min(data.len()), extent.end.min(data.len()));
        }
        Ok(())
    }
}

/// For each data buffer the part that views refer to.
#[derive(Debug, Default)]
pub(super) struct Extents {
    /// Offsets and sizes that are right add up within 32 bits.
    of_buffers: Vec<Range<u32>>,
}

/// Any range can be added to it. No other one ends at 0, since long values are not empty.
const NOTHING: Range<u32> = Range { start: u32::MAX, end: 0 };

impl Extents {
    /// Looks at valid slots, and says whether they leave out fewer bytes than these; then the extents need not be
    /// complete. Nothing is known of the views, and what is found is meaningless if one is wrong.
    fn cover(
        &mut self,
        data: &[Buffer],
        views: &[View],
        validity: Option<&Bitmap>,
        min_bytes: usize,
    ) -> bool {
        self.of_buffers.clear();
        self.of_buffers.resize(data.len(), NOTHING);
        let last = views.len().saturating_sub(N_EDGE_SLOTS);
        let first = last.min(N_EDGE_SLOTS);
        for slots in [0..first, last..views.len(), first..last] {
            let views = views.get(slots.clone()).unwrap_or_default();
            match validity.map(|validity| validity.slice(slots.start, slots.len())) {
                None => views.iter().for_each(|view| self.widen(view)),
                Some(validity) => {
                    let valid = validity.iter_set().filter_map(|slot| views.get(slot));
                    valid.for_each(|view| self.widen(view));
                }
            }
            if !views.is_empty() && self.n_unused_bytes(data) < min_bytes {
                return true;
            }
        }
        false
    }

    #[inline]
    fn widen(&mut self, view: &View) {
        let (n_bytes, start) = (view.n_bytes().cast_unsigned(), view.offset().cast_unsigned());
        let buffer_idx = usize::try_from(view.buffer_idx()).unwrap_or(usize::MAX);
        if !view.is_inline()
            && let Some(extent) = self.of_buffers.get_mut(buffer_idx)
        {
            *extent = extent.start.min(start)..extent.end.max(start.wrapping_add(n_bytes));
        }
    }

    fn n_unused_bytes(&self, data: &[Buffer]) -> usize {
        let n_unused = |(data, used): (&Buffer, Range<usize>)| data.len().saturating_sub(used.len());
        data.iter().zip(self.ranges()).map(n_unused).fold(0, usize::saturating_add)
    }

    /// The bytes before what is referred to.
    fn n_bytes_before(&self) -> usize {
        self.ranges().map(|extent| extent.start).fold(0, usize::saturating_add)
    }

    /// Keeps what is before that.
    fn begin_at_zero(&mut self) {
        self.of_buffers.iter_mut().for_each(|extent| extent.start = 0);
    }

    /// The buffers up to the last one that is referred to.
    fn n_used(&self) -> usize {
        self.of_buffers.iter().rposition(|extent| extent.end > 0).map_or(0, |last| last + 1)
    }

    fn ranges(&self) -> impl Iterator<Item = Range<usize>> {
        self.of_buffers.iter().map(|extent| {
            let start = if extent.end > 0 { extent.start } else { 0 };
            start as usize..extent.end as usize
        })
    }

    /// The view of the same value where data buffers are trimmed. It is right, and one of those that were looked at.
    #[inline]
    fn rebase(&self, view: &View) -> View {
        let buffer_idx = usize::try_from(view.buffer_idx()).unwrap_or(usize::MAX);
        match self.of_buffers.get(buffer_idx) {
            Some(extent) if !view.is_inline() => {
                let offset = view.offset().wrapping_sub(extent.start.cast_signed());
                View::from_parts(view.n_bytes(), view.prefix(), view.buffer_idx(), offset)
            }
            _ => *view,
        }
    }
}
