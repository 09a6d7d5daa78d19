//! Limits the size of a row.

use std::cell::Cell;

use crate::error::{Result, SerdeErrorKind};

/// How many values and bytes of text may still be read from a row.
#[derive(Debug)]
pub(super) struct RowBudget {
    max: u64,
    left: Cell<u64>,
}

impl RowBudget {
    pub(super) fn new(max: u64) -> RowBudget {
        RowBudget { max, left: Cell::new(max) }
    }

    #[inline]
    pub(super) fn value(&self) -> Result<()> {
        self.spend(1)
    }

    /// Counts `n_bytes` bytes of text. Returns an error if the limit is exceeded.
    #[inline]
    pub(super) fn bytes(&self, n_bytes: usize) -> Result<()> {
        self.spend(n_bytes as u64)
    }

    #[inline]
    fn spend(&self, n: u64) -> Result<()> {
        match self.left.get().checked_sub(n) {
            Some(left) => {
                self.left.set(left);
                Ok(())
            }
            None => Err(SerdeErrorKind::TooManyValues { max: self.max }.into()),
        }
    }

    /// How many values may still be read.
    pub(super) fn left(&self) -> usize {
        usize::try_from(self.left.get()).unwrap_or(usize::MAX)
    }
}
