//! Builders of utf8 values with offsets.

use arrow_buffer::TextSlotsBuilder;
use arrow_data::{ArrayData, DataError, ValueWriter};
use arrow_schema::DataType;

use super::{
    Append, Builder, TextSlot,
    append::{Look, SlotsOf},
    failure::FirstFailure,
    methods::builder_methods,
    offsets::overflow,
    sealed::{SlotHasher, Slots},
    validity::Validity,
};
use crate::{
    array::{Utf8ArrayOf, Width},
    error::ArrayError,
};

/// Builds arrays of text with offsets of type `O`.
///
/// Values are `str`, so `finish` need not check UTF-8. If they have more bytes than the offsets can hold, `finish` returns an
/// error.
///
/// ```
/// use arrow_array::Utf8Builder;
///
/// let mut names = Utf8Builder::new();
/// names.append("ada");
/// names.append(None::<&str>);
/// names.append(String::from("grace"));
/// assert_eq!(names.finish()?.iter().collect::<Vec<_>>(), [Some("ada"), None, Some("grace")]);
/// # Ok::<(), arrow_array::ArrayError>(())
/// ```
#[derive(Debug, Clone)]
pub struct Utf8BuilderOf<O: Width> {
    data_type: DataType,
    texts: TextSlotsBuilder<O>,
    validity: Validity,
    failure: FirstFailure,
}

/// Builds text with offsets of 32 bits.
pub type Utf8Builder = Utf8BuilderOf<i32>;
/// Builds text with offsets of 64 bits.
pub type LargeUtf8Builder = Utf8BuilderOf<i64>;

impl<O: Width> Utf8BuilderOf<O> {
    /// A builder without slots.
    pub fn new() -> Self {
        let data_type = if size_of::<O>() == 4 { DataType::Utf8 } else { DataType::LargeUtf8 };
        let (validity, failure) = (Validity::default(), FirstFailure::default());
        Utf8BuilderOf { data_type, texts: TextSlotsBuilder::new(), validity, failure }
    }

    /// A builder without slots, and room for `n_slots` and their bytes.
    pub fn with_capacity(n_slots: usize, n_bytes: usize) -> Self {
        let mut builder = Self::new();
        builder.texts.reserve(n_slots, n_bytes);
        builder
    }

    /// How many bytes the values have so far.
    pub fn n_bytes(&self) -> usize {
        self.texts.n_bytes()
    }

    #[cold]
    fn append_too_long(&mut self, value: &str) {
        let n_bytes = self.texts.n_bytes().saturating_add(value.len());
        self.failure.remember(self.texts.len(), overflow::<O>(n_bytes, "bytes"));
        self.append_nulls(1);
    }

    #[inline]
    fn value(&self, slot: usize) -> Option<&str> {
        self.texts.get(slot).filter(|_| self.validity.is_valid(slot))
    }
}

impl<O: Width> Default for Utf8BuilderOf<O> {
    fn default() -> Self {
        Self::new()
    }
}

impl<O: Width> Builder for Utf8BuilderOf<O> {
    fn data_type(&self) -> &DataType {
        &self.data_type
    }

    fn len(&self) -> usize {
        self.texts.len()
    }

    fn append_nulls(&mut self, n_slots: usize) {
        self.validity.append_nulls(self.texts.len(), n_slots);
        self.texts.push_empty(n_slots);
    }

    fn reserve(&mut self, n_slots: usize) {
        self.texts.reserve(n_slots, 0);
    }

    fn truncate(&mut self, n_slots: usize) {
        self.texts.truncate(n_slots);
        self.validity.truncate(n_slots);
        self.failure.truncate(n_slots);
    }

    fn error(&self) -> Option<ArrayError> {
        self.failure.error()
    }

    fn finish_data(&mut self) -> Result<ArrayData, ArrayError> {
        let (texts, validity) = (self.texts.finish(), self.validity.finish());
        self.failure.take()?;
        Ok(ArrayData::try_from_text(O::proven(texts), validity)?)
    }
}

impl<O: Width> Slots for Utf8BuilderOf<O> {
    fn is_null_slot(&self, slot: usize) -> bool {
        !self.validity.is_valid(slot)
    }

    fn write_value(&self, slot: usize, to: &mut ValueWriter<'_>) -> Result<(), DataError> {
        match self.value(slot) {
            Some(value) => to.sized(value.as_bytes()),
            None => to.null(),
        }
    }
}

impl<O: Width, V: TextSlot> Append<V> for Utf8BuilderOf<O> {
    #[inline]
    fn append(&mut self, value: V) {
        let Some(value) = value.as_text() else { return self.append_nulls(1) };
        match self.texts.push(value) {
            Ok(()) => self.validity.append_valid(),
            Err(_) => self.append_too_long(value),
        }
    }
}

impl<O: Width, V: TextSlot> SlotsOf<V> for Utf8BuilderOf<O> {
    #[inline]
    fn look(&self, value: &V, hasher: &SlotHasher) -> Look {
        value.as_text().map_or(Look::Null, |value| Look::Hash(hasher.sized(value.as_bytes())))
    }

    #[inline]
    fn holds(&self, slot: usize, value: &V) -> bool {
        value.as_text().is_some_and(|value| self.value(slot) == Some(value))
    }
}

builder_methods!([O: Width,] Utf8BuilderOf<O> => Utf8ArrayOf<O>);
