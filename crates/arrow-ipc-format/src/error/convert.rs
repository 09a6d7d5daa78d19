//! Converts errors of other crates to [`FormatError`](super::FormatError).

use arrow_buffer::SliceError;
use arrow_schema::TypeError;

use super::{FlatbufferCause, FlatbufferError, FormatError, FormatErrorKind, UnsupportedPart};

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
