//! One message of a file, found through the footer.

use std::ops::Range;

use arrow_buffer::Buffer;
use arrow_ipc_format::flatbuf as fb;
use planus::{SliceWithStartOffset, TableRead, Vector, errors::ErrorKind, table_reader::Table};

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

/// The blocks of one list of a footer, where they are: structs of 24 bytes.
#[derive(Debug, Clone, Copy)]
pub(super) struct BlockList<'a>(&'a [[u8; BLOCK_BYTES]]);

const BLOCK_BYTES: usize = 24;

impl<'a> TableRead<'a> for BlockList<'a> {
    fn from_buffer(
        bytes: SliceWithStartOffset<'a>,
        offset: usize,
    ) -> std::result::Result<BlockList<'a>, ErrorKind> {
        // The generated list finds the same bytes, and knows how many blocks they are.
        let n_blocks = Vector::<fb::BlockRef<'_>>::from_buffer(bytes, offset)?.len();
        let distance = u32::from_buffer(bytes, offset)?;
        let start = usize::try_from(distance).ok().and_then(|distance| offset.checked_add(distance));
        // After the number of blocks.
        let start = start.and_then(|start| start.checked_add(4)).ok_or(ErrorKind::InvalidOffset)?;
        let blocks = bytes.as_slice().get(start..).map(|bytes| bytes.as_chunks().0);
        blocks.and_then(|blocks| blocks.get(..n_blocks)).map(BlockList).ok_or(ErrorKind::InvalidLength)
    }
}

impl BlockList<'_> {
    /// The blocks of a list of the footer; there may be none.
    pub(super) fn of_footer<'a>(
        footer: &Table<'a>,
        (vtable_idx, method): (usize, &'static str),
    ) -> planus::Result<BlockList<'a>> {
        Ok(footer.access(vtable_idx, "Footer", method)?.unwrap_or(BlockList(&[])))
    }

    /// Checks and copies all.
    pub(super) fn parse(self, footer_position: u64, index: fn(usize) -> BlockIndex) -> Result<Vec<Block>> {
        let BlockList(blocks) = self;
        let mut parsed = Vec::with_capacity(blocks.len());
        for (idx, bytes) in blocks.iter().enumerate() {
            match Block::parse(bytes, footer_position) {
                Some(block) => parsed.push(block),
                None => return Err(out_of_file(index(idx), bytes)),
            }
        }
        Ok(parsed)
    }
}

/// Offset, length of the metadata, padding, length of the body.
#[inline]
fn numbers(bytes: &[u8; BLOCK_BYTES]) -> (i64, i32, i64) {
    let [o0, o1, o2, o3, o4, o5, o6, o7, m0, m1, m2, m3, _, _, _, _, b0, b1, b2, b3, b4, b5, b6, b7] = *bytes;
    let offset = i64::from_le_bytes([o0, o1, o2, o3, o4, o5, o6, o7]);
    let body_bytes = i64::from_le_bytes([b0, b1, b2, b3, b4, b5, b6, b7]);
    (offset, i32::from_le_bytes([m0, m1, m2, m3]), body_bytes)
}

#[cold]
fn out_of_file(block: BlockIndex, bytes: &[u8; BLOCK_BYTES]) -> IpcError {
    let (offset, metadata_bytes, body_bytes) = numbers(bytes);
    IpcErrorKind::BlockOutOfFile { block, offset, metadata_bytes, body_bytes }.into()
}

impl Block {
    #[inline]
    fn parse(bytes: &[u8; BLOCK_BYTES], footer_position: u64) -> Option<Block> {
        let (offset, metadata_bytes, body_bytes) = numbers(bytes);
        let position = u64::try_from(offset).ok().filter(|position| *position >= START_BYTES)?;
        let n_metadata_bytes = u64::try_from(metadata_bytes).ok().filter(|n_bytes| *n_bytes > 0)?;
        let n_body_bytes = u64::try_from(body_bytes).ok()?;
        let end = position.checked_add(n_metadata_bytes)?.checked_add(n_body_bytes)?;
        (end <= footer_position).then_some(Block { position, n_metadata_bytes, n_body_bytes })
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

#[cfg(test)]
mod tests {
    use planus::ReadAsRoot;
    use testing_support::Rng;

    use super::*;
    use crate::wire::root_table;

    /// The blocks by the generated accessors.
    fn generated(footer: &[u8]) -> planus::Result<Vec<(i64, i32, i64)>> {
        let blocks = fb::FooterRef::read_as_root(footer)?.record_batches()?;
        let blocks = blocks.into_iter().flatten();
        Ok(blocks.map(|block| (block.offset(), block.meta_data_length(), block.body_length())).collect())
    }

    fn by_hand(footer: &[u8]) -> planus::Result<Vec<(i64, i32, i64)>> {
        let table = root_table(footer, "[FooterRef]")?;
        let BlockList(blocks) = BlockList::of_footer(&table, (3, "record_batches"))?;
        Ok(blocks.iter().map(numbers).collect())
    }

    #[test]
    fn blocks_are_those_of_the_generated_accessors() {
        let rng = &mut Rng::new(41);
        let (mut n_read, mut n_refused) = (0, 0);
        for case in 0..4_000 {
            let blocks: Vec<fb::Block> = (0..rng.below(6))
                .map(|_| fb::Block {
                    offset: rng.bits().cast_signed(),
                    meta_data_length: rng.within(-9..=9) as i32,
                    body_length: rng.bits().cast_signed(),
                })
                .collect();
            let version = fb::MetadataVersion::V5;
            let record_batches = Some(blocks);
            let footer = fb::Footer {
                version,
                schema: None,
                dictionaries: None,
                record_batches,
                custom_metadata: None,
            };
            let mut footer = planus::Builder::new().finish(footer, None).to_vec();
            for _ in 0..rng.below(3) {
                let position = rng.below(footer.len());
                footer[position] = *rng.pick(&[0, 1, 4, 8, 24, 0x7f, 0xff]);
            }
            match (by_hand(&footer), generated(&footer)) {
                (Ok(found), Ok(expected)) => {
                    assert_eq!(found, expected, "case {case}");
                    n_read += 1;
                }
                (Err(found), Err(expected)) => {
                    assert_eq!(found.to_string(), expected.to_string(), "case {case}");
                    n_refused += 1;
                }
                (found, expected) => panic!("case {case}: {found:?}, as generated {expected:?}"),
            }
        }
        assert!(n_read > 1_000 && n_refused > 200, "{n_read}, {n_refused}");
    }
}
