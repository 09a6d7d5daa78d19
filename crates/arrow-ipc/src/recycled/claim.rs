//! Reused memory for bytes that are claimed and have not arrived.

use std::sync::{
    Arc,
    atomic::{AtomicUsize, Ordering},
};

use arrow_buffer::{BufferMut, MemoryBudget};

use super::KeptMemory;

/// How many bytes of reused memory wait for claimed bytes.
#[derive(Debug, Clone, Default)]
pub(super) struct ClaimedBytes(Arc<AtomicUsize>);

/// Counts its bytes as claimed until it is dropped.
#[derive(Debug)]
pub(crate) struct ClaimGuard {
    n_claimed_bytes: ClaimedBytes,
    n_bytes: usize,
}

impl Drop for ClaimGuard {
    fn drop(&mut self) {
        self.n_claimed_bytes.0.fetch_sub(self.n_bytes, Ordering::Relaxed);
    }
}

impl KeptMemory {
    /// Reused memory for bytes that a stream claims. It is never new memory, and all streams together get at most the
    /// kept memory.
    pub(crate) fn claimed(
        &self,
        n_bytes: usize,
        budget: Option<&MemoryBudget>,
    ) -> Option<(BufferMut, ClaimGuard)> {
        let add = |n_before: usize| n_before.checked_add(n_bytes).filter(|sum| *sum <= self.max_bytes);
        self.n_claimed_bytes.0.fetch_update(Ordering::Relaxed, Ordering::Relaxed, add).ok()?;
        let claim = ClaimGuard { n_claimed_bytes: self.n_claimed_bytes.clone(), n_bytes };
        self.fitting(n_bytes, budget).map(|memory| (memory, claim))
    }
}
