//! Arrays of list views: lists in any order, with offsets and sizes.

use std::ops::Range;

use arrow_buffer::Values;
use arrow_data::ArrayData;

use super::{
    Array, Lists, TypedLists, Width,
    access::Whole,
    methods::array_methods,
    proven::{numbers, part, proven, sized_range},
    sealed::{SlotRanges, Slots},
};
use crate::{
    error::ArrayError,
    kind::{Kind, kind},
};

/// Lists with an offset and a size each, of type `O`. A value is the part of the child that holds the items
/// of one list. Lists may share items and lie in any order.
///
/// ```
/// use arrow_array::{Int32Array, Int32Builder, ListViewBuilder};
///
/// let mut lists = ListViewBuilder::new(Int32Builder::new()).with_values([vec![1, 2], vec![3]]);
/// lists.append_again(0);
/// let lists = lists.finish()?;
/// assert_eq!((lists.range(1), lists.range(2)), (2..3, 0..2));
/// assert_eq!(Int32Array::try_from(lists.value(2))?, Int32Array::from_iter([1, 2]));
/// # Ok::<(), arrow_array::ArrayError>(())
/// ```
///
/// Follows "ListView Layout" of the specification.
#[derive(Clone)]
pub struct ListViewArrayOf<O: Width> {
    data: ArrayData,
    offsets: Values<O>,
    sizes: Values<O>,
    items: ArrayData,
}

/// Lists in any order, with offsets and sizes of 32 bits.
pub type ListViewArray = ListViewArrayOf<i32>;
/// Lists in any order, with offsets and sizes of 64 bits.
pub type LargeListViewArray = ListViewArrayOf<i64>;

impl<O: Width> ListViewArrayOf<O> {
    /// Where each list begins in [`items`](ListViewArrayOf::items).
    pub fn offsets(&self) -> &[O] {
        &self.offsets
    }

    /// How many items each list has.
    pub fn sizes(&self) -> &[O] {
        &self.sizes
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

impl<O: Width> Slots for ListViewArrayOf<O> {
    type Item<'a> = ArrayData;
    type Access<'a> = Whole<'a, Self>;

    fn make(data: ArrayData) -> Result<ListViewArrayOf<O>, ArrayError> {
        let expected = if size_of::<O>() == 4 { Kind::ListView } else { Kind::LargeListView };
        if kind(data.data_type()) != expected {
            return Err(ArrayError::type_mismatch(O::LIST_VIEW, data.data_type()));
        }
        let data = proven(data)?;
        let [items] = data.children() else {
            return Err(ArrayError::type_mismatch(O::LIST_VIEW, data.data_type()));
        };
        let (offsets, sizes) = (numbers(data.buffer(0), data.len())?, numbers(data.buffer(1), data.len())?);
        Ok(ListViewArrayOf { offsets, sizes, items: items.clone(), data })
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

impl<O: Width> Lists for ListViewArrayOf<O> {
    fn items(&self) -> &ArrayData {
        &self.items
    }
}

impl<O: Width> SlotRanges for ListViewArrayOf<O> {
    #[inline]
    fn range_of_valid(&self, slot: usize) -> Range<usize> {
        sized_range(&self.offsets, &self.sizes, slot)
    }
}

impl<O: Width> Array for ListViewArrayOf<O> {
    fn data(&self) -> &ArrayData {
        &self.data
    }
}

array_methods!([O: Width] ListViewArrayOf<O>, ArrayData);
