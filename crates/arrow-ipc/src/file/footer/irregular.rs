//! Finds blocks of a footer that are listed twice or out of order, or that overlap.

use std::fmt;

use super::block::Block;
use crate::error::BlockIndex;

/// An irregular block of a footer. File readers return batches in the order of the footer. A program that reads the
/// stream inside the file may get other batches, or another order.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum FooterIrregularity {
    /// Two blocks of a list begin at the same position, so the list has a message twice.
    Repeated {
        /// The block that repeats another block.
        block: BlockIndex,
        /// The earlier block in the list.
        first: BlockIndex,
    },
    /// A block begins before the block that precedes it in the list.
    OutOfOrder {
        /// The block that is out of order.
        block: BlockIndex,
        /// The block that precedes it in the list.
        before: BlockIndex,
    },
    /// Two blocks share bytes.
    Overlapping {
        /// The block that begins first.
        first: BlockIndex,
        /// The block that begins before `first` ends.
        second: BlockIndex,
    },
}

impl FooterIrregularity {
    pub(super) fn find(dictionaries: &[Block], batches: &[Block]) -> Vec<FooterIrregularity> {
        let dictionaries = indexed(dictionaries, BlockIndex::Dictionary);
        let batches = indexed(batches, BlockIndex::RecordBatch);
        let mut by_position: Vec<(BlockIndex, &Block)> =
            dictionaries.iter().chain(&batches).copied().collect();
        // A stable sort: blocks at the same position stay in the order of the lists.
        by_position.sort_by_key(|(_, block)| block.position());
        let mut found = Vec::new();
        for listed in [&dictionaries, &batches] {
            for (before, block) in listed.iter().zip(listed.iter().skip(1)) {
                if block.1.position() < before.1.position() {
                    found.push(FooterIrregularity::OutOfOrder { block: block.0, before: before.0 });
                }
            }
        }
        let mut last: Option<(BlockIndex, &Block)> = None;
        for (index, block) in by_position {
            match last {
                Some((first, known)) if known.position() == block.position() => {
                    found.push(FooterIrregularity::Repeated { block: index, first });
                    continue;
                }
                // No overflow: both ends lie in the file.
                Some((first, known)) if known.position() + known.n_bytes() > block.position() => {
                    found.push(FooterIrregularity::Overlapping { first, second: index });
                }
                _ => {}
            }
            // No overflow: all blocks lie in the file.
            let end = |block: &Block| block.position() + block.n_bytes();
            if last.is_none_or(|(_, known)| end(known) <= end(block)) {
                last = Some((index, block));
            }
        }
        found
    }
}

fn indexed(blocks: &[Block], index: fn(usize) -> BlockIndex) -> Vec<(BlockIndex, &Block)> {
    blocks.iter().enumerate().map(|(idx, block)| (index(idx), block)).collect()
}

impl fmt::Display for FooterIrregularity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            FooterIrregularity::Repeated { block, first } => {
                write!(f, "the footer lists {first} again as {block}")
            }
            FooterIrregularity::OutOfOrder { block, before } => {
                write!(f, "the footer lists {block} after {before}, but the file has it before")
            }
            FooterIrregularity::Overlapping { first, second } => {
                write!(f, "the footer lists {second} inside the bytes of {first}")
            }
        }
    }
}
