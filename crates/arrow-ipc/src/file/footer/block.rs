//! The position and length of a message in a file, as a footer lists them.

use std::ops::Range;

use crate::error::{FormatErrorKind, IpcError, IpcErrorKind, Result};
use arrow_buffer::Buffer;
use arrow_ipc_format::{Limits, Message, Prefix};

/// The length of the magic with padding, in bytes.
pub const START_BYTES: u64 = 8;

/// The position and length of a message in a file. The message lies between the magic and the footer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Block {
    position: u64,
    n_metadata_bytes: u64,
    n_body_bytes: u64,
}

/// The length of a block in a footer, in bytes.
pub(crate) const BLOCK_BYTES: usize = 24;

/// An unchecked block of a footer.
#[derive(Debug, Clone, Copy)]
pub(crate) struct WireBlock {
    pub(crate) offset: i64,
    pub(crate) metadata_bytes: i32,
    pub(crate) body_bytes: i64,
}

impl WireBlock {
    /// Parses a block: offset, length of the metadata, padding, and length of the body.
    #[inline]
    pub(crate) fn new(bytes: &[u8; BLOCK_BYTES]) -> WireBlock {
        let [o0, o1, o2, o3, o4, o5, o6, o7, m0, m1, m2, m3, _, _, _, _, b0, b1, b2, b3, b4, b5, b6, b7] =
            *bytes;
        WireBlock {
            offset: i64::from_le_bytes([o0, o1, o2, o3, o4, o5, o6, o7]),
            metadata_bytes: i32::from_le_bytes([m0, m1, m2, m3]),
            body_bytes: i64::from_le_bytes([b0, b1, b2, b3, b4, b5, b6, b7]),
        }
    }

    /// The block of a message at this position, with these lengths. `None` if the format cannot express them.
    pub(crate) fn try_new(position: u64, n_metadata_bytes: u64, n_body_bytes: u64) -> Option<WireBlock> {
        Some(WireBlock {
            offset: i64::try_from(position).ok()?,
            metadata_bytes: i32::try_from(n_metadata_bytes).ok()?,
            body_bytes: i64::try_from(n_body_bytes).ok()?,
        })
    }

    /// The reverse of [`new`](WireBlock::new).
    pub(crate) fn to_bytes(self) -> [u8; BLOCK_BYTES] {
        let [o0, o1, o2, o3, o4, o5, o6, o7] = self.offset.to_le_bytes();
        let [m0, m1, m2, m3] = self.metadata_bytes.to_le_bytes();
        let [b0, b1, b2, b3, b4, b5, b6, b7] = self.body_bytes.to_le_bytes();
        [o0, o1, o2, o3, o4, o5, o6, o7, m0, m1, m2, m3, 0, 0, 0, 0, b0, b1, b2, b3, b4, b5, b6, b7]
    }

    /// Whether the block lies between the magic and a footer at `footer_position`.
    #[inline]
    pub(crate) fn is_inside(self, footer_position: u64) -> bool {
        let is_after_magic = self.offset >= START_BYTES.cast_signed();
        let has_lengths = (self.metadata_bytes > 0) & (self.body_bytes >= 0);
        // If the sum overflows, the block ends after any footer.
        let end = self.offset.cast_unsigned().saturating_add(self.n_bytes());
        is_after_magic & has_lengths & (end <= footer_position)
    }

    /// The likely block in place of one that cannot be a message: it follows the block that ends at `last_end`, and ends at
    /// `next`. If these do not tell a number, the block has one byte, or lies far after all messages.
    pub(crate) fn between(self, last_end: Option<i64>, next: Option<i64>, end: u64) -> WireBlock {
        let WireBlock { offset, metadata_bytes, body_bytes } = self;
        let is_in_file = |number: i64| u64::try_from(number).is_ok_and(|number| number < end);
        let offset =
            Some(offset).filter(|offset| *offset >= START_BYTES.cast_signed() && is_in_file(*offset));
        let n_metadata_bytes = Some(i64::from(metadata_bytes)).filter(|n_bytes| *n_bytes > 0);
        let n_body_bytes = Some(body_bytes).filter(|n_bytes| is_in_file(*n_bytes));
        let rest = |one: Option<i64>, other: Option<i64>| next?.checked_sub(one?)?.checked_sub(other?);
        let found = WireBlock {
            offset: offset.or(rest(n_metadata_bytes, n_body_bytes)).or(last_end).unwrap_or(i64::MAX),
            metadata_bytes: n_metadata_bytes
                .or(rest(offset, n_body_bytes))
                .and_then(|n_bytes| i32::try_from(n_bytes).ok())
                .unwrap_or(1),
            body_bytes: n_body_bytes.or(rest(offset, n_metadata_bytes)).unwrap_or(0),
        };
        let far = WireBlock { offset: end.saturating_sub(1).cast_signed(), metadata_bytes: 1, body_bytes: 0 };
        if found.is_inside(end) { found } else { far }
    }

