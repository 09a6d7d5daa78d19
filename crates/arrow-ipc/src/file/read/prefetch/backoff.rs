//! Which batches are read alone after reading ahead has failed.

/// The maximum number of batches that are read alone before reading ahead is tried again.
const MAX_ALONE: usize = 1 << 20;

#[derive(Debug, Clone, Copy)]
pub(super) enum Backoff {
    /// Batches are read ahead.
    None,
    /// Reading ahead has failed. The next `n_left` batches are read alone; then reading ahead is tried again. If it
    /// fails again, the next batch and `n_more_alone` batches after it are read alone.
    Failed { n_left: usize, n_more_alone: usize },
}

impl Backoff {
    /// The state after reading ahead has failed. The number of batches that are read alone doubles with each failure.
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
