//! Errors of reading rows.

use std::{fmt, io};

use arrow_error::ErrorClass;

use arrow_array::ArrayError;
use arrow_array::parse::{ValueError, start_of};
use arrow_schema::{FieldPath, PathStep};

/// Why a row of JSON or CSV cannot be read: the line, the field, what was expected, and what was found.
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
pub struct RowError(Box<Inner>);

struct Inner {
    line: u64,
    /// Whether `line` is the number of a row and not of a line.
    counts_rows: bool,
    byte: Option<u64>,
    path: FieldPath,
    kind: RowErrorKind,
}

/// The cause of a [`RowError`], without the line and the field.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum RowErrorKind {
    /// Reading from the input failed.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// A line or record exceeds the maximum length.
    #[error("more than {max_bytes} bytes")]
    TooLong {
        /// The maximum length in bytes.
        max_bytes: usize,
    },
    /// A line has bytes that are not UTF-8.
    #[error("not UTF-8")]
    NotUtf8,
    /// A cell of CSV has bytes that are not UTF-8.
    #[error("cell {} is not UTF-8", .cell_idx.saturating_add(1))]
    CellNotUtf8 {
        /// The index of the cell, from 0. The message counts from 1, like lines and bytes.
        cell_idx: usize,
    },
    /// A cell has more text after its closing quote.
    #[error("cell {} has text after its closing quote", .cell_idx.saturating_add(1))]
    AfterQuote {
        /// The index of the cell, from 0. The message counts from 1, like lines and bytes.
        cell_idx: usize,
    },
    /// A cell begins with a quote, but the text ends before a closing quote.
    #[error("cell {} has no closing quote", .cell_idx.saturating_add(1))]
    OpenQuote {
        /// The index of the cell, from 0. The message counts from 1, like lines and bytes.
        cell_idx: usize,
    },
    /// A line or cell is not valid JSON.
    #[error("malformed JSON: {reason}")]
    NotJson {
        /// The message of the JSON parser.
        reason: Box<str>,
    },
    /// A line ends in the middle of a JSON value.
    #[error("the line ends inside a value; each row is one line")]
    Unfinished,
    /// A line begins with `[`. Either the whole text is an array of rows, or the row is an array.
    #[error("expected an object, found an array; each row is an object on a line of its own")]
    ArrayOfRows,
    /// A row is an array of pairs of names and values. Types are only inferred for rows that are objects.
    #[error(
        "the row is an array of pairs, whose names may repeat; types are only inferred for rows that are objects"
    )]
    Pairs,
    /// A row is a number, a string or another value that is not an object.
    #[error("expected an object, found {found}; each row is one line")]
    NotAnObject {
        /// The kind of the value, such as `a number`.
        found: &'static str,
    },
    /// A text is not a value of the type of its field.
    #[error(transparent)]
    Value(ValueError),
    /// A null was found for a field that is not nullable.
    #[error("expected a value, found null; the field is `not null`")]
    Null,
    /// A value is missing for a field that is not nullable.
    #[error("the row lacks the field, which is `not null`")]
    Missing,
    /// A value of a union is missing. Unions cannot be null.
    #[error("the row lacks the field, a union, and unions have no nulls")]
    MissingUnion,
    /// The line of names of CSV does not have the names of the schema.
    #[error("the header {}", differences(missing, unknown))]
    OtherNames {
        /// The columns of the schema that the line does not have. Empty if the line has many more names than the schema.
        missing: Vec<String>,
        /// The names in the line that the schema does not have. If there are many, only the first.
        unknown: Vec<String>,
    },
    /// A member of JSON is not in the schema.
    #[error("unknown field {name:?}")]
    UnknownName {
        /// The unknown name, or the start of a long name.
        name: String,
    },
    /// A member of JSON or a name of CSV occurs twice.
    #[error("the field is repeated")]
    Repeated,
    /// A list, a pair or a row of CSV has the wrong number of items, values or cells.
    #[error(
        "expected {expected} {}, found {}{found}",
        if *.expected == 1 { .unit.trim_end_matches('s') } else { .unit },
        if *.more { "more than " } else { "" }
    )]
    Count {
        /// The number that the type requires.
        expected: u64,
        /// The number that was found. If `more` is true, the number so far.
        found: u64,
        /// Whether counting stopped early, so that the real number is greater than `found`.
        more: bool,
        /// What is counted: items, pairs or cells.
        unit: &'static str,
    },
    /// A row of CSV has more cells than there are columns, and these cells are empty.
    #[error("expected {expected} cells, found {found}; those after the last column are empty")]
    EmptyCells {
        /// The number of columns.
        expected: u64,
        /// The number of cells in the row.
        found: u64,
    },
    /// No type fits both a value and earlier values of the same field.
    #[error("expected {before}, as in earlier values, found {found}")]
    Mixed {
        /// The kind of the earlier values, such as `a number`.
        before: &'static str,
        /// The kind of this value, such as `an array`.
        found: &'static str,
    },
    /// No type fits the numbers of a field. They have more digits than decimals can have, and float64 would round a whole
    /// number.
    #[error(
        "no type keeps all digits of the numbers so far: {n_whole} before the decimal point and {n_fraction} after it; a decimal \
         has at most 76 digits in all, and float64 would round a whole number; give the field the type utf8 or float64"
    )]
    TooManyDigits {
        /// The maximum number of digits before the decimal point, over all numbers of the field.
        n_whole: u32,
        /// The maximum number of digits after the decimal point, over all numbers of the field.
        n_fraction: u32,
    },
    /// The text ends inside the lines that are skipped at the start, so it has neither a line of names nor a row.
    #[error("nothing is left after skipping {n_skipped} {}; the text has {n_lines}", if *n_skipped == 1 { "line" } else { "lines" })]
    TooFewLines {
        /// The number of lines in the text.
        n_lines: u64,
        /// The number of lines to skip.
        n_skipped: u64,
    },
    /// A line begins like a comment, and the number of its cells differs from the number of columns.
    #[error("expected {expected} cells, found {found} in a line that begins with #")]
    HashLine {
        /// The number of columns.
        expected: u64,
        /// The number of cells in the line.
        found: u64,
    },
    /// Inference finds only blank lines at the start of the text.
    #[error("no schema can be inferred: the first {n_bytes} bytes are only blank lines")]
    OnlyEmptyLines {
        /// The number of bytes that were searched, all of them blank.
        n_bytes: u64,
    },
    /// The CSV has more columns than inference accepts.
    #[error(
        "more than {max} columns, the limit for inferring a schema; check the separator, or give a schema"
    )]
    TooManyColumns {
        /// The maximum number of columns for inference.
        max: u64,
    },
    /// The JSON has more different members than inference accepts.
    #[error(
        "the rows have more than {max} different members, counting those of inner objects; this is the limit for inferring a schema"
    )]
    TooManyMembers {
        /// The maximum number of members for inference.
        max: u64,
    },
    /// The null slots of one row exceed the limit on memory.
    #[error("the nulls of the row take more than {max_bytes} bytes of memory")]
    TooLarge {
        /// The maximum number of bytes for the nulls of a row.
        max_bytes: u64,
    },
    /// The null slots of all rows exceed the limit on memory, and also 256 times the length of the text.
    #[error(
        "the nulls of the rows so far take more than {max_bytes} bytes of memory, and more than 256 times the text"
    )]
    TooManyNulls {
        /// The maximum number of bytes for a short text.
        max_bytes: u64,
    },
    /// The types of the schema exceed the maximum depth.
    #[error("types are nested {depth} levels deep; the limit is {max}")]
    TooDeep {
        /// The number of levels of the deepest type.
        depth: u64,
        /// The maximum number of levels.
        max: u64,
    },
    /// Reading the input needs a feature that is not built in.
    #[error("reading {what} needs the feature `{feature}`")]
    Unsupported {
        /// What needs the feature, such as a nested column of CSV.
        what: &'static str,
        /// The name of the missing feature.
        feature: &'static str,
    },
    /// A value is valid, but cannot be appended to its array, for example because a dictionary is full.
    #[error(transparent)]
    Array(ArrayError),
}

