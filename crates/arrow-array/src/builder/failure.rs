//! Remembers the first error of a builder.

use crate::error::ArrayError;

/// The slot that failed first, and its error.
#[derive(Debug, Clone, Default)]
pub(super) struct FirstFailure(Option<Box<(usize, ArrayError)>>);

impl FirstFailure {
    /// Stores the error of a slot, unless this slot or an earlier one already has an error.
    ///
    /// Slots may fail out of order: if the caller removes values of a nested builder, earlier slots fail.
    #[cold]
    pub(super) fn remember(&mut self, slot: usize, error: impl Into<ArrayError>) {
        if self.0.as_ref().is_none_or(|failure| slot < failure.0) {
            self.0 = Some(Box::new((slot, error.into())));
        }
    }

    pub(super) fn error(&self) -> Option<ArrayError> {
        self.0.as_ref().map(|failure| failure.1.clone())
    }

    /// Removes the error of a slot after the first `n_slots`.
    pub(super) fn truncate(&mut self, n_slots: usize) {
        self.0.take_if(|failure| failure.0 >= n_slots);
    }

    /// Returns the stored error, if any, and removes it.
    pub(super) fn take(&mut self) -> Result<(), ArrayError> {
        match self.0.take() {
            Some(failure) => Err(failure.1),
            None => Ok(()),
        }
    }
}
