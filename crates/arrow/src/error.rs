//! One error for programs that use several of the crates.

use std::{error::Error as StdError, fmt, io};

use arrow_array::{ArrayError, ArrayErrorKind, ParseDecimalError, parse::ValueError};
use arrow_buffer::{BitmapError, BitmapLengthError, TextError, TextOffsetsError, TextSlotsError};
use arrow_buffer::{BudgetError, MisalignedError, NarrowError, OffsetsError, ParseIntegerError, SliceError};
use arrow_buffer::{TextViewsError, ValuesError, ViewError};
use arrow_data::{DataError, DataErrorKind};
use arrow_ipc::{
    ErrorClass, FormatError, IpcError,
    error::{FrameError, Location},
};
use arrow_schema::{ExtensionError, LookupError, MergeError, ParseError, TypeError};
use arrow_select::{SelectError, SelectErrorKind};

/// A result with an [`Error`].
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// An error of any of the crates that this crate re-exports.
///
/// `?` converts each of their errors to it, and also [`io::Error`]. It has the text and the [`source`](StdError::source) of the
/// original error, which [`downcast_ref`](Error::downcast_ref) returns. It is as large as a pointer.
///
/// ```
/// use arrow::{Buffer, Error, FileReader, Int64Array, TypedBatch, ipc::{ErrorClass, IpcError}};
///
/// fn sum(bytes: Buffer) -> arrow::Result<i64> {
///     let mut sum = 0;
///     for batch in FileReader::try_from_buffer(bytes)?.batches() {
///         sum += batch?.column_as::<Int64Array>("id")?.iter().flatten().sum::<i64>();
///     }
///     Ok(sum)
/// }
///
/// let error: Error = sum(Buffer::from_static(b"not an Arrow file")).unwrap_err();
/// assert_eq!(error.class(), ErrorClass::Malformed);
/// assert!(error.downcast_ref::<IpcError>().is_some());
/// ```
pub struct Error(Box<Inner>);

struct Inner {
    class: ErrorClass,
    cause: Box<dyn StdError + Send + Sync>,
}

impl Error {
    #[cold]
    fn new(class: ErrorClass, cause: impl StdError + Send + Sync + 'static) -> Error {
        Error(Box::new(Inner { class, cause: Box::new(cause) }))
    }

    /// An error of another library, or of the program itself.
    #[cold]
    pub fn other(class: ErrorClass, cause: impl StdError + Send + Sync + 'static) -> Error {
        Error::new(class, cause)
    }

    /// How a program can react: read more bytes, raise a limit, or give up. For errors of IPC, the
    /// [class](IpcError::class) that these have. For others, [`ErrorClass::Misuse`] if the call does not fit the data,
    /// and [`ErrorClass::Malformed`] if the data breaks a rule.
    pub fn class(&self) -> ErrorClass {
        self.0.class
    }

    /// Where the error occurred: the message or block, the field and the buffer. `None` if the error does not come from
    /// reading or writing IPC.
    pub fn location(&self) -> Option<&Location> {
        let of_ipc = self.downcast_ref().map(IpcError::location);
        let of_format = || self.downcast_ref().map(FormatError::location);
        of_ipc.or_else(of_format).or_else(|| self.location_in_file())
    }

    #[cfg(feature = "dataset")]
    fn location_in_file(&self) -> Option<&Location> {
        let error = self.downcast_ref::<arrow_ipc_dataset::DatasetError>()?;
        if let arrow_ipc_dataset::DatasetErrorKind::Ipc(error) = error.kind() {
            Some(error.location())
        } else {
            None
        }
    }

    #[cfg(not(feature = "dataset"))]
    fn location_in_file(&self) -> Option<&Location> {
        None
    }

