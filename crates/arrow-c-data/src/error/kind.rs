//! The causes of errors of the C interfaces: one variant for each, with what was found and what is allowed.

use std::fmt;

use arrow_data::{DataError, Role};
use arrow_schema::{DataType, TypeError};

/// The cause of a [`CDataError`](crate::CDataError), with what was found and what is allowed.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
#[allow(missing_docs)] // of the fields: the messages name them
pub enum CDataErrorKind {
    /// The structure has no release callback: it was released, moved, or never filled.
    Released { structure: Structure },
    /// A member that must not be null is.
    NullMember { structure: Structure, member: &'static str },
    /// A buffer that holds something is null.
    NullBuffer { role: Role, n_bytes: u64 },
    /// A number that cannot be negative is.
    Negative { member: &'static str, found: i64 },
    /// A number of nulls that is negative, and not the −1 of one that was not counted.
    NullCount { found: i64 },
    /// Length and offset, or what they need in bytes, exceed what can be addressed.
    SizeOverflow { length: i64, offset: i64 },
    /// A type has another number of children.
    ChildCount { expected: usize, found: i64 },
    /// A type has another number of buffers.
    BufferCount { expected: usize, found: i64 },
    /// An array of views has at least validity, views and the lengths of the data buffers.
    TooFewBuffers { least: usize, found: i64 },
    /// A child is shorter than its parent needs.
    ChildLength { needed: u64, found: i64 },
    /// A dictionary-encoded type without the array of its values.
    MissingDictionary,
    /// A dictionary for a type that is not dictionary-encoded.
    UnexpectedDictionary { data_type: DataType },
    /// The values of a dictionary are dictionary-encoded themselves, which no type is.
    DictionaryOfDictionary,
    /// The last offset says how long the data is.
    LastOffset { found: i64 },
    /// The length of a data buffer of views is negative.
    VariadicLength { position: usize, found: i64 },

    /// A format string that the specification does not have.
    Format { format: String },
    /// A text that is not UTF-8.
    NotUtf8 { member: &'static str, valid_up_to: usize },
    /// A number of pairs, or the length of a key or value, that is negative.
    Metadata { what: &'static str, found: i32 },
    /// Longer names, formats and metadata than are accepted.
    TextTooLong { limit: u64 },
    /// Types nested deeper than is accepted; a cycle is.
    TooDeep { limit: usize },
    /// More fields than are accepted.
    TooManyFields { limit: usize },
    /// A type with parameters that do not exist.
    Type(TypeError),
    /// A schema of a record batch whose format is not that of a struct.
    NotAStruct { found: DataType },
    /// The rows of a record batch cannot be null.
    NullRows { n_nulls: u64 },

    /// What a string of C cannot hold, because it ends there.
    Nul { what: &'static str, position: usize },
    /// An array with more slots, or metadata with more bytes, than the interface can count.
    TooLong { what: &'static str, n: u64, limit: u64 },

    /// A callback of a stream failed.
    Stream { code: i32, text: Option<String> },
    /// Memory of a device that is no CPU.
    Device { device_type: i32 },
    /// Something to wait for, where the CPU has nothing.
    SyncEvent,

    /// The structure or content of an array is wrong.
    Data(DataError),
}

impl fmt::Display for CDataErrorKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            CDataErrorKind::Released { structure } => {
                write!(f, "the {structure} is released")
            }
            CDataErrorKind::NullMember { structure, member } => {
                write!(f, "`{member}` of the {structure} is null")
            }
            CDataErrorKind::NullBuffer { role, n_bytes } => {
                write!(f, "the pointer to the buffer of {role} is null; it has at least {n_bytes} bytes")
            }
            CDataErrorKind::Negative { member, found } => {
                write!(f, "`{member}` is {found}, which is negative")
            }
            CDataErrorKind::NullCount { found } => {
                write!(
                    f,
                    "`null_count` is {found}; allowed: the number of nulls, or -1 where it is not known"
                )
            }
            CDataErrorKind::SizeOverflow { length, offset } => {
                write!(f, "length {length} and offset {offset} need more bytes than can be addressed")
            }
            CDataErrorKind::ChildCount { expected, found } => {
                write!(f, "expected {expected} children, found {found}")
            }
            CDataErrorKind::BufferCount { expected, found } => {
                write!(f, "expected {expected} buffers, found {found}")
            }
            CDataErrorKind::TooFewBuffers { least, found } => {
                write!(f, "expected at least {least} buffers, found {found}")
            }
            CDataErrorKind::ChildLength { needed, found } => {
                write!(f, "the array has {found} slots; its parent needs {needed}")
            }
            CDataErrorKind::MissingDictionary => {
                f.write_str("`dictionary` is null, but the type is dictionary-encoded")
            }
            CDataErrorKind::UnexpectedDictionary { data_type } => {
                write!(f, "`dictionary` is not null, but the type {data_type} is not dictionary-encoded")
            }
            CDataErrorKind::DictionaryOfDictionary => {
                f.write_str("the values of a dictionary have a `dictionary` themselves, which no type has")
            }
            CDataErrorKind::LastOffset { found } => {
                write!(f, "the last offset is {found}, which is negative")
            }
            CDataErrorKind::VariadicLength { position, found } => {
                write!(f, "the length of data buffer {position} is {found}, which is negative")
            }
            CDataErrorKind::Format { format } => {
                write!(f, "the format \"{}\" is no type of the C data interface", format.escape_debug())
            }
            CDataErrorKind::NotUtf8 { member, valid_up_to } => {
                write!(f, "`{member}` is not UTF-8 at byte {valid_up_to}")
            }
            CDataErrorKind::Metadata { what, found } => {
                write!(f, "the metadata has {found} as the {what}, which is negative")
            }
            CDataErrorKind::TextTooLong { limit } => {
                write!(f, "names, formats and metadata have more than {limit} bytes")
            }
            CDataErrorKind::TooDeep { limit } => {
                write!(f, "types are nested deeper than {limit} levels")
            }
            CDataErrorKind::TooManyFields { limit } => {
                write!(f, "the schema has more than {limit} fields")
            }
            CDataErrorKind::Type(error) => fmt::Display::fmt(error, f),
            CDataErrorKind::NotAStruct { found } => {
                write!(f, "a record batch is a struct, format \"+s\"; found {found}")
            }
            CDataErrorKind::NullRows { n_nulls } => {
                write!(f, "{n_nulls} rows of the struct are null; a record batch has no null rows")
            }
            CDataErrorKind::Nul { what, position } => {
                write!(f, "the {what} has a NUL at byte {position}, where a string of C ends")
            }
            CDataErrorKind::TooLong { what, n, limit } => {
                write!(f, "{n} {what} exceed the {limit} that the interface can count")
            }
            CDataErrorKind::Stream { code, text } => {
                write!(f, "the stream failed with error {code}{}", ErrorText(text))
            }
            CDataErrorKind::Device { device_type } => {
                write!(
                    f,
                    "the device type is {device_type}{}; only memory of the CPU, type 1, is read",
                    DeviceTypeName(*device_type)
                )
            }
            CDataErrorKind::SyncEvent => {
                f.write_str("`sync_event` is set, but memory of the CPU has no events")
            }
            CDataErrorKind::Data(error) => fmt::Display::fmt(error, f),
        }
    }
}

impl std::error::Error for CDataErrorKind {}

impl From<TypeError> for CDataErrorKind {
    fn from(error: TypeError) -> CDataErrorKind {
        CDataErrorKind::Type(error)
    }
}

/// The text of a stream's error, after its number.
struct ErrorText<'a>(&'a Option<String>);

impl fmt::Display for ErrorText<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            Some(text) => write!(f, ": {text}"),
            None => Ok(()),
        }
    }
}

/// The name of a device type of the specification, in parentheses.
struct DeviceTypeName(i32);

impl fmt::Display for DeviceTypeName {
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
