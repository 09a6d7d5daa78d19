//! Bytes that grow before they become a buffer.

use std::fmt;
use std::io::{self, IoSlice};
use std::ops::{Deref, DerefMut};

use crate::budget::{BudgetError, MemoryBudget};
use crate::buffer::Buffer;
use crate::memory::Memory;
use crate::native::NativeType;

/// If fewer bytes than this, and fewer than requested, are free, [`BufferMut::spare`] grows the memory. The new
/// capacity is at least this number, unless fewer bytes are requested.
const FIRST_CHUNK_BYTES: usize = 64 << 10;

/// Bytes that grow, and become a [`Buffer`] without a copy.
///
/// The bytes start at a multiple of 64 in memory. The whole capacity is initialised, so a reader can fill the room after
/// the contents directly. Large contents live in a mapping of their own, which grows without a copy if the system supports
/// that.
///
/// ```
/// use std::io::Read;
/// use arrow_buffer::BufferMut;
///
/// let mut source: &[u8] = b"arrow";
/// let mut bytes = BufferMut::new();
/// loop {
///     let n_read = source.read(bytes.spare(4))?;
///     bytes.filled(n_read);
///     if n_read == 0 {
///         break;
///     }
/// }
/// assert_eq!(&*bytes.freeze(), b"arrow");
/// # Ok::<(), std::io::Error>(())
/// ```
pub struct BufferMut {
    memory: Memory,
    len: usize,
    /// All bytes of the memory from this position on are zero. The position is at least `len`.
    zeros_from: usize,
}

impl BufferMut {
    /// Makes an empty buffer. Nothing is allocated.
    pub const fn new() -> BufferMut {
        BufferMut { memory: Memory::empty(), len: 0, zeros_from: 0 }
    }

    /// Makes an empty buffer with room for `n_bytes`.
    ///
    /// # Panics
    ///
    /// If the allocation fails, as `Vec` does. Check `n_bytes` first if it comes from an input.
    pub fn with_capacity(n_bytes: usize) -> BufferMut {
        BufferMut { memory: Memory::zeroed(n_bytes), len: 0, zeros_from: 0 }
    }

    /// Makes an empty buffer with room for `n_bytes`; `None` if the memory cannot be allocated.
    ///
    /// ```
    /// use arrow_buffer::BufferMut;
    ///
    /// assert!(BufferMut::try_with_capacity(1000).is_some_and(|bytes| bytes.capacity() >= 1000));
    /// assert!(BufferMut::try_with_capacity(usize::MAX).is_none());
    /// ```
    pub fn try_with_capacity(n_bytes: usize) -> Option<BufferMut> {
        Memory::try_zeroed(n_bytes).map(|memory| BufferMut { memory, len: 0, zeros_from: 0 })
    }

    /// Makes an empty buffer with room for `n_bytes`. The memory is charged to a budget. Without a budget, only the
    /// system can refuse the memory.
    ///
    /// The memory stays charged when it grows and when it becomes a [`Buffer`], until the last buffer is dropped.
    /// Methods whose names begin with `try_` ask the budget before the memory grows. All other methods charge the
    /// growth without asking, so [`n_bytes_allocated`](MemoryBudget::n_bytes_allocated) may exceed the limit.
    ///
    /// # Errors
    ///
    /// If the budget or the system refuses the memory.
    pub fn try_with_capacity_in(
        n_bytes: usize,
        budget: Option<&MemoryBudget>,
    ) -> Result<BufferMut, BudgetError> {
        Memory::try_zeroed_in(n_bytes, budget).map(|memory| BufferMut { memory, len: 0, zeros_from: 0 })
    }

    /// Like [`try_with_capacity_in`](BufferMut::try_with_capacity_in), for a buffer that is filled soon. On Linux, with
    /// the feature `mmap`, the system provides all pages of the memory in one step. It gets them back when the last
    /// buffer is dropped. Use it for at least some hundred kilobytes, all of which you will write.
    ///
    /// # Errors
    ///
    /// If the budget or the system refuses the memory.
    pub fn try_with_pages_in(
        n_bytes: usize,
        budget: Option<&MemoryBudget>,
    ) -> Result<BufferMut, BudgetError> {
        Memory::try_pages_in(n_bytes, budget).map(|memory| BufferMut { memory, len: 0, zeros_from: 0 })
    }

    /// Makes an empty buffer in existing memory. The memory may have any bytes.
    pub(crate) fn recycled(memory: Memory) -> BufferMut {
        let zeros_from = memory.capacity();
        BufferMut { memory, len: 0, zeros_from }
    }

    /// The number of bytes so far, without the free memory.
    pub const fn len(&self) -> usize {
        self.len
    }

    /// Whether there are no bytes.
    pub const fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The number of bytes for which the memory has room.
    pub fn capacity(&self) -> usize {
        self.memory.capacity()
    }

    /// The budget to which the memory is charged, if there is one.
    pub fn budget(&self) -> Option<&MemoryBudget> {
        self.memory.budget()
    }