    /// The original error, if it is of the type `E`.
    pub fn downcast_ref<E: StdError + 'static>(&self) -> Option<&E> {
        self.0.cause.downcast_ref()
    }

    /// The original error, if it is of the type `E`.
    ///
    /// # Errors
    /// This error unchanged, if the original error is of another type.
    pub fn downcast<E: StdError + 'static>(self) -> Result<E> {
        let Inner { class, cause } = *self.0;
        match cause.downcast() {
            Ok(error) => Ok(*error),
            Err(cause) => Err(Error(Box::new(Inner { class, cause }))),
        }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.cause.fmt(f)
    }
}

// So that an error that `main` returns is the sentence, as for the errors of all crates.
impl fmt::Debug for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.cause.fmt(f)
    }
}

impl StdError for Error {
    fn source(&self) -> Option<&(dyn StdError + 'static)> {
        self.0.cause.source()
    }
}

impl From<io::Error> for Error {
    /// An error of a crate that is inside, as [`io::Error::from`] puts it there, comes out again.
    fn from(error: io::Error) -> Error {
        error
            .downcast::<Error>()
            .or_else(|error| error.downcast::<IpcError>().map(Error::from))
            .unwrap_or_else(|error| {
                let class = if error.kind() == io::ErrorKind::OutOfMemory {
                    ErrorClass::OutOfMemory
                } else {
                    ErrorClass::Io
                };
                Error::new(class, error)
            })
    }
}

impl From<Error> for io::Error {
    /// [`io::Error::downcast`] returns the error again.
    fn from(error: Error) -> io::Error {
        match error.downcast::<io::Error>() {
            Ok(error) => error,
            Err(error) => match error.downcast::<IpcError>() {
                Ok(error) => error.into(),
                Err(error) => io::Error::new(error.class().io_error_kind(), error),
            },
        }
    }
}

/// What [`Error::class`] returns for an error of a crate.
trait ErrorWithClass {
    fn class(&self) -> ErrorClass;
}

