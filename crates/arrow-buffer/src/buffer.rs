//! Immutable bytes that are shared: their owner, and a range of them.

pub(crate) mod foreign;
#[deny(unsafe_code)]
mod from;
pub(crate) mod growing;
#[deny(unsafe_code)]
pub(crate) mod mutable;
mod owner;
#[deny(unsafe_code)]
mod vec;

use std::fmt;
#[cfg(feature = "mmap")]
use std::fs::File;
#[cfg(feature = "mmap")]
use std::io;
use std::ops::{Bound, Deref, Range, RangeBounds};
use std::sync::Arc;

use crate::budget::{BudgetError, Charge, MemoryBudget};
use crate::buffer::mutable::BufferMut;
use crate::buffer::owner::{Owner, SelectedBytes};
use crate::memory::{Memory, MemoryPointer, nowhere};
use crate::native::NativeType;

/// A shared range of immutable bytes.
///
/// A clone or a slice increments one reference count and copies nothing. The memory is released when its last buffer is
/// dropped. Bytes that this crate allocates start at a multiple of 64; bytes of other owners may start at any address
/// (see [`Buffer::to_aligned`]).
///
/// ```
/// use arrow_buffer::Buffer;
///
/// let whole = Buffer::copy_from(b"column");
/// let part = whole.slice(0..3);
/// assert_eq!(&*part, b"col");
/// assert!(whole.try_slice(4, u64::MAX).is_err());
/// ```
#[derive(Clone)]
pub struct Buffer {
    /// Keeps the memory at `ptr` alive and unchanged; `None` if the memory is static, or if the buffer has no memory.
    owner: Option<Arc<Owner>>,
    /// The pointer is valid for reads of `len` bytes as long as `owner` lives.
    ptr: MemoryPointer,
    len: usize,
}

// A buffer only gives out shared references to bytes. Nobody writes to these bytes while the buffer lives. So a buffer
// may be used and dropped on any thread on which its owner may.
const _: () = {
    const fn is_send_and_sync<T: Send + Sync>() {}
    is_send_and_sync::<Owner>();
    is_send_and_sync::<Buffer>();
};

impl Buffer {
    /// Makes an empty buffer. Nothing is allocated.
    pub const fn new() -> Buffer {
        Buffer { owner: None, ptr: nowhere(), len: 0 }
    }

    /// Makes a buffer over bytes that live forever. Nothing is copied.
    pub const fn from_static(bytes: &'static [u8]) -> Buffer {
        Buffer { owner: None, ptr: MemoryPointer::to_bytes(bytes), len: bytes.len() }
    }

    /// Copies `bytes` to memory that starts at a multiple of 64.
    pub fn copy_from(bytes: &[u8]) -> Buffer {
        let mut copy = BufferMut::with_capacity(bytes.len());
        copy.extend_from_slice(bytes);
        copy.freeze()
    }

    /// Copies `bytes` to memory that starts at a multiple of 64. The memory is charged to the budget as long as a
    /// buffer refers to it. Without a budget, only the system can refuse the memory.
    ///
    /// # Errors
    ///
    /// If the budget or the system refuses the memory.
    pub fn try_copy_in(bytes: &[u8], budget: Option<&MemoryBudget>) -> Result<Buffer, BudgetError> {
        let mut copy = BufferMut::try_with_capacity_in(bytes.len(), budget)?;
        copy.extend_from_slice(bytes);
        Ok(copy.freeze())
    }

    /// Makes a buffer of `n_bytes` zeros. For a large buffer, the system provides memory that is zero already, so no
    /// byte is written.
    ///
    /// # Panics
    ///
    /// If the allocation fails, as `Vec` does; [`try_zeroed_in`](Buffer::try_zeroed_in) does not.
    pub fn zeroed(n_bytes: usize) -> Buffer {
        let mut zeros = BufferMut::with_capacity(n_bytes);
        zeros.extend_zeros(n_bytes);
        zeros.freeze()
    }

