//! Builders of lists and maps, generic over the layout.

use std::{fmt, ops::Range};

use arrow_buffer::Buffer;
use arrow_data::{ArrayData, ArrayParts};
use arrow_schema::{DataType, Field};
use arrow_select::{SelectError, ValueWriter};

use super::{
    Append, Builder, FirstFailure, ListSlot,
    append::SlotLookup,
    assemble,
    children::{append_unused, retyped},
    sealed::Slots,
    validity::Validity,
};
use crate::error::{ArrayError, ArrayErrorKind};

/// Builds arrays of lists. `P` stores where the items of each list are. `I` builds the items: a [`Builder`], or for maps
/// `MapItems`, the builders of keys and values.
#[derive(Debug, Clone)]
pub struct ListsBuilder<P, I> {
    pub(super) data_type: DataType,
    pub(super) spans: P,
    pub(super) items: I,
    pub(super) validity: Validity,
    failure: FirstFailure,
}

/// Stores the range of the items of each list. Other crates cannot implement this trait.
pub trait ListSpans: fmt::Debug + Send + Sync {
    /// Whether each slot has the same number of items, null slots included.
    const IS_FIXED: bool;

    fn n_slots(&self) -> usize;

    /// The number of items in finished lists. The next list starts at this item.
    fn n_items(&self) -> usize;

    /// Adds a list of the items `n_before..end`. Returns `false` and adds nothing if the layout does not allow such a list.
    fn close(&mut self, n_before: usize, end: usize) -> bool;

    /// The error for a list that `close` has refused. `unit` is the word for the items in the message.
    fn refusal(&self, end: usize, unit: &'static str) -> ArrayErrorKind;

    /// The number of slots that still have all of their items, if all items after the first `n_items` have been
    /// removed.
    fn n_slots_within(&self, n_items: usize) -> usize;

    /// Adds slots. Returns how many items the caller must append for them: 0, unless all lists have the same length.
    fn push_empty(&mut self, n_slots: usize) -> usize;

    /// Reserves memory for more slots. Returns how many items they will need if all lists have the same length, otherwise 0.
    fn reserve(&mut self, n_slots: usize) -> usize;

    /// Removes all slots after the first `n_slots`. Returns the number of items of the remaining slots.
    fn truncate(&mut self, n_slots: usize) -> usize;

    /// The range of the items of a slot.
    fn range(&self, slot: usize) -> Range<usize>;

    /// While there are fewer slots than this, appending a null cannot fail. `_max_null_items` is the same number for
    /// the items.
    fn max_nulls(&self, _max_null_items: usize) -> usize {
        usize::MAX
    }

    /// Takes the buffers of all slots. No slots remain.
    fn finish(&mut self) -> [Buffer; 2];
}

/// The builders of the items of lists. The trait is sealed.
pub trait ItemBuilders: fmt::Debug + Send + Sync {
    /// The name of the items in errors.
    const UNIT: &'static str;

    /// The smallest and the largest number of items among these builders. They differ if a map lacks keys or values.
    fn lens(&self) -> [usize; 2];

    /// Whether an item was started and not finished: `Slots::is_unfinished`.
    fn are_unfinished(&self) -> bool;

    /// The error if the builders have different numbers of items. Only items after the first `n_before` are counted.
    fn mismatch(&self, n_before: usize) -> Option<ArrayErrorKind>;

    fn truncate_items(&mut self, n_items: usize);

    /// Appends items that have no meaning, since their list is null.
    fn append_unused_items(&mut self, n_items: usize);

    /// Appends items of zeros and empty values.
    fn append_zero_items(&mut self, n_items: usize);

    /// Reserves memory for more items.
    fn reserve_items(&mut self, n_items: usize);

    /// While there are fewer items than this, appending a null item cannot fail.
    fn max_null_items(&self) -> usize;

    /// Checks that `new` can replace the type of the lists, and returns the type of the array.
    ///
    /// # Errors
    /// If the new type differs from the current type in more than the names, nullability and metadata of fields.
    fn retyped(&self, current: &DataType, new: DataType) -> Result<DataType, ArrayError>;

    /// The first error of the items. The error names the field of the items in the type `lists`.
    fn error_of_items(&self, lists: &DataType) -> Option<ArrayError>;

    /// Returns the array of all items. The builders are then empty.
    ///
    /// # Errors
    /// The first error of an item.
    fn finish_items(&mut self, lists: &DataType) -> Result<ArrayData, ArrayError>;

