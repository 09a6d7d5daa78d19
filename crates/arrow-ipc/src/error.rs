//! Errors of reading and writing streams and files.
//!
//! An [`IpcError`] has a cause, the [`IpcErrorKind`], and a [`Location`]. Programs can use its [`ErrorClass`] to decide
//! how to react.

use std::{error, fmt};

use arrow_buffer::BudgetError;
use arrow_data::{DataError, DataErrorKind};

mod context;
mod convert;
mod dictionary_value;
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
    dictionary_value::DictionaryValue,
    flatbuffer::{FlatbufferCause, FlatbufferError},
    frame::FrameError,
    kind::IpcErrorKind,
    location::{BlockIndex, FooterPart, Location},
    shape::ShapeError,
    tensor::TensorError,
    unsupported::Unsupported,
};
use crate::protocol::Container;

/// A result with an [`IpcError`].
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
/// assert_eq!(format!("{error:?}"), error.to_string());
/// ```
pub struct IpcError(Box<Inner>);

struct Inner {
    at: Location,
    kind: IpcErrorKind,
}

/// The class of an error. For example, it tells a program to read more bytes, to raise a limit, or to give up.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ErrorClass {
    /// The source or sink failed, for example because a file does not exist, the disk is full or the connection was lost.
    Io,
    /// The input ends too early. More bytes may help.
    Truncated,
    /// The input breaks a rule of the format.
    Malformed,
    /// The input exceeds the [`Limits`](crate::Limits) or the memory budget.
    LimitExceeded,
    /// The system refuses to allocate memory. The data may be valid.
    OutOfMemory,
    /// The input uses a part of the format that this library does not support.
    Unsupported,
    /// The call is wrong: an argument does not fit the data, or the calls are in a wrong order.
    Misuse,
    /// An invariant of this library does not hold. Please report it.
    Internal,
}

impl IpcError {
    /// An error for a broken invariant of this library.
    #[cold]
    pub(crate) fn internal(what: &'static str) -> IpcError {
        IpcErrorKind::Internal { what }.into()
    }

    /// The known parts of the location: the message or block, the field and the buffer.
    pub fn location(&self) -> &Location {
        &self.0.at
    }

    /// The cause, with the value that was found and the values that are allowed.
    pub fn kind(&self) -> &IpcErrorKind {
        &self.0.kind
    }

    #[cfg(feature = "recover")]
    pub(crate) fn into_kind(self) -> IpcErrorKind {
        self.0.kind
    }

    /// The class of the cause.
    pub fn class(&self) -> ErrorClass {
        use IpcErrorKind::*;
        match &self.0.kind {
            Io(error) | Write(error) if error.kind() == std::io::ErrorKind::OutOfMemory => {
                ErrorClass::OutOfMemory
            }
            Memory(BudgetError::OutOfMemory { .. })
            | Tensor(TensorError::OutOfMemory { .. })
            | Frame { error: FrameError::OutOfMemory, .. } => ErrorClass::OutOfMemory,
            Data(error) if error.is_out_of_memory() => ErrorClass::OutOfMemory,
            Io(_) | Write(_) | Open { .. } | Fetch { .. } | Locked { .. } => ErrorClass::Io,
            Data(error) if is_limit(error.kind()) => ErrorClass::LimitExceeded,
            Truncated { .. } | EmptyInput | EndMagic { .. } => ErrorClass::Truncated,
            Tensor(error) if error.is_limit() => ErrorClass::LimitExceeded,
            LimitExceeded { .. }
            | TooManyFields { .. }
            | DictionaryBytes { .. }
            | TooDeep { .. }
            | Memory(_) => ErrorClass::LimitExceeded,
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
            | OppositeOrders { .. }
            | UnknownOrder { .. }
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
            | SchemaOfNoBatch { .. }
            | BufferOutOfBody { .. }
            | CompressedLength { .. }
            | Frame { .. }
            | NodeCount { .. }
            | NoSchema
            | BufferCount { .. }
            | UnionValidity { .. }
            | ExtraValidity { .. }
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

/// Whether the cause is only an exceeded limit, so that the data may be valid.
fn is_limit(kind: &DataErrorKind) -> bool {
    matches!(
        kind,
        DataErrorKind::TooManyRepairs { .. } | DataErrorKind::TooManyCopies { .. } | DataErrorKind::Memory(_)
    )
}

arrow_buffer::debug_as_display!(IpcError, FlatbufferError, FrameError, ShapeError, TensorError);

impl fmt::Display for IpcError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Inner { at, kind } = &*self.0;
        // A `DataError` itself contains the role of the buffer and the slot. They are merged into the location, so that
        // all errors show the same order.
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
    /// The I/O error of the source or sink. Other errors return `None`, since their message is complete.
    fn source(&self) -> Option<&(dyn error::Error + 'static)> {
        use IpcErrorKind::{Fetch, Io, Open, Write};
        let (Io(error) | Write(error) | Open { error, .. } | Fetch { error, .. }) = &self.0.kind else {
            return None;
        };
        Some(error)
    }
}
