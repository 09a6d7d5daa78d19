//! Reuses the memory of dropped batches.

use std::sync::{
    Arc, Mutex, MutexGuard, TryLockError,
    atomic::{AtomicUsize, Ordering},
};

use arrow_buffer::{BudgetError, Buffer, BufferMut, MemoryBudget};

/// The number of bytes that `RecycledMemory` retains by default. A longer buffer is freed together with its batch.
const MAX_RETAINED_BYTES: usize = 64 << 20;

/// Shorter memory is not retained, since the allocator has such memory at hand.
pub(crate) const MIN_RETAINED_BYTES: usize = 32 << 10;

/// The default maximum number of retained buffers. With a greater `max_bytes`, it is one buffer for each 4 MiB.
const MAX_PIECES: usize = 16;

/// The absolute maximum number of retained buffers. A search may inspect all of them.
const MAX_SEARCHED: usize = 1 << 10;

/// Retains the memory of dropped batches, so readers can reuse it for later batches.
///
/// When all references to a batch have been dropped, `RecycledMemory` retains the memory of its body and of its
/// decompressed buffers, and later batches use it. For large buffers, this is faster than new memory: getting memory
/// from the system takes longer than filling it. Readers with clones of the same `RecycledMemory` share the memory.
///
/// By default, each reader has its own, which retains at most 64 MiB of bodies and 64 MiB of decompressed buffers, and is
/// freed with the reader and its batches. Give readers that follow each other the same `RecycledMemory`.
///
/// ```
/// use arrow_ipc::{ReadOptions, RecycledMemory};
///
/// // What these files are read into is gone with `memory`.
/// let memory = RecycledMemory::new();
/// for path in ["a.arrow", "b.arrow"] {
///     let options = ReadOptions::new().with_recycled_memory(memory.clone());
/// #   drop((path, options));
///     // … read the file at `path`.
/// }
/// ```
#[derive(Debug, Clone)]
pub struct RecycledMemory(Arc<BufferPools>);

/// Separate memory for bodies and for decompressed buffers, because their lengths differ.
#[derive(Debug)]
struct BufferPools {
    bodies: BufferPool,
    decompressed: BufferPool,
}

/// Buffers that are reused when nothing else refers to them. The system need not clear or map the pages of reused
/// memory.
#[derive(Debug)]
pub(crate) struct BufferPool {
    max_bytes: usize,
    max_pieces: usize,
    /// The retained buffers. The most recently used buffer is the last one.
    pieces: Mutex<Vec<RecycledBuffer>>,
    n_reserved_bytes: ReservedBytes,
}

#[derive(Debug)]
struct RecycledBuffer {
    buffer: Buffer,
    capacity: usize,
    budget: Option<MemoryBudget>,
}

impl RecycledMemory {
    /// An empty `RecycledMemory` that retains at most 64 MiB of bodies and 64 MiB of decompressed buffers.
    pub fn new() -> RecycledMemory {
        RecycledMemory::default()
    }

    /// Frees the retained memory that no batch uses.
    ///
    /// ```
    /// use arrow_ipc::RecycledMemory;
    ///
    /// let memory = RecycledMemory::new();
    /// // … Much was read, and nothing is for a while.
    /// memory.free();
    /// ```
    pub fn free(&self) {
        for kind in [self.bodies(), self.decompressed()] {
            kind.free();
        }
    }

    /// An empty `RecycledMemory` that retains at most `max_bytes` bytes of bodies and `max_bytes` bytes of decompressed
    /// buffers. With 0, it retains nothing. If your program uses many batches at the same time, set `max_bytes` to
    /// their total size.
    ///
    /// ```
    /// use arrow_ipc::{ReadOptions, RecycledMemory};
    ///
    /// // All memory is freed with the batch that it belongs to.
    /// let options = ReadOptions::new().with_recycled_memory(RecycledMemory::with_max_bytes(0));
    /// # drop(options);
    /// ```
    pub fn with_max_bytes(max_bytes: usize) -> RecycledMemory {
        RecycledMemory(Arc::new(BufferPools::with_max_bytes(max_bytes)))
    }

    /// Makes the memory for a reader with a memory budget. Retained memory stays charged to the budget, so only one
    /// decompressed buffer is retained, and no bodies.
    pub(crate) fn within_budget() -> RecycledMemory {
        let bodies = BufferPool { max_pieces: 0, ..BufferPool::default() };
        let decompressed = BufferPool { max_pieces: 1, ..BufferPool::default() };
        RecycledMemory(Arc::new(BufferPools { bodies, decompressed }))
    }

