//! Typed arrays: the trait that they share, and one file for each layout.

mod access;
mod binary;
mod boolean;
mod decoded;
mod dictionary;
#[cfg(test)]
#[cfg(test)]
mod equality;
mod fixed_size_binary;
mod fixed_size_list;
mod items;
mod list;
mod list_view;
mod lists;
mod map;
mod methods;
mod null;
pub(crate) mod primitive;
mod proven;
mod runs;
mod slot_iter;
mod structs;
mod text;
mod typed_batch;
mod typed_lists;
mod typed_maps;
mod union;
mod views;

use std::{fmt, ops::Range};

use arrow_buffer::Bitmap;
use arrow_data::ArrayData;
use arrow_schema::DataType;

pub(crate) use self::proven::assemble;
use crate::error::ArrayError;

pub use self::proven::Width;
pub use self::{
    binary::{BinaryArray, GenericBinaryArray, LargeBinaryArray},
    boolean::BooleanArray,
    decoded::{DecodedArray, DecodedIter, Positions},
    dictionary::DictionaryArray,
    fixed_size_binary::FixedSizeBinaryArray,
    fixed_size_list::FixedSizeListArray,
    items::Items,
    list::{GenericListArray, LargeListArray, ListArray},
    list_view::{GenericListViewArray, LargeListViewArray, ListViewArray},
    lists::ListsArray,
    map::{MapArray, MapEntries},
    null::NullArray,
    primitive::PrimitiveArray,
    runs::{RunEndEncodedArray, RunIter},
    slot_iter::SlotIter,
    structs::{StructArray, StructValue},
    text::{GenericUtf8Array, LargeUtf8Array, Utf8Array},
    typed_batch::TypedBatch,
    typed_lists::{Lists, TypedLists, TypedListsIter},
    typed_maps::{PairIter, Pairs, TypedMaps, TypedMapsIter},
    union::{UnionArray, UnionValue},
    views::{BinaryViewArray, Utf8ViewArray},
};
pub(crate) use self::{
    proven::{range, sized_range},
    slot_iter::SlotSource,
};

pub(crate) use self::lists::ItemRanges;

use self::{
    access::{Access, BitReader},
    sealed::Slots,
};

/// The interface that all typed arrays share, for generic code.
///
/// Each array also has these methods without the trait, so the trait need not be in scope. Type and content are checked
/// once, when an array is made from [`ArrayData`]. After that, no access fails or panics because of invalid data.
///
/// `A::Item<'_>` is the type of a value, which may borrow from the array: a number, a `&str`, the [`ArrayData`] of a list's
/// items. The trait is sealed.
///
/// ```
/// use arrow_array::{Array, Int32Array, Utf8ViewArray};
///
/// fn first<A: Array>(array: &A) -> Option<A::Item<'_>> {
///     array.iter().flatten().next()
/// }
///
/// assert_eq!(first(&Int32Array::from_iter([None, Some(7)])), Some(7));
/// assert_eq!(first(&Utf8ViewArray::from_iter(["a", "b"])), Some("a"));
/// ```
pub trait Array:
    Slots + Clone + fmt::Debug + Send + Sync + Into<ArrayData> + TryFrom<ArrayData, Error = ArrayError> + 'static
{
    /// The array as untyped data, with its type, buffers and children.
    fn data(&self) -> &ArrayData;

    /// The number of slots, null slots included.
    #[inline]
    fn len(&self) -> usize {
        self.data().len()
    }

    /// Whether the array has no slots. An array that has only nulls is not empty.
    #[inline]
    fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The number of null slots. The first call counts them; see [`ArrayData::null_count`].
    fn null_count(&self) -> usize {
        self.data().null_count()
    }

    /// Returns the slots `start..start + n_slots`. Copies nothing.
    ///
    /// # Panics
    /// If the range is out of bounds, as for a slice of a `[T]`.
    #[must_use]
    fn slice(&self, start: usize, n_slots: usize) -> Self {
        match Self::make(self.data().slice(start, n_slots)) {
            Ok(slice) => slice,
            Err(error) => unreachable!("a slice of a sound array is sound: {error}"),
        }
    }

    /// Returns the array as untyped data, without a copy.
    fn into_data(self) -> ArrayData {
        self.into()
    }

    /// The Arrow type of the array, such as `Int32`.
    fn data_type(&self) -> &DataType {
        self.data().data_type()
    }

    /// The validity bitmap, with one bit for each slot. `None` if no slot is null, or if the type has no bitmap.
    #[inline]
    fn validity(&self) -> Option<&Bitmap> {
        self.data().validity()
    }

    /// Whether a slot is valid. `false` if out of bounds. Nulls inside dictionaries, runs and union children do not
    /// count.
    #[inline]
    fn is_valid(&self, slot: usize) -> bool {
        match self.validity() {
            Some(validity) => validity.get(slot).unwrap_or(false),
            None => !Self::ALL_NULL && slot < self.len(),
        }
    }

    /// Whether a slot is null. `false` if out of bounds. Nulls inside dictionaries, runs and union children do not
    /// count.
    #[inline]
    fn is_null(&self, slot: usize) -> bool {
        slot < self.len() && !self.is_valid(slot)
    }

    /// The value of a slot. Returns zero or an empty value for a null slot.
    ///
    /// # Panics
    /// If the slot is out of bounds, as for indexing a slice.
    #[inline]
    fn value(&self, slot: usize) -> Self::Item<'_> {
        assert!(slot < self.len(), "slot {slot} is outside of an array of {}", self.len());
        if self.is_valid(slot) { self.at(slot) } else { self.zero_value() }
    }

    /// The value of a slot; `None` if the slot is null or out of bounds.
    #[inline]
    fn get(&self, slot: usize) -> Option<Self::Item<'_>> {
        if self.is_valid(slot) { Some(self.at(slot)) } else { None }
    }

    /// The values in order, `None` for null slots.
    #[inline]
    fn iter(&self) -> ArrayIter<'_, Self> {
        ArraySlots::iter(self, 0..self.len())
    }
}

