//! Errors in the bytes of messages and footers.
//!
//! A [`FormatError`] has a cause, the [`FormatErrorKind`], and a [`Location`]. Its [`ErrorClass`] tells a program how to
//! react.

use std::{error, fmt};

use arrow_buffer::{LimitExceeded, SliceError};
use arrow_data::Role;
pub use arrow_error::ErrorClass;
use arrow_schema::{FieldPath, TypeError};

mod kind;
mod location;
mod unsupported;

pub use crate::flatbuffer::{FlatbufferCause, FlatbufferError};

pub use self::{
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

impl From<LimitExceeded> for FormatErrorKind {
    fn from(LimitExceeded { what, requested, limit, .. }: LimitExceeded) -> FormatErrorKind {
        FormatErrorKind::LimitExceeded { what, requested, limit }
    }
}

impl From<LimitExceeded> for FormatError {
    #[cold]
    fn from(exceeded: LimitExceeded) -> FormatError {
        FormatErrorKind::from(exceeded).into()
    }
}

arrow_error::debug_as_display!(FormatError);

impl fmt::Display for FormatError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Inner { at, kind } = &*self.0;
        let location = at.to_string();
        if !location.is_empty() {
            write!(f, "{location}: ")?;
        }
        kind.fmt(f)
    }
}

impl error::Error for FormatError {}

impl From<TypeError> for FormatError {
    fn from(error: TypeError) -> FormatError {
        FormatErrorKind::Type(error).into()
    }
}

impl From<SliceError> for FormatError {
    fn from(error: SliceError) -> FormatError {
        let needed = error.start.saturating_add(error.n_bytes);
        FormatErrorKind::Truncated { what: "buffer", needed, available: error.len as u64 }.into()
    }
}

impl From<FlatbufferError> for FormatError {
    /// Reports unknown values of enumerations and unions as unsupported, not as malformed, since a newer version of the
    /// format may define them.
    fn from(error: FlatbufferError) -> FormatError {
        let field = error.field().unwrap_or_default();
        let what = match (error.cause(), field) {
            (FlatbufferCause::Enumeration { found }, "version") => UnsupportedPart::MetadataVersion { found },
            (FlatbufferCause::Enumeration { found }, _) => UnsupportedPart::EnumValue { what: field, found },
            (FlatbufferCause::Union { tag }, "type") => UnsupportedPart::TypeTag { found: tag.into() },
            (FlatbufferCause::Union { tag }, "header") => UnsupportedPart::MessageTag { found: tag.into() },
            (FlatbufferCause::Union { tag }, _) => {
                UnsupportedPart::EnumValue { what: field, found: tag.into() }
            }
            _ => return FormatErrorKind::Flatbuffer(error).into(),
        };
        FormatErrorKind::Unsupported { what }.into()
    }
}

/// The value of a field, or an error if the field is absent.
///
/// # Errors
/// If it is absent.
pub fn required<T>(value: Option<T>, what: &'static str) -> Result<T> {
    value.ok_or_else(|| FormatErrorKind::Missing { what }.into())
}

/// Converts a length or count, which the format stores as a signed number.
///
/// # Errors
/// If it is negative.
#[inline]
pub fn not_negative(found: i64, what: &'static str) -> Result<u64> {
    u64::try_from(found).map_err(|_| FormatErrorKind::Negative { what, found }.into())
}
