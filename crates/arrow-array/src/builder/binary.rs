//! Builders of binary values with offsets.

use arrow_buffer::{Bitmap, Buffer};
use arrow_data::{ArrayData, ArrayParts};
use arrow_schema::DataType;

use super::{
    assemble,
    offsets::{SlotOffsets, overflow},
    values::{PlainStore, ValueStore, ValuesBuilder},
};
use crate::{
    array::{GenericBinaryArray, Width},
    error::{ArrayError, ArrayErrorKind},
};

/// Builds arrays of binary values with offsets of type `O`.
///
/// If the values have more bytes than the offsets can express, `finish` returns an error.
///
/// ```
/// use arrow_array::BinaryBuilder;
///
/// let mut blobs = BinaryBuilder::new().with_values([b"ab", b"cd"]);
/// blobs.append(None::<&[u8]>);
/// assert_eq!(blobs.finish()?.get(1), Some(b"cd".as_slice()));
/// # Ok::<(), arrow_array::ArrayError>(())
/// ```
pub type GenericBinaryBuilder<O> = ValuesBuilder<BinarySlots<O>>;

/// Builds arrays of binary values with offsets of 32 bits.
pub type BinaryBuilder = GenericBinaryBuilder<i32>;
/// Builds arrays of binary values with offsets of 64 bits.
pub type LargeBinaryBuilder = GenericBinaryBuilder<i64>;

/// Stores bytes with offsets.
#[derive(Debug, Clone)]
pub struct BinarySlots<O> {
    offsets: SlotOffsets<O>,
    bytes: Vec<u8>,
}

impl<O: Width> Default for BinarySlots<O> {
    fn default() -> Self {
        BinarySlots { offsets: SlotOffsets::new(), bytes: Vec::new() }
    }
}

impl<O: Width> GenericBinaryBuilder<O> {
    /// The total number of bytes of all values so far.
    pub fn n_bytes(&self) -> usize {
        self.store.bytes.len()
    }
}

impl<O: Width> PlainStore for BinarySlots<O> {
    const TYPE: DataType = if size_of::<O>() == 4 { DataType::Binary } else { DataType::LargeBinary };

    fn reserve_bytes(&mut self, n_bytes: usize) {
        self.bytes.reserve(n_bytes);
    }
}

impl<O: Width> ValueStore for BinarySlots<O> {
    type Value = [u8];
    type Array = GenericBinaryArray<O>;

    fn len(&self) -> usize {
        self.offsets.n_slots()
    }

    #[inline]
    fn push(&mut self, value: &[u8]) -> bool {
        let end = O::from_usize(self.bytes.len().saturating_add(value.len()));
        if let Some(end) = end {
            self.bytes.extend_from_slice(value);
            self.offsets.push(end);
        }
        end.is_some()
    }

    fn refusal(&self, value: &[u8]) -> ArrayErrorKind {
        overflow::<O>(self.bytes.len().saturating_add(value.len()), "bytes")
    }

    fn push_zeros(&mut self, n_slots: usize) {
        self.offsets.push_empty(n_slots);
    }

    fn reserve(&mut self, n_slots: usize) {
        self.offsets.reserve(n_slots);
    }

    fn truncate(&mut self, n_slots: usize) {
        self.bytes.truncate(self.offsets.truncate(n_slots));
    }

    #[inline]
    fn get(&self, slot: usize) -> Option<&[u8]> {
        Some(self.bytes.get(self.offsets.range(slot)).expect("the bytes of a slot are kept with it"))
    }

    fn finish(&mut self, data_type: &DataType, validity: Option<Bitmap>) -> Result<ArrayData, ArrayError> {
        let parts = ArrayParts::new(data_type.clone(), self.offsets.n_slots());
        let buffers = [self.offsets.finish(), Buffer::from(std::mem::take(&mut self.bytes))];
        assemble(ArrayParts { validity, buffers, ..parts })
    }
}
