//! A buffer that has been checked to contain numbers of one type.

use std::fmt;
use std::iter::FusedIterator;
use std::marker::PhantomData;
use std::ops::{Deref, Range, RangeBounds};

use crate::buffer::{Buffer, resolve};
use crate::native::NativeType;

/// Numbers in a buffer that is aligned for them. They can be read as a slice.
///
/// ```
/// use arrow_buffer::Values;
///
/// let values = Values::from(vec![1.5_f64, 2.5, 4.0]);
/// assert_eq!(values.slice(1..)[..], [2.5, 4.0]);
/// ```
#[derive(Clone)]
pub struct Values<T: NativeType> {
    /// The buffer, which is aligned for `T` and has a whole number of values.
    buffer: Buffer,
    number: PhantomData<T>,
}

impl<T: NativeType> Values<T> {
    /// The first `n_values` numbers in `buffer`. Later bytes are left out.
    ///
    /// # Errors
    ///
    /// If the buffer is too short, or starts at an address that is not aligned for a `T`.
    pub fn try_new(buffer: Buffer, n_values: usize) -> Result<Values<T>, ValuesError> {
        let n_bytes = n_values
            .checked_mul(size_of::<T>())
            .filter(|&n_bytes| n_bytes <= buffer.len())
            .ok_or(ValuesError::TooShort { n_values, size: size_of::<T>(), n_bytes: buffer.len() })?;
        if n_bytes == 0 {
            return Ok(Values::default());
        }
        if !buffer.is_aligned_to(align_of::<T>()) {
            return Err(ValuesError::Misaligned { needed: align_of::<T>() });
        }
        Ok(Values { buffer: buffer.narrow(0, n_bytes), number: PhantomData })
    }

    /// The numbers of `range`. Shares the memory.
    ///
    /// # Panics
    ///
    /// If the range is out of bounds, like indexing into a slice.
    pub fn slice(&self, range: impl RangeBounds<usize>) -> Values<T> {
        let (start, end) = resolve(range, self.len());
        let size = size_of::<T>();
        Values { buffer: self.buffer.slice(start * size..end * size), number: PhantomData }
    }

    /// The numbers as a slice, without a copy.
    #[inline]
    pub fn as_slice(&self) -> &[T] {
        let start = self.buffer.as_ptr().cast::<T>();
        let n_values = self.buffer.len() / size_of::<T>();
        // SAFETY: the buffer keeps its bytes valid for reads and unchanged while it is borrowed. `start` is a multiple
        // of the alignment of `T`: checked in `try_new`, kept by `slice`, and true of vectors and of the empty buffer,
        // which starts at a multiple of 64. `T: Pod`, so any bytes are numbers.
        unsafe { std::slice::from_raw_parts(start, n_values) }
    }

    /// The buffer with the bytes of the numbers.
    pub fn as_buffer(&self) -> &Buffer {
        &self.buffer
    }

    /// The bytes, without a copy.
    pub fn into_buffer(self) -> Buffer {
        self.buffer
    }
}

impl<T: NativeType> Deref for Values<T> {
    type Target = [T];

    #[inline]
    fn deref(&self) -> &[T] {
        self.as_slice()
    }
}

impl<T: NativeType> AsRef<[T]> for Values<T> {
    fn as_ref(&self) -> &[T] {
        self.as_slice()
    }
}

impl<T: NativeType> Default for Values<T> {
    fn default() -> Values<T> {
        Values { buffer: Buffer::new(), number: PhantomData }
    }
}

impl<T: NativeType> From<Vec<T>> for Values<T> {
    /// The memory of the vector. Nothing is copied.
    fn from(numbers: Vec<T>) -> Values<T> {
        Values { buffer: Buffer::from(numbers), number: PhantomData }
    }
}

impl<T: NativeType, const N: usize> From<[T; N]> for Values<T> {
    /// Copies the numbers.
    fn from(numbers: [T; N]) -> Values<T> {
        Values::from(numbers.to_vec())
    }
}

