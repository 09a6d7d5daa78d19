//! Why a row could not be read.

use std::{fmt, io};

use arrow_array::ArrayError;
use arrow_schema::{FieldPath, PathStep};

use super::parse::{ValueError, start_of};

/// Why a row of JSON or CSV could not be read: on which line, in which field, what was expected and what was found.
///
/// ```
/// use arrow_schema::{DataType, Field, Schema};
/// use arrow_text::CsvReader;
///
/// let schema = Schema::new([Field::new("id", DataType::Int8), Field::new("name", DataType::Utf8)]);
/// let error = CsvReader::read_batch("id,name\n1,ada\n200,grace\n", schema).unwrap_err();
/// assert_eq!((error.line(), error.path().to_string().as_str()), (3, "id"));
/// assert_eq!(
///     error.to_string(),
///     r#"line 3: field `id`: expected an integer from -128 to 127, found "200""#
/// );
/// ```
#[derive(Debug)]
pub struct RowError(Box<Inner>);

#[derive(Debug)]
struct Inner {
    line: u64,
    /// Whether rows are counted instead of lines.
    counts_rows: bool,
    byte: Option<u64>,
    path: FieldPath,
    kind: RowErrorKind,
}

/// The cause of a [`RowError`].
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum RowErrorKind {
    /// The input could not be read.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// A line or record is longer than allowed.
    #[error("it has more than {max_bytes} bytes")]
    TooLong {
        /// How many bytes are allowed.
        max_bytes: usize,
    },
    /// A line holds bytes that are no text.
    #[error("it is not UTF-8")]
    NotUtf8,
    /// A cell of CSV holds bytes that are no text.
    #[error("cell {} is not UTF-8", .cell_idx.saturating_add(1))]
    CellNotUtf8 {
        /// The cell, counted from 0; the message counts from 1, as lines and bytes.
        cell_idx: usize,
    },
    /// A cell goes on after its closing quote.
    #[error("cell {} has text after its closing quote", .cell_idx.saturating_add(1))]
    AfterQuote {
        /// The cell, counted from 0; the message counts from 1, as lines and bytes.
        cell_idx: usize,
    },
    /// A cell begins with a quote, and the text ends before another one.
    #[error("cell {} has no closing quote", .cell_idx.saturating_add(1))]
    OpenQuote {
        /// The cell, counted from 0; the message counts from 1, as lines and bytes.
        cell_idx: usize,
    },
    /// The text is not JSON.
    #[error("malformed JSON: {reason}")]
    NotJson {
        /// The text of the parser of JSON.
        reason: Box<str>,
    },
    /// The line ends before its JSON does.
    #[error("the line ends inside a value; each row is one line")]
    Unfinished,
    /// The line begins an array of rows, or a row that is an array.
    #[error("expected an object, found an array; each row is one line, without brackets around all rows")]
    ArrayOfRows,
    /// A row that is a value without fields.
    #[error("expected an object, found {found}; each row is one line")]
    NotAnObject {
        /// The kind of the value.
        found: &'static str,
    },
    /// The text is not a value of the type.
    #[error(transparent)]
    Value(ValueError),
    /// A null where none may be.
    #[error("expected a value, found null; the field is `not null`")]
    Null,
    /// A required value is missing.
    #[error("expected a value, found none; the field is `not null`")]
    Missing,
    /// A value of a union is missing, and unions have no nulls.
    #[error("expected a value, found none; unions have no nulls")]
    MissingUnion,
    /// A column of the schema that is not among the names of CSV.
    #[error("the header has no such column")]
    MissingColumn,
    /// A member or column that the schema does not have.
    #[error("unknown field {name:?}")]
    UnknownName {
        /// Its name; only the start of a long one.
        name: String,
    },
    /// A repeated member or column.
    #[error("the field is repeated")]
    Repeated,
    /// Another number of items, pairs or cells than there must be.
    #[error("expected {expected} {unit}, found {}{found}", if *.more { "more than " } else { "" })]
    Count {
        /// How many there must be.
        expected: u64,
        /// How many there are, as far as they were counted.
        found: u64,
        /// Whether there are more than were counted.
        more: bool,
        /// The counted unit: items, pairs or cells.
        unit: &'static str,
    },
    /// A value of a field is of another kind than those before it, and no type takes both.
    #[error("expected {before}, as in values before, found {found}")]
    Mixed {
        /// The kind of the earlier values.
        before: &'static str,
        /// The kind of this value.
        found: &'static str,
    },
    /// No type keeps the digits of the numbers of a field: decimals have too few, and floating-point numbers would change a whole
    /// number.
    #[error(
        "no type keeps all digits of the numbers so far: {n_whole} before the decimal point and {n_fraction} after it; a decimal \
         has 76, and float64 would round a whole number"
    )]
    TooManyDigits {
        /// The most digits before the decimal point.
        n_whole: u32,
        /// The most digits after the decimal point.
        n_fraction: u32,
    },
    /// A schema is inferred of a text that begins with too many blank lines.
    #[error("the first {n_bytes} bytes are blank lines")]
    Blank {
        /// How many bytes were looked at.
        n_bytes: u64,
    },
    /// The rows that a schema is inferred from have too many members.
    #[error("the rows have more than {max} different members, those of inner objects included")]
    TooManyMembers {
        /// How many are allowed.
        max: u64,
    },
    /// The null slots would take more memory than a row may.
    #[error("the nulls of the row take more than {max_bytes} bytes of memory")]
    TooLarge {
        /// How many bytes are allowed.
        max_bytes: u64,
    },
    /// The null slots of all rows would take too much memory for so little text.
    #[error(
        "the nulls of the rows so far take more than {max_bytes} bytes of memory, and more than 256 times the text"
    )]
    TooManyNulls {
        /// How many bytes are allowed, however short the text is.
        max_bytes: u64,
    },
    /// The types of the schema are nested deeper than rows are read.
    #[error("types are nested {depth} levels deep; the limit is {max}")]
    TooDeep {
        /// The depth of the types.
        depth: u64,
        /// The greatest allowed depth.
        max: u64,
    },
    /// Something that needs a feature which is not built in.
    #[error("reading {what} needs the feature `{feature}`")]
    Unsupported {
        /// The part that needs the feature.
        what: &'static str,
        /// The name of the feature.
        feature: &'static str,
    },
    /// The value is sound, but the array has no room for it.
    #[error(transparent)]
    Array(ArrayError),
}

