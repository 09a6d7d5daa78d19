//! Builders of lists of one length.

use std::ops::Range;

use arrow_data::{ArrayData, ArrayParts, DataError, ValueWriter};
use arrow_schema::{DataType, Field};

use super::{
    Append, Builder, ListSlot,
    append::SlotsOf,
    children::retyped,
    failure::FirstFailure,
    list::{in_item, list_bytes},
    methods::builder_methods,
    sealed::Slots,
    slots::assemble,
    validity::Validity,
};
use crate::{
    array::FixedSizeListArray,
    error::{ArrayError, ArrayErrorKind},
};

/// Builds arrays of lists, each of the same number of items, built by `B`. A list of another length is
/// reported by `finish`.
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
#[derive(Debug, Clone)]
pub struct FixedSizeListBuilder<B> {
    data_type: DataType,
    n_items: usize,
    n_slots: usize,
    items: B,
    validity: Validity,
    failure: FirstFailure,
}

impl<B: Builder> FixedSizeListBuilder<B> {
    /// A builder without slots, of lists of `n_items` items; their field is called `item` and nullable. Values that are in
    /// `items` already are forgotten.
    ///
    /// # Errors
    /// If the number is above `i32::MAX`.
    pub fn try_new(mut items: B, n_items: u32) -> Result<Self, ArrayError> {
        items.truncate(0);
        let data_type = DataType::fixed_size_list(Field::new("item", items.data_type().clone()), n_items)?;
        let (validity, failure) = (Validity::default(), FirstFailure::default());
        let n_items = n_items as usize;
        Ok(FixedSizeListBuilder { data_type, n_items, n_slots: 0, items, validity, failure })
    }

    /// The same builder with another name, nullability or metadata of the field of its items.
    ///
    /// # Errors
    /// If the type differs in anything else.
    pub fn with_type(self, data_type: DataType) -> Result<Self, ArrayError> {
        let data_type = retyped(&self.data_type, data_type, &[self.items.data_type()])?;
        Ok(FixedSizeListBuilder { data_type, ..self })
    }

    /// The builder of the items of all lists so far.
    pub fn items(&self) -> &B {
        &self.items
    }

    /// Appends a list of all items that `append` appends.
    #[inline]
    pub fn append_with(&mut self, append: impl FnOnce(&mut B)) {
        let n_before = self.begin();
        append(&mut self.items);
        self.close_after(n_before);
    }

    /// The builder of the items, to append those of the next list one by one; [`close`](FixedSizeListBuilder::close) makes a list of
    /// them. Without it the next list that is appended, `truncate` and `finish` forget them.
    #[inline]
    pub fn items_mut(&mut self) -> &mut B {
        &mut self.items
    }

    /// Appends a list of all items that were appended to [`items_mut`](FixedSizeListBuilder::items_mut) since the last list.
    #[inline]
    pub fn close(&mut self) {
        self.close_after(self.n_slots.saturating_mul(self.n_items));
    }

    /// As [`append_with`](FixedSizeListBuilder::append_with), but if `append` fails what it appended stays, for
    /// [`truncate`](FixedSizeListBuilder::truncate) to take back.
    pub fn try_append_with<E>(&mut self, append: impl FnOnce(&mut B) -> Result<(), E>) -> Result<(), E> {
        let n_before = self.begin();
        append(&mut self.items)?;
        self.close_after(n_before);
        Ok(())
    }

    /// Where the next list begins. Forgets items of one that was not finished, since what appended them panicked.
    #[inline]
    fn begin(&mut self) -> usize {
        let end = self.n_slots.saturating_mul(self.n_items);
        if self.items.len() > end {
            self.items.truncate(end);
        }
        end
    }

    /// Makes a list of the items after the first `n_before`.
    #[inline]
    fn close_after(&mut self, n_before: usize) {
        let n_found = self.items.len().checked_sub(n_before);
        if n_found == Some(self.n_items) {
            self.n_slots = self.n_slots.saturating_add(1);
            self.validity.append_valid();
        } else {
            self.fail(n_before);
        }
    }

