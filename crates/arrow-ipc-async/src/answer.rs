//! Checks the lengths of answers.

use std::{error::Error, fmt, io, ops::Range};

use arrow_buffer::Buffer;

/// Returns `bytes`, the answer to a request for `range`. Fails if their lengths differ.
pub(crate) fn checked(bytes: Buffer, range: &Range<u64>) -> io::Result<Buffer> {
    let found = bytes.len() as u64;
    let expected = n_bytes_of(range);
    if found == expected {
        return Ok(bytes);
    }
    let kind = if found < expected { io::ErrorKind::UnexpectedEof } else { io::ErrorKind::InvalidData };
    Err(io::Error::new(kind, AnswerLength { expected, found }))
}

/// The reason why [`checked`] fails: the length of the answer differs from the length of the range.
#[derive(Debug)]
struct AnswerLength {
    expected: u64,
    found: u64,
}

impl fmt::Display for AnswerLength {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let AnswerLength { expected, found } = self;
        write!(f, "the source gave {found} bytes; {expected} were requested")
    }
}

impl Error for AnswerLength {}

pub(crate) fn n_bytes_of(range: &Range<u64>) -> u64 {
    range.end.saturating_sub(range.start)
}
