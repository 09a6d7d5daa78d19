//! Reuses the memory of dropped batches.

use std::sync::{Arc, LazyLock, Mutex, MutexGuard, TryLockError};

use arrow_buffer::{BudgetError, Buffer, BufferMut, MemoryBudget};

mod claim;

pub(crate) use self::claim::ClaimGuard;
use self::claim::ClaimedBytes;

/// The number of bytes that are kept for reuse by default. A buffer that is longer is freed together with its batch.
const MAX_KEPT_BYTES: usize = 64 << 20;

/// Memory shorter than this is not kept for reuse, since the allocator provides it at once.
pub(crate) const MIN_KEPT_BYTES: usize = 32 << 10;

/// The maximum number of kept buffers by default. If more than the default number of bytes may be kept, there may be
/// one buffer for each 4 MiB.
const MAX_PIECES: usize = 16;

/// The maximum number of kept buffers in any case, since a search for memory may inspect all of them.
const MAX_SEARCHED: usize = 1 << 10;

/// Memory of dropped batches that is reused, and can be shared by readers.
///
/// A reader keeps the memory of the last bodies that it read, and of the last buffers that it decompressed. After all
/// references to a batch have been dropped, later batches use its memory. This is faster than new memory: for large
/// buffers, getting memory from the system takes longer than filling it. Readers with clones of the same
/// `RecycledMemory` share the memory.
///
/// By default, all readers of a program without a memory budget share [one value](RecycledMemory::shared), in the same
/// way as they share an allocator. [`StreamWriter::to_buffer`](crate::StreamWriter::to_buffer) and `to_buffer` of files
/// also use this memory. It keeps at most 64 MiB for bodies and 64 MiB for decompressed buffers, even if no batch and
/// no reader exists; [`free`](RecycledMemory::free) frees both.
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
pub struct RecycledMemory(RecycledOwner);

#[derive(Debug, Clone)]
enum RecycledOwner {
    /// The memory that all readers of the program share. Since this is a static, threads that make readers do not
    /// compete for a reference count.
    Program,
    Readers(Arc<Kinds>),
}

/// The memory that all readers of the program share.
static SHARED: LazyLock<Kinds> = LazyLock::new(|| Kinds::with_max_bytes(MAX_KEPT_BYTES));

/// The memory of bodies and the memory of decompressed buffers. They are separate because their lengths differ.
#[derive(Debug)]
struct Kinds {
    bodies: KeptMemory,
    decompressed: KeptMemory,
}

/// Memory that is reused when nothing else refers to it. For reused memory, the system need not clear pages or map them again.
#[derive(Debug)]
pub(crate) struct KeptMemory {
    max_bytes: usize,
    max_pieces: usize,
    /// The buffers that can be reused. The buffer that was last in use is at the end.
    pieces: Mutex<Vec<RecycledBuffer>>,
    n_claimed_bytes: ClaimedBytes,
}

#[derive(Debug)]
struct RecycledBuffer {
    buffer: Buffer,
    capacity: usize,
    budget: Option<MemoryBudget>,
}

impl RecycledMemory {
    /// Starts without memory, and keeps at most 64 MiB for bodies and 64 MiB for decompressed buffers.
    pub fn new() -> RecycledMemory {
        RecycledMemory::default()
    }

    /// The memory that readers share by default, unless they have a memory budget.
    pub fn shared() -> RecycledMemory {
        RecycledMemory(RecycledOwner::Program)
    }

    /// Frees the kept memory that no batch uses.
    ///
    /// ```
    /// use arrow_ipc::RecycledMemory;
    ///
    /// // … Much was read, and nothing is for a while.
    /// RecycledMemory::shared().free();
    /// ```
    pub fn free(&self) {
        for kind in [self.bodies(), self.decompressed()] {
            kind.free();
        }
    }

    /// Starts without memory, and keeps at most `max_bytes` bytes for bodies and `max_bytes` bytes for decompressed
    /// buffers. With 0, nothing is kept. If a program repeatedly holds many batches at once, set `max_bytes` to the
    /// size of these batches.
    ///
    /// ```
    /// use arrow_ipc::{ReadOptions, RecycledMemory};
    ///
    /// // All memory is freed with the batch that it belongs to.
    /// let options = ReadOptions::new().with_recycled_memory(RecycledMemory::with_max_bytes(0));
    /// # drop(options);
    /// ```
    pub fn with_max_bytes(max_bytes: usize) -> RecycledMemory {
        RecycledMemory(RecycledOwner::Readers(Arc::new(Kinds::with_max_bytes(max_bytes))))
    }

