//! What can go wrong with a stream or file, and where.

use std::{fmt, io, path::PathBuf};

use arrow_buffer::SliceError;
use arrow_data::{DataError, Role};
use arrow_schema::{DataType, FieldPath, LookupError, SchemaDifference, TypeError};

use crate::{detect::Container, message::MessageKind};

/// The result of reading or writing.
pub type Result<T> = std::result::Result<T, IpcError>;

/// Why reading or writing failed, and where.
///
/// ```
/// use arrow_buffer::Buffer;
/// use arrow_ipc::{ErrorClass, FileReader};
///
/// let error = FileReader::from_buffer(Buffer::from_static(b"not an Arrow file")).unwrap_err();
/// assert_eq!(error.class(), ErrorClass::Malformed);
/// ```
#[derive(Debug)]
pub struct IpcError(Box<Inner>);

#[derive(Debug)]
struct Inner {
    at: Location,
    kind: IpcErrorKind,
}

/// Where in a stream or file an error is; every part is filled in by the layer that knows it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Location {
    message: Option<u64>,
    byte_offset: Option<u64>,
    field: Option<FieldPath>,
    buffer: Option<(u64, Option<Role>)>,
}

/// What a caller can do about an error.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ErrorClass {
    /// The source or sink failed: no such file, disk full, connection lost.
    Io,
    /// The input ends too early; more bytes may help.
    Truncated,
    /// The input breaks a rule of the format.
    Malformed,
    /// The input asks for more than the [`Limits`](crate::Limits) allow.
    LimitExceeded,
    /// The input uses a part of the format that is not supported here.
    Unsupported,
    /// The caller broke a rule of this library.
    Misuse,
}

