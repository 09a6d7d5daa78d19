//! The batches that are still to be read, as ranges of neighbours, and which of them are read alone after a failure.

use std::{collections::VecDeque, ops::Range};

/// Indices of batches in the order of the file, each once.
#[derive(Debug, Clone, Default)]
pub(in crate::file::read) struct BatchRuns {
    /// Not empty, in order, and without overlap.
    runs: VecDeque<Range<usize>>,
    n_left: usize,
}

impl BatchRuns {
    /// Neighbouring batches.
    pub(in crate::file::read) fn from_range(batches: Range<usize>) -> BatchRuns {
        let n_left = batches.len();
        BatchRuns { runs: if n_left == 0 { VecDeque::new() } else { VecDeque::from([batches]) }, n_left }
    }

    /// Those of these batches that a file of `n_batches` batches has.
    pub(in crate::file::read) fn from_indices(
        batches: impl IntoIterator<Item = usize>,
        n_batches: usize,
    ) -> BatchRuns {
        let mut indices: Vec<usize> =
            batches.into_iter().filter(|batch_idx| *batch_idx < n_batches).collect();
        indices.sort_unstable();
        indices.dedup();
        let n_left = indices.len();
        let mut runs: VecDeque<Range<usize>> = VecDeque::new();
        for batch_idx in indices {
            // No overflow: the file has the batch.
            match runs.back_mut() {
                Some(last) if last.end == batch_idx => last.end = batch_idx + 1,
                Some(_) | None => runs.push_back(batch_idx..batch_idx + 1),
            }
        }
        BatchRuns { runs, n_left }
    }

    pub(super) fn n_left(&self) -> usize {
        self.n_left
    }

    pub(super) fn first(&self) -> Option<usize> {
        self.runs.front().map(|run| run.start)
    }

    /// Removes the first batch.
    pub(super) fn pop(&mut self) {
        let Some(run) = self.runs.front_mut() else { return };
        run.next();
        self.n_left = self.n_left.saturating_sub(1);
        if run.start == run.end {
            self.runs.pop_front();
        }
    }
}

/// Whether batches are read together with others.
#[derive(Debug, Clone, Copy)]
pub(super) enum Backoff {
    /// Batches are prefetched.
    None,
    /// Prefetching has failed. The next `n_left` batches are read alone; then prefetching is tried again. If it
    /// fails again, the next batch and `n_more_alone` batches after it are read alone.
    Failed { n_left: usize, n_more_alone: usize },
}

/// The maximum number of batches that are read alone before prefetching is tried again.
const MAX_ALONE: usize = 1 << 20;

impl Backoff {
    /// The state after prefetching has failed. The number of batches that are read alone doubles with each failure.
    pub(super) fn failed(self) -> Backoff {
        let n_more_alone = match self {
            Backoff::None => 0,
            Backoff::Failed { n_more_alone, .. } => n_more_alone,
        };
        Backoff::Failed { n_left: n_more_alone + 1, n_more_alone: (n_more_alone * 2).clamp(1, MAX_ALONE) }
    }

    /// Whether the next batch is read alone.
    pub(super) fn is_next_alone(self) -> bool {
        match self {
            Backoff::None => false,
            Backoff::Failed { n_left, .. } => n_left > 0,
        }
    }

    /// Counts a batch that begins. Returns whether it is read alone.
    pub(super) fn begin(&mut self) -> bool {
        match self {
            Backoff::None | Backoff::Failed { n_left: 0, .. } => false,
            Backoff::Failed { n_left, .. } => {
                *n_left -= 1;
                true
            }
        }
    }
}
