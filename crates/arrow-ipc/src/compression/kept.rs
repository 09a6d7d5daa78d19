//! Memory that was decompressed into, kept for the next batch.

use std::sync::{Arc, Mutex, PoisonError};

use arrow_buffer::{Buffer, BufferMut};

/// More than this is given back: a system that gives it again in huge pages does so quickly.
const MAX_KEPT_BYTES: usize = 64 << 20;

/// The memory of the last batch. It is used again once nobody refers to that batch any more: then it needs neither be
/// cleared nor brought in page by page, which takes as long as decompressing.
#[derive(Debug, Default)]
pub(crate) struct KeptMemory(Mutex<Option<Buffer>>);

/// Memory that compressed batches are decompressed into, handed from reader to reader.
///
/// A reader keeps the memory of its last batch, and uses it for the next one if nobody refers to that batch any more: large
/// memory that is new takes as long to bring in as to decompress into. Readers that are given clones of this, one after the
/// other, go on with what the one before has left. It is no more than one piece, of at most 64 MiB; readers that work at the
/// same time take turns at it.
///
/// ```
/// use arrow_ipc::{ReadOptions, RecycledMemory};
///
/// let memory = RecycledMemory::new();
/// for path in ["a.arrow", "b.arrow"] {
///     let options = ReadOptions::new().with_recycled_memory(memory.clone());
/// #   drop((path, options));
///     // … read the file at `path`.
/// }
/// ```
#[derive(Debug, Clone, Default)]
pub struct RecycledMemory(pub(crate) Arc<KeptMemory>);

impl RecycledMemory {
    /// No memory so far.
    pub fn new() -> RecycledMemory {
        RecycledMemory::default()
    }
}

impl KeptMemory {
    /// Memory for `n_bytes`; not much more, since a slice of it keeps all of it alive. `None` if the system has no more:
    /// the number comes from the input.
    pub(super) fn take(&self, n_bytes: usize) -> Option<BufferMut> {
        let kept = self.lock().take();
        let kept = kept.and_then(|kept| kept.try_recycle().ok());
        let fits = |memory: &BufferMut| (n_bytes..=n_bytes.saturating_mul(2)).contains(&memory.capacity());
        kept.filter(fits).or_else(|| BufferMut::try_with_capacity(n_bytes))
    }

    /// Keeps the memory of a batch.
    pub(super) fn keep(&self, memory: &Buffer) {
        if memory.len() <= MAX_KEPT_BYTES {
            *self.lock() = Some(memory.clone());
        }
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Option<Buffer>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn memory_that_cannot_be_had_is_no_panic() {
        for n_bytes in [usize::MAX, isize::MAX.cast_unsigned(), 1 << 62] {
            assert!(KeptMemory::default().take(n_bytes).is_none());
        }
    }
}
