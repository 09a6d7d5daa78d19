//! The inner loops of LZ4: compressing blocks, decompressing blocks with `lz4_flex`, and the checksum of frames. The
//! crate `arrow-ipc` reads and writes frames.
//!
//! The loops are in a crate of their own, so that they can be compiled for speed while `arrow-ipc` is compiled for
//! size. `lz4_flex` is compiled into each crate that calls it, with the optimisation level of that crate.
#![forbid(unsafe_code)]

mod compress;
mod xxh32;

#[doc(no_inline)]
pub use lz4_flex::block::DecompressError;

pub use crate::compress::{CompressTable, MAX_BLOCK_BYTES, MAX_COMPRESSED_BYTES, compress_block};
pub use crate::xxh32::{Xxh32, xxh32};

/// Decompresses a block to the start of `place`, and returns the number of decompressed bytes.
///
/// # Errors
/// If the block is damaged, or its content is longer than `place`.
#[inline(never)]
pub fn decompress_block(block: &[u8], place: &mut [u8]) -> Result<usize, DecompressError> {
    lz4_flex::block::decompress_into(block, place)
}

/// Like [`decompress_block`], but for a block that refers to bytes of earlier blocks. `before` has the bytes before the block.
///
/// # Errors
/// The errors of [`decompress_block`].
#[inline(never)]
pub fn decompress_block_after(
    before: &[u8],
    block: &[u8],
    place: &mut [u8],
) -> Result<usize, DecompressError> {
    lz4_flex::block::decompress_into_with_dict(block, place, before)
}
