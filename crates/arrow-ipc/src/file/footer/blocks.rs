//! The lists of blocks in a footer. Opening a file checks all blocks. Each block is parsed when needed.

use std::sync::OnceLock;

use arrow_buffer::Buffer;

use super::{
    block::{BLOCK_BYTES, Block, START_BYTES, WireBlock},
    faults::FooterFaults,
};
use crate::error::{self, BlockIndex, FooterPart, IpcErrorKind, Result};
use arrow_ipc_format::tables as fb;

/// One list of blocks in a footer: structs of 24 bytes. Each block lies between the magic and the footer.
#[derive(Debug, Clone, Default)]
pub(crate) struct Blocks {
    wire: Buffer,
    /// The sum of the lengths of all blocks.
    n_message_bytes: u64,
    /// Made at the first call of [`all`](Blocks::all).
    all: OnceLock<Box<[Block]>>,
}

impl Blocks {
    /// Finds a list in a footer, and checks all of its blocks. An absent list is empty.
    pub(super) fn from_footer(
        (footer, position): (&Buffer, u64),
        table: fb::Footer<'_>,
        part: FooterPart,
        faults: &mut FooterFaults,
    ) -> Result<Blocks> {
        type Index = fn(usize) -> BlockIndex;
        let (list, index): (_, Index) = if part == FooterPart::Dictionaries {
            (table.dictionaries(), BlockIndex::Dictionary)
        } else {
            (table.record_batches(), BlockIndex::RecordBatch)
        };
        let Some(list) = faults.take(part, list)?.flatten() else {
            return Ok(Blocks::default());
        };
        let range = list.span().range();
        // Copies a short list, which would otherwise keep the whole footer in memory.
        let is_most = range.len() >= footer.len() / 2;
        let wire = footer.slice(range);
        let wire = if is_most { wire } else { Buffer::copy_from(&wire) };
        let (blocks, _) = wire.as_chunks();
        let n_message_bytes = match n_bytes_inside(blocks, position) {
            Some(n_bytes) => n_bytes,
            None => match n_bytes_one_by_one(blocks, position, index) {
                Ok(n_bytes) => n_bytes,
                Err(error) => {
                    faults.take::<(), IpcErrorKind>(part, Err(error))?;
                    return Ok(Blocks::from_valid(blocks, position));
                }
            },
        };
        Ok(Blocks { wire, n_message_bytes, all: OnceLock::new() })
    }

    /// The blocks before `end`. A block that cannot be a message gets the numbers that its neighbours suggest, so that the
    /// list keeps its length and its order.
    fn from_valid(blocks: &[[u8; BLOCK_BYTES]], end: u64) -> Blocks {
        let mut wire = Vec::with_capacity(blocks.len().saturating_mul(BLOCK_BYTES));
        let mut n_message_bytes = 0_u64;
        let mut last_end = None;
        for (idx, bytes) in blocks.iter().enumerate() {
            let block = WireBlock::new(bytes);
            let next = blocks.get(idx.saturating_add(1)).map(WireBlock::new);
            let next = next.filter(|next| next.is_inside(end)).map(|next| next.offset);
            let block = if block.is_inside(end) { block } else { block.between(last_end, next, end) };
            wire.extend_from_slice(&block.to_bytes());
            n_message_bytes = n_message_bytes.saturating_add(block.n_bytes());
            last_end = block.offset.checked_add_unsigned(block.n_bytes());
        }
        Blocks { wire: wire.into(), n_message_bytes, all: OnceLock::new() }
    }

    /// The blocks of messages that were found, in their wire form.
    pub(super) fn from_messages(wire: Vec<u8>, n_message_bytes: u64) -> Blocks {
        Blocks { wire: wire.into(), n_message_bytes, all: OnceLock::new() }
    }

    pub(super) fn wire(&self) -> &[u8] {
        &self.wire
    }

    /// A list of one block, without checks.
    ///
    /// # Errors
    /// If a number of the block exceeds the range of the format.
    pub(crate) fn try_from_block(block: Block) -> error::Result<Blocks> {
        let wire = Buffer::copy_from(&block.to_wire()?.to_bytes());
        Ok(Blocks { wire, n_message_bytes: block.n_bytes(), all: OnceLock::new() })
    }