/// Reads slots with `Slots::at` of the array. Used for layouts without faster access.
#[derive(Debug)]
pub struct IndexedSlots<'a, A>(&'a A);

impl<A> Clone for IndexedSlots<'_, A> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<A> Copy for IndexedSlots<'_, A> {}

impl<'a, A: Array> Access for IndexedSlots<'a, A> {
    type Item = A::Item<'a>;

    #[inline]
    fn at(self, slot: usize) -> A::Item<'a> {
        self.0.at(slot)
    }
}

/// The values of an array in order, `None` for null slots. `iter()` of every array returns this type, except for
/// [`RunEndEncodedArray`], which returns a [`RunIter`].
///
/// Methods that consume the whole iterator, such as `sum`, `for_each` or `fold`, are faster than a `for` loop, since they do
/// not check for the end at each value.
pub type ArrayIter<'a, A> = SlotIter<ArraySlots<'a, A>>;

/// The source of values for an [`ArrayIter`].
pub struct ArraySlots<'a, A: Array> {
    array: &'a A,
    access: A::Access<'a>,
    /// The validity of the slots; `None` if no slot is null.
    validity: Option<BitReader<'a>>,
}

impl<'a, A: Array> ArraySlots<'a, A> {
    /// Iterates over `slots`, which must be in bounds.
    #[inline]
    fn iter(array: &'a A, slots: Range<usize>) -> ArrayIter<'a, A> {
        let validity = array.validity().map(BitReader::from_bitmap);
        SlotIter::new(ArraySlots { array, access: array.access(), validity }, slots)
    }
}

impl<'a, A: Array> SlotSource for ArraySlots<'a, A> {
    type Item = Option<A::Item<'a>>;

    #[inline]
    fn value_at(&self, slot: usize) -> Self::Item {
        let is_valid = match self.validity {
            Some(validity) => validity.get(slot),
            None => !A::ALL_NULL,
        };
        if is_valid { Some(self.access.at(slot)) } else { None }
    }

    #[inline]
    fn fold<B, F: FnMut(B, Self::Item) -> B>(self, slots: Range<usize>, start: B, mut step: F) -> B {
        let ArraySlots { array, access, .. } = self;
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

impl<A: Array> Clone for ArraySlots<'_, A> {
    fn clone(&self) -> Self {
        ArraySlots { ..*self }
    }
}

impl<A: Array> fmt::Debug for ArraySlots<'_, A> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.array.fmt(f)
    }
}

pub(crate) mod sealed {
    use std::ops::Range;

    use arrow_data::ArrayData;

    use super::access::Access;
    use crate::error::ArrayError;

    /// The methods that each array type implements for itself. The trait is private to this crate, so other crates
    /// cannot implement [`Array`].
    pub trait Slots: Sized + 'static {
        /// The type of a value, which may borrow from the array.
        type Item<'a>;

        /// The reader of slots that iteration uses. Borrows from the array.
        type Access<'a>: Access<Item = Self::Item<'a>>;

        /// Whether all slots are null although there is no bitmap.
        const ALL_NULL: bool = false;

        /// Makes the array, after checking the type and the content of the data.
        fn make(data: ArrayData) -> Result<Self, ArrayError>;

        /// Returns the state for iteration.
        fn access(&self) -> Self::Access<'_>;

        /// The value of a slot that is in bounds and not null.
        fn at(&self, slot: usize) -> Self::Item<'_>;

        /// The value that `value` returns for a null slot: zero or an empty value.
        fn zero_value(&self) -> Self::Item<'_>;
    }

    /// The ranges of the items of lists. The trait is private to this crate, so other crates cannot implement `Lists`.
    pub trait SlotRanges {
        /// The range of the items of a slot that is not null.
        fn range_of_valid(&self, slot: usize) -> Range<usize>;
    }
}