/// Implements `From` for errors that know their class.
macro_rules! classified {
    ($($(#[$feature:meta])? $error:ty,)*) => {$(
        $(#[$feature])?
        impl From<$error> for Error {
            fn from(error: $error) -> Error {
                Error::new(ErrorWithClass::class(&error), error)
            }
        }
    )*};
}

/// Implements `From` for errors that are all of one class.
macro_rules! of_class {
    ($($(#[$feature:meta])? $error:ty => $class:ident,)*) => {$(
        $(#[$feature])?
        impl From<$error> for Error {
            fn from(error: $error) -> Error {
                Error::new(ErrorClass::$class, error)
            }
        }
    )*};
}

classified! {
    ArrayError,
    BudgetError,
    DataError,
    FormatError,
    FrameError,
    IpcError,
    SelectError,
    #[cfg(feature = "c-data")] arrow_c_data::CDataError,
    #[cfg(feature = "compute")] arrow_compute::CastError,
    #[cfg(feature = "compute")] arrow_compute::PredicateError,
    #[cfg(feature = "compute")] arrow_compute::StatisticsError,
    #[cfg(feature = "dataset")] arrow_ipc_dataset::DatasetError,
    #[cfg(feature = "rewrite")] arrow_ipc_rewrite::RewriteError,
    #[cfg(feature = "rewrite")] arrow_ipc_rewrite::ShapeError,
    #[cfg(feature = "tensor")] arrow_ipc_tensor::TensorError,
    #[cfg(feature = "serde")] arrow_serde::SerdeError,
    #[cfg(feature = "text")] arrow_text::RowError,
}

of_class! {
    BitmapError => Misuse,
    BitmapLengthError => Misuse,
    ExtensionError => Misuse,
    LookupError => Misuse,
    MergeError => Misuse,
    MisalignedError => Misuse,
    NarrowError => Misuse,
    OffsetsError => Malformed,
    ParseDecimalError => Malformed,
    ParseError => Malformed,
    ParseIntegerError => Malformed,
    SliceError => Misuse,
    TextError => Malformed,
    TextOffsetsError => Malformed,
    TextSlotsError => Malformed,
    TextViewsError => Malformed,
    TypeError => Misuse,
    ValueError => Malformed,
    ValuesError => Malformed,
    ViewError => Malformed,
    #[cfg(feature = "jiff")] arrow_array::TemporalError => Misuse,
    #[cfg(feature = "text")] arrow_text::CsvOptionError => Misuse,
    #[cfg(feature = "text")] arrow_text::SchemaJsonError => Malformed,
}

impl ErrorWithClass for IpcError {
    fn class(&self) -> ErrorClass {
        IpcError::class(self)
    }
}

impl ErrorWithClass for FormatError {
    fn class(&self) -> ErrorClass {
        FormatError::class(self)
    }
}

impl ErrorWithClass for FrameError {
    fn class(&self) -> ErrorClass {
        if matches!(self, FrameError::OutOfMemory) { ErrorClass::OutOfMemory } else { ErrorClass::Malformed }
    }
}

impl ErrorWithClass for BudgetError {
    fn class(&self) -> ErrorClass {
        match self {
            BudgetError::Refused { .. } => ErrorClass::LimitExceeded,
            BudgetError::OutOfMemory { .. } => ErrorClass::OutOfMemory,
        }
    }
}

impl ErrorWithClass for DataErrorKind {
    fn class(&self) -> ErrorClass {
        match self {
            DataErrorKind::Memory(error) => error.class(),
            DataErrorKind::TooManyRepairs { .. } => ErrorClass::LimitExceeded,
            DataErrorKind::Internal { .. } => ErrorClass::Internal,
            DataErrorKind::Incomparable { .. }
            | DataErrorKind::Lookup(_)
            | DataErrorKind::NoPath
            | DataErrorKind::NothingToConcat
            | DataErrorKind::NullsAbove { .. }
            | DataErrorKind::PathInto { .. }
            | DataErrorKind::Schema(_)
            | DataErrorKind::SliceOutOfRange { .. } => ErrorClass::Misuse,
            _ => ErrorClass::Malformed,
        }
    }
}

impl ErrorWithClass for DataError {
    fn class(&self) -> ErrorClass {
        self.kind().class()
    }
}

impl ErrorWithClass for SelectErrorKind {
    fn class(&self) -> ErrorClass {
        match self {
            SelectErrorKind::Data(error) => error.class(),
            SelectErrorKind::TooManyCopies { .. } | SelectErrorKind::ValueBytes { .. } => {
                ErrorClass::LimitExceeded
            }
            _ => ErrorClass::Misuse,
        }
    }
}

impl ErrorWithClass for SelectError {
    fn class(&self) -> ErrorClass {
        self.kind().class()
    }
}

impl ErrorWithClass for ArrayError {
    fn class(&self) -> ErrorClass {
        match self.kind() {
            ArrayErrorKind::Data(error) => error.class(),
            ArrayErrorKind::Select(kind) => kind.class(),
            _ => ErrorClass::Misuse,
        }
    }
}

#[cfg(feature = "c-data")]
impl ErrorWithClass for arrow_c_data::CDataError {
    fn class(&self) -> ErrorClass {
        use arrow_c_data::CDataErrorKind;
        match self.kind() {
            CDataErrorKind::Data(error) => error.class(),
            CDataErrorKind::TooDeep { .. }
            | CDataErrorKind::TooManyFields { .. }
            | CDataErrorKind::TextTooLong { .. } => ErrorClass::LimitExceeded,
            CDataErrorKind::Device { .. } | CDataErrorKind::SyncEvent => ErrorClass::Unsupported,
            CDataErrorKind::Stream { .. } => ErrorClass::Io,
            CDataErrorKind::Released { .. } | CDataErrorKind::NotAStruct { .. } => ErrorClass::Misuse,
            _ => ErrorClass::Malformed,
        }
    }
}

#[cfg(feature = "compute")]
impl ErrorWithClass for arrow_compute::CastError {
    fn class(&self) -> ErrorClass {
        use arrow_compute::CastErrorKind;
        match self.kind() {
            CastErrorKind::Array(error) => error.class(),
            CastErrorKind::Data(error) => error.class(),
            CastErrorKind::Select(error) => error.class(),
            CastErrorKind::UnknownZone { .. } => ErrorClass::Unsupported,
            _ => ErrorClass::Misuse,
        }
    }
}

#[cfg(feature = "compute")]
impl ErrorWithClass for arrow_compute::PredicateError {
    fn class(&self) -> ErrorClass {
        use arrow_compute::PredicateErrorKind;
        match self.kind() {
            PredicateErrorKind::Array(error) => error.class(),
            PredicateErrorKind::Cast(error) => error.class(),
            _ => ErrorClass::Misuse,
        }
    }
}

#[cfg(feature = "compute")]
impl ErrorWithClass for arrow_compute::StatisticsError {
    fn class(&self) -> ErrorClass {
        use arrow_compute::StatisticsError;
        match self {
            StatisticsError::Array(error) => error.class(),
            StatisticsError::Data(error) => error.class(),
            StatisticsError::Select(error) => error.class(),
            _ => ErrorClass::Misuse,
        }
    }
}

#[cfg(feature = "dataset")]
impl ErrorWithClass for arrow_ipc_dataset::DatasetError {
    fn class(&self) -> ErrorClass {
        use arrow_ipc_dataset::DatasetErrorKind;
        match self.kind() {
            DatasetErrorKind::Ipc(error) => error.class(),
            DatasetErrorKind::Io(_) | DatasetErrorKind::NoFiles | DatasetErrorKind::NoFile => ErrorClass::Io,
            DatasetErrorKind::Incomplete | DatasetErrorKind::AfterStream { .. } => ErrorClass::Malformed,
            DatasetErrorKind::Cast { error, .. } => error.class(),
            DatasetErrorKind::Predicate(error) => error.class(),
            DatasetErrorKind::Statistics(error) => error.class(),
            DatasetErrorKind::Value(error) => error.class(),
            DatasetErrorKind::Batch(error) => error.class(),
            _ => ErrorClass::Misuse,
        }
    }
}

#[cfg(feature = "rewrite")]
impl ErrorWithClass for arrow_ipc_rewrite::RewriteError {
    fn class(&self) -> ErrorClass {
        IpcError::from(self.clone()).class()
    }
}

#[cfg(feature = "rewrite")]
impl ErrorWithClass for arrow_ipc_rewrite::ShapeError {
    fn class(&self) -> ErrorClass {
        IpcError::from(self.clone()).class()
    }
}

#[cfg(feature = "tensor")]
impl ErrorWithClass for arrow_ipc_tensor::TensorError {
    fn class(&self) -> ErrorClass {
        IpcError::from(self.clone()).class()
    }
}

#[cfg(feature = "serde")]
impl ErrorWithClass for arrow_serde::SerdeError {
    fn class(&self) -> ErrorClass {
        use arrow_serde::SerdeErrorKind;
        match self.kind() {
            SerdeErrorKind::Array(error) => error.class(),
            SerdeErrorKind::TooManyNulls { .. }
            | SerdeErrorKind::TooManyValues { .. }
            | SerdeErrorKind::TooDeep { .. } => ErrorClass::LimitExceeded,
            _ => ErrorClass::Misuse,
        }
    }
}

#[cfg(feature = "text")]
impl ErrorWithClass for arrow_text::RowError {
    fn class(&self) -> ErrorClass {
        use arrow_text::RowErrorKind;
        match self.kind() {
            RowErrorKind::Io(_) => ErrorClass::Io,
            RowErrorKind::Array(error) => error.class(),
            RowErrorKind::TooLong { .. }
            | RowErrorKind::TooLarge { .. }
            | RowErrorKind::TooManyColumns { .. }
            | RowErrorKind::TooManyMembers { .. }
            | RowErrorKind::TooManyNulls { .. }
            | RowErrorKind::TooDeep { .. } => ErrorClass::LimitExceeded,
            RowErrorKind::Unsupported { .. } => ErrorClass::Unsupported,
            _ => ErrorClass::Malformed,
        }
    }
}
