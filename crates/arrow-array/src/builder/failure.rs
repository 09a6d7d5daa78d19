//! What went wrong while values came.

use crate::error::ArrayError;

/// What went wrong with the first slot that something went wrong with, and which it is.
#[derive(Debug, Clone, Default)]
pub(super) struct FirstFailure(Option<Box<(usize, ArrayError)>>);

impl FirstFailure {
    /// Remembers what went wrong with a slot, unless something did with this one or one before it.
    ///
    /// Values that are taken away are missed in slots that were right: so it need not be the last slot.
    #[cold]
    pub(super) fn remember(&mut self, slot: usize, error: impl Into<ArrayError>) {
        if self.0.as_ref().is_none_or(|failure| slot < failure.0) {
            self.0 = Some(Box::new((slot, error.into())));
        }
    }

    pub(super) fn error(&self) -> Option<ArrayError> {
        self.0.as_ref().map(|failure| failure.1.clone())
    }

    /// Forgets what went wrong after the first `n_slots` slots.
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
