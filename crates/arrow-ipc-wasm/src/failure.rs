//! Errors, which JavaScript gets as text.

use std::{any::Any, fmt};

use arrow_ipc::{IpcError, IpcErrorKind};

/// An error, as the text of an exception, and its class, by which programs tell errors apart.
#[derive(Debug)]
pub(crate) struct Failure {
    pub(crate) text: String,
    pub(crate) class: Class,
}

/// What an error is about. The numbers are those that `js/src/wasm.js` knows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Class {
    /// The input is malformed, unsupported or over a limit.
    Input = 0,
    /// A call is wrong: there is no such batch, or a condition cannot be read.
    Misuse = 1,
}

pub(crate) type Result<T, E = Failure> = std::result::Result<T, E>;

impl Failure {
    pub(crate) fn misuse(text: impl fmt::Display) -> Failure {
        Failure { text: text.to_string(), class: Class::Misuse }
    }

    fn of_input(error: &dyn fmt::Display) -> Failure {
        Failure { text: error.to_string(), class: Class::Input }
    }
}

/// Errors of the libraries are about the input, except those of a call that asks for what the input does not have.
impl<E: std::error::Error + 'static> From<E> for Failure {
    fn from(error: E) -> Failure {
        let kind = (&error as &dyn Any).downcast_ref::<IpcError>().map(IpcError::kind);
        if matches!(kind, Some(IpcErrorKind::NoSuchRows { .. } | IpcErrorKind::NoSuchBatch { .. })) {
            return Failure::misuse(error);
        }
        Failure::of_input(&error)
    }
}
