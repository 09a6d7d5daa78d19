//! Errors of writing, reading and tracing rows.

use std::fmt;

use arrow_error::ErrorClass;

use arrow_array::{ArrayError, ArrayErrorKind, parse::ValueError};
use arrow_schema::{DataType, FieldPath, PathStep};

/// Why a row cannot be written to a batch or read from a batch, or why no schema can be traced. Contains the row, the field,
/// and a [kind](SerdeErrorKind).
///
/// ```
/// use arrow_schema::Schema;
/// use serde::Serialize;
///
/// #[derive(Serialize)]
/// struct Point {
///     x: i64,
/// }
///
/// let schema: Schema = "x: uint8".parse()?;
/// let error = arrow_serde::to_batch(schema, [Point { x: 1 }, Point { x: 300 }]).unwrap_err();
/// assert_eq!((error.row(), error.path().to_string().as_str()), (Some(1), "x"));
/// assert_eq!(error.to_string(), "rows[1].x: 300 does not fit into uint8");
/// # Ok::<(), arrow_schema::ParseError>(())
/// ```
pub struct SerdeError(Box<Inner>);

pub(crate) type Result<T> = std::result::Result<T, SerdeError>;

struct Inner {
    row: Option<u64>,
    path: FieldPath,
    kind: SerdeErrorKind,
}

/// The cause of a [`SerdeError`], without the row and the field.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SerdeErrorKind {
    /// A column cannot store values of this kind.
    #[error("expected a value of {expected}, found {found}")]
    Type {
        /// The type of the column.
        expected: DataType,
        /// The kind of the value, such as `a string`.
        found: &'static str,
    },
    /// An integer is outside the range of the type, or no floating-point number of the type is equal to it. The range of times
    /// is a day. In `date64`, only whole days fit.
    #[error("{value} does not fit into {data_type}")]
    Range {
        /// The integer, in decimal digits.
        value: Box<str>,
        /// The type of the column.
        data_type: DataType,
    },
    /// A finite floating-point number is so large that the type would round it to infinity.
    #[error("{value:?} does not fit into {data_type}")]
    FloatRange {
        /// The number that was written.
        value: f64,
        /// The type of the column.
        data_type: DataType,
    },
    /// A value does not have the length of the type `fixed_size_binary`.
    #[error("expected {expected} bytes, found {found}")]
    Width {
        /// The length that the type requires.
        expected: u64,
        /// The length of the value.
        found: u64,
    },
    /// A text is not a value of the type, such as a date that does not exist.
    #[error(transparent)]
    Text(ValueError),
    /// A value is null, but its field is not nullable.
    #[error("expected a value, found null; the field is `not null`")]
    Null,
    /// A value of a union is null, but unions have no nulls.
    #[error("expected a value, found null; unions have no nulls")]
    NullUnion,
    /// A row lacks a field that is not nullable.
    #[error("the row lacks a value that must not be null")]
    Missing,
    /// A row has a field that the schema does not contain.
    #[error("unknown field {name:?}")]
    UnknownField {
        /// The name of the field, or the start of a long name.
        name: Box<str>,
    },
    /// An enum has a variant whose name is not that of a child of the union.
    #[error("no child of the union is called {name:?}")]
    UnknownVariant {
        /// The name of the variant, or the start of a long name.
        name: Box<str>,
    },
    /// A row or struct has two values for the same field.
    #[error("the field is repeated")]
    Repeated,
    /// A key of a map that is written as a struct is neither a string nor a number, so it cannot name a field.
    #[error("the key of a map becomes the name of a field, so it must be a string or a number")]
    KeyIsNoName,
    /// A tuple has the wrong number of values, or a map that is written as a union does not have exactly one entry.
    #[error("expected {expected} {unit}, found {found}")]
    Count {
        /// The number that the type requires.
        expected: u64,
        /// The number in the value.
        found: u64,
        /// What is counted, such as `values of a tuple`.
        unit: &'static str,
    },
    /// A value is null, but the Rust type that reads it is not an `Option`.
    #[error("found null; read it as an `Option`")]
    FoundNull,
    /// A value cannot be converted to the Rust type that reads it.
    #[error("cannot read a value of {data_type} as {wanted}")]
    Read {
        /// What the Rust type requests, such as `an enum`.
        wanted: &'static str,
        /// The type of the column.
        data_type: DataType,
    },
    /// The null slots of a row exceed the limit on memory.
    #[error("the nulls of the row take more than {max_bytes} bytes of memory")]
    TooManyNulls {
        /// The maximum number of bytes for the nulls of a row.
        max_bytes: u64,
    },
    /// A row has too many values, or too much text, when it is read. List views and dictionaries may refer to the same values
    /// many times.
    #[error("the row has more than {max} values and bytes of text together")]
    TooManyValues {
        /// The maximum number of values and bytes of text and long names.
        max: u64,
    },
    /// The types of the schema exceed the maximum depth.
    #[error("types nest deeper than the limit of {max} levels")]
    TooDeep {
        /// The maximum number of levels.
        max: u64,
    },
    /// The Rust type has a required field for which the batch has no column.
    #[error("missing field `{name}`")]
    MissingField {
        /// The name of the field.
        name: &'static str,
    },
    /// A field has values of different kinds in samples, and no type fits all of them.
    #[error("expected {before}, as in earlier samples, found {found}")]
    Mixed {
        /// The kind of the earlier values, such as `text`.
        before: &'static str,
        /// The kind of this value, such as `an integer`.
        found: &'static str,
    },
    /// The type of a field is unknown, since all samples of it are null, or there are no samples of rows.
    #[error("no sample has a value of the field, so its type is unknown; add a sample with a value")]
    UnknownType,
    /// Samples of rows are not structs, maps or tuples.
    #[error("rows have to be structs, maps or tuples")]
    NotRows,
    /// A Rust type does not say what its values contain, so samples are needed.
    #[error("the types inside {what} are unknown without samples; pass samples to `SchemaTracer::add`")]
    NeedsSamples {
        /// The kind of the Rust type, such as `an enum`.
        what: &'static str,
    },
    /// The values are valid, but their array cannot be made, for example because a dictionary is full. Or the array to read is
    /// invalid.
    #[error(transparent)]
    Array(ArrayError),
    /// An error that the `Serialize` or `Deserialize` of a Rust type has returned.
    #[error("{0}")]
    Custom(Box<str>),
}

