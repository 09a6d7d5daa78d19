//! Finds the range of each data buffer that views refer to.

use std::{iter, ops::Range};

use arrow_buffer::{Bitmap, Buffer, View};

/// For each data buffer, the range that valid slots refer to.
#[derive(Debug, Default)]
pub(super) struct Extents {
    /// An end fits in 32 bits, since it is the sum of an offset and a length.
    of_buffers: Vec<Range<u32>>,
    /// For each buffer, its position among the buffers that are written.
    new_idxs: Vec<i32>,
}

/// The start value for the union of ranges. No range of a view ends at 0, since a view that refers to a data buffer is
/// not empty.
const NOTHING: Range<u32> = Range { start: u32::MAX, end: 0 };

/// Views whose content has not been checked, and their validity.
#[derive(Debug, Clone, Copy)]
pub(super) struct UncheckedViews<'a> {
    pub(super) views: &'a [View],
    pub(super) validity: Option<&'a Bitmap>,
}

/// How many neighbouring slots are searched for a reference to a data buffer.
const N_NEAR_SLOTS: usize = 16;

/// If there are fewer than this many slots for each data buffer, all slots are read.
const N_SLOTS_PER_BUFFER: usize = 256;

/// The size of the sample, in slots for each data buffer, if views are in no order.
const N_SPREAD_SLOTS: usize = 256;

/// If a sample would contain more than one of every `MIN_STEP` slots, all slots are read.
const MIN_STEP: usize = 8;

/// If views are in no order, unused data is left out only if it is at least 1/32 of the data: all views must be read to
/// find it.
const MIN_TRIMMED_PART: usize = 32;

impl Extents {
    /// Computes the used ranges. Returns `true` if too little data is unused: fewer than `min_bytes` bytes, or less than
    /// 1/32 of the data if views are in no order. Then the ranges may be too short, since not all slots were read. If a
    /// view is invalid, the result has no meaning.
    pub(super) fn cover(&mut self, data: &[Buffer], slots: UncheckedViews<'_>, min_bytes: usize) -> bool {
        self.of_buffers.clear();
        self.of_buffers.resize(data.len(), NOTHING);
        if slots.views.is_empty() {
            return false;
        }
        if slots.views.len() / data.len().max(1) >= N_SLOTS_PER_BUFFER {
            self.measure_ends(slots);
            let n_unused = self.n_unused_bytes(data);
            if n_unused < min_bytes {
                return true;
            }
            self.measure_sample(slots);
            let n_data_bytes = Extents::n_data_bytes(data);
            let is_in_order = self.n_unused_bytes(data) == n_unused;
            if !is_in_order && self.n_unused_bytes(data) < n_data_bytes / MIN_TRIMMED_PART {
                return true;
            }
        }
        self.observe(slots, 0..slots.views.len());
        self.n_unused_bytes(data) < min_bytes
    }

    /// Reads the first and the last slots that refer to each buffer, if views are in the order of their data.
    fn measure_ends(&mut self, slots: UncheckedViews<'_>) {
        let mut start = 0;
        for buffer_idx in 0..self.of_buffers.len() {
            let end = slots.end_of_buffer(buffer_idx, start);
            self.observe(slots, start..end.min(start.saturating_add(N_NEAR_SLOTS)));
            self.observe(slots, start.max(end.saturating_sub(N_NEAR_SLOTS))..end);
            start = end;
        }
    }

    /// Reads a sample of slots at equal distances. If views are in no order, the sample refers to almost all of the
    /// data.
    fn measure_sample(&mut self, slots: UncheckedViews<'_>) {
        let n_slots = self.of_buffers.len().max(1).saturating_mul(N_SPREAD_SLOTS);
        let step = slots.views.len() / n_slots;
        if step >= MIN_STEP {
            let some = slots.views.iter().enumerate().step_by(step);
            self.widen(some.map(|(slot, view)| (view, slots.is_valid(slot))));
        }
    }

    fn observe(&mut self, slots: UncheckedViews<'_>, range: Range<usize>) {
        // If `range` is out of bounds, nothing is read.
        let views = slots.views.get(range.clone()).unwrap_or_default();
        match slots.validity {
            None => self.widen(views.iter().zip(iter::repeat(true))),
            Some(validity) => {
                self.widen(views.iter().zip(validity.slice(range.start, views.len()).iter()));
            }
        }
    }

