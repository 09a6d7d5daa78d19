//! Finds the parts of data buffers that views refer to.

use std::{iter, ops::Range};

use arrow_buffer::{Bitmap, Buffer, View};

/// The range of each data buffer that valid slots refer to.
#[derive(Debug, Default)]
pub(super) struct Extents {
    /// One range for each buffer. The end of a valid range fits in 32 bits, since it is the sum of an offset and a length.
    of_buffers: Vec<Range<u32>>,
    /// The position of each buffer among the buffers that are written.
    places: Vec<i32>,
}

/// The empty range, to which other ranges are added. No other range ends at 0, since values outside of views are not empty.
const NOTHING: Range<u32> = Range { start: u32::MAX, end: 0 };

/// Unchecked views, and which of them are valid.
#[derive(Debug, Clone, Copy)]
pub(super) struct UncheckedViews<'a> {
    pub(super) views: &'a [View],
    pub(super) validity: Option<&'a Bitmap>,
}

/// The number of slots in which a reference to a data buffer is searched.
const N_NEAR_SLOTS: usize = 16;

/// If there are fewer slots than this for each data buffer, all slots are inspected.
const N_SLOTS_PER_BUFFER: usize = 256;

/// The number of slots that are inspected for each data buffer if views are in no order.
const N_SPREAD_SLOTS: usize = 256;

/// If a sample would contain more than one of every `MIN_STEP` slots, all slots are inspected.
const MIN_STEP: usize = 8;

/// If views are in no order, unused data is left out only if it is at least 1/32 of the data, because finding it takes
/// a look at all views.
const MIN_TRIMMED_PART: usize = 32;

impl Extents {
    /// Inspects slots. Returns `true` as soon as too little data is unused: fewer than `min_bytes` bytes, or only a
    /// small part of the data if views are in no order. The extents may then be incomplete. If a view is invalid, the
    /// result has no meaning.
    pub(super) fn cover(&mut self, data: &[Buffer], slots: UncheckedViews<'_>, min_bytes: usize) -> bool {
        self.of_buffers.clear();
        self.of_buffers.resize(data.len(), NOTHING);
        if slots.views.is_empty() {
            return false;
        }
        if slots.views.len() / data.len().max(1) >= N_SLOTS_PER_BUFFER {
            self.look_at_ends(slots);
            let n_unused = self.n_unused_bytes(data);
            if n_unused < min_bytes {
                return true;
            }
            self.look_at_some(slots);
            let n_data_bytes = Extents::n_data_bytes(data);
            let is_in_order = self.n_unused_bytes(data) == n_unused;
            if !is_in_order && self.n_unused_bytes(data) < n_data_bytes / MIN_TRIMMED_PART {
                return true;
            }
        }
        self.look_at(slots, 0..slots.views.len());
        self.n_unused_bytes(data) < min_bytes
    }

    /// Looks at a few slots. If views are in the order of their data, these are the slots that refer to the ends of buffers.
    fn look_at_ends(&mut self, slots: UncheckedViews<'_>) {
        let mut start = 0;
        for buffer_idx in 0..self.of_buffers.len() {
            let end = slots.end_of_buffer(buffer_idx, start);
            self.look_at(slots, start..end.min(start.saturating_add(N_NEAR_SLOTS)));
            self.look_at(slots, start.max(end.saturating_sub(N_NEAR_SLOTS))..end);
            start = end;
        }
    }

    /// Looks at a few slots, with the same distance between them. If views are in no order, these slots refer to almost all of the data.
    fn look_at_some(&mut self, slots: UncheckedViews<'_>) {
        let n_slots = self.of_buffers.len().max(1).saturating_mul(N_SPREAD_SLOTS);
        let step = slots.views.len() / n_slots;
        if step >= MIN_STEP {
            let some = slots.views.iter().enumerate().step_by(step);
            self.widen(some.map(|(slot, view)| (view, slots.is_valid(slot))));
        }
    }

    fn look_at(&mut self, slots: UncheckedViews<'_>, range: Range<usize>) {
        // If the sample refers to nothing, all slots are looked at.
        let views = slots.views.get(range.clone()).unwrap_or_default();
        match slots.validity {
            None => self.widen(views.iter().zip(iter::repeat(true))),
            Some(validity) => {
                self.widen(views.iter().zip(validity.slice(range.start, views.len()).iter()));
            }
        }
    }

