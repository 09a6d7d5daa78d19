//! One error for programs that use several of the crates.

use std::{error::Error as StdError, fmt, io};

use arrow_array::{ArrayError, ParseDecimalError, parse::ValueError};
use arrow_buffer::{BitmapError, BitmapLengthError, TextError, TextOffsetsError, TextSlotsError};
use arrow_buffer::{BudgetError, MisalignedError, NarrowError, OffsetsError, ParseIntegerError, SliceError};
use arrow_buffer::{TextViewsError, ValuesError, ViewError};
use arrow_data::DataError;
use arrow_ipc::{
    ErrorClass, FormatError, IpcError,
    error::{FrameError, Location},
};
use arrow_schema::{ExtensionError, LookupError, MergeError, ParseError, TypeError};
use arrow_select::SelectError;

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
            .unwrap_or_else(|error| Error::new(ErrorClass::from(&error), error))
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

/// Implements `From` for the errors of the crates, which know their class.
macro_rules! errors {
    ($($(#[$feature:meta])? $error:ty,)*) => {$(
        $(#[$feature])?
        impl From<$error> for Error {
            fn from(error: $error) -> Error {
                Error::new(error.class(), error)
            }
        }
    )*};
}

errors! {
    ArrayError,
    BitmapError,
    BitmapLengthError,
    BudgetError,
    DataError,
    ExtensionError,
    FormatError,
    FrameError,
    IpcError,
    LookupError,
    MergeError,
    MisalignedError,
    NarrowError,
    OffsetsError,
    ParseDecimalError,
    ParseError,
    ParseIntegerError,
    SelectError,
    SliceError,
    TextError,
    TextOffsetsError,
    TextSlotsError,
    TextViewsError,
    TypeError,
    ValueError,
    ValuesError,
    ViewError,
    #[cfg(feature = "c-data")] arrow_c_data::CDataError,
    #[cfg(feature = "compute")] arrow_compute::CastError,
    #[cfg(feature = "compute")] arrow_compute::PredicateError,
    #[cfg(feature = "compute")] arrow_compute::StatisticsError,
    #[cfg(feature = "dataset")] arrow_ipc_dataset::DatasetError,
    #[cfg(feature = "jiff")] arrow_array::TemporalError,
    #[cfg(feature = "rewrite")] arrow_ipc_rewrite::RewriteError,
    #[cfg(feature = "rewrite")] arrow_ipc_rewrite::ShapeError,
    #[cfg(feature = "serde")] arrow_serde::SerdeError,
    #[cfg(feature = "tensor")] arrow_ipc_tensor::TensorError,
    #[cfg(feature = "text")] arrow_text::CsvOptionError,
    #[cfg(feature = "text")] arrow_text::RowError,
    #[cfg(feature = "text")] arrow_text::SchemaJsonError,
}
