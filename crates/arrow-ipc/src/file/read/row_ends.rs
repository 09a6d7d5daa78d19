//! Remembers how many rows batches have.

use std::sync::{Mutex, MutexGuard, PoisonError};

/// Where the rows of the first batches end, counted over all batches. These batches are not counted again.
#[derive(Debug, Default)]
pub(super) struct RowEnds(Mutex<Vec<u64>>);

impl RowEnds {
    fn lock(&self) -> MutexGuard<'_, Vec<u64>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The first batch that may have this row or a later one, and the number of rows before the batch.
    pub(super) fn batch_from(&self, row: u64) -> (usize, u64) {
        let ends = self.lock();
        let batch_idx = ends.partition_point(|end| *end <= row);
        let n_before = batch_idx.checked_sub(1).and_then(|before| ends.get(before));
        (batch_idx, n_before.copied().unwrap_or_default())
    }

    /// The number of rows of a batch, if it has been counted.
    pub(super) fn n_rows_of(&self, batch_idx: usize) -> Option<u64> {
        let ends = self.lock();
        let n_before = batch_idx.checked_sub(1).map_or(Some(0), |before| ends.get(before).copied())?;
        ends.get(batch_idx)?.checked_sub(n_before)
    }

    /// Remembers where the rows of a batch end, if it is the next one. Without memory, it is counted again.
    pub(super) fn keep(&self, batch_idx: usize, end: u64) {
        let mut ends = self.lock();
        if ends.len() == batch_idx && ends.try_reserve(1).is_ok() {
            ends.push(end);
        }
    }
}
