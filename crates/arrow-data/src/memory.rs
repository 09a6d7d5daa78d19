//! Finds arrays in the same memory. Their values are equal, and need not be compared.
//!
//! Bytes of a buffer never change, so bytes at one address are equal as long as both arrays live. Arrays in different
//! memory may still be equal.

use std::sync::Arc;

use arrow_buffer::{Bitmap, Buffer};

use crate::array::ArrayData;

impl ArrayData {
    /// Whether both arrays have the same type, length and memory, and so the same values. Reads no values.
    ///
    /// ```
    /// use arrow_buffer::Buffer;
    /// use arrow_data::{ArrayData, ArrayParts};
    /// use arrow_schema::DataType;
    ///
    /// let parts = ArrayParts::new(DataType::Int32, 2);
    /// let numbers =
    ///     ArrayData::try_new(ArrayParts { buffers: [Buffer::from(vec![5, 6]), Buffer::new()], ..parts })?;
    /// assert!(numbers.same_memory(&numbers.clone()));
    /// assert!(!numbers.same_memory(&numbers.slice(0, 1)));
    /// # Ok::<(), arrow_data::DataError>(())
    /// ```
    pub fn same_memory(&self, other: &ArrayData) -> bool {
        self.len() == other.len()
            && self.data_type().same_type(other.data_type())
            && (std::ptr::eq(self, other) || continues(self, other))
    }

    /// Whether this array has the type of `start`, is at least as long, and begins in the memory of `start`. Then it
    /// also begins with the same values. Reads no values. The result is `true` for snapshots of a
    /// growing array until the growing array moves to larger memory.
    ///
    /// ```
    /// use arrow_buffer::Buffer;
    /// use arrow_data::{ArrayData, ArrayParts};
    /// use arrow_schema::DataType;
    ///
    /// let parts = ArrayParts::new(DataType::Int32, 2);
    /// let numbers =
    ///     ArrayData::try_new(ArrayParts { buffers: [Buffer::from(vec![5, 6]), Buffer::new()], ..parts })?;
    /// assert!(numbers.continues_memory(&numbers.slice(0, 1)));
    /// assert!(!numbers.continues_memory(&numbers.slice(1, 1)));
    /// # Ok::<(), arrow_data::DataError>(())
    /// ```
    pub fn continues_memory(&self, start: &ArrayData) -> bool {
        std::ptr::eq(start, self) || self.data_type().same_type(start.data_type()) && continues(start, self)
    }
}

/// Whether the longer array begins with the memory of the shorter one. This is true for snapshots of a growing array
/// until the growing array moves to larger memory. If `false`, the values may still be equal.
fn continues(shorter: &ArrayData, longer: &ArrayData) -> bool {
    shorter.len() <= longer.len()
        && shorter.offset() == longer.offset()
        && match (shorter.validity(), longer.validity()) {
            (None, None) => true,
            (Some(shorter), Some(longer)) => begins_with_bits(shorter, longer),
            (None, Some(_)) | (Some(_), None) => false,
        }
        && (0..2).all(|k| begins_with(shorter.buffer(k), longer.buffer(k)))
        && shorter.variadic().len() <= longer.variadic().len()
        && shorter.variadic().iter().zip(longer.variadic()).all(|(one, other)| begins_with(one, other))
        && shorter.children().len() == longer.children().len()
        && shorter.children().iter().zip(longer.children()).all(|(one, other)| continues(one, other))
        && match (shorter.dictionary(), longer.dictionary()) {
            (Some(one), Some(other)) => {
                Arc::ptr_eq(one, other) || one.len() <= other.len() && continues(one, other)
            }
            (one, other) => one.is_none() && other.is_none(),
        }
}

fn begins_with(shorter: &Buffer, longer: &Buffer) -> bool {
    shorter.is_empty() || shorter.as_ptr() == longer.as_ptr() && shorter.len() <= longer.len()
}

fn begins_with_bits(shorter: &Bitmap, longer: &Bitmap) -> bool {
    begins_with(shorter.buffer(), longer.buffer()) && shorter.bit_offset() == longer.bit_offset()
}
