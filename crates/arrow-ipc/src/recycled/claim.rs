//! Counts the bytes of reused memory that streams have claimed for bytes that have not arrived.

use std::sync::{
    Arc,
    atomic::{AtomicUsize, Ordering},
};

/// The number of claimed bytes of reused memory.
#[derive(Debug, Clone, Default)]
pub(super) struct ClaimedBytes(Arc<AtomicUsize>);

/// A claim. Its bytes are counted until the guard is dropped.
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

impl ClaimedBytes {
    /// Claims `n_bytes` bytes. `None` if the sum of all claims would exceed `max_bytes`.
    pub(super) fn claim(&self, n_bytes: usize, max_bytes: usize) -> Option<ClaimGuard> {
        let add = |n_before: usize| n_before.checked_add(n_bytes).filter(|sum| *sum <= max_bytes);
        self.0.fetch_update(Ordering::Relaxed, Ordering::Relaxed, add).ok()?;
        Some(ClaimGuard { n_claimed_bytes: self.clone(), n_bytes })
    }
}
