//! The items of one list, as a range of a typed array.

use std::{fmt, ops::Range};

use super::{Array, ArrayIter, ArraySlots, PrimitiveArray};
use crate::types::PrimitiveType;

/// The items of one list, as a borrowed range of a typed array. Copies nothing.
///
/// ```
/// use arrow_array::{Int64Array, Int64Builder, ListBuilder};
///
/// let lists = ListBuilder::new(Int64Builder::new()).with_values([vec![Some(1), None], vec![Some(3)]]).finish()?;
/// let lists = lists.items_as::<Int64Array>()?;
/// let first = lists.value(0);
/// assert_eq!((first.len(), first.get(0), first.get(1), first.get(2)), (2, Some(1), None, None));
/// assert_eq!(first.iter().flatten().sum::<i64>(), 1);
/// assert_eq!(lists.value(1).values(), [3]);
/// # Ok::<(), arrow_array::ArrayError>(())
/// ```
pub struct Items<'a, A> {
    array: &'a A,
    /// The range of the items, which lies inside the array.
    slots: Range<usize>,
}

impl<'a, A: Array> Items<'a, A> {
    /// Makes the items that `slots` of the array contains. Empty if the range is out of bounds.
    #[inline]
    pub(super) fn new(array: &'a A, slots: Range<usize>) -> Items<'a, A> {
        let is_inside = slots.start <= slots.end && slots.end <= array.len();
        Items { array, slots: if is_inside { slots } else { 0..0 } }
    }

    /// The number of items, null items included.
    #[inline]
    pub fn len(&self) -> usize {
        self.slots.len()
    }

    /// Whether the list is empty.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.slots.is_empty()
    }

    /// Whether an item is valid. `false` if out of bounds.
    #[inline]
    pub fn is_valid(&self, item: usize) -> bool {
        item < self.len() && self.array.is_valid(self.slots.start + item)
    }

    /// Whether an item is null. `false` if out of bounds.
    pub fn is_null(&self, item: usize) -> bool {
        item < self.len() && !self.is_valid(item)
    }

    /// The value of an item. `None` if the item is null or out of bounds.
    #[inline]
    pub fn get(&self, item: usize) -> Option<A::Item<'a>> {
        if item < self.len() { self.array.get(self.slots.start + item) } else { None }
    }

    /// The value of an item. Returns zero or an empty value for a null item.
    ///
    /// # Panics
    /// If the item is out of bounds, like indexing into a slice.
    #[inline]
    pub fn value(&self, item: usize) -> A::Item<'a> {
        assert!(item < self.len(), "item {item} is outside of a list of {}", self.len());
        self.array.value(self.slots.start + item)
    }

    /// The items in order, `None` for nulls. Can also be read from the end.
    #[inline]
    pub fn iter(&self) -> ArrayIter<'a, A> {
        ArraySlots::iter(self.array, self.slots.clone())
    }

    /// The whole array, which also contains the items of other lists.
    pub fn array(&self) -> &'a A {
        self.array
    }

    /// The slots of [`array`](Items::array) that are the items of this list.
    pub fn slots(&self) -> Range<usize> {
        self.slots.clone()
    }

    /// The items as an array of their own. Copies nothing.
    pub fn to_array(&self) -> A {
        self.array.slice(self.slots.start, self.slots.len())
    }
}

impl<'a, T: PrimitiveType> Items<'a, PrimitiveArray<T>> {
    /// The items as a slice of numbers. The numbers of null items have no meaning.
    #[inline]
    pub fn values(&self) -> &'a [T::Native] {
        self.array.values().get(self.slots.clone()).unwrap_or_default()
    }
}

impl<'a, A: Array> IntoIterator for Items<'a, A> {
    type Item = Option<A::Item<'a>>;
    type IntoIter = ArrayIter<'a, A>;

    #[inline]
    fn into_iter(self) -> ArrayIter<'a, A> {
        self.iter()
    }
}

impl<'a, A: Array> IntoIterator for &Items<'a, A> {
    type Item = Option<A::Item<'a>>;
    type IntoIter = ArrayIter<'a, A>;

    #[inline]
    fn into_iter(self) -> ArrayIter<'a, A> {
        self.iter()
    }
}

impl<A> Clone for Items<'_, A> {
    fn clone(&self) -> Self {
        Items { array: self.array, slots: self.slots.clone() }
    }
}

impl<A: Array> PartialEq for Items<'_, A> {
    /// Compares the items as arrays: by values, nulls and type. Ignores metadata.
    fn eq(&self, other: &Self) -> bool {
        self.to_array().data() == other.to_array().data()
    }
}

impl<A: Array> fmt::Debug for Items<'_, A> {
    /// Prints the items in the same way as an array.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&self.to_array(), f)
    }
}