impl RowError {
    /// The same error of a text that has been changed so that each row is a line.
    #[must_use]
    pub fn counting_rows(mut self) -> RowError {
        self.0.counts_rows = true;
        self
    }

    /// The line on which the row begins, from 1; 0 for an error about the schema.
    pub fn line(&self) -> u64 {
        self.0.line
    }

    /// The byte of the line at which the error was noticed, from 1; `None` if that is not known.
    pub fn byte(&self) -> Option<u64> {
        self.0.byte
    }

    /// The field of the error; empty if the error is about the row.
    pub fn path(&self) -> &FieldPath {
        if let RowErrorKind::Array(error) = &self.0.kind { error.path() } else { &self.0.path }
    }

    /// The cause.
    pub fn kind(&self) -> &RowErrorKind {
        &self.0.kind
    }

    /// Converts into the cause.
    pub fn into_kind(self) -> RowErrorKind {
        self.0.kind
    }

    pub(super) fn new(line: u64, kind: impl Into<RowErrorKind>) -> RowError {
        RowError(Box::new(Inner {
            line,
            counts_rows: false,
            byte: None,
            path: FieldPath::root(),
            kind: kind.into(),
        }))
    }

    #[cfg(feature = "json")]
    pub(super) fn at_byte(mut self, byte: Option<usize>) -> RowError {
        self.0.byte = byte.map(|byte| byte as u64);
        self
    }

    /// Whether rows are counted instead of lines.
    pub fn counts_rows(&self) -> bool {
        self.0.counts_rows
    }

    pub(super) fn on_line(mut self, line: u64) -> RowError {
        self.0.line = line;
        self
    }

    #[cfg(feature = "json")]
    pub(super) fn in_path(mut self, path: FieldPath) -> RowError {
        self.0.path = path;
        self
    }

    pub(super) fn in_step(mut self, step: &PathStep) -> RowError {
        self.0.path.prepend(step.clone());
        self
    }
}

impl From<ArrayError> for RowError {
    fn from(error: ArrayError) -> RowError {
        RowError::new(0, error)
    }
}

impl From<ArrayError> for RowErrorKind {
    fn from(error: ArrayError) -> RowErrorKind {
        RowErrorKind::Array(error)
    }
}

impl From<ValueError> for RowErrorKind {
    fn from(error: ValueError) -> RowErrorKind {
        RowErrorKind::Value(error)
    }
}

/// How many bytes of a path are shown; only the start of a longer one is.
const MAX_PATH_BYTES: usize = 200;

impl fmt::Display for RowError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.0.line > 0 {
            let unit = if self.0.counts_rows { "row" } else { "line" };
            write!(f, "{unit} {}", self.0.line)?;
            if let Some(byte) = self.0.byte {
                write!(f, ", byte {byte}")?;
            }
            f.write_str(": ")?;
        }
        if !self.0.path.is_root() {
            write!(f, "field `{}`: ", start_of(&self.0.path.to_string(), MAX_PATH_BYTES))?;
        }
        fmt::Display::fmt(&self.0.kind, f)
    }
}

// By hand: the message of the cause is already ours, so the chain goes on below it.
impl std::error::Error for RowError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        std::error::Error::source(&self.0.kind)
    }
}
