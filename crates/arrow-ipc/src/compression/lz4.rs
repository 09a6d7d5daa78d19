//! LZ4 frames. Reading decompresses each block directly into the result. Writing makes independent blocks. Follows "LZ4
//! Frame Format Description" 1.6. The crate `arrow-ipc-lz4` compresses and decompresses blocks.

use arrow_buffer::BufferMut;
use arrow_ipc_lz4::{
    BlockLength, CompressTable, DecompressError, DescriptorError, FRAME_MAGIC, FrameDescriptor, FrameKind,
    MAX_BLOCK_BYTES, MAX_COMPRESSED_BYTES, Xxh32, compress_block, decompress_block, decompress_block_after,
    xxh32,
};
use arrow_schema::visit;

use super::codec::{DecompressedPart, FrameCodec, FrameCursor, FrameEncoder, FrameStream, Piece};
use crate::error::{FrameError, FrameResult as Result};

/// The maximum number of decompressed bytes for each compressed byte. A byte can add 255 to the length of a match.
const MAX_EXPANSION: u64 = 255;

/// The maximum distance from a match back to the bytes that it repeats.
const MAX_OFFSET: usize = u16::MAX as usize;

/// The maximum length of the earlier blocks that are retained for linked blocks.
const MAX_EARLIER_BYTES: usize = 2 * MAX_OFFSET;

/// The header of a frame.
#[derive(Debug)]
struct Header {
    n_bytes: usize,
    descriptor: FrameDescriptor,
}

/// A block of a frame, with its header fields.
struct FrameBlock<'a> {
    bytes: &'a [u8],
    is_stored: bool,
    checksum: Option<u32>,
}

impl Header {
    fn parse(frame: &[u8]) -> Result<Header> {
        let mut cursor = FrameCursor::new(frame);
        let magic = cursor.u32()?;
        match FrameKind::from_magic(magic) {
            FrameKind::Blocks => {}
            FrameKind::Legacy => return Err(FrameError::Kind { what: "legacy frames are unsupported" }),
            FrameKind::Skippable => {
                return Err(FrameError::Kind { what: "a body must not have skippable frames" });
            }
            FrameKind::Unknown => return Err(FrameError::Magic { found: magic }),
        }
        let header = |what| FrameError::Header { what };
        let parsed = FrameDescriptor::parse(cursor.rest()).map_err(|error| match error {
            DescriptorError::Truncated { .. } => FrameError::Truncated,
            DescriptorError::Version => header("the version in the header is not 1"),
            DescriptorError::BlockSize => header("the block size in the header is reserved"),
            DescriptorError::ReservedBits => header("the header has reserved bits set"),
            DescriptorError::Dictionary => header("the frame needs an external dictionary"),
            DescriptorError::Checksum { expected, found } => {
                FrameError::Checksum { what: "the header", expected, found }
            }
        });
        let (descriptor, n_descriptor_bytes) = parsed?;
        Ok(Header { n_bytes: frame.len() - cursor.rest().len() + n_descriptor_bytes, descriptor })
    }

    fn blocks<'a>(&self, frame: &'a [u8]) -> FrameCursor<'a> {
        FrameCursor::new(frame.get(self.n_bytes..).unwrap_or_default())
    }

    /// Reads the next block. Returns `None` at the end mark.
    fn block<'a>(&self, cursor: &mut FrameCursor<'a>) -> Result<Option<FrameBlock<'a>>> {
        let Some(BlockLength { n_bytes, is_stored }) = BlockLength::from_number(cursor.u32()?) else {
            return Ok(None);
        };
        // The length has 31 bits, so the cast loses nothing.
        let n_bytes = n_bytes as usize;
        if n_bytes > self.descriptor.max_block_bytes {
            return Err(FrameError::Damaged { cause: "a block is longer than the header allows".into() });
        }
        let bytes = cursor.take(n_bytes)?;
        let checksum = if self.descriptor.have_block_checksums { Some(cursor.u32()?) } else { None };
        Ok(Some(FrameBlock { bytes, is_stored, checksum }))
    }
}

