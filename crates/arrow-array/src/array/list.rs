//! Arrays of lists with offsets.

use std::ops::Range;

use arrow_buffer::Values;
use arrow_data::ArrayData;

use super::{
    Array, Lists, TypedLists, Width,
    access::Whole,
    methods::array_methods,
    proven::{offsets, part, proven, range},
    sealed::{SlotRanges, Slots},
};
use crate::{
    error::ArrayError,
    kind::{Kind, kind},
};

/// Lists with offsets of type `O`. A value is the part of the child that holds the items of one list.
///
/// ```
/// use arrow_array::{Int32Array, Int32Builder, ListBuilder};
///
/// let lists = ListBuilder::new(Int32Builder::new()).with_values([vec![1, 2], vec![], vec![3]]).finish()?;
/// assert_eq!((lists.range(0), lists.range(1)), (0..2, 2..2));
/// assert_eq!(Int32Array::try_from(lists.value(2))?, Int32Array::from_iter([3]));
/// # Ok::<(), arrow_array::ArrayError>(())
/// ```
///
/// Follows "Variable-size List Layout" of the specification.
#[derive(Clone)]
pub struct ListArrayOf<O: Width> {
    data: ArrayData,
    offsets: Values<O>,
    items: ArrayData,
}

/// Lists with offsets of 32 bits.
pub type ListArray = ListArrayOf<i32>;
/// Lists with offsets of 64 bits.
pub type LargeListArray = ListArrayOf<i64>;

impl<O: Width> ListArrayOf<O> {
    /// Where the lists begin and end in [`items`](ListArrayOf::items): one more than slots, or none for an
    /// array without slots. The first need not be 0.
    pub fn offsets(&self) -> &[O] {
        &self.offsets
    }

    /// The items of all lists. Not all of them need belong to one.
    pub fn items(&self) -> &ArrayData {
        &self.items
    }

    /// Where the items of a slot lie; empty if the slot is null or out of bounds.
    #[inline]
    pub fn range(&self, slot: usize) -> Range<usize> {
        Lists::range(self, slot)
    }

    /// The lists with their items read as arrays of type `A`: iterating gives [`Items`](super::Items).
    ///
    /// # Errors
    /// If the items are of another type.
    pub fn items_as<A: Array>(&self) -> Result<TypedLists<Self, A>, ArrayError> {
        TypedLists::try_new(self)
    }
}

impl<O: Width> Slots for ListArrayOf<O> {
    type Item<'a> = ArrayData;
    type Access<'a> = Whole<'a, Self>;

    fn make(data: ArrayData) -> Result<ListArrayOf<O>, ArrayError> {
        let expected = if size_of::<O>() == 4 { Kind::List } else { Kind::LargeList };
        let data_type = data.data_type();
        if kind(data_type) != expected {
            return Err(ArrayError::type_mismatch(O::LIST, data_type));
        }
        let data = proven(data)?;
        let [items] = data.children() else {
            return Err(ArrayError::type_mismatch(O::LIST, data.data_type()));
        };
        Ok(ListArrayOf { offsets: offsets(&data)?, items: items.clone(), data })
    }

    #[inline]
    fn access(&self) -> Whole<'_, Self> {
        Whole(self)
    }

    #[inline]
    fn at(&self, slot: usize) -> ArrayData {
        part(&self.items, self.range_of_valid(slot))
    }

    fn blank(&self) -> ArrayData {
        part(&self.items, 0..0)
    }
}

impl<O: Width> Lists for ListArrayOf<O> {
    fn items(&self) -> &ArrayData {
        &self.items
    }
}

impl<O: Width> SlotRanges for ListArrayOf<O> {
    #[inline]
    fn range_of_valid(&self, slot: usize) -> Range<usize> {
        range(&self.offsets, slot)
    }
}

impl<O: Width> Array for ListArrayOf<O> {
    fn data(&self) -> &ArrayData {
        &self.data
    }
}

array_methods!([O: Width] ListArrayOf<O>, ArrayData);
