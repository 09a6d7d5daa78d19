//! Iteration over the values of slots.

use std::{iter::FusedIterator, ops::Range};

/// Iterates over the values of `S`, from either end. `I` returns the positions of the values: slots, or the indices that an
/// encoded array stores.
#[derive(Debug, Clone)]
pub struct SlotIter<S, I = Range<usize>> {
    source: S,
    places: I,
}

/// Looks up a value for each position that `I` returns.
pub trait SlotSource<I: Iterator = Range<usize>>: Sized {
    /// The type of a value.
    type Item;

    /// The value at `place`, which must be in bounds.
    fn value_at(&self, place: I::Item) -> Self::Item;

    /// Folds the values at all `places`.
    #[inline]
    fn fold<B, F: FnMut(B, Self::Item) -> B>(self, places: I, start: B, mut step: F) -> B {
        places.fold(start, |folded, place| step(folded, self.value_at(place)))
    }
}

impl<S, I> SlotIter<S, I> {
    #[inline]
    pub(crate) fn new(source: S, places: I) -> SlotIter<S, I> {
        SlotIter { source, places }
    }
}

impl<S: SlotSource<I>, I: Iterator> Iterator for SlotIter<S, I> {
    type Item = S::Item;

    #[inline]
    fn next(&mut self) -> Option<S::Item> {
        self.places.next().map(|place| self.source.value_at(place))
    }

    #[inline]
    fn size_hint(&self) -> (usize, Option<usize>) {
        self.places.size_hint()
    }

    #[inline]
    fn nth(&mut self, n: usize) -> Option<S::Item> {
        self.places.nth(n).map(|place| self.source.value_at(place))
    }

    fn count(self) -> usize {
        self.places.count()
    }

    fn last(self) -> Option<S::Item> {
        self.places.last().map(|place| self.source.value_at(place))
    }

    #[inline]
    fn fold<B, F: FnMut(B, S::Item) -> B>(self, start: B, step: F) -> B {
        self.source.fold(self.places, start, step)
    }
}

impl<S: SlotSource<I>, I: DoubleEndedIterator> DoubleEndedIterator for SlotIter<S, I> {
    #[inline]
    fn next_back(&mut self) -> Option<S::Item> {
        self.places.next_back().map(|place| self.source.value_at(place))
    }

    #[inline]
    fn nth_back(&mut self, n: usize) -> Option<S::Item> {
        self.places.nth_back(n).map(|place| self.source.value_at(place))
    }
}

impl<S: SlotSource<I>, I: ExactSizeIterator> ExactSizeIterator for SlotIter<S, I> {}

impl<S: SlotSource<I>, I: FusedIterator> FusedIterator for SlotIter<S, I> {}