impl Header {
    /// Reads the header. If it states the length of the content, this length must be `declared`.
    fn parse_for(frame: &[u8], declared: u64) -> Result<Header> {
        let header = Header::parse(frame)?;
        match header.descriptor.n_content_bytes {
            Some(found) if found != declared => Err(FrameError::Size { declared, found }),
            Some(_) | None => Ok(header),
        }
    }
}

pub(super) struct Lz4;

impl FrameCodec for Lz4 {
    fn walk(&self, frame: &[u8], declared: u64) -> Result<u64> {
        let header = Header::parse_for(frame, declared)?;
        let mut cursor = header.blocks(frame);
        let mut most = 0u64;
        while let Some(block) = header.block(&mut cursor)? {
            let n_bytes = block.bytes.len() as u64;
            let expanded = (n_bytes * MAX_EXPANSION).min(header.descriptor.max_block_bytes as u64);
            most = most.saturating_add(if block.is_stored { n_bytes } else { expanded });
        }
        if header.descriptor.has_content_checksum {
            cursor.u32()?;
        }
        cursor.end()?;
        Ok(most)
    }

    fn check_header(&self, start: &[u8], declared: u64) -> Result<()> {
        Header::parse_for(start, declared).map(drop)
    }

    fn decompress(&self, frame: &[u8], to: &mut [u8]) -> Result<()> {
        let header = Header::parse(frame)?;
        let mut cursor = header.blocks(frame);
        let declared = to.len() as u64;
        let mut n_done = 0;
        while let Some(block) = header.block(&mut cursor)? {
            if let Some(expected) = block.checksum {
                check("a block", expected, xxh32(block.bytes))?;
            }
            if block.is_stored {
                let end = n_done + block.bytes.len();
                let destination =
                    to.get_mut(n_done..end).ok_or(FrameError::Size { declared, found: end as u64 })?;
                destination.copy_from_slice(block.bytes);
                n_done = end;
                continue;
            }
            let most = to.len().min(n_done + header.descriptor.max_block_bytes);
            let (done, destination) = to[..most].split_at_mut(n_done);
            let n_block_bytes = if header.descriptor.are_blocks_independent {
                decompress_block(block.bytes, destination)
            } else {
                // A match reaches back at most this far.
                let before = &done[done.len().saturating_sub(MAX_OFFSET)..];
                decompress_block_after(before, block.bytes, destination)
            };
            n_done += n_block_bytes.map_err(damaged)?;
        }
        if n_done != to.len() {
            return Err(FrameError::Size { declared, found: n_done as u64 });
        }
        if header.descriptor.has_content_checksum {
            check("the content", cursor.u32()?, xxh32(to))?;
        }
        Ok(())
    }

    fn most_of(&self, n_frame_bytes: u64) -> u64 {
        n_frame_bytes.saturating_mul(MAX_EXPANSION)
    }

    fn open(&self, start: &[u8], declared: u64) -> Result<Option<(Box<dyn FrameStream>, usize)>> {
        let header = Header::parse_for(start, declared)?;
        let n_header_bytes = header.n_bytes;
        let hash = header.descriptor.has_content_checksum.then(Xxh32::new);
        let stream = Stream { header, window: Vec::new(), n_before: 0, n_last: 0, hash };
        Ok(Some((Box::new(stream), n_header_bytes)))
    }

    /// LZ4 has no levels, so writers accept none.
    fn levels(&self) -> Option<(i32, i32)> {
        None
    }

    fn encoder(&self, _: Option<i32>) -> Result<Box<dyn FrameEncoder>> {
        Ok(Box::new(Encoder::default()))
    }
}

/// The state of decompressing a frame block by block.
#[derive(Debug)]
struct Stream {
    header: Header,
    /// Earlier blocks, of which the next block may repeat the end, then the last decompressed block, then unused memory.
    window: Vec<u8>,
    /// The length of the earlier blocks.
    n_before: usize,
    n_last: usize,
    /// The hash of the content so far, if the frame has a checksum of the content.
    hash: Option<Xxh32>,
}

