//! Why there is no predicate, or no answer.

use std::{fmt, ops::Range};

use arrow_array::ArrayError;
use arrow_data::DataError;
use arrow_schema::{DataType, LookupError, Quoted};
use arrow_text::ValueError;

/// Why a text is no predicate, why a predicate does not fit a schema, or why its rows are not found.
#[derive(Debug, Clone, PartialEq)]
pub struct PredicateError(Box<PredicateFailure>);

#[derive(Debug, Clone, PartialEq)]
struct PredicateFailure {
    range: Option<Range<usize>>,
    column: Option<String>,
    kind: PredicateErrorKind,
}

/// The cause of a [`PredicateError`].
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum PredicateErrorKind {
    /// The text is not of the form of a predicate.
    #[error("expected {expected}, found {found}")]
    Syntax {
        /// What could have been there.
        expected: &'static str,
        /// What was there, as it can be shown.
        found: String,
    },
    /// A quote has no end.
    #[error("the text that begins here has no closing quote")]
    OpenQuote,
    /// Conditions are nested too deep.
    #[error("conditions are nested in more than {max_depth} levels")]
    TooDeep {
        /// How many levels there may be.
        max_depth: usize,
    },
    /// There is no such column.
    #[error(transparent)]
    Lookup(LookupError),
    /// A constant is no value of the type of its column.
    #[error("no value of {data_type}: {error}")]
    Constant {
        /// The type of the column.
        data_type: DataType,
        /// What was expected and found.
        error: ValueError,
    },
    /// A constant of this sort is not compared with values of this type.
    #[error("{data_type} is not compared with {found}; expected {expected}")]
    OtherSort {
        /// The type of the column.
        data_type: DataType,
        /// How the constant is written.
        found: &'static str,
        /// How it should be written.
        expected: &'static str,
    },
    /// The type of the column does not have this comparison.
    #[error("{data_type} has no {comparison}; expected {expected}")]
    NoComparison {
        /// The type of the column.
        data_type: DataType,
        /// The comparison.
        comparison: String,
        /// What the type has.
        expected: &'static str,
    },
    /// A path leads into a column that has other values than one for each row.
    #[error("a condition is about columns and fields of structs, and this is inside of {data_type}")]
    NotAStruct {
        /// The type of the column or field that is no struct.
        data_type: DataType,
    },
    /// A comparison with null is never true.
    #[error("null is compared with nothing; expected `is null`")]
    NullConstant,
    /// A batch has other columns than the schema that the predicate is bound to.
    #[error("the column has type {found}, and the predicate is bound to {expected}")]
    OtherType {
        /// The type that the predicate is bound to.
        expected: DataType,
        /// The type of the column.
        found: DataType,
    },
    /// The content of an array is not valid, or there is no memory for the answer.
    #[error(transparent)]
    Array(ArrayError),
}

impl PredicateError {
    pub(super) fn at(range: Range<usize>, kind: PredicateErrorKind) -> PredicateError {
        PredicateError(Box::new(PredicateFailure { range: Some(range), column: None, kind }))
    }

    pub(super) fn in_column(mut self, column: &str) -> PredicateError {
        self.0.column = Some(column.to_owned());
        self
    }

    /// The cause.
    pub fn kind(&self) -> &PredicateErrorKind {
        &self.0.kind
    }

    /// The bytes of the text where it fails, if the text is no predicate.
    pub fn range(&self) -> Option<Range<usize>> {
        self.0.range.clone()
    }

    /// The column that it is about, as it is written, if it is about one.
    pub fn column(&self) -> Option<&str> {
        self.0.column.as_deref()
    }
}

impl From<PredicateErrorKind> for PredicateError {
    fn from(kind: PredicateErrorKind) -> PredicateError {
        PredicateError(Box::new(PredicateFailure { range: None, column: None, kind }))
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

/// `at byte 9: expected a constant, found the end`, `in column day: …`.
impl fmt::Display for PredicateError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(range) = &self.0.range {
            write!(f, "at byte {}: ", range.start)?;
        }
        match &self.0.column {
            // The path says it.
            Some(_) if matches!(self.0.kind, PredicateErrorKind::Lookup(_)) => {}
            Some(column) => write!(f, "in column {column}: ")?,
            None => {}
        }
        self.0.kind.fmt(f)
    }
}

impl std::error::Error for PredicateError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        // The text of the others is in the text of this one.
        if let PredicateErrorKind::Constant { error, .. } = &self.0.kind { Some(error) } else { None }
    }
}

/// The start of a text that was found, in quotes.
pub(super) fn shown(text: &str) -> String {
    const MAX_BYTES: usize = 40;
    let start = text.get(..text.floor_char_boundary(MAX_BYTES)).unwrap_or_default();
    format!("{}{}", Quoted(start), if start.len() < text.len() { "…" } else { "" })
}
