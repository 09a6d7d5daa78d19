//! Builders of lists with offsets and sizes.

use arrow_buffer::Buffer;
use arrow_data::{ArrayData, ArrayParts, DataError, ValueWriter};
use arrow_schema::{DataType, Field};

use super::{
    Append, Builder, ListSlot,
    append::SlotsOf,
    children::retyped,
    failure::FirstFailure,
    list::{in_item, list_bytes},
    methods::builder_methods,
    offsets::wrong_items,
    sealed::Slots,
    slots::assemble,
    validity::Validity,
};
use crate::{
    array::{ListViewArrayOf, Width, sized_range},
    error::ArrayError,
};

/// Builds arrays of lists with offsets and sizes of type `O`, whose items are built by `B`.
///
/// Lists lie in the order in which they come; one may be appended a second time without its items, by
/// [`append_again`](ListViewBuilderOf::append_again). Where the lists together have more items than the offsets can
/// say, `finish` reports it.
///
/// ```
/// use arrow_array::{Int64Builder, ListViewBuilder};
///
/// let mut lists = ListViewBuilder::new(Int64Builder::new());
/// lists.append(vec![1, 2]);
/// lists.append_null();
/// lists.append_again(0);
/// let lists = lists.finish()?;
/// assert_eq!(format!("{lists:?}"), "list_view<item: int64> [[1,2], null, [1,2]]");
/// assert_eq!(lists.items().len(), 2);
/// # Ok::<(), arrow_array::ArrayError>(())
/// ```
#[derive(Debug, Clone)]
pub struct ListViewBuilderOf<O: Width, B> {
    data_type: DataType,
    offsets: Vec<O>,
    sizes: Vec<O>,
    items: B,
    /// How many of the items belong to lists that are finished.
    n_items: usize,
    /// Whether a list has been appended again, so that ends are not in order.
    has_shared: bool,
    validity: Validity,
    failure: FirstFailure,
}

/// Builds lists with offsets and sizes of 32 bits.
pub type ListViewBuilder<B> = ListViewBuilderOf<i32, B>;
/// Builds lists with offsets and sizes of 64 bits.
pub type LargeListViewBuilder<B> = ListViewBuilderOf<i64, B>;

impl<O: Width, B: Builder> ListViewBuilderOf<O, B> {
    /// A builder without slots; the field of its items is called `item` and nullable. Values that are in `items` already
    /// are forgotten.
    pub fn new(mut items: B) -> Self {
        items.truncate(0);
        let item = Field::new("item", items.data_type().clone());
        let is_small = size_of::<O>() == 4;
        let data_type = if is_small { DataType::list_view(item) } else { DataType::large_list_view(item) };
        let (validity, failure) = (Validity::default(), FirstFailure::default());
        let (offsets, sizes) = (Vec::new(), Vec::new());
        let n_items = items.len();
        ListViewBuilderOf { data_type, offsets, sizes, items, n_items, has_shared: false, validity, failure }
    }

    /// The same builder with another name, nullability or metadata of the field of its items.
    ///
    /// # Errors
    /// If the type differs in anything else.
    pub fn with_type(self, data_type: DataType) -> Result<Self, ArrayError> {
        let data_type = retyped(&self.data_type, data_type, &[self.items.data_type()])?;
        Ok(ListViewBuilderOf { data_type, ..self })
    }

    /// The builder of the items of all lists so far.
    pub fn items(&self) -> &B {
        &self.items
    }

    /// Appends a list of all items that `append` appends.
    #[inline]
    pub fn append_with(&mut self, append: impl FnOnce(&mut B)) {
        self.forget_unfinished();
        append(&mut self.items);
        self.close();
    }

    /// The builder of the items, to append those of the next list one by one; [`close`](ListViewBuilderOf::close) makes a list of
    /// them. Without it the next list that is appended, `truncate` and `finish` forget them.
    #[inline]
    pub fn items_mut(&mut self) -> &mut B {
        &mut self.items
    }

    /// Appends a list of all items that were appended to [`items_mut`](ListViewBuilderOf::items_mut) since the last list.
    #[inline]
    pub fn close(&mut self) {
        let n_before = self.n_items;
        let n_items = self.items.len();
        let size = n_items.checked_sub(n_before).and_then(O::from_usize);
        match (O::from_usize(n_before), size, O::from_usize(n_items)) {
            (Some(offset), Some(size), Some(_)) => {
                self.n_items = n_items;
                self.push(offset, size);
            }
            _ => {
                self.failure
                    .remember(self.n_slots_within(n_items), wrong_items::<O>(n_before, n_items, "items"));
                self.items.truncate(n_before);
                self.append_nulls(1);
            }
        }
    }

    /// Forgets items of a list that was not finished, since what appended them panicked.
    #[inline]
    fn forget_unfinished(&mut self) {
        if self.items.len() > self.n_items {
            self.items.truncate(self.n_items);
        }
    }

