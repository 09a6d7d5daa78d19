//! What is wrong at the end of the last stream: bytes after it, or no end marker.

use std::fmt;

/// Bytes after the last stream of an input that are neither a stream nor all zero. They are not decoded.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TrailingBytes {
    start: u64,
    n_bytes: u64,
}

impl TrailingBytes {
    pub(crate) fn new(start: u64, n_bytes: u64) -> TrailingBytes {
        TrailingBytes { start, n_bytes }
    }

    /// The byte offset at which these bytes begin.
    pub fn start(self) -> u64 {
        self.start
    }

    /// The number of these bytes. In a pipe, only bytes that were read count.
    pub fn n_bytes(self) -> u64 {
        self.n_bytes
    }
}

impl fmt::Display for TrailingBytes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let TrailingBytes { start, n_bytes } = self;
        write!(f, "the stream ends at byte {start}; {n_bytes} trailing bytes are not a stream, and not read")
    }
}

/// Formats the note about a stream that ends at this byte offset without an end marker.
pub(crate) struct NoEndMarker(pub(crate) u64);

impl fmt::Display for NoEndMarker {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let NoEndMarker(position) = self;
        write!(
            f,
            "the stream ends at byte {position} without an end marker; its writer may have been stopped"
        )
    }
}