    /// The bytes so far.
    pub fn as_slice(&self) -> &[u8] {
        &self.memory.as_slice()[..self.len]
    }

    /// The bytes so far, which may be changed in place.
    pub fn as_mut_slice(&mut self) -> &mut [u8] {
        &mut self.memory.as_mut_slice()[..self.len]
    }

    /// Removes all bytes. The capacity stays the same.
    pub fn clear(&mut self) {
        self.len = 0;
    }

    /// Removes all bytes after the first `n_bytes`. Does nothing if there are at most `n_bytes` bytes.
    pub fn truncate(&mut self, n_bytes: usize) {
        self.len = self.len.min(n_bytes);
    }

    /// Makes room for `n_more` more bytes. If the memory has to grow, its capacity at least doubles.
    ///
    /// # Panics
    ///
    /// If the allocation fails, as `Vec` does.
    #[inline]
    pub fn reserve(&mut self, n_more: usize) {
        if self.capacity() - self.len < n_more {
            let needed = self.len.checked_add(n_more).expect("more bytes than an address space holds");
            self.grow(needed.max(self.len.saturating_mul(2)));
        }
    }

    #[cold]
    fn grow(&mut self, capacity: usize) {
        self.zeros_from = self.memory.grow(capacity, self.len, self.zeros_from);
    }

    /// Like [`reserve`](BufferMut::reserve), but asks the budget of the memory first, if there is one.
    ///
    /// # Errors
    ///
    /// If the budget or the system refuses the memory. The bytes so far stay unchanged.
    pub fn try_reserve(&mut self, n_more: usize) -> Result<(), BudgetError> {
        if self.capacity() - self.len < n_more {
            let needed = self.len.checked_add(n_more);
            let needed = needed.ok_or(BudgetError::OutOfMemory { requested: u64::MAX })?;
            self.try_grow(needed.max(self.len.saturating_mul(2)))?;
        }
        Ok(())
    }

    fn try_grow(&mut self, capacity: usize) -> Result<(), BudgetError> {
        let charge = self.memory.try_charge_growth(capacity)?;
        self.zeros_from = self.memory.try_grow(capacity, (self.len, self.zeros_from), charge)?;
        Ok(())
    }

    /// Changes the length to `n_bytes`; new bytes have the value `byte`.
    pub fn resize(&mut self, n_bytes: usize, byte: u8) {
        if n_bytes <= self.len {
            self.truncate(n_bytes);
        } else if byte == 0 {
            self.extend_zeros(n_bytes - self.len);
        } else {
            self.appended(n_bytes - self.len).fill(byte);
        }
    }

    /// Appends `bytes`.
    #[inline]
    pub fn extend_from_slice(&mut self, bytes: &[u8]) {
        self.appended(bytes.len()).copy_from_slice(bytes);
    }

    /// Appends the bytes of one number, in the byte order of this machine.
    #[inline]
    pub fn push<T: NativeType>(&mut self, number: T) {
        self.extend_from_slice(bytemuck::bytes_of(&number));
    }

    /// Appends the bytes of many numbers, in the byte order of this machine.
    pub fn extend_values<T: NativeType>(&mut self, numbers: &[T]) {
        self.extend_from_slice(bytemuck::cast_slice(numbers));
    }

    /// Appends zeros. Bytes that were never used are zero already, and are not written.
    #[inline]
    pub fn extend_zeros(&mut self, n_bytes: usize) {
        self.reserve(n_bytes);
        let end = self.len + n_bytes;
        let n_used = self.zeros_from.min(end);
        if self.len < n_used {
            self.memory.as_mut_slice()[self.len..n_used].fill(0);
        }
        self.len = end;
        self.zeros_from = self.zeros_from.max(end);
    }

    /// The free memory after the contents, which a reader can fill: at most `n_bytes_wanted` bytes, but at least one.
    ///
    /// `n_bytes_wanted` is only a hint, so it may come from an input. If fewer than `n_bytes_wanted` bytes and less
    /// than 64 KiB are free, the memory grows to at most three times the length of the contents (twice if it grows
    /// without a copy), or 64 KiB if that is more. The returned bytes are initialised, but have no specified values.
    /// After writing to them, call [`BufferMut::filled`] with the number of bytes that were written.
    pub fn spare(&mut self, n_bytes_wanted: usize) -> &mut [u8] {
        if let Some(capacity) = self.capacity_to_spare(n_bytes_wanted) {
            self.grow(capacity);
        }
        self.grow_spare(n_bytes_wanted)
    }

    /// Like [`spare`](BufferMut::spare), but asks the budget of the memory first, if there is one.
    ///
    /// # Errors
    ///
    /// If the budget or the system refuses the memory. The bytes so far stay unchanged.
    pub fn try_spare(&mut self, n_bytes_wanted: usize) -> Result<&mut [u8], BudgetError> {
        if let Some(capacity) = self.capacity_to_spare(n_bytes_wanted) {
            self.try_grow(capacity)?;
        }
        Ok(self.grow_spare(n_bytes_wanted))
    }

