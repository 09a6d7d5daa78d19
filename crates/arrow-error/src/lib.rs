//! What the errors of all crates share.
#![forbid(unsafe_code)]
#![deny(clippy::wildcard_enum_match_arm)] // docs/STYLE.md, rule 4. Tests may pick out one variant.

use std::io::ErrorKind;

/// The class of an error. For example, it tells a program to read more bytes, to raise a limit, or to give up.
///
/// The error of each crate has a method `class`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ErrorClass {
    /// The source or sink failed, for example because a file does not exist, the disk is full or the connection was lost.
    Io,
    /// The input ends too early. More bytes may help.
    Truncated,
    /// The input breaks a rule of the format.
    Malformed,
    /// The input exceeds a limit or the memory budget.
    LimitExceeded,
    /// The system refuses to allocate memory. The data may be valid.
    OutOfMemory,
    /// The input uses a part of the format that this library does not support.
    Unsupported,
    /// The call is wrong: an argument does not fit the data, or the calls are in a wrong order.
    Misuse,
    /// An invariant of this library does not hold. Please report it.
    Internal,
}

impl ErrorClass {
    /// The name of the class in snake case, such as `limit_exceeded`: bindings of other languages use these names.
    pub fn name(self) -> &'static str {
        match self {
            ErrorClass::Io => "io",
            ErrorClass::Truncated => "truncated",
            ErrorClass::Malformed => "malformed",
            ErrorClass::LimitExceeded => "limit_exceeded",
            ErrorClass::OutOfMemory => "out_of_memory",
            ErrorClass::Unsupported => "unsupported",
            ErrorClass::Misuse => "misuse",
            ErrorClass::Internal => "internal",
        }
    }

    /// The kind that an [`io::Error`](std::io::Error) of this class has.
    pub fn io_error_kind(self) -> ErrorKind {
        match self {
            ErrorClass::Truncated => ErrorKind::UnexpectedEof,
            ErrorClass::Malformed | ErrorClass::LimitExceeded => ErrorKind::InvalidData,
            ErrorClass::OutOfMemory => ErrorKind::OutOfMemory,
            ErrorClass::Unsupported => ErrorKind::Unsupported,
            ErrorClass::Misuse => ErrorKind::InvalidInput,
            ErrorClass::Io | ErrorClass::Internal => ErrorKind::Other,
        }
    }
}

impl From<&std::io::Error> for ErrorClass {
    fn from(error: &std::io::Error) -> ErrorClass {
        if error.kind() == ErrorKind::OutOfMemory { ErrorClass::OutOfMemory } else { ErrorClass::Io }
    }
}

/// Implements `Debug` of errors with their `Display` text, since programs show the `Debug` text if `main` returns an
/// error, or if they unwrap one.
#[doc(hidden)]
#[macro_export]
macro_rules! debug_as_display {
    ($($error:ty),+) => {
        $(impl ::std::fmt::Debug for $error {
            fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
                ::std::fmt::Display::fmt(self, f)
            }
        })+
    };
}

/// Gives errors that are all of one class their method `class`.
#[doc(hidden)]
#[macro_export]
macro_rules! error_class {
    ($($error:ty => $class:ident),+ $(,)?) => {
        $(impl $error {
            /// How a program can react.
            pub fn class(&self) -> $crate::ErrorClass {
                $crate::ErrorClass::$class
            }
        })+
    };
}