    pub(crate) fn into_copied(self) -> Blocks {
        Blocks { wire: Buffer::copy_from(&self.wire), ..self }
    }

    pub(crate) fn len(&self) -> usize {
        self.wire.len() / BLOCK_BYTES
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.wire.is_empty()
    }

    pub(crate) fn get(&self, idx: usize) -> Option<Block> {
        self.wire.as_chunks().0.get(idx).map(|block| WireBlock::new(block).into())
    }

    pub(crate) fn iter(&self) -> impl ExactSizeIterator<Item = Block> {
        self.wire.as_chunks().0.iter().map(|block| WireBlock::new(block).into())
    }

    pub(crate) fn all(&self) -> &[Block] {
        self.all.get_or_init(|| self.iter().collect())
    }

    pub(crate) fn n_message_bytes(&self) -> u64 {
        self.n_message_bytes
    }
}

/// The sum of the lengths of all blocks, computed without a branch. Returns `None` if a block could lie outside the
/// bytes between the magic and the footer.
///
/// Combines the bits of these numbers: the offset of a block after the magic, its lengths (the metadata has at least one
/// byte), and the distance from its end to the footer. If the block lies outside, an upper bit is set. Otherwise, no sum
/// has overflowed. In a file of realistic length, blocks inside set no upper bit.
fn n_bytes_inside(blocks: &[[u8; BLOCK_BYTES]], footer_position: u64) -> Option<u64> {
    const UPPER_BITS: u64 = 0b111 << 61;
    // If this overflows, the sum of the lengths could overflow, too.
    (blocks.len() as u64).checked_mul(footer_position)?;
    let mut bits = footer_position;
    let mut n_message_bytes = 0_u64;
    for block in blocks {
        let WireBlock { offset, metadata_bytes, body_bytes } = WireBlock::new(block);
        let offset = offset.cast_unsigned();
        let body_bytes = body_bytes.cast_unsigned();
        let metadata_bytes = i64::from(metadata_bytes).cast_unsigned();
        let n_bytes = metadata_bytes.wrapping_add(body_bytes);
        let n_bytes_left = footer_position.wrapping_sub(offset.wrapping_add(n_bytes));
        let starts = offset.wrapping_sub(START_BYTES) | metadata_bytes.wrapping_sub(1);
        bits |= starts | body_bytes | n_bytes_left;
        n_message_bytes = n_message_bytes.wrapping_add(n_bytes);
    }
    (bits & UPPER_BITS == 0).then_some(n_message_bytes)
}

/// Like `n_bytes_inside`, but checks one block after the other, to find the first block outside.
fn n_bytes_one_by_one(
    blocks: &[[u8; BLOCK_BYTES]],
    footer_position: u64,
    index: fn(usize) -> BlockIndex,
) -> std::result::Result<u64, IpcErrorKind> {
    let mut n_message_bytes = 0_u64;
    for (idx, block) in blocks.iter().enumerate() {
        let block = WireBlock::new(block);
        if !block.is_inside(footer_position) {
            let (block, WireBlock { offset, metadata_bytes, body_bytes }) = (index(idx), block);
            return Err(IpcErrorKind::BlockOutOfFile { block, offset, metadata_bytes, body_bytes });
        }
        n_message_bytes = n_message_bytes.saturating_add(block.n_bytes());
    }
    Ok(n_message_bytes)
}

#[cfg(test)]
mod tests {
    use arrow_ipc_format::flatbuffer::TypedTable;
    use bindings::flatbuf;
    use planus::ReadAsRoot;
    use testing_support::Rng;

    use super::*;

    /// The blocks, read by the generated accessors.
    fn generated(footer: &[u8]) -> planus::Result<Vec<(i64, i32, i64)>> {
        let blocks = flatbuf::FooterRef::read_as_root(footer)?.record_batches()?;
        let blocks = blocks.into_iter().flatten();
        Ok(blocks.map(|block| (block.offset(), block.meta_data_length(), block.body_length())).collect())
    }

