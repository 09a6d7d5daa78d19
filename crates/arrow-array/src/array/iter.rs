//! Iteration over the values of an array.

use std::{fmt, iter::FusedIterator, ops::Range};

use super::{
    Array,
    access::{Access, BitReader},
};

/// The values of an array in order, `None` for null slots. Made by `iter()` of every array, except for run-end encoded arrays.
///
/// Methods that consume the whole iterator, such as `sum`, `for_each` or `fold`, are faster than a `for` loop, since they do
/// not check for the end at each value.
pub struct ArrayIter<'a, A: Array> {
    array: &'a A,
    access: A::Access<'a>,
    /// `None` if no slot is null.
    validity: Option<BitReader<'a>>,
    slots: Range<usize>,
}

impl<'a, A: Array> ArrayIter<'a, A> {
    #[inline]
    pub(crate) fn new(array: &'a A) -> ArrayIter<'a, A> {
        ArrayIter::of_slots(array, 0..array.len())
    }

    /// Iterates over these slots, which must lie inside the array.
    #[inline]
    pub(crate) fn of_slots(array: &'a A, slots: Range<usize>) -> ArrayIter<'a, A> {
        ArrayIter { array, access: array.access(), validity: array.validity().map(BitReader::of), slots }
    }

    #[inline]
    fn value(&self, slot: usize) -> Option<A::Item<'a>> {
        let is_valid = match self.validity {
            Some(validity) => validity.get(slot),
            None => !A::ALL_NULL,
        };
        if is_valid { Some(self.access.at(slot)) } else { None }
    }
}

impl<'a, A: Array> Iterator for ArrayIter<'a, A> {
    type Item = Option<A::Item<'a>>;

    #[inline]
    fn next(&mut self) -> Option<Self::Item> {
        self.slots.next().map(|slot| self.value(slot))
    }

    #[inline]
    fn size_hint(&self) -> (usize, Option<usize>) {
        self.slots.size_hint()
    }

    #[inline]
    fn nth(&mut self, n: usize) -> Option<Self::Item> {
        self.slots.nth(n).map(|slot| self.value(slot))
    }

    fn count(self) -> usize {
        self.slots.len()
    }

    fn last(mut self) -> Option<Self::Item> {
        self.next_back()
    }

    #[inline]
    fn fold<B, F: FnMut(B, Self::Item) -> B>(self, start: B, mut step: F) -> B {
        let ArrayIter { array, access, slots, .. } = self;
        if A::ALL_NULL {
            return slots.fold(start, |folded, _| step(folded, None));
        }
        match array.validity() {
            None => access.fold_valid(slots, start, |folded, value| step(folded, Some(value))),
            Some(validity) => {
                let valid = validity.slice(slots.start, slots.len());
                access.fold(slots, &valid, start, step)
            }
        }
    }
}

impl<A: Array> DoubleEndedIterator for ArrayIter<'_, A> {
    #[inline]
    fn next_back(&mut self) -> Option<Self::Item> {
        self.slots.next_back().map(|slot| self.value(slot))
    }

    #[inline]
    fn nth_back(&mut self, n: usize) -> Option<Self::Item> {
        self.slots.nth_back(n).map(|slot| self.value(slot))
    }
}

impl<A: Array> ExactSizeIterator for ArrayIter<'_, A> {}

impl<A: Array> FusedIterator for ArrayIter<'_, A> {}

impl<A: Array> Clone for ArrayIter<'_, A> {
    fn clone(&self) -> Self {
        ArrayIter { slots: self.slots.clone(), ..*self }
    }
}

impl<A: Array> fmt::Debug for ArrayIter<'_, A> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ArrayIter").field("array", self.array).field("slots", &self.slots).finish()
    }
}
