//! Converts errors of other crates to [`FormatError`](super::FormatError).

use arrow_buffer::SliceError;
use arrow_schema::TypeError;

use super::{FlatbufferError, FormatError, FormatErrorKind, Unsupported};

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

/// An error of reading metadata. Generated accessors return an error of `planus`, which converts to this type. So the
/// public [`FormatError`] needs no `From` for a type of `planus`.
#[derive(Debug)]
pub struct WireError(FormatError);

/// A result with a [`WireError`].
pub type WireResult<T> = std::result::Result<T, WireError>;

impl From<planus::Error> for WireError {
    /// Reports unknown values of enumerations and unions as unsupported, not as malformed, since a newer version of the
    /// format may define them.
    fn from(error: planus::Error) -> WireError {
        use planus::errors::ErrorKind;
        let what = error.source_location.method;
        let unsupported = match (error.error_kind, what) {
            (ErrorKind::UnknownEnumTag { source }, _) => {
                let found = i64::try_from(source.tag).unwrap_or(i64::MAX);
                match what {
                    "version" => Unsupported::MetadataVersion { found },
                    _ => Unsupported::EnumValue { what, found },
                }
            }
            (ErrorKind::UnknownUnionTag { tag }, "type_") => Unsupported::TypeTag { found: tag.into() },
            (ErrorKind::UnknownUnionTag { tag }, "header") => Unsupported::MessageTag { found: tag.into() },
            (ErrorKind::UnknownUnionTag { tag }, _) => Unsupported::EnumValue { what, found: tag.into() },
            _ => return FormatErrorKind::Flatbuffer(FlatbufferError::of_planus(error)).into(),
        };
        FormatErrorKind::Unsupported { what: unsupported }.into()
    }
}

macro_rules! errors_of_metadata {
    ($($error:ty),*) => {$(
        impl From<$error> for WireError {
            fn from(error: $error) -> WireError {
                WireError(error.into())
            }
        }
    )*};
}

errors_of_metadata!(FormatError, FormatErrorKind, TypeError);

impl From<WireError> for FormatError {
    fn from(error: WireError) -> FormatError {
        error.0
    }
}
