//! Memory that another library allocated. The library gives a pointer and a length.

use std::fmt;
use std::ptr::NonNull;
use std::sync::Arc;

use crate::buffer::Buffer;
use crate::buffer::owner::Owner;
use crate::memory::MemoryPointer;

/// The owner of memory that another library allocated. The owner cannot return the bytes as a slice: the other library
/// gives their address and length.
///
/// All buffers over the memory share the owner. The owner is dropped with the last of these buffers, on any thread.
///
/// ```
/// use std::sync::Arc;
/// use arrow_buffer::ForeignMemory;
///
/// let owner: Arc<Vec<u8>> = Arc::new(vec![1, 2, 3]);
/// let start = std::ptr::NonNull::from(&owner[1]);
/// let memory = ForeignMemory::new(owner);
/// // SAFETY: the owner holds these two bytes and never changes them.
/// let buffer = unsafe { memory.buffer(start, 2) };
/// drop(memory);
/// assert_eq!(&*buffer, [2, 3]);
/// ```
#[derive(Clone)]
pub struct ForeignMemory {
    owner: Arc<Owner>,
}

impl ForeignMemory {
    /// Memory that `owner` keeps alive.
    pub fn new(owner: Arc<dyn Send + Sync>) -> ForeignMemory {
        ForeignMemory { owner: Arc::new(Owner::Opaque(owner)) }
    }

    /// The `n_bytes` bytes from `start` on. Shares the memory.
    ///
    /// # Safety
    ///
    /// As long as the owner lives, `start` must be valid for reads of `n_bytes` initialised bytes, and nobody may write
    /// to these bytes. `n_bytes` must be at most `isize::MAX`.
    pub unsafe fn buffer(&self, start: NonNull<u8>, n_bytes: usize) -> Buffer {
        if n_bytes == 0 {
            return Buffer::new();
        }
        Buffer { owner: Some(Arc::clone(&self.owner)), ptr: MemoryPointer::new(start), len: n_bytes }
    }
}

impl fmt::Debug for ForeignMemory {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ForeignMemory").finish_non_exhaustive()
    }
}
