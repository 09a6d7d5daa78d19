//! Dictionary-encoded and run-end encoded arrays, combined with the typed array of their values.

use std::{fmt, iter::FusedIterator};

use arrow_buffer::Bitmap;
use arrow_data::ArrayData;

use super::{
    Array,
    access::Access,
    slot_iter::{SlotIter, SlotSource},
};
use crate::error::ArrayError;

/// An array whose slots are indices into an array of values: [`DictionaryArray`](super::DictionaryArray) or
/// [`RunEndEncodedArray`](super::RunEndEncodedArray).
pub trait Positions: for<'a> Array<Item<'a> = usize> {
    /// The indices of all slots in order, `None` for null slots.
    type Iter<'a>: DoubleEndedIterator<Item = Option<usize>> + ExactSizeIterator + FusedIterator;

    /// The values to which the indices refer.
    fn encoded_values(&self) -> &ArrayData;

    /// Iterates over the index of each slot, `None` for null slots.
    fn positions(&self) -> Self::Iter<'_>;

    /// The number of slots whose index meets a condition. For run-end encoded arrays, takes time in proportion to the
    /// number of runs in the slice: there may be too many slots to visit one by one.
    fn count_where(&self, meets: impl Fn(Option<usize>) -> bool) -> usize {
        self.positions().filter(|position| meets(*position)).count()
    }
}

/// An encoded array together with a typed array of its values. Each access looks up the decoded value of a slot.
///
/// [`DictionaryArray::decoded`](super::DictionaryArray::decoded) and
/// [`RunEndEncodedArray::decoded`](super::RunEndEncodedArray::decoded) return this type. Nothing is copied.
#[derive(Clone)]
pub struct DecodedArray<P, A> {
    encoded: P,
    values: A,
}

impl<P: Positions, A: Array> DecodedArray<P, A> {
    pub(super) fn try_new(encoded: &P) -> Result<DecodedArray<P, A>, ArrayError> {
        let data = encoded.data();
        let values =
            A::try_from(encoded.encoded_values().clone()).map_err(|error| match data.dictionary() {
                Some(_) => error.in_dictionary(),
                None => error.in_child(data.data_type(), 1),
            })?;
        Ok(DecodedArray { values, encoded: encoded.clone() })
    }

    /// The number of slots of the encoded array.
    #[inline]
    pub fn len(&self) -> usize {
        self.encoded.len()
    }

    /// Whether the encoded array has no slots.
    pub fn is_empty(&self) -> bool {
        self.encoded.is_empty()
    }

    /// The number of slots that are null or select a null value. If the values contain nulls, each call reads all
    /// indices or runs.
    pub fn null_count(&self) -> usize {
        if !A::ALL_NULL && self.values.validity().is_none() {
            return self.encoded.null_count();
        }
        let is_valid = |position: Option<usize>| position.is_some_and(|at| self.values.is_valid(at));
        self.encoded.count_where(|position| !is_valid(position))
    }

    /// The encoded array, whose slots are indices.
    pub fn encoded(&self) -> &P {
        &self.encoded
    }

    /// The values that the indices select: the dictionary, or one value for each run.
    pub fn values(&self) -> &A {
        &self.values
    }

    /// Whether a slot is valid and selects a valid value. `false` if out of bounds.
    pub fn is_valid(&self, slot: usize) -> bool {
        self.encoded.get(slot).is_some_and(|position| self.values.is_valid(position))
    }

    /// Whether a slot is null or selects a null value. `false` if out of bounds.
    pub fn is_null(&self, slot: usize) -> bool {
        slot < self.len() && !self.is_valid(slot)
    }

    /// The value that a slot selects. Returns zero or an empty value if the slot or the selected value is null.
    ///
    /// # Panics
    /// If the slot is out of bounds, as for indexing a slice.
    pub fn value(&self, slot: usize) -> A::Item<'_> {
        match self.encoded.get(slot) {
            Some(position) => self.values.value(position),
            None => {
                assert!(slot < self.len(), "slot {slot} is outside of an array of {}", self.len());
                self.values.zero_value()
            }
        }
    }

    /// The value that a slot selects. `None` if the slot or the selected value is null, or if the slot is out of
    /// bounds.
    #[inline]
    pub fn get(&self, slot: usize) -> Option<A::Item<'_>> {
        self.encoded.get(slot).and_then(|position| self.values.get(position))
    }

    /// The decoded values of all slots in order, `None` for nulls. Can also be read from the end.
    #[inline]
    pub fn iter(&self) -> DecodedIter<'_, P::Iter<'_>, A> {
        let values = ValueAt { access: self.values.access(), validity: self.values.validity() };
        SlotIter::new(values, self.encoded.positions())
    }
}

impl<'a, P: Positions, A: Array> IntoIterator for &'a DecodedArray<P, A> {
    type Item = Option<A::Item<'a>>;
    type IntoIter = DecodedIter<'a, P::Iter<'a>, A>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

impl<P: fmt::Debug, A> fmt::Debug for DecodedArray<P, A> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&self.encoded, f)
    }
}

impl<P: Positions, A: Array> PartialEq for DecodedArray<P, A> {
    /// Whether both have the same type and the same decoded values. The indices may differ.
    fn eq(&self, other: &Self) -> bool {
        self.encoded.data() == other.encoded.data()
    }
}

/// The decoded values of a [`DecodedArray`] in order, `None` for nulls.
pub type DecodedIter<'a, I, A> = SlotIter<ValueAt<'a, A>, I>;

/// Looks up the value at an index, for a [`DecodedIter`].
pub struct ValueAt<'a, A: Array> {
    access: A::Access<'a>,
    validity: Option<&'a Bitmap>,
}

impl<'a, I: Iterator<Item = Option<usize>>, A: Array> SlotSource<I> for ValueAt<'a, A> {
    type Item = Option<A::Item<'a>>;

    #[inline]
    fn value_at(&self, position: Option<usize>) -> Self::Item {
        let position = position?;
        let is_valid = match self.validity {
            Some(validity) => validity.get(position).unwrap_or(false),
            None => !A::ALL_NULL,
        };
        if is_valid { Some(self.access.at(position)) } else { None }
    }

    #[inline]
    fn fold<B, F: FnMut(B, Self::Item) -> B>(self, positions: I, start: B, mut step: F) -> B {
        if self.validity.is_none() && !A::ALL_NULL {
            let access = self.access;
            return positions
                .fold(start, |folded, position| step(folded, position.map(|position| access.at(position))));
        }
        positions.fold(start, |folded, position| step(folded, SlotSource::<I>::value_at(&self, position)))
    }
}

impl<A: Array> Clone for ValueAt<'_, A> {
    fn clone(&self) -> Self {
        ValueAt { ..*self }
    }
}

impl<A: Array> fmt::Debug for ValueAt<'_, A> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ValueAt").finish_non_exhaustive()
    }
}
