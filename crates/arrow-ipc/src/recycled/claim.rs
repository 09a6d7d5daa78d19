//! Counts the reused memory that waits for announced bytes of streams.

use std::sync::{
    Arc,
    atomic::{AtomicUsize, Ordering},
};

/// The number of bytes of reused memory that wait for announced bytes.
#[derive(Debug, Clone, Default)]
pub(super) struct ClaimedBytes(Arc<AtomicUsize>);

/// The bytes of one claim. They are counted until the guard is dropped.
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
    /// Counts more bytes. `None` if the sum would exceed `max_bytes`.
    pub(super) fn claim(&self, n_bytes: usize, max_bytes: usize) -> Option<ClaimGuard> {
        let add = |n_before: usize| n_before.checked_add(n_bytes).filter(|sum| *sum <= max_bytes);
        self.0.fetch_update(Ordering::Relaxed, Ordering::Relaxed, add).ok()?;
        Some(ClaimGuard { n_claimed_bytes: self.clone(), n_bytes })
    }
}
