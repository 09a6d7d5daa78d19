//! Builders of binary values with offsets.

use arrow_buffer::Buffer;
use arrow_data::{ArrayData, ArrayParts, DataError, ValueWriter};
use arrow_schema::DataType;

use super::{
    Append, Builder, BytesSlot,
    append::{Look, SlotsOf},
    failure::FirstFailure,
    methods::builder_methods,
    offsets::{SlotOffsets, overflow},
    sealed::{SlotHasher, Slots},
    slots::assemble,
    validity::Validity,
};
use crate::{
    array::{BinaryArrayOf, Width},
    error::ArrayError,
};

/// Builds arrays of bytes with offsets of type `O`.
///
/// If the values have more bytes than the offsets can hold, `finish` returns an error.
///
/// ```
/// use arrow_array::BinaryBuilder;
///
/// let mut blobs = BinaryBuilder::new().with_values([b"ab", b"cd"]);
/// blobs.append(None::<&[u8]>);
/// assert_eq!(blobs.finish()?.get(1), Some(b"cd".as_slice()));
/// # Ok::<(), arrow_array::ArrayError>(())
/// ```
#[derive(Debug, Clone)]
pub struct BinaryBuilderOf<O: Width> {
    data_type: DataType,
    offsets: SlotOffsets<O>,
    bytes: Vec<u8>,
    validity: Validity,
    failure: FirstFailure,
}

/// Builds bytes with offsets of 32 bits.
pub type BinaryBuilder = BinaryBuilderOf<i32>;
/// Builds bytes with offsets of 64 bits.
pub type LargeBinaryBuilder = BinaryBuilderOf<i64>;

impl<O: Width> BinaryBuilderOf<O> {
    /// A builder without slots.
    pub fn new() -> Self {
        let data_type = if size_of::<O>() == 4 { DataType::Binary } else { DataType::LargeBinary };
        let (validity, failure) = (Validity::default(), FirstFailure::default());
        BinaryBuilderOf { data_type, offsets: SlotOffsets::new(), bytes: Vec::new(), validity, failure }
    }

    /// A builder without slots, and room for `n_slots` and their bytes.
    pub fn with_capacity(n_slots: usize, n_bytes: usize) -> Self {
        let mut builder = Self::new();
        builder.offsets.reserve(n_slots);
        builder.bytes.reserve(n_bytes);
        builder
    }

    /// How many bytes the values have so far.
    pub fn n_bytes(&self) -> usize {
        self.bytes.len()
    }

    #[cold]
    fn append_too_long(&mut self, value: &[u8]) {
        let n_bytes = self.bytes.len().saturating_add(value.len());
        self.failure.remember(self.len(), overflow::<O>(n_bytes, "bytes"));
        self.append_nulls(1);
    }

    #[inline]
    fn value(&self, slot: usize) -> Option<&[u8]> {
        let bytes =
            || self.bytes.get(self.offsets.range(slot)).expect("the bytes of a slot are kept with it");
        self.validity.is_valid(slot).then(bytes)
    }
}

impl<O: Width> Default for BinaryBuilderOf<O> {
    fn default() -> Self {
        Self::new()
    }
}

impl<O: Width> Builder for BinaryBuilderOf<O> {
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
        self.bytes.truncate(self.offsets.truncate(n_slots));
        self.validity.truncate(n_slots);
        self.failure.truncate(n_slots);
    }

    fn error(&self) -> Option<ArrayError> {
        self.failure.error()
    }

    fn finish_data(&mut self) -> Result<ArrayData, ArrayError> {
        let parts = ArrayParts::new(self.data_type.clone(), self.offsets.n_slots());
        let (validity, bytes) = (self.validity.finish(), std::mem::take(&mut self.bytes));
        let buffers = [self.offsets.finish(), Buffer::from(bytes)];
        self.failure.take()?;
        assemble(ArrayParts { validity, buffers, ..parts })
    }
}

impl<O: Width> Slots for BinaryBuilderOf<O> {
    fn is_null_slot(&self, slot: usize) -> bool {
        !self.validity.is_valid(slot)
    }

    fn write_value(&self, slot: usize, to: &mut ValueWriter<'_>) -> Result<(), DataError> {
        match self.value(slot) {
            Some(value) => to.sized(value),
            None => to.null(),
        }
    }
}

impl<O: Width, V: BytesSlot> Append<V> for BinaryBuilderOf<O> {
    #[inline]
    fn append(&mut self, value: V) {
        let Some(value) = value.as_bytes() else { return self.append_nulls(1) };
        match O::from_usize(self.bytes.len().saturating_add(value.len())) {
            Some(end) => {
                self.bytes.extend_from_slice(value);
                self.offsets.push(end);
                self.validity.append_valid();
            }
            None => self.append_too_long(value),
        }
    }
}

impl<O: Width, V: BytesSlot> SlotsOf<V> for BinaryBuilderOf<O> {
    #[inline]
    fn look(&self, value: &V, hasher: &SlotHasher) -> Look {
        value.as_bytes().map_or(Look::Null, |value| Look::Hash(hasher.sized(value)))
    }

    #[inline]
    fn holds(&self, slot: usize, value: &V) -> bool {
        value.as_bytes().is_some_and(|value| self.value(slot) == Some(value))
    }
}

builder_methods!([O: Width,] BinaryBuilderOf<O> => BinaryArrayOf<O>);