impl RowErrorKind {
    /// How a program can react.
    pub fn class(&self) -> ErrorClass {
        match self {
            Self::Io(_) => ErrorClass::Io,
            Self::Array(error) => error.class(),
            Self::TooLong { .. }
            | Self::TooLarge { .. }
            | Self::TooManyColumns { .. }
            | Self::TooManyMembers { .. }
            | Self::TooManyNulls { .. }
            | Self::TooDeep { .. } => ErrorClass::LimitExceeded,
            Self::Unsupported { .. } => ErrorClass::Unsupported,
            Self::TooFewLines { .. } => ErrorClass::Misuse,
            Self::NotUtf8
            | Self::CellNotUtf8 { .. }
            | Self::AfterQuote { .. }
            | Self::OpenQuote { .. }
            | Self::NotJson { .. }
            | Self::Unfinished
            | Self::ArrayOfRows
            | Self::Pairs
            | Self::NotAnObject { .. }
            | Self::Value(_)
            | Self::Null
            | Self::Missing
            | Self::MissingUnion
            | Self::OtherNames { .. }
            | Self::UnknownName { .. }
            | Self::Repeated
            | Self::Count { .. }
            | Self::EmptyCells { .. }
            | Self::Mixed { .. }
            | Self::TooManyDigits { .. }
            | Self::HashLine { .. }
            | Self::OnlyEmptyLines { .. } => ErrorClass::Malformed,
        }
    }
}

