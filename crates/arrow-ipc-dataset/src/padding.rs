//! Checks that only padding follows the end of a stream.

use arrow_ipc::{FileReader, Source, file::StreamEnd};

use crate::error::DatasetErrorKind as Kind;

/// Checks that a stream is complete, and that only padding follows it. Of a file, reads nothing.
///
/// # Errors
/// If the last message is truncated or malformed, or if other bytes than padding follow the stream.
pub(crate) fn check_end<S: Source>(reader: &FileReader<S>) -> Result<(), Kind> {
    reader.check_end()?;
    if reader.stream_end() != Some(StreamEnd::Marker) {
        return Ok(());
    }
    let end = reader.footer().position();
    let n_bytes = reader.source().n_bytes()?;
    let mut padding = Padding::default();
    let mut position = end;
    while position < n_bytes {
        let next = position.saturating_add(PIECE_BYTES).min(n_bytes);
        if !reader.source().fetch(position..next)?.iter().all(|byte| padding.continues_with(*byte)) {
            return Err(Kind::AfterStream { position: end });
        }
        position = next;
    }
    if padding.n_marker > 0 { Err(Kind::AfterStream { position: end }) } else { Ok(()) }
}

/// The bytes after a stream that are no data: zeros, and end markers, which are FF FF FF FF 00 00 00 00.
#[derive(Default)]
struct Padding {
    /// The number of bytes of an end marker that have been found.
    n_marker: u8,
}

impl Padding {
    fn continues_with(&mut self, byte: u8) -> bool {
        let is_padding = match self.n_marker {
            0 => matches!(byte, 0 | 0xff),
            1..4 => byte == 0xff,
            _ => byte == 0,
        };
        if byte == 0xff || self.n_marker > 0 {
            self.n_marker = (self.n_marker + 1) % 8;
        }
        is_padding
    }
}

/// The number of bytes of each request when the bytes after a stream are examined.
const PIECE_BYTES: u64 = 64 << 10;
