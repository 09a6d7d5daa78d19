//! Errors in compressed buffers.

use std::{borrow::Cow, fmt};

/// The reason why the frame of a compressed buffer is refused.
#[derive(Clone, PartialEq, Eq)]
#[non_exhaustive]
#[allow(missing_docs)] // of the fields: the messages name them
pub enum FrameError {
    /// The frame does not begin with the magic of the codec.
    Magic { found: u32 },
    /// The frame is of a kind that is not allowed in bodies.
    Kind { what: &'static str },
    /// The header of the frame is malformed or unsupported.
    Header { what: &'static str },
    /// The frame is truncated: its buffer ends first.
    Truncated,
    /// The buffer has bytes after the frame.
    TrailingBytes { n_bytes: u64 },
    /// The content has another length than the prefix of the buffer states.
    Size { declared: u64, found: u64 },
    /// The frame is too short for the decompressed length that the prefix of the buffer states.
    TooSmall { declared: u64, most: u64 },
    /// A checksum of the frame does not match the bytes.
    Checksum { what: &'static str, expected: u32, found: u32 },
    /// The blocks of the frame cannot be decompressed.
    Damaged { cause: Cow<'static, str> },
    /// The codec could not allocate memory. The frame may be valid.
    OutOfMemory,
}

pub(crate) type FrameResult<T> = std::result::Result<T, FrameError>;

impl fmt::Display for FrameError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            FrameError::Magic { found } => write!(f, "unknown magic {found:#010x}"),
            FrameError::Kind { what } => write!(f, "{what}"),
            FrameError::Header { what } => write!(f, "{what}"),
            FrameError::Truncated => f.write_str("the buffer ends before the frame does"),
            FrameError::TrailingBytes { n_bytes } => write!(f, "{n_bytes} bytes follow the frame"),
            FrameError::Size { declared, found } => {
                write!(f, "the frame decompresses to {found} bytes; the buffer states {declared}")
            }
            FrameError::TooSmall { declared, most } => {
                write!(f, "the frame decompresses to at most {most} bytes; the buffer states {declared}")
            }
            FrameError::Checksum { what, expected, found } => {
                write!(f, "the checksum of {what} is {found:#x}; the frame says {expected:#x}")
            }
            FrameError::Damaged { cause } => write!(f, "{cause}"),
            FrameError::OutOfMemory => f.write_str("out of memory"),
        }
    }
}

impl std::error::Error for FrameError {}
