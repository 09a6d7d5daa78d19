//! Why a call has failed: a code for programs, and a text for people.

use std::fmt;

use arrow_c_data::CDataError;
use arrow_ipc::{ErrorClass, IpcError, OptionError};
use arrow_text::format::Escaped;

/// The result of a function of the header. **Invariant:** the numbers are those of the header.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(i32)]
pub(crate) enum Code {
    Ok = 0,
    Io = 1,
    Truncated = 2,
    Malformed = 3,
    Limit = 4,
    OutOfMemory = 5,
    Unsupported = 6,
    Misuse = 7,
    Internal = 8,
}

/// An error of a call.
#[derive(Debug, Clone)]
pub(crate) struct Failure {
    pub(crate) code: Code,
    pub(crate) text: String,
}

pub(crate) type Result<T> = std::result::Result<T, Failure>;

impl Failure {
    pub(crate) fn misuse(text: impl Into<String>) -> Failure {
        Failure { code: Code::Misuse, text: text.into() }
    }

    /// The error for an argument that must not be NULL.
    pub(crate) fn null(name: impl fmt::Display) -> Failure {
        Failure::misuse(format!("`{name}` is NULL"))
    }

    /// Says in which batch the cause is.
    pub(crate) fn in_batch(self, index: impl fmt::Display) -> Failure {
        Failure { text: format!("batch {index}: {}", self.text), ..self }
    }
}

/// The text for people: characters that control a terminal are escaped.
impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        Escaped(&self.text).fmt(f)
    }
}

impl From<ErrorClass> for Code {
    fn from(class: ErrorClass) -> Code {
        match class {
            ErrorClass::Io => Code::Io,
            ErrorClass::Truncated => Code::Truncated,
            ErrorClass::Malformed => Code::Malformed,
            ErrorClass::LimitExceeded => Code::Limit,
            ErrorClass::OutOfMemory => Code::OutOfMemory,
            ErrorClass::Unsupported => Code::Unsupported,
            ErrorClass::Misuse => Code::Misuse,
            ErrorClass::Internal => Code::Internal,
            // A class that this crate does not know yet.
            _ => Code::Malformed,
        }
    }
}

impl From<IpcError> for Failure {
    fn from(error: IpcError) -> Failure {
        Failure { code: error.class().into(), text: error.to_string() }
    }
}

impl From<CDataError> for Failure {
    fn from(error: CDataError) -> Failure {
        Failure { code: error.class().into(), text: error.to_string() }
    }
}

impl From<OptionError> for Failure {
    fn from(error: OptionError) -> Failure {
        Failure::misuse(error.to_string())
    }
}
