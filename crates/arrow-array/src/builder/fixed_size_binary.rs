//! Builders of bytes of one length.

use arrow_buffer::Buffer;
use arrow_data::{ArrayData, ArrayParts, DataError, ValueWriter};
use arrow_schema::DataType;

use super::{
    Append, Builder, BytesSlot,
    append::{Look, SlotsOf},
    failure::FirstFailure,
    methods::builder_methods,
    sealed::{SlotHasher, Slots},
    slots::assemble,
    validity::Validity,
};
use crate::{
    array::FixedSizeBinaryArray,
    error::{ArrayError, ArrayErrorKind},
};

/// Builds arrays of binary values of one length. If a value has another length, `finish` returns an error.
///
/// ```
/// use arrow_array::FixedSizeBinaryBuilder;
///
/// let mut ids = FixedSizeBinaryBuilder::try_new(3)?.with_values([b"abc", b"def"]);
/// assert_eq!(ids.finish()?.value(1), b"def");
///
/// ids.append(b"ab");
/// assert_eq!(ids.finish().unwrap_err().to_string(), "the value has 2 bytes; the type needs 3");
/// # Ok::<(), arrow_array::ArrayError>(())
/// ```
#[derive(Debug, Clone)]
pub struct FixedSizeBinaryBuilder {
    data_type: DataType,
    n_bytes: usize,
    n_slots: usize,
    bytes: Vec<u8>,
    validity: Validity,
    failure: FirstFailure,
}

impl FixedSizeBinaryBuilder {
    /// A builder without slots, of values of `n_bytes` bytes.
    ///
    /// # Errors
    /// If the length is above `i32::MAX`.
    pub fn try_new(n_bytes: u32) -> Result<FixedSizeBinaryBuilder, ArrayError> {
        let data_type = DataType::fixed_size_binary(n_bytes)?;
        let (bytes, validity, failure) = (Vec::new(), Validity::default(), FirstFailure::default());
        let n_bytes = n_bytes as usize;
        Ok(FixedSizeBinaryBuilder { data_type, n_bytes, n_slots: 0, bytes, validity, failure })
    }

    /// The length of each value in bytes; may be 0.
    pub fn value_bytes(&self) -> usize {
        self.n_bytes
    }

    fn value(&self, slot: usize) -> Option<&[u8]> {
        let start = slot.checked_mul(self.n_bytes)?;
        self.bytes.get(start..start.checked_add(self.n_bytes)?).filter(|_| self.validity.is_valid(slot))
    }
}

impl Builder for FixedSizeBinaryBuilder {
    fn data_type(&self) -> &DataType {
        &self.data_type
    }

    fn len(&self) -> usize {
        self.n_slots
    }

    fn append_nulls(&mut self, n_slots: usize) {
        self.validity.append_nulls(self.n_slots, n_slots);
        self.n_slots = self.n_slots.saturating_add(n_slots);
        self.bytes.resize(self.n_slots.saturating_mul(self.n_bytes), 0);
    }

    fn reserve(&mut self, n_slots: usize) {
        self.bytes.reserve(n_slots.saturating_mul(self.n_bytes));
    }

    fn truncate(&mut self, n_slots: usize) {
        if n_slots < self.n_slots {
            self.bytes.truncate(n_slots * self.n_bytes);
            self.n_slots = n_slots;
            self.validity.truncate(n_slots);
            self.failure.truncate(n_slots);
        }
    }

    fn error(&self) -> Option<ArrayError> {
        self.failure.error()
    }

    fn finish_data(&mut self) -> Result<ArrayData, ArrayError> {
        let (bytes, n_slots) = (std::mem::take(&mut self.bytes), std::mem::take(&mut self.n_slots));
        let (validity, buffers) = (self.validity.finish(), [Buffer::from(bytes), Buffer::new()]);
        self.failure.take()?;
        assemble(ArrayParts { validity, buffers, ..ArrayParts::new(self.data_type.clone(), n_slots) })
    }
}

impl Slots for FixedSizeBinaryBuilder {
    fn is_null_slot(&self, slot: usize) -> bool {
        !self.validity.is_valid(slot)
    }

    fn write_value(&self, slot: usize, to: &mut ValueWriter<'_>) -> Result<(), DataError> {
        match self.value(slot) {
            Some(value) => to.fixed(value),
            None => to.null(),
        }
    }
}

impl<V: BytesSlot> Append<V> for FixedSizeBinaryBuilder {
    fn append(&mut self, value: V) {
        match value.as_bytes() {
            Some(value) if value.len() == self.n_bytes => {
                self.bytes.extend_from_slice(value);
                self.n_slots = self.n_slots.saturating_add(1);
                self.validity.append_valid();
            }
            Some(value) => {
                let (expected, found) = (self.n_bytes as u64, value.len() as u64);
                self.failure.remember(self.n_slots, ArrayErrorKind::ValueLength { expected, found });
                self.append_nulls(1);
            }
            None => self.append_nulls(1),
        }
    }
}

impl<V: BytesSlot> SlotsOf<V> for FixedSizeBinaryBuilder {
    fn look(&self, value: &V, hasher: &SlotHasher) -> Look {
        match value.as_bytes() {
            Some(value) if value.len() == self.n_bytes => Look::Hash(hasher.fixed(value)),
            Some(_) => Look::Append,
            None => Look::Null,
        }
    }

    fn holds(&self, slot: usize, value: &V) -> bool {
        value.as_bytes().is_some_and(|value| self.value(slot) == Some(value))
    }
}

builder_methods!([] FixedSizeBinaryBuilder => FixedSizeBinaryArray);
