//! Keeps the memory of batches for later ones.

use std::sync::{Arc, LazyLock, Mutex, MutexGuard, TryLockError};

use arrow_buffer::{BudgetError, Buffer, BufferMut, MemoryBudget};

mod claim;

pub(crate) use self::claim::Claim;
use self::claim::ClaimedBytes;

/// So many bytes are kept by default. Larger memory is freed with its batch.
const MAX_KEPT_BYTES: usize = 64 << 20;

/// The memory of shorter bodies is not kept: the allocator has as much at hand.
pub(crate) const MIN_KEPT_BYTES: usize = 32 << 10;

/// As many pieces are looked at whenever memory is taken.
const MAX_PIECES: usize = 16;

/// Memory of batches that is used again, and can be handed from reader to reader.
///
/// A reader keeps the memory that it last read bodies into, and that which it last decompressed into. Once nothing refers to
/// a batch any more, its memory is used for a later one: the system takes longer to provide large new memory than we take to
/// fill it. Readers that are given clones of this use what the others have kept.
///
/// By default all readers of a program without a memory budget [share](RecycledMemory::shared) one, as they share an allocator;
/// [`StreamWriter::to_buffer`](crate::StreamWriter::to_buffer) and that of files write to it too. It
/// keeps at most 64 MiB of each of the two kinds, also if no batch and no reader lives; [`free`](RecycledMemory::free) gives that
/// back.
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
pub struct RecycledMemory(Owner);

#[derive(Debug, Clone)]
enum Owner {
    /// All readers of the program. Threads that make readers have no counter in common.
    Program,
    Readers(Arc<Kinds>),
}

/// That of the program.
static SHARED: LazyLock<Kinds> = LazyLock::new(|| Kinds::with_max_bytes(MAX_KEPT_BYTES));

/// What is read and what it is decompressed to have different sizes.
#[derive(Debug)]
struct Kinds {
    bodies: KeptMemory,
    decompressed: KeptMemory,
}

/// Memory that was given out and is kept, to be used again once nothing else refers to it. It is then neither cleared nor
/// brought in page by page.
#[derive(Debug)]
pub(crate) struct KeptMemory {
    max_bytes: usize,
    max_pieces: usize,
    /// What was given out last is at the end.
    pieces: Mutex<Vec<Kept>>,
    n_claimed_bytes: ClaimedBytes,
}

#[derive(Debug)]
struct Kept {
    buffer: Buffer,
    capacity: usize,
    budget: Option<MemoryBudget>,
}

impl RecycledMemory {
    /// Without memory at first; keeps at most 64 MiB of each kind.
    pub fn new() -> RecycledMemory {
        RecycledMemory::default()
    }

    /// That of all readers which have neither another nor a memory budget.
    pub fn shared() -> RecycledMemory {
        RecycledMemory(Owner::Program)
    }

    /// Frees what is kept and belongs to no batch any more.
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

    /// Without memory at first; keeps at most so many bytes of each kind, and nothing if there are none.
    ///
    /// ```
    /// use arrow_ipc::{ReadOptions, RecycledMemory};
    ///
    /// // All memory is freed with the batch that it belongs to.
    /// let options = ReadOptions::new().with_recycled_memory(RecycledMemory::with_max_bytes(0));
    /// # drop(options);
    /// ```
    pub fn with_max_bytes(max_bytes: usize) -> RecycledMemory {
        RecycledMemory(Owner::Readers(Arc::new(Kinds::with_max_bytes(max_bytes))))
    }

    /// For a reader under a budget, where what is kept is missing for other things: no bodies, and what one batch was
    /// decompressed to.
    pub(crate) fn within_budget() -> RecycledMemory {
        let bodies = KeptMemory { max_pieces: 0, ..KeptMemory::default() };
        let decompressed = KeptMemory { max_pieces: 1, ..KeptMemory::default() };
        RecycledMemory(Owner::Readers(Arc::new(Kinds { bodies, decompressed })))
    }

    fn kinds(&self) -> &Kinds {
        match &self.0 {
            Owner::Program => &SHARED,
            Owner::Readers(kinds) => kinds,
        }
    }

    /// What bodies are read into.
    pub(crate) fn bodies(&self) -> &KeptMemory {
        &self.kinds().bodies
    }

    /// What they are decompressed to.
    pub(crate) fn decompressed(&self) -> &KeptMemory {
        &self.kinds().decompressed
    }
}

impl Kinds {
    fn with_max_bytes(max_bytes: usize) -> Kinds {
        let kind = || KeptMemory { max_bytes, ..KeptMemory::default() };
        Kinds { bodies: kind(), decompressed: kind() }
    }
}

impl Default for RecycledMemory {
    fn default() -> RecycledMemory {
        RecycledMemory::with_max_bytes(MAX_KEPT_BYTES)
    }
}

impl KeptMemory {
    /// Memory for `n_bytes`, recycled or new. An error if the budget or the system refuses: the number comes from the input.
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