    /// Writes the value of an item as bytes, like `Slots::write_value`.
    ///
    /// # Errors
    /// If there are too many bytes.
    fn write_item(&self, item: usize, to: &mut ValueWriter<'_>) -> Result<(), SelectError>;
}

/// Builders to which items of type `V` can be appended. The trait is sealed.
pub trait TakeItems<V>: ItemBuilders {
    fn take_items(&mut self, items: impl IntoIterator<Item = V>);
}

impl<P: ListSpans, I: ItemBuilders> ListsBuilder<P, I> {
    /// Makes an empty builder. Removes values that are already in `items`.
    pub(super) fn from_data_type(data_type: DataType, spans: P, mut items: I) -> Self {
        items.truncate_items(0);
        let validity = Validity::default();
        let failure = FirstFailure::default();
        ListsBuilder { data_type, spans, items, validity, failure }
    }

    /// Sets the type of the array, which may differ from the previous type in names, nullability and metadata of the fields of
    /// items. For a map, the key order may also differ; the builder does not check the order.
    ///
    /// # Errors
    /// If the type differs in anything else, for example in the type of the items.
    pub fn with_type(self, data_type: DataType) -> Result<Self, ArrayError> {
        let data_type = self.items.retyped(&self.data_type, data_type)?;
        Ok(ListsBuilder { data_type, ..self })
    }

    /// Makes a list of all items that were appended since the last list. Items are appended to
    /// [`items_mut`](ListsBuilder::items_mut), or for maps to [`entries_mut`](ListsBuilder::entries_mut). A map needs equal
    /// numbers of keys and values.
    #[inline]
    pub fn close(&mut self) {
        self.close_after(self.spans.n_items());
    }

    /// Makes a list of the items after the first `n_before`.
    #[inline]
    pub(super) fn close_after(&mut self, n_before: usize) {
        let [n_items, n_most] = self.items.lens();
        if n_items == n_most && self.spans.close(n_before, n_items) {
            self.validity.append_valid();
        } else {
            self.fail(n_before);
        }
    }

    /// Returns the number of items in finished lists. First makes the builder of the items have exactly these.
    #[inline]
    pub(super) fn begin(&mut self) -> usize {
        let end = self.spans.n_items();
        if self.is_unfinished() {
            self.settle(end);
        }
        end
    }

    /// Removes the items of an unfinished list, which a panic may have left. If the caller has removed items of finished
    /// lists, stores an error, and appends others in their place, so that these lists do not get the items of the next one.
    #[cold]
    fn settle(&mut self, end: usize) {
        let [n_items, _] = self.items.lens();
        self.items.truncate_items(n_items.min(end));
        if n_items < end {
            self.failure.remember(self.spans.n_slots_within(n_items), self.spans.refusal(n_items, I::UNIT));
            self.items.append_unused_items(end.saturating_sub(n_items));
        }
    }

    #[cold]
    fn fail(&mut self, n_before: usize) {
        let [n_items, _] = self.items.lens();
        let kind = self.items.mismatch(n_before).unwrap_or_else(|| self.spans.refusal(n_items, I::UNIT));
        self.failure.remember(self.spans.n_slots_within(n_items), kind);
        self.items.truncate_items(n_before);
        self.append_nulls(1);
    }

    /// Appends lists without items. If all lists have the same length, `append` appends their items.
    fn append_empty(&mut self, n_slots: usize, append: impl FnOnce(&mut I, usize)) {
        self.begin();
        let n_items = self.spans.push_empty(n_slots);
        if P::IS_FIXED {
            append(&mut self.items, n_items);
        }
    }

    /// Appends one list of all items of an iterator. For a map, the items are pairs.
    #[inline]
    pub fn append_iter<V>(&mut self, items: impl IntoIterator<Item = V>)
    where
        I: TakeItems<V>,
    {
        let n_before = self.begin();
        self.items.take_items(items);
        self.close_after(n_before);
    }
}

impl<P: ListSpans, B: Builder> ListsBuilder<P, B> {
    /// The builder of the items, with the items of all lists so far.
    pub fn items(&self) -> &B {
        &self.items
    }

    /// Appends one list, which contains all items that `append` appends.
    #[inline]
    pub fn append_with(&mut self, append: impl FnOnce(&mut B)) {
        let n_before = self.begin();
        append(&mut self.items);
        self.close_after(n_before);
    }

    /// The builder of the items, for appending the items of the next list one by one. After the items, call
    /// [`close`](ListsBuilder::close), which makes a list of them. Otherwise the next append, `truncate` or `finish` removes
    /// the items.
    #[inline]
    pub fn items_mut(&mut self) -> &mut B {
        &mut self.items
    }
}

impl<P: ListSpans, I: ItemBuilders> Builder for ListsBuilder<P, I> {
    fn data_type(&self) -> &DataType {
        &self.data_type
    }

