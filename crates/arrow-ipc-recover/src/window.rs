//! The bytes of an input that the caller has provided.

use std::ops::Range;

use arrow_buffer::Buffer;
use arrow_ipc::{IpcErrorKind, Result};

/// A range that the caller must provide. The step then starts again.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct MissingRange(pub(super) Range<u64>);

/// Some bytes of the input, and their position in it.
#[derive(Debug)]
struct InputPiece {
    start: u64,
    bytes: Buffer,
}

/// A result, or the range that is needed for it.
pub(super) type RangeResult<T> = std::result::Result<T, MissingRange>;

/// The last buffers that were provided, the newest last.
#[derive(Debug)]
pub(super) struct InputWindow {
    n_bytes: u64,
    pieces: Vec<InputPiece>,
}

/// The number of buffers in the window. A step may need four: prefix, metadata, body, and the bytes after the body.
const MAX_PIECES: usize = 8;

/// The minimum number of bytes to request, unless the input ends before.
const MIN_REQUEST_BYTES: u64 = 256 << 10;

impl InputWindow {
    pub(super) fn new(n_bytes: u64) -> InputWindow {
        InputWindow { n_bytes, pieces: Vec::new() }
    }

    pub(super) fn n_bytes(&self) -> u64 {
        self.n_bytes
    }

    /// # Errors
    /// If the number of provided bytes is not the length of the range, or the range ends after the input.
    pub(super) fn provide(&mut self, range: Range<u64>, bytes: Buffer) -> Result<()> {
        let Range { start, end } = range;
        let found = bytes.len() as u64;
        if end.checked_sub(start) != Some(found) || end > self.n_bytes {
            return Err(IpcErrorKind::ProvidedRange { start, end, found, file_bytes: self.n_bytes }.into());
        }
        if self.pieces.len() == MAX_PIECES {
            self.pieces.remove(0);
        }
        self.pieces.push(InputPiece { start, bytes });
        Ok(())
    }

    /// Drops the buffers that end at or before a position.
    pub(super) fn forget_before(&mut self, position: u64) {
        self.pieces.retain(|piece| piece.end() > position);
    }

    /// The bytes of a range inside the input.
    pub(super) fn exactly(&self, range: Range<u64>) -> RangeResult<Buffer> {
        if range.is_empty() {
            return Ok(Buffer::new());
        }
        self.pieces.iter().rev().find_map(|piece| piece.slice(&range)).ok_or(MissingRange(range))
    }

    /// Up to `n_bytes` bytes from `position` on, fewer at the end of the input. If they were not provided, more bytes
    /// are requested, because the next steps read them.
    pub(super) fn bytes_from(&self, position: u64, n_bytes: u64) -> RangeResult<Buffer> {
        let end = position.saturating_add(n_bytes).min(self.n_bytes);
        if position >= end {
            return Ok(Buffer::new());
        }
        let far = position.saturating_add(MIN_REQUEST_BYTES).min(self.n_bytes);
        self.exactly(position..end).map_err(|_| MissingRange(position..end.max(far)))
    }

    /// All provided bytes from `position` on, at least one byte. Empty at the end of the input.
    pub(super) fn rest(&self, position: u64) -> RangeResult<Buffer> {
        let rest_of = |piece: &InputPiece| piece.slice(&(position..piece.end()));
        let found = self.pieces.iter().rev().filter_map(rest_of).find(|bytes| !bytes.is_empty());
        found.map_or_else(|| self.bytes_from(position, MIN_REQUEST_BYTES), Ok)
    }
}

impl InputPiece {
    fn end(&self) -> u64 {
        self.start.saturating_add(self.bytes.len() as u64)
    }

    /// The bytes of a range; `None` if some of them are not here.
    fn slice(&self, range: &Range<u64>) -> Option<Buffer> {
        let start = range.start.checked_sub(self.start)?;
        self.bytes.try_slice(start, range.end.checked_sub(range.start)?).ok()
    }
}