impl SerdeErrorKind {
    /// How a program can react.
    pub fn class(&self) -> ErrorClass {
        match self {
            Self::Array(error) => error.class(),
            Self::TooManyNulls { .. } | Self::TooManyValues { .. } | Self::TooDeep { .. } => {
                ErrorClass::LimitExceeded
            }
            Self::Type { .. }
            | Self::Range { .. }
            | Self::FloatRange { .. }
            | Self::Width { .. }
            | Self::Text(_)
            | Self::Null
            | Self::NullUnion
            | Self::Missing
            | Self::UnknownField { .. }
            | Self::UnknownVariant { .. }
            | Self::Repeated
            | Self::KeyIsNoName
            | Self::Count { .. }
            | Self::FoundNull
            | Self::Read { .. }
            | Self::MissingField { .. }
            | Self::Mixed { .. }
            | Self::UnknownType
            | Self::NotRows
            | Self::NeedsSamples { .. }
            | Self::Custom(_) => ErrorClass::Misuse,
        }
    }
}

impl SerdeError {
    /// The index of the row, from 0: among all rows that were written, or in the batch that is read. `None` if the error is
    /// about the schema.
    pub fn row(&self) -> Option<u64> {
        self.0.row
    }

    /// The path of the field. Empty if the error is about the whole row.
    pub fn path(&self) -> &FieldPath {
        if let SerdeErrorKind::Array(error) = &self.0.kind { error.path() } else { &self.0.path }
    }

    /// What went wrong, for a `match`.
    pub fn kind(&self) -> &SerdeErrorKind {
        &self.0.kind
    }

    /// How a program can react.
    pub fn class(&self) -> ErrorClass {
        self.kind().class()
    }

    /// Returns what went wrong, and drops the row and the path.
    pub fn into_kind(self) -> SerdeErrorKind {
        self.0.kind
    }

    #[cold]
    pub(crate) fn with_kind(mut self, kind: SerdeErrorKind) -> SerdeError {
        self.0.kind = kind;
        self
    }

    pub(crate) fn at_row(mut self, row: u64) -> SerdeError {
        self.0.row = Some(row);
        self
    }

    #[cold]
    pub(crate) fn in_step(mut self, step: &PathStep) -> SerdeError {
        self.0.path.prepend(step.clone());
        self
    }
}

impl From<SerdeErrorKind> for SerdeError {
    #[cold]
    fn from(kind: SerdeErrorKind) -> SerdeError {
        SerdeError(Box::new(Inner { row: None, path: FieldPath::root(), kind }))
    }
}

impl From<ArrayError> for SerdeError {
    fn from(error: ArrayError) -> SerdeError {
        SerdeErrorKind::Array(error).into()
    }
}

impl From<ValueError> for SerdeError {
    fn from(error: ValueError) -> SerdeError {
        SerdeErrorKind::Text(error).into()
    }
}

impl serde_core::ser::Error for SerdeError {
    fn custom<T: fmt::Display>(message: T) -> SerdeError {
        SerdeErrorKind::Custom(message.to_string().into()).into()
    }
}

impl serde_core::de::Error for SerdeError {
    fn custom<T: fmt::Display>(message: T) -> SerdeError {
        SerdeErrorKind::Custom(message.to_string().into()).into()
    }

    fn missing_field(name: &'static str) -> SerdeError {
        SerdeErrorKind::MissingField { name }.into()
    }

    fn duplicate_field(name: &'static str) -> SerdeError {
        SerdeError::from(SerdeErrorKind::Repeated)
            .in_step(&PathStep::Child { position: 0, name: name.into() })
    }
}

arrow_error::debug_as_display!(SerdeError);

impl fmt::Display for SerdeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let path = self.path();
        // The text of data begins with its path.
        let is_written = matches!(&self.0.kind, SerdeErrorKind::Array(error) if matches!(error.kind(), ArrayErrorKind::Data(_)));
        match (self.0.row, path.is_root() || is_written) {
            (Some(row), true) => write!(f, "rows[{row}]: ")?,
            (Some(row), false) => write!(f, "rows[{row}].{path}: ")?,
            (None, true) => {}
            (None, false) => write!(f, "field `{path}`: ")?,
        }
        if let SerdeErrorKind::Array(error) = &self.0.kind {
            // The path is written already.
            fmt::Display::fmt(error.kind(), f)
        } else {
            fmt::Display::fmt(&self.0.kind, f)
        }
    }
}

// Not derived: the message already includes the cause, so `source` returns the source of the cause.
impl std::error::Error for SerdeError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        std::error::Error::source(&self.0.kind)
    }
}