    #[cold]
    fn fail(&mut self, n_before: usize) {
        let (expected, n_items) = (self.n_items as u64, self.items.len());
        let kind = match (n_items.checked_sub(n_before), n_before.saturating_sub(n_items) as u64) {
            (Some(found), _) => ArrayErrorKind::ListLength { expected, found: found as u64 },
            (None, n_lost) => ArrayErrorKind::ItemsLost { n_lost },
        };
        let n_slots_within = n_items.checked_div(self.n_items).unwrap_or(self.n_slots);
        self.failure.remember(n_slots_within.min(self.n_slots), kind);
        self.items.truncate(n_before);
        // In place of those that were taken away.
        self.items.append_nulls(n_before.saturating_sub(n_items));
        self.append_nulls(1);
    }

    /// Appends a list of the items of an iterator.
    #[inline]
    pub fn append_iter<V>(&mut self, items: impl IntoIterator<Item = V>)
    where
        B: Append<V>,
    {
        self.append_with(|builder| builder.append_all(items));
    }

    fn range(&self, slot: usize) -> Range<usize> {
        let start = slot.saturating_mul(self.n_items);
        start..start.saturating_add(self.n_items)
    }
}

impl<B: Builder> Builder for FixedSizeListBuilder<B> {
    fn data_type(&self) -> &DataType {
        &self.data_type
    }

    fn len(&self) -> usize {
        self.n_slots
    }

    fn append_nulls(&mut self, n_slots: usize) {
        self.begin();
        self.validity.append_nulls(self.n_slots, n_slots);
        self.n_slots = self.n_slots.saturating_add(n_slots);
        self.items.append_nulls(n_slots.saturating_mul(self.n_items));
    }

    fn reserve(&mut self, n_slots: usize) {
        self.items.reserve(n_slots.saturating_mul(self.n_items));
    }

    fn truncate(&mut self, n_slots: usize) {
        self.n_slots = self.n_slots.min(n_slots);
        // Also items of a list that was not finished.
        self.items.truncate(self.n_slots.saturating_mul(self.n_items));
        self.validity.truncate(n_slots);
        self.failure.truncate(n_slots);
    }

    fn error(&self) -> Option<ArrayError> {
        self.failure.error().or_else(|| self.items.error().map(|error| in_item(&self.data_type, error)))
    }

    fn finish_data(&mut self) -> Result<ArrayData, ArrayError> {
        self.begin();
        let parts = ArrayParts::new(self.data_type.clone(), std::mem::take(&mut self.n_slots));
        let (validity, items) = (self.validity.finish(), self.items.finish_data());
        self.failure.take()?;
        let children = Some([items.map_err(|error| in_item(&self.data_type, error))?].into());
        assemble(ArrayParts { validity, children, ..parts })
    }
}

impl<B: Builder> Slots for FixedSizeListBuilder<B> {
    fn is_null_slot(&self, slot: usize) -> bool {
        !self.validity.is_valid(slot)
    }

    fn max_nulls(&self) -> usize {
        self.items.max_nulls().checked_div(self.n_items).unwrap_or(usize::MAX)
    }

    fn write_value(&self, slot: usize, to: &mut ValueWriter<'_>) -> Result<(), DataError> {
        if !self.validity.is_valid(slot) {
            return to.null();
        }
        list_bytes(&self.items, self.range(slot), to)
    }
}

impl<B: Append<V::Item>, V: ListSlot> Append<V> for FixedSizeListBuilder<B> {
    #[inline]
    fn append(&mut self, value: V) {
        match value.into_items() {
            Some(items) => self.append_iter(items),
            None => self.append_nulls(1),
        }
    }
}

impl<B: Append<V::Item>, V: ListSlot> SlotsOf<V> for FixedSizeListBuilder<B> {}

builder_methods!([B: Builder,] FixedSizeListBuilder<B> => FixedSizeListArray);
