//! Dictionary-encoded and run-end encoded arrays, read through to their values.

use std::{fmt, iter::FusedIterator};

use arrow_data::ArrayData;

use super::Array;
use crate::error::ArrayError;

/// An array whose slots are positions in an array of values: [`DictionaryArray`](super::DictionaryArray) or
/// [`RunEndEncodedArray`](super::RunEndEncodedArray).
pub trait Positions: for<'a> Array<Item<'a> = usize> {
    /// The positions of all slots in order, `None` for null slots.
    type Iter<'a>: DoubleEndedIterator<Item = Option<usize>> + ExactSizeIterator;

    /// The values that positions select.
    fn encoded_values(&self) -> &ArrayData;

    /// The positions of all slots in order, `None` for null slots.
    fn positions(&self) -> Self::Iter<'_>;
}

/// An encoded array with its values, which are of type `A`.
///
/// Made by `decoded()` of [`DictionaryArray`](super::DictionaryArray) and
/// [`RunEndEncodedArray`](super::RunEndEncodedArray). Nothing is copied: a value is looked up when it is
/// asked for.
#[derive(Clone)]
pub struct Decoded<P, A> {
    encoded: P,
    values: A,
}

impl<P: Positions, A: Array> Decoded<P, A> {
    pub(super) fn try_new(encoded: &P) -> Result<Decoded<P, A>, ArrayError> {
        Ok(Decoded { values: A::try_from(encoded.encoded_values().clone())?, encoded: encoded.clone() })
    }

    /// The number of slots.
    pub fn len(&self) -> usize {
        self.encoded.len()
    }

    /// Whether there are no slots.
    pub fn is_empty(&self) -> bool {
        self.encoded.is_empty()
    }

    /// The array as it is encoded.
    pub fn encoded(&self) -> &P {
        &self.encoded
    }

    /// The values that positions select.
    pub fn values(&self) -> &A {
        &self.values
    }

    /// The value of a slot; `None` where the slot, or the value that it selects, is null, or out of range.
    pub fn get(&self, slot: usize) -> Option<A::Item<'_>> {
        self.encoded.get(slot).and_then(|position| self.values.get(position))
    }

    /// The values of all slots in order, from either end; `None` for nulls.
    pub fn iter(&self) -> DecodedIter<'_, P::Iter<'_>, A> {
        DecodedIter { positions: self.encoded.positions(), values: &self.values }
    }
}

impl<'a, P: Positions, A: Array> IntoIterator for &'a Decoded<P, A> {
    type Item = Option<A::Item<'a>>;
    type IntoIter = DecodedIter<'a, P::Iter<'a>, A>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

impl<P: fmt::Debug, A> fmt::Debug for Decoded<P, A> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&self.encoded, f)
    }
}

/// The values of an encoded array in order, `None` for nulls.
#[derive(Debug, Clone)]
pub struct DecodedIter<'a, I, A> {
    positions: I,
    values: &'a A,
}

impl<'a, I: Iterator<Item = Option<usize>>, A: Array> Iterator for DecodedIter<'a, I, A> {
    type Item = Option<A::Item<'a>>;

    fn next(&mut self) -> Option<Self::Item> {
        self.positions.next().map(|position| position.and_then(|position| self.values.get(position)))
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        self.positions.size_hint()
    }
}

impl<I: DoubleEndedIterator<Item = Option<usize>>, A: Array> DoubleEndedIterator for DecodedIter<'_, I, A> {
    fn next_back(&mut self) -> Option<Self::Item> {
        self.positions.next_back().map(|position| position.and_then(|position| self.values.get(position)))
    }
}

impl<I: ExactSizeIterator<Item = Option<usize>>, A: Array> ExactSizeIterator for DecodedIter<'_, I, A> {}

impl<I: FusedIterator<Item = Option<usize>>, A: Array> FusedIterator for DecodedIter<'_, I, A> {}
