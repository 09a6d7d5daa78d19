//! Zstandard frames, compressed and decompressed by the C library with reused contexts.

use std::cell::RefCell;

use arrow_buffer::BufferMut;
use zstd::{
    compression_level_range,
    zstd_safe::{
        CCtx, CParameter, DCtx, ErrorCode, InBuffer, OutBuffer, ResetDirective, compress_bound,
        get_error_name,
        zstd_sys::{ZSTD_EndDirective, ZSTD_ErrorCode},
    },
};

use super::{
    codec::{DecompressedPart, FrameCodec, FrameCursor, FrameEncoder, FrameStream, Piece},
    zstd_frame::{self, Header, MAX_BLOCK_BYTES},
};
use crate::error::{FrameError, FrameResult as Result};

pub(super) struct Zstd;

impl FrameCodec for Zstd {
    /// The library accepts several frames in a row, and ignores skippable frames. A buffer of a body must be exactly one frame.
    fn walk(&self, frame: &[u8], declared: u64) -> Result<u64> {
        zstd_frame::walk(frame, declared)
    }

    fn check_header(&self, start: &[u8], declared: u64) -> Result<()> {
        Header::parse_for(&mut FrameCursor::new(start), declared).map(drop)
    }

    fn decompress(&self, frame: &[u8], to: &mut [u8]) -> Result<()> {
        let declared = to.len() as u64;
        let n_done = DECOMPRESSOR.with_borrow_mut(|context| {
            let context = match context {
                Some(context) => context,
                None => context.insert(DCtx::try_create().ok_or(FrameError::OutOfMemory)?),
            };
            context.decompress(to, frame).map_err(failed)
        })?;
        if n_done == to.len() { Ok(()) } else { Err(FrameError::Size { declared, found: n_done as u64 }) }
    }

    fn most_of(&self, n_frame_bytes: u64) -> u64 {
        zstd_frame::most_of(n_frame_bytes)
    }

    /// Uses no bytes of the frame.
    fn open(&self, start: &[u8], declared: u64) -> Result<Option<(Box<dyn FrameStream>, usize)>> {
        let Header { window_bytes, .. } = Header::parse_for(&mut FrameCursor::new(start), declared)?;
        if window_bytes > MAX_WINDOW_BYTES {
            return Ok(None);
        }
        let (mut context, memory) = match PIECEWISE.take() {
            Some(cached) => cached,
            None => (DCtx::try_create().ok_or(FrameError::OutOfMemory)?, vec![0; MAX_BLOCK_BYTES as usize]),
        };
        context.reset(ResetDirective::SessionOnly).map_err(failed)?;
        Ok(Some((Box::new(Stream { context: Some((context, memory)), window_bytes }), 0)))
    }

    fn levels(&self) -> Option<(i32, i32)> {
        let levels = compression_level_range();
        Some((*levels.start(), *levels.end()))
    }

    fn encoder(&self, level: Option<i32>) -> Result<Box<dyn FrameEncoder>> {
        let mut context = CCtx::try_create().ok_or(FrameError::OutOfMemory)?;
        let level = CParameter::CompressionLevel(level.unwrap_or(DEFAULT_LEVEL));
        context.set_parameter(level).map_err(failed)?;
        Ok(Box::new(Encoder(context)))
    }
}

thread_local! {
    /// The context of this thread. Each frame reuses it, since making a context takes longer than decompressing a small
    /// buffer. A context takes about 100 KiB, for any window.
    static DECOMPRESSOR: RefCell<Option<DCtx<'static>>> = const { RefCell::new(None) };
}

/// Frames with a larger window are decompressed as a whole, since decompression in several steps would also need memory
/// for the window. Level 19 has windows of this size.
const MAX_WINDOW_BYTES: u64 = 8 << 20;

/// Contexts with a larger window are dropped after use.
const MAX_RETAINED_WINDOW_BYTES: u64 = 2 << 20;

