//! The reasons why a value cannot be passed on.

use std::{error::Error, fmt};

use arrow_data::DataError;
use arrow_error::ErrorClass;
use arrow_schema::{FieldPath, PathStep, TypeError};
use arrow_select::SelectError;

/// The reason why a value cannot be passed to arrow-rs or taken from it: the path of the field, and the cause.
pub struct AdapterError(Box<Inner>);

struct Inner {
    path: FieldPath,
    kind: AdapterErrorKind,
}

/// The cause of an [`AdapterError`].
#[derive(Debug)]
#[non_exhaustive]
#[allow(missing_docs)] // of the fields: the messages name them
pub enum AdapterErrorKind {
    /// arrow-rs has no decimals of this scale.
    DecimalScale { found: i32 },
    /// A type of arrow-rs that the format does not have.
    Type(TypeError),
    /// The unit of a time does not suit its number of bits.
    TimeUnit { n_bits: u32, unit: &'static str },
    /// A decimal of arrow-rs has more digits than its number of bits can hold, or none.
    DecimalPrecision { found: u8, limit: u8 },
    /// The size of a value of arrow-rs is negative.
    FixedSize { found: i32 },
    /// An array is invalid.
    Data(DataError),
    /// Null slots cannot be made empty.
    Select(SelectError),
    /// The schema or types of a batch of a reader differ from the schema of the reader.
    OtherSchema,
    /// arrow-rs refused a value, or a reader failed. The error can be downcast to the `ArrowError`.
    ArrowRs(Box<dyn Error + Send + Sync>),
}

/// The result of a conversion.
pub(crate) type Result<T> = std::result::Result<T, AdapterError>;

impl AdapterError {
    /// The path from the value to the field with the error. Empty for the value itself.
    pub fn path(&self) -> &FieldPath {
        if let AdapterErrorKind::Data(error) = &self.0.kind { error.path() } else { &self.0.path }
    }

    /// The cause, with the value that was found and the values that are allowed.
    pub fn kind(&self) -> &AdapterErrorKind {
        &self.0.kind
    }

    /// Puts the field `name` at `position` before the path of this error.
    /// How a program can react.
    pub fn class(&self) -> ErrorClass {
        match self.kind() {
            AdapterErrorKind::Data(cause) => cause.class(),
            AdapterErrorKind::DecimalScale { .. } => ErrorClass::Unsupported,
            AdapterErrorKind::Select(_) | AdapterErrorKind::OtherSchema => ErrorClass::Misuse,
            AdapterErrorKind::ArrowRs(_) => ErrorClass::Io,
            AdapterErrorKind::Type(_)
            | AdapterErrorKind::TimeUnit { .. }
            | AdapterErrorKind::DecimalPrecision { .. }
            | AdapterErrorKind::FixedSize { .. } => ErrorClass::Malformed,
        }
    }

    pub(crate) fn in_field(self, position: usize, name: &str) -> AdapterError {
        let position = u32::try_from(position).unwrap_or(u32::MAX);
        self.below(PathStep::Child { position, name: name.into() })
    }

    /// Puts the values of a dictionary before the path of this error.
    pub(crate) fn in_dictionary(self) -> AdapterError {
        self.below(PathStep::Dictionary)
    }

    fn below(mut self, step: PathStep) -> AdapterError {
        if let AdapterErrorKind::Data(error) = &mut self.0.kind {
            error.prefix_path(&FieldPath::from_iter([step]));
        } else {
            self.0.path.prepend(step);
        }
        self
    }
}

impl From<AdapterErrorKind> for AdapterError {
    fn from(kind: AdapterErrorKind) -> AdapterError {
        AdapterError(Box::new(Inner { path: FieldPath::root(), kind }))
    }
}

impl From<DataError> for AdapterError {
    fn from(error: DataError) -> AdapterError {
        AdapterErrorKind::Data(error).into()
    }
}

impl From<TypeError> for AdapterError {
    fn from(error: TypeError) -> AdapterError {
        AdapterErrorKind::Type(error).into()
    }
}

impl From<SelectError> for AdapterError {
    fn from(error: SelectError) -> AdapterError {
        AdapterErrorKind::Select(error).into()
    }
}

/// So that `?` also works in functions that return [`arrow::Result`].
#[cfg(feature = "facade")]
impl From<AdapterError> for arrow::Error {
    fn from(error: AdapterError) -> arrow::Error {
        arrow::Error::other(error.class(), error)
    }
}

arrow_error::debug_as_display!(AdapterError);

impl fmt::Display for AdapterError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.0.path.is_root() {
            write!(f, "field `{}`: ", self.0.path)?;
        }
        fmt::Display::fmt(&self.0.kind, f)
    }
}

impl fmt::Display for AdapterErrorKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::DecimalScale { found } => {
                write!(
                    f,
                    "arrow-rs has no decimals with the scale {found}; scales from -128 to 127 are allowed"
                )
            }
            Self::Type(error) => fmt::Display::fmt(error, f),
            Self::TimeUnit { n_bits, unit } => write!(f, "times of {n_bits} bits do not count {unit}s"),
            Self::DecimalPrecision { found, limit } => {
                write!(f, "the decimals have {found} digits; 1 to {limit} are allowed")
            }
            Self::FixedSize { found } => write!(f, "the values have {found} bytes or items; use 0 or more"),
            Self::Data(error) => fmt::Display::fmt(error, f),
            Self::Select(error) => fmt::Display::fmt(error, f),
            Self::OtherSchema => f.write_str("the batch has other types than the schema of its reader"),
            Self::ArrowRs(error) => write!(f, "arrow-rs: {error}"),
        }
    }
}

/// The source is the error of a reader or of arrow-rs; other causes are part of the message.
impl Error for AdapterError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        if let AdapterErrorKind::ArrowRs(error) = &self.0.kind { Some(&**error) } else { None }
    }
}
