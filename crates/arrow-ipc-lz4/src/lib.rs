//! The parts of LZ4 frames that readers of whole frames and of streams share: the headers of frames and blocks, and the
//! checksum. Also the inner loops: compression of blocks, and decompression of blocks with `lz4_flex`.
//!
//! This is a separate crate, so the loops can be compiled for speed, and `arrow-ipc` for size. `lz4_flex` is compiled
//! with the optimisation level of the crate that calls it.
#![forbid(unsafe_code)]

mod compress;
mod frame;
mod xxh32;

#[doc(no_inline)]
pub use lz4_flex::block::DecompressError;

pub use crate::compress::{CompressTable, MAX_BLOCK_BYTES, MAX_COMPRESSED_BYTES, compress_block};
pub use crate::frame::{BlockLength, DescriptorError, FRAME_MAGIC, FrameDescriptor, FrameKind};
pub use crate::xxh32::{Xxh32, xxh32};

/// Decompresses a block into the start of `dest`. Returns the number of decompressed bytes.
///
/// # Errors
/// If the block is damaged, or its content is longer than `dest`.
#[inline(never)]
pub fn decompress_block(block: &[u8], dest: &mut [u8]) -> Result<usize, DecompressError> {
    lz4_flex::block::decompress_into(block, dest)
}

/// Like [`decompress_block`], for a block that refers to earlier bytes. `before` contains the decompressed bytes before
/// the block.
///
/// # Errors
/// The errors of [`decompress_block`].
#[inline(never)]
pub fn decompress_block_after(
    before: &[u8],
    block: &[u8],
    dest: &mut [u8],
) -> Result<usize, DecompressError> {
    lz4_flex::block::decompress_into_with_dict(block, dest, before)
}
