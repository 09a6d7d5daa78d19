//! Errors of parsing, binding and applying predicates.

use std::{fmt, ops::Range};

use arrow_error::ErrorClass;

use arrow_array::ArrayError;
use arrow_data::DataError;
use arrow_schema::{DataType, LookupError};
use arrow_select::SelectError;

use crate::{CastError, cast::shown};

/// Why a text is not a predicate, why a predicate does not fit a schema, or why its rows cannot be found.
#[derive(Clone, PartialEq)]
pub struct PredicateError(Box<PredicateFailure>);

#[derive(Clone, PartialEq)]
struct PredicateFailure {
    range: Option<Range<usize>>,
    column: Option<String>,
    kind: PredicateErrorKind,
}

/// The cause of a [`PredicateError`], without the column and the range.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum PredicateErrorKind {
    /// The text does not follow the syntax of predicates.
    #[error("expected {expected}, found {found}")]
    Syntax {
        /// What the syntax allows here.
        expected: &'static str,
        /// The text that was found, with escaped control characters.
        found: String,
    },
    /// A constant that is not a number has no quotes.
    #[error("expected {expected}; text needs quotes: write {quoted}")]
    Unquoted {
        /// What the syntax allows here.
        expected: &'static str,
        /// The constant in quotes.
        quoted: String,
    },
    /// A word at the start of a comparison begins with a digit, so it is neither a number nor a name.
    #[error(
        "expected a constant or a column; as text, write {text}; as the name of a column, write {column}"
    )]
    NeitherNumberNorName {
        /// The word as a text.
        text: String,
        /// The word as the name of a column.
        column: String,
    },
    /// A keyword stands where a constant is expected.
    #[error("expected {expected}, found the keyword `{keyword}`; text needs quotes: write {quoted}")]
    KeywordAsConstant {
        /// What the syntax allows here.
        expected: &'static str,
        /// The keyword.
        keyword: String,
        /// The keyword as text.
        quoted: String,
    },
    /// Something is calculated, or a function is called.
    #[error("expected {expected}, found {found}: conditions compare values, and do not calculate them")]
    Calculation {
        /// What the syntax allows here.
        expected: &'static str,
        /// The text that was found.
        found: String,
    },
    /// A constant in double quotes is also the name of a column, so it is not clear which is meant.
    #[error("{name:?} is also the name of a column; {as_column}; as text, write {text}")]
    ColumnAsText {
        /// The name of the column.
        name: String,
        /// How to compare with the column.
        as_column: String,
        /// The constant in single quotes.
        text: String,
    },
    /// The right side of a comparison is a word without quotes that is no column.
    #[error("{lookup}; text needs quotes: write {quoted}")]
    NeitherColumnNorText {
        /// Why it is no column.
        lookup: LookupError,
        /// The word in quotes.
        quoted: String,
    },
    /// Two columns are compared whose types have no [`wider_type`](crate::wider_type()).
    #[error(
        "the types {data_type} and {other} cannot be compared; cast one of them to the type of the other"
    )]
    OtherColumnType {
        /// The type of the left column.
        data_type: DataType,
        /// The type of the right column.
        other: DataType,
    },
    /// A value of two columns that are compared is not a value of their wider type.
    #[error(transparent)]
    Cast(CastError),
    /// A keyword stands where a column is compared.
    #[error("a column whose name is a keyword needs double quotes: write {quoted}")]
    Keyword {
        /// The name in quotes.
        quoted: String,
    },
    /// A quote is opened but not closed.
    #[error("the text in quotes that begins here is not closed")]
    OpenQuote,
    /// Parentheses and `not` are nested too deeply.
    #[error("nesting exceeds the limit of {max_depth} levels")]
    TooDeep {
        /// The maximum number of levels.
        max_depth: usize,
    },
    /// The schema has no column of this name, or several.
    #[error(transparent)]
    Lookup(LookupError),
    /// A constant is not a value of the type of its column.
    #[error("not a value of {data_type}: {reason}")]
    Constant {
        /// The type of the column or field.
        data_type: DataType,
        /// What the type requires, and what was found.
        reason: String,
    },
    /// A constant has no offset, and the time zone of its column is unknown.
    #[error("the time zone {} is unknown, so a time needs an offset: write {with_offset}", shown(zone))]
    UnknownZone {
        /// The time zone of the column.
        zone: String,
        /// The constant as a time in UTC.
        with_offset: String,
    },
    /// Clocks of the time zone of a column show a constant without an offset twice.
    #[error("{} occurs twice in the zone {}: write {first} or {second}", shown(text), shown(zone))]
    RepeatedLocalTime {
        /// The constant.
        text: String,
        /// The time zone of the column.
        zone: String,
        /// The earlier instant, as a constant with its offset.
        first: String,
        /// The later instant.
        second: String,
    },
    /// A constant is of the wrong kind for the type of its column, such as a text for a boolean column.
    #[error("the type {data_type} cannot be compared with {found}; expected {expected}")]
    OtherSort {
        /// The type of the column or field.
        data_type: DataType,
        /// The kind of the constant.
        found: &'static str,
        /// The kind that the type requires, with an example.
        expected: &'static str,
    },
    /// The type of the column does not support this comparison.
    #[error("the type {data_type} does not support {comparison}; expected {expected}")]
    NoComparison {
        /// The type of the column or field.
        data_type: DataType,
        /// The operator or keyword of the comparison.
        comparison: String,
        /// The comparisons that the type supports.
        expected: &'static str,
    },
    /// A path leads into a list, map or union, whose items are not rows.
    #[error("conditions can only use columns and fields of structs; this field is inside {data_type}")]
    NotAStruct {
        /// The type of the list, map or union.
        data_type: DataType,
    },
    /// A pattern of `like` has too many characters between two `%`, with `_` among them: they would be searched too slowly.
    #[error(
        "`like` searches at most {limit} characters with `_` among them between two `%`; this pattern has {n_chars}"
    )]
    LongPattern {
        /// The number of characters from the first to the last one that is not `_`.
        n_chars: usize,
        /// The greatest number of these characters.
        limit: usize,
    },
    /// A constant is null, with which no comparison is true.
    #[error("null cannot be compared; expected `is null`")]
    NullConstant,
    /// A column of the batch does not have the type that the schema declares.
    #[error("the column has type {found}; the predicate is bound to a column of type {expected}")]
    OtherType {
        /// The type in the schema to which the predicate is bound.
        expected: DataType,
        /// The type of the column in the batch.
        found: DataType,
    },
    /// The content of an array is invalid, or there is too little memory.
    #[error(transparent)]
    Array(ArrayError),
}

