//! Builders that dictionary-encode values.

use std::sync::Arc;

use arrow_buffer::Buffer;
use arrow_data::{ArrayData, ArrayParts};
use arrow_schema::{DataType, IndexType};
use arrow_select::{SelectError, ValueWriter};
use hashbrown::HashTable;

use super::{
    Append, Builder, FirstFailure,
    append::{LookupKey, SlotLookup},
    assemble,
    children::append_unused,
    methods::builder_methods,
    sealed::{SlotHasher, Slots},
    validity::Validity,
    value_comparer::ValueComparer,
};
use crate::{
    array::DictionaryArray,
    error::{ArrayError, ArrayErrorKind},
};

/// Builds dictionary-encoded arrays. `B` builds the dictionary, which contains each distinct value once, in order of first
/// occurrence.
///
/// Values may be of any type that is not dictionary-encoded itself. Floating-point numbers are equal if they have the same
/// bits. Nulls are null slots of the array, not values of the dictionary. If the index type cannot count the distinct values,
/// `finish` returns an error.
///
/// ```
/// use arrow_array::{DictionaryBuilder, Utf8Array, Utf8Builder};
/// use arrow_schema::IndexType;
///
/// let mut colors = DictionaryBuilder::try_new(IndexType::Int8, Utf8Builder::new())?;
/// colors.extend([Some("red"), Some("blue"), None, Some("red")]);
/// let colors = colors.finish()?;
/// assert_eq!(colors.iter().collect::<Vec<_>>(), [Some(0), Some(1), None, Some(0)]);
/// assert_eq!(Utf8Array::try_from(colors.values())?, Utf8Array::try_from_iter(["red", "blue"])?);
/// # Ok::<(), arrow_array::ArrayError>(())
/// ```
#[derive(Debug, Clone)]
pub struct DictionaryBuilder<B> {
    data_type: DataType,
    index: IndexType,
    indices: Vec<u32>,
    validity: Validity,
    values: B,
    /// Finds the index of a value by its hash.
    table: HashTable<KnownValue>,
    /// For each value of the dictionary, the slot in which it first occurs.
    first_slots: Vec<FirstSlot>,
    hasher: SlotHasher,
    recogniser: ValueComparer,
    failure: FirstFailure,
}

#[derive(Debug, Clone, Copy)]
struct KnownValue {
    hash: u64,
    index: u32,
}

/// Where a value of the dictionary first occurs.
#[derive(Debug, Clone, Copy)]
struct FirstSlot {
    slot: usize,
    hash: u64,
}

impl<B: Builder> DictionaryBuilder<B> {
    /// Makes an empty builder. `values` builds the dictionary, and `index` is the type of the indices. Removes values that are
    /// already in `values`. The type declares no order of the values.
    ///
    /// # Errors
    /// If the values are dictionary-encoded themselves.
    pub fn try_new(index: IndexType, values: B) -> Result<Self, ArrayError> {
        let data_type = DataType::dictionary(index, values.data_type().clone())?;
        Ok(DictionaryBuilder::from_data_type(data_type, index, values))
    }

    pub(super) fn from_data_type(data_type: DataType, index: IndexType, mut values: B) -> Self {
        values.truncate(0);
        DictionaryBuilder {
            data_type,
            index,
            indices: Vec::new(),
            validity: Validity::default(),
            values,
            table: HashTable::new(),
            first_slots: Vec::new(),
            hasher: SlotHasher::default(),
            recogniser: ValueComparer::default(),
            failure: FirstFailure::default(),
        }
    }

    /// Sets the type of the array, which may differ from the previous type in the order and in metadata. The builder does not
    /// sort: if the type declares an order, append the values so that they first occur in that order.
    ///
    /// ```
    /// use arrow_array::{DictionaryBuilder, Utf8Builder};
    /// use arrow_schema::{DataType, DictionaryOrder, DictionaryType, IndexType};
    ///
    /// let ordered = DictionaryType::try_new(IndexType::Int8, DataType::Utf8, DictionaryOrder::Ordered)?;
    /// let sizes = DictionaryBuilder::try_new(IndexType::Int8, Utf8Builder::new())?;
    /// let mut sizes = sizes.with_type(ordered.into())?.with_values(["small", "large", "small"]);
    /// assert_eq!(sizes.finish()?.order(), DictionaryOrder::Ordered);
    /// # Ok::<(), arrow_array::ArrayError>(())
    /// ```
    ///
    /// # Errors
    /// If the type has another index type or value type.
    pub fn with_type(self, data_type: DataType) -> Result<Self, ArrayError> {
        match data_type.as_dictionary() {
            Some(new) if new.index() == self.index && new.value().same_type(self.values.data_type()) => {
                Ok(DictionaryBuilder { data_type, ..self })
            }
            Some(_) => {
                let (expected, found) = (data_type, self.data_type);
                Err(ArrayErrorKind::FieldType { expected, found }.into())
            }
            None => Err(ArrayError::type_mismatch("dictionary", &data_type)),
        }
    }

