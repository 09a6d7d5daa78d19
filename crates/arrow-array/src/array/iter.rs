//! Iteration over the values of an array.

use std::{fmt, iter::FusedIterator, ops::Range};

use super::Array;

/// The values of an array in order, `None` for null slots. Made by `iter()` of every array but run-end
/// encoded ones.
pub struct ArrayIter<'a, A> {
    array: &'a A,
    slots: Range<usize>,
}

impl<'a, A: Array> ArrayIter<'a, A> {
    pub(crate) fn new(array: &'a A) -> ArrayIter<'a, A> {
        ArrayIter { array, slots: 0..array.len() }
    }
}

impl<'a, A: Array> Iterator for ArrayIter<'a, A> {
    type Item = Option<A::Item<'a>>;

    fn next(&mut self) -> Option<Self::Item> {
        self.slots.next().map(|slot| self.array.get(slot))
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        self.slots.size_hint()
    }

    fn nth(&mut self, n: usize) -> Option<Self::Item> {
        self.slots.nth(n).map(|slot| self.array.get(slot))
    }

    fn count(self) -> usize {
        self.slots.len()
    }

    fn last(mut self) -> Option<Self::Item> {
        self.next_back()
    }
}

impl<A: Array> DoubleEndedIterator for ArrayIter<'_, A> {
    fn next_back(&mut self) -> Option<Self::Item> {
        self.slots.next_back().map(|slot| self.array.get(slot))
    }

    fn nth_back(&mut self, n: usize) -> Option<Self::Item> {
        self.slots.nth_back(n).map(|slot| self.array.get(slot))
    }
}

impl<A: Array> ExactSizeIterator for ArrayIter<'_, A> {}

impl<A: Array> FusedIterator for ArrayIter<'_, A> {}

impl<A> Clone for ArrayIter<'_, A> {
    fn clone(&self) -> Self {
        ArrayIter { array: self.array, slots: self.slots.clone() }
    }
}

impl<A: fmt::Debug> fmt::Debug for ArrayIter<'_, A> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ArrayIter").field("array", self.array).field("slots", &self.slots).finish()
    }
}
