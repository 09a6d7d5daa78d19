//! Limits the size of a row.

use std::cell::Cell;

use arrow_buffer::Budget;

use crate::error::{Result, SerdeError, SerdeErrorKind};

/// How many bytes of a name are not counted. The value that it names is counted, and such a name takes about as much memory.
const FREE_NAME_BYTES: usize = 64;

/// How many values and bytes of text may still be read from a row.
#[derive(Debug)]
pub(super) struct RowBudget(Cell<Budget>);

impl RowBudget {
    pub(super) fn new(max: u64) -> RowBudget {
        RowBudget(Cell::new(Budget::new(max)))
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

    /// Counts the name of a variant, which the row may copy. Returns an error if the limit is exceeded.
    #[inline]
    pub(super) fn name(&self, name: &str) -> Result<()> {
        self.bytes(n_counted_bytes(name))
    }

    #[inline]
    fn spend(&self, n: u64) -> Result<()> {
        let mut budget = self.0.get();
        budget.spend("values and bytes of text", n).map_err(|_| self.exceeded())?;
        self.0.set(budget);
        Ok(())
    }

    /// The error if the limit is exceeded.
    #[cold]
    pub(super) fn exceeded(&self) -> SerdeError {
        SerdeErrorKind::TooManyValues { max: self.0.get().limit() }.into()
    }

    /// How many values may still be read.
    pub(super) fn left(&self) -> usize {
        usize::try_from(self.0.get().n_left()).unwrap_or(usize::MAX)
    }
}

/// How many bytes of the name of a field or variant count.
pub(super) fn n_counted_bytes(name: &str) -> usize {
    name.len().saturating_sub(FREE_NAME_BYTES)
}
