//! Builders of lists with offsets and sizes.

use std::{mem, ops::Range};

use arrow_buffer::Buffer;
use arrow_schema::{DataType, Field};

use super::{
    Builder,
    lists::{ListSpans, ListsBuilder},
    methods::builder_methods,
    offsets::wrong_items,
};
use crate::{
    array::{GenericListViewArray, Width, sized_range},
    error::ArrayErrorKind,
};

/// Builds arrays of lists with offsets and sizes of type `O`. `B` builds the items.
///
/// Items are stored in the order in which lists are appended. [`append_repeated`](GenericListViewBuilder::append_repeated) appends an
/// earlier list once more, without a copy of its items. If all lists together have more items than the offsets can express,
/// `finish` returns an error.
///
/// ```
/// use arrow_array::{Int64Builder, ListViewBuilder};
///
/// let mut lists = ListViewBuilder::new(Int64Builder::new());
/// lists.append(vec![1, 2]);
/// lists.append_null();
/// lists.append_repeated(0);
/// let lists = lists.finish()?;
/// assert_eq!(format!("{lists:?}"), "list_view<item: int64> [[1,2], null, [1,2]]");
/// assert_eq!(lists.items().len(), 2);
/// # Ok::<(), arrow_array::ArrayError>(())
/// ```
pub type GenericListViewBuilder<O, B> = ListsBuilder<ListViewSlots<O>, B>;
/// Builds lists with offsets and sizes of 32 bits.
pub type ListViewBuilder<B> = GenericListViewBuilder<i32, B>;
/// Builds lists with offsets and sizes of 64 bits.
pub type LargeListViewBuilder<B> = GenericListViewBuilder<i64, B>;

/// Stores an offset and a size for each slot.
#[derive(Debug, Clone)]
pub struct ListViewSlots<O> {
    offsets: Vec<O>,
    sizes: Vec<O>,
    /// The number of items in lists; items after these belong to an unfinished list.
    n_items: usize,
    /// Whether two slots may share items. The ends of the lists may then decrease.
    has_shared: bool,
}

impl<O: Width, B: Builder> GenericListViewBuilder<O, B> {
    /// Makes an empty builder. The field of the items is called `item` and is nullable. Removes values that are already in
    /// `items`.
    pub fn new(items: B) -> Self {
        let item = Field::new("item", items.data_type().clone());
        let is_small = size_of::<O>() == 4;
        let data_type = if is_small { DataType::list_view(item) } else { DataType::large_list_view(item) };
        let spans = ListViewSlots { offsets: Vec::new(), sizes: Vec::new(), n_items: 0, has_shared: false };
        ListsBuilder::from_data_type(data_type, spans, items)
    }

    /// Appends a list that shares the items of an earlier slot. Appends a null if that slot is null or out of bounds.
    pub fn append_repeated(&mut self, slot: usize) {
        self.begin();
        let ListViewSlots { offsets, sizes, has_shared, .. } = &mut self.spans;
        match (offsets.get(slot), sizes.get(slot)) {
            (Some(&offset), Some(&size)) if self.validity.is_valid(slot) => {
                *has_shared = true;
                offsets.push(offset);
                sizes.push(size);
                self.validity.append_valid();
            }
            _ => self.append_nulls(1),
        }
    }
}

impl<O: Width> ListSpans for ListViewSlots<O> {
    const IS_FIXED: bool = false;

    fn n_slots(&self) -> usize {
        self.offsets.len()
    }

    #[inline]
    fn n_items(&self) -> usize {
        self.n_items
    }

    #[inline]
    fn close(&mut self, n_before: usize, end: usize) -> bool {
        let size = end.checked_sub(n_before).and_then(O::from_usize);
        let (Some(offset), Some(size), Some(_)) = (O::from_usize(n_before), size, O::from_usize(end)) else {
            return false;
        };
        self.n_items = end;
        self.offsets.push(offset);
        self.sizes.push(size);
        true
    }

    fn refusal(&self, end: usize, unit: &'static str) -> ArrayErrorKind {
        wrong_items::<O>(self.n_items, end, unit)
    }

    fn n_slots_within(&self, n_items: usize) -> usize {
        (0..self.offsets.len()).take_while(|slot| self.range(*slot).end <= n_items).count()
    }

    fn push_empty(&mut self, n_slots: usize) -> usize {
        let n_slots = self.offsets.len().saturating_add(n_slots);
        self.offsets.resize(n_slots, O::ZERO);
        self.sizes.resize(n_slots, O::ZERO);
        0
    }

    fn reserve(&mut self, n_slots: usize) -> usize {
        self.offsets.reserve(n_slots);
        self.sizes.reserve(n_slots);
        0
    }

    /// Removes all slots after the first `n_slots`. Reads only the removed slots, unless lists share items.
    fn truncate(&mut self, n_slots: usize) -> usize {
        let mut forgotten = (n_slots..self.offsets.len()).map(|slot| self.range(slot));
        self.n_items = if self.has_shared && n_slots < self.offsets.len() {
            (0..n_slots).map(|slot| self.range(slot).end).max().unwrap_or(0)
        } else {
            // Lists are stored in the order of their slots, so the first removed list with items marks the end of the remaining
            // items.
            forgotten.find(|range| !range.is_empty()).map_or(self.n_items, |range| range.start)
        };
        self.offsets.truncate(n_slots);
        self.sizes.truncate(n_slots);
        self.n_items
    }

    fn range(&self, slot: usize) -> Range<usize> {
        sized_range(&self.offsets, &self.sizes, slot)
    }

    fn finish(&mut self) -> [Buffer; 2] {
        (self.n_items, self.has_shared) = (0, false);
        [&mut self.offsets, &mut self.sizes].map(|words| Buffer::from(mem::take(words)))
    }
}

builder_methods!([O: Width, B: Builder,] GenericListViewBuilder<O, B> => GenericListViewArray<O>);
