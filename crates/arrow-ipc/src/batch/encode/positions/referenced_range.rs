//! Finds the range of a child that the slots of a list view refer to.

use crate::batch::encode::words::Position;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct ReferencedRange<O> {
    /// The smallest offset of a non-empty slot; the maximum of `O` if all slots are empty.
    pub(super) start: O,
    /// The position after the last item of any non-empty slot.
    pub(super) end: u64,
    /// The greatest offset, including offsets of empty slots.
    pub(super) last_offset: O,
}

/// The number of slots in a sample, which is read first if slots are in no order.
const N_SPREAD_SLOTS: usize = 256;

/// If a sample would contain more than one of every `MIN_STEP` slots, all slots are read.
const MIN_STEP: usize = 8;

/// The child is trimmed if at least 1/32 of its items are unused. If slots are few or in order, one unused item is
/// enough.
const MIN_TRIMMED_PART: u64 = 32;

/// The number of slots in a block. The loop compares the slots of a block without a branch, and can end only after a
/// block.
pub(super) const BLOCK_SLOTS: usize = 512;

impl<O: ListViewSlot> ReferencedRange<O> {
    /// The range of items if each slot begins at the end of the previous slot, as in most list views. Otherwise `None`.
    pub(super) fn from_contiguous(offsets: &[O], sizes: &[O]) -> Option<ReferencedRange<O>> {
        let (first, last) = (*offsets.first()?, *offsets.last()?);
        let next = offsets.get(1..)?;
        let blocks = offsets.chunks(BLOCK_SLOTS).zip(sizes.chunks(BLOCK_SLOTS)).zip(next.chunks(BLOCK_SLOTS));
        for ((offsets, sizes), next) in blocks {
            let gap = |gap, ((offset, size), next): ((&O, &O), &O)| O::or(gap, O::gap(*offset, *size, *next));
            if offsets.iter().zip(sizes).zip(next).fold(O::ZERO, gap) != O::ZERO {
                return None;
            }
        }
        let end: u64 = O::end(last, *sizes.last()?).into();
        let is_empty = end == O::end(first, O::ZERO).into();
        let (start, end) = if is_empty { (O::MAX, 0) } else { (first, end) };
        Some(ReferencedRange { start, end, last_offset: last })
    }

    /// The range of items to which slots in any order refer.
    pub(super) fn from_any(offsets: &[O], sizes: &[O]) -> ReferencedRange<O> {
        ReferencedRange::from_slots(offsets.iter().zip(sizes))
    }

    /// The range of items to which a sample of the slots refers. It lies inside the range of all slots. It is empty if
    /// there are too few slots for a sample.
    pub(super) fn from_sample(offsets: &[O], sizes: &[O]) -> ReferencedRange<O> {
        let step = offsets.len() / N_SPREAD_SLOTS;
        let n_slots = if step >= MIN_STEP { offsets.len() } else { 0 };
        ReferencedRange::from_slots(offsets.iter().zip(sizes).take(n_slots).step_by(step.max(1)))
    }

    /// Whether less than 1/32 of the items of a child are unused.
    pub(super) fn is_almost(&self, n_items: usize) -> bool {
        let start: u64 = O::end(self.start, O::ZERO).into();
        let n_unused = (n_items as u64).saturating_sub(self.end.saturating_sub(start));
        n_unused < n_items as u64 / MIN_TRIMMED_PART
    }

    fn from_slots<'a>(slots: impl Iterator<Item = (&'a O, &'a O)>) -> ReferencedRange<O>
    where
        O: 'a,
    {
        let mut start = O::MAX;
        let mut end = O::Sum::default();
        let mut last_offset = O::ZERO;
        for (offset, size) in slots {
            let is_empty = *size == O::ZERO;
            start = start.min(if is_empty { O::MAX } else { *offset });
            end = end.max(if is_empty { O::Sum::default() } else { O::end(*offset, *size) });
            last_offset = last_offset.max(*offset);
        }
        ReferencedRange { start, end: end.into(), last_offset }
    }
}

/// Offsets and sizes of list views. They are not negative, so the sum of an offset and a size fits in an unsigned
/// number of the same width.
pub(super) trait ListViewSlot: Position {
    type Sum: Copy + Ord + Default + Into<u64>;

    fn end(offset: Self, size: Self) -> Self::Sum;

    /// Zero if the next slot begins where this slot ends.
    fn gap(offset: Self, size: Self, next: Self) -> Self;

    fn or(self, other: Self) -> Self;

    /// The offset minus `base`; 0 for an empty slot, whose offset may be less than `base`.
    fn rebased(offset: Self, size: Self, base: Self) -> Self;
}

macro_rules! slot {
    ($($number:ty: $sum:ty),*) => {$(
        impl ListViewSlot for $number {
            type Sum = $sum;

            #[inline]
            fn end(offset: $number, size: $number) -> $sum {
                offset.cast_unsigned().wrapping_add(size.cast_unsigned())
            }

            #[inline]
            fn gap(offset: $number, size: $number, next: $number) -> $number {
                offset.wrapping_add(size) ^ next
            }

            #[inline]
            fn or(self, other: $number) -> $number {
                self | other
            }

            #[inline]
            fn rebased(offset: $number, size: $number, base: $number) -> $number {
                // All ones if the slot is not empty. The mask avoids a branch, so the compiler can vectorise the
                // loop.
                let mask = <$number>::from(size != 0).wrapping_neg();
                offset.wrapping_sub(base) & mask
            }
        }
    )*};
}

slot!(i32: u32, i64: u64);
