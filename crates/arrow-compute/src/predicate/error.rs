//! Why a predicate cannot be read, bound or answered.

use std::{fmt, ops::Range};

use arrow_array::ArrayError;
use arrow_data::DataError;
use arrow_schema::{DataType, LookupError, Quoted};
use arrow_text::ValueError;

/// The reason why a text is not a predicate, why a predicate does not fit a schema, or why its rows cannot be found.
#[derive(Debug, Clone, PartialEq)]
pub struct PredicateError(Box<PredicateFailure>);

#[derive(Debug, Clone, PartialEq)]
struct PredicateFailure {
    range: Option<Range<usize>>,
    column: Option<String>,
    corrected: Option<String>,
    kind: PredicateErrorKind,
}

/// The cause of a [`PredicateError`].
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum PredicateErrorKind {
    /// The text does not follow the syntax of predicates.
    #[error("expected {expected}, found {found}")]
    Syntax {
        /// A description of the text that was expected.
        expected: &'static str,
        /// The text that was found, with control characters escaped.
        found: String,
    },
    /// A constant is not in quotes, and is not a number.
    #[error("text needs quotes, as {quoted}; columns are not compared with columns")]
    Unquoted {
        /// The constant in quotes.
        quoted: String,
    },
    /// A constant in double quotes is the name of a column.
    #[error(
        "{name:?} is also the name of a column, and columns are not compared with columns; as text, write {text}"
    )]
    ColumnAsText {
        /// The name.
        name: String,
        /// The text in single quotes.
        text: String,
    },
    /// A name has other characters than letters, digits and `_`, and is not in quotes.
    #[error("a name with spaces or signs needs double quotes; expected {quoted}")]
    UnquotedName {
        /// The name in quotes.
        quoted: String,
    },
    /// A quote is not closed.
    #[error("the text that begins here has no closing quote")]
    OpenQuote,
    /// Conditions are nested too deeply.
    #[error("conditions are nested in more than {max_depth} levels")]
    TooDeep {
        /// The number of levels that are allowed.
        max_depth: usize,
    },
    /// There is no such column.
    #[error(transparent)]
    Lookup(LookupError),
    /// A constant is not a value of the type of its column.
    #[error("not a value of {data_type}: {error}")]
    Constant {
        /// The type of the column.
        data_type: DataType,
        /// What is expected of a value of this type, and the text that was found.
        error: ValueError,
    },
    /// A constant of this kind cannot be compared with values of this type.
    #[error("the type {data_type} cannot be compared with {found}; expected {expected}")]
    OtherSort {
        /// The type of the column.
        data_type: DataType,
        /// The kind of the constant.
        found: &'static str,
        /// How the constant should be written.
        expected: &'static str,
    },
    /// The type of the column does not support this comparison.
    #[error("the type {data_type} does not support {comparison}; expected {expected}")]
    NoComparison {
        /// The type of the column.
        data_type: DataType,
        /// The comparison.
        comparison: String,
        /// The comparisons that the type supports.
        expected: &'static str,
    },
    /// A path leads into a list, map or union, whose items do not correspond to rows.
    #[error("conditions can only use columns and fields of structs; this field is inside {data_type}")]
    NotAStruct {
        /// The type of the column or field that is not a struct.
        data_type: DataType,
    },
    /// A comparison with null is never true.
    #[error("null cannot be compared; expected `is null`")]
    NullConstant,
    /// A column of the batch has another type than in the schema to which the predicate is bound.
    #[error("the column has type {found}; the predicate is bound to a column of type {expected}")]
    OtherType {
        /// The type to which the predicate is bound.
        expected: DataType,
        /// The type of the column.
        found: DataType,
    },
    /// The content of an array is invalid, or there is no memory for the answer.
    #[error(transparent)]
    Array(ArrayError),
}

impl PredicateError {
    pub(super) fn at(range: Range<usize>, kind: PredicateErrorKind) -> PredicateError {
        PredicateError(Box::new(PredicateFailure { range: Some(range), column: None, corrected: None, kind }))
    }

    pub(super) fn in_column(mut self, column: &str) -> PredicateError {
        self.0.column = Some(column.to_owned());
        self
    }

    pub(super) fn with_corrected(mut self, corrected: String) -> PredicateError {
        self.0.corrected = Some(corrected);
        self
    }

    /// A correction of the predicate, for example with quotes around constants and names, if one was found. The corrected
    /// text can be parsed. If the error comes from [`bind`](super::Predicate::bind), the corrected predicate can also be
    /// bound.
    pub fn corrected(&self) -> Option<&str> {
        self.0.corrected.as_deref()
    }

    /// The cause.
    pub fn kind(&self) -> &PredicateErrorKind {
        &self.0.kind
    }

    /// The range of the error in the text, if the text is not a predicate.
    pub fn range(&self) -> Option<Range<usize>> {
        self.0.range.clone()
    }

    /// The column of the error, by its name in the predicate, if the error is about a column.
    pub fn column(&self) -> Option<&str> {
        self.0.column.as_deref()
    }
}

impl From<PredicateErrorKind> for PredicateError {
    fn from(kind: PredicateErrorKind) -> PredicateError {
        PredicateError(Box::new(PredicateFailure { range: None, column: None, corrected: None, kind }))
    }
}

impl From<ArrayError> for PredicateError {
    fn from(error: ArrayError) -> PredicateError {
        PredicateErrorKind::Array(error).into()
    }
}

impl From<DataError> for PredicateError {
    fn from(error: DataError) -> PredicateError {
        ArrayError::from(error).into()
    }
}

/// Prints the position or column, and the cause: `at byte 9: expected a constant, found the end`, `in column day: …`.
impl fmt::Display for PredicateError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(range) = &self.0.range {
            write!(f, "at byte {}: ", range.start)?;
        }
        match &self.0.column {
            // The cause names the column already.
            Some(_) if matches!(self.0.kind, PredicateErrorKind::Lookup(_)) => {}
            Some(column) => write!(f, "in column {column}: ")?,
            None => {}
        }
        self.0.kind.fmt(f)
    }
}

impl std::error::Error for PredicateError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        // The messages of the other kinds include their causes.
        if let PredicateErrorKind::Constant { error, .. } = &self.0.kind { Some(error) } else { None }
    }
}

/// The start of a text for an error, in quotes.
pub(super) fn shown(text: &str) -> String {
    const MAX_BYTES: usize = 40;
    let start = text.get(..text.floor_char_boundary(MAX_BYTES)).unwrap_or_default();
    format!("{}{}", Quoted(start), if start.len() < text.len() { "…" } else { "" })
}