impl<T: NativeType> TryFrom<Buffer> for Values<T> {
    type Error = ValuesError;

    /// All numbers of the buffer. Nothing is copied.
    ///
    /// # Errors
    ///
    /// If the bytes are not a whole number of values, or start at an address that is not aligned for a `T`.
    ///
    /// ```
    /// use arrow_buffer::{Buffer, Values};
    ///
    /// let bytes = Buffer::from(vec![1_i32, 2]);
    /// assert_eq!(Values::<i32>::try_from(bytes.clone())?[..], [1, 2]);
    /// assert!(Values::<i32>::try_from(bytes.slice(..6)).is_err());
    /// # Ok::<(), arrow_buffer::ValuesError>(())
    /// ```
    fn try_from(buffer: Buffer) -> Result<Values<T>, ValuesError> {
        let n_values = buffer.len().div_ceil(size_of::<T>());
        Values::try_new(buffer, n_values)
    }
}

impl<T: NativeType> FromIterator<T> for Values<T> {
    fn from_iter<I: IntoIterator<Item = T>>(numbers: I) -> Values<T> {
        Values::from(Vec::from_iter(numbers))
    }
}

impl<'a, T: NativeType> IntoIterator for &'a Values<T> {
    type Item = &'a T;
    type IntoIter = std::slice::Iter<'a, T>;

    fn into_iter(self) -> std::slice::Iter<'a, T> {
        self.iter()
    }
}

impl<T: NativeType> IntoIterator for Values<T> {
    type Item = T;
    type IntoIter = ValuesIntoIter<T>;

    fn into_iter(self) -> ValuesIntoIter<T> {
        ValuesIntoIter { slots: 0..self.len(), values: self }
    }
}

/// The numbers of [`Values`], in order, with the memory that they are in.
#[derive(Debug, Clone)]
pub struct ValuesIntoIter<T: NativeType> {
    values: Values<T>,
    slots: Range<usize>,
}

impl<T: NativeType> Iterator for ValuesIntoIter<T> {
    type Item = T;

    #[inline]
    fn next(&mut self) -> Option<T> {
        self.slots.next().and_then(|slot| self.values.get(slot).copied())
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        self.slots.size_hint()
    }
}

impl<T: NativeType> DoubleEndedIterator for ValuesIntoIter<T> {
    #[inline]
    fn next_back(&mut self) -> Option<T> {
        self.slots.next_back().and_then(|slot| self.values.get(slot).copied())
    }
}

impl<T: NativeType> ExactSizeIterator for ValuesIntoIter<T> {}
impl<T: NativeType> FusedIterator for ValuesIntoIter<T> {}

impl<T: NativeType> From<Values<T>> for Buffer {
    fn from(values: Values<T>) -> Buffer {
        values.buffer
    }
}

impl<T: NativeType> PartialEq for Values<T> {
    fn eq(&self, other: &Values<T>) -> bool {
        self.as_slice() == other.as_slice()
    }
}

impl<T: NativeType> fmt::Debug for Values<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}

/// The reason why a buffer cannot be read as numbers of the type.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum ValuesError {
    /// The buffer ends before the last number.
    TooShort {
        /// The requested number of numbers.
        n_values: usize,
        /// The size of one number, in bytes.
        size: usize,
        /// The length of the buffer in bytes.
        n_bytes: usize,
    },
    /// The buffer starts at an address that is not aligned for the type of the numbers.
    Misaligned {
        /// The required alignment in bytes.
        needed: usize,
    },
}

arrow_error::debug_as_display!(ValuesError);

impl fmt::Display for ValuesError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ValuesError::TooShort { n_values, size, n_bytes } => {
                write!(f, "{n_bytes} bytes are too few for {n_values} values of {size} bytes")
            }
            ValuesError::Misaligned { needed } => {
                write!(f, "the values start at an address that is not a multiple of {needed}")
            }
        }
    }
}

impl std::error::Error for ValuesError {}
