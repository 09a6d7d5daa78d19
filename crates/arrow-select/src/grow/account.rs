//! Limits the number of bytes that appending may copy.

use crate::error::{SelectError, SelectErrorKind};

/// Counts bytes before they are copied.
#[derive(Debug)]
pub(super) struct CopyAccount {
    pub(super) n_bytes: u64,
    pub(super) max_bytes: u64,
}

impl CopyAccount {
    pub(super) fn spend(&mut self, n_bytes: usize) -> Result<(), SelectError> {
        let sum = self.n_bytes.saturating_add(n_bytes as u64);
        if sum > self.max_bytes {
            return Err(SelectErrorKind::TooManyCopies { n_bytes: sum, limit: self.max_bytes }.into());
        }
        self.n_bytes = sum;
        Ok(())
    }
}
