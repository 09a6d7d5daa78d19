//! Offsets that grow slot by slot.

use std::marker::PhantomData;

use arrow_buffer::Buffer;

use crate::{array::Width, error::ArrayErrorKind};

/// The offsets of slots. `U` marks what the offsets count, such as bytes or items.
#[derive(Debug, Clone)]
pub struct SlotOffsets<O, U = ()> {
    /// The first offset is 0, so there is one more offset than slots.
    offsets: Vec<O>,
    units: PhantomData<U>,
}

impl<O: Width, U> SlotOffsets<O, U> {
    pub(super) fn new() -> SlotOffsets<O, U> {
        SlotOffsets { offsets: vec![O::ZERO], units: PhantomData }
    }

    #[inline]
    pub(super) fn n_slots(&self) -> usize {
        self.offsets.len() - 1
    }

    /// The end of the last slot.
    #[inline]
    pub(super) fn end(&self) -> O {
        self.offsets.last().copied().expect("the first offset is always there")
    }

    #[inline]
    pub(super) fn push(&mut self, end: O) {
        self.offsets.push(end);
    }

    /// The number of slots that still have all of their items, if all items after the first `n_items` have been
    /// removed.
    #[cold]
    pub(super) fn n_slots_within(&self, n_items: usize) -> usize {
        let ends = self.offsets.get(1..).expect("the first offset is always there");
        ends.partition_point(|end| end.to_usize().is_some_and(|end| end <= n_items))
    }

    pub(super) fn push_empty(&mut self, n_slots: usize) {
        self.offsets.resize(self.offsets.len().saturating_add(n_slots), self.end());
    }

    pub(super) fn reserve(&mut self, n_slots: usize) {
        self.offsets.reserve(n_slots);
    }

    /// The range between the offset of a slot and the next offset. Empty if the slot is out of bounds.
    #[inline]
    pub(super) fn range(&self, slot: usize) -> std::ops::Range<usize> {
        crate::array::range(&self.offsets, slot)
    }

    /// Removes all slots after the first `n_slots`. Returns the end of the last remaining slot.
    pub(super) fn truncate(&mut self, n_slots: usize) -> usize {
        self.offsets.truncate(n_slots.saturating_add(1));
        self.end().to_usize().expect("offsets are made of lengths")
    }

    pub(super) fn finish(&mut self) -> Buffer {
        Buffer::from(std::mem::replace(&mut self.offsets, vec![O::ZERO]))
    }
}

/// The error for more bytes or items than offsets of type `O` can count. `unit` says which of them `n` counts.
#[cold]
pub(super) fn overflow<O: Width>(n: usize, unit: &'static str) -> ArrayErrorKind {
    let max = if size_of::<O>() == 4 { i32::MAX as u64 } else { i64::MAX as u64 };
    ArrayErrorKind::OffsetOverflow { n: n as u64, unit, offsets: O::OFFSETS, max }
}

/// The error for a list that starts at item `n_before`, although the builder has only `n_items`.
#[cold]
pub(super) fn wrong_items<O: Width>(n_before: usize, n_items: usize, unit: &'static str) -> ArrayErrorKind {
    match n_before.checked_sub(n_items) {
        Some(n_lost) if n_lost > 0 => ArrayErrorKind::ItemsLost { n_lost: n_lost as u64 },
        _ => overflow::<O>(n_items, unit),
    }
}
