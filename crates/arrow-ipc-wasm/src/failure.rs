//! Errors, which JavaScript gets as text.

use std::{any::Any, fmt};

use arrow_ipc::{Container, ErrorClass, IpcError, IpcErrorKind};
#[cfg(feature = "full")]
use arrow_ipc_tools::{ToolError, ToolErrorKind};

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
    /// The input is of another format, which is known: no damaged Arrow data.
    OtherFormat = 2,
}

pub(crate) type Result<T, E = Failure> = std::result::Result<T, E>;

impl Failure {
    pub(crate) fn misuse(text: impl fmt::Display) -> Failure {
        Failure { text: text.to_string(), class: Class::Misuse }
    }
}

impl<E: std::error::Error + 'static> From<E> for Failure {
    fn from(error: E) -> Failure {
        Failure { text: error.to_string(), class: class_of(&error) }
    }
}

/// Errors of the libraries are about the input, except those of a call that asks for what the input does not have.
fn class_of(error: &dyn Any) -> Class {
    if let Some(error) = error.downcast_ref::<IpcError>() {
        return class_of_ipc(error);
    }
    #[cfg(feature = "full")]
    if let Some(error) = error.downcast_ref::<ToolError>() {
        if let ToolErrorKind::NotArrow { found: Some(_) } = error.kind() {
            return Class::OtherFormat;
        }
        return error.ipc_error().map_or_else(|| Class::from_class(error.class()), class_of_ipc);
    }
    Class::Input
}

impl Class {
    fn from_class(class: ErrorClass) -> Class {
        if class == ErrorClass::Misuse { Class::Misuse } else { Class::Input }
    }
}

fn class_of_ipc(error: &IpcError) -> Class {
    if let IpcErrorKind::WrongContainer { found: Container::Parquet | Container::FeatherV1, .. } =
        error.kind()
    {
        return Class::OtherFormat;
    }
    Class::from_class(error.class())
}