    /// The length of the message. The sum cannot overflow if the block lies inside the file.
    #[inline]
    pub(crate) fn n_bytes(self) -> u64 {
        self.body_bytes.cast_unsigned().saturating_add(u64::from(self.metadata_bytes.cast_unsigned()))
    }
}

impl From<WireBlock> for Block {
    /// The block must lie inside its file, as [`is_inside`](WireBlock::is_inside) checks.
    fn from(block: WireBlock) -> Block {
        Block {
            position: block.offset.cast_unsigned(),
            n_metadata_bytes: block.metadata_bytes.cast_unsigned().into(),
            n_body_bytes: block.body_bytes.cast_unsigned(),
        }
    }
}

impl Block {
    /// The block of a message that was found.
    pub(crate) fn from_message(message: &Message) -> Block {
        Block {
            position: message.position(),
            n_metadata_bytes: message.n_metadata_bytes(),
            n_body_bytes: message.n_body_bytes(),
        }
    }

    /// The block with these numbers; `None` if no message can have them.
    pub(crate) fn from_numbers(position: i64, n_metadata_bytes: i64, n_body_bytes: i64) -> Option<Block> {
        let block = Block {
            position: u64::try_from(position).ok()?,
            n_metadata_bytes: u64::try_from(n_metadata_bytes).ok().filter(|n_bytes| *n_bytes > 0)?,
            n_body_bytes: u64::try_from(n_body_bytes).ok()?,
        };
        // The sum has at most 64 bits, and the wire form fewer.
        WireBlock::try_new(block.position, block.n_metadata_bytes, block.n_body_bytes).map(|_| block)
    }

    /// The block of a body at the start of a source, without metadata.
    pub(crate) fn from_body_length(n_body_bytes: u64) -> Block {
        Block { position: 0, n_metadata_bytes: 0, n_body_bytes }
    }

    /// The block as the footer stores it.
    ///
    /// # Errors
    /// If the block is longer than the format can express.
    pub(crate) fn to_wire(self) -> Result<WireBlock> {
        let wire = WireBlock::try_new(self.position, self.n_metadata_bytes, self.n_body_bytes);
        let too_long = "a block that was read is longer than the format can express";
        wire.ok_or_else(|| IpcError::internal(too_long))
    }

    /// The position of the first byte of the message, from the start of the file.
    pub fn position(&self) -> u64 {
        self.position
    }

    /// The position after the message.
    pub(crate) fn end(&self) -> u64 {
        self.position + self.n_bytes()
    }

    /// The number of bytes before the body: prefix, metadata, and padding of the metadata.
    pub fn n_metadata_bytes(&self) -> u64 {
        self.n_metadata_bytes
    }

    /// The length of the body in bytes.
    pub fn n_body_bytes(&self) -> u64 {
        self.n_body_bytes
    }

    /// The length of the whole message in bytes: prefix, metadata and body.
    pub fn n_bytes(&self) -> u64 {
        self.n_metadata_bytes + self.n_body_bytes
    }

    /// The range of the whole message in the file.
    pub fn range(&self) -> Range<u64> {
        self.position..self.end()
    }

    /// The range of prefix and metadata. No overflow, since the footer was checked.
    pub(crate) fn metadata_range(&self) -> Range<u64> {
        self.position..self.position + self.n_metadata_bytes
    }

    pub(crate) fn body_position(&self) -> u64 {
        self.position + self.n_metadata_bytes
    }

    pub(crate) fn body_range(&self) -> Range<u64> {
        self.body_position()..self.body_position() + self.n_body_bytes
    }

    /// Reads the message of the block without its body, and compares its lengths with the block. `bytes` are the prefix
    /// and the metadata.
    pub(crate) fn message(&self, index: u64, bytes: &Buffer, limits: &Limits) -> Result<Message> {
        let Some(Prefix::Message { n_prefix_bytes, n_metadata_bytes }) = Prefix::parse(bytes)? else {
            return Err(FormatErrorKind::Missing { what: "the message of the footer's block" }.into());
        };
        let n_metadata_bytes = u64::from(n_metadata_bytes);
        // No overflow: the length of the metadata has 32 bits.
        self.compare("the metadata", self.n_metadata_bytes, n_prefix_bytes + n_metadata_bytes)?;
        Limits::check("bytes of metadata", n_metadata_bytes, limits.max_metadata_bytes())?;
        // Both lengths agree, so `bytes` has all of the metadata.
        let metadata = bytes.try_slice(n_prefix_bytes, n_metadata_bytes)?;
        let message = Message::without_body(index, self.position, n_prefix_bytes, metadata, limits)?;
        self.compare("the body", self.n_body_bytes, message.n_body_bytes())?;
        Ok(message)
    }

    pub(crate) fn compare(&self, what: &'static str, footer: u64, message: u64) -> Result<()> {
        if footer == message {
            Ok(())
        } else {
            Err(IpcErrorKind::BlockMismatch { what, footer, message }.into())
        }
    }
}
