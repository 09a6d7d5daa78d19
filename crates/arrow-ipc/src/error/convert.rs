//! Errors of other layers become errors of this one.

use std::io;

use arrow_buffer::SliceError;
use arrow_data::DataError;
use arrow_schema::{LookupError, TypeError};

use super::{Inner, IpcError, IpcErrorKind, Location, Unsupported};
use crate::tensor::TensorError;

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

impl From<TensorError> for IpcError {
    fn from(error: TensorError) -> IpcError {
        IpcErrorKind::Tensor(error).into()
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
            _ => return IpcErrorKind::Flatbuffer(error).into(),
        };
        IpcErrorKind::Unsupported { what: unsupported }.into()
    }
}
