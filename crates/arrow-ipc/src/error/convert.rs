//! Errors of other layers become errors of this one.

use std::io;

use arrow_buffer::SliceError;
use arrow_data::DataError;
use arrow_schema::{LookupError, TypeError};

use super::{Inner, IpcError, IpcErrorKind, Location, Unsupported};

impl From<IpcErrorKind> for IpcError {
    fn from(kind: IpcErrorKind) -> IpcError {
        IpcError(Box::new(Inner { at: Location::default(), kind }))
    }
}

impl From<io::Error> for IpcError {
    fn from(error: io::Error) -> IpcError {
        IpcErrorKind::Io(error).into()
    }
}

impl From<DataError> for IpcError {
    fn from(error: DataError) -> IpcError {
        IpcErrorKind::Data(error).into()
    }
}

impl From<LookupError> for IpcError {
    fn from(error: LookupError) -> IpcError {
        IpcErrorKind::Lookup(error).into()
    }
}

impl From<TypeError> for IpcError {
    fn from(error: TypeError) -> IpcError {
        IpcErrorKind::Type(error).into()
    }
}

impl From<SliceError> for IpcError {
    fn from(error: SliceError) -> IpcError {
        let (needed, available) = (error.start.saturating_add(error.n_bytes), error.len as u64);
        IpcErrorKind::Truncated { what: "buffer", needed, available }.into()
    }
}

impl From<planus::Error> for IpcError {
    /// Numbers that a newer version of the format could have are unsupported, not malformed.
    fn from(error: planus::Error) -> IpcError {
        use planus::errors::ErrorKind;
        let unsupported = match (error.error_kind, error.source_location.type_, error.source_location.method)
        {
            (ErrorKind::UnknownEnumTag { source }, _, "version") => {
                Some(Unsupported::MetadataVersion { found: i64::try_from(source.tag).unwrap_or(i64::MAX) })
            }
            (ErrorKind::UnknownUnionTag { tag }, _, "type_") => {
                Some(Unsupported::TypeTag { found: tag.into() })
            }
            (ErrorKind::UnknownUnionTag { tag }, _, "header") => {
                Some(Unsupported::MessageTag { found: tag.into() })
            }
            (ErrorKind::UnknownEnumTag { .. }, _, "dictionary_kind") => Some(Unsupported::DictionaryKind),
            _ => None,
        };
        match unsupported {
            Some(what) => IpcErrorKind::Unsupported { what }.into(),
            None => IpcErrorKind::Flatbuffer(error).into(),
        }
    }
}
