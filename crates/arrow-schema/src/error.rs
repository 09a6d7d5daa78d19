//! Errors of this crate.

use std::{fmt, sync::Arc};

use crate::{DataType, FieldPath, ParseError, QuotedText};

/// The reason why the parameters of a type are invalid.
#[derive(Clone, PartialEq, Eq)]
pub enum TypeError {
    /// The precision of a decimal type is less than 1 or more than its width allows.
    PrecisionOutOfRange {
        /// The requested precision.
        found: i32,
        /// The largest precision of the width.
        max: u8,
    },
    /// The size of a fixed-size type is negative or above `i32::MAX`.
    SizeOutOfRange {
        /// The requested size.
        found: i64,
    },
    /// The entries of a map are not a struct of two fields.
    MapEntries {
        /// The type that was found.
        found: DataType,
    },
    /// A union has more children than there are type ids.
    UnionChildren {
        /// The number of children.
        found: usize,
    },
    /// The number of type ids is not the number of children.
    UnionTypeIdCount {
        /// The number of children.
        n_fields: usize,
        /// The number of type ids.
        n_type_ids: usize,
    },
    /// A type id of a union is negative.
    UnionTypeId {
        /// The negative type id.
        found: i8,
    },
    /// Two children of a union have the same type id.
    UnionTypeIdRepeated {
        /// The repeated type id.
        type_id: i8,
    },
    /// The index of a dictionary is not an integer.
    DictionaryIndex {
        /// The type that was found.
        found: DataType,
    },
    /// The value type of a dictionary is a dictionary itself.
    DictionaryOfDictionary {
        /// The value type, which is a dictionary type.
        found: DataType,
    },
    /// The run ends of a run-end encoded type are of a wrong type.
    RunEnds {
        /// The type that was found.
        found: DataType,
    },
    /// The number of children is not the number that the type requires.
    ChildCount {
        /// The name of the kind of type, such as `list`.
        kind: &'static str,
        /// The number of children that the kind requires.
        expected: usize,
        /// The number of children that were found.
        found: usize,
    },
}

arrow_error::debug_as_display!(TypeError);

impl fmt::Display for TypeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            TypeError::PrecisionOutOfRange { found, max } => {
                write!(f, "the precision of the decimal is {found}; its bit width allows 1 to {max}")
            }
            TypeError::SizeOutOfRange { found } => {
                write!(f, "the fixed size is {found}; allowed: 0 to {}", i32::MAX)
            }
            TypeError::MapEntries { found } => {
                write!(f, "map entries must be a struct of a key and a value, found {found}")
            }
            TypeError::UnionChildren { found } => {
                write!(f, "a union has at most 128 children, found {found}")
            }
            TypeError::UnionTypeIdCount { n_fields, n_type_ids } => write!(
                f,
                "a union has one type id for each child, found {n_type_ids} type ids for {n_fields} children"
            ),
            TypeError::UnionTypeId { found } => write!(f, "a union type id is {found}; allowed: 0 to 127"),
            TypeError::UnionTypeIdRepeated { type_id } => {
                write!(f, "union type id {type_id} belongs to more than one child")
            }
            TypeError::DictionaryIndex { found } => {
                write!(f, "dictionary indices must be integers, found {found}")
            }
            TypeError::DictionaryOfDictionary { found } => {
                write!(f, "the value type of a dictionary cannot be a dictionary itself, found {found}")
            }
            TypeError::RunEnds { found } => {
                write!(f, "run ends must be int16, int32 or int64, found {found}")
            }
            TypeError::ChildCount { kind, expected, found } => {
                write!(f, "expected {expected} children of {kind}, found {found}")
            }
        }
    }
}

impl std::error::Error for TypeError {}

/// The reason why a field was not found.
#[derive(Clone, PartialEq, Eq)]
pub enum LookupError {
    /// No field has this name.
    Missing {
        /// The requested name.
        name: Arc<str>,
    },
    /// Several fields have this name. Look the field up by its position instead.
    Ambiguous {
        /// The requested name.
        name: Arc<str>,
        /// The number of fields with this name.
        n_matches: usize,
    },
    /// There is no field at this position.
    OutOfRange {
        /// The requested position, counted from 0.
        position: usize,
        /// The number of fields.
        n_fields: usize,
    },
    /// The text is not the text form of any path.
    NoPath(ParseError),
    /// A step of the path enters a dictionary, but the field before it is not dictionary-encoded.
    NoDictionary,
    /// A column was found, but not the field below it.
    Within {
        /// The path to the last field that was found.
        path: FieldPath,
        /// The reason why the path cannot be followed further.
        error: Box<LookupError>,
    },
}

arrow_error::debug_as_display!(LookupError);

impl fmt::Display for LookupError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            LookupError::Missing { name } => write!(f, "no field is named {}", QuotedText(name)),
            LookupError::Ambiguous { name, n_matches } => {
                write!(f, "{n_matches} fields are named {}", QuotedText(name))
            }
            LookupError::OutOfRange { position, n_fields } => {
                write!(f, "field {position} is out of bounds; there are {n_fields} fields, counted from 0")
            }
            LookupError::NoPath(error) => write!(f, "malformed path: {error}"),
            LookupError::NoDictionary => f.write_str("the field is not dictionary-encoded"),
            LookupError::Within { path, error } => write!(f, "in {path}: {error}"),
        }
    }
}

impl std::error::Error for LookupError {}

impl From<ParseError> for LookupError {
    fn from(error: ParseError) -> Self {
        Self::NoPath(error)
    }
}