    /// The capacity to which a call of `spare` has to grow the memory; `None` if enough bytes are free.
    fn capacity_to_spare(&self, n_bytes_wanted: usize) -> Option<usize> {
        let n_wanted = n_bytes_wanted.max(1);
        if self.capacity() - self.len >= n_wanted.min(FIRST_CHUNK_BYTES) {
            return None;
        }
        // If the bytes must be copied to grow, old and new memory together are four times as long as the contents.
        let n_times = if self.memory.grows_in_place() { 2 } else { 3 };
        let capacity = self.len.saturating_mul(n_times).max(FIRST_CHUNK_BYTES);
        let capacity = capacity.min(self.len.saturating_add(n_wanted));
        (capacity > self.capacity()).then_some(capacity)
    }

    fn grow_spare(&mut self, n_bytes_wanted: usize) -> &mut [u8] {
        let n_wanted = n_bytes_wanted.max(1);
        let end = self.capacity().min(self.len.saturating_add(n_wanted));
        self.zeros_from = self.zeros_from.max(end);
        &mut self.memory.as_mut_slice()[self.len..end]
    }

    /// Appends the first `n_bytes` bytes of the spare room to the contents, without a copy.
    ///
    /// # Panics
    ///
    /// If the spare room is smaller than `n_bytes`.
    pub fn filled(&mut self, n_bytes: usize) {
        assert!(n_bytes <= self.capacity() - self.len, "more bytes were filled than there was room for");
        self.len += n_bytes;
        self.zeros_from = self.zeros_from.max(self.len);
    }

    /// Makes a buffer of the bytes. Nothing is copied.
    pub fn freeze(self) -> Buffer {
        Buffer::from_memory(self.memory, self.len)
    }

    /// Like [`extend_from_slice`](BufferMut::extend_from_slice), but asks the budget of the memory first, if there is one.
    ///
    /// # Errors
    ///
    /// If the budget or the system refuses the memory. The bytes so far stay unchanged.
    pub fn try_extend_from_slice(&mut self, bytes: &[u8]) -> Result<(), BudgetError> {
        self.try_reserve(bytes.len())?;
        self.extend_from_slice(bytes);
        Ok(())
    }

    /// Like [`extend_zeros`](BufferMut::extend_zeros), but asks the budget of the memory first, if there is one.
    ///
    /// # Errors
    ///
    /// If the budget or the system refuses the memory. The bytes so far stay unchanged.
    pub fn try_extend_zeros(&mut self, n_bytes: usize) -> Result<(), BudgetError> {
        self.try_reserve(n_bytes)?;
        self.extend_zeros(n_bytes);
        Ok(())
    }

    /// Extends the contents by the next `n_bytes` bytes, and returns these bytes.
    #[inline]
    fn appended(&mut self, n_bytes: usize) -> &mut [u8] {
        self.reserve(n_bytes);
        let start = self.len;
        self.len += n_bytes;
        self.zeros_from = self.zeros_from.max(self.len);
        &mut self.memory.as_mut_slice()[start..start + n_bytes]
    }
}

impl Deref for BufferMut {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        self.as_slice()
    }
}

impl DerefMut for BufferMut {
    fn deref_mut(&mut self) -> &mut [u8] {
        self.as_mut_slice()
    }
}

/// Each write appends its bytes to the buffer. Only an allocation can fail; it then panics as a `Vec` does.
///
/// ```
/// use std::io::Write;
/// use arrow_buffer::BufferMut;
///
/// let mut bytes = BufferMut::new();
/// write!(bytes, "{} rows", 3)?;
/// assert_eq!(&*bytes, b"3 rows");
/// # Ok::<(), std::io::Error>(())
/// ```
impl io::Write for BufferMut {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn write_vectored(&mut self, slices: &[IoSlice<'_>]) -> io::Result<usize> {
        let n_bytes = slices.iter().map(|slice| slice.len()).sum();
        self.reserve(n_bytes);
        slices.iter().for_each(|slice| self.extend_from_slice(slice));
        Ok(n_bytes)
    }

    fn write_all(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.extend_from_slice(bytes);
        Ok(())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Default for BufferMut {
    fn default() -> BufferMut {
        BufferMut::new()
    }
}

impl Clone for BufferMut {
    fn clone(&self) -> BufferMut {
        BufferMut::from(self.as_slice())
    }
}

impl From<&[u8]> for BufferMut {
    fn from(bytes: &[u8]) -> BufferMut {
        let mut copy = BufferMut::with_capacity(bytes.len());
        copy.extend_from_slice(bytes);
        copy
    }
}

impl PartialEq for BufferMut {
    fn eq(&self, other: &BufferMut) -> bool {
        self.as_slice() == other.as_slice()
    }
}

impl Eq for BufferMut {}

impl fmt::Debug for BufferMut {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("BufferMut").field("n_bytes", &self.len).field("capacity", &self.capacity()).finish()
    }
}
