//! What can be wrong with a compressed buffer.

use std::borrow::Cow;

/// Why the frame of a compressed buffer was refused.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
#[allow(missing_docs)] // of the fields: the messages name them
pub enum FrameError {
    /// It does not begin with the magic of the codec.
    #[error("unknown frame magic {found:#010x}")]
    Magic { found: u32 },
    /// It is a kind of frame that bodies do not have.
    #[error("{what}")]
    Kind { what: &'static str },
    /// Its header is malformed, or asks for what is unsupported.
    #[error("{what}")]
    Header { what: &'static str },
    /// It does not end inside its buffer.
    #[error("it is truncated")]
    Truncated,
    /// The buffer has bytes after the frame.
    #[error("{n_bytes} trailing bytes")]
    TrailingBytes { n_bytes: u64 },
    /// Its content does not have the length that is before it.
    #[error("it holds {found} bytes; the uncompressed length is {claimed}")]
    Size { claimed: u64, found: u64 },
    /// It is too short to hold what the length before it says.
    #[error("it holds at most {most} bytes; the uncompressed length is {claimed}")]
    TooSmall { claimed: u64, most: u64 },
    /// A checksum in it is not that of its bytes.
    #[error("the checksum of {what} is {found:#x}; the frame says {expected:#x}")]
    Checksum { what: &'static str, expected: u32, found: u32 },
    /// Its blocks cannot be decompressed.
    #[error("{cause}")]
    Damaged { cause: Cow<'static, str> },
}