    pub(crate) fn bodies(&self) -> &BufferPool {
        &self.0.bodies
    }

    pub(crate) fn decompressed(&self) -> &BufferPool {
        &self.0.decompressed
    }
}

impl BufferPools {
    fn with_max_bytes(max_bytes: usize) -> BufferPools {
        let max_pieces = (max_bytes / (MAX_RETAINED_BYTES / MAX_PIECES)).clamp(MAX_PIECES, MAX_SEARCHED);
        let kind = || BufferPool { max_bytes, max_pieces, ..BufferPool::default() };
        BufferPools { bodies: kind(), decompressed: kind() }
    }
}

impl Default for RecycledMemory {
    fn default() -> RecycledMemory {
        RecycledMemory::with_max_bytes(MAX_RETAINED_BYTES)
    }
}

impl BufferPool {
    /// Reused or new memory for `n_bytes` bytes. It fails if the budget or the system refuses the memory.
    pub(crate) fn take(
        &self,
        n_bytes: usize,
        budget: Option<&MemoryBudget>,
    ) -> Result<BufferMut, BudgetError> {
        match self.recycled(n_bytes, budget) {
            Some(memory) => Ok(memory),
            None => self.fresh(n_bytes, budget),
        }
    }

    /// A retained buffer for `n_bytes` bytes. If all retained buffers are too short, but one has at least half of the
    /// length, frees this one and returns new memory with an eighth more capacity. Frees memory that is charged to another
    /// budget.
    pub(crate) fn recycled(&self, n_bytes: usize, budget: Option<&MemoryBudget>) -> Option<BufferMut> {
        let mut pieces = self.lock()?;
        let (fitting, others) = take_fitting(&mut pieces, n_bytes, budget);
        if fitting.is_some() {
            return unlocked(pieces, others, fitting);
        }
        // The new memory replaces these buffers.
        let is_replaced = |retained: &mut RecycledBuffer| {
            retained.capacity < n_bytes
                && retained.capacity.saturating_mul(2) >= n_bytes
                && retained.is_free()
        };
        let replaced: Vec<RecycledBuffer> = pieces.extract_if(.., is_replaced).collect();
        let is_replaced = !replaced.is_empty();
        unlocked(pieces, (others, replaced), ());
        let n_capacity_bytes = n_bytes.saturating_add(n_bytes / 8);
        is_replaced.then(|| BufferMut::try_with_capacity_in(n_capacity_bytes, budget).ok()).flatten()
    }

    /// A retained buffer for `n_bytes` bytes. Makes no new memory.
    pub(crate) fn fitting(&self, n_bytes: usize, budget: Option<&MemoryBudget>) -> Option<BufferMut> {
        let mut pieces = self.lock()?;
        let (fitting, others) = take_fitting(&mut pieces, n_bytes, budget);
        unlocked(pieces, others, fitting)
    }

    /// A retained buffer for bytes that a stream has announced. All streams together get at most `max_bytes` bytes.
    pub(crate) fn reserve(
        &self,
        n_bytes: usize,
        budget: Option<&MemoryBudget>,
    ) -> Option<(BufferMut, Reservation)> {
        let reservation = self.n_reserved_bytes.reserve(n_bytes, self.max_bytes)?;
        self.fitting(n_bytes, budget).map(|memory| (memory, reservation))
    }

    /// New memory. If the budget or the system refuses it, frees retained memory and tries again.
    pub(crate) fn fresh(
        &self,
        n_bytes: usize,
        budget: Option<&MemoryBudget>,
    ) -> Result<BufferMut, BudgetError> {
        self.freeing(|| BufferMut::try_with_capacity_in(n_bytes, budget))
    }

    /// Calls `make`. If it fails, frees retained memory and calls `make` again.
    pub(crate) fn freeing(
        &self,
        make: impl Fn() -> Result<BufferMut, BudgetError>,
    ) -> Result<BufferMut, BudgetError> {
        make().or_else(|_| {
            self.free();
            make()
        })
    }

    /// Frees the retained buffers that nothing else refers to.
    fn free(&self) {
        if let Some(mut pieces) = self.lock() {
            let free: Vec<RecycledBuffer> = pieces.extract_if(.., |retained| retained.is_free()).collect();
            unlocked(pieces, free, ());
        }
    }

