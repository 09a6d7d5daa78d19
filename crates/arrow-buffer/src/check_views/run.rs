//! Finds consecutive long values in one data buffer. Builders write values in this way. There are no gaps between the values, so their
//! bytes can be checked as one range.

use std::ops::Range;

use crate::buffer::Buffer;
use crate::number::view::{MAX_INLINE_BYTES, View};
use crate::utf8::starts_character;

/// Consecutive long values of one data buffer: each value starts at the end of the value before it. Their views have
/// been checked.
pub(super) struct AdjacentValues<'a> {
    pub(super) buffer_idx: i32,
    pub(super) buffer: &'a [u8],
    /// The range from the start of the first value to the end of the last value.
    pub(super) range: Range<usize>,
    /// Whether a character can start at the start of each value.
    pub(super) starts_characters: bool,
}

impl<'a> AdjacentValues<'a> {
    /// Joins the values of these views to one run. `None` if there are no views, if a view is invalid, or if the values
    /// are not consecutive. Each view must then be checked by itself.
    #[inline]
    pub(super) fn find<'v>(
        mut views: impl Iterator<Item = &'v View> + Clone,
        data: &'a [Buffer],
    ) -> Option<AdjacentValues<'a>> {
        let first = views.clone().next()?;
        let (buffer_idx, start) = (first.buffer_idx(), first.offset());
        let buffer = data.get(usize::try_from(buffer_idx).ok()?)?.as_slice();
        let mut end = start;
        let mut wrong = 0;
        let mut starts_characters = true;
        views.try_for_each(|view| {
            let n_bytes = view.n_bytes();
            // A negative size does not count as the size of a long value.
            if n_bytes <= MAX_INLINE_BYTES as i32 || view.buffer_idx() != buffer_idx || view.offset() != end {
                return None;
            }
            let found = buffer.get(usize::try_from(end).ok()?..)?.first_chunk::<4>()?;
            wrong |= u32::from_ne_bytes(*found) ^ u32::from_ne_bytes(view.prefix());
            starts_characters &= starts_character(found[0]);
            end = end.checked_add(n_bytes)?;
            Some(())
        })?;
        let range = usize::try_from(start).ok()?..usize::try_from(end).ok()?;
        let is_right = wrong == 0 && range.end <= buffer.len();
        is_right.then_some(AdjacentValues { buffer_idx, buffer, range, starts_characters })
    }
}
