//! Iteration over the values of slots.

use std::{iter::FusedIterator, ops::Range};

/// Iterates over the values of `S`, from either end. `I` returns the positions of the values: slots, or the indices that an
/// encoded array stores.
#[derive(Debug, Clone)]
pub struct SlotIter<S, I = Range<usize>> {
    source: S,
    positions: I,
}

/// Looks up a value for each position that `I` returns.
pub trait SlotSource<I: Iterator = Range<usize>>: Sized {
    /// The type of a value.
    type Item;

    /// The value at `position`, which must be in bounds.
    fn value_at(&self, position: I::Item) -> Self::Item;

    /// Folds the values at all `positions`.
    #[inline]
    fn fold<B, F: FnMut(B, Self::Item) -> B>(self, positions: I, start: B, mut step: F) -> B {
        positions.fold(start, |folded, position| step(folded, self.value_at(position)))
    }
}

impl<S, I> SlotIter<S, I> {
    #[inline]
    pub(crate) fn new(source: S, positions: I) -> SlotIter<S, I> {
        SlotIter { source, positions }
    }
}

impl<S: SlotSource<I>, I: Iterator> Iterator for SlotIter<S, I> {
    type Item = S::Item;

    #[inline]
    fn next(&mut self) -> Option<S::Item> {
        self.positions.next().map(|position| self.source.value_at(position))
    }

    #[inline]
    fn size_hint(&self) -> (usize, Option<usize>) {
        self.positions.size_hint()
    }

    #[inline]
    fn nth(&mut self, n: usize) -> Option<S::Item> {
        self.positions.nth(n).map(|position| self.source.value_at(position))
    }

    fn count(self) -> usize {
        self.positions.count()
    }

    fn last(self) -> Option<S::Item> {
        self.positions.last().map(|position| self.source.value_at(position))
    }

    #[inline]
    fn fold<B, F: FnMut(B, S::Item) -> B>(self, start: B, step: F) -> B {
        self.source.fold(self.positions, start, step)
    }
}

impl<S: SlotSource<I>, I: DoubleEndedIterator> DoubleEndedIterator for SlotIter<S, I> {
    #[inline]
    fn next_back(&mut self) -> Option<S::Item> {
        self.positions.next_back().map(|position| self.source.value_at(position))
    }

    #[inline]
    fn nth_back(&mut self, n: usize) -> Option<S::Item> {
        self.positions.nth_back(n).map(|position| self.source.value_at(position))
    }
}

impl<S: SlotSource<I>, I: ExactSizeIterator> ExactSizeIterator for SlotIter<S, I> {}

impl<S: SlotSource<I>, I: FusedIterator> FusedIterator for SlotIter<S, I> {}
