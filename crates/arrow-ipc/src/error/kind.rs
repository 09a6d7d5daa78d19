//! The causes of errors: one variant for each, with what was found and what is allowed.

use std::{fmt, io, path::PathBuf};

use arrow_data::DataError;
use arrow_schema::{DataType, FieldPath, LookupError, SchemaDifference, TypeError};

use super::{BlockIndex, FlatbufferError, FrameError, TensorError};
use crate::{
    detect::Container,
    protocol::{Codec, MessageKind, MetadataVersion},
};

/// The cause of an [`IpcError`](super::IpcError), with what was found and what is allowed.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
#[allow(missing_docs)] // of the fields: their names stand in the messages
pub enum IpcErrorKind {
    /// The source or sink failed.
    #[error("reading or writing failed: {0}")]
    Io(io::Error),
    /// A file could not be opened or made.
    #[error("`{}` cannot be opened: {error}", path.display())]
    Open { path: PathBuf, error: io::Error },
    /// The input ends too early.
    #[error("the input ends after {available} of {needed} bytes of the {what}")]
    Truncated { what: &'static str, needed: u64, available: u64 },
    /// A limit, or an account in proportion to the input, does not suffice. See [`Limits`](crate::Limits).
    #[error("{requested} {what} are asked for, the limit is {limit}")]
    LimitExceeded { what: &'static str, requested: u64, limit: u64 },
    /// The input is right, as far as it was looked at, but uses a part of the format that is not read.
    #[error("{what} is not supported")]
    Unsupported { what: Unsupported },
    /// A file where a stream is needed, the other way round, or neither.
    #[error("this is {found}, not {expected}")]
    WrongContainer { expected: &'static str, found: Container },

    /// The bytes of the metadata are no flatbuffer of the format's schema.
    #[error("the metadata is malformed: {0}")]
    Flatbuffer(FlatbufferError),
    /// The length in a message's prefix is negative.
    #[error("the length of the metadata is {found}, below zero")]
    MetadataLength { found: i32 },
    /// The metadata lacks a part that the format demands.
    #[error("{what} is missing")]
    Missing { what: &'static str },
    /// A count, length or position in the metadata is negative.
    #[error("{what} is {found}, below zero")]
    Negative { what: &'static str, found: i64 },
    /// A number in the metadata has a value that means nothing there.
    #[error("{what} is {found}, allowed are {allowed}")]
    OutOfRange { what: &'static str, found: i64, allowed: &'static str },
    /// A message of another kind than is due.
    #[error("this is a message of kind {found}, where {expected} is needed")]
    UnexpectedMessage { expected: &'static str, found: MessageKind },
    /// A stream begins anew without an end before it.
    #[error("this is a second schema message, and a stream has one")]
    SecondSchema,
    /// The metadata names bytes that the body does not have.
    #[error("the buffer at {start} with {n_bytes} bytes lies outside of the body of {body_bytes} bytes")]
    BufferOutOfBody { start: i64, n_bytes: i64, body_bytes: u64 },
    /// A buffer of a compressed body is too short for the length that stands before each.
    #[error("a buffer of {found} bytes in a compressed body, which has no room for the length before it")]
    CompressedLength { found: u64 },
    /// A compressed buffer cannot be decompressed.
    #[error("the {codec} frame {error}")]
    Frame { codec: Codec, error: FrameError },
    /// The batch is not one of this schema: it has another number of fields.
    #[error("the schema needs {expected} field nodes, the message lists {found}")]
    NodeCount { expected: u64, found: u64 },
    /// The batch is not one of this schema: it has another number of buffers.
    #[error("the schema needs {expected} buffers, the message lists {found}")]
    BufferCount { expected: u64, found: u64 },
    /// The batch is not one of this schema: it has another number of view columns.
    #[error("the schema needs {expected} variadic buffer counts, the message lists {found}")]
    VariadicCount { expected: u64, found: u64 },
    /// A view column claims more data buffers than the batch has.
    #[error("a variadic buffer count is {count}, the message lists {n_buffers} buffers")]
    VariadicBuffers { count: u64, n_buffers: u64 },
    /// A field has another number of children than its type takes.
    #[error("the type {data_type} takes {expected}, the field has {found}")]
    ChildCount { data_type: &'static str, expected: &'static str, found: usize },
    /// Types nest deeper than [`max_depth`](crate::Limits::max_depth) allows.
    #[error("the types nest deeper than {limit} levels")]
    TooDeep { limit: usize },
    /// The parameters of a type contradict each other.
    #[error("the type is malformed: {0}")]
    Type(TypeError),
    /// A dictionary batch has an id that no field of the schema has.
    #[error("the stream has no dictionary for id {id}")]
    UnknownDictionary { id: i64 },
    /// A batch has an index into a dictionary that has not come yet.
    #[error("the dictionary with id {id} has not been defined before this use")]
    MissingDictionary { id: i64 },
    /// Reading: columns are selected that need a dictionary which came while none of the selected columns needed it.
    #[error("the dictionary with id {id} came when no selected column needed it, and has not been read")]
    PassedOverDictionary { id: i64 },
    /// Values are added to a dictionary that has not come yet, or that the footer lists behind them.
    #[error("the delta adds to the dictionary with id {id}, which has not been defined before it")]
    DeltaOfMissing { id: i64 },
    /// The values of a dictionary are encoded by the dictionary itself.
    #[error("the dictionary with id {id} contains itself")]
    CyclicDictionary { id: i64 },
    /// Fields that say that they share a dictionary differ in the type of its values.
    #[error("the dictionary with id {id} is shared by fields of the types {first} and {second}")]
    SharedDictionaryType { id: i64, first: DataType, second: DataType },
    /// Fields that say that they share a dictionary differ in the dictionaries inside of it.
    #[error("fields that share the dictionary with id {id} disagree on the ids of those inside of it")]
    SharedDictionaryInner { id: i64 },
    /// Writing: a batch has two dictionaries for the same id.
    #[error(
        "fields that share the dictionary with id {id} hold different ones; the policies `Delta` and `Unify` join them"
    )]
    SharedDictionaryValues { id: i64 },
    /// Writing: a batch of a file has another dictionary than those before it.
    #[error(
        "the dictionary with id {id} is not the one written before; a file has one for all its batches, \
         which the policy `Delta` adds to, and `Unify` makes of all"
    )]
    ReplacedDictionary { id: i64 },
    /// Writing: a batch has another dictionary than those before it, and [`DictionaryPolicy::Error`] says that none
    /// changes.
    ///
    /// [`DictionaryPolicy::Error`]: crate::DictionaryPolicy::Error
    #[error("the dictionary with id {id} is not the one written before, and the policy is `Error`")]
    ChangedDictionary { id: i64 },
    /// Writing: a batch has values that no batch had when dictionaries were unified.
    #[error("the dictionary with id {id} has values that are not among the unified ones")]
    NotUnified { id: i64 },
    /// Reading: the footer of a file lists two dictionaries of the same id.
    #[error("this is a second dictionary with id {id}, and a file defines each once")]
    SecondDictionary { id: i64 },
    /// A dictionary batch, which is one column of values, declares none or several.
    #[error("the dictionary batch has {found} columns instead of one")]
    DictionaryColumns { found: u64 },

    /// The end of a file is missing, or something follows it.
    #[error(
        "the file begins as an Arrow file and does not end as one: found \"{}\" instead of the magic",
        found.escape_ascii()
    )]
    EndMagic { found: Vec<u8> },
    /// The footer would begin before the file does, or is empty.
    #[error("a footer of {found} bytes does not fit a file of {file_bytes}")]
    FooterLength { found: i64, file_bytes: u64 },
    /// The footer lists a message that is not between the magic and the footer.
    #[error(
        "the block of {block} at {offset} with {metadata_bytes} and {body_bytes} bytes lies outside of the file's messages"
    )]
    BlockOutOfFile { block: BlockIndex, offset: i64, metadata_bytes: i32, body_bytes: i64 },
    /// The footer lists the same bytes more than once.
    #[error("the footer's blocks have {n_bytes} bytes in a file with room for {n_available}")]
    BlocksOverlap { n_bytes: u64, n_available: u64 },
    /// The footer and a message differ about the message's size.
    #[error("the footer says that {what} has {footer} bytes, the message says {message}")]
    BlockMismatch { what: &'static str, footer: u64, message: u64 },
    /// The caller asks for rows that the batch does not have.
    #[error("there are no rows {start}..{end}, the batch has {n_rows}")]
    NoSuchRows { start: u64, end: u64, n_rows: u64 },
    /// The caller provides other bytes of a file than those of the range.
    #[error("{found} bytes were provided for the range {start}..{end} of a file of {file_bytes} bytes")]
    ProvidedRange { start: u64, end: u64, found: u64, file_bytes: u64 },
    /// A source gives another number of buffers than it was asked for ranges.
    #[error("the source was asked for {expected} ranges and gave {found}")]
    FetchedRanges { expected: u64, found: u64 },
    /// The caller asks for a batch that the file does not have.
    #[error("there is no batch {batch_idx}, the file has {n_batches}")]
    NoSuchBatch { batch_idx: usize, n_batches: usize },

    /// The buffers of a batch make no array, or its content is not valid.
    #[error(transparent)]
    Data(DataError),
    /// The parts of a tensor do not fit together, or its content is not valid.
    #[error("the tensor is malformed: {0}")]
    Tensor(TensorError),
    /// No column has the name or position that was asked for, or several have.
    #[error(transparent)]
    Lookup(LookupError),
    /// A path of a projection leads into a field of which nothing can be left out.
    #[error("the path {path} leads into {kind}, which is only taken whole")]
    TakenWhole { path: FieldPath, kind: &'static str },
    /// Writing: a batch has another schema than the stream or file.
    #[error("the batch does not fit the schema: {0}")]
    Schema(SchemaDifference),
    /// Writing: the metadata version of the options has no place for this.
    #[error("metadata version {version} cannot carry {what}")]
    NotInVersion { what: &'static str, version: MetadataVersion },
    /// The caller gives another number of ids than [`IpcSchema`](crate::IpcSchema) needs.
    #[error("{requested} dictionary ids for {needed} dictionary-encoded fields")]
    DictionaryIds { needed: usize, requested: usize },
    /// Writing: a codec has no such level.
    #[error("{codec} has no level {level}{}", show_levels(*.levels))]
    CompressionLevel { codec: Codec, level: i32, levels: Option<(i32, i32)> },
    /// The caller goes on after an error.
    #[error("an earlier call failed; the state of this {what} is lost")]
    AlreadyFailed { what: &'static str },
    /// The caller asks for an alignment that messages cannot have.
    #[error("bodies cannot be aligned to {requested} bytes; powers of two from 8 to {max} are allowed")]
    Alignment { requested: usize, max: usize },
    /// An invariant of this library does not hold; nothing was written that depends on it. Please report it.
    #[error("internal error: {what}; please report it")]
    Internal { what: &'static str },
    /// The caller writes after the end.
    #[error("{what} after the end has been written")]
    AlreadyFinished { what: &'static str },
}

/// A part of the format that is refused by name.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Unsupported {
    /// A metadata version before V4 or after V5.
    MetadataVersion {
        /// The number on the wire: 0 is V1.
        found: i64,
    },
    /// A type that this version of the format does not know.
    TypeTag {
        /// The number on the wire.
        found: i64,
    },
    /// A message kind that this version of the format does not know.
    MessageTag {
        /// The number on the wire.
        found: i64,
    },
    /// Another value of an enumeration (unit, precision, codec, byte order …) than those that are known.
    EnumValue {
        /// The name of the metadata's field.
        what: &'static str,
        /// The number on the wire.
        found: i64,
    },
    /// Flags in the schema's `features` that are not known.
    Feature {
        /// The number on the wire.
        found: i64,
    },
    /// A part named by these words.
    Part(&'static str),
}

fn show_levels(levels: Option<(i32, i32)>) -> String {
    levels.map_or_else(String::new, |(least, most)| format!(", only those from {least} to {most}"))
}

impl IpcErrorKind {
    /// An error about data says where below the field it is; joins the two.
    pub(super) fn prefix_path(&mut self, prefix: FieldPath) -> FieldPath {
        let IpcErrorKind::Data(error) = self else { return prefix };
        error.prefix_path(&prefix);
        error.path().clone()
    }
}

impl fmt::Display for Unsupported {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Unsupported::MetadataVersion { found } if *found < 0 => {
                write!(f, "the metadata version with number {found}")
            }
            Unsupported::MetadataVersion { found } => {
                write!(f, "metadata version V{}", found.saturating_add(1))
            }
            Unsupported::TypeTag { found } => write!(f, "the type with number {found}"),
            Unsupported::MessageTag { found } => write!(f, "the message kind with number {found}"),
            Unsupported::EnumValue { what, found } => write!(f, "`{what}` {found} in the metadata"),
            Unsupported::Feature { found } => write!(f, "the schema feature with number {found}"),
            Unsupported::Part(words) => f.write_str(words),
        }
    }
}
