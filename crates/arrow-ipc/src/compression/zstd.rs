//! Zstandard frames, by the C library, with contexts that are reused. Follows RFC 8878.

use std::{cell::RefCell, io};

use zstd::{
    bulk::{Compressor, Decompressor},
    compression_level_range,
    zstd_safe::compress_bound,
};

use super::cursor::Cursor;
use crate::error::FrameError;

const MAGIC: u32 = 0xFD2F_B528;
/// The last four bits may have any value.
const SKIPPABLE_MAGIC: u32 = 0x184D_2A50;

/// What a compressed block holds at most.
const MAX_BLOCK_BYTES: u64 = 128 << 10;

type Result<T> = std::result::Result<T, FrameError>;

/// Proof that the blocks of a frame were walked.
#[derive(Debug)]
pub(super) struct Header;

/// Walks the blocks of a frame without decompressing them. Returns the most bytes that the frame can hold.
///
/// The library accepts several frames in a row and skips unknown ones; a buffer of a body is exactly one frame.
pub(super) fn walk(frame: &[u8], claimed: u64) -> Result<(Header, u64)> {
    let mut cursor = Cursor::new(frame);
    match cursor.u32()? {
        MAGIC => {}
        magic if magic & !0xf == SKIPPABLE_MAGIC => {
            return Err(FrameError::Kind { what: "skippable frames have no place in a body" });
        }
        found => return Err(FrameError::Magic { found }),
    }
    let flags = cursor.byte()?;
    let is_single_segment = flags >> 5 & 1 == 1;
    if flags >> 3 & 1 == 1 {
        return Err(FrameError::Header { what: "the header has reserved bits set" });
    }
    if !is_single_segment {
        // The size of the window, which only streaming decompression needs.
        cursor.byte()?;
    }
    if flags & 3 != 0 {
        return Err(FrameError::Header { what: "the frame needs an external dictionary" });
    }
    let content_bytes = match flags >> 6 {
        0 if is_single_segment => Some(u64::from(cursor.byte()?)),
        0 => None,
        1 => Some(u64::from(u16::from_le_bytes(cursor.array()?)) + 256),
        2 => Some(u64::from(cursor.u32()?)),
        _ => Some(u64::from_le_bytes(cursor.array()?)),
    };
    if let Some(found) = content_bytes
        && found != claimed
    {
        return Err(FrameError::Size { claimed, found });
    }
    let most = walk_blocks(&mut cursor)?;
    if flags >> 2 & 1 == 1 {
        cursor.u32()?;
    }
    cursor.end()?;
    Ok((Header, most))
}

fn walk_blocks(cursor: &mut Cursor<'_>) -> Result<u64> {
    let mut most = 0u64;
    loop {
        let [low, middle, high] = cursor.array()?;
        let header = u32::from_le_bytes([low, middle, high, 0]);
        let n_bytes = header >> 3;
        let (n_stored, expanded) = match header >> 1 & 3 {
            0 => (n_bytes, u64::from(n_bytes)),
            1 => (1, u64::from(n_bytes)),
            2 => (n_bytes, MAX_BLOCK_BYTES),
            _ => return Err(FrameError::Damaged { cause: "a block is of the reserved kind".into() }),
        };
        // Less than 2²¹.
        cursor.take(n_stored as usize)?;
        most = most.saturating_add(expanded.min(MAX_BLOCK_BYTES));
        if header & 1 == 1 {
            return Ok(most);
        }
    }
}

thread_local! {
    /// Making a context takes longer than decompressing a small buffer. It has some 100 KiB, whatever the frames' windows.
    static DECOMPRESSOR: RefCell<Option<Decompressor<'static>>> = const { RefCell::new(None) };
}

/// Decompresses a frame that was walked into `to`, which has the claimed length.
pub(super) fn decompress(_: &Header, frame: &[u8], to: &mut [u8]) -> Result<()> {
    let claimed = to.len() as u64;
    let n_done = DECOMPRESSOR.with_borrow_mut(|context| {
        let context = match context {
            Some(context) => context,
            None => context.insert(Decompressor::new().map_err(damaged)?),
        };
        context.decompress_to_buffer(frame, to).map_err(damaged)
    })?;
    if n_done == to.len() { Ok(()) } else { Err(FrameError::Size { claimed, found: n_done as u64 }) }
}

#[cold]
fn damaged(error: io::Error) -> FrameError {
    FrameError::Damaged { cause: error.to_string().into() }
}

/// The lowest and the highest level.
pub(super) fn levels() -> Option<(i32, i32)> {
    let levels = compression_level_range();
    Some((*levels.start(), *levels.end()))
}

/// The level unless one is chosen.
const DEFAULT_LEVEL: i32 = 1;

/// Makes frames of one level, with the length of the content in the header and without a checksum.
pub(super) struct Encoder(Compressor<'static>);

impl Encoder {
    pub(super) fn try_new(level: Option<i32>) -> Result<Encoder> {
        Ok(Encoder(Compressor::new(level.unwrap_or(DEFAULT_LEVEL)).map_err(damaged)?))
    }

    /// The room that a frame of `n_bytes` needs while it is made.
    pub(super) fn room(n_bytes: usize) -> usize {
        compress_bound(n_bytes)
    }

    /// Makes a frame in `to`, which has [`room`](Encoder::room) for it. Returns the length of the frame.
    pub(super) fn compress(&mut self, bytes: &[u8], to: &mut [u8]) -> Result<usize> {
        self.0.compress_to_buffer(bytes, to).map_err(damaged)
    }
}
