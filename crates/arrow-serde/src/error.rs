//! The reasons why rows could not be written, read or traced.

use std::fmt;

use arrow_array::ArrayError;
use arrow_schema::{DataType, FieldPath, PathStep};
use arrow_text::ValueError;

/// The reason why a row could not be written to a batch or read from a batch, or why no schema could be traced. It
/// contains the row, the field, and a [kind](SerdeErrorKind).
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
#[derive(Debug)]
pub struct SerdeError(Box<Inner>);

pub(crate) type Result<T> = std::result::Result<T, SerdeError>;

#[derive(Debug)]
struct Inner {
    row: Option<u64>,
    path: FieldPath,
    kind: SerdeErrorKind,
}

/// The cause of a [`SerdeError`].
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SerdeErrorKind {
    /// The kind of a value does not fit the type.
    #[error("expected a value of {expected}, found {found}")]
    Type {
        /// The type of the column.
        expected: DataType,
        /// The kind of the value.
        found: &'static str,
    },
    /// An integer that the type does not allow.
    #[error("{value} does not fit into {data_type}")]
    Range {
        /// The integer.
        value: Box<str>,
        /// The type of the column.
        data_type: DataType,
    },
    /// A floating-point number that the type would round to an infinity.
    #[error("{value:?} does not fit into {data_type}")]
    FloatRange {
        /// The number.
        value: f64,
        /// The type of the column.
        data_type: DataType,
    },
    /// The number of bytes is not the width of the type.
    #[error("expected {expected} bytes, found {found}")]
    Width {
        /// The number of bytes of the type.
        expected: u64,
        /// The number of bytes of the value.
        found: u64,
    },
    /// Text is not a value of the type.
    #[error(transparent)]
    Text(ValueError),
    /// There is a null, but the field is not nullable.
    #[error("expected a value, found null; the field is `not null`")]
    Null,
    /// There is a null for a union, but unions have no nulls.
    #[error("expected a value, found null; unions have no nulls")]
    NullUnion,
    /// A required value is missing.
    #[error("expected a value, found none; the field is `not null`")]
    Missing,
    /// A row has a field that the schema does not have.
    #[error("unknown field {name:?}")]
    UnknownField {
        /// The name, or the start of a long name.
        name: Box<str>,
    },
    /// An enum has a variant that is not in the union.
    #[error("no child of the union is called {name:?}")]
    UnknownVariant {
        /// The name, or the start of a long name.
        name: Box<str>,
    },
    /// A field is repeated.
    #[error("the field is repeated")]
    Repeated,
    /// A key of a map must be the name of a field, but is neither a string nor a number.
    #[error("expected a string or a number as the key, which becomes the name of a field")]
    KeyIsNoName,
    /// The number of values is wrong.
    #[error("expected {expected} {unit}, found {found}")]
    Count {
        /// The required number.
        expected: u64,
        /// The number that was found.
        found: u64,
        /// The name of the counted units.
        unit: &'static str,
    },
    /// A value is null, but the Rust type is not an `Option`.
    #[error("found null; read it as an `Option`")]
    FoundNull,
    /// A value cannot be read as the requested Rust type.
    #[error("cannot read a value of {data_type} as {wanted}")]
    Read {
        /// The kind of value that the Rust type requests.
        wanted: &'static str,
        /// The type of the column.
        data_type: DataType,
    },
    /// The null slots of a row would take more memory than the limit allows.
    #[error("the nulls of the row take more than {max_bytes} bytes of memory")]
    TooManyNulls {
        /// The number of bytes that are allowed.
        max_bytes: u64,
    },
    /// The row has too many values after decoding: list views and dictionaries may refer to the same values many times.
    #[error("the row has more than {max} values and bytes of text together")]
    TooManyValues {
        /// The greatest number that is allowed.
        max: u64,
    },
    /// The types are nested too deeply.
    #[error("types are nested more than {max} levels deep")]
    TooDeep {
        /// The greatest depth.
        max: u64,
    },
    /// The Rust type has a field for which the batch has no column.
    #[error("missing field `{name}`")]
    MissingField {
        /// The name of the field.
        name: &'static str,
    },
    /// A field has values of different kinds, and no type fits all of them.
    #[error("expected {before}, as in earlier samples, found {found}")]
    Mixed {
        /// The kind of the earlier values.
        before: &'static str,
        /// The kind of this value.
        found: &'static str,
    },
    /// All samples of a field are null, or there are no samples of rows.
    #[error("no sample has a value of the field, so its type is unknown; add a sample with a value")]
    Untold,
    /// The values cannot be rows of a batch.
    #[error("rows have to be structs, maps or tuples")]
    NotRows,
    /// The contents of the Rust type cannot be found from the type alone; samples are needed.
    #[error("{what} alone does not tell its contents; give samples to `SchemaTracer::add`")]
    NeedsSamples {
        /// The kind of the type.
        what: &'static str,
    },
    /// The values are valid, but the array has no room for them; or the array that is read is invalid.
    #[error(transparent)]
    Array(ArrayError),
    /// An error of the `Serialize` or `Deserialize` of a type.
    #[error("{0}")]
    Custom(Box<str>),
}

impl SerdeError {
    /// The row of the error, counted from 0: among the rows that were written, or in the batch that is read. `None` if
    /// the error is about the schema.
    pub fn row(&self) -> Option<u64> {
        self.0.row
    }

    /// The field of the error. Empty if the error is about the row.
    pub fn path(&self) -> &FieldPath {
        if let SerdeErrorKind::Array(error) = &self.0.kind { error.path() } else { &self.0.path }
    }

    /// The cause.
    pub fn kind(&self) -> &SerdeErrorKind {
        &self.0.kind
    }

    /// Converts into the cause.
    pub fn into_kind(self) -> SerdeErrorKind {
        self.0.kind
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
}

impl fmt::Display for SerdeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let path = self.path();
        match (self.0.row, path.is_root()) {
            (Some(row), true) => write!(f, "rows[{row}]: ")?,
            (Some(row), false) => write!(f, "rows[{row}].{path}: ")?,
            (None, true) => {}
            (None, false) => write!(f, "field `{path}`: ")?,
        }
        if let SerdeErrorKind::Array(error) = &self.0.kind {
            // The path has been written already, so only the cause is written.
            fmt::Display::fmt(error.kind(), f)
        } else {
            fmt::Display::fmt(&self.0.kind, f)
        }
    }
}

// This is implemented by hand, since the message of this error already includes its cause: `source` returns the source of
// the cause.
impl std::error::Error for SerdeError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        std::error::Error::source(&self.0.kind)
    }
}