    /// Memory for `n_bytes` that nothing refers to any more, if some is kept. If it is too small by less than half, new memory
    /// replaces it, with room for batches that are a bit larger. What is charged to another budget is freed.
    pub(crate) fn recycled(&self, n_bytes: usize, budget: Option<&MemoryBudget>) -> Option<BufferMut> {
        let mut pieces = self.lock()?;
        let (fitting, others) = take_fitting(&mut pieces, n_bytes, budget);
        if fitting.is_some() {
            return unlocked(pieces, others, fitting);
        }
        // The new memory can be used for all that these could be used for.
        let is_replaced = |kept: &mut Kept| {
            kept.capacity < n_bytes && kept.capacity.saturating_mul(2) >= n_bytes && kept.is_free()
        };
        let replaced: Vec<Kept> = pieces.extract_if(.., is_replaced).collect();
        let is_replaced = !replaced.is_empty();
        unlocked(pieces, (others, replaced), ());
        let n_with_room = n_bytes.saturating_add(n_bytes / 8);
        is_replaced.then(|| BufferMut::try_with_capacity_in(n_with_room, budget).ok()).flatten()
    }

    /// Memory for `n_bytes` that is kept; no new one.
    pub(crate) fn fitting(&self, n_bytes: usize, budget: Option<&MemoryBudget>) -> Option<BufferMut> {
        let mut pieces = self.lock()?;
        let (fitting, others) = take_fitting(&mut pieces, n_bytes, budget);
        unlocked(pieces, others, fitting)
    }

    /// New memory. What is kept and not in use is freed if the budget or the system refuses otherwise.
    pub(crate) fn fresh(
        &self,
        n_bytes: usize,
        budget: Option<&MemoryBudget>,
    ) -> Result<BufferMut, BudgetError> {
        BufferMut::try_with_capacity_in(n_bytes, budget).or_else(|_| {
            self.free();
            BufferMut::try_with_capacity_in(n_bytes, budget)
        })
    }

    /// Frees what nothing else refers to.
    fn free(&self) {
        if let Some(mut pieces) = self.lock() {
            let free: Vec<Kept> = pieces.extract_if(.., |kept| kept.is_free()).collect();
            unlocked(pieces, free, ());
        }
    }

    /// Gives memory out, and keeps it, as far as there is room.
    pub(crate) fn give_out(&self, memory: BufferMut) -> Buffer {
        let (capacity, budget) = (memory.capacity(), memory.budget().cloned());
        let buffer = memory.freeze();
        if buffer.is_empty() || capacity > self.max_bytes || self.max_pieces == 0 {
            return buffer;
        }
        let Some(mut pieces) = self.lock() else { return buffer };
        pieces.push(Kept { buffer: buffer.clone(), capacity, budget });
        let mut n_bytes = 0_usize;
        let newest = pieces.iter().rev().take(self.max_pieces);
        let n_kept = newest.take_while(|kept| {
            n_bytes = n_bytes.saturating_add(kept.capacity);
            n_bytes <= self.max_bytes
        });
        let n_left_out = pieces.len().saturating_sub(n_kept.count());
        let left_out: Vec<Kept> = pieces.drain(..n_left_out).collect();
        unlocked(pieces, left_out, buffer)
    }

    /// The pieces. `None` if another thread has them just now: then nothing is used again, and nobody waits, so that the child of a
    /// fork never does.
    fn lock(&self) -> Option<MutexGuard<'_, Vec<Kept>>> {
        match self.pieces.try_lock() {
            Ok(pieces) => Some(pieces),
            Err(TryLockError::Poisoned(poisoned)) => Some(poisoned.into_inner()),
            Err(TryLockError::WouldBlock) => None,
        }
    }
}

/// Frees what was left out after others can go on: that takes the system long for large memory.
fn unlocked<T>(pieces: MutexGuard<'_, Vec<Kept>>, left_out: impl Sized, result: T) -> T {
    drop(pieces);
    drop(left_out);
    result
}

/// Takes the smallest piece that is free and large enough; not much larger, since a slice of it keeps all of it alive. Of several
/// that are about as long, the last one that was given out: most of it is in the processor's cache. Then those that are free and
/// charged to another budget.
fn take_fitting(
    pieces: &mut Vec<Kept>,
    n_bytes: usize,
    budget: Option<&MemoryBudget>,
) -> (Option<BufferMut>, Vec<Kept>) {
    let others = pieces.extract_if(.., |kept| kept.budget.as_ref() != budget && kept.is_free()).collect();
    let fits = |kept: &Kept| kept.is_free() && (n_bytes..=n_bytes.saturating_mul(2)).contains(&kept.capacity);
    let fitting = pieces.iter().enumerate().rev().filter(|(_, kept)| fits(kept));
    // In eighths.
    let n_too_much = |kept: &Kept| kept.capacity.saturating_sub(n_bytes) / (n_bytes / 8).saturating_add(1);
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

impl Kept {
    /// Whether nothing else refers to it. That stays so: nobody else can make a reference.
    fn is_free(&self) -> bool {
        self.buffer.is_recyclable()
    }
}

#[cfg(test)]
mod tests;