    fn len(&self) -> usize {
        self.spans.n_slots()
    }

    fn append_nulls(&mut self, n_slots: usize) {
        self.validity.append_nulls(self.spans.n_slots(), n_slots);
        self.append_empty(n_slots, I::append_unused_items);
    }

    fn reserve(&mut self, n_slots: usize) {
        let n_items = self.spans.reserve(n_slots);
        if P::IS_FIXED {
            self.items.reserve_items(n_items);
        }
    }

    fn truncate(&mut self, n_slots: usize) {
        // This also removes the items of an unfinished list.
        self.items.truncate_items(self.spans.truncate(n_slots));
        self.validity.truncate(n_slots);
        self.failure.truncate(n_slots);
    }

    fn error(&self) -> Option<ArrayError> {
        self.failure.error().or_else(|| self.items.error_of_items(&self.data_type))
    }

    fn finish_data(&mut self) -> Result<ArrayData, ArrayError> {
        self.begin();
        let parts = ArrayParts::new(self.data_type.clone(), self.spans.n_slots());
        let (validity, buffers) = (self.validity.finish(), self.spans.finish());
        let items = self.items.finish_items(&self.data_type);
        self.failure.take()?;
        assemble(ArrayParts { validity, buffers, children: Some([items?].into()), ..parts })
    }
}

impl<P: ListSpans, I: ItemBuilders> Slots for ListsBuilder<P, I> {
    fn is_null_slot(&self, slot: usize) -> bool {
        !self.validity.is_valid(slot)
    }

    fn max_nulls(&self) -> usize {
        self.spans.max_nulls(self.items.max_null_items())
    }

    fn write_value(&self, slot: usize, to: &mut ValueWriter<'_>) -> Result<(), SelectError> {
        if !self.validity.is_valid(slot) {
            return to.null();
        }
        let mut range = self.spans.range(slot);
        to.items(range.len())?;
        range.try_for_each(|item| self.items.write_item(item, to))
    }

    fn append_zeros(&mut self, n_slots: usize) {
        self.append_empty(n_slots, I::append_zero_items);
        self.validity.append_valids(n_slots);
    }

    fn is_unfinished(&self) -> bool {
        self.items.lens() != [self.spans.n_items(); 2] || self.items.are_unfinished()
    }
}

impl<P: ListSpans, I: TakeItems<V::Item>, V: ListSlot> Append<V> for ListsBuilder<P, I> {
    #[inline]
    fn append(&mut self, value: V) {
        match value.into_items() {
            Some(items) => self.append_iter(items),
            None => self.append_nulls(1),
        }
    }
}

impl<P: ListSpans, I: TakeItems<V::Item>, V: ListSlot> SlotLookup<V> for ListsBuilder<P, I> {}

impl<B: Builder> ItemBuilders for B {
    const UNIT: &'static str = "items";

    #[inline]
    fn lens(&self) -> [usize; 2] {
        [self.len(); 2]
    }

    fn mismatch(&self, _: usize) -> Option<ArrayErrorKind> {
        None
    }

    fn are_unfinished(&self) -> bool {
        self.is_unfinished()
    }

    fn truncate_items(&mut self, n_items: usize) {
        self.truncate(n_items);
    }

    fn append_unused_items(&mut self, n_items: usize) {
        append_unused(self, n_items);
    }

    fn append_zero_items(&mut self, n_items: usize) {
        self.append_zeros(n_items);
    }

    fn reserve_items(&mut self, n_items: usize) {
        self.reserve(n_items);
    }

    fn max_null_items(&self) -> usize {
        self.max_nulls()
    }

    fn retyped(&self, current: &DataType, new: DataType) -> Result<DataType, ArrayError> {
        retyped(current, new, &[self.data_type()])
    }

    fn error_of_items(&self, lists: &DataType) -> Option<ArrayError> {
        self.error().map(|error| in_item(lists, error))
    }

    fn finish_items(&mut self, lists: &DataType) -> Result<ArrayData, ArrayError> {
        self.finish_data().map_err(|error| in_item(lists, error))
    }

    fn write_item(&self, item: usize, to: &mut ValueWriter<'_>) -> Result<(), SelectError> {
        self.write_value(item, to)
    }
}

impl<V, B: Append<V>> TakeItems<V> for B {
    #[inline]
    fn take_items(&mut self, items: impl IntoIterator<Item = V>) {
        self.append_all(items);
    }
}

/// Adds the field of the items to an error.
pub(super) fn in_item(lists: &DataType, error: ArrayError) -> ArrayError {
    error.in_field(0, lists.children().first().map_or("", Field::name))
}
