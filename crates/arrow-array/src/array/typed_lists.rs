//! Arrays of lists, combined with a typed array of their items.

use std::{fmt, ops::Range};

use arrow_data::ArrayData;

use super::{
    Array, Items,
    sealed::SlotRanges,
    slot_iter::{SlotIter, SlotSource},
};
use crate::error::ArrayError;

/// An array of lists: [`GenericListArray`](super::GenericListArray), [`GenericListViewArray`](super::GenericListViewArray) or
/// [`FixedSizeListArray`](super::FixedSizeListArray).
pub trait Lists: for<'a> Array<Item<'a> = ArrayData> + SlotRanges {
    /// The items of all lists in one array. It may contain items that belong to no list.
    fn items(&self) -> &ArrayData;

    /// The range of the items of a slot in [`items`](Lists::items). Empty if the slot is null or out of bounds.
    #[inline]
    fn range(&self, slot: usize) -> Range<usize> {
        if self.is_valid(slot) { self.range_of_valid(slot) } else { 0..0 }
    }
}

/// An array of lists, combined with its items as an array of type `A`. The value of each slot is an [`Items`].
///
/// `items_as()` of an array of lists returns this type, and checks the type of the items once. Nothing is copied.
///
/// ```
/// use arrow_array::{ListBuilder, Utf8Array, Utf8Builder};
///
/// let lists = ListBuilder::new(Utf8Builder::new());
/// let lists = lists.with_values([vec!["to", "be"], vec![], vec!["or", "not"]]).finish()?;
///
/// let lists = lists.items_as::<Utf8Array>()?;
/// let mut longest = Vec::new();
/// for list in lists.iter().flatten() {
///     longest.push(list.iter().flatten().max_by_key(|word| word.len()));
/// }
/// assert_eq!(longest, [Some("be"), None, Some("not")]);
/// # Ok::<(), arrow_array::ArrayError>(())
/// ```
///
/// Lists of lists need `items_as()` twice: the [`items`](TypedLists::items) of the outer lists are an array of lists, too.
/// [`range`](TypedLists::range) returns which inner lists belong to a slot.
#[derive(Clone)]
pub struct TypedLists<L, A> {
    lists: L,
    items: A,
}

impl<L: Lists, A: Array> TypedLists<L, A> {
    pub(super) fn try_new(lists: &L) -> Result<TypedLists<L, A>, ArrayError> {
        let items = A::try_from(lists.items().clone());
        let items = items.map_err(|error| error.in_child(lists.data().data_type(), 0))?;
        Ok(TypedLists { items, lists: lists.clone() })
    }

    /// The number of slots, null slots included.
    #[inline]
    pub fn len(&self) -> usize {
        self.lists.len()
    }

    /// Whether the array has no slots.
    pub fn is_empty(&self) -> bool {
        self.lists.is_empty()
    }

    /// The number of null slots. The first call counts them.
    pub fn null_count(&self) -> usize {
        self.lists.null_count()
    }

    /// Whether the list in a slot is valid. `false` if out of bounds.
    #[inline]
    pub fn is_valid(&self, slot: usize) -> bool {
        self.lists.is_valid(slot)
    }

    /// Whether the list in a slot is null. `false` if out of bounds.
    pub fn is_null(&self, slot: usize) -> bool {
        self.lists.is_null(slot)
    }

    /// The items of a slot. Empty if the slot is null.
    ///
    /// # Panics
    /// If the slot is out of bounds, as for indexing a slice.
    #[inline]
    pub fn value(&self, slot: usize) -> Items<'_, A> {
        assert!(slot < self.len(), "slot {slot} is outside of an array of {}", self.len());
        Items::new(&self.items, self.lists.range(slot))
    }

    /// The items of a slot; `None` if the slot is null or out of bounds.
    #[inline]
    pub fn get(&self, slot: usize) -> Option<Items<'_, A>> {
        if self.is_valid(slot) {
            Some(Items::new(&self.items, self.lists.range_of_valid(slot)))
        } else {
            None
        }
    }

    /// The range of the items of a slot in [`items`](TypedLists::items). Empty if the slot is null or out of bounds.
    #[inline]
    pub fn range(&self, slot: usize) -> Range<usize> {
        self.lists.range(slot)
    }

    /// The array of lists without the typed items.
    pub fn lists(&self) -> &L {
        &self.lists
    }

    /// The items of all lists in one array. It may contain items that belong to no list.
    pub fn items(&self) -> &A {
        &self.items
    }

    /// The lists in order, `None` for null slots. Can also be read from the end.
    #[inline]
    pub fn iter(&self) -> TypedListsIter<'_, L, A> {
        SlotIter::new(self, 0..self.len())
    }
}

impl<'a, L: Lists, A: Array> SlotSource for &'a TypedLists<L, A> {
    type Item = Option<Items<'a, A>>;

    #[inline]
    fn value_at(&self, slot: usize) -> Option<Items<'a, A>> {
        self.get(slot)
    }
}

impl<'a, L: Lists, A: Array> IntoIterator for &'a TypedLists<L, A> {
    type Item = Option<Items<'a, A>>;
    type IntoIter = TypedListsIter<'a, L, A>;

    #[inline]
    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

impl<L: Lists, A> PartialEq for TypedLists<L, A> {
    /// Compares the arrays of lists by values, nulls and type. Ignores metadata.
    fn eq(&self, other: &Self) -> bool {
        self.lists.data() == other.lists.data()
    }
}

impl<L: fmt::Debug, A> fmt::Debug for TypedLists<L, A> {
    /// Prints the array of lists.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&self.lists, f)
    }
}

/// The lists of a [`TypedLists`] in order, `None` for null slots. Can also be read from the end.
pub type TypedListsIter<'a, L, A> = SlotIter<&'a TypedLists<L, A>>;