    /// Appends a list of the items of an iterator.
    #[inline]
    pub fn append_iter<V>(&mut self, items: impl IntoIterator<Item = V>)
    where
        B: Append<V>,
    {
        self.append_with(|builder| builder.append_all(items));
    }

    /// Appends the list of an earlier slot again, which shares its items; a null if that is null or not there.
    pub fn append_again(&mut self, slot: usize) {
        match (self.offsets.get(slot), self.sizes.get(slot)) {
            (Some(&offset), Some(&size)) if self.validity.is_valid(slot) => {
                self.has_shared = true;
                self.push(offset, size);
            }
            _ => self.append_nulls(1),
        }
    }

    /// How many items the first `n_slots` lists have. Looks at the later ones only.
    fn n_items_before(&self, n_slots: usize) -> usize {
        let range = |slot| sized_range(&self.offsets, &self.sizes, slot);
        if self.has_shared && n_slots < self.offsets.len() {
            return (0..n_slots).map(|slot| range(slot).end).max().unwrap_or(0);
        }
        // Lists lie in the order of their slots, so the first that is forgotten is where the rest begins.
        let mut forgotten = (n_slots..self.offsets.len()).filter(|slot| self.validity.is_valid(*slot));
        forgotten.next().map_or(self.n_items, |slot| range(slot).start)
    }

    /// How many slots there are before the first that ends after item `n_items`.
    #[cold]
    fn n_slots_within(&self, n_items: usize) -> usize {
        let end = |slot: &usize| sized_range(&self.offsets, &self.sizes, *slot).end;
        (0..self.offsets.len()).take_while(|slot| end(slot) <= n_items).count()
    }

    fn push(&mut self, offset: O, size: O) {
        self.offsets.push(offset);
        self.sizes.push(size);
        self.validity.append_valid();
    }
}

impl<O: Width, B: Builder> Builder for ListViewBuilderOf<O, B> {
    fn data_type(&self) -> &DataType {
        &self.data_type
    }

    fn len(&self) -> usize {
        self.offsets.len()
    }

    fn append_nulls(&mut self, n_slots: usize) {
        self.validity.append_nulls(self.offsets.len(), n_slots);
        let n_slots = self.offsets.len().saturating_add(n_slots);
        self.offsets.resize(n_slots, O::ZERO);
        self.sizes.resize(n_slots, O::ZERO);
    }

    fn reserve(&mut self, n_slots: usize) {
        self.offsets.reserve(n_slots);
        self.sizes.reserve(n_slots);
    }

    fn truncate(&mut self, n_slots: usize) {
        self.n_items = self.n_items_before(n_slots);
        self.offsets.truncate(n_slots);
        self.sizes.truncate(n_slots);
        self.validity.truncate(n_slots);
        self.failure.truncate(n_slots);
        // Also items of a list that was not finished.
        self.items.truncate(self.n_items);
    }

    fn error(&self) -> Option<ArrayError> {
        self.failure.error().or_else(|| self.items.error().map(|error| in_item(&self.data_type, error)))
    }

    fn finish_data(&mut self) -> Result<ArrayData, ArrayError> {
        let parts = ArrayParts::new(self.data_type.clone(), self.offsets.len());
        let buffers = [&mut self.offsets, &mut self.sizes].map(|words| Buffer::from(std::mem::take(words)));
        self.forget_unfinished();
        let (validity, items) = (self.validity.finish(), self.items.finish_data());
        (self.n_items, self.has_shared) = (0, false);
        self.failure.take()?;
        let children = Some([items.map_err(|error| in_item(&self.data_type, error))?].into());
        assemble(ArrayParts { validity, buffers, children, ..parts })
    }
}

impl<O: Width, B: Builder> Slots for ListViewBuilderOf<O, B> {
    fn is_null_slot(&self, slot: usize) -> bool {
        !self.validity.is_valid(slot)
    }

    fn write_value(&self, slot: usize, to: &mut ValueWriter<'_>) -> Result<(), DataError> {
        if !self.validity.is_valid(slot) {
            return to.null();
        }
        list_bytes(&self.items, sized_range(&self.offsets, &self.sizes, slot), to)
    }
}

impl<O: Width, B: Append<V::Item>, V: ListSlot> Append<V> for ListViewBuilderOf<O, B> {
    #[inline]
    fn append(&mut self, value: V) {
        match value.into_items() {
            Some(items) => self.append_iter(items),
            None => self.append_nulls(1),
        }
    }
}

impl<O: Width, B: Append<V::Item>, V: ListSlot> SlotsOf<V> for ListViewBuilderOf<O, B> {}

builder_methods!([O: Width, B: Builder,] ListViewBuilderOf<O, B> => ListViewArrayOf<O>);
