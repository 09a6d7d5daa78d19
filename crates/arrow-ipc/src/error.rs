//! Errors of reading and writing streams and files, with their positions.
//!
//! An [`IpcError`] has an [`IpcErrorKind`] and a [`Location`]. A program can use the [`ErrorClass`] to decide how to react.

use std::{error, fmt};

use arrow_buffer::BudgetError;
use arrow_data::{DataError, DataErrorKind};

mod context;
mod convert;
mod flatbuffer;
mod frame;
mod kind;
mod location;
mod shape;
mod tensor;
mod unsupported;

pub(crate) use self::{
    context::Context,
    convert::{WireError, WireResult},
    frame::FrameResult,
};
pub use self::{
    flatbuffer::{FlatbufferCause, FlatbufferError},
    frame::FrameError,
    kind::IpcErrorKind,
    location::{BlockIndex, Location},
    shape::ShapeError,
    tensor::TensorError,
    unsupported::Unsupported,
};
use crate::protocol::Container;

/// The result of reading or writing.
pub type Result<T> = std::result::Result<T, IpcError>;

/// An error of reading or writing, with its cause and its location.
///
/// ```
/// use arrow_buffer::Buffer;
/// use arrow_ipc::{ErrorClass, FileReader};
///
/// let error = FileReader::try_from_buffer(Buffer::from_static(b"not an Arrow file")).unwrap_err();
/// assert_eq!(error.class(), ErrorClass::Malformed);
/// // People see the sentence, also of an error that `main` returns or that is unwrapped.
/// assert_eq!(format!("{error:?}"), format!("IpcError({error})"));
/// ```
pub struct IpcError(Box<Inner>);

struct Inner {
    at: Location,
    kind: IpcErrorKind,
}

/// The class of an error. A program can use it to decide whether to read more bytes, raise a limit, or give up.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ErrorClass {
    /// The source or sink failed: no such file, disk full, connection lost.
    Io,
    /// The input ends too early; more bytes may help.
    Truncated,
    /// The input breaks a rule of the format.
    Malformed,
    /// The input exceeds the [`Limits`](crate::Limits) or the memory budget.
    LimitExceeded,
    /// The system refuses memory. The data may be valid.
    OutOfMemory,
    /// The input uses a part of the format that this library does not support.
    Unsupported,
    /// The call is wrong: an argument does not fit the data, or the calls are in a wrong order.
    Misuse,
    /// An invariant of this library does not hold. Please report it.
    Internal,
}

impl IpcError {
    /// The error for an invariant that other code of this library should have established.
    #[cold]
    pub(crate) fn internal(what: &'static str) -> IpcError {
        IpcErrorKind::Internal { what }.into()
    }

    /// The location of the error: message or block, field, and buffer, as far as they are known.
    pub fn location(&self) -> &Location {
        &self.0.at
    }

    /// The cause.
    pub fn kind(&self) -> &IpcErrorKind {
        &self.0.kind
    }