/// The cause of an [`IpcError`], with what was found and what is allowed.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
#[allow(missing_docs)] // the fields say what the message says
pub enum IpcErrorKind {
    #[error("reading or writing failed: {0}")]
    Io(#[source] io::Error),
    #[error("`{}` cannot be opened: {error}", path.display())]
    Open { path: PathBuf, error: io::Error },
    #[error("the input ends after {available} of {needed} bytes of the {what}")]
    Truncated { what: &'static str, needed: u64, available: u64 },
    #[error("{what} would need {requested}, the limit is {limit}")]
    LimitExceeded { what: &'static str, requested: u64, limit: u64 },
    #[error("{what} is not supported")]
    Unsupported { what: Unsupported },
    #[error("this is {found}, not {expected}")]
    WrongContainer { expected: &'static str, found: Container },

    #[error("the metadata is malformed: {0}")]
    Flatbuffer(#[source] planus::Error),
    #[error("a metadata length of {found} bytes")]
    MetadataLength { found: i32 },
    #[error("{what} is missing")]
    Missing { what: &'static str },
    #[error("{what} is {found}, below zero")]
    Negative { what: &'static str, found: i64 },
    #[error("{what} is {found}, allowed are {allowed}")]
    OutOfRange { what: &'static str, found: i64, allowed: &'static str },
    #[error("a message of kind {found} where {expected} is needed")]
    UnexpectedMessage { expected: &'static str, found: MessageKind },
    #[error("a second schema message")]
    SecondSchema,
    #[error("the buffer at {start} with {n_bytes} bytes lies outside of the body of {body_bytes} bytes")]
    BufferOutOfBody { start: i64, n_bytes: i64, body_bytes: u64 },
    #[error("the schema needs {expected} field nodes, the message lists {found}")]
    NodeCount { expected: u64, found: u64 },
    #[error("the schema needs {expected} buffers, the message lists {found}")]
    BufferCount { expected: u64, found: u64 },
    #[error("the schema needs {expected} variadic buffer counts, the message lists {found}")]
    VariadicCount { expected: u64, found: u64 },
    #[error("{n_nulls} nulls in {n_slots} slots")]
    NullCount { n_nulls: i64, n_slots: u64 },
    #[error("the type {data_type} takes {expected} children, the field has {found}")]
    ChildCount { data_type: &'static str, expected: &'static str, found: usize },
    #[error("the types nest deeper than {limit} levels")]
    TooDeep { limit: usize },
    #[error("the type is malformed: {0}")]
    Type(#[source] TypeError),
    #[error("the stream has no dictionary for id {id}")]
    UnknownDictionary { id: i64 },
    #[error("the dictionary with id {id} is used before it is defined")]
    MissingDictionary { id: i64 },
    #[error("the dictionary with id {id} contains itself")]
    CyclicDictionary { id: i64 },
    #[error("the dictionary with id {id} is shared by fields of the types {first} and {second}")]
    SharedDictionaryType { id: i64, first: DataType, second: DataType },
    #[error("a second dictionary with id {id}, which a file may define once")]
    SecondDictionary { id: i64 },
    #[error("a dictionary batch of {found} columns")]
    DictionaryColumns { found: u64 },

    #[error("the {what} is missing: found {found:?}")]
    Magic { what: &'static str, found: Vec<u8> },
    #[error("a footer of {found} bytes does not fit a file of {file_bytes}")]
    FooterLength { found: i64, file_bytes: u64 },
    #[error(
        "block {block_idx} of the footer at {offset} with {metadata_bytes} and {body_bytes} bytes lies outside of the file's messages"
    )]
    BlockOutOfFile { block_idx: usize, offset: i64, metadata_bytes: i32, body_bytes: i64 },
    #[error("the footer says that {what} has {footer} bytes, the message says {message}")]
    BlockMismatch { what: &'static str, footer: u64, message: u64 },
    #[error("batch {batch_idx} of a file with {n_batches}")]
    NoSuchBatch { batch_idx: usize, n_batches: usize },

    #[error(transparent)]
    Data(DataError),
    #[error(transparent)]
    Lookup(LookupError),
    #[error("the batch does not fit the schema: {0}")]
    Schema(#[source] SchemaDifference),
    #[error("{requested} dictionary ids for {needed} dictionary-encoded fields")]
    DictionaryIds { needed: usize, requested: usize },
    #[error("an earlier call failed; the state of this {what} is lost")]
    AlreadyFailed { what: &'static str },
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
    /// Another kind of dictionary than a dense array.
    DictionaryKind,
    /// Flags in the schema's `features` that are not known.
    Feature {
        /// The number on the wire.
        found: i64,
    },
    /// A part named by these words.
    Part(&'static str),
}

impl IpcError {
    /// Where it is.
    pub fn location(&self) -> &Location {
        &self.0.at
    }

    /// The cause.
    pub fn kind(&self) -> &IpcErrorKind {
        &self.0.kind
    }

    /// What a caller can do about it.
    pub fn class(&self) -> ErrorClass {
        use IpcErrorKind::*;
        match &self.0.kind {
            Io(_) | Open { .. } => ErrorClass::Io,
            Truncated { .. } => ErrorClass::Truncated,
            LimitExceeded { .. } | TooDeep { .. } => ErrorClass::LimitExceeded,
            Unsupported { .. } => ErrorClass::Unsupported,
            WrongContainer { found: Container::FeatherV1 | Container::Parquet, .. } => {
                ErrorClass::Unsupported
            }
            NoSuchBatch { .. }
            | Lookup(_)
            | Schema(_)
            | DictionaryIds { .. }
            | AlreadyFailed { .. }
            | AlreadyFinished { .. } => ErrorClass::Misuse,
            WrongContainer { .. }
            | Flatbuffer(_)
            | MetadataLength { .. }
            | Missing { .. }
            | Negative { .. }
            | OutOfRange { .. }
            | UnexpectedMessage { .. }
            | SecondSchema
            | BufferOutOfBody { .. }
            | NodeCount { .. }
            | BufferCount { .. }
            | VariadicCount { .. }
            | NullCount { .. }
            | ChildCount { .. }
            | Type(_)
            | UnknownDictionary { .. }
            | MissingDictionary { .. }
            | CyclicDictionary { .. }
            | SharedDictionaryType { .. }
            | SecondDictionary { .. }
            | DictionaryColumns { .. }
            | Magic { .. }
            | FooterLength { .. }
            | BlockOutOfFile { .. }
            | BlockMismatch { .. }
            | Data(_) => ErrorClass::Malformed,
        }
    }
}

impl Location {
    /// The message, counting the first one of the stream or file as 0. For a batch read by its block in a
    /// footer this is not known.
    pub fn message(&self) -> Option<u64> {
        self.message
    }

    /// The position of that message's first byte in the stream or file.
    pub fn byte_offset(&self) -> Option<u64> {
        self.byte_offset
    }

    /// The field.
    pub fn field(&self) -> Option<&FieldPath> {
        self.field.as_ref()
    }

    /// The position of the buffer in the message's list, and its role.
    pub fn buffer(&self) -> Option<(u64, Option<Role>)> {
        self.buffer
    }
}

impl fmt::Display for Location {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut separator = "";
        if let Some(message) = self.message {
            write!(f, "message {message}")?;
            separator = " ";
        }
        if let Some(byte_offset) = self.byte_offset {
            write!(f, "{separator}at byte {byte_offset}")?;
            separator = ", ";
        }
        if self.message.is_some() {
            separator = ", ";
        }
        if let Some(field) = &self.field {
            write!(f, "{separator}field `{field}`")?;
            separator = ", ";
        }
        if let Some((buffer_idx, role)) = self.buffer {
            write!(f, "{separator}buffer {buffer_idx}")?;
            if let Some(role) = role {
                write!(f, " ({role})")?;
            }
        }
        Ok(())
    }
}

impl fmt::Display for IpcError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // An error about data names the field itself.
        let at = match &self.0.kind {
            IpcErrorKind::Data(_) => Location { field: None, ..self.0.at.clone() },
            _ => self.0.at.clone(),
        };
        if at != Location::default() {
            write!(f, "{at}: ")?;
        }
        fmt::Display::fmt(&self.0.kind, f)
    }
}

// By hand: the message of `kind` is already in ours, so the chain goes on below it.
impl std::error::Error for IpcError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        std::error::Error::source(&self.0.kind)
    }
}

impl fmt::Display for Unsupported {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Unsupported::MetadataVersion { found } => {
                write!(f, "metadata version V{}", found.saturating_add(1))
            }
            Unsupported::TypeTag { found } => write!(f, "the type with number {found}"),
            Unsupported::MessageTag { found } => write!(f, "the message kind with number {found}"),
            Unsupported::DictionaryKind => f.write_str("a dictionary that is no dense array"),
            Unsupported::Feature { found } => write!(f, "the schema feature with number {found}"),
            Unsupported::Part(words) => f.write_str(words),
        }
    }
}

impl From<IpcErrorKind> for IpcError {
    fn from(kind: IpcErrorKind) -> IpcError {
        IpcError(Box::new(Inner { at: Location::default(), kind }))
    }
}

impl From<io::Error> for IpcError {
    fn from(error: io::Error) -> IpcError {
        IpcErrorKind::Io(error).into()
    }
}

impl From<DataError> for IpcError {
    fn from(error: DataError) -> IpcError {
        IpcErrorKind::Data(error).into()
    }
}

impl From<LookupError> for IpcError {
    fn from(error: LookupError) -> IpcError {
        IpcErrorKind::Lookup(error).into()
    }
}

impl From<TypeError> for IpcError {
    fn from(error: TypeError) -> IpcError {
        IpcErrorKind::Type(error).into()
    }
}

impl From<SliceError> for IpcError {
    fn from(error: SliceError) -> IpcError {
        let (needed, available) = (error.start.saturating_add(error.n_bytes), error.len as u64);
        IpcErrorKind::Truncated { what: "buffer", needed, available }.into()
    }
}

impl From<planus::Error> for IpcError {
    /// Numbers that a newer version of the format could have are unsupported, not malformed.
    fn from(error: planus::Error) -> IpcError {
        use planus::errors::ErrorKind;
        let unsupported = match (error.error_kind, error.source_location.type_, error.source_location.method)
        {
            (ErrorKind::UnknownEnumTag { source }, _, "version") => {
                Some(Unsupported::MetadataVersion { found: i64::try_from(source.tag).unwrap_or(i64::MAX) })
            }
            (ErrorKind::UnknownUnionTag { tag }, _, "type_") => {
                Some(Unsupported::TypeTag { found: tag.into() })
            }
            (ErrorKind::UnknownUnionTag { tag }, _, "header") => {
                Some(Unsupported::MessageTag { found: tag.into() })
            }
            (ErrorKind::UnknownEnumTag { .. }, _, "dictionary_kind") => Some(Unsupported::DictionaryKind),
            _ => None,
        };
        match unsupported {
            Some(what) => IpcErrorKind::Unsupported { what }.into(),
            None => IpcErrorKind::Flatbuffer(error).into(),
        }
    }
}

impl IpcErrorKind {
    /// An error about data says where below the field it is; joins the two.
    fn prefix_path(&mut self, prefix: FieldPath) -> FieldPath {
        match self {
            IpcErrorKind::Data(error) => {
                error.prefix_path(&prefix);
                error.path().clone()
            }
            _ => prefix,
        }
    }
}

/// Adds what the current layer knows; never overwrites what an inner layer said.
pub(crate) trait Context<T> {
    fn in_buffer(self, buffer_idx: usize, role: Option<Role>) -> Result<T>;
    fn in_field(self, path: impl FnOnce() -> FieldPath) -> Result<T>;
    fn in_message(self, index: u64, byte_offset: u64) -> Result<T>;
    fn at_byte(self, byte_offset: u64) -> Result<T>;
}

impl<T, E: Into<IpcError>> Context<T> for std::result::Result<T, E> {
    fn in_buffer(self, buffer_idx: usize, role: Option<Role>) -> Result<T> {
        self.map_err(|error| {
            let mut error = error.into();
            error.0.at.buffer.get_or_insert((buffer_idx as u64, role));
            error
        })
    }

    fn in_field(self, path: impl FnOnce() -> FieldPath) -> Result<T> {
        self.map_err(|error| {
            let mut error = error.into();
            if error.0.at.field.is_none() {
                let path = error.0.kind.prefix_path(path());
                error.0.at.field = Some(path);
            }
            error
        })
    }

    fn in_message(self, index: u64, byte_offset: u64) -> Result<T> {
        self.map_err(|error| {
            let mut error = error.into();
            error.0.at.message.get_or_insert(index);
            error.0.at.byte_offset.get_or_insert(byte_offset);
            error
        })
    }

    fn at_byte(self, byte_offset: u64) -> Result<T> {
        self.map_err(|error| {
            let mut error = error.into();
            error.0.at.byte_offset.get_or_insert(byte_offset);
            error
        })
    }
}