    /// Memory for a reader with a budget. Kept memory stays charged to the budget. The memory of one decompressed batch
    /// is kept; the memory of bodies is not.
    pub(crate) fn within_budget() -> RecycledMemory {
        let bodies = KeptMemory { max_pieces: 0, ..KeptMemory::default() };
        let decompressed = KeptMemory { max_pieces: 1, ..KeptMemory::default() };
        RecycledMemory(RecycledOwner::Readers(Arc::new(Kinds { bodies, decompressed })))
    }

    fn kinds(&self) -> &Kinds {
        match &self.0 {
            RecycledOwner::Program => &SHARED,
            RecycledOwner::Readers(kinds) => kinds,
        }
    }

    pub(crate) fn bodies(&self) -> &KeptMemory {
        &self.kinds().bodies
    }

    /// The memory for decompressed buffers.
    pub(crate) fn decompressed(&self) -> &KeptMemory {
        &self.kinds().decompressed
    }
}

impl Kinds {
    fn with_max_bytes(max_bytes: usize) -> Kinds {
        let max_pieces = (max_bytes / (MAX_KEPT_BYTES / MAX_PIECES)).clamp(MAX_PIECES, MAX_SEARCHED);
        let kind = || KeptMemory { max_bytes, max_pieces, ..KeptMemory::default() };
        Kinds { bodies: kind(), decompressed: kind() }
    }
}

impl Default for RecycledMemory {
    fn default() -> RecycledMemory {
        RecycledMemory::with_max_bytes(MAX_KEPT_BYTES)
    }
}

impl KeptMemory {
    /// Memory for `n_bytes` bytes, reused or new. The number comes from the input, so it is an error if the budget or
    /// the system refuses the memory.
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

    /// Unused kept memory for `n_bytes` bytes, if there is any. If all kept buffers are too short, but one of them has
    /// more than half of the bytes, new memory with room for slightly larger batches replaces that buffer. Memory that
    /// is charged to another budget is freed.
    pub(crate) fn recycled(&self, n_bytes: usize, budget: Option<&MemoryBudget>) -> Option<BufferMut> {
        let mut pieces = self.lock()?;
        let (fitting, others) = take_fitting(&mut pieces, n_bytes, budget);
        if fitting.is_some() {
            return unlocked(pieces, others, fitting);
        }
        // Whether the new memory replaces this kept buffer.
        let is_replaced = |kept: &mut RecycledBuffer| {
            kept.capacity < n_bytes && kept.capacity.saturating_mul(2) >= n_bytes && kept.is_free()
        };
        let replaced: Vec<RecycledBuffer> = pieces.extract_if(.., is_replaced).collect();
        let is_replaced = !replaced.is_empty();
        unlocked(pieces, (others, replaced), ());
        let n_with_room = n_bytes.saturating_add(n_bytes / 8);
        is_replaced.then(|| BufferMut::try_with_capacity_in(n_with_room, budget).ok()).flatten()
    }

    /// Kept memory for `n_bytes` bytes. Unlike `recycled`, it does not make new memory.
    pub(crate) fn fitting(&self, n_bytes: usize, budget: Option<&MemoryBudget>) -> Option<BufferMut> {
        let mut pieces = self.lock()?;
        let (fitting, others) = take_fitting(&mut pieces, n_bytes, budget);
        unlocked(pieces, others, fitting)
    }

    /// Reused memory for bytes that a stream has announced. It is not new memory, and all streams together get at most
    /// `max_bytes` bytes.
    pub(crate) fn claimed(
        &self,
        n_bytes: usize,
        budget: Option<&MemoryBudget>,
    ) -> Option<(BufferMut, ClaimGuard)> {
        let claim = self.n_claimed_bytes.claim(n_bytes, self.max_bytes)?;
        self.fitting(n_bytes, budget).map(|memory| (memory, claim))
    }

    /// New memory. If the budget or the system refuses, unused kept memory is freed first.
    pub(crate) fn fresh(
        &self,
        n_bytes: usize,
        budget: Option<&MemoryBudget>,
    ) -> Result<BufferMut, BudgetError> {
        self.freeing(|| BufferMut::try_with_capacity_in(n_bytes, budget))
    }

