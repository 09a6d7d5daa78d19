//! Errors of other layers become errors of this one.

use std::io;

use arrow_buffer::{BudgetError, SliceError};
use arrow_data::DataError;
use arrow_schema::{LookupError, TypeError};

use super::{Inner, IpcError, IpcErrorKind, Location, ShapeError, TensorError};

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