impl RowError {
    /// Makes the message name the row by its number, not by its line. Use this if each row was moved to a line of its
    /// own before reading: the rows then have other line numbers than in the original text.
    #[must_use]
    pub fn with_row_numbers(mut self) -> RowError {
        self.0.counts_rows = true;
        self
    }

    /// The line on which the row begins, from 1. Returns 0 for an error about the schema or the whole text.
    pub fn line(&self) -> u64 {
        self.0.line
    }

    /// The byte of the line at which the error was found, from 1. `None` if unknown.
    pub fn byte(&self) -> Option<u64> {
        self.0.byte
    }

    /// The path of the field. Empty if the error is about the whole row.
    pub fn path(&self) -> &FieldPath {
        if let RowErrorKind::Array(error) = &self.0.kind { error.path() } else { &self.0.path }
    }

    /// What went wrong, for a `match`.
    pub fn kind(&self) -> &RowErrorKind {
        &self.0.kind
    }

    /// How a program can react.
    pub fn class(&self) -> ErrorClass {
        self.kind().class()
    }

    /// Returns what went wrong, and drops the line and the path.
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

    /// Whether [`line`](RowError::line) is the number of a row, and not of a line.
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

/// How many missing, and how many unknown names a message lists.
pub(super) const MAX_NAMES: usize = 5;

/// The missing and the unknown columns of a line of names, for a message.
fn differences(missing: &[String], unknown: &[String]) -> String {
    let of = |(what, names): (&str, &[String])| {
        let s = if names.len() == 1 { "" } else { "s" };
        let rest = if names.len() > MAX_NAMES { " and others" } else { "" };
        let quoted: Vec<String> = names.iter().take(MAX_NAMES).map(|name| format!("{name:?}")).collect();
        format!("{what} column{s} {}{rest}", quoted.join(", "))
    };
    let kinds = [("lacks the", missing), ("has the unknown", unknown)].into_iter();
    kinds.filter(|(_, names)| !names.is_empty()).map(of).collect::<Vec<_>>().join(" and ")
}

/// The maximum length of a path in a message, in bytes.
const MAX_PATH_BYTES: usize = 200;

arrow_error::debug_as_display!(RowError);

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

// Not derived: the message already includes the cause, so `source` returns the source of the cause.
impl std::error::Error for RowError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        std::error::Error::source(&self.0.kind)
    }
}
