//! The causes of errors in the format.

use std::fmt;

use arrow_data::DataError;
use arrow_schema::{DataType, TypeError};

use super::{ErrorClass, FlatbufferError, UnsupportedPart};
use crate::protocol::MessageKind;

/// The cause of a [`FormatError`](super::FormatError), with the value that was found and the values that are allowed.
#[derive(Debug)]
#[non_exhaustive]
#[allow(missing_docs)] // of the fields: the messages name them
pub enum FormatErrorKind {
    /// The input ends too early.
    Truncated { what: &'static str, needed: u64, available: u64 },
    /// A length or count in the input exceeds one of the [`Limits`](crate::Limits), or is too large for an input of this
    /// length.
    LimitExceeded { what: &'static str, requested: u64, limit: u64 },
    /// A schema has more fields, including nested fields, than the limit allows. `found` is `None` if counting ended at
    /// the limit.
    TooManyFields { found: Option<u64>, limit: u64 },
    /// The input uses a part of the format that this library does not support.
    Unsupported { what: UnsupportedPart },
    /// The metadata does not follow the flatbuffer schema of the format.
    Flatbuffer(FlatbufferError),
    /// The length in a message's prefix is negative.
    MetadataLength { found: i32 },
    /// A name, a time zone or custom metadata is not UTF-8, and reading is strict.
    NotUtf8 { what: &'static str },
    /// The input lacks something that the format requires. `what` is its name.
    Missing { what: &'static str },
    /// A count, length or position in the metadata is negative.
    Negative { what: &'static str, found: i64 },
    /// A number in the metadata is outside the allowed range.
    OutOfRange { what: &'static str, found: i64, allowed: &'static str },
    /// A message has another kind than expected.
    UnexpectedMessage { expected: &'static str, found: MessageKind },
    /// The range of a buffer exceeds the body.
    BufferOutOfBody { start: i64, n_bytes: i64, body_bytes: u64 },
    /// The body of a message is longer than its metadata states.
    BodyLength { stated: u64, found: u64 },
    /// The number of field nodes in a batch does not fit the schema.
    NodeCount { expected: u64, found: u64 },
    /// The number of buffers in a batch does not fit the schema.
    BufferCount { expected: u64, found: u64 },
    /// The number of variadic buffer counts in a batch does not fit the schema.
    VariadicCount { expected: u64, found: u64 },
    /// A view column declares more data buffers than the batch has.
    VariadicBuffers { count: u64, n_buffers: u64 },
    /// A field does not have the number of children that its type requires.
    ChildCount { data_type: &'static str, expected: &'static str, found: usize },
    /// Types nest deeper than [`max_depth`](crate::Limits::max_depth) allows.
    TooDeep { limit: usize },
    /// The parameters of a type contradict each other.
    Type(TypeError),
    /// The number of dictionary ids differs from the number that the [`IpcSchema`](crate::IpcSchema) needs.
    DictionaryIds { needed: usize, requested: usize },
    /// The alignment is not a power of two, or is too small or too large.
    Alignment { requested: usize, max: usize },
    /// The number of buffers in a batch of metadata V5 says that unions have a validity bitmap, which they have only in
    /// V4.
    UnionValidity { expected: u64, found: u64 },
    /// The validity buffer of a null column, a union or runs is not empty. Some versions of other writers write an empty
    /// one.
    ExtraValidity { found: u64 },
    /// No field of the schema has the dictionary id.
    UnknownDictionary { id: i64 },
    /// The values of a dictionary contain indices into the same dictionary.
    CyclicDictionary { id: i64 },
    /// Fields share a dictionary id, but not the type of the dictionary values.
    SharedDictionaryType { id: i64, first: DataType, second: DataType },
    /// Fields share a dictionary id, but the dictionaries inside their values have different ids.
    SharedDictionaryInner { id: i64 },
    /// The header of a batch describes buffers that are not a valid array.
    Data(DataError),
    /// An invariant of this library does not hold. Please report it.
    Internal { what: &'static str },
}

impl FormatErrorKind {
    /// The class of the cause.
    pub fn class(&self) -> ErrorClass {
        use FormatErrorKind::*;
        match self {
            Truncated { .. } => ErrorClass::Truncated,
            LimitExceeded { .. } | TooManyFields { .. } | TooDeep { .. } => ErrorClass::LimitExceeded,
            Unsupported { .. } => ErrorClass::Unsupported,
            DictionaryIds { .. } | Alignment { .. } => ErrorClass::Misuse,
            Internal { .. } => ErrorClass::Internal,
            Flatbuffer(_)
            | MetadataLength { .. }
            | NotUtf8 { .. }
            | Missing { .. }
            | Negative { .. }
            | OutOfRange { .. }
            | UnexpectedMessage { .. }
            | BufferOutOfBody { .. }
            | BodyLength { .. }
            | NodeCount { .. }
            | BufferCount { .. }
            | VariadicCount { .. }
            | VariadicBuffers { .. }
            | ChildCount { .. }
            | UnionValidity { .. }
            | ExtraValidity { .. }
            | UnknownDictionary { .. }
            | CyclicDictionary { .. }
            | SharedDictionaryType { .. }
            | SharedDictionaryInner { .. }
            | Data(_)
            | Type(_) => ErrorClass::Malformed,
        }
    }
}

impl fmt::Display for FormatErrorKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            FormatErrorKind::Truncated { what, needed, available } => {
                write!(f, "the {what} is truncated: {available} of {needed} bytes")
            }
            FormatErrorKind::LimitExceeded { what, requested, limit } => {
                write!(f, "{requested} {what} exceed the limit of {limit}")
            }
            FormatErrorKind::TooManyFields { found: Some(found), limit } => {
                write!(f, "{found} fields exceed the limit of {limit}")
            }
            FormatErrorKind::TooManyFields { found: None, limit } => {
                let least = limit.saturating_add(1);
                write!(f, "{least} or more fields exceed the limit of {limit}")
            }
            FormatErrorKind::Unsupported { what } => write!(f, "unsupported {what}"),
            FormatErrorKind::Flatbuffer(error) => write!(f, "malformed metadata: {error}"),
            FormatErrorKind::MetadataLength { found } => {
                write!(f, "the length of the metadata is {found}, which is negative")
            }
            FormatErrorKind::NotUtf8 { what } => write!(f, "{what} is not UTF-8"),
            FormatErrorKind::Missing { what } => write!(f, "{what} is missing"),
            FormatErrorKind::Negative { what, found } => write!(f, "{what} is {found}, which is negative"),
            FormatErrorKind::OutOfRange { what, found, allowed } => {
                write!(f, "{what} is {found}; allowed: {allowed}")
            }
            FormatErrorKind::UnexpectedMessage { expected, found } => {
                write!(f, "expected {expected}, found a {found} message")
            }
            FormatErrorKind::BufferOutOfBody { start, n_bytes, body_bytes } => write!(
                f,
                "the buffer of {n_bytes} bytes at offset {start} is out of bounds of the body of {body_bytes} bytes"
            ),
            FormatErrorKind::BodyLength { stated, found } => {
                write!(f, "the body has {found} bytes; the metadata states {stated}")
            }
            FormatErrorKind::NodeCount { expected, found } => {
                write!(f, "the message lists {found} field nodes; the schema needs {expected}")
            }
            FormatErrorKind::BufferCount { expected, found } => {
                write!(f, "the message lists {found} buffers; the schema needs {expected}")
            }
            FormatErrorKind::VariadicCount { expected, found } => {
                write!(f, "the message lists {found} variadic buffer counts; the schema needs {expected}")
            }
            FormatErrorKind::VariadicBuffers { count, n_buffers } => {
                write!(f, "the variadic buffer count is {count}; the message lists {n_buffers} buffers")
            }
            FormatErrorKind::ChildCount { data_type, expected, found } => {
                write!(f, "the type {data_type} takes {expected}; the field has {found}")
            }
            FormatErrorKind::TooDeep { limit } => {
                write!(f, "types nest deeper than the limit of {limit} levels")
            }
            FormatErrorKind::Type(error) => write!(f, "malformed type: {error}"),
            FormatErrorKind::DictionaryIds { needed, requested } => {
                write!(f, "got {requested} dictionary ids for {needed} dictionary-encoded fields")
            }
            FormatErrorKind::Alignment { requested, max } => write!(
                f,
                "bodies cannot be aligned to {requested} bytes; powers of two from 8 to {max} are allowed"
            ),
            FormatErrorKind::Data(error) => fmt::Display::fmt(error, f),
            FormatErrorKind::UnionValidity { expected, found } => write!(
                f,
                "the message lists {found} buffers; the schema needs {expected}: unions have a validity bitmap, as before metadata V5"
            ),
            FormatErrorKind::ExtraValidity { found } => write!(
                f,
                "the buffer has {found} bytes; it must be empty, because the type has no validity bitmap"
            ),
            FormatErrorKind::UnknownDictionary { id } => {
                write!(f, "no field of the schema has the dictionary id {id}")
            }
            FormatErrorKind::CyclicDictionary { id } => {
                write!(f, "the dictionary with id {id} contains itself")
            }
            FormatErrorKind::SharedDictionaryType { id, first, second } => {
                write!(f, "the dictionary with id {id} is shared by fields of {first} and of {second}")
            }
            FormatErrorKind::SharedDictionaryInner { id } => write!(
                f,
                "fields that share the dictionary with id {id} have different ids for the dictionaries inside it"
            ),
            FormatErrorKind::Internal { what } => write!(f, "internal error: {what}; please report it"),
        }
    }
}

impl std::error::Error for FormatErrorKind {}