thread_local! {
    /// The context and the memory of the last frame that was decompressed in several steps. The next frame reuses them.
    static PIECEWISE: RefCell<Option<(DCtx<'static>, Vec<u8>)>> = const { RefCell::new(None) };
}

/// The state of decompressing a frame in several steps.
struct Stream {
    /// `None` only during `drop`.
    context: Option<(DCtx<'static>, Vec<u8>)>,
    window_bytes: u64,
}

impl FrameStream for Stream {
    /// The maximum number of bytes in memory: the window with its last block, the next block, and a copy of the next
    /// block for later requests.
    #[cfg(feature = "file")]
    fn max_retained_bytes(&self) -> u64 {
        self.window_bytes.saturating_add(3 * MAX_BLOCK_BYTES)
    }

    fn next<'a>(&'a mut self, bytes: &'a [u8], n_left: usize) -> Result<DecompressedPart<'a>> {
        let Some((context, memory)) = &mut self.context else { return Err(FrameError::OutOfMemory) };
        // One byte more than `n_left`, to detect content that is too long.
        let n_output = n_left.saturating_add(1).min(memory.len());
        let mut input = InBuffer::around(bytes);
        let mut output = OutBuffer::around(&mut memory[..n_output]);
        let n_hint = context.decompress_stream(&mut output, &mut input).map_err(failed)?;
        let n_used = input.pos();
        let n_decompressed = output.pos();
        Ok(DecompressedPart { n_used, bytes: &memory[..n_decompressed], is_end: n_hint == 0, n_needed: 1 })
    }
}

impl Drop for Stream {
    fn drop(&mut self) {
        if self.window_bytes <= MAX_RETAINED_WINDOW_BYTES {
            // If the thread is ending, the context is dropped instead of stored.
            let _ = PIECEWISE.try_with(|cached| cached.replace(self.context.take()));
        }
    }
}

impl std::fmt::Debug for Stream {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Stream").field("window_bytes", &self.window_bytes).finish_non_exhaustive()
    }
}

/// Converts an error code of the library, which is a negated error number.
#[cold]
fn failed(code: ErrorCode) -> FrameError {
    const NO_MEMORY: ErrorCode = (ZSTD_ErrorCode::ZSTD_error_memory_allocation as ErrorCode).wrapping_neg();
    const OUTPUT_FULL: ErrorCode = (ZSTD_ErrorCode::ZSTD_error_dstSize_tooSmall as ErrorCode).wrapping_neg();
    match code {
        NO_MEMORY => FrameError::OutOfMemory,
        OUTPUT_FULL => FrameError::Damaged { cause: "more bytes than the uncompressed length allows".into() },
        code => FrameError::Damaged { cause: get_error_name(code).into() },
    }
}

const DEFAULT_LEVEL: i32 = 1;

/// Makes frames of one level, with the length of the content in the header and without a checksum.
struct Encoder(CCtx<'static>);

impl FrameEncoder for Encoder {
    fn max_frame_bytes(&self, n_bytes: usize) -> usize {
        compress_bound(n_bytes)
    }

    fn compress(&mut self, bytes: &[u8], to: &mut [u8]) -> Result<usize> {
        self.0.compress2(to, bytes).map_err(failed)
    }

    fn begin(&mut self, n_bytes: u64, _: &mut BufferMut) -> Result<()> {
        self.0.reset(ResetDirective::SessionOnly).map_err(failed)?;
        self.0.set_pledged_src_size(Some(n_bytes)).map(drop).map_err(failed)
    }

    fn add(&mut self, piece: Piece<'_>, to: &mut BufferMut) -> Result<()> {
        let mut input = InBuffer::around(piece.bytes());
        let directive = match piece {
            Piece::Next(_) => ZSTD_EndDirective::ZSTD_e_continue,
            Piece::Last(_) => ZSTD_EndDirective::ZSTD_e_end,
        };
        loop {
            let mut output = OutBuffer::around(to.spare(MAX_BLOCK_BYTES as usize));
            let n_left = self.0.compress_stream2(&mut output, &mut input, directive);
            let n_decompressed = output.pos();
            to.filled(n_decompressed);
            let n_left = n_left.map_err(failed)?;
            let is_done = match piece {
                Piece::Next(bytes) => input.pos() == bytes.len(),
                Piece::Last(_) => n_left == 0,
            };
            if is_done {
                return Ok(());
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn refused_memory_is_distinguished_from_damage() {
        let from_number = |number: ErrorCode| number.wrapping_neg();
        assert_eq!(get_error_name(from_number(64)), "Allocation error : not enough memory");
        assert_eq!(failed(from_number(64)), FrameError::OutOfMemory);
        assert!(matches!(failed(from_number(20)), FrameError::Damaged { .. }));
    }
}
