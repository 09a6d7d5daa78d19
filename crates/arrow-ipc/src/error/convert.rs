//! Converts errors of other crates and layers to [`IpcError`](super::IpcError).

use std::io;

use arrow_buffer::{BudgetError, LimitExceeded, SliceError};
use arrow_data::DataError;
use arrow_schema::{LookupError, TypeError};
use arrow_select::{SelectError, SelectErrorKind};

use arrow_ipc_format::{FormatError, FormatErrorKind, error::Location, flatbuffer::FlatbufferError};

use super::{Inner, IpcError, IpcErrorKind};

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
}

/// The kind is that of the [class](IpcError::class), or of the cause if that is an [`io::Error`].
/// [`io::Error::downcast`] returns the [`IpcError`] again.
impl From<IpcError> for io::Error {
    fn from(error: IpcError) -> io::Error {
        let kind = if let IpcErrorKind::Io(cause)
        | IpcErrorKind::Write(cause)
        | IpcErrorKind::Open { error: cause, .. }
        | IpcErrorKind::Fetch { error: cause, .. } = error.kind()
        {
            cause.kind()
        } else {
            error.class().io_error_kind()
        };
        io::Error::new(kind, error)
    }
}

impl From<FormatError> for IpcError {
    #[cold]
    fn from(error: FormatError) -> IpcError {
        let (at, kind) = error.into_parts();
        IpcError(Box::new(Inner { at, kind: kind.into() }))
    }
}

impl From<SelectError> for IpcError {
    #[cold]
    fn from(error: SelectError) -> IpcError {
        error.into_data().map_or_else(IpcErrorKind::Select, IpcErrorKind::Data).into()
    }
}

impl From<SelectErrorKind> for IpcError {
    fn from(kind: SelectErrorKind) -> IpcError {
        SelectError::from(kind).into()
    }
}

impl From<FormatErrorKind> for IpcError {
    fn from(kind: FormatErrorKind) -> IpcError {
        IpcErrorKind::from(kind).into()
    }
}

impl From<FormatErrorKind> for IpcErrorKind {
    fn from(kind: FormatErrorKind) -> IpcErrorKind {
        if let FormatErrorKind::Data(error) = kind {
            return IpcErrorKind::Data(error);
        }
        IpcErrorKind::Format(kind)
    }
}

impl From<LimitExceeded> for IpcError {
    #[cold]
    fn from(exceeded: LimitExceeded) -> IpcError {
        FormatError::from(exceeded).into()
    }
}

impl From<TypeError> for IpcError {
    fn from(error: TypeError) -> IpcError {
        FormatError::from(error).into()
    }
}

impl From<SliceError> for IpcError {
    fn from(error: SliceError) -> IpcError {
        FormatError::from(error).into()
    }
}

impl From<FlatbufferError> for IpcError {
    fn from(error: FlatbufferError) -> IpcError {
        FormatError::from(error).into()
    }
}
