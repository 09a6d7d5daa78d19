//! Errors of this crate.

use std::sync::Arc;

use thiserror::Error;

use crate::{DataType, FieldPath, ParseError, Quoted};

/// Why a type with these parameters does not exist.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum TypeError {
    /// The precision of a decimal type is less than 1 or more than its width holds.
    #[error("the decimal precision is {found}; allowed: 1 to {max}")]
    PrecisionOutOfRange {
        /// The precision that was asked for.
        found: i32,
        /// The largest precision of the width.
        max: u8,
    },
    /// The size of a fixed-size type is negative or above `i32::MAX`.
    #[error("the fixed size is {found}; allowed: 0 to {}", i32::MAX)]
    SizeOutOfRange {
        /// The size that was asked for.
        found: i64,
    },
    /// The entries of a map are not a struct of two fields.
    #[error("map entries must be a struct of a key and a value, found {found}")]
    MapEntries {
        /// The type of the entries.
        found: DataType,
    },
    /// A union has more children than there are type ids.
    #[error("a union has at most 128 children, found {found}")]
    UnionChildren {
        /// The number of children.
        found: usize,
    },
    /// A union has not exactly one type id for each child.
    #[error("a union has one type id for each child, found {n_type_ids} for {n_fields} children")]
    UnionTypeIdCount {
        /// The number of children.
        n_fields: usize,
        /// The number of type ids.
        n_type_ids: usize,
    },
    /// A type id of a union is negative.
    #[error("the union type id is {found}; allowed: 0 to 127")]
    UnionTypeId {
        /// The type id.
        found: i8,
    },
    /// Two children of a union have the same type id.
    #[error("union type id {type_id} belongs to more than one child")]
    UnionTypeIdRepeated {
        /// The type id.
        type_id: i8,
    },
    /// The index of a dictionary is not an integer.
    #[error("dictionary indices must be integers, found {found}")]
    DictionaryIndex {
        /// The type of the index.
        found: DataType,
    },
    /// The value type of a dictionary is a dictionary itself.
    #[error(
        "the value type of a dictionary cannot be a dictionary itself, found {found}; the format has no field to declare it"
    )]
    DictionaryOfDictionary {
        /// The value type.
        found: DataType,
    },
    /// The run ends of a run-end encoded type are of a wrong type.
    #[error("run ends must be int16, int32 or int64, found {found}")]
    RunEnds {
        /// The type of the run ends.
        found: DataType,
    },
    /// A type was given a number of children that it does not take.
    #[error("expected {expected} children of {kind}, found {found}")]
    ChildCount {
        /// The name of the kind of type.
        kind: &'static str,
        /// How many children the kind takes.
        expected: usize,
        /// How many were given.
        found: usize,
    },
}

/// Why a field was not found.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum LookupError {
    /// No field has this name.
    #[error("no field is named {}", Quoted(name))]
    Missing {
        /// The name that was looked for.
        name: Arc<str>,
    },
    /// Several fields have this name; use positions instead.
    #[error("{n_matches} fields are named {}", Quoted(name))]
    Ambiguous {
        /// The name that was looked for.
        name: Arc<str>,
        /// How many fields have it.
        n_matches: usize,
    },
    /// There is no field at this position.
    #[error("field {position} is out of bounds; the number of fields is {n_fields}")]
    OutOfRange {
        /// The position that was looked for, counted from 0.
        position: usize,
        /// How many fields there are.
        n_fields: usize,
    },
    /// The text is not what any path prints as.
    #[error("malformed path: {0}")]
    NoPath(ParseError),
    /// The step into a dictionary leads on from what is not dictionary-encoded.
    #[error("the field is not dictionary-encoded")]
    NoDictionary,
    /// The field was looked for below a column.
    #[error("in {path}: {error}")]
    Within {
        /// What was found of the path.
        path: FieldPath,
        /// Why it does not go on from there.
        error: Box<LookupError>,
    },
}

impl From<ParseError> for LookupError {
    fn from(error: ParseError) -> Self {
        Self::NoPath(error)
    }
}
