//! Builders of lists with offsets.

use std::{fmt, ops::Range};

use arrow_buffer::Buffer;
use arrow_schema::{DataType, Field};

use super::{
    Builder,
    lists::{ListSpans, ListsBuilder},
    methods::builder_methods,
    offsets::{SlotOffsets, wrong_items},
};
use crate::{
    array::{GenericListArray, Width},
    error::ArrayErrorKind,
};

/// Builds arrays of lists with offsets of type `O`. `B` builds the items.
///
/// If the lists have more items than the offsets can express, `finish` returns an error.
///
/// ```
/// use arrow_array::{Int64Builder, ListBuilder};
///
/// let mut lists = ListBuilder::new(Int64Builder::new());
/// lists.append(vec![1, 2]);
/// lists.append(Some([Some(3), None]));
/// lists.append_null();
/// lists.append_iter((4..7).map(|k| k * k));
/// lists.append_with(|items| items.append_repeated(9, 2));
/// let lists = lists.finish()?;
/// assert_eq!(format!("{lists:?}"), "list<item: int64> [[1,2], [3,null], null, [16,25,36], [9,9]]");
/// # Ok::<(), arrow_array::ArrayError>(())
/// ```
pub type GenericListBuilder<O, B> = ListsBuilder<SlotOffsets<O>, B>;
/// Builds lists with offsets of 32 bits.
pub type ListBuilder<B> = GenericListBuilder<i32, B>;
/// Builds lists with offsets of 64 bits.
pub type LargeListBuilder<B> = GenericListBuilder<i64, B>;

impl<O: Width, B: Builder> GenericListBuilder<O, B> {
    /// Makes an empty builder. The field of the items is called `item` and is nullable. Removes values that are already in
    /// `items`.
    pub fn new(items: B) -> Self {
        let item = Field::new("item", items.data_type().clone());
        let data_type = if size_of::<O>() == 4 { DataType::list(item) } else { DataType::large_list(item) };
        ListsBuilder::from_data_type(data_type, SlotOffsets::new(), items)
    }
}

impl<O: Width, U: fmt::Debug + Send + Sync> ListSpans for SlotOffsets<O, U> {
    const IS_FIXED: bool = false;

    fn n_slots(&self) -> usize {
        SlotOffsets::n_slots(self)
    }

    #[inline]
    fn n_items(&self) -> usize {
        self.end().to_usize().expect("offsets are made of lengths")
    }

    #[inline]
    fn close(&mut self, n_before: usize, end: usize) -> bool {
        match O::from_usize(end) {
            Some(offset) if end >= n_before => {
                self.push(offset);
                true
            }
            _ => false,
        }
    }

    fn refusal(&self, end: usize, unit: &'static str) -> ArrayErrorKind {
        wrong_items::<O>(self.n_items(), end, unit)
    }

    fn n_slots_within(&self, n_items: usize) -> usize {
        SlotOffsets::n_slots_within(self, n_items)
    }

    fn push_empty(&mut self, n_slots: usize) -> usize {
        self.push_empty(n_slots);
        0
    }

    fn reserve(&mut self, n_slots: usize) -> usize {
        SlotOffsets::reserve(self, n_slots);
        0
    }

    fn truncate(&mut self, n_slots: usize) -> usize {
        SlotOffsets::truncate(self, n_slots)
    }

    fn range(&self, slot: usize) -> Range<usize> {
        SlotOffsets::range(self, slot)
    }

    fn finish(&mut self) -> [Buffer; 2] {
        [SlotOffsets::finish(self), Buffer::new()]
    }
}

builder_methods!([O: Width, B: Builder,] GenericListBuilder<O, B> => GenericListArray<O>);
