//! Builders of lists that all have the same number of items.

use std::ops::Range;

use arrow_buffer::Buffer;
use arrow_schema::{DataType, Field};

use super::{
    Builder,
    lists::{ListSpans, ListsBuilder},
    methods::builder_methods,
};
use crate::{
    array::FixedSizeListArray,
    error::{ArrayError, ArrayErrorKind},
};

/// Builds arrays of lists that all have the same number of items. `B` builds the items. If a list has another number of
/// items, `finish` returns an error.
///
/// ```
/// use arrow_array::{FixedSizeListBuilder, Float64Builder};
///
/// let mut points = FixedSizeListBuilder::try_new(Float64Builder::new(), 2)?;
/// points.append([1.0, 2.0]);
/// points.append_null();
/// let points = points.finish()?;
/// assert_eq!(format!("{points:?}"), "fixed_size_list<item: float64; 2> [[1.0,2.0], null]");
/// # Ok::<(), arrow_array::ArrayError>(())
/// ```
pub type FixedSizeListBuilder<B> = ListsBuilder<FixedSizeListSlots, B>;

/// Finds the ranges of consecutive lists that all have the same number of items.
#[derive(Debug, Clone)]
pub struct FixedSizeListSlots {
    n_items: usize,
    n_slots: usize,
}

impl<B: Builder> FixedSizeListBuilder<B> {
    /// Makes an empty builder for lists of `n_items` items. The field of the items is called `item` and is nullable. Removes
    /// values that are already in `items`.
    ///
    /// # Errors
    /// If `n_items` is above `i32::MAX`.
    pub fn try_new(items: B, n_items: u32) -> Result<Self, ArrayError> {
        let data_type = DataType::fixed_size_list(Field::new("item", items.data_type().clone()), n_items)?;
        Ok(ListsBuilder::from_data_type(
            data_type,
            FixedSizeListSlots { n_items: n_items as usize, n_slots: 0 },
            items,
        ))
    }

    /// Like [`append_with`](FixedSizeListBuilder::append_with), for an `append` that can fail. After an error, the values that
    /// it appended stay until [`truncate`](FixedSizeListBuilder::truncate) removes them.
    pub fn try_append_with<E>(&mut self, append: impl FnOnce(&mut B) -> Result<(), E>) -> Result<(), E> {
        let n_before = self.begin();
        append(&mut self.items)?;
        self.close_after(n_before);
        Ok(())
    }
}

impl FixedSizeListSlots {
    fn n_items_of(&self, n_slots: usize) -> usize {
        n_slots.saturating_mul(self.n_items)
    }
}

impl ListSpans for FixedSizeListSlots {
    const IS_FIXED: bool = true;

    fn n_slots(&self) -> usize {
        self.n_slots
    }

    #[inline]
    fn n_items(&self) -> usize {
        self.n_items_of(self.n_slots)
    }

    #[inline]
    fn close(&mut self, n_before: usize, end: usize) -> bool {
        let is_full = end.checked_sub(n_before) == Some(self.n_items);
        if is_full {
            self.n_slots = self.n_slots.saturating_add(1);
        }
        is_full
    }

    fn refusal(&self, end: usize, _: &'static str) -> ArrayErrorKind {
        let expected = self.n_items as u64;
        let n_before = self.n_items();
        match end.checked_sub(n_before) {
            Some(found) => ArrayErrorKind::ListLength { expected, found: found as u64 },
            None => ArrayErrorKind::ItemsLost { n_lost: n_before.saturating_sub(end) as u64 },
        }
    }

    fn n_slots_within(&self, n_items: usize) -> usize {
        n_items.checked_div(self.n_items).unwrap_or(self.n_slots).min(self.n_slots)
    }

    fn push_empty(&mut self, n_slots: usize) -> usize {
        self.n_slots = self.n_slots.saturating_add(n_slots);
        self.n_items_of(n_slots)
    }

    fn reserve(&mut self, n_slots: usize) -> usize {
        self.n_items_of(n_slots)
    }

    fn truncate(&mut self, n_slots: usize) -> usize {
        self.n_slots = self.n_slots.min(n_slots);
        self.n_items()
    }

    fn range(&self, slot: usize) -> Range<usize> {
        let start = self.n_items_of(slot);
        start..start.saturating_add(self.n_items)
    }

    fn max_nulls(&self, max_null_items: usize) -> usize {
        max_null_items.checked_div(self.n_items).unwrap_or(usize::MAX)
    }

    fn finish(&mut self) -> [Buffer; 2] {
        self.n_slots = 0;
        Default::default()
    }
}

builder_methods!([B: Builder,] FixedSizeListBuilder<B> => FixedSizeListArray);
