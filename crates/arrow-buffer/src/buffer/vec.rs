//! Turns a `Vec` of numbers into a buffer and back without a copy.

use std::ops::Range;
use std::sync::Arc;

use bytemuck::allocation::try_cast_vec;

use crate::buffer::Buffer;
use crate::buffer::owner::Owner;
use crate::memory::MemoryPointer;
use crate::native::{NativeType, Word};

/// The memory of a `Vec` of numbers, as a vector of numbers whose size is this alignment.
pub(super) enum VecMemory {
    By1(Vec<u8>),
    By2(Vec<u16>),
    By4(Vec<u32>),
    By8(Vec<Word>),
}

/// Runs the same code for the vector of any of these types.
macro_rules! with_vec {
    ($memory:expr, $numbers:ident => $result:expr) => {
        match $memory {
            VecMemory::By1($numbers) => $result,
            VecMemory::By2($numbers) => $result,
            VecMemory::By4($numbers) => $result,
            VecMemory::By8($numbers) => $result,
        }
    };
}

impl VecMemory {
    fn new<T: NativeType>(numbers: Vec<T>) -> VecMemory {
        let numbers = match try_cast_vec(numbers) {
            Ok(numbers) => return VecMemory::By1(numbers),
            Err((_, numbers)) => numbers,
        };
        let numbers = match try_cast_vec(numbers) {
            Ok(numbers) => return VecMemory::By2(numbers),
            Err((_, numbers)) => numbers,
        };
        let numbers = match try_cast_vec(numbers) {
            Ok(numbers) => return VecMemory::By4(numbers),
            Err((_, numbers)) => numbers,
        };
        match try_cast_vec(numbers) {
            Ok(numbers) => VecMemory::By8(numbers),
            Err(_) => unreachable!(
                "no number is aligned to more than 8 bytes, and each is as long as it is aligned, or longer"
            ),
        }
    }

    fn as_bytes(&self) -> &[u8] {
        with_vec!(self, numbers => NativeType::slice_as_bytes(numbers))
    }

    /// The addresses of the allocation.
    pub(super) fn addresses(&self) -> Range<usize> {
        with_vec!(self, numbers => {
            let start = numbers.as_ptr().addr();
            start..start.saturating_add(n_bytes_allocated(numbers))
        })
    }

    /// Whether the first `n_bytes` bytes can become a vector of `T`.
    fn holds<T: NativeType>(&self, n_bytes: usize) -> bool {
        let (align, n_allocated) =
            with_vec!(self, numbers => (align_of_item(numbers), n_bytes_allocated(numbers)));
        align == align_of::<T>()
            && n_allocated.is_multiple_of(size_of::<T>())
            && n_bytes.is_multiple_of(size_of::<T>())
    }

    /// The first `n_bytes` bytes as a vector of `T`. Returns the buffer if its memory cannot become a vector of `T`.
    fn into_vec<T: NativeType>(self, n_bytes: usize) -> Result<Vec<T>, Buffer> {
        with_vec!(self, numbers => {
            let mut numbers = numbers;
            numbers.truncate(n_bytes / align_of::<T>());
            try_cast_vec(numbers).map_err(|(_, numbers)| Buffer::from(numbers))
        })
    }
}

fn align_of_item<T>(_: &[T]) -> usize {
    align_of::<T>()
}

fn n_bytes_allocated<T>(numbers: &Vec<T>) -> usize {
    // No allocation is larger than an address space.
    numbers.capacity().saturating_mul(size_of::<T>())
}

impl<T: NativeType> From<Vec<T>> for Buffer {
    /// The memory of the vector. Nothing is copied.
    fn from(numbers: Vec<T>) -> Buffer {
        if numbers.capacity() == 0 {
            return Buffer::new();
        }
        // The vector is stored before its bytes are read. The bytes stay at their address when the vector moves.
        let memory = VecMemory::new(numbers);
        let bytes = memory.as_bytes();
        let ptr = MemoryPointer::to_bytes(bytes);
        let len = bytes.len();
        Buffer { owner: Some(Arc::new(Owner::Vec(memory))), ptr, len }
    }
}

impl<T: NativeType> FromIterator<T> for Buffer {
    fn from_iter<I: IntoIterator<Item = T>>(numbers: I) -> Buffer {
        Buffer::from(Vec::from_iter(numbers))
    }
}

impl Buffer {
    /// The vector from which the buffer was made, without a copy.
    ///
    /// # Errors
    ///
    /// The buffer itself, in any of these cases:
    /// - Other buffers share its memory.
    /// - The buffer was not made from a vector of numbers of the same size and alignment.
    /// - The buffer does not start at the first number of the vector.
    /// - The buffer ends inside a number.
    ///
    /// ```
    /// use arrow_buffer::Buffer;
    ///
    /// let buffer = Buffer::from(vec![1_u16, 2, 3]);
    /// let other = buffer.clone();
    /// let buffer = buffer.into_vec::<u16>().unwrap_err();
    /// drop(other);
    /// assert_eq!(buffer.into_vec::<u16>(), Ok(vec![1, 2, 3]));
    /// ```
    pub fn into_vec<T: NativeType>(self) -> Result<Vec<T>, Buffer> {
        let Buffer { owner, ptr, len } = self;
        let Some(owner) = owner else {
            return Err(Buffer { owner, ptr, len });
        };
        let back_to_vec = |owner: &Owner| match owner {
            Owner::Vec(memory) => ptr == MemoryPointer::to_bytes(memory.as_bytes()) && memory.holds::<T>(len),
            #[cfg(feature = "mmap")]
            Owner::Map(_) => false,
            Owner::Memory(_) | Owner::Foreign(_) | Owner::Opaque(_) | Owner::Charged(_) => false,
        };
        if !back_to_vec(&owner) {
            return Err(Buffer { owner: Some(owner), ptr, len });
        }
        match Arc::try_unwrap(owner) {
            Ok(Owner::Vec(memory)) => memory.into_vec(len),
            Ok(owner) => Err(Buffer { owner: Some(Arc::new(owner)), ptr, len }),
            Err(owner) => Err(Buffer { owner: Some(owner), ptr, len }),
        }
    }
}
