//! Iteration over what stands in slots, for what is not an array: each value is made when it is asked for.

use std::{iter::FusedIterator, ops::Range};

/// The values of `S` in order, from either end: the lists of a [`TypedLists`](crate::TypedLists), the maps of a
/// [`TypedMaps`](crate::TypedMaps), the entries of one map.
#[derive(Debug, Clone)]
pub struct SlotIter<S> {
    source: S,
    slots: Range<usize>,
}

/// What has a value for each slot.
pub trait SlotSource {
    /// A value.
    type Item;

    /// The value of a slot that is in bounds.
    fn value_at(&self, slot: usize) -> Self::Item;
}

impl<S> SlotIter<S> {
    #[inline]
    pub(super) fn new(source: S, n_slots: usize) -> SlotIter<S> {
        SlotIter { source, slots: 0..n_slots }
    }
}

impl<S: SlotSource> Iterator for SlotIter<S> {
    type Item = S::Item;

    #[inline]
    fn next(&mut self) -> Option<S::Item> {
        self.slots.next().map(|slot| self.source.value_at(slot))
    }

    #[inline]
    fn size_hint(&self) -> (usize, Option<usize>) {
        self.slots.size_hint()
    }

    #[inline]
    fn nth(&mut self, n: usize) -> Option<S::Item> {
        self.slots.nth(n).map(|slot| self.source.value_at(slot))
    }

    fn count(self) -> usize {
        self.slots.len()
    }

    fn last(mut self) -> Option<S::Item> {
        self.next_back()
    }
}

impl<S: SlotSource> DoubleEndedIterator for SlotIter<S> {
    #[inline]
    fn next_back(&mut self) -> Option<S::Item> {
        self.slots.next_back().map(|slot| self.source.value_at(slot))
    }

    #[inline]
    fn nth_back(&mut self, n: usize) -> Option<S::Item> {
        self.slots.nth_back(n).map(|slot| self.source.value_at(slot))
    }
}

impl<S: SlotSource> ExactSizeIterator for SlotIter<S> {}

impl<S: SlotSource> FusedIterator for SlotIter<S> {}
