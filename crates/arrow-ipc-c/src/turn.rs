//! Handles that one call at a time may use.

use std::sync::{Mutex, TryLockError};

use crate::failure::{Code, Failure, Result};

/// The state behind a handle. A call while another call uses it is an error, and so is each call after a panic.
pub(crate) struct Turn<T> {
    name: &'static str,
    state: Mutex<T>,
}

impl<T> Turn<T> {
    pub(crate) fn new(name: &'static str, state: T) -> Turn<T> {
        Turn { name, state: Mutex::new(state) }
    }

    pub(crate) fn with<R>(&self, call: impl FnOnce(&mut T) -> Result<R>) -> Result<R> {
        let name = self.name;
        match self.state.try_lock() {
            Ok(mut state) => call(&mut state),
            Err(TryLockError::WouldBlock) => {
                Err(Failure::misuse(format!("the {name} is in use by another call")))
            }
            Err(TryLockError::Poisoned(_)) => {
                let text = format!("the {name} cannot be used after a panic of this library");
                Err(Failure { code: Code::Internal, text })
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::panic::{AssertUnwindSafe, catch_unwind};

    use super::*;

    #[test]
    fn calls_inside_of_calls_and_after_panics_are_refused() {
        let turn = Turn::new("writer", 1);
        let inner = turn.with(|_| turn.with(|number| Ok(*number)));
        assert_eq!(inner.unwrap_err().text, "the writer is in use by another call");
        assert_eq!(turn.with(|number| Ok(*number)).unwrap(), 1);
        let panicked = catch_unwind(AssertUnwindSafe(|| turn.with(|_| -> Result<()> { panic!("here") })));
        assert!(panicked.is_err());
        assert_eq!(turn.with(|number| Ok(*number)).unwrap_err().code, Code::Internal);
    }
}