impl FrameStream for Stream {
    /// Decompresses the block at the start of `bytes`. The content has at most `n_left` more bytes.
    fn next<'a>(&'a mut self, bytes: &'a [u8], n_left: usize) -> Result<DecompressedPart<'a>> {
        const LENGTH_AND_CHECKSUM: usize = 8;
        let mut cursor = FrameCursor::new(bytes);
        let block = match self.header.block(&mut cursor) {
            // If the header states a length, `parse_for` has compared it with the declared length.
            Err(FrameError::Truncated) => {
                let number = bytes.first_chunk().map_or(0, |number| u32::from_le_bytes(*number));
                let n_block_bytes = BlockLength::from_number(number).map_or(0, |length| length.n_bytes);
                return Ok(more(n_block_bytes as usize + LENGTH_AND_CHECKSUM));
            }
            block => block?,
        };
        let Some(block) = block else {
            if let Some(hash) = &self.hash {
                let Ok(expected) = cursor.u32() else { return Ok(more(LENGTH_AND_CHECKSUM)) };
                check("the content", expected, hash.finish())?;
            }
            return Ok(DecompressedPart {
                n_used: bytes.len() - cursor.n_left(),
                is_end: true,
                ..DecompressedPart::default()
            });
        };
        let n_used = bytes.len() - cursor.n_left();
        if let Some(expected) = block.checksum {
            check("a block", expected, xxh32(block.bytes))?;
        }
        self.keep_history();
        if block.is_stored && self.header.descriptor.are_blocks_independent {
            if let Some(hash) = &mut self.hash {
                hash.update(block.bytes);
            }
            return Ok(DecompressedPart { n_used, bytes: block.bytes, ..DecompressedPart::default() });
        }
        let n_most = block.bytes.len() * MAX_EXPANSION as usize;
        let n_output = if block.is_stored {
            block.bytes.len()
        } else {
            n_most.min(self.header.descriptor.max_block_bytes).min(n_left)
        };
        let (before, destination) = self.output(n_output, n_left)?;
        self.n_last = if block.is_stored {
            destination.copy_from_slice(block.bytes);
            n_output
        } else if before.is_empty() {
            decompress_block(block.bytes, destination).map_err(damaged)?
        } else {
            decompress_block_after(before, block.bytes, destination).map_err(damaged)?
        };
        let bytes = self.window.get(self.n_before..self.n_before + self.n_last).unwrap_or_default();
        if let Some(hash) = &mut self.hash {
            hash.update(bytes);
        }
        Ok(DecompressedPart { n_used, bytes, ..DecompressedPart::default() })
    }

    /// The maximum number of bytes in memory: a block, the earlier blocks before it, and a copy of the block for later
    /// requests.
    #[cfg(feature = "file")]
    fn max_retained_bytes(&self) -> u64 {
        (2 * self.header.descriptor.max_block_bytes + MAX_EARLIER_BYTES) as u64
    }
}

impl Stream {
    /// Keeps the bytes that the next block may repeat. Moves them to the start of the memory if the earlier blocks became too
    /// long, so it moves fewer bytes than were decompressed, however small blocks are.
    fn keep_history(&mut self) {
        let end = self.n_before + std::mem::take(&mut self.n_last);
        if self.header.descriptor.are_blocks_independent {
            self.n_before = 0;
        } else if end <= MAX_EARLIER_BYTES {
            self.n_before = end;
        } else {
            visit(MAX_OFFSET);
            self.window.copy_within(end - MAX_OFFSET..end, 0);
            self.n_before = MAX_OFFSET;
        }
    }

    /// The bytes that a block of `n_bytes` may repeat, and the memory for the block. The content has at most `n_left` more
    /// bytes.
    fn output(&mut self, n_bytes: usize, n_left: usize) -> Result<(&[u8], &mut [u8])> {
        let end = self.n_before + n_bytes;
        let n_decompressed = self.window.len();
        if end > n_decompressed {
            // The memory is doubled, since growing it for each of many small blocks could copy it each time.
            let n_most = (MAX_EARLIER_BYTES + self.header.descriptor.max_block_bytes)
                .min(self.n_before.saturating_add(n_left))
                .min(n_decompressed.saturating_mul(2));
            let n_wanted = end.max(n_most);
            self.window.try_reserve_exact(n_wanted - n_decompressed).map_err(|_| FrameError::OutOfMemory)?;
            self.window.resize(n_wanted, 0);
        }
        let (before, destination) = self.window.split_at_mut(self.n_before);
        Ok((before, &mut destination[..n_bytes]))
    }
}

