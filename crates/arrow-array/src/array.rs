//! Typed arrays: what all have in common, and one file for each layout.

mod access;
mod batches;
mod binary;
mod boolean;
mod decoded;
mod dictionary;
mod equality;
mod fixed_size_binary;
mod fixed_size_list;
mod items;
mod iter;
mod list;
mod list_view;
mod lists;
mod make;
mod map;
mod methods;
mod null;
pub(crate) mod primitive;
mod proven;
mod runs;
mod structs;
mod text;
mod typed_batch;
mod typed_lists;
mod typed_maps;
mod union;
mod views;

use std::fmt;

use arrow_buffer::Bitmap;
use arrow_data::ArrayData;
use arrow_schema::DataType;

use crate::error::ArrayError;

pub use self::proven::Width;
pub(crate) use self::proven::{range, sized_range};
pub use self::{
    binary::{BinaryArray, BinaryArrayOf, LargeBinaryArray},
    boolean::BooleanArray,
    decoded::{Decoded, DecodedIter, Positions},
    dictionary::DictionaryArray,
    fixed_size_binary::FixedSizeBinaryArray,
    fixed_size_list::FixedSizeListArray,
    items::Items,
    iter::ArrayIter,
    list::{LargeListArray, ListArray, ListArrayOf},
    list_view::{LargeListViewArray, ListViewArray, ListViewArrayOf},
    lists::ListsArray,
    map::{MapArray, MapEntries},
    null::NullArray,
    primitive::PrimitiveArray,
    runs::{RunEndEncodedArray, RunIter},
    structs::{StructArray, StructValue},
    text::{LargeUtf8Array, Utf8Array, Utf8ArrayOf},
    typed_batch::TypedBatch,
    typed_lists::{Lists, TypedLists, TypedListsIter},
    typed_maps::{PairIter, Pairs, TypedMaps, TypedMapsIter},
    union::{UnionArray, UnionValue},
    views::{BinaryViewArray, Utf8ViewArray},
};

pub(crate) use self::{equality::arrays_equal, lists::ItemRanges};

use self::sealed::Slots;

/// What all typed arrays have in common, for code that is generic over them.
///
/// Each array has the same functions of its own, so this trait need not be in scope to use one. An array is
/// checked once, when it is made of [`ArrayData`]: type and content. From then on no data makes an access
/// fail or panic.
///
/// `A::Item<'_>` is the type of a value, which may borrow from the array: a number, a `&str`, the [`ArrayData`] of a list's
/// items. The set of arrays is closed.
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
    /// The array as its buffers.
    fn data(&self) -> &ArrayData;

    /// The number of slots.
    #[inline]
    fn len(&self) -> usize {
        self.data().len()
    }

    /// Whether there are no slots.
    #[inline]
    fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The number of null slots; see [`ArrayData::null_count`].
    fn null_count(&self) -> usize {
        self.data().null_count()
    }

    /// The slots `start..start + n_slots`, sharing all data.
    ///
    /// # Panics
    /// If the range lies outside of the array, as slicing a `[T]` does.
    #[must_use]
    fn slice(&self, start: usize, n_slots: usize) -> Self {
        proven::slice(self, start, n_slots)
    }

    /// Converts into the buffers of the array.
    fn into_data(self) -> ArrayData {
        self.into()
    }

    /// The type of the slots.
    fn data_type(&self) -> &DataType {
        self.data().data_type()
    }

    /// The validity bitmap, one bit a slot; absent if no slot is null or the type has none.
    #[inline]
    fn validity(&self) -> Option<&Bitmap> {
        self.data().validity()
    }

    /// Whether a slot is not null, by the array's own bitmap; `false` if out of bounds.
    #[inline]
    fn is_valid(&self, slot: usize) -> bool {
        match self.validity() {
            Some(validity) => validity.get(slot).unwrap_or(false),
            None => !Self::ALL_NULL && slot < self.len(),
        }
    }

    /// Whether a slot is null, by the array's own bitmap; `false` if out of bounds.
    #[inline]
    fn is_null(&self, slot: usize) -> bool {
        slot < self.len() && !self.is_valid(slot)
    }

    /// The value of a slot; what is zero or empty where the slot is null.
    ///
    /// # Panics
    /// If the slot is out of bounds, as indexing a slice does.
    #[inline]
    fn value(&self, slot: usize) -> Self::Item<'_> {
        assert!(slot < self.len(), "slot {slot} is outside of an array of {}", self.len());
        if self.is_valid(slot) { self.at(slot) } else { self.blank() }
    }

    /// The value of a slot; `None` if the slot is null or out of bounds.
    #[inline]
    fn get(&self, slot: usize) -> Option<Self::Item<'_>> {
        if self.is_valid(slot) { Some(self.at(slot)) } else { None }
    }

    /// The values in order, `None` for null slots.
    #[inline]
    fn iter(&self) -> ArrayIter<'_, Self> {
        ArrayIter::new(self)
    }
}

pub(crate) mod sealed {
    use std::ops::Range;

    use arrow_data::ArrayData;

    use super::access::Access;
    use crate::error::ArrayError;

    /// What each array does in its own way, for this crate alone; closes the set of arrays.
    pub trait Slots: Sized + 'static {
        /// A value, which may borrow from the array.
        type Item<'a>;

        /// How iteration reads slots.
        type Access<'a>: Access<Item = Self::Item<'a>>;

        /// Whether all slots are null without a bitmap that says so.
        const ALL_NULL: bool = false;

        /// Checks that the data is of the right type, then its content, then takes what access needs out of
        /// it.
        fn make(data: ArrayData) -> Result<Self, ArrayError>;

        /// What iteration reads slots with.
        fn access(&self) -> Self::Access<'_>;

        /// The value of a slot that is in bounds and not null.
        fn at(&self, slot: usize) -> Self::Item<'_>;

        /// What `value` gives for a null slot: zero or empty.
        fn blank(&self) -> Self::Item<'_>;
    }

    /// Where the items of lists lie; closes the set of arrays of lists.
    pub trait SlotRanges {
        /// Where the items of a slot that is not null lie.
        fn range_of_valid(&self, slot: usize) -> Range<usize>;
    }
}