    /// Adds the ranges to which views refer, except inline views and views whose flag is `false`.
    #[inline]
    fn widen<'a>(&mut self, views: impl Iterator<Item = (&'a View, bool)>) {
        let mut current = 0;
        let mut extent = NOTHING;
        for (view, bit) in views {
            let counts = bit & !view.is_inline();
            if counts && view.buffer_idx() != current {
                self.add(current, &extent);
                current = view.buffer_idx();
                extent = NOTHING;
            }
            let n_bytes = view.n_bytes().cast_unsigned();
            let start = view.offset().cast_unsigned();
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

    /// The sum of the lengths of all data buffers.
    pub(super) fn n_data_bytes(data: &[Buffer]) -> usize {
        data.iter().map(Buffer::len).fold(0, usize::saturating_add)
    }

    /// The sum of the lengths of all used ranges.
    pub(super) fn n_used_bytes(&self) -> usize {
        self.ranges().map(|range| range.len()).fold(0, usize::saturating_add)
    }

    /// The number of unused bytes before the used ranges.
    pub(super) fn n_bytes_before(&self) -> usize {
        self.ranges().map(|extent| extent.start).fold(0, usize::saturating_add)
    }

    /// Extends each used range to the start of its buffer.
    pub(super) fn begin_at_zero(&mut self) {
        self.of_buffers.iter_mut().for_each(|extent| extent.start = 0);
    }

    /// Marks all bytes of all buffers as used.
    pub(super) fn be_whole(&mut self, data: &[Buffer]) {
        // If a buffer is longer than the offsets of views can express, the rest of it is unused.
        let whole = |data: &Buffer| 0..u32::try_from(data.len()).unwrap_or(u32::MAX);
        self.of_buffers.clear();
        self.of_buffers.extend(data.iter().map(whole));
    }

    /// Whether an unused buffer precedes a used one, so that the used one gets another number.
    pub(super) fn are_renumbered(&self) -> bool {
        self.of_buffers.iter().skip_while(|extent| extent.end > 0).any(|extent| extent.end > 0)
    }

    /// Numbers the used buffers, for [`rebase`](Extents::rebase).
    pub(super) fn number(&mut self) {
        self.new_idxs.clear();
        let mut n_used = 0;
        self.new_idxs.extend(self.of_buffers.iter().map(|extent| {
            let new_idx = n_used;
            n_used += i32::from(extent.end > 0);
            new_idx
        }));
    }

    /// The positions of the used buffers, and the used range of each.
    pub(super) fn used(&self) -> impl Iterator<Item = (usize, Range<usize>)> {
        self.ranges().enumerate().filter(|(_, extent)| extent.end > 0)
    }

    /// The used range of each buffer; empty if no view refers to the buffer.
    fn ranges(&self) -> impl Iterator<Item = Range<usize>> {
        self.of_buffers.iter().map(|extent| {
            let start = if extent.end > 0 { extent.start } else { 0 };
            start as usize..extent.end as usize
        })
    }

    /// The view of the same value after data buffers were trimmed and renumbered. Returns `None` if the view refers to
    /// bytes outside the used ranges.
    #[inline]
    pub(super) fn rebase(&self, view: &View) -> Option<View> {
        if view.is_inline() {
            return Some(*view);
        }
        let buffer_idx = usize::try_from(view.buffer_idx()).ok()?;
        let extent = self.of_buffers.get(buffer_idx).filter(|extent| extent.end > 0)?;
        let offset = view.offset().wrapping_sub(extent.start.cast_signed());
        Some(View::from_parts(view.n_bytes(), view.prefix(), *self.new_idxs.get(buffer_idx)?, offset))
    }
}

impl UncheckedViews<'_> {
    /// The first slot from `start` on that refers to a buffer after `buffer_idx`, if views are in the order of their
    /// data.
    fn end_of_buffer(self, buffer_idx: usize, start: usize) -> usize {
        let mut n_inside = 0;
        let mut n_slots = N_NEAR_SLOTS;
        while start.saturating_add(n_slots) < self.views.len() && !self.is_after(buffer_idx, start + n_slots)
        {
            n_inside = n_slots;
            n_slots = n_slots.saturating_mul(2);
        }
        let mut inside = start + n_inside;
        let mut end = start.saturating_add(n_slots).min(self.views.len());
        while inside < end {
            let middle = inside.midpoint(end);
            if self.is_after(buffer_idx, middle) { end = middle } else { inside = middle + 1 }
        }
        end
    }

    fn is_valid(self, slot: usize) -> bool {
        self.validity.is_none_or(|validity| validity.get(slot) == Some(true))
    }

    /// Whether a slot refers to a buffer after `buffer_idx`. A null or inline slot counts like the next slot that
    /// refers to a buffer.
    fn is_after(self, buffer_idx: usize, slot: usize) -> bool {
        let near = self.views.iter().enumerate().skip(slot).take(N_NEAR_SLOTS);
        let mut long = near.filter(|(slot, view)| !view.is_inline() && self.is_valid(*slot));
        let is_later = |found: i32| usize::try_from(found).is_ok_and(|found| found > buffer_idx);
        long.next().is_some_and(|(_, view)| is_later(view.buffer_idx()))
    }
}
