//! What each codec implements, the input and output of one step, and the cursor with which codecs read frames.

use std::fmt;

use arrow_buffer::BufferMut;

#[cfg(any(feature = "lz4", feature = "zstd", feature = "zstd-pure"))]
use crate::error::FrameError;
use crate::error::FrameResult as Result;

/// A codec. This trait has everything that differs between codecs.
pub(super) trait FrameCodec {
    /// Walks the blocks of a frame without decompressing them. Returns the maximum number of bytes that the frame can hold.
    ///
    /// # Errors
    /// If the bytes are not exactly one frame, or its header states a content length other than `declared`.
    fn walk(&self, frame: &[u8], declared: u64) -> Result<u64>;

    /// Reads the header of a frame, which begins with `start`. If it states a content length, this length must be
    /// `declared`.
    fn check_header(&self, start: &[u8], declared: u64) -> Result<()>;

    /// Decompresses a frame that `walk` has checked into `to`, which has the declared length.
    fn decompress(&self, frame: &[u8], to: &mut [u8]) -> Result<()>;

    /// The maximum number of bytes that a frame of this length can hold.
    fn most_of(&self, n_frame_bytes: u64) -> u64;

    /// Reads the header of a frame. `start` are the first bytes of the frame. Returns `None` if the window of the frame
    /// is too large for decompression in several steps. Otherwise returns the state, and the number of bytes that were
    /// used. Pass the bytes after these to [`next`](FrameStream::next).
    fn open(&self, start: &[u8], declared: u64) -> Result<Option<(Box<dyn FrameStream>, usize)>>;

    /// The lowest and the highest level; `None` if the codec has no levels.
    fn levels(&self) -> Option<(i32, i32)>;

    fn encoder(&self, level: Option<i32>) -> Result<Box<dyn FrameEncoder>>;
}

/// The state of decompressing a frame in several steps.
pub(super) trait FrameStream: fmt::Debug + Send + Sync {
    /// Decompresses some of `bytes`. The content has at most `n_left` more bytes.
    fn next<'a>(&'a mut self, bytes: &'a [u8], n_left: usize) -> Result<DecompressedPart<'a>>;

    /// The maximum number of bytes in memory, with a copy of the last decompressed bytes for later requests.
    #[cfg(feature = "file")]
    fn max_retained_bytes(&self) -> u64;
}

/// Makes frames of one codec and level. Reuses the tables and contexts of the codec.
pub(super) trait FrameEncoder: Send + Sync {
    /// The memory that making a frame of `n_bytes` bytes needs, in bytes.
    fn max_frame_bytes(&self, n_bytes: usize) -> usize;

    /// Makes a frame in `to`, which must have [`max_frame_bytes`](FrameEncoder::max_frame_bytes). Returns the length of the frame.
    fn compress(&mut self, bytes: &[u8], to: &mut [u8]) -> Result<usize>;

    /// Begins a frame for content of `n_bytes` bytes, which follow in several calls of [`add`](FrameEncoder::add).
    fn begin(&mut self, n_bytes: u64, to: &mut BufferMut) -> Result<()>;

    /// Compresses the next bytes of the content, and appends the result. Reserves no memory: `to` must have
    /// [`max_frame_bytes`](FrameEncoder::max_frame_bytes) for the result.
    fn add(&mut self, piece: Piece<'_>, to: &mut BufferMut) -> Result<()>;
}

/// The result of decompressing the next bytes of a frame.
#[derive(Debug, Default)]
pub(super) struct DecompressedPart<'a> {
    /// The number of bytes of the frame that this step has used.
    pub(super) n_used: usize,
    pub(super) bytes: &'a [u8],
    /// Whether the frame ends after the used bytes.
    pub(super) is_end: bool,
    /// If the step has used and decompressed nothing, the number of bytes that it needs to continue.
    pub(super) n_needed: usize,
}

/// Consecutive bytes of the content to compress.
#[derive(Debug, Clone, Copy)]
pub enum Piece<'a> {
    /// Bytes that are not the last of the content.
    Next(&'a [u8]),
    /// The last bytes of the content.
    Last(&'a [u8]),
}

impl<'a> Piece<'a> {
    /// `end` is the position after these bytes, in a content of `n_bytes` bytes.
    pub(crate) fn new(bytes: &'a [u8], end: u64, n_bytes: u64) -> Piece<'a> {
        if end < n_bytes { Piece::Next(bytes) } else { Piece::Last(bytes) }
    }

    /// The bytes.
    #[inline]
    pub fn bytes(self) -> &'a [u8] {
        match self {
            Piece::Next(bytes) | Piece::Last(bytes) => bytes,
        }
    }
}

/// The part of a frame that has not been read.
#[cfg(any(feature = "lz4", feature = "zstd", feature = "zstd-pure"))]
#[derive(Debug, Clone, Copy)]
pub(super) struct FrameCursor<'a> {
    left: &'a [u8],
}

#[cfg(any(feature = "lz4", feature = "zstd", feature = "zstd-pure"))]
impl<'a> FrameCursor<'a> {
    pub(super) fn new(bytes: &'a [u8]) -> FrameCursor<'a> {
        FrameCursor { left: bytes }
    }

    /// Reads the next `n_bytes` bytes.
    pub(super) fn take(&mut self, n_bytes: usize) -> Result<&'a [u8]> {
        let (taken, left) = self.left.split_at_checked(n_bytes).ok_or(FrameError::Truncated)?;
        self.left = left;
        Ok(taken)
    }

    /// Reads the next `N` bytes.
    pub(super) fn array<const N: usize>(&mut self) -> Result<[u8; N]> {
        let (taken, left) = self.left.split_first_chunk::<N>().ok_or(FrameError::Truncated)?;
        self.left = left;
        Ok(*taken)
    }

    pub(super) fn byte(&mut self) -> Result<u8> {
        let [byte] = self.array()?;
        Ok(byte)
    }

    pub(super) fn u32(&mut self) -> Result<u32> {
        Ok(u32::from_le_bytes(self.array()?))
    }

    /// Checks that no bytes follow.
    pub(super) fn end(self) -> Result<()> {
        match self.left.len() as u64 {
            0 => Ok(()),
            n_bytes => Err(FrameError::TrailingBytes { n_bytes }),
        }
    }

    /// The bytes that have not been read.
    #[cfg(feature = "lz4")]
    pub(super) fn rest(self) -> &'a [u8] {
        self.left
    }

    #[cfg(any(feature = "lz4", feature = "zstd-pure"))]
    pub(super) fn n_left(self) -> usize {
        self.left.len()
    }
}
