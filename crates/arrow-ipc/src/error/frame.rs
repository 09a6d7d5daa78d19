//! What can be wrong with a compressed buffer.

use std::borrow::Cow;

/// Why the frame of a compressed buffer was refused.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
#[allow(missing_docs)] // of the fields: their names stand in the messages
pub enum FrameError {
    /// It begins with other bytes than all frames of the codec.
    #[error("begins with {found:#010x}, as none does")]
    Magic { found: u32 },
    /// It is of a kind that has no place in a body.
    #[error("is {what}")]
    Kind { what: &'static str },
    /// Its header says what is not possible, or not allowed here.
    #[error("has {what} in its header")]
    Header { what: &'static str },
    /// It goes on where the buffer ends.
    #[error("is cut short")]
    Truncated,
    /// It ends before the buffer does, which has one frame and nothing else.
    #[error("has {n_bytes} bytes behind it")]
    BytesBehind { n_bytes: u64 },
    /// It holds another number of bytes than the length before it says.
    #[error("holds {found} bytes, the length before it is {claimed}")]
    Size { claimed: u64, found: u64 },
    /// It is too short to hold what the length before it says.
    #[error("holds at most {most} bytes, the length before it is {claimed}")]
    TooSmall { claimed: u64, most: u64 },
    /// A hash in it is not that of its bytes.
    #[error("has the hash {expected:#x} of {what}, which is {found:#x}")]
    Checksum { what: &'static str, expected: u32, found: u32 },
    /// Its blocks cannot be decompressed.
    #[error("is damaged: {cause}")]
    Damaged { cause: Cow<'static, str> },
}
