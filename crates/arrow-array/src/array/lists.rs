//! Arrays of lists, generic over the layout.

use std::ops::Range;

use arrow_data::{ArrayData, Validation};
use arrow_schema::DataType;

use super::{
    Array, IndexedSlots, Lists, TypedLists,
    methods::array_methods,
    proven::part,
    sealed::{SlotRanges, Slots},
};
use crate::error::ArrayError;

/// Arrays of lists. `P` stores where the items of each list are. The value of a slot is an array of its items.
#[derive(Clone)]
pub struct ListsArray<P: ItemRanges> {
    data: ArrayData,
    pub(super) ranges: P,
    items: ArrayData,
}

/// Finds the range of the items of each list. Other crates cannot implement this trait.
pub trait ItemRanges: Clone + Send + Sync + 'static {
    const NAME: &'static str;

    /// Whether `data_type` has the layout for which this implementation is made.
    fn is_of(data_type: &DataType) -> bool;

    /// Reads the ranges from an array that is validated and whose type passes [`is_of`](Self::is_of).
    ///
    /// # Errors
    /// If buffers are too short.
    fn try_new(data: &ArrayData) -> Result<Self, ArrayError>;

    /// The range of the items of a slot that is not null.
    fn range(&self, slot: usize) -> Range<usize>;
}

impl<P: ItemRanges> ListsArray<P> {
    /// The items of all lists in one array. It may contain items that belong to no list. Items of null slots have no
    /// meaning.
    pub fn items(&self) -> &ArrayData {
        &self.items
    }

    /// The range of the items of a slot in [`items`](ListsArray::items). Empty if the slot is null or out of bounds.
    #[inline]
    pub fn range(&self, slot: usize) -> Range<usize> {
        Lists::range(self, slot)
    }

    /// Combines the lists with their items as a typed array. Iteration then returns [`Items`](super::Items).
    ///
    /// # Errors
    /// If the items are not of the type `A`.
    pub fn items_as<A: Array>(&self) -> Result<TypedLists<Self, A>, ArrayError> {
        TypedLists::try_new(self)
    }
}

impl<P: ItemRanges> Slots for ListsArray<P> {
    type Item<'a> = ArrayData;
    type Access<'a> = IndexedSlots<'a, Self>;

    fn make(data: ArrayData) -> Result<ListsArray<P>, ArrayError> {
        if !P::is_of(data.data_type()) {
            return Err(ArrayError::type_mismatch(P::NAME, data.data_type()));
        }
        let data = data.validate(Validation::Content)?;
        let [items] = data.children() else {
            return Err(ArrayError::type_mismatch(P::NAME, data.data_type()));
        };
        Ok(ListsArray { ranges: P::try_new(&data)?, items: items.clone(), data })
    }

    #[inline]
    fn access(&self) -> IndexedSlots<'_, Self> {
        IndexedSlots(self)
    }

    #[inline]
    fn at(&self, slot: usize) -> ArrayData {
        part(&self.items, self.range_of_valid(slot))
    }

    fn zero_value(&self) -> ArrayData {
        part(&self.items, 0..0)
    }
}

impl<P: ItemRanges> Lists for ListsArray<P> {
    fn items(&self) -> &ArrayData {
        &self.items
    }
}

impl<P: ItemRanges> SlotRanges for ListsArray<P> {
    #[inline]
    fn range_of_valid(&self, slot: usize) -> Range<usize> {
        self.ranges.range(slot)
    }
}

array_methods!([P: ItemRanges] ListsArray<P>, ArrayData);
