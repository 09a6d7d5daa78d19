//! Builders of lists with offsets.

use std::ops::Range;

use arrow_buffer::Buffer;
use arrow_data::{ArrayData, ArrayParts, DataError, ValueWriter};
use arrow_schema::{DataType, Field};

use super::{
    Append, Builder, ListSlot,
    append::SlotsOf,
    children::retyped,
    failure::FirstFailure,
    methods::builder_methods,
    offsets::{SlotOffsets, wrong_items},
    sealed::Slots,
    slots::assemble,
    validity::Validity,
};
use crate::{
    array::{ListArrayOf, Width},
    error::ArrayError,
};

/// Builds arrays of lists with offsets of type `O`, whose items are built by `B`.
///
/// If the lists have more items than the offsets can hold, `finish` reports it.
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
#[derive(Debug, Clone)]
pub struct ListBuilderOf<O: Width, B> {
    data_type: DataType,
    offsets: SlotOffsets<O>,
    items: B,
    validity: Validity,
    failure: FirstFailure,
}

/// Builds lists with offsets of 32 bits.
pub type ListBuilder<B> = ListBuilderOf<i32, B>;
/// Builds lists with offsets of 64 bits.
pub type LargeListBuilder<B> = ListBuilderOf<i64, B>;

impl<O: Width, B: Builder> ListBuilderOf<O, B> {
    /// A builder without slots; the field of its items is called `item` and nullable. Values that are in `items` already
    /// are forgotten.
    pub fn new(mut items: B) -> Self {
        items.truncate(0);
        let item = Field::new("item", items.data_type().clone());
        let data_type = if size_of::<O>() == 4 { DataType::list(item) } else { DataType::large_list(item) };
        let (validity, failure) = (Validity::default(), FirstFailure::default());
        let offsets = SlotOffsets::new();
        ListBuilderOf { data_type, offsets, items, validity, failure }
    }

    /// The same builder with another name, nullability or metadata of the field of its items.
    ///
    /// # Errors
    /// If the type differs in anything else.
    pub fn with_type(self, data_type: DataType) -> Result<Self, ArrayError> {
        let data_type = retyped(&self.data_type, data_type, &[self.items.data_type()])?;
        Ok(ListBuilderOf { data_type, ..self })
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

    /// The builder of the items, to append those of the next list one by one; [`close`](ListBuilderOf::close) makes a list of
    /// them. Without it the next list that is appended, `truncate` and `finish` forget them.
    #[inline]
    pub fn items_mut(&mut self) -> &mut B {
        &mut self.items
    }

    /// Appends a list of all items that were appended to [`items_mut`](ListBuilderOf::items_mut) since the last list.
    #[inline]
    pub fn close(&mut self) {
        self.close_after(self.n_items_in_lists());
    }

    fn n_items_in_lists(&self) -> usize {
        self.offsets.end().to_usize().expect("offsets are made of lengths")
    }

    /// Where the next list begins. Forgets items of one that was not finished, since what appended them panicked.
    #[inline]
    fn begin(&mut self) -> usize {
        let end = self.n_items_in_lists();
        if self.items.len() > end {
            self.items.truncate(end);
        }
        end
    }

    /// Appends a list of the items of an iterator.
    #[inline]
    pub fn append_iter<V>(&mut self, items: impl IntoIterator<Item = V>)
    where
        B: Append<V>,
    {
        self.append_with(|builder| builder.append_all(items));
    }

    /// Makes a list of the items after the first `n_before`.
    #[inline]
    fn close_after(&mut self, n_before: usize) {
        match O::from_usize(self.items.len()) {
            Some(end) if self.items.len() >= n_before => {
                self.offsets.push(end);
                self.validity.append_valid();
            }
            _ => self.fail(n_before),
        }
    }

    #[cold]
    fn fail(&mut self, n_before: usize) {
        let n_items = self.items.len();
        self.failure
            .remember(self.offsets.n_slots_within(n_items), wrong_items::<O>(n_before, n_items, "items"));
        self.items.truncate(n_before);
        self.append_nulls(1);
    }
}

impl<O: Width, B: Builder> Builder for ListBuilderOf<O, B> {
    fn data_type(&self) -> &DataType {
        &self.data_type
    }

    fn len(&self) -> usize {
        self.offsets.n_slots()
    }

    fn append_nulls(&mut self, n_slots: usize) {
        self.validity.append_nulls(self.offsets.n_slots(), n_slots);
        self.offsets.push_empty(n_slots);
    }

    fn reserve(&mut self, n_slots: usize) {
        self.offsets.reserve(n_slots);
    }

    fn truncate(&mut self, n_slots: usize) {
        // Also items of a list that was not finished.
        self.items.truncate(self.offsets.truncate(n_slots));
        self.validity.truncate(n_slots);
        self.failure.truncate(n_slots);
    }

    fn error(&self) -> Option<ArrayError> {
        self.failure.error().or_else(|| self.items.error().map(|error| in_item(&self.data_type, error)))
    }

    fn finish_data(&mut self) -> Result<ArrayData, ArrayError> {
        self.begin();
        let parts = ArrayParts::new(self.data_type.clone(), self.offsets.n_slots());
        let (validity, buffers) = (self.validity.finish(), [self.offsets.finish(), Buffer::new()]);
        let items = self.items.finish_data();
        self.failure.take()?;
        let children = Some([items.map_err(|error| in_item(&self.data_type, error))?].into());
        assemble(ArrayParts { validity, buffers, children, ..parts })
    }
}

impl<O: Width, B: Builder> Slots for ListBuilderOf<O, B> {
    fn is_null_slot(&self, slot: usize) -> bool {
        !self.validity.is_valid(slot)
    }

    fn write_value(&self, slot: usize, to: &mut ValueWriter<'_>) -> Result<(), DataError> {
        if !self.validity.is_valid(slot) {
            return to.null();
        }
        list_bytes(&self.items, self.offsets.range(slot), to)
    }
}

/// Adds that an error is about the items of a list.
pub(super) fn in_item(data_type: &DataType, error: ArrayError) -> ArrayError {
    error.in_field(0, data_type.children().first().map_or("", Field::name))
}

/// The bytes of a list of these items.
pub(super) fn list_bytes(
    items: &impl Slots,
    mut range: Range<usize>,
    to: &mut ValueWriter<'_>,
) -> Result<(), DataError> {
    to.items(range.len())?;
    range.try_for_each(|item| items.write_value(item, to))
}

impl<O: Width, B: Append<V::Item>, V: ListSlot> Append<V> for ListBuilderOf<O, B> {
    #[inline]
    fn append(&mut self, value: V) {
        match value.into_items() {
            Some(items) => self.append_iter(items),
            None => self.append_nulls(1),
        }
    }
}

impl<O: Width, B: Append<V::Item>, V: ListSlot> SlotsOf<V> for ListBuilderOf<O, B> {}

builder_methods!([O: Width, B: Builder,] ListBuilderOf<O, B> => ListArrayOf<O>);
