//! Errors in the bytes of messages and footers.
//!
//! A [`FormatError`] has a cause, the [`FormatErrorKind`], and a [`Location`]. Its [`ErrorClass`] tells a program how to
//! react.

use std::{error, fmt};

use arrow_data::Role;
use arrow_schema::FieldPath;

mod checks;
mod convert;
mod kind;
mod location;
mod unsupported;

pub use crate::flatbuffer::{FlatbufferCause, FlatbufferError};

pub use self::{
    checks::{not_negative, required},
    kind::FormatErrorKind,
    location::{BlockIndex, FooterPart, Location},
    unsupported::UnsupportedPart,
};

/// A result with a [`FormatError`].
pub type Result<T> = std::result::Result<T, FormatError>;

/// Bytes that do not follow the format, that use an unsupported part of it, or that exceed a limit.
pub struct FormatError(Box<Inner>);

struct Inner {
    at: Location,
    kind: FormatErrorKind,
}

/// The class of an error. For example, it tells a program to read more bytes, to raise a limit, or to give up.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ErrorClass {
    /// The source or sink failed, for example because a file does not exist, the disk is full or the connection was lost.
    Io,
    /// The input ends too early. More bytes may help.
    Truncated,
    /// The input breaks a rule of the format.
    Malformed,
    /// The input exceeds the [`Limits`](crate::Limits) or the memory budget.
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
    /// The kind that an [`io::Error`](std::io::Error) of this class has.
    pub fn io_error_kind(self) -> std::io::ErrorKind {
        use std::io::ErrorKind;
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

impl FormatError {
    /// An error for a broken invariant of this library.
    #[cold]
    pub(crate) fn internal(what: &'static str) -> FormatError {
        FormatErrorKind::Internal { what }.into()
    }

    /// The known parts of the location: the field and the buffer.
    pub fn location(&self) -> &Location {
        &self.0.at
    }

    /// The cause, with the value that was found and the values that are allowed.
    pub fn kind(&self) -> &FormatErrorKind {
        &self.0.kind
    }

    /// The class of the cause.
    pub fn class(&self) -> ErrorClass {
        self.0.kind.class()
    }

    /// Location and cause, for an error of a higher layer.
    pub fn into_parts(self) -> (Location, FormatErrorKind) {
        let Inner { at, kind } = *self.0;
        (at, kind)
    }

    /// Adds the field, unless an inner layer has added it.
    #[cold]
    #[inline(never)]
    pub(crate) fn in_field(mut self, path: &dyn Fn() -> FieldPath) -> FormatError {
        self.0.at.field.get_or_insert_with(path);
        self
    }

    /// Adds the buffer, unless an inner layer has added it.
    #[cold]
    #[inline(never)]
    pub(crate) fn in_buffer(mut self, buffer_idx: usize, role: Option<Role>) -> FormatError {
        self.0.at.buffer.get_or_insert((buffer_idx as u64, role));
        self
    }
}

impl From<FormatErrorKind> for FormatError {
    fn from(kind: FormatErrorKind) -> FormatError {
        FormatError(Box::new(Inner { at: Location::default(), kind }))
    }
}

arrow_buffer::debug_as_display!(FormatError);

impl fmt::Display for FormatError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Inner { at, kind } = &*self.0;
        let place = at.to_string();
        if !place.is_empty() {
            write!(f, "{place}: ")?;
        }
        kind.fmt(f)
    }
}

impl error::Error for FormatError {}
