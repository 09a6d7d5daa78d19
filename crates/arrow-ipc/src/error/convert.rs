//! Errors of other layers become errors of this one.

use std::io;

use arrow_buffer::{BudgetError, SliceError};
use arrow_data::DataError;
use arrow_schema::{LookupError, TypeError};

use super::{FlatbufferError, Inner, IpcError, IpcErrorKind, Location, ShapeError, TensorError, Unsupported};

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

impl From<BudgetError> for IpcError {
    fn from(error: BudgetError) -> IpcError {
        IpcErrorKind::Memory(error).into()
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

impl From<ShapeError> for IpcError {
    fn from(error: ShapeError) -> IpcError {
        IpcErrorKind::Shape(error).into()
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

/// An error of reading metadata. It converts errors of the generated accessors, so that `planus` is in no `From` of the
/// public [`IpcError`].
#[derive(Debug)]
pub(crate) struct WireError(IpcError);

/// The result of reading parts of metadata.
pub(crate) type WireResult<T> = std::result::Result<T, WireError>;

impl From<planus::Error> for WireError {
    /// Numbers that a newer version of the format may define are unsupported, not malformed.
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
            _ => return IpcErrorKind::Flatbuffer(FlatbufferError::of_planus(error)).into(),
        };
        IpcErrorKind::Unsupported { what: unsupported }.into()
    }
}

impl From<IpcError> for WireError {
    fn from(error: IpcError) -> WireError {
        WireError(error)
    }
}

impl From<IpcErrorKind> for WireError {
    fn from(kind: IpcErrorKind) -> WireError {
        WireError(kind.into())
    }
}

impl From<TypeError> for WireError {
    fn from(error: TypeError) -> WireError {
        WireError(error.into())
    }
}

impl From<TensorError> for WireError {
    fn from(error: TensorError) -> WireError {
        WireError(error.into())
    }
}

impl From<WireError> for IpcError {
    fn from(error: WireError) -> IpcError {
        error.0
    }
}
