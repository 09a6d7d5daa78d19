//! The headers of LZ4 frames and of their blocks. Follows "LZ4 Frame Format Description" 1.6.

use std::fmt;

use crate::xxh32;

/// The magic of a frame, which is stored in little-endian byte order.
pub const FRAME_MAGIC: u32 = 0x184D_2204;

/// What the first four bytes of a frame say about it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FrameKind {
    /// A frame with a [`FrameDescriptor`] and blocks.
    Blocks,
    /// A frame of the legacy format, which some tools still write.
    Legacy,
    /// A skippable frame: its length as four bytes, and that many bytes of user data.
    Skippable,
    /// No frame of LZ4.
    Unknown,
}

impl FrameKind {
    /// The kind of the frame that begins with this magic.
    pub fn from_magic(magic: u32) -> FrameKind {
        const LEGACY: u32 = 0x184C_2102;
        // The last four bits may have any value.
        const SKIPPABLE: u32 = 0x184D_2A50;
        match magic {
            FRAME_MAGIC => FrameKind::Blocks,
            LEGACY => FrameKind::Legacy,
            magic if magic & !0xf == SKIPPABLE => FrameKind::Skippable,
            _ => FrameKind::Unknown,
        }
    }
}

/// What a frame states between its magic and its first block.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FrameDescriptor {
    /// The maximum length of a block in bytes, compressed or not: from 64 KiB to 4 MiB.
    pub max_block_bytes: usize,
    /// Whether no block repeats bytes of earlier blocks.
    pub are_blocks_independent: bool,
    /// Whether a checksum follows each block.
    pub have_block_checksums: bool,
    /// Whether a checksum of the content follows the last block.
    pub has_content_checksum: bool,
    /// The length of the content in bytes, if the frame states it.
    pub n_content_bytes: Option<u64>,
}

impl FrameDescriptor {
    /// Parses the descriptor at the start of these bytes. Returns its length, too.
    ///
    /// # Errors
    /// If the descriptor is malformed or truncated, or if the frame needs an external dictionary.
    pub fn parse(bytes: &[u8]) -> Result<(FrameDescriptor, usize), DescriptorError> {
        let needed = |n_needed| DescriptorError::Truncated { n_needed };
        let Some([flags, block_size]) = bytes.first_chunk().copied() else { return Err(needed(3)) };
        let has = |bit: u8| flags >> bit & 1 == 1;
        if flags >> 6 != 1 {
            return Err(DescriptorError::Version);
        }
        let max_block_bytes = match block_size >> 4 {
            size @ 4..=7 => 1usize << (8 + 2 * size),
            _ => return Err(DescriptorError::BlockSize),
        };
        if has(1) || block_size & 0xf != 0 {
            return Err(DescriptorError::ReservedBits);
        }
        let (n_content_bytes, n_before) = if has(3) {
            let length = bytes.get(2..).and_then(<[u8]>::first_chunk).ok_or(needed(11))?;
            (Some(u64::from_le_bytes(*length)), 10)
        } else {
            (None, 2)
        };
        if has(0) {
            return Err(DescriptorError::Dictionary);
        }
        let (described, checksum) = bytes.split_at_checked(n_before).ok_or(needed(n_before + 1))?;
        let expected = u32::from(*checksum.first().ok_or(needed(n_before + 1))?);
        let found = xxh32(described) >> 8 & 0xff;
        if expected != found {
            return Err(DescriptorError::Checksum { expected, found });
        }
        let descriptor = FrameDescriptor {
            max_block_bytes,
            are_blocks_independent: has(5),
            have_block_checksums: has(4),
            has_content_checksum: has(2),
            n_content_bytes,
        };
        Ok((descriptor, n_before + 1))
    }
}