impl PredicateErrorKind {
    /// How a program can react.
    pub fn class(&self) -> ErrorClass {
        match self {
            Self::Array(error) => error.class(),
            Self::Cast(error) => error.class(),
            Self::Syntax { .. }
            | Self::Unquoted { .. }
            | Self::NeitherNumberNorName { .. }
            | Self::KeywordAsConstant { .. }
            | Self::Calculation { .. }
            | Self::ColumnAsText { .. }
            | Self::NeitherColumnNorText { .. }
            | Self::OtherColumnType { .. }
            | Self::Keyword { .. }
            | Self::OpenQuote
            | Self::TooDeep { .. }
            | Self::Lookup(_)
            | Self::Constant { .. }
            | Self::UnknownZone { .. }
            | Self::RepeatedLocalTime { .. }
            | Self::OtherSort { .. }
            | Self::NoComparison { .. }
            | Self::NotAStruct { .. }
            | Self::LongPattern { .. }
            | Self::NullConstant
            | Self::OtherType { .. } => ErrorClass::Misuse,
        }
    }
}

impl PredicateError {
    pub(super) fn at(range: Range<usize>, kind: PredicateErrorKind) -> PredicateError {
        PredicateError(Box::new(PredicateFailure { range: Some(range), column: None, kind }))
    }

    pub(super) fn in_column(mut self, column: &str) -> PredicateError {
        self.0.column.get_or_insert_with(|| column.to_owned());
        self
    }

    /// What went wrong, for a `match`.
    pub fn kind(&self) -> &PredicateErrorKind {
        &self.0.kind
    }

    /// How a program can react.
    pub fn class(&self) -> ErrorClass {
        self.kind().class()
    }

    /// The range of bytes in the text that is wrong. `None` if the text is a predicate.
    pub fn range(&self) -> Option<Range<usize>> {
        self.0.range.clone()
    }

    /// The column at fault, as the predicate writes it. `None` if the error is not about a column.
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

impl From<CastError> for PredicateError {
    fn from(error: CastError) -> PredicateError {
        PredicateErrorKind::Cast(error).into()
    }
}

impl From<SelectError> for PredicateError {
    fn from(error: SelectError) -> PredicateError {
        ArrayError::from(error).into()
    }
}

impl From<DataError> for PredicateError {
    fn from(error: DataError) -> PredicateError {
        ArrayError::from(error).into()
    }
}

arrow_error::debug_as_display!(PredicateError);

/// Prints the position or column, and the cause: `at byte 9 of the condition: expected a constant, found the end`, `in column day: …`.
impl fmt::Display for PredicateError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(range) = &self.0.range {
            write!(f, "at byte {} of the condition: ", range.start)?;
        }
        match &self.0.column {
            // The cause already names the column.
            Some(_)
                if matches!(
                    self.0.kind,
                    PredicateErrorKind::Lookup(_) | PredicateErrorKind::NeitherColumnNorText { .. }
                ) => {}
            Some(column) => write!(f, "in column {column}: ")?,
            None => {}
        }
        self.0.kind.fmt(f)
    }
}

// The messages include their causes.
impl std::error::Error for PredicateError {}