    /// A buffer of `n_bytes` zeros. The memory is charged to the budget as long as a buffer refers to it. Without a
    /// budget, only the system can refuse the memory.
    ///
    /// ```
    /// use arrow_buffer::Buffer;
    ///
    /// assert_eq!(*Buffer::try_zeroed_in(3, None)?, [0, 0, 0]);
    /// assert!(Buffer::try_zeroed_in(usize::MAX, None).is_err());
    /// # Ok::<(), arrow_buffer::BudgetError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// If the budget or the system refuses the memory.
    pub fn try_zeroed_in(n_bytes: usize, budget: Option<&MemoryBudget>) -> Result<Buffer, BudgetError> {
        let mut zeros = BufferMut::try_with_capacity_in(n_bytes, budget)?;
        zeros.extend_zeros(n_bytes);
        Ok(zeros.freeze())
    }

    /// Makes a buffer over the bytes of any owner. The owner is dropped with the last buffer over its bytes.
    ///
    /// `as_ref` of the owner is called once.
    ///
    /// This shares memory with other crates without a copy: a `Bytes` of the crate `bytes` becomes a buffer with
    /// `Buffer::from_owner(bytes)`, and a buffer becomes `Bytes` with `Bytes::from_owner(buffer)`.
    ///
    /// ```
    /// let bytes: std::sync::Arc<[u8]> = std::sync::Arc::from(*b"shared");
    /// let buffer = arrow_buffer::Buffer::from_owner(bytes.clone());
    /// assert_eq!(buffer.as_ptr(), bytes.as_ptr());
    /// ```
    pub fn from_owner<O: AsRef<[u8]> + Send + Sync + 'static>(owner: O) -> Buffer {
        Buffer::from_owner_with(owner, |owner| owner.as_ref())
    }

    /// Makes a buffer over the bytes that `select` returns for an owner. The owner is dropped with the last buffer over
    /// its bytes. Use it for owners that do not implement `AsRef<[u8]>`, such as shared vectors of numbers.
    ///
    /// `select` is called once, when the owner is at its final address.
    ///
    /// ```
    /// use std::sync::Arc;
    /// use arrow_buffer::{Buffer, NativeType};
    ///
    /// let numbers = Arc::new(vec![1_i64, 2, 3]);
    /// let buffer = Buffer::from_owner_with(numbers.clone(), |numbers| NativeType::slice_as_bytes(numbers));
    /// assert_eq!(buffer.view::<i64>()?, [1, 2, 3]);
    /// assert_eq!(buffer.as_ptr(), numbers.as_ptr().cast());
    /// # Ok::<(), arrow_buffer::MisalignedError>(())
    /// ```
    pub fn from_owner_with<O, F>(owner: O, select: F) -> Buffer
    where
        O: Send + Sync + 'static,
        F: Fn(&O) -> &[u8] + Send + Sync + 'static,
    {
        // The owner is moved to its final address first, since its bytes may lie inside it.
        let owner = Arc::new(Owner::Foreign(Box::new(SelectedBytes { owner, select })));
        let Owner::Foreign(in_place) = &*owner else { unreachable!("it was made above") };
        let bytes = in_place.bytes();
        let ptr = MemoryPointer::to_bytes(bytes);
        let len = bytes.len();
        Buffer { owner: Some(owner), ptr, len }
    }

    /// Maps a whole file into memory, for reading. An empty file gives an empty buffer.
    ///
    /// Pages are read when they are first touched; the buffer starts at a page, hence at a multiple of 64.
    ///
    /// # Safety
    ///
    /// While the buffer, or a clone or slice of it, exists, no process may write to the file or shorten it. Checked
    /// bytes must not change, and access to bytes that were cut off ends the process with a signal. It is allowed to
    /// rename another file to the name of this file.
    ///
    /// # Errors
    ///
    /// If the system refuses, for example because the file is a pipe.
    ///
    /// ```no_run
    /// use std::fs::File;
    /// use arrow_buffer::Buffer;
    ///
    /// let file = File::open("people.arrow")?;
    /// // SAFETY: nothing writes to `people.arrow`; a new version of it is renamed over the old one.
    /// let bytes = unsafe { Buffer::map(&file) }?;
    /// // The map outlives the handle of the file.
    /// drop(file);
    /// println!("{} bytes, none of them read yet", bytes.len());
    /// # Ok::<(), std::io::Error>(())
    /// ```
    #[cfg(feature = "mmap")]
    pub unsafe fn map(file: &File) -> io::Result<Buffer> {
        if file.metadata()?.len() == 0 {
            return Ok(Buffer::new());
        }
        // SAFETY: the caller promises that the file is neither written nor shortened while the map lives.
        let map = unsafe { memmap2::Mmap::map(file)? };
        Ok(Buffer::from_map(map))
    }

    #[cfg(feature = "mmap")]
    fn from_map(map: memmap2::Mmap) -> Buffer {
        let len = map.len();
        let ptr = MemoryPointer::to_bytes(&map);
        Buffer { owner: Some(Arc::new(Owner::Map(map))), ptr, len }
    }

    /// Makes a buffer of the first `len` bytes of `memory`, which becomes the owner.
    pub(crate) fn from_memory(memory: Memory, len: usize) -> Buffer {
        assert!(len <= memory.capacity(), "a buffer ends past its memory");
        if len == 0 {
            return Buffer::new();
        }
        let ptr = memory.as_ptr();
        Buffer { owner: Some(Arc::new(Owner::Memory(memory))), ptr, len }
    }

    /// Makes an empty [`BufferMut`] in this buffer's memory. This works if a [`BufferMut`] made the memory and no other
    /// buffer refers to the memory.
    ///
    /// ```
    /// use arrow_buffer::Buffer;
    ///
    /// let buffer = Buffer::copy_from(b"read, and not needed any more");
    /// let slice = buffer.slice(0..4);
    /// let buffer = buffer.try_recycle().expect_err("the slice refers to it");
    /// drop(slice);
    /// assert_eq!(buffer.try_recycle().map(|memory| memory.is_empty()).ok(), Some(true));
    /// ```
    ///
    /// # Errors
    /// The buffer itself, if its memory cannot be used again.
    pub fn try_recycle(self) -> Result<BufferMut, Buffer> {
        // The kind of owner is checked first: owners of other kinds must not move, since the buffer points into them.
        let is_recyclable = self.owner.as_deref().is_some_and(|owner| matches!(owner, Owner::Memory(_)));
        let Buffer { owner, ptr, len } = self;
        match owner {
            Some(owner) if is_recyclable => match Arc::try_unwrap(owner) {
                Ok(Owner::Memory(memory)) => Ok(BufferMut::recycled(memory)),
                Ok(owner) => Err(Buffer { owner: Some(Arc::new(owner)), ptr, len }),
                Err(owner) => Err(Buffer { owner: Some(owner), ptr, len }),
            },
            owner => Err(Buffer { owner, ptr, len }),
        }
    }

    /// Whether [`try_recycle`](Buffer::try_recycle) would succeed now.
    pub fn is_recyclable(&self) -> bool {
        self.owner
            .as_ref()
            .is_some_and(|owner| matches!(**owner, Owner::Memory(_)) && Arc::strong_count(owner) == 1)
    }

    /// Attaches a charge to the buffer. The charge is dropped with the last clone or slice of the buffer. Use it for
    /// memory that was not allocated under a budget, for example the memory of a vector. Earlier clones and slices of
    /// the buffer do not keep the charge.
    ///
    /// ```
    /// use arrow_buffer::{Buffer, MemoryBudget};
    ///
    /// let budget = MemoryBudget::new(100);
    /// let numbers = Buffer::from(vec![1_i64, 2, 3]);
    /// let charge = budget.try_charge(numbers.len() as u64)?;
    /// let slice = numbers.with_charge(charge).slice(8..);
    /// assert_eq!(budget.n_bytes_allocated(), 24);
    /// drop(slice);
    /// assert_eq!(budget.n_bytes_allocated(), 0);
    /// # Ok::<(), arrow_buffer::BudgetError>(())
    /// ```
    #[must_use]
    pub fn with_charge(self, charge: Charge) -> Buffer {
        let Buffer { owner, ptr, len } = self;
        Buffer { owner: Some(Arc::new(Owner::Charged((owner, charge)))), ptr, len }
    }

    /// All bytes, without a copy.
    pub fn as_slice(&self) -> &[u8] {
        // SAFETY: `ptr` is valid for reads of `len` initialised bytes while `owner` lives, that is at least as long as
        // `self`: established by the constructors, and narrowed only by `narrow` and `advance`, which check the range.
        // Nobody writes these bytes: an owner gives mutable access only after it was taken out of its `Arc`, which
        // needs the last buffer by value. So the thread of the caller does not matter.
        unsafe { std::slice::from_raw_parts(self.ptr.as_ptr(), self.len) }
    }

    /// The length in bytes.
    pub const fn len(&self) -> usize {
        self.len
    }

    /// Whether there are no bytes.
    pub const fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// A pointer to the first byte.
    pub fn as_ptr(&self) -> *const u8 {
        self.ptr.as_ptr()
    }

    /// The `n_bytes` bytes from `start` on. Shares the memory. Both numbers may come from an input, since the range is
    /// checked.
    ///
    /// # Errors
    ///
    /// If the range does not lie inside the buffer.
    #[inline]
    pub fn try_slice(&self, start: u64, n_bytes: u64) -> Result<Buffer, SliceError> {
        let outside = SliceError { start, n_bytes, len: self.len };
        let end = start.checked_add(n_bytes).and_then(|end| usize::try_from(end).ok()).ok_or(outside)?;
        if end > self.len {
            return Err(outside);
        }
        // Both fit into a `usize`, since they are at most `end`.
        let start = usize::try_from(start).map_err(|_| outside)?;
        Ok(self.clone().narrow(start, end))
    }

    /// The bytes of `range`. Shares the memory.
    ///
    /// # Panics
    ///
    /// If the range does not lie inside the buffer. [`Buffer::try_slice`] returns an error instead.
    pub fn slice(&self, range: impl RangeBounds<usize>) -> Buffer {
        let (start, end) = resolve(range, self.len);
        self.clone().narrow(start, end)
    }

    /// Removes the first `n_bytes` bytes and returns them.
    ///
    /// # Panics
    ///
    /// If the buffer has fewer than `n_bytes` bytes.
    pub fn split_to(&mut self, n_bytes: usize) -> Buffer {
        let head = self.slice(..n_bytes);
        self.advance(n_bytes);
        head
    }

    /// Removes the first `n_bytes` bytes.
    ///
    /// # Panics
    ///
    /// If the buffer has fewer than `n_bytes` bytes.
    #[inline]
    pub fn advance(&mut self, n_bytes: usize) {
        let bytes = &self.as_slice()[n_bytes..];
        (self.ptr, self.len) = (MemoryPointer::to_bytes(bytes), bytes.len());
    }

    /// Whether the bytes start at a multiple of `n_bytes`. Empty buffers always do.
    #[inline]
    pub fn is_aligned_to(&self, n_bytes: usize) -> bool {
        self.is_empty() || n_bytes == 0 || self.ptr.is_aligned_to(n_bytes)
    }

    /// A buffer with the same bytes that starts at a multiple of `n_bytes`. Shares the memory if this buffer already
    /// starts at such an address; otherwise copies the bytes to memory that starts at a multiple of 64.
    ///
    /// # Panics
    ///
    /// If `n_bytes` is not a divisor of 64, and the bytes do not start at a multiple of `n_bytes` already.
    pub fn to_aligned(&self, n_bytes: usize) -> Buffer {
        if self.is_aligned_to(n_bytes) {
            return self.clone();
        }
        assert!(64_usize.is_multiple_of(n_bytes), "copies are aligned to 64 bytes, not to {n_bytes}");
        Buffer::copy_from(self)
    }

    /// Like [`to_aligned`](Buffer::to_aligned), but a copy is charged to a budget as long as a buffer refers to it.
    ///
    /// # Errors
    ///
    /// If the budget or the system refuses the copy.
    ///
    /// # Panics
    ///
    /// Like [`to_aligned`](Buffer::to_aligned).
    pub fn try_to_aligned_in(
        &self,
        n_bytes: usize,
        budget: Option<&MemoryBudget>,
    ) -> Result<Buffer, BudgetError> {
        if self.is_aligned_to(n_bytes) {
            return Ok(self.clone());
        }
        assert!(64_usize.is_multiple_of(n_bytes), "copies are aligned to 64 bytes, not to {n_bytes}");
        Buffer::try_copy_in(self, budget)
    }

    /// Whether both buffers refer to the same range of the same memory. Returns `false` for equal bytes in different
    /// memory.
    pub fn same_memory(&self, other: &Buffer) -> bool {
        self.ptr == other.ptr && self.len == other.len
    }

    /// The addresses of the memory that stays allocated as long as this buffer lives. If the owner does not say which
    /// memory it keeps, these are the bytes of the buffer.
    pub(crate) fn allocation(&self) -> Range<usize> {
        let Some(owner) = &self.owner else { return 0..0 };
        owner.addresses().unwrap_or_else(|| {
            let start = self.as_ptr().addr();
            start..start.saturating_add(self.len)
        })
    }

    /// The bytes as numbers. Trailing bytes that do not fill a whole number are left out.
    ///
    /// # Errors
    ///
    /// If the bytes do not start at a multiple of the alignment of `T`. [`Buffer::to_aligned`] makes a copy that does.
    pub fn view<T: NativeType>(&self) -> Result<&[T], MisalignedError> {
        let n_whole = self.len - self.len % size_of::<T>();
        if n_whole == 0 {
            return Ok(&[]);
        }
        let misaligned = MisalignedError { needed: align_of::<T>() };
        bytemuck::try_cast_slice(&self.as_slice()[..n_whole]).map_err(|_| misaligned)
    }

    /// The bytes `start..end` of `self`. Unlike [`slice`](Buffer::slice), this does not increment the reference count of the owner.
    #[inline]
    pub(crate) fn narrow(mut self, start: usize, end: usize) -> Buffer {
        let bytes = &self.as_slice()[start..end];
        (self.ptr, self.len) = (MemoryPointer::to_bytes(bytes), bytes.len());
        self
    }
}

