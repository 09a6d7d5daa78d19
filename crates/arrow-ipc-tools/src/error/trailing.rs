//! What is wrong at the end of the last stream: bytes after it, or no end marker.

use std::{fmt, ops::Range};

use arrow_ipc::file::{UnreferencedBytes, UnreferencedKind};

use crate::error::name::InputName;

/// Bytes that are not decoded: after the last stream of an input, where they are neither a stream nor all zero, or those before the
/// footer of a file that none of its blocks has.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TrailingBytes {
    position: Position,
    start: u64,
    n_bytes: u64,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Position {
    AfterStreams,
    InFile {
        kind: UnreferencedKind,
        /// The file of a data set, and how many of its later files have such bytes.
        from_set_error: Option<(InputName, usize)>,
    },
}

impl TrailingBytes {
    pub(crate) fn new(start: u64, n_bytes: u64) -> TrailingBytes {
        TrailingBytes { position: Position::AfterStreams, start, n_bytes }
    }

    /// The bytes before the footer of a file.
    pub fn before_footer(UnreferencedBytes { kind, range }: UnreferencedBytes) -> TrailingBytes {
        let Range { start, end } = range;
        let position = Position::InFile { kind, from_set_error: None };
        TrailingBytes { position, start, n_bytes: end.saturating_sub(start) }
    }

    /// Says in which file of a data set they are, and how many later files have such bytes.
    pub fn in_file(self, file: InputName, n_more: usize) -> TrailingBytes {
        let from_set_error = Some((file, n_more));
        match self.position {
            Position::AfterStreams => self,
            Position::InFile { kind, .. } => {
                TrailingBytes { position: Position::InFile { kind, from_set_error }, ..self }
            }
        }
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
        let Position::InFile { kind, from_set_error } = position else {
            return write!(
                f,
                "the stream ends at byte {start}; {n_bytes} trailing bytes are not a stream, and not read"
            );
        };
        if let Some((file, _)) = from_set_error {
            write!(f, "{file}: ")?;
        }
        match kind {
            UnreferencedKind::SecondFile => {
                write!(f, "a second file begins at byte {start}; only batches of the first are read")
            }
            UnreferencedKind::AfterLastBlock => {
                write!(
                    f,
                    "{n_bytes} bytes from byte {start} to the footer are in none of its blocks, and not read"
                )
            }
        }?;
        match from_set_error {
            Some((_, 1)) => f.write_str("; so it is in 1 more file"),
            Some((_, n_more @ 2..)) => write!(f, "; so it is in {n_more} more files"),
            Some((_, 0)) | None => Ok(()),
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
