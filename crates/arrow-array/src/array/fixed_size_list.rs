//! Arrays of lists that all have the same number of items.

use std::ops::Range;

use arrow_data::ArrayData;

use super::{
    Array, Lists, TypedLists,
    access::Whole,
    methods::array_methods,
    proven::{part, proven},
    sealed::{SlotRanges, Slots},
};
use crate::{
    error::ArrayError,
    kind::{Kind, kind},
};

/// Lists that all have the same number of items. A value is the part of the child that holds the items of one
/// list; that of a null slot is empty.
///
/// ```
/// use arrow_array::{FixedSizeListBuilder, Int32Array, Int32Builder};
///
/// let pairs = FixedSizeListBuilder::try_new(Int32Builder::new(), 2)?.with_values([[1, 2], [3, 4]]).finish()?;
/// assert_eq!(pairs.range(1), 2..4);
/// assert_eq!(Int32Array::try_from(pairs.value(1))?, Int32Array::from_iter([3, 4]));
/// # Ok::<(), arrow_array::ArrayError>(())
/// ```
///
/// Follows "Fixed-Size List Layout" of the specification.
#[derive(Clone)]
pub struct FixedSizeListArray {
    data: ArrayData,
    items: ArrayData,
    n_items: usize,
}

impl FixedSizeListArray {
    /// The number of items of each list; may be 0.
    pub fn n_items(&self) -> usize {
        self.n_items
    }

    /// The items of all lists, one after the other; those of null slots mean nothing.
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

impl Slots for FixedSizeListArray {
    type Item<'a> = ArrayData;
    type Access<'a> = Whole<'a, Self>;

    fn make(data: ArrayData) -> Result<FixedSizeListArray, ArrayError> {
        let Kind::FixedSizeList(n_items) = kind(data.data_type()) else {
            return Err(ArrayError::type_mismatch("fixed_size_list", data.data_type()));
        };
        let data = proven(data)?;
        let [items] = data.children() else {
            return Err(ArrayError::type_mismatch("fixed_size_list", data.data_type()));
        };
        Ok(FixedSizeListArray { items: items.clone(), data, n_items })
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

impl Lists for FixedSizeListArray {
    fn items(&self) -> &ArrayData {
        &self.items
    }
}

impl SlotRanges for FixedSizeListArray {
    #[inline]
    fn range_of_valid(&self, slot: usize) -> Range<usize> {
        let start = slot.saturating_mul(self.n_items);
        start..start.saturating_add(self.n_items)
    }
}

impl Array for FixedSizeListArray {
    fn data(&self) -> &ArrayData {
        &self.data
    }
}

array_methods!([] FixedSizeListArray, ArrayData);
