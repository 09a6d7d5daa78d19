//! One message of a file, found through the footer.

use std::ops::Range;

use arrow_buffer::Buffer;
use arrow_ipc_format::flatbuf as fb;

use super::footer::START_BYTES;
use crate::{
    error::{BlockIndex, IpcError, IpcErrorKind, Result},
    frame::Prefix,
    limits::Limits,
    message::Head,
};

/// Where a message is in a file. It lies between the magic and the footer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Block {
    position: u64,
    n_metadata_bytes: u64,
    n_body_bytes: u64,
}

type Blocks<'a> = Option<planus::Vector<'a, fb::BlockRef<'a>>>;

impl Block {
    pub(super) fn parse_all(
        blocks: Blocks<'_>,
        footer_position: u64,
        index: fn(usize) -> BlockIndex,
    ) -> Result<Vec<Block>> {
        let blocks = blocks.into_iter().flatten().enumerate();
        blocks.map(|(idx, block)| Block::parse(index(idx), block, footer_position)).collect()
    }

    fn parse(index: BlockIndex, block: fb::BlockRef<'_>, footer_position: u64) -> Result<Block> {
        let (offset, metadata_bytes, body_bytes) =
            (block.offset(), block.meta_data_length(), block.body_length());
        let parse = || {
            let position = u64::try_from(offset).ok().filter(|position| *position >= START_BYTES)?;
            let n_metadata_bytes = u64::try_from(metadata_bytes).ok().filter(|n_bytes| *n_bytes > 0)?;
            let n_body_bytes = u64::try_from(body_bytes).ok()?;
            let end = position.checked_add(n_metadata_bytes)?.checked_add(n_body_bytes)?;
            (end <= footer_position).then_some(Block { position, n_metadata_bytes, n_body_bytes })
        };
        parse().ok_or_else(|| {
            IpcErrorKind::BlockOutOfFile { block: index, offset, metadata_bytes, body_bytes }.into()
        })
    }

    /// The block as the wire has it.
    pub(super) fn to_wire(self) -> Result<fb::Block> {
        let too_long = |_| IpcError::internal("a block that was read is longer than the format can express");
        Ok(fb::Block {
            offset: i64::try_from(self.position).map_err(too_long)?,
            meta_data_length: i32::try_from(self.n_metadata_bytes).map_err(too_long)?,
            body_length: i64::try_from(self.n_body_bytes).map_err(too_long)?,
        })
    }

    /// The position of the message's first byte in the file.
    pub fn position(&self) -> u64 {
        self.position
    }

    /// Where the next message may begin.
    pub(super) fn end(&self) -> u64 {
        self.position + self.n_bytes()
    }

    /// Bytes before the body: prefix, metadata and its padding.
    pub fn n_metadata_bytes(&self) -> u64 {
        self.n_metadata_bytes
    }

    /// Bytes of the body.
    pub fn n_body_bytes(&self) -> u64 {
        self.n_body_bytes
    }

    /// Bytes of the whole message.
    pub fn n_bytes(&self) -> u64 {
        self.n_metadata_bytes + self.n_body_bytes
    }

    /// The range of prefix and metadata. No sums here overflow: `parse` has added the same numbers.
    pub(super) fn metadata_range(&self) -> Range<u64> {
        self.position..self.position + self.n_metadata_bytes
    }

    /// Where the body begins.
    pub(super) fn body_position(&self) -> u64 {
        self.position + self.n_metadata_bytes
    }

    /// The range of the body.
    pub(super) fn body_range(&self) -> Range<u64> {
        self.body_position()..self.body_position() + self.n_body_bytes
    }

    /// Parses prefix and metadata, and compares their lengths with the block's.
    pub(super) fn metadata(&self, bytes: &Buffer, limits: &Limits) -> Result<Head> {
        let Some(Prefix::Message { n_prefix_bytes, n_metadata_bytes }) = Prefix::parse(bytes)? else {
            return Err(IpcErrorKind::Missing { what: "the message of a block" }.into());
        };
        let n_metadata_bytes = u64::from(n_metadata_bytes);
        let found = n_prefix_bytes.saturating_add(n_metadata_bytes);
        self.compare("the metadata", self.n_metadata_bytes, found)?;
        Limits::check("bytes of metadata", n_metadata_bytes, limits.max_metadata_bytes)?;
        // Since both lengths agree, all of it is there.
        let metadata = bytes.try_slice(n_prefix_bytes, n_metadata_bytes)?;
        let head = Head::parse(metadata, limits)?;
        self.compare("the body", self.n_body_bytes, head.n_body_bytes())?;
        Ok(head)
    }

    fn compare(&self, what: &'static str, footer: u64, message: u64) -> Result<()> {
        if footer == message {
            Ok(())
        } else {
            Err(IpcErrorKind::BlockMismatch { what, footer, message }.into())
        }
    }
}
