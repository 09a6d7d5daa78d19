//! The loops of LZ4: blocks, by `lz4_flex`, and the checksum of frames. What a frame is, is in `arrow-ipc`.
//!
//! They are a crate of their own since `lz4_flex` is compiled into each crate that calls it, at that crate's level of
//! optimisation: here always for speed.
#![forbid(unsafe_code)]

mod xxh32;

#[doc(no_inline)]
pub use lz4_flex::block::{CompressTable, DecompressError};

pub use crate::xxh32::{Xxh32, xxh32};

/// Decompresses a block to the beginning of `place`, and returns how many bytes it has.
///
/// # Errors
/// If the block is damaged, or has more bytes than there is room for.
#[inline(never)]
pub fn decompress_block(block: &[u8], place: &mut [u8]) -> Result<usize, DecompressError> {
    lz4_flex::block::decompress_into(block, place)
}

/// As [`decompress_block`], for a block that refers to the bytes before it.
///
/// # Errors
/// As those of [`decompress_block`].
#[inline(never)]
pub fn decompress_block_after(
    before: &[u8],
    block: &[u8],
    place: &mut [u8],
) -> Result<usize, DecompressError> {
    lz4_flex::block::decompress_into_with_dict(block, place, before)
}

/// Compresses bytes to the beginning of `place`, and returns how many there are; `None` if there is no room for
/// [`max_compressed_bytes`].
#[inline(never)]
pub fn compress_block(bytes: &[u8], place: &mut [u8], table: &mut CompressTable) -> Option<usize> {
    lz4_flex::block::compress_into_with_table(bytes, place, table).ok()
}

/// How many bytes a block of `n_bytes` has at most when it is compressed.
pub fn max_compressed_bytes(n_bytes: usize) -> usize {
    lz4_flex::block::get_maximum_output_size(n_bytes)
}
