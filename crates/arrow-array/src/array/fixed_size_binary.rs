//! Arrays of bytes that all have the same length.

use arrow_buffer::Buffer;
use arrow_data::{ArrayData, Validation};

use super::{IndexedSlots, methods::array_methods, sealed::Slots};
use crate::{
    error::ArrayError,
    kind::{Kind, kind},
};

/// Binary values that all have the same length. [`value`](FixedSizeBinaryArray::value) returns an empty value for a
/// null slot.
///
/// ```
/// use arrow_array::FixedSizeBinaryBuilder;
///
/// let codes = FixedSizeBinaryBuilder::try_new(2)?.with_values([Some(b"at"), None, Some(b"ch")]).finish()?;
/// assert_eq!((codes.value_bytes(), codes.get(0), codes.get(1)), (2, Some(b"at".as_slice()), None));
/// # Ok::<(), arrow_array::ArrayError>(())
/// ```
///
/// Follows "Fixed-size Primitive Layout" of the specification.
#[derive(Clone)]
pub struct FixedSizeBinaryArray {
    data: ArrayData,
    n_bytes: usize,
}

impl FixedSizeBinaryArray {
    /// The length of each value in bytes; may be 0.
    pub fn value_bytes(&self) -> usize {
        self.n_bytes
    }

    /// The bytes of all slots, one after the other. The bytes of null slots have no meaning.
    pub fn values(&self) -> &Buffer {
        self.data.buffer(0)
    }
}

impl Slots for FixedSizeBinaryArray {
    type Item<'a> = &'a [u8];
    type Access<'a> = IndexedSlots<'a, Self>;

    fn make(data: ArrayData) -> Result<FixedSizeBinaryArray, ArrayError> {
        let Kind::FixedSizeBinary(n_bytes) = kind(data.data_type()) else {
            return Err(ArrayError::type_mismatch("fixed_size_binary", data.data_type()));
        };
        Ok(FixedSizeBinaryArray { data: data.validate(Validation::Content)?, n_bytes })
    }

    #[inline]
    fn access(&self) -> IndexedSlots<'_, Self> {
        IndexedSlots(self)
    }

    #[inline]
    fn at(&self, slot: usize) -> &[u8] {
        let start = slot.saturating_mul(self.n_bytes);
        self.values().get(start..start.saturating_add(self.n_bytes)).unwrap_or_default()
    }

    fn zero_value(&self) -> &[u8] {
        &[]
    }
}

array_methods!([] FixedSizeBinaryArray, &[u8]);
