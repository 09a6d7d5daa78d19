//! Builders of binary values that all have the same length.

use arrow_buffer::{Bitmap, Buffer};
use arrow_data::{ArrayData, ArrayParts};
use arrow_schema::DataType;

use super::{
    assemble,
    values::{ValueStore, ValuesBuilder},
};
use crate::{
    array::FixedSizeBinaryArray,
    error::{ArrayError, ArrayErrorKind},
};

/// Builds arrays of binary values that all have the same length. If a value has another length, `finish` returns an
/// error.
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
pub type FixedSizeBinaryBuilder = ValuesBuilder<FixedSizeBinarySlots>;

/// Stores values of one length, which may be 0.
#[derive(Debug, Clone)]
pub struct FixedSizeBinarySlots {
    n_bytes: usize,
    n_slots: usize,
    bytes: Vec<u8>,
}

impl FixedSizeBinaryBuilder {
    /// Makes an empty builder for values of `n_bytes` bytes.
    ///
    /// # Errors
    /// If the length is above `i32::MAX`.
    pub fn try_new(n_bytes: u32) -> Result<FixedSizeBinaryBuilder, ArrayError> {
        let data_type = DataType::fixed_size_binary(n_bytes)?;
        let store = FixedSizeBinarySlots { n_bytes: n_bytes as usize, n_slots: 0, bytes: Vec::new() };
        Ok(ValuesBuilder::from_data_type(data_type, store))
    }

    /// The length of each value in bytes; may be 0.
    pub fn value_bytes(&self) -> usize {
        self.store.n_bytes
    }
}

impl ValueStore for FixedSizeBinarySlots {
    type Value = [u8];
    type Array = FixedSizeBinaryArray;
    const HAS_ONE_LENGTH: bool = true;

    fn len(&self) -> usize {
        self.n_slots
    }

    fn takes(&self, value: &[u8]) -> bool {
        value.len() == self.n_bytes
    }

    fn push(&mut self, value: &[u8]) -> bool {
        let fits = self.takes(value);
        if fits {
            self.bytes.extend_from_slice(value);
            self.n_slots = self.n_slots.saturating_add(1);
        }
        fits
    }

    fn refusal(&self, value: &[u8]) -> ArrayErrorKind {
        ArrayErrorKind::ValueLength { expected: self.n_bytes as u64, found: value.len() as u64 }
    }

    fn push_zeros(&mut self, n_slots: usize) {
        self.n_slots = self.n_slots.saturating_add(n_slots);
        self.bytes.resize(self.n_slots.saturating_mul(self.n_bytes), 0);
    }

    fn reserve(&mut self, n_slots: usize) {
        self.bytes.reserve(n_slots.saturating_mul(self.n_bytes));
    }

    fn truncate(&mut self, n_slots: usize) {
        self.n_slots = self.n_slots.min(n_slots);
        self.bytes.truncate(self.n_slots * self.n_bytes);
    }

    fn get(&self, slot: usize) -> Option<&[u8]> {
        let start = slot.checked_mul(self.n_bytes)?;
        self.bytes.get(start..start.checked_add(self.n_bytes)?)
    }

    fn finish(&mut self, data_type: &DataType, validity: Option<Bitmap>) -> Result<ArrayData, ArrayError> {
        let (bytes, n_slots) = (std::mem::take(&mut self.bytes), std::mem::take(&mut self.n_slots));
        let buffers = [Buffer::from(bytes), Buffer::new()];
        assemble(ArrayParts { validity, buffers, ..ArrayParts::new(data_type.clone(), n_slots) })
    }
}