/// The start and the end of `range`, which must lie inside `0..len`.
pub(crate) fn resolve(range: impl RangeBounds<usize>, len: usize) -> (usize, usize) {
    let start = match range.start_bound() {
        Bound::Included(&start) => start,
        Bound::Excluded(&before) => before.checked_add(1).expect("a range starts after usize::MAX"),
        Bound::Unbounded => 0,
    };
    let end = match range.end_bound() {
        Bound::Included(&last) => last.checked_add(1).expect("a range ends after usize::MAX"),
        Bound::Excluded(&end) => end,
        Bound::Unbounded => len,
    };
    assert!(start <= end && end <= len, "range {start}..{end} lies outside of 0..{len}");
    (start, end)
}

impl Deref for Buffer {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        self.as_slice()
    }
}

impl AsRef<[u8]> for Buffer {
    fn as_ref(&self) -> &[u8] {
        self.as_slice()
    }
}

impl Default for Buffer {
    fn default() -> Buffer {
        Buffer::new()
    }
}

impl PartialEq for Buffer {
    fn eq(&self, other: &Buffer) -> bool {
        self.same_memory(other) || self.as_slice() == other.as_slice()
    }
}

impl Eq for Buffer {}

impl From<BufferMut> for Buffer {
    fn from(bytes: BufferMut) -> Buffer {
        bytes.freeze()
    }
}