/// A step that uses no bytes, and needs at least `n_needed` bytes to continue.
fn more(n_needed: usize) -> DecompressedPart<'static> {
    DecompressedPart { n_needed, ..DecompressedPart::default() }
}

#[cold]
fn damaged(error: DecompressError) -> FrameError {
    let cause = match error {
        DecompressError::OutputTooSmall { .. } => {
            "a block has more bytes than the uncompressed length allows"
        }
        DecompressError::LiteralOutOfBounds | DecompressError::ExpectedAnotherByte => "a block is truncated",
        DecompressError::OffsetZero | DecompressError::OffsetOutOfBounds | _ => {
            "a block repeats bytes that are out of bounds"
        }
    };
    FrameError::Damaged { cause: cause.into() }
}

fn check(what: &'static str, expected: u32, found: u32) -> Result<()> {
    if expected == found { Ok(()) } else { Err(FrameError::Checksum { what, expected, found }) }
}

/// The length of written blocks in bytes.
const BLOCK_BYTES: usize = MAX_BLOCK_BYTES;

/// Makes frames. Reuses the table, but clears it for each block, so that equal bytes make equal frames.
#[derive(Default)]
struct Encoder {
    table: CompressTable,
}

impl FrameEncoder for Encoder {
    fn max_frame_bytes(&self, n_bytes: usize) -> usize {
        let n_blocks = n_bytes.div_ceil(BLOCK_BYTES);
        // Memory for the header and the end mark, for the length and the uncompressed bytes of each block, and for the
        // attempt to compress the last block.
        n_bytes.saturating_add(n_blocks.saturating_mul(4)).saturating_add(16 + MAX_COMPRESSED_BYTES)
    }

    fn compress(&mut self, bytes: &[u8], to: &mut [u8]) -> Result<usize> {
        let mut end = 0;
        put(to, &mut end, &header());
        self.blocks(bytes, to, &mut end)?;
        put(to, &mut end, &[0; 4]);
        Ok(end)
    }

    fn begin(&mut self, _: u64, to: &mut BufferMut) -> Result<()> {
        to.extend_from_slice(&header());
        Ok(())
    }

    /// The frame is the same as for the whole content if the length of each piece except the last is a multiple of the
    /// block length.
    fn add(&mut self, piece: Piece<'_>, to: &mut BufferMut) -> Result<()> {
        let destination = to.spare(self.max_frame_bytes(piece.bytes().len()));
        let mut end = 0;
        self.blocks(piece.bytes(), destination, &mut end)?;
        if let Piece::Last(_) = piece {
            put(destination, &mut end, &[0; 4]);
        }
        to.filled(end);
        Ok(())
    }
}

impl Encoder {
    fn blocks(&mut self, bytes: &[u8], to: &mut [u8], end: &mut usize) -> Result<()> {
        for block in bytes.chunks(BLOCK_BYTES) {
            let too_short = || FrameError::Damaged { cause: "the output is too short for a block".into() };
            let destination = to.get_mut(*end + 4..).ok_or_else(too_short)?;
            let n_compressed = compress_block(block, destination, &mut self.table).ok_or_else(too_short)?;
            // No loss: a block has at most 64 KiB.
            if n_compressed < block.len() {
                put(to, end, &(n_compressed as u32).to_le_bytes());
                *end += n_compressed;
            } else {
                let length = BlockLength { n_bytes: block.len() as u32, is_stored: true };
                put(to, end, &length.to_number().to_le_bytes());
                put(to, end, block);
            }
        }
        Ok(())
    }
}

fn header() -> [u8; 7] {
    const FLAGS: u8 = 1 << 6 | 1 << 5;
    const BLOCK_SIZE: u8 = 4 << 4;
    let [a, b, c, d] = FRAME_MAGIC.to_le_bytes();
    [a, b, c, d, FLAGS, BLOCK_SIZE, (xxh32(&[FLAGS, BLOCK_SIZE]) >> 8 & 0xff) as u8]
}

/// Copies bytes to position `end` of `to`, which must be long enough, and advances `end`.
fn put(to: &mut [u8], end: &mut usize, bytes: &[u8]) {
    to[*end..*end + bytes.len()].copy_from_slice(bytes);
    *end += bytes.len();
}
