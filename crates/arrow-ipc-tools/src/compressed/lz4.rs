//! Decompresses LZ4 frames while they are read, as "LZ4 Frame Format Description" 1.6 describes them. Buffers of messages
//! are decompressed by `arrow-ipc`, which has each frame in memory, and knows the length of its content.

use std::io::{self, BufRead, Read};

use arrow_ipc_lz4::{
    BlockLength, DescriptorError, FrameDescriptor, FrameKind, Xxh32, decompress_block,
    decompress_block_after, xxh32,
};

/// The maximum distance from a match back to the bytes that it repeats.
const MAX_OFFSET: usize = u16::MAX as usize;

/// The maximum number of decompressed bytes for each compressed byte.
const MAX_EXPANSION: usize = 255;

/// Frames in a row, each with its header, blocks and end. Needs memory for two blocks, which have at most 4 MiB.
pub(super) struct Lz4Frames<R> {
    bytes: R,
    /// The frame that is read; `None` before a frame, and at the end.
    frame: Option<OpenFrame>,
    /// The compressed bytes of a block.
    block: Vec<u8>,
    /// The bytes that the next block may repeat, then the last block.
    decompressed: Vec<u8>,
    /// The number of bytes at the start of `decompressed` that were returned.
    n_read: usize,
}

/// What the header of a frame states, and what was read of the frame.
struct OpenFrame {
    descriptor: FrameDescriptor,
    n_content: u64,
    /// The hash of the content so far, if the frame has a checksum of the content.
    hash: Option<Xxh32>,
}

impl<R: BufRead> Lz4Frames<R> {
    pub(super) fn new(bytes: R) -> Lz4Frames<R> {
        Lz4Frames { bytes, frame: None, block: Vec::new(), decompressed: Vec::new(), n_read: 0 }
    }

    /// Reads the start of the next frame, and skips skippable frames. Returns `None` at the end of the input.
    fn header(&mut self) -> io::Result<Option<OpenFrame>> {
        while !self.bytes.fill_buf()?.is_empty() {
            match FrameKind::from_magic(self.number()?) {
                FrameKind::Blocks => return self.descriptor().map(Some),
                FrameKind::Legacy => {
                    return Err(damaged("a frame of the legacy format of LZ4 is unsupported"));
                }
                FrameKind::Skippable => skip_content(&mut self.bytes)?,
                FrameKind::Unknown => return Err(damaged("other bytes follow its end")),
            }
        }
        Ok(None)
    }

    fn descriptor(&mut self) -> io::Result<OpenFrame> {
        let mut bytes = Vec::new();
        let descriptor = loop {
            match FrameDescriptor::parse(&bytes) {
                Ok((descriptor, _)) => break descriptor,
                Err(DescriptorError::Truncated { n_needed }) => {
                    let n_before = bytes.len();
                    bytes.resize(n_needed, 0);
                    self.bytes.read_exact(bytes.get_mut(n_before..).unwrap_or_default())?;
                }
                Err(error) => return Err(io::Error::new(io::ErrorKind::InvalidData, error)),
            }
        };
        let hash = descriptor.has_content_checksum.then(Xxh32::new);
        Ok(OpenFrame { descriptor, n_content: 0, hash })
    }