impl fmt::Debug for Buffer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const N_SHOWN: usize = 16;
        write!(f, "Buffer({} bytes:", self.len)?;
        for byte in self.iter().take(N_SHOWN) {
            write!(f, " {byte:02x}")?;
        }
        f.write_str(if self.len > N_SHOWN { " …)" } else { ")" })
    }
}

/// The error for a range that does not lie inside a buffer.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct SliceError {
    /// The start of the range.
    pub start: u64,
    /// The length of the range in bytes.
    pub n_bytes: u64,
    /// The length of the buffer in bytes.
    pub len: usize,
}

arrow_error::debug_as_display!(SliceError);

impl fmt::Display for SliceError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let SliceError { start, n_bytes, len } = self;
        write!(f, "{n_bytes} bytes at offset {start} are out of bounds of a buffer of {len} bytes")
    }
}

impl std::error::Error for SliceError {}

/// The error for bytes whose start is not aligned for the requested number type.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct MisalignedError {
    /// The required alignment in bytes.
    pub needed: usize,
}

arrow_error::debug_as_display!(MisalignedError);

impl fmt::Display for MisalignedError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let MisalignedError { needed } = self;
        write!(f, "the bytes start at an address that is not a multiple of {needed}")
    }
}

impl std::error::Error for MisalignedError {}