    /// Freezes memory to a buffer. Retains a reference to it, unless it is longer than `max_bytes`, and drops the
    /// oldest references beyond the limits.
    pub(crate) fn freeze(&self, memory: BufferMut) -> Buffer {
        let capacity = memory.capacity();
        let budget = memory.budget().cloned();
        let buffer = memory.freeze();
        if buffer.is_empty() || capacity > self.max_bytes || self.max_pieces == 0 {
            return buffer;
        }
        let Some(mut pieces) = self.lock() else { return buffer };
        pieces.push(RecycledBuffer { buffer: buffer.clone(), capacity, budget });
        let mut n_bytes = 0_usize;
        let newest = pieces.iter().rev().take(self.max_pieces);
        let n_retained = newest.take_while(|retained| {
            n_bytes += retained.capacity;
            n_bytes <= self.max_bytes
        });
        let n_omitted = pieces.len().saturating_sub(n_retained.count());
        let left_out: Vec<RecycledBuffer> = pieces.drain(..n_omitted).collect();
        unlocked(pieces, left_out, buffer)
    }

    /// The retained buffers. `None` if another thread has locked them: the caller then reuses no memory. Waiting for
    /// the lock could block the child process forever after a fork.
    fn lock(&self) -> Option<MutexGuard<'_, Vec<RecycledBuffer>>> {
        match self.pieces.try_lock() {
            Ok(pieces) => Some(pieces),
            Err(TryLockError::Poisoned(poisoned)) => Some(poisoned.into_inner()),
            Err(TryLockError::WouldBlock) => None,
        }
    }
}

/// Releases the lock before it drops `left_out`, since the system takes long to free large memory.
fn unlocked<T>(pieces: MutexGuard<'_, Vec<RecycledBuffer>>, left_out: impl Sized, result: T) -> T {
    drop(pieces);
    drop(left_out);
    result
}

/// Removes the best unused buffer. Its length is at least `n_bytes` and at most twice as much, since a slice retains
/// the whole buffer. Of buffers with about the same length, the most recently used one is returned, since most of it is
/// in the cache. Also returns the unused buffers that are charged to another budget.
fn take_fitting(
    pieces: &mut Vec<RecycledBuffer>,
    n_bytes: usize,
    budget: Option<&MemoryBudget>,
) -> (Option<BufferMut>, Vec<RecycledBuffer>) {
    let others =
        pieces.extract_if(.., |retained| retained.budget.as_ref() != budget && retained.is_free()).collect();
    let fits = |retained: &RecycledBuffer| {
        retained.is_free() && (n_bytes..=n_bytes.saturating_mul(2)).contains(&retained.capacity)
    };
    let fitting = pieces.iter().enumerate().rev().filter(|(_, retained)| fits(retained));
    // How much longer than needed the buffer is, in eighths.
    let n_too_much = |retained: &RecycledBuffer| {
        retained.capacity.saturating_sub(n_bytes) / (n_bytes / 8).saturating_add(1)
    };
    let fitting = fitting.min_by_key(|(_, retained)| n_too_much(retained)).map(|(idx, _)| idx);
    (fitting.and_then(|idx| pieces.remove(idx).buffer.try_recycle().ok()), others)
}

impl Default for BufferPool {
    fn default() -> BufferPool {
        BufferPool {
            max_bytes: MAX_RETAINED_BYTES,
            max_pieces: MAX_PIECES,
            pieces: Mutex::default(),
            n_reserved_bytes: ReservedBytes::default(),
        }
    }
}

impl RecycledBuffer {
    /// Whether nothing else refers to the memory. This cannot change, since a new reference could only be cloned from
    /// `buffer`.
    fn is_free(&self) -> bool {
        self.buffer.is_recyclable()
    }
}

/// The number of reserved bytes of reused memory.
#[derive(Debug, Clone, Default)]
struct ReservedBytes(Arc<AtomicUsize>);

/// A reservation. Its bytes are counted until the guard is dropped.
#[derive(Debug)]
pub(crate) struct Reservation {
    n_reserved_bytes: ReservedBytes,
    n_bytes: usize,
}

impl Drop for Reservation {
    fn drop(&mut self) {
        self.n_reserved_bytes.0.fetch_sub(self.n_bytes, Ordering::Relaxed);
    }
}

impl ReservedBytes {
    /// Reserves `n_bytes` bytes. `None` if the sum of all reservations would exceed `max_bytes`.
    fn reserve(&self, n_bytes: usize, max_bytes: usize) -> Option<Reservation> {
        let add = |n_before: usize| n_before.checked_add(n_bytes).filter(|sum| *sum <= max_bytes);
        self.0.fetch_update(Ordering::Relaxed, Ordering::Relaxed, add).ok()?;
        Some(Reservation { n_reserved_bytes: self.clone(), n_bytes })
    }
}

#[cfg(test)]
mod tests;