    /// Calls `make` for new memory. If the memory is refused, frees unused kept memory and calls `make` again.
    pub(crate) fn freeing(
        &self,
        make: impl Fn() -> Result<BufferMut, BudgetError>,
    ) -> Result<BufferMut, BudgetError> {
        make().or_else(|_| {
            self.free();
            make()
        })
    }

    /// Frees the memory to which nothing else refers.
    fn free(&self) {
        if let Some(mut pieces) = self.lock() {
            let free: Vec<RecycledBuffer> = pieces.extract_if(.., |kept| kept.is_free()).collect();
            unlocked(pieces, free, ());
        }
    }

    /// Returns memory as a buffer. Also keeps a reference to reuse the memory later, unless it is longer than `max_bytes`.
    pub(crate) fn give_out(&self, memory: BufferMut) -> Buffer {
        let (capacity, budget) = (memory.capacity(), memory.budget().cloned());
        let buffer = memory.freeze();
        if buffer.is_empty() || capacity > self.max_bytes || self.max_pieces == 0 {
            return buffer;
        }
        let Some(mut pieces) = self.lock() else { return buffer };
        pieces.push(RecycledBuffer { buffer: buffer.clone(), capacity, budget });
        let mut n_bytes = 0_usize;
        let newest = pieces.iter().rev().take(self.max_pieces);
        let n_kept = newest.take_while(|kept| {
            n_bytes += kept.capacity;
            n_bytes <= self.max_bytes
        });
        let n_left_out = pieces.len().saturating_sub(n_kept.count());
        let left_out: Vec<RecycledBuffer> = pieces.drain(..n_left_out).collect();
        unlocked(pieces, left_out, buffer)
    }

    /// The kept buffers. `None` if another thread has locked them; the caller then reuses no memory. No thread waits
    /// for the lock, since after a fork the child process could wait forever.
    fn lock(&self) -> Option<MutexGuard<'_, Vec<RecycledBuffer>>> {
        match self.pieces.try_lock() {
            Ok(pieces) => Some(pieces),
            Err(TryLockError::Poisoned(poisoned)) => Some(poisoned.into_inner()),
            Err(TryLockError::WouldBlock) => None,
        }
    }
}

/// Releases the lock before it frees memory, since the system takes long to free large memory.
fn unlocked<T>(pieces: MutexGuard<'_, Vec<RecycledBuffer>>, left_out: impl Sized, result: T) -> T {
    drop(pieces);
    drop(left_out);
    result
}

/// Removes the smallest unused buffer that is long enough. It is at most twice as long as needed, since a slice keeps
/// the whole buffer in memory. If several buffers have about the same length, the result is the one that was last in
/// use, since most of it is in the cache of the processor. Also returns unused buffers that are charged to another
/// budget.
fn take_fitting(
    pieces: &mut Vec<RecycledBuffer>,
    n_bytes: usize,
    budget: Option<&MemoryBudget>,
) -> (Option<BufferMut>, Vec<RecycledBuffer>) {
    let others = pieces.extract_if(.., |kept| kept.budget.as_ref() != budget && kept.is_free()).collect();
    let fits = |kept: &RecycledBuffer| {
        kept.is_free() && (n_bytes..=n_bytes.saturating_mul(2)).contains(&kept.capacity)
    };
    let fitting = pieces.iter().enumerate().rev().filter(|(_, kept)| fits(kept));
    // The difference in length, in eighths.
    let n_too_much =
        |kept: &RecycledBuffer| kept.capacity.saturating_sub(n_bytes) / (n_bytes / 8).saturating_add(1);
    let fitting = fitting.min_by_key(|(_, kept)| n_too_much(kept)).map(|(idx, _)| idx);
    (fitting.and_then(|idx| pieces.remove(idx).buffer.try_recycle().ok()), others)
}

impl Default for KeptMemory {
    fn default() -> KeptMemory {
        KeptMemory {
            max_bytes: MAX_KEPT_BYTES,
            max_pieces: MAX_PIECES,
            pieces: Mutex::default(),
            n_claimed_bytes: ClaimedBytes::default(),
        }
    }
}

impl RecycledBuffer {
    /// Whether nothing else refers to the memory. If so, this stays true, since a new reference can only be made from this one.
    fn is_free(&self) -> bool {
        self.buffer.is_recyclable()
    }
}

#[cfg(test)]
mod tests;
