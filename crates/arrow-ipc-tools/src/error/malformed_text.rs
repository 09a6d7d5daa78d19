//! Why text cannot be read, before its rows are looked at.

use std::io;

/// Why the bytes of a text cannot be read as rows of JSON, or as characters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum MalformedText {
    /// A byte cannot be where it is, or the text ends too early.
    #[error("{what}, at byte {position}")]
    Byte {
        /// What is wrong, or what was expected.
        what: &'static str,
        /// The byte offset in the text, after decompression.
        position: u64,
    },
    /// The first bytes show another encoding than the one that was given.
    #[error("the first bytes are {found}, not {given}; omit --encoding")]
    Encoding {
        /// The name of the encoding that the first bytes show.
        found: &'static str,
        /// The name of the encoding that was given.
        given: &'static str,
    },
}

/// Readers of text return the error as the cause of an `io::Error`.
impl From<MalformedText> for io::Error {
    fn from(error: MalformedText) -> io::Error {
        io::Error::new(io::ErrorKind::InvalidData, error)
    }
}
