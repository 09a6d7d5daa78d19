//! What can be wrong with structures of others, or keeps an array from being exported.

use std::fmt;

use arrow_data::{DataError, DataErrorKind, Role};
use arrow_schema::{DataType, FieldPath, PathStep, TypeError};

/// Why a structure was refused, or could not be made: the field that it is about, and the cause.
#[derive(Debug, Clone, PartialEq)]
pub struct CDataError(Box<Inner>);

#[derive(Debug, Clone, PartialEq)]
struct Inner {
    path: FieldPath,
    kind: CDataErrorKind,
}

/// The structures of the interfaces.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[allow(missing_docs)] // they are called as in C
pub enum Structure {
    ArrowSchema,
    ArrowArray,
    ArrowArrayStream,
    ArrowDeviceArray,
    ArrowDeviceArrayStream,
}

/// The cause of a [`CDataError`], with what was found and what is allowed.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
#[allow(missing_docs)] // of the fields: the messages name them
pub enum CDataErrorKind {
    /// The structure has no release callback: it was released, moved, or never filled.
    #[error("the {structure} is released")]
    Released { structure: Structure },
    /// A member that must not be null is.
    #[error("`{member}` of the {structure} is null")]
    NullMember { structure: Structure, member: &'static str },
    /// A buffer that holds something is null.
    #[error("the pointer to the buffer of {role} is null; it has at least {n_bytes} bytes")]
    NullBuffer { role: Role, n_bytes: u64 },
    /// A number that cannot be negative is.
    #[error("`{member}` is {found}, which is negative")]
    Negative { member: &'static str, found: i64 },
    /// A number of nulls that is negative, and not the −1 of one that was not counted.
    #[error("`null_count` is {found}; allowed: the number of nulls, or -1 where it is not known")]
    NullCount { found: i64 },
    /// Length and offset, or what they need in bytes, exceed what can be addressed.
    #[error("length {length} and offset {offset} need more bytes than can be addressed")]
    SizeOverflow { length: i64, offset: i64 },
    /// A type has another number of children.
    #[error("expected {expected} children, found {found}")]
    ChildCount { expected: usize, found: i64 },
    /// A type has another number of buffers.
    #[error("expected {expected} buffers, found {found}")]
    BufferCount { expected: usize, found: i64 },
    /// An array of views has at least validity, views and the lengths of the data buffers.
    #[error("expected at least {least} buffers, found {found}")]
    TooFewBuffers { least: usize, found: i64 },
    /// A child is shorter than its parent needs.
    #[error("the array has {found} slots; its parent needs {needed}")]
    ChildLength { needed: u64, found: i64 },
    /// A dictionary-encoded type without the array of its values.
    #[error("`dictionary` is null, but the type is dictionary-encoded")]
    MissingDictionary,
    /// A dictionary for a type that is not dictionary-encoded.
    #[error("`dictionary` is not null, but the type {data_type} is not dictionary-encoded")]
    UnexpectedDictionary { data_type: DataType },
    /// The values of a dictionary are dictionary-encoded themselves, which no type is.
    #[error("the values of a dictionary have a `dictionary` themselves, which no type has")]
    DictionaryOfDictionary,
    /// The last offset says how long the data is.
    #[error("the last offset is {found}, which is negative")]
    LastOffset { found: i64 },
    /// The length of a data buffer of views is negative.
    #[error("the length of data buffer {position} is {found}, which is negative")]
    VariadicLength { position: usize, found: i64 },

    /// A format string that the specification does not have.
    #[error("the format \"{}\" is no type of the C data interface", .format.escape_debug())]
    Format { format: String },
    /// A text that is not UTF-8.
    #[error("`{member}` is not UTF-8 at byte {valid_up_to}")]
    NotUtf8 { member: &'static str, valid_up_to: usize },
    /// A number of pairs, or the length of a key or value, that is negative.
    #[error("the metadata has {found} as the {what}, which is negative")]
    Metadata { what: &'static str, found: i32 },
    /// More metadata than is accepted.
    #[error("the metadata has more than {limit} bytes")]
    MetadataTooLong { limit: u64 },
    /// Types nested deeper than is accepted; a cycle is.
    #[error("types are nested deeper than {limit} levels")]
    TooDeep { limit: usize },
    /// More fields than are accepted.
    #[error("the schema has more than {limit} fields")]
    TooManyFields { limit: usize },
    /// A type with parameters that do not exist.
    #[error(transparent)]
    Type(#[from] TypeError),
    /// A schema of a record batch whose format is not that of a struct.
    #[error("a record batch is a struct, format \"+s\"; found {found}")]
    NotAStruct { found: DataType },
    /// The rows of a record batch cannot be null.
    #[error("{n_nulls} rows of the struct are null; a record batch has no null rows")]
    NullRows { n_nulls: u64 },

    /// What a string of C cannot hold, because it ends there.
    #[error("the {what} has a NUL at byte {position}, where a string of C ends")]
    Nul { what: &'static str, position: usize },
    /// An array with more slots, or metadata with more bytes, than the interface can count.
    #[error("{n} {what} exceed the {limit} that the interface can count")]
    TooLong { what: &'static str, n: u64, limit: u64 },

    /// A callback of a stream failed.
    #[error("the stream failed with error {code}{}", Text(.text))]
    Stream { code: i32, text: Option<String> },
    /// Memory of a device that is no CPU.
    #[error("the device type is {device_type}{}; only memory of the CPU, type 1, is read", Name(*.device_type))]
    Device { device_type: i32 },
    /// Something to wait for, where the CPU has nothing.
    #[error("`sync_event` is set, but memory of the CPU has no events")]
    SyncEvent,

    /// The structure or content of an array is wrong.
    #[error(transparent)]
    Data(DataError),
}

impl CDataError {
    /// The field it is about; empty for the structure itself.
    pub fn path(&self) -> &FieldPath {
        if let CDataErrorKind::Data(error) = &self.0.kind { error.path() } else { &self.0.path }
    }

    /// The cause.
    pub fn kind(&self) -> &CDataErrorKind {
        &self.0.kind
    }

    /// Says that what the error is about is below `step`.
    pub(crate) fn below(mut self, step: PathStep) -> CDataError {
        if let CDataErrorKind::Data(error) = &mut self.0.kind {
            error.prefix_path(&FieldPath::from_iter([step]));
        } else {
            self.0.path.prepend(step);
        }
        self
    }

    /// Says that it is about the child `name` at `position`, or something below that.
    pub(crate) fn in_child(self, position: usize, name: &str) -> CDataError {
        let position = u32::try_from(position).unwrap_or(u32::MAX);
        self.below(PathStep::Child { position, name: name.into() })
    }
}

impl From<CDataErrorKind> for CDataError {
    fn from(kind: CDataErrorKind) -> CDataError {
        CDataError(Box::new(Inner { path: FieldPath::root(), kind }))
    }
}

impl From<DataError> for CDataError {
    fn from(error: DataError) -> CDataError {
        CDataErrorKind::Data(error).into()
    }
}

impl From<DataErrorKind> for CDataError {
    fn from(kind: DataErrorKind) -> CDataError {
        DataError::from(kind).into()
    }
}

impl From<TypeError> for CDataError {
    fn from(error: TypeError) -> CDataError {
        CDataErrorKind::Type(error).into()
    }
}

impl fmt::Display for CDataError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.0.path.is_root() {
            write!(f, "field `{}`: ", self.0.path)?;
        }
        fmt::Display::fmt(&self.0.kind, f)
    }
}

/// There is no `source`: the message holds all there is.
impl std::error::Error for CDataError {}

impl fmt::Display for Structure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Structure::ArrowSchema => "ArrowSchema",
            Structure::ArrowArray => "ArrowArray",
            Structure::ArrowArrayStream => "ArrowArrayStream",
            Structure::ArrowDeviceArray => "ArrowDeviceArray",
            Structure::ArrowDeviceArrayStream => "ArrowDeviceArrayStream",
        })
    }
}

/// The text of a stream's error, after its number.
struct Text<'a>(&'a Option<String>);

impl fmt::Display for Text<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            Some(text) => write!(f, ": {text}"),
            None => Ok(()),
        }
    }
}

/// The name of a device type of the specification, in parentheses.
struct Name(i32);

impl fmt::Display for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const NAMES: [(i32, &str); 13] = [
            (2, "CUDA"),
            (3, "CUDA host"),
            (4, "OpenCL"),
            (7, "Vulkan"),
            (8, "Metal"),
            (9, "VPI"),
            (10, "ROCm"),
            (11, "ROCm host"),
            (12, "extension"),
            (13, "CUDA managed"),
            (14, "oneAPI"),
            (15, "WebGPU"),
            (16, "Hexagon"),
        ];
        match NAMES.iter().find(|(number, _)| *number == self.0) {
            Some((_, name)) => write!(f, " ({name})"),
            None => Ok(()),
        }
    }
}