    /// Reads the next block to the end of `decompressed`. Returns `false` at the end of the frame.
    fn next_block(&mut self, frame: &mut OpenFrame) -> io::Result<bool> {
        let descriptor = frame.descriptor;
        let Some(BlockLength { n_bytes, is_stored }) = BlockLength::from_number(self.number()?) else {
            if descriptor.n_content_bytes.is_some_and(|n_bytes| n_bytes != frame.n_content) {
                return Err(damaged("the content has another length than its frame states"));
            }
            if let Some(hash) = &frame.hash
                && self.number()? != hash.finish()
            {
                return Err(damaged("the checksum of the content is wrong"));
            }
            return Ok(false);
        };
        let most = u64::try_from(descriptor.max_block_bytes).unwrap_or(u64::MAX);
        if u64::from(n_bytes) > most {
            return Err(damaged("a block is longer than its frame allows"));
        }
        self.block.clear();
        // Memory grows with the bytes that arrive.
        let n_found = self.bytes.by_ref().take(u64::from(n_bytes)).read_to_end(&mut self.block)?;
        if u64::try_from(n_found).ok() != Some(u64::from(n_bytes)) {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        if descriptor.have_block_checksums && self.number()? != xxh32(&self.block) {
            return Err(damaged("the checksum of a block is wrong"));
        }
        let n_retained =
            if descriptor.are_blocks_independent { 0 } else { self.decompressed.len().min(MAX_OFFSET) };
        self.decompressed.drain(..self.decompressed.len().saturating_sub(n_retained));
        self.n_read = n_retained;
        if is_stored {
            self.decompressed.extend_from_slice(&self.block);
        } else {
            let capacity = self.block.len().saturating_mul(MAX_EXPANSION).min(descriptor.max_block_bytes);
            self.decompressed.resize(n_retained.saturating_add(capacity), 0);
            let (before, buffer) = self.decompressed.split_at_mut(n_retained);
            let n_decompressed = match before {
                [] => decompress_block(&self.block, buffer),
                before => decompress_block_after(before, &self.block, buffer),
            };
            let n_decompressed = n_decompressed.map_err(|error| damaged(&error.to_string()))?;
            self.decompressed.truncate(n_retained.saturating_add(n_decompressed));
        }
        let content = self.decompressed.get(n_retained..).unwrap_or_default();
        frame.n_content = frame.n_content.saturating_add(content.len() as u64);
        frame.hash.iter_mut().for_each(|hash| hash.update(content));
        Ok(true)
    }

    fn number(&mut self) -> io::Result<u32> {
        self.array().map(u32::from_le_bytes)
    }

    fn array<const N: usize>(&mut self) -> io::Result<[u8; N]> {
        let mut array = [0; N];
        self.bytes.read_exact(&mut array)?;
        Ok(array)
    }
}

impl<R: BufRead> Read for Lz4Frames<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if buffer.is_empty() {
            return Ok(0);
        }
        loop {
            let mut left = self.decompressed.get(self.n_read..).unwrap_or_default();
            let n_bytes = left.read(buffer)?;
            if n_bytes > 0 {
                self.n_read = self.n_read.saturating_add(n_bytes);
                return Ok(n_bytes);
            }
            let mut frame = match self.frame.take() {
                Some(frame) => frame,
                None => {
                    // A frame does not repeat bytes of another.
                    self.decompressed = Vec::new();
                    self.n_read = 0;
                    let Some(frame) = self.header()? else { return Ok(0) };
                    frame
                }
            };
            if self.next_block(&mut frame)? {
                self.frame = Some(frame);
            }
        }
    }
}

/// Skips the skippable frames at the start. Returns the magic of the next frame, or the bytes that are left instead.
pub(super) fn skip_frames(bytes: &mut impl BufRead) -> io::Result<Vec<u8>> {
    loop {
        let mut magic = Vec::new();
        bytes.by_ref().take(size_of::<u32>() as u64).read_to_end(&mut magic)?;
        match magic[..].try_into().map(u32::from_le_bytes) {
            Ok(number) if FrameKind::from_magic(number) == FrameKind::Skippable => skip_content(bytes)?,
            Ok(_) | Err(_) => return Ok(magic),
        }
    }
}

/// Skips the length and the content of a skippable frame.
fn skip_content(bytes: &mut impl BufRead) -> io::Result<()> {
    let mut length = [0; 4];
    bytes.read_exact(&mut length)?;
    let n_bytes = u64::from(u32::from_le_bytes(length));
    if io::copy(&mut bytes.by_ref().take(n_bytes), &mut io::sink())? < n_bytes {
        return Err(io::ErrorKind::UnexpectedEof.into());
    }
    Ok(())
}

fn damaged(what: &str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, what)
}