    /// Adds the ranges that views with a set bit refer to. Neighbours mostly refer to the same buffer.
    #[inline]
    fn widen<'a>(&mut self, views: impl Iterator<Item = (&'a View, bool)>) {
        let (mut current, mut extent) = (0, NOTHING);
        for (view, bit) in views {
            let counts = bit & !view.is_inline();
            if counts && view.buffer_idx() != current {
                self.add(current, &extent);
                (current, extent) = (view.buffer_idx(), NOTHING);
            }
            let (n_bytes, start) = (view.n_bytes().cast_unsigned(), view.offset().cast_unsigned());
            extent.start = extent.start.min(if counts { start } else { NOTHING.start });
            extent.end = extent.end.max(if counts { start.wrapping_add(n_bytes) } else { NOTHING.end });
        }
        self.add(current, &extent);
    }

    fn add(&mut self, buffer_idx: i32, extent: &Range<u32>) {
        if let Some(all) = usize::try_from(buffer_idx).ok().and_then(|idx| self.of_buffers.get_mut(idx)) {
            *all = all.start.min(extent.start)..all.end.max(extent.end);
        }
    }

    fn n_unused_bytes(&self, data: &[Buffer]) -> usize {
        let n_unused = |(data, used): (&Buffer, Range<usize>)| data.len().saturating_sub(used.len());
        data.iter().zip(self.ranges()).map(n_unused).fold(0, usize::saturating_add)
    }

    /// The length of all buffers.
    pub(super) fn n_data_bytes(data: &[Buffer]) -> usize {
        data.iter().map(Buffer::len).fold(0, usize::saturating_add)
    }

    /// The used length of all buffers, each from the first used byte to the last.
    pub(super) fn n_used_bytes(&self) -> usize {
        self.ranges().map(|range| range.len()).fold(0, usize::saturating_add)
    }

    /// The number of bytes before the used bytes.
    pub(super) fn n_bytes_before(&self) -> usize {
        self.ranges().map(|extent| extent.start).fold(0, usize::saturating_add)
    }

    /// Extends each used range to the start of its buffer.
    pub(super) fn begin_at_zero(&mut self) {
        self.of_buffers.iter_mut().for_each(|extent| extent.start = 0);
    }

    /// Keeps all bytes of all buffers.
    pub(super) fn be_whole(&mut self, data: &[Buffer]) {
        // If a buffer is longer than the offsets of views can express, the rest of it is unused.
        let whole = |data: &Buffer| 0..u32::try_from(data.len()).unwrap_or(u32::MAX);
        self.of_buffers.clear();
        self.of_buffers.extend(data.iter().map(whole));
    }

    /// Whether an unused buffer is followed by a used one.
    pub(super) fn are_renumbered(&self) -> bool {
        self.of_buffers.iter().skip_while(|extent| extent.end > 0).any(|extent| extent.end > 0)
    }

    /// Numbers the kept buffers, for [`rebase`](Extents::rebase).
    pub(super) fn number(&mut self) {
        self.places.clear();
        let mut n_kept = 0;
        self.places.extend(self.of_buffers.iter().map(|extent| {
            let place = n_kept;
            n_kept += i32::from(extent.end > 0);
            place
        }));
    }

    /// The positions of the used buffers, and the used range of each.
    pub(super) fn kept(&self) -> impl Iterator<Item = (usize, Range<usize>)> {
        self.ranges().enumerate().filter(|(_, extent)| extent.end > 0)
    }

    /// The used range of each buffer; empty if nothing refers to it.
    fn ranges(&self) -> impl Iterator<Item = Range<usize>> {
        self.of_buffers.iter().map(|extent| {
            let start = if extent.end > 0 { extent.start } else { 0 };
            start as usize..extent.end as usize
        })
    }

    /// The view of the same value after data buffers were trimmed and renumbered. `None` if the view refers to bytes
    /// that are not kept, which does not happen for a view that was looked at.
    #[inline]
    pub(super) fn rebase(&self, view: &View) -> Option<View> {
        if view.is_inline() {
            return Some(*view);
        }
        let buffer_idx = usize::try_from(view.buffer_idx()).ok()?;
        let extent = self.of_buffers.get(buffer_idx).filter(|extent| extent.end > 0)?;
        let offset = view.offset().wrapping_sub(extent.start.cast_signed());
        Some(View::from_parts(view.n_bytes(), view.prefix(), *self.places.get(buffer_idx)?, offset))
    }
}

impl UncheckedViews<'_> {
    /// The first slot from `start` on that refers to a later buffer, if all slots are in order.
    fn end_of_buffer(self, buffer_idx: usize, start: usize) -> usize {
        let mut n_inside = 0;
        let mut n_slots = N_NEAR_SLOTS;
        while start.saturating_add(n_slots) < self.views.len() && !self.is_after(buffer_idx, start + n_slots)
        {
            (n_inside, n_slots) = (n_slots, n_slots.saturating_mul(2));
        }
        let (mut inside, mut end) = (start + n_inside, start.saturating_add(n_slots).min(self.views.len()));
        while inside < end {
            let middle = inside.midpoint(end);
            if self.is_after(buffer_idx, middle) { end = middle } else { inside = middle + 1 }
        }
        end
    }

    fn is_valid(self, slot: usize) -> bool {
        self.validity.is_none_or(|validity| validity.get(slot) == Some(true))
    }

    /// Whether a slot refers to a later buffer than `buffer_idx`. A slot that refers to no buffer is treated like the
    /// next slot that does.
    fn is_after(self, buffer_idx: usize, slot: usize) -> bool {
        let near = self.views.iter().enumerate().skip(slot).take(N_NEAR_SLOTS);
        let mut long = near.filter(|(slot, view)| !view.is_inline() && self.is_valid(*slot));
        let is_later = |found: i32| usize::try_from(found).is_ok_and(|found| found > buffer_idx);
        long.next().is_some_and(|(_, view)| is_later(view.buffer_idx()))
    }
}
