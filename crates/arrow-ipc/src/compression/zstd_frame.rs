//! The structure of Zstandard frames: headers and blocks, which are not decompressed. Follows RFC 8878.

use super::codec::FrameCursor;
use crate::error::{FrameError, FrameResult as Result};

const MAGIC: u32 = 0xFD2F_B528;
/// The magic of a skippable frame. Its last four bits may have any value.
const SKIPPABLE_MAGIC: u32 = 0x184D_2A50;

/// The maximum number of bytes in a compressed block.
pub(super) const MAX_BLOCK_BYTES: u64 = 128 << 10;

/// The fields of the header of a frame.
pub(super) struct Header {
    /// The maximum distance from a match back to the bytes that it repeats.
    pub(super) window_bytes: u64,
    /// The byte that states the window; `None` if the window is the whole content.
    #[allow(dead_code)] // The C library reads it itself.
    pub(super) window: Option<u8>,
    pub(super) has_checksum: bool,
}

impl Header {
    /// Reads the header at the cursor. If it states the length of the content, this length must be `declared`.
    pub(super) fn parse_for(cursor: &mut FrameCursor<'_>, declared: u64) -> Result<Header> {
        match cursor.u32()? {
            MAGIC => {}
            magic if magic & !0xf == SKIPPABLE_MAGIC => {
                return Err(FrameError::Kind { what: "a body must not have skippable frames" });
            }
            found => return Err(FrameError::Magic { found }),
        }
        let flags = cursor.byte()?;
        let is_single_segment = flags >> 5 & 1 == 1;
        if flags >> 3 & 1 == 1 {
            return Err(FrameError::Header { what: "the header has reserved bits set" });
        }
        // The window is needed only for decompression in several steps.
        let window = if is_single_segment { None } else { Some(cursor.byte()?) };
        let window_bytes = window.map_or(declared, window_bytes);
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
        match content_bytes {
            Some(found) if found != declared => Err(FrameError::Size { declared, found }),
            Some(_) | None => Ok(Header { window_bytes, window, has_checksum: flags >> 2 & 1 == 1 }),
        }
    }
}

/// The length of the window in bytes: a power of two, plus up to seven eighths of this power. At most 3.75 TiB.
pub(super) fn window_bytes(descriptor: u8) -> u64 {
    let base = 1u64 << (10 + (descriptor >> 3));
    base + base / 8 * u64::from(descriptor & 7)
}

/// Walks the blocks of exactly one frame. Returns the maximum number of bytes that it can hold.
pub(super) fn walk(frame: &[u8], declared: u64) -> Result<u64> {
    let mut cursor = FrameCursor::new(frame);
    let header = Header::parse_for(&mut cursor, declared)?;
    let most = walk_blocks(&mut cursor)?;
    if header.has_checksum {
        cursor.u32()?;
    }
    cursor.end()?;
    Ok(most)
}

/// The maximum number of bytes that a frame of this length can hold. Each block takes at least four bytes.
pub(super) fn most_of(n_frame_bytes: u64) -> u64 {
    (n_frame_bytes / 4).saturating_mul(MAX_BLOCK_BYTES)
}

fn walk_blocks(cursor: &mut FrameCursor<'_>) -> Result<u64> {
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
        // No loss: the length is less than 2²¹.
        cursor.take(n_stored as usize)?;
        most = most.saturating_add(expanded.min(MAX_BLOCK_BYTES));
        if header & 1 == 1 {
            return Ok(most);
        }
    }
}
