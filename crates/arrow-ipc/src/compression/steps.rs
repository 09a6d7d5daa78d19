//! The interface of both codecs: the functions that make frames, and the input and the output of one step.

use arrow_buffer::BufferMut;

use crate::error::FrameResult as Result;

/// Makes frames of one codec and level, and reuses its tables and contexts.
pub(super) trait FrameEncoder: Send + Sync {
    /// The number of bytes of memory that making a frame from `n_bytes` bytes needs.
    fn room(&self, n_bytes: usize) -> usize;

    /// Makes a frame in `to`, which must have [`room`](FrameEncoder::room) for the frame. Returns the length of the frame.
    fn compress(&mut self, bytes: &[u8], to: &mut [u8]) -> Result<usize>;

    /// Begins a frame for content of `n_bytes` bytes, which follow in several calls of [`add`](FrameEncoder::add).
    fn begin(&mut self, n_bytes: u64, to: &mut BufferMut) -> Result<()>;

    /// Compresses the next bytes of the content, and appends the result. `to` must have [`room`](FrameEncoder::room) for it.
    fn add(&mut self, piece: Piece<'_>, to: &mut BufferMut) -> Result<()>;
}

/// The result of decompressing the next bytes of a frame.
#[derive(Debug, Default)]
pub(super) struct Next<'a> {
    /// The number of bytes of the frame that were used.
    pub(super) n_used: usize,
    pub(super) made: &'a [u8],
    /// Whether the frame ends after the used bytes.
    pub(super) is_end: bool,
    /// The number of bytes that are needed to continue, if no bytes were used and none were decompressed.
    pub(super) n_needed: usize,
}

/// Some bytes to compress, and whether more follow.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Piece<'a> {
    /// Bytes of the content that are not the last.
    Next(&'a [u8]),
    Last(&'a [u8]),
}

impl<'a> Piece<'a> {
    /// The bytes of the content of `n_bytes` bytes that end at the position `end`.
    pub(crate) fn new(bytes: &'a [u8], end: u64, n_bytes: u64) -> Piece<'a> {
        if end < n_bytes { Piece::Next(bytes) } else { Piece::Last(bytes) }
    }

    pub(crate) fn bytes(self) -> &'a [u8] {
        match self {
            Piece::Next(bytes) | Piece::Last(bytes) => bytes,
        }
    }
}
