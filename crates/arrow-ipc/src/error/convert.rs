//! Converts errors of other crates and layers to [`IpcError`](super::IpcError).

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

/// For each pair `error => kind`, implements `From` so that the error becomes the cause of an [`IpcError`].
macro_rules! causes {
    ($($error:ty => $kind:ident,)*) => {$(
        impl From<$error> for IpcError {
            fn from(error: $error) -> IpcError {
                IpcErrorKind::$kind(error).into()
            }
        }
    )*};
}

causes! {
    io::Error => Io,
    DataError => Data,
    BudgetError => Memory,
    LookupError => Lookup,
    TypeError => Type,
    ShapeError => Shape,
    TensorError => Tensor,
}

impl From<SliceError> for IpcError {
    fn from(error: SliceError) -> IpcError {
        let (needed, available) = (error.start.saturating_add(error.n_bytes), error.len as u64);
        IpcErrorKind::Truncated { what: "buffer", needed, available }.into()
    }
}

/// An error of reading metadata. Generated accessors return an error of `planus`, which converts to this type. So the
/// public [`IpcError`] needs no `From` for a type of `planus`.
#[derive(Debug)]
pub(crate) struct WireError(IpcError);

pub(crate) type WireResult<T> = std::result::Result<T, WireError>;

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
            _ => return IpcErrorKind::Flatbuffer(FlatbufferError::of_planus(error)).into(),
        };
        IpcErrorKind::Unsupported { what: unsupported }.into()
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

errors_of_metadata!(IpcError, IpcErrorKind, TypeError, TensorError);

impl From<WireError> for IpcError {
    fn from(error: WireError) -> IpcError {
        error.0
    }
}