    /// The builder of the dictionary, with the distinct values so far.
    pub fn values(&self) -> &B {
        &self.values
    }

    /// Appends one slot. `append` must append exactly one value to the builder of values. If that value is null, or if `append`
    /// appends nothing, the slot is null.
    pub fn append_with(&mut self, append: impl FnOnce(&mut B)) {
        self.begin();
        append(&mut self.values);
        self.close();
    }

    /// The builder of the dictionary, for appending the next value in several steps. After the value, call
    /// [`close`](DictionaryBuilder::close), which makes a slot from it. Otherwise the next append, `truncate` or `finish`
    /// removes the value.
    #[inline]
    pub fn values_mut(&mut self) -> &mut B {
        &mut self.values
    }

    /// Makes a slot from the one value that was appended to [`values_mut`](DictionaryBuilder::values_mut) since the last slot.
    /// The slot is null if that value is null, or if no value was appended.
    pub fn close(&mut self) {
        let n_before = self.first_slots.len();
        match self.values.len().checked_sub(n_before) {
            Some(1) => self.recognise(n_before),
            Some(0) => self.append_nulls(1),
            Some(n_found) => {
                let kind = ArrayErrorKind::NotOneValue { found: n_found as u64 };
                self.failure.remember(self.indices.len(), kind);
                self.append_nulls(1);
            }
            // The caller has removed values of earlier slots, which `append_nulls` notices.
            None => self.append_nulls(1),
        }
    }

    /// Returns the number of values in the dictionary. First makes the builder of the values have exactly these.
    #[inline]
    fn begin(&mut self) -> usize {
        let n_known = self.first_slots.len();
        if self.is_unfinished() {
            self.settle(n_known);
        }
        n_known
    }

    /// Removes a value without a slot, which a panic may have left. If the caller has removed values of the dictionary,
    /// stores an error of the slot in which the first of them occurred, and appends others in their place, so that the next
    /// values do not get their indices.
    #[cold]
    fn settle(&mut self, n_known: usize) {
        let n_values = self.values.len();
        self.values.truncate(n_known);
        if let Some(first) = self.first_slots.get(n_values) {
            self.failure.remember(first.slot, ArrayErrorKind::NotOneValue { found: 0 });
            append_unused(&mut self.values, n_known.saturating_sub(n_values));
        }
    }

    /// Adds a slot for the last value of the dictionary. If an earlier value is equal, the slot gets the index of the
    /// earlier value, and the last value is removed.
    fn recognise(&mut self, position: usize) {
        if let Some(error) = self.values.error() {
            self.failure.remember(self.indices.len(), error.in_dictionary());
            self.values.truncate(position);
            return self.append_nulls(1);
        }
        if self.values.is_null_slot(position) {
            self.values.truncate(position);
            return self.append_nulls(1);
        }
        let hash = match self.recogniser.read(&self.values, position, &self.hasher) {
            Ok(hash) => hash,
            Err(error) => {
                self.failure.remember(self.indices.len(), ArrayError::from(error).in_dictionary());
                self.values.truncate(position);
                return self.append_nulls(1);
            }
        };
        let Self { table, values, recogniser, .. } = self;
        let known =
            table.find(hash, |known| known.hash == hash && recogniser.is_in(values, known.index as usize));
        match known.map(|known| known.index) {
            Some(index) => {
                self.values.truncate(position);
                self.push(index);
            }
            None => self.keep(hash),
        }
    }

    /// Adds the last value to the hash table, and a slot with its index.
    fn keep(&mut self, hash: u64) {
        let position = self.first_slots.len();
        match u32::try_from(position).ok().filter(|index| u64::from(*index) <= max_index(self.index)) {
            Some(index) => {
                self.table.insert_unique(hash, KnownValue { hash, index }, |known| known.hash);
                self.first_slots.push(FirstSlot { slot: self.indices.len(), hash });
                self.push(index);
            }
            None => {
                let max = max_index(self.index).saturating_add(1).min(1 << 32);
                let kind = ArrayErrorKind::DictionaryOverflow { index: self.index, max };
                self.failure.remember(self.indices.len(), kind);
                self.values.truncate(position);
                self.append_nulls(1);
            }
        }
    }

    #[inline]
    fn push(&mut self, index: u32) {
        self.indices.push(index);
        self.validity.append_valid();
    }
}

impl<B: Builder> Builder for DictionaryBuilder<B> {
    fn data_type(&self) -> &DataType {
        &self.data_type
    }

    fn len(&self) -> usize {
        self.indices.len()
    }

    fn append_nulls(&mut self, n_slots: usize) {
        self.begin();
        self.validity.append_nulls(self.indices.len(), n_slots);
        self.indices.resize(self.indices.len().saturating_add(n_slots), 0);
    }

