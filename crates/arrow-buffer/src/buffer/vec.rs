//! The way from a `Vec` of numbers to a buffer and back, both without a copy.

use std::alloc::Layout;
use std::mem::ManuallyDrop;
use std::ptr::NonNull;
use std::sync::Arc;

use crate::buffer::Buffer;
use crate::buffer::owner::Owner;
use crate::native::Native;

/// The allocation of a `Vec<T>` for some number type `T`.
pub(super) struct VecMemory {
    /// Allocated by the global allocator with `layout`.
    ptr: NonNull<u8>,
    /// The layout of `[T; capacity]`, not of size 0.
    layout: Layout,
}

// SAFETY: the memory is owned by this value alone and holds plain numbers, for which the thread does not matter.
unsafe impl Send for VecMemory {}

// SAFETY: nothing changes it through a shared reference.
unsafe impl Sync for VecMemory {}

impl Drop for VecMemory {
    fn drop(&mut self) {
        // SAFETY: `ptr` was allocated with `layout` by the `Vec` that was taken apart in `Buffer::from`, and is freed
        // by nobody else: `into_vec` takes this value apart without dropping it. Numbers need no drop.
        unsafe { std::alloc::dealloc(self.ptr.as_ptr(), self.layout) }
    }
}

impl<T: Native> From<Vec<T>> for Buffer {
    /// The memory of the vector. Nothing is copied.
    fn from(numbers: Vec<T>) -> Buffer {
        let n_bytes = size_of_val(numbers.as_slice());
        let Ok(layout) = Layout::array::<T>(numbers.capacity()) else {
            unreachable!("the vector was allocated with this layout");
        };
        if layout.size() == 0 {
            return Buffer::new();
        }
        let mut numbers = ManuallyDrop::new(numbers);
        let Some(ptr) = NonNull::new(numbers.as_mut_ptr().cast::<u8>()) else {
            unreachable!("a vector never points to null");
        };
        Buffer { owner: Some(Arc::new(Owner::Vec(VecMemory { ptr, layout }))), ptr, len: n_bytes }
    }
}

impl<T: Native> FromIterator<T> for Buffer {
    fn from_iter<I: IntoIterator<Item = T>>(numbers: I) -> Buffer {
        Buffer::from(Vec::from_iter(numbers))
    }
}

impl Buffer {
    /// The vector that the buffer was made from, without a copy.
    ///
    /// # Errors
    ///
    /// Gives the buffer back when others share its memory, when it was not made from a vector of numbers of the
    /// same size and alignment, when it does not start where the vector did, or when it ends inside a number.
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
    pub fn into_vec<T: Native>(self) -> Result<Vec<T>, Buffer> {
        let Buffer { owner, ptr, len } = self;
        let Some(owner) = owner else {
            return Err(Buffer { owner, ptr, len });
        };
        let back_to_vec = |owner: &Owner| match owner {
            Owner::Vec(memory) => {
                memory.ptr == ptr
                    && memory.layout.align() == align_of::<T>()
                    && memory.layout.size().is_multiple_of(size_of::<T>())
                    && len.is_multiple_of(size_of::<T>())
            }
            #[cfg(feature = "mmap")]
            Owner::Map(_) => false,
            Owner::Memory(_) | Owner::Foreign(_) | Owner::Kept(_) | Owner::Charged(_) => false,
        };
        if !back_to_vec(&owner) {
            return Err(Buffer { owner: Some(owner), ptr, len });
        }
        match Arc::try_unwrap(owner) {
            Ok(Owner::Vec(memory)) => {
                let memory = ManuallyDrop::new(memory);
                let start = memory.ptr.as_ptr().cast::<T>();
                let n_numbers = len / size_of::<T>();
                let capacity = memory.layout.size() / size_of::<T>();
                // SAFETY: `start` was allocated by a `Vec` with the size `capacity * size_of::<T>()` and the alignment
                // of `T`, checked above. Its first `len` bytes are initialised: a buffer never reaches past
                // the numbers of its vector; every pattern of bits is a `T`, since `T: Pod`. The owner was the
                // last one, and is not dropped, so the memory belongs to the new vector alone.
                Ok(unsafe { Vec::from_raw_parts(start, n_numbers, capacity) })
            }
            Ok(owner) => Err(Buffer { owner: Some(Arc::new(owner)), ptr, len }),
            Err(owner) => Err(Buffer { owner: Some(owner), ptr, len }),
        }
    }
}
