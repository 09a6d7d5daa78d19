//! What is wrong at the end of the last stream: bytes after it, or no end marker.

use std::fmt;

use arrow_ipc::Container;

/// Bytes that are not decoded: after the last stream of an input, where they are neither a stream nor all zero, or those of another
/// file before the footer of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TrailingBytes {
    container: Container,
    start: u64,
    n_bytes: u64,
}

impl TrailingBytes {
    pub(crate) fn new(start: u64, n_bytes: u64) -> TrailingBytes {
        TrailingBytes { container: Container::Stream, start, n_bytes }
    }

    pub(crate) fn before_footer(start: u64, footer: u64) -> TrailingBytes {
        let n_bytes = footer.saturating_sub(start);
        TrailingBytes { container: Container::File, start, n_bytes }
    }

    /// Whether they follow streams. Otherwise they are in a file.
    pub(crate) fn is_after_stream(self) -> bool {
        self.container != Container::File
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
        let TrailingBytes { container, start, n_bytes } = self;
        if *container == Container::File {
            write!(
                f,
                "another file begins at byte {start}, so the batches of two files are here; the {n_bytes} bytes from there to the footer are not read"
            )
        } else {
            write!(
                f,
                "the stream ends at byte {start}; {n_bytes} trailing bytes are not a stream, and not read"
            )
        }
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
