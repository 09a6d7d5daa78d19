//! Keeps the memory of a decompressed batch for the next one.

use std::sync::{Arc, Mutex, PoisonError};

use arrow_buffer::{BudgetError, Buffer, BufferMut, MemoryBudget};

/// Larger memory is freed: the system provides it again quickly, in huge pages.
const MAX_KEPT_BYTES: usize = 64 << 20;

/// The memory of the last batch. It is reused once nothing refers to that batch: it is then neither cleared nor brought in page
/// by page, which takes as long as decompressing.
#[derive(Debug, Default)]
pub(crate) struct KeptMemory(Mutex<Option<Buffer>>);

/// Memory that compressed batches are decompressed into, handed from reader to reader.
///
/// A reader keeps the memory of its last batch, and reuses it for the next one if nothing refers to that batch any more: the
/// system takes as long to provide large new memory as we take to decompress into it. Readers that are given clones of this,
/// one after the other, reuse the memory of the previous reader. It is one piece of at most 64 MiB; of readers that work at
/// the same time, one has it.
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
    /// Without memory at first.
    pub fn new() -> RecycledMemory {
        RecycledMemory::default()
    }
}

impl KeptMemory {
    /// Memory for `n_bytes`; not much more, since a slice of it keeps all of it alive. An error if the budget or the system
    /// refuses: the number comes from the input.
    pub(super) fn take(
        &self,
        n_bytes: usize,
        budget: Option<&MemoryBudget>,
    ) -> Result<BufferMut, BudgetError> {
        let kept = self.lock().take();
        let kept = kept.and_then(|kept| kept.try_recycle().ok());
        // Readers may hand memory on that is charged elsewhere.
        let fits = |memory: &BufferMut| {
            (n_bytes..=n_bytes.saturating_mul(2)).contains(&memory.capacity()) && memory.budget() == budget
        };
        match kept.filter(fits) {
            Some(memory) => Ok(memory),
            None => BufferMut::try_with_capacity_in(n_bytes, budget),
        }
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
            assert!(KeptMemory::default().take(n_bytes, None).is_err());
        }
    }
}
