//! The interface of both codecs: the trait that makes frames, and the input and output of one step.

use arrow_buffer::BufferMut;

use crate::error::FrameResult as Result;

/// Makes frames of one codec and level. Reuses the tables and contexts of the codec.
pub(super) trait FrameEncoder: Send + Sync {
    /// The memory that making a frame of `n_bytes` bytes needs, in bytes.
    fn room(&self, n_bytes: usize) -> usize;

    /// Makes a frame in `to`, which must have [`room`](FrameEncoder::room) for the frame. Returns the length of the frame.
    fn compress(&mut self, bytes: &[u8], to: &mut [u8]) -> Result<usize>;

    /// Begins a frame for content of `n_bytes` bytes, which follow in several calls of [`add`](FrameEncoder::add).
    fn begin(&mut self, n_bytes: u64, to: &mut BufferMut) -> Result<()>;

    /// Compresses the next bytes of the content, and appends the result. Reserves no memory: `to` must have
    /// [`room`](FrameEncoder::room) for the result.
    fn add(&mut self, piece: Piece<'_>, to: &mut BufferMut) -> Result<()>;
}

/// The result of decompressing the next bytes of a frame.
#[derive(Debug, Default)]
pub(super) struct Next<'a> {
    /// The number of bytes of the frame that this step has used.
    pub(super) n_used: usize,
    pub(super) made: &'a [u8],
    /// Whether the frame ends after the used bytes.
    pub(super) is_end: bool,
    /// If the step has used and decompressed nothing, the number of bytes that it needs to continue.
    pub(super) n_needed: usize,
}

/// Consecutive bytes of the content to compress.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Piece<'a> {
    /// Bytes that are not the last of the content.
    Next(&'a [u8]),
    Last(&'a [u8]),
}

impl<'a> Piece<'a> {
    /// `end` is the position after these bytes, in a content of `n_bytes` bytes.
    pub(crate) fn new(bytes: &'a [u8], end: u64, n_bytes: u64) -> Piece<'a> {
        if end < n_bytes { Piece::Next(bytes) } else { Piece::Last(bytes) }
    }

    pub(crate) fn bytes(self) -> &'a [u8] {
        match self {
            Piece::Next(bytes) | Piece::Last(bytes) => bytes,
        }
    }
}
