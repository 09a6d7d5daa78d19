//! Bytes that grow while other code reads snapshots.

use std::fmt;
use std::ops::Deref;
use std::sync::Arc;

use crate::buffer::Buffer;
use crate::buffer::owner::Owner;
use crate::memory::Memory;
use crate::native::NativeType;

/// A buffer that can grow. A snapshot of it is a [`Buffer`], and copies nothing.
///
/// A [`snapshot`](GrowingBuffer::snapshot) shares the bytes so far; later bytes are written after the shared bytes. If
/// the memory is full, memory of at least twice the size replaces it, and the old memory lives as long as its
/// snapshots. So the number of copied bytes is in proportion to the appended bytes, for any number of snapshots.
///
/// ```
/// use arrow_buffer::GrowingBuffer;
///
/// let mut bytes = GrowingBuffer::new();
/// bytes.extend_from_slice(b"arr");
/// let before = bytes.snapshot();
/// bytes.extend_from_slice(b"ow");
/// assert_eq!((&*before, &*bytes.snapshot()), (&b"arr"[..], &b"arrow"[..]));
/// ```
pub struct GrowingBuffer {
    /// All bytes that have been appended. The buffer starts where the memory starts, and has the same pointer.
    bytes: Buffer,
    /// The number of bytes, from the start of `bytes` on, that this value may use. No other value writes to the bytes
    /// after `bytes` and before this end.
    capacity: usize,
}

impl GrowingBuffer {
    /// Makes an empty buffer. Nothing is allocated.
    pub const fn new() -> GrowingBuffer {
        GrowingBuffer { bytes: Buffer::new(), capacity: 0 }
    }

    /// The number of bytes so far.
    pub const fn len(&self) -> usize {
        self.bytes.len
    }

    /// Whether there are no bytes.
    pub const fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Appends `bytes`.
    ///
    /// # Panics
    ///
    /// If the allocation fails, as `Vec` does.
    pub fn extend_from_slice(&mut self, bytes: &[u8]) {
        self.appended(bytes.len()).copy_from_slice(bytes);
    }

    /// Appends the bytes of many numbers, in the byte order of this machine.
    pub fn extend_values<T: NativeType>(&mut self, numbers: &[T]) {
        self.extend_from_slice(bytemuck::cast_slice(numbers));
    }

    /// All bytes so far, as a buffer. Nothing is copied. The bytes of the snapshot start at a multiple of 64, and never change.
    pub fn snapshot(&self) -> Buffer {
        self.bytes.clone()
    }

    /// Removes all bytes after the first `n_bytes`. Does nothing if there are at most `n_bytes` bytes. If a snapshot
    /// shares the memory, the remaining bytes are copied. Returns the number of copied bytes.
    ///
    /// ```
    /// use arrow_buffer::GrowingBuffer;
    ///
    /// let mut bytes = GrowingBuffer::new();
    /// bytes.extend_from_slice(b"arrows");
    /// assert_eq!(bytes.truncate(5), 0);
    /// let shared = bytes.snapshot();
    /// assert_eq!(bytes.truncate(3), 3);
    /// bytes.extend_from_slice(b"ay");
    /// assert_eq!((&*shared, &*bytes), (&b"arrow"[..], &b"array"[..]));
    /// ```
    pub fn truncate(&mut self, n_bytes: usize) -> usize {
        if n_bytes >= self.len() {
            return 0;
        }
        if self.bytes.owner.as_mut().is_some_and(|owner| Arc::get_mut(owner).is_some()) {
            // No other buffer refers to the memory, so nobody can see what is written there.
            self.bytes.len = n_bytes;
            return 0;
        }
        self.move_to(Memory::zeroed(self.capacity), n_bytes);
        n_bytes
    }

    /// Makes room for `n_more` bytes after the existing bytes.
    fn reserve(&mut self, n_more: usize) {
        if self.capacity - self.len() < n_more {
            let needed = self.len().checked_add(n_more).expect("more bytes than an address space holds");
            self.move_to(Memory::zeroed(needed.max(self.len().saturating_mul(2))), self.len());
        }
    }

    /// Copies the first `n_used` bytes to other memory, which has room for them.
    fn move_to(&mut self, mut memory: Memory, n_used: usize) {
        memory.as_mut_slice()[..n_used].copy_from_slice(&self.bytes[..n_used]);
        let (ptr, capacity) = (memory.as_ptr(), memory.capacity());
        self.bytes = Buffer { owner: Some(Arc::new(Owner::Memory(memory))), ptr, len: n_used };
        self.capacity = capacity;
    }

    /// Extends the contents by the next `n_bytes` bytes, and returns these bytes.
    fn appended(&mut self, n_bytes: usize) -> &mut [u8] {
        self.reserve(n_bytes);
        let start = self.len();
        self.bytes.len += n_bytes;
        let target = self.bytes.ptr.as_ptr().wrapping_add(start);
        // SAFETY: `start` is at most `capacity`, and `capacity` bytes from `ptr` on lie in one memory: `move_to` takes
        // `ptr` and `capacity` from this memory, and `truncate` only makes `bytes` shorter. Without memory, all numbers
        // are 0. `reserve` has made room for `n_bytes` from `start` on, in memory that is initialised from end to end
        // and kept by `bytes`. Nobody else refers to these bytes. Snapshots end before them: a snapshot is as long as
        // `bytes` was, and `bytes` is made shorter only while there is no other reference to the memory. A clone has no
        // free capacity. `self` is borrowed mutably as long as the slice is.
        unsafe { std::slice::from_raw_parts_mut(target, n_bytes) }
    }
}

impl Deref for GrowingBuffer {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        self.bytes.as_slice()
    }
}

impl Default for GrowingBuffer {
    fn default() -> GrowingBuffer {
        GrowingBuffer::new()
    }
}

impl Clone for GrowingBuffer {
    /// The clone shares the bytes so far. Bytes that are appended to the clone are written to new memory.
    fn clone(&self) -> GrowingBuffer {
        GrowingBuffer { bytes: self.bytes.clone(), capacity: self.len() }
    }
}

impl fmt::Debug for GrowingBuffer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("GrowingBuffer")
            .field("n_bytes", &self.len())
            .field("capacity", &self.capacity)
            .finish()
    }
}
