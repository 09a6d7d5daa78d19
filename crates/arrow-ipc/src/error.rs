//! Errors of reading and writing streams and files.
//!
//! An [`IpcError`] has a cause, the [`IpcErrorKind`], and a [`Location`]. Programs can use its [`ErrorClass`] to decide
//! how to react.

use std::{error, fmt};

use arrow_data::DataError;
use arrow_select::SelectErrorKind;

mod context;
mod convert;
mod dictionary_value;
mod frame;
mod kind;

pub use arrow_ipc_format::error::{
    BlockIndex, ErrorClass, FlatbufferCause, FlatbufferError, FooterPart, FormatError, FormatErrorKind,
    Location, UnsupportedPart,
};

pub use self::context::Context;
pub(crate) use self::frame::FrameResult;
pub use self::{
    dictionary_value::DictionaryValue,
    frame::FrameError,
    kind::{CopyCause, IpcErrorKind},
};
use arrow_ipc_format::Container;

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

impl IpcError {
    /// An error for a broken invariant of this library, or of a crate that stands on it.
    #[cold]
    pub fn internal(what: &'static str) -> IpcError {
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

    /// The cause, without its location.
    pub fn into_kind(self) -> IpcErrorKind {
        self.0.kind
    }

    /// The class of the cause.
    pub fn class(&self) -> ErrorClass {
        use IpcErrorKind::*;
        match &self.0.kind {
            Io(error) | Write(error) => ErrorClass::from(error),
            Memory(error) => error.class(),
            Frame { error, .. } => error.class(),
            Data(error) => class_of_data(error),
            Open { .. } | Fetch { .. } | Locked { .. } => ErrorClass::Io,
            Select(error) if matches!(error.kind(), SelectErrorKind::TooManyCopies { .. }) => {
                ErrorClass::LimitExceeded
            }
            // Only writers merge dictionaries.
            Select(error) if matches!(error.kind(), SelectErrorKind::OrderedDictionaries) => {
                ErrorClass::Misuse
            }
            Format(kind) => kind.class(),
            Other { class, .. } => *class,
            EmptyInput | EndMagic { .. } => ErrorClass::Truncated,
            DictionaryBytes { .. } | CopyRefused { .. } => ErrorClass::LimitExceeded,
            WrongContainer { found: Container::FeatherV1 | Container::Parquet, .. } => {
                ErrorClass::Unsupported
            }
            NoSuchBatch { .. }
            | NoSuchBatches { .. }
            | StreamContinues
            | BodyParts { .. }
            | NoSuchRows { .. }
            | NoSuchFileRows { .. }
            | ProvidedRange { .. }
            | FetchedRanges { .. }
            | Lookup(_)
            | Schema(_)
            | NotInVersion { .. }
            | CannotProject { .. }
            | NotAllColumns
            | SkippedDictionary { .. }
            | SharedDictionaryValues { .. }
            | ReplacedDictionary { .. }
            | ChangedDictionary { .. }
            | NotUnified { .. }
            | OppositeOrders { .. }
            | UnknownOrder { .. }
            | MessageTooLong { .. }
            | CompressionLevel { .. }
            | NoSchemaYet { .. }
            | AlreadyFailed { .. }
            | AlreadyFinished { .. }
            | InputFinished => ErrorClass::Misuse,
            Internal { .. } => ErrorClass::Internal,
            WrongContainer { .. }
            | SecondSchema
            | CompressedLength { .. }
            | NoSchema
            | MissingDictionary { .. }
            | DeltaOfMissing { .. }
            | SecondDictionary { .. }
            | DictionaryColumns { .. }
            | FooterLength { .. }
            | StreamIndex { .. }
            | BlockOutOfFile { .. }
            | BlockMismatch { .. }
            | RowCount { .. }
            | BlocksOverlap { .. }
            | Select(_) => ErrorClass::Malformed,
        }
    }
}

/// Whether the cause is only an exceeded limit, so that the data may be valid.
/// The class of an error in the arrays of a message. What is wrong there is malformed, whoever finds it.
fn class_of_data(error: &DataError) -> ErrorClass {
    let class = error.class();
    let is_refused = matches!(class, ErrorClass::OutOfMemory | ErrorClass::LimitExceeded);
    if is_refused { class } else { ErrorClass::Malformed }
}

impl FrameError {
    /// How a program can react.
    pub fn class(&self) -> ErrorClass {
        if matches!(self, FrameError::OutOfMemory) { ErrorClass::OutOfMemory } else { ErrorClass::Malformed }
    }
}

arrow_error::debug_as_display!(IpcError, FrameError);

impl fmt::Display for IpcError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Inner { at, kind } = &*self.0;
        // A `DataError` itself contains the role of the buffer and the slot. They are merged into the location, so that
        // all errors show the same order.
        let data = if let IpcErrorKind::Data(error) = kind { Some(error) } else { None };
        let role = data.and_then(DataError::role);
        let slot = data.and_then(DataError::slot);
        let location = at.with_slot(role, slot).to_string();
        if !location.is_empty() {
            write!(f, "{location}: ")?;
        }
        if let IpcErrorKind::Select(error) = kind {
            // Its path is a part of the location, if this has a field.
            return if at.field.is_some() { error.kind().fmt(f) } else { error.fmt(f) };
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
