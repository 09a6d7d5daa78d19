//! What is wrong at the end of the last stream: bytes after it, or no end marker.

use std::fmt;

use crate::name::InputName;

/// Bytes that are not decoded: after the last stream of an input, where they are neither a stream nor all zero, or those of a second
/// file before the footer of a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TrailingBytes {
    position: Position,
    start: u64,
    n_bytes: u64,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Position {
    AfterStreams,
    BeforeFooter,
    /// The same in this file of a data set, and in so many of its later files.
    InFile(InputName, usize),
}

impl TrailingBytes {
    pub(crate) fn new(start: u64, n_bytes: u64) -> TrailingBytes {
        TrailingBytes { position: Position::AfterStreams, start, n_bytes }
    }

    /// The bytes of a second file that begins at `start`, inside a file whose last footer is at this position.
    pub fn before_footer(start: u64, footer: u64) -> TrailingBytes {
        let n_bytes = footer.saturating_sub(start);
        TrailingBytes { position: Position::BeforeFooter, start, n_bytes }
    }

    /// Says in which file of a data set they are, and how many later files have such bytes.
    pub fn in_file(self, file: InputName, n_more: usize) -> TrailingBytes {
        TrailingBytes { position: Position::InFile(file, n_more), ..self }
    }

    /// Whether they follow streams. Otherwise they are in a file.
    pub(crate) fn is_after_stream(&self) -> bool {
        self.position == Position::AfterStreams
    }

    /// The byte offset at which these bytes begin.
    pub fn start(&self) -> u64 {
        self.start
    }

    /// The number of these bytes. In a pipe, only bytes that were read count.
    pub fn n_bytes(&self) -> u64 {
        self.n_bytes
    }
}

impl fmt::Display for TrailingBytes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let TrailingBytes { position, start, n_bytes } = self;
        if *position == Position::AfterStreams {
            return write!(
                f,
                "the stream ends at byte {start}; {n_bytes} trailing bytes are not a stream, and not read"
            );
        }
        if let Position::InFile(file, _) = position {
            write!(f, "{file}: ")?;
        }
        write!(f, "a second file begins at byte {start}; only batches of the first are read")?;
        match position {
            Position::InFile(_, 1) => f.write_str("; so it is in 1 more file"),
            Position::InFile(_, n_more @ 2..) => write!(f, "; so it is in {n_more} more files"),
            Position::InFile(_, 0) | Position::BeforeFooter | Position::AfterStreams => Ok(()),
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