    fn reserve(&mut self, n_slots: usize) {
        self.indices.reserve(n_slots);
    }

    fn truncate(&mut self, n_slots: usize) {
        self.indices.truncate(n_slots);
        self.validity.truncate(n_slots);
        self.failure.truncate(n_slots);
        while let Some(FirstSlot { hash, .. }) = self.first_slots.pop_if(|first| first.slot >= n_slots) {
            let position = self.first_slots.len();
            if let Ok(entry) = self.table.find_entry(hash, |known| known.index as usize == position) {
                entry.remove();
            }
        }
        // This also removes a value without a slot.
        self.values.truncate(self.first_slots.len());
    }

    fn error(&self) -> Option<ArrayError> {
        self.failure.error().or_else(|| self.values.error().map(ArrayError::in_dictionary))
    }

    fn finish_data(&mut self) -> Result<ArrayData, ArrayError> {
        self.begin();
        let parts = ArrayParts::new(self.data_type.clone(), self.indices.len());
        let buffers = [indices(std::mem::take(&mut self.indices), self.index), Buffer::new()];
        let (validity, values) = (self.validity.finish(), self.values.finish_data());
        self.table.clear();
        self.first_slots.clear();
        self.failure.take()?;
        let dictionary = Some(Arc::new(values.map_err(ArrayError::in_dictionary)?));
        assemble(ArrayParts { validity, buffers, dictionary, ..parts })
    }
}

impl<B: Builder> Slots for DictionaryBuilder<B> {
    fn is_null_slot(&self, slot: usize) -> bool {
        !self.validity.is_valid(slot)
    }

    fn write_value(&self, slot: usize, to: &mut ValueWriter<'_>) -> Result<(), SelectError> {
        match self.indices.get(slot) {
            Some(index) if self.validity.is_valid(slot) => self.values.write_value(*index as usize, to),
            _ => to.null(),
        }
    }

    fn is_unfinished(&self) -> bool {
        self.values.len() != self.first_slots.len() || self.values.is_unfinished()
    }

    fn append_zeros(&mut self, n_slots: usize) {
        self.begin();
        for _ in 0..n_slots {
            // A value that is there, so that the dictionary gets none that no slot needs.
            if self.first_slots.is_empty() {
                self.append_with(|values| values.append_zeros(1));
            } else {
                self.push(0);
            }
        }
    }
}

impl<V, B: Append<V>> Append<V> for DictionaryBuilder<B> {
    fn append(&mut self, value: V) {
        let hash = match self.values.look(&value, &self.hasher) {
            LookupKey::Null => return self.append_nulls(1),
            LookupKey::Hash(hash) => hash,
            LookupKey::Append => return self.append_with(|values| values.append(value)),
        };
        let Self { table, values, .. } = self;
        let known =
            table.find(hash, |known| known.hash == hash && values.holds(known.index as usize, &value));
        match known.map(|known| known.index) {
            Some(index) => {
                self.begin();
                self.push(index);
            }
            None => {
                let position = self.begin();
                self.values.append(value);
                self.recognise(position);
            }
        }
    }
}

impl<V, B: Append<V>> SlotLookup<V> for DictionaryBuilder<B> {
    fn look(&self, value: &V, hasher: &SlotHasher) -> LookupKey {
        self.values.look(value, hasher)
    }

    fn holds(&self, slot: usize, value: &V) -> bool {
        let index = self.indices.get(slot);
        self.validity.is_valid(slot) && index.is_some_and(|index| self.values.holds(*index as usize, value))
    }
}

builder_methods!([B: Builder,] DictionaryBuilder<B> => DictionaryArray);

/// The largest index that the index type can express.
fn max_index(index: IndexType) -> u64 {
    match index {
        IndexType::Int8 => i8::MAX as u64,
        IndexType::Int16 => i16::MAX as u64,
        IndexType::Int32 => i32::MAX as u64,
        IndexType::Int64 => i64::MAX as u64,
        IndexType::UInt8 => u8::MAX.into(),
        IndexType::UInt16 => u16::MAX.into(),
        IndexType::UInt32 => u32::MAX.into(),
        IndexType::UInt64 => u64::MAX,
    }
}

/// Makes a buffer of indices, in the given integer type. Each index is at most the [`max_index`] of the type.
fn indices(positions: Vec<u32>, index: IndexType) -> Buffer {
    match index {
        IndexType::Int8 | IndexType::UInt8 => positions.into_iter().map(|index| index as u8).collect(),
        IndexType::Int16 | IndexType::UInt16 => positions.into_iter().map(|index| index as u16).collect(),
        IndexType::Int32 | IndexType::UInt32 => Buffer::from(positions),
        IndexType::Int64 | IndexType::UInt64 => positions.into_iter().map(u64::from).collect(),
    }
}
