//! What went wrong while values came.

use crate::error::ArrayError;

/// The first thing that went wrong, and with which slot.
#[derive(Debug, Clone, Default)]
pub(super) struct Failure(Option<Box<(usize, ArrayError)>>);

impl Failure {
    /// Remembers what went wrong with a slot, unless something did before.
    #[cold]
    pub(super) fn remember(&mut self, slot: usize, error: impl Into<ArrayError>) {
        if self.0.is_none() {
            self.0 = Some(Box::new((slot, error.into())));
        }
    }

    pub(super) fn error(&self) -> Option<ArrayError> {
        self.0.as_ref().map(|failure| failure.1.clone())
    }

    /// Forgets what went wrong with slots behind the first `n_slots`.
    pub(super) fn truncate(&mut self, n_slots: usize) {
        self.0.take_if(|failure| failure.0 >= n_slots);
    }

    /// Reports it, once.
    pub(super) fn take(&mut self) -> Result<(), ArrayError> {
        match self.0.take() {
            Some(failure) => Err(failure.1),
            None => Ok(()),
        }
    }
}
