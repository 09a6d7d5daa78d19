//! The errors of reading a row.

use std::{fmt, io};

use arrow_array::ArrayError;
use arrow_schema::{FieldPath, PathStep};

use super::parse::{ValueError, start_of};

/// The error of reading a row of JSON or CSV: the line, the field, what was expected, and what was found.
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
        /// The number of bytes that are allowed.
        max_bytes: usize,
    },
    /// A line has bytes that are not UTF-8.
    #[error("it is not UTF-8")]
    NotUtf8,
    /// A cell of CSV has bytes that are not UTF-8.
    #[error("cell {} is not UTF-8", .cell_idx.saturating_add(1))]
    CellNotUtf8 {
        /// The cell, counted from 0. The message counts cells from 1, like lines and bytes.
        cell_idx: usize,
    },
    /// A cell continues after its closing quote.
    #[error("cell {} has text after its closing quote", .cell_idx.saturating_add(1))]
    AfterQuote {
        /// The cell, counted from 0. The message counts cells from 1, like lines and bytes.
        cell_idx: usize,
    },
    /// A cell begins with a quote, but the text ends without a closing one.
    #[error("cell {} has no closing quote", .cell_idx.saturating_add(1))]
    OpenQuote {
        /// The cell, counted from 0. The message counts cells from 1, like lines and bytes.
        cell_idx: usize,
    },
    /// The text is not JSON.
    #[error("malformed JSON: {reason}")]
    NotJson {
        /// The message of the JSON parser.
        reason: Box<str>,
    },
    /// The line ends before its JSON does.
    #[error("the line ends inside a value; each row is one line")]
    Unfinished,
    /// The line begins an array of rows, or a row that is an array.
    #[error("expected an object, found an array; each row is one line, without brackets around all rows")]
    ArrayOfRows,
    /// A row is a value without fields.
    #[error("expected an object, found {found}; each row is one line")]
    NotAnObject {
        /// The kind of the value.
        found: &'static str,
    },
    /// The text is not a value of the type.
    #[error(transparent)]
    Value(ValueError),
    /// There is a null, but the field is not nullable.
    #[error("expected a value, found null; the field is `not null`")]
    Null,
    /// A required value is missing.
    #[error("expected a value, found none; the field is `not null`")]
    Missing,
    /// A value of a union is missing. Unions have no nulls.
    #[error("expected a value, found none; unions have no nulls")]
    MissingUnion,
    /// A column of the schema is not among the names of CSV.
    #[error("the header has no column of this name")]
    MissingColumn,
    /// A member or column is not in the schema.
    #[error("unknown field {name:?}")]
    UnknownName {
        /// The name, or only the start of a long name.
        name: String,
    },
    /// A member or column is repeated.
    #[error("the field is repeated")]
    Repeated,
    /// The number of items, pairs or cells is wrong.
    #[error(
        "expected {expected} {}, found {}{found}",
        if *.expected == 1 { .unit.trim_end_matches('s') } else { .unit },
        if *.more { "more than " } else { "" }
    )]
    Count {
        /// The required number.
        expected: u64,
        /// The number that was found, or the number so far if counting was stopped early.
        found: u64,
        /// Whether counting was stopped early, so that the real number is greater than `found`.
        more: bool,
        /// The counted units: items, pairs or cells.
        unit: &'static str,
    },
    /// The value has another kind than earlier values of the field, and no type fits both.
    #[error("expected {before}, as in earlier values, found {found}")]
    Mixed {
        /// The kind of the earlier values.
        before: &'static str,
        /// The kind of this value.
        found: &'static str,
    },
    /// No type fits the numbers of a field: decimals have too few digits, and floating-point numbers would round a whole
    /// number.
    #[error(
        "no type keeps all digits of the numbers so far: {n_whole} before the decimal point and {n_fraction} after it; a decimal \
         has at most 76 digits in all, and float64 would round a whole number; give the field the type utf8 or float64"
    )]
    TooManyDigits {
        /// The most digits before the decimal point.
        n_whole: u32,
        /// The most digits after the decimal point.
        n_fraction: u32,
    },
    /// The text has no line after the lines that are skipped at the start, so there is neither a line of names nor a row.
    #[error("the text has {n_lines} {}, and {n_skipped} are skipped", if *n_lines == 1 { "line" } else { "lines" })]
    TooFewLines {
        /// The number of lines.
        n_lines: u64,
        /// The number of lines that are skipped.
        n_skipped: u64,
    },
    /// A line begins like a comment, and does not have a cell for each column.
    #[error("expected {expected} cells, found {found} in a line that begins with #")]
    HashLine {
        /// The number of columns.
        expected: u64,
        /// The number of cells.
        found: u64,
    },
    /// A schema cannot be inferred, since the text begins with too many blank lines.
    #[error("no schema can be inferred: the first {n_bytes} bytes are only blank lines")]
    Blank {
        /// The number of bytes that were searched.
        n_bytes: u64,
    },
    /// CSV has more columns than inference allows.
    #[error(
        "more than {max} columns: is the separator right? A schema is inferred for fewer, and may be given for more"
    )]
    TooManyColumns {
        /// The number that is allowed.
        max: u64,
    },
    /// A schema cannot be inferred, since the rows have too many members.
    #[error(
        "a schema is inferred for at most {max} different members, including members of inner objects; the rows have more"
    )]
    TooManyMembers {
        /// The number that is allowed.
        max: u64,
    },
    /// The null slots of a row would take too much memory.
    #[error("the nulls of the row take more than {max_bytes} bytes of memory")]
    TooLarge {
        /// The number of bytes that are allowed.
        max_bytes: u64,
    },
    /// The null slots of all rows would take too much memory for so little text.
    #[error(
        "the nulls of the rows so far take more than {max_bytes} bytes of memory, and more than 256 times the text"
    )]
    TooManyNulls {
        /// The number of bytes that are allowed for a text of any length.
        max_bytes: u64,
    },
    /// The types of the schema are nested too deeply.
    #[error("types are nested {depth} levels deep; the limit is {max}")]
    TooDeep {
        /// The depth of the types.
        depth: u64,
        /// The greatest allowed depth.
        max: u64,
    },
    /// The input needs a feature that is not built in.
    #[error("reading {what} needs the feature `{feature}`")]
    Unsupported {
        /// The part of the input that needs the feature.
        what: &'static str,
        /// The name of the feature.
        feature: &'static str,
    },
    /// The value is valid, but the array has no room for it.
    #[error(transparent)]
    Array(ArrayError),
}

impl RowError {
    /// Makes the error count rows instead of lines. Use this if each row was moved to a line of its own before reading,
    /// so that the line numbers are not those of the original text.
    #[must_use]
    pub fn counting_rows(mut self) -> RowError {
        self.0.counts_rows = true;
        self
    }

    /// The line on which the row begins, counted from 1. 0 for an error about the schema or the whole text.
    pub fn line(&self) -> u64 {
        self.0.line
    }

    /// The byte of the line at which the error was noticed, counted from 1. `None` if it is not known.
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

/// The number of bytes of a path that are shown. A longer path is cut.
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

// This is implemented by hand, since the message of this error already includes its cause: `source` returns the source of
// the cause.
impl std::error::Error for RowError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        std::error::Error::source(&self.0.kind)
    }
}