    /// The class of the cause: for example, whether the input is truncated or malformed.
    pub fn class(&self) -> ErrorClass {
        use IpcErrorKind::*;
        match &self.0.kind {
            Io(error) if error.kind() == std::io::ErrorKind::OutOfMemory => ErrorClass::OutOfMemory,
            Memory(BudgetError::OutOfMemory { .. })
            | Tensor(TensorError::OutOfMemory { .. })
            | Frame { error: FrameError::OutOfMemory, .. } => ErrorClass::OutOfMemory,
            Data(error) if error.is_out_of_memory() => ErrorClass::OutOfMemory,
            Io(_) | Open { .. } | Fetch { .. } | Locked { .. } => ErrorClass::Io,
            Data(error) if is_limit(error.kind()) => ErrorClass::LimitExceeded,
            Truncated { .. } | EndMagic { .. } => ErrorClass::Truncated,
            Tensor(error) if error.is_limit() => ErrorClass::LimitExceeded,
            LimitExceeded { .. } | DictionaryBytes { .. } | TooDeep { .. } | Memory(_) => {
                ErrorClass::LimitExceeded
            }
            Unsupported { .. } => ErrorClass::Unsupported,
            WrongContainer { found: Container::FeatherV1 | Container::Parquet, .. } => {
                ErrorClass::Unsupported
            }
            NoSuchBatch { .. }
            | NoSuchDictionaryBatch { .. }
            | NoSuchBuffer { .. }
            | Shape(_)
            | UnplannedDictionary { .. }
            | NotPlannable { .. }
            | OutOfImage { .. }
            | ProvidedBytes { .. }
            | NoSuchRows { .. }
            | NoSuchFileRows { .. }
            | ProvidedRange { .. }
            | FetchedRanges { .. }
            | Lookup(_)
            | Schema(_)
            | DictionaryIds { .. }
            | NotInVersion { .. }
            | NeedsDecoding { .. }
            | CannotRelocate
            | CannotProject { .. }
            | SkippedDictionary { .. }
            | SharedDictionaryValues { .. }
            | ReplacedDictionary { .. }
            | ChangedDictionary { .. }
            | NotUnified { .. }
            | CompressionLevel { .. }
            | Alignment { .. }
            | NoSchemaYet { .. }
            | AlreadyFailed { .. }
            | AlreadyFinished { .. } => ErrorClass::Misuse,
            Internal { .. } => ErrorClass::Internal,
            Tensor(error) if error.is_internal() => ErrorClass::Internal,
            WrongContainer { .. }
            | Flatbuffer(_)
            | MetadataLength { .. }
            | Missing { .. }
            | Negative { .. }
            | OutOfRange { .. }
            | UnexpectedMessage { .. }
            | SecondSchema
            | BufferOutOfBody { .. }
            | CompressedLength { .. }
            | Frame { .. }
            | NodeCount { .. }
            | BufferCount { .. }
            | VariadicCount { .. }
            | VariadicBuffers { .. }
            | ChildCount { .. }
            | Type(_)
            | UnknownDictionary { .. }
            | MissingDictionary { .. }
            | DeltaOfMissing { .. }
            | CyclicDictionary { .. }
            | SharedDictionaryType { .. }
            | SharedDictionaryInner { .. }
            | SecondDictionary { .. }
            | DictionaryColumns { .. }
            | FooterLength { .. }
            | BlockOutOfFile { .. }
            | BlockMismatch { .. }
            | Layout { .. }
            | RowCount { .. }
            | BlocksOverlap { .. }
            | Tensor(_)
            | Data(_) => ErrorClass::Malformed,
        }
    }
}

/// Whether the error only says that a limit was exceeded, not that the data is invalid.
fn is_limit(kind: &DataErrorKind) -> bool {
    matches!(
        kind,
        DataErrorKind::TooManyRepairs { .. } | DataErrorKind::TooManyCopies { .. } | DataErrorKind::Memory(_)
    )
}

impl fmt::Debug for IpcError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "IpcError({self})")
    }
}

impl fmt::Display for IpcError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Inner { at, kind } = &*self.0;
        // A `DataError` has the role of the buffer and the slot itself. All errors show the complete location in the
        // same order.
        let data = if let IpcErrorKind::Data(error) = kind { Some(error) } else { None };
        let (role, slot) = (data.and_then(DataError::role), data.and_then(DataError::slot));
        let place = at.with(role, slot).to_string();
        if !place.is_empty() {
            write!(f, "{place}: ")?;
        }
        match data {
            Some(error) => error.kind().fmt(f),
            None => kind.fmt(f),
        }
    }
}

impl error::Error for IpcError {
    /// The error of the source or sink, if there is one. Other errors have no source: their message is complete.
    fn source(&self) -> Option<&(dyn error::Error + 'static)> {
        use IpcErrorKind::{Fetch, Io, Open};
        if let Io(error) | Open { error, .. } | Fetch { error, .. } = &self.0.kind {
            return Some(error);
        }
        None
    }
}