    fn by_hand(footer: &[u8]) -> arrow_ipc_format::flatbuffer::Result<Vec<(i64, i32, i64)>> {
        let Some(list) = fb::Footer::root(footer)?.record_batches()? else { return Ok(Vec::new()) };
        let blocks: Vec<[u8; BLOCK_BYTES]> = list.iter().map(fb::Block::to_bytes).collect();
        assert_eq!(list.get(list.len()), None);
        assert_eq!(footer[list.span().range()].len(), blocks.as_flattened().len());
        let numbers = |block: &[u8; BLOCK_BYTES]| {
            let block = WireBlock::new(block);
            (block.offset, block.metadata_bytes, block.body_bytes)
        };
        Ok(blocks.iter().map(numbers).collect())
    }

    #[test]
    fn a_look_at_all_blocks_says_what_one_after_the_other_do() {
        let rng = &mut Rng::new(53);
        let mut n_inside = 0;
        let mut n_outside = 0;
        for case in 0..20_000 {
            // Most of the lengths fit, and some numbers make a sum overflow.
            let footer_position = match rng.below(8) {
                0 => *rng.pick(&[0, 8, 9, (1 << 61) - 1, 1 << 61, 1 << 62, i64::MAX as u64, u64::MAX]),
                _ => rng.within(40..=400) as u64,
            };
            let number = |rng: &mut Rng, within| match rng.below(64) {
                0 => {
                    *rng.pick(&[i64::MIN, -1, 0, 7, 8, 9, 1 << 60, (1 << 61) - 1, 1 << 61, 1 << 62, i64::MAX])
                }
                1 => footer_position.cast_signed().wrapping_sub(rng.within(0..=2)),
                2 => rng.bits().cast_signed(),
                _ => rng.within(within),
            };
            let blocks: Vec<[u8; BLOCK_BYTES]> = (0..rng.below(6))
                .map(|_| {
                    let offset = number(rng, 8..=30);
                    let body = number(rng, 0..=9);
                    let metadata = number(rng, 1..=9) as i32;
                    let mut block = [0xa5; BLOCK_BYTES];
                    block[..8].copy_from_slice(&offset.to_le_bytes());
                    block[8..12].copy_from_slice(&metadata.to_le_bytes());
                    block[16..].copy_from_slice(&body.to_le_bytes());
                    block
                })
                .collect();
            match n_bytes_one_by_one(&blocks, footer_position, BlockIndex::RecordBatch) {
                Ok(n_bytes) => {
                    let found = n_bytes_inside(&blocks, footer_position);
                    // If no file can have its footer at this position, the fast check may be uncertain.
                    let is_somewhere = footer_position < 1 << 58;
                    assert!(found == Some(n_bytes) || found.is_none() && !is_somewhere, "case {case}");
                    n_inside += usize::from(found.is_some() && !blocks.is_empty());
                }
                Err(_) => {
                    assert_eq!(n_bytes_inside(&blocks, footer_position), None, "case {case}");
                    n_outside += 1;
                }
            }
        }
        assert!(n_inside > 5_000 && n_outside > 2_000, "{n_inside}, {n_outside}");
    }

    #[test]
    fn blocks_are_those_of_the_generated_accessors() {
        let rng = &mut Rng::new(41);
        let mut n_read = 0;
        let mut n_refused = 0;
        for case in 0..4_000 {
            let blocks: Vec<flatbuf::Block> = (0..rng.below(6))
                .map(|_| flatbuf::Block {
                    offset: rng.bits().cast_signed(),
                    meta_data_length: rng.within(-9..=9) as i32,
                    body_length: rng.bits().cast_signed(),
                })
                .collect();
            let version = flatbuf::MetadataVersion::V5;
            let record_batches = Some(blocks);
            let footer = flatbuf::Footer {
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
                (Err(_), Err(_)) => n_refused += 1,
                (found, expected) => panic!("case {case}: {found:?}, as generated {expected:?}"),
            }
        }
        assert!(n_read > 1_000 && n_refused > 200, "{n_read}, {n_refused}");
    }
}
