//! The end of the last stream of an input: bytes after it, or a missing end marker.

use std::fmt;

/// Bytes after the last stream of an input that are neither a stream nor all zero. These bytes are ignored.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TrailingBytes {
    start: u64,
    n_bytes: u64,
}

impl TrailingBytes {
    pub(crate) fn new(start: u64, n_bytes: u64) -> TrailingBytes {
        TrailingBytes { start, n_bytes }
    }

    /// The position in the input at which the bytes begin.
    pub fn start(self) -> u64 {
        self.start
    }

    /// The number of these bytes. For a pipe, only the bytes that were read are counted.
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

/// The text for a stream that ends at this position without an end marker.
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