/// The reason why a descriptor is refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DescriptorError {
    /// The descriptor has at least `n_needed` bytes, and fewer were passed.
    Truncated {
        /// The number of bytes to pass.
        n_needed: usize,
    },
    /// The version is not 1.
    Version,
    /// The block size is reserved.
    BlockSize,
    /// A reserved bit is set.
    ReservedBits,
    /// The frame needs an external dictionary.
    Dictionary,
    /// The checksum of the descriptor does not match its bytes.
    Checksum {
        /// The checksum that the descriptor states.
        expected: u32,
        /// The checksum of the bytes.
        found: u32,
    },
}

impl fmt::Display for DescriptorError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            DescriptorError::Truncated { .. } => "the header of a frame is truncated",
            DescriptorError::Version => "the version of a frame is not 1",
            DescriptorError::BlockSize => "the block size of a frame is reserved",
            DescriptorError::ReservedBits => "the header of a frame has reserved bits set",
            DescriptorError::Dictionary => "a frame needs an external dictionary",
            DescriptorError::Checksum { .. } => "the checksum of a header is wrong",
        })
    }
}

impl std::error::Error for DescriptorError {}

/// The length of a block, as the four bytes before the block state it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BlockLength {
    /// The number of bytes that follow.
    pub n_bytes: u32,
    /// Whether these bytes are the content itself, without compression.
    pub is_stored: bool,
}

impl BlockLength {
    const IS_STORED: u32 = 1 << 31;

    /// The length that this number states. Returns `None` for the end mark of a frame.
    pub fn from_number(number: u32) -> Option<BlockLength> {
        let is_stored = number & BlockLength::IS_STORED != 0;
        (number != 0).then_some(BlockLength { n_bytes: number & !BlockLength::IS_STORED, is_stored })
    }

    /// The number that states this length.
    pub fn to_number(self) -> u32 {
        if self.is_stored { self.n_bytes | BlockLength::IS_STORED } else { self.n_bytes }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A descriptor with its checksum.
    fn described(bytes: &[u8]) -> Vec<u8> {
        [bytes, &[(xxh32(bytes) >> 8 & 0xff) as u8]].concat()
    }

    #[test]
    fn descriptors_are_parsed_and_state_how_many_bytes_they_need() {
        let length = [&[0b0110_1000, 7 << 4][..], &300u64.to_le_bytes()].concat();
        let bytes = described(&length);
        let (descriptor, n_bytes) = FrameDescriptor::parse(&[&bytes[..], &[9]].concat()).unwrap();
        let expected = FrameDescriptor {
            max_block_bytes: 4 << 20,
            are_blocks_independent: true,
            have_block_checksums: false,
            has_content_checksum: false,
            n_content_bytes: Some(300),
        };
        assert_eq!((descriptor, n_bytes), (expected, 11));
        for n_bytes in 0..bytes.len() {
            let n_needed = if n_bytes < 2 { 3 } else { 11 };
            let error = FrameDescriptor::parse(&bytes[..n_bytes]).unwrap_err();
            assert_eq!(error, DescriptorError::Truncated { n_needed });
        }
    }

    #[test]
    fn bad_descriptors_are_refused() {
        let parse = |bytes: &[u8]| FrameDescriptor::parse(&described(bytes)).unwrap_err();
        assert_eq!(parse(&[0b1010_0000, 4 << 4]), DescriptorError::Version);
        assert_eq!(parse(&[0b0110_0000, 3 << 4]), DescriptorError::BlockSize);
        assert_eq!(parse(&[0b0110_0000, 8 << 4]), DescriptorError::BlockSize);
        assert_eq!(parse(&[0b0110_0010, 4 << 4]), DescriptorError::ReservedBits);
        assert_eq!(parse(&[0b0110_0000, 4 << 4 | 1]), DescriptorError::ReservedBits);
        assert_eq!(parse(&[0b0110_0001, 4 << 4]), DescriptorError::Dictionary);
        let wrong = [0b0110_0000, 4 << 4, 0];
        let found = xxh32(&wrong[..2]) >> 8 & 0xff;
        let error = FrameDescriptor::parse(&wrong).unwrap_err();
        assert_eq!(error, DescriptorError::Checksum { expected: 0, found });
    }
}
