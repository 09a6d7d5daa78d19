//! The causes of errors of the C interfaces. Each variant has the value that was found and the values that are allowed.

use std::fmt;

use arrow_error::ErrorClass;

use arrow_data::{DataError, Role};
use arrow_schema::{DataType, TypeError};

/// The cause of a [`CDataError`](crate::CDataError), with the value that was found and the values that are allowed.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
#[allow(missing_docs)] // of the fields: the messages name them
pub enum CDataErrorKind {
    /// The structure has no release callback: it was released, moved, or never filled.
    Released { structure: Structure },
    /// A member is null, but must not be null.
    NullMember { structure: Structure, member: &'static str },
    /// A buffer is null, but must have bytes.
    NullBuffer { role: Role, n_bytes: u64 },
    /// A member is negative, but must not be negative.
    Negative { member: &'static str, found: i64 },
    /// The null count is less than −1. (−1 means that nulls were not counted.)
    NullCount { found: i64 },
    /// The length, the offset, or the bytes that they need exceed the address space.
    SizeOverflow { length: i64, offset: i64 },
    /// A type has the wrong number of children.
    ChildCount { expected: usize, found: i64 },
    /// A type has the wrong number of buffers.
    BufferCount { expected: usize, found: i64 },
    /// An array of views lacks validity, views or the lengths of the data buffers.
    TooFewBuffers { least: usize, found: i64 },
    /// A child is shorter than its parent needs.
    ChildLength { needed: u64, found: i64 },
    /// A dictionary-encoded type has no array of values.
    MissingDictionary,
    /// There is a dictionary, but the type is not dictionary-encoded.
    UnexpectedDictionary { data_type: DataType },
    /// The values of a dictionary are dictionary-encoded themselves.
    DictionaryOfDictionary,
    /// The last offset, which gives the length of the data, is negative.
    LastOffset { found: i64 },
    /// The length of a data buffer of views is negative.
    VariadicLength { position: usize, found: i64 },

    /// No type of the specification has this format string.
    Format { format: String },
    /// A text is not UTF-8.
    NotUtf8 { member: &'static str, valid_up_to: usize },
    /// The number of pairs, or the length of a key or value, is negative.
    Metadata { what: &'static str, found: i32 },
    /// Names, formats and metadata together exceed the limit.
    TextTooLong { limit: u64 },
    /// Types are nested deeper than the limit, for example because of a cycle.
    TooDeep { limit: usize },
    /// There are more fields than the limit.
    TooManyFields { limit: u64 },
    /// The parameters of a type are invalid.
    Type(TypeError),
    /// The schema of a record batch does not have the format of a struct.
    NotAStruct { found: DataType },
    /// A row of a record batch is null.
    NullRows { null_count: u64 },

    /// A text contains a NUL, at which a C string would end.
    Nul { what: &'static str, position: usize },
    /// An array has more slots, or metadata more bytes, than the interface can express.
    TooLong { what: &'static str, n: u64, limit: u64 },

    /// A callback of a stream failed.
    Stream { code: i32, text: Option<String> },
    /// The memory belongs to a device that is not a CPU.
    Device { device_type: i32 },
    /// There is an event to wait for, although the device is a CPU.
    SyncEvent,

    /// The structure or the content of an array is invalid.
    Data(DataError),
}

impl CDataErrorKind {
    /// How a program can react.
    pub fn class(&self) -> ErrorClass {
        match self {
            Self::Data(error) => error.class(),
            Self::TooDeep { .. } | Self::TooManyFields { .. } | Self::TextTooLong { .. } => {
                ErrorClass::LimitExceeded
            }
            Self::Device { .. } | Self::SyncEvent | Self::Nul { .. } | Self::TooLong { .. } => {
                ErrorClass::Unsupported
            }
            Self::Stream { .. } => ErrorClass::Io,
            Self::Released { .. } | Self::NotAStruct { .. } => ErrorClass::Misuse,
            Self::NullMember { .. }
            | Self::NullBuffer { .. }
            | Self::Negative { .. }
            | Self::NullCount { .. }
            | Self::SizeOverflow { .. }
            | Self::ChildCount { .. }
            | Self::BufferCount { .. }
            | Self::TooFewBuffers { .. }
            | Self::ChildLength { .. }
            | Self::MissingDictionary
            | Self::UnexpectedDictionary { .. }
            | Self::DictionaryOfDictionary
            | Self::LastOffset { .. }
            | Self::VariadicLength { .. }
            | Self::Format { .. }
            | Self::NotUtf8 { .. }
            | Self::Metadata { .. }
            | Self::Type(_)
            | Self::NullRows { .. } => ErrorClass::Malformed,
        }
    }
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
                write!(
                    f,
                    "the pointer to the {role} buffer is null; the buffer needs at least {n_bytes} bytes"
                )
            }
            CDataErrorKind::Negative { member, found } => {
                write!(f, "`{member}` is {found}, which is negative")
            }
            CDataErrorKind::NullCount { found } => {
                write!(f, "`null_count` is {found}; allowed: the number of nulls, or -1 if it is not known")
            }
            CDataErrorKind::SizeOverflow { length, offset } => {
                write!(f, "length {length} and offset {offset} need more bytes than can be addressed")
            }
            CDataErrorKind::ChildCount { expected, found } => {
                write!(
                    f,
                    "expected {expected} {}, found {found}",
                    if *expected == 1 { "child" } else { "children" }
                )
            }
            CDataErrorKind::BufferCount { expected, found } => {
                write!(
                    f,
                    "expected {expected} buffer{}, found {found}",
                    if *expected == 1 { "" } else { "s" }
                )
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
                f.write_str("the values of a dictionary are dictionary-encoded, too, which no type allows")
            }
            CDataErrorKind::LastOffset { found } => {
                write!(f, "the last offset is {found}, which is negative")
            }
            CDataErrorKind::VariadicLength { position, found } => {
                write!(f, "the length of data buffer {position} is {found}, which is negative")
            }
            CDataErrorKind::Format { format } => {
                write!(f, "the format \"{}\" is not a type of the C data interface", format.escape_debug())?;
                let is_union = format.starts_with("+ud:") || format.starts_with("+us:");
                f.write_str(if is_union { ": type ids are 0 to 127, with commas between them" } else { "" })
            }
            CDataErrorKind::NotUtf8 { member, valid_up_to } => {
                write!(f, "`{member}` is not UTF-8 at its byte {valid_up_to}")
            }
            CDataErrorKind::Metadata { what, found } => {
                write!(f, "the {what} in the metadata is {found}, which is negative")
            }
            CDataErrorKind::TextTooLong { limit } => {
                write!(f, "names, formats and metadata of the schema have more than {limit} bytes together")
            }
            CDataErrorKind::TooDeep { limit } => {
                write!(f, "types nest deeper than the limit of {limit} levels")
            }
            CDataErrorKind::TooManyFields { limit } => {
                write!(f, "the schema has more than {limit} fields")
            }
            CDataErrorKind::Type(error) => fmt::Display::fmt(error, f),
            CDataErrorKind::NotAStruct { found } => {
                write!(f, "a record batch is a struct, format \"+s\"; found {found}")
            }
            CDataErrorKind::NullRows { null_count } => {
                write!(f, "{null_count} rows of the struct are null; a record batch has no null rows")
            }
            CDataErrorKind::Nul { what, position } => {
                write!(f, "the {what} has a NUL at byte {position}, but strings of C cannot contain NUL")
            }
            CDataErrorKind::TooLong { what, n, limit } => {
                write!(f, "{n} {what} exceed the limit of the interface, {limit}")
            }
            CDataErrorKind::Stream { code, text } => {
                write!(f, "the stream failed with the error number {code}{}", ErrorText(text))
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

/// The text of a stream's error, which is shown after its number.
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
