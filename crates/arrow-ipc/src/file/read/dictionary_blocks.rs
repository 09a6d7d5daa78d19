//! The blocks of each dictionary in a file.

use std::{collections::HashMap, ops::Range};

use crate::{error::BlockIndex, file::footer::Block};

#[derive(Debug)]
pub(super) struct DictionaryBlocks {
    /// For each dictionary with blocks: its first message and its deltas, in the order of the footer.
    pub(super) by_dictionary: HashMap<usize, Vec<DictionaryBlock>>,
    /// For each dictionary, whether it is inside a dictionary with deltas. Appending deltas reads the values of inner
    /// dictionaries.
    pub(super) is_joined: Vec<bool>,
    /// For each dictionary batch, in the order of the file: the position of its body, and the sum of the body lengths up
    /// to its end.
    pub(super) bodies: Vec<(u64, u64)>,
}

/// A dictionary batch in the footer, and its index in the list of dictionary batches.
#[derive(Debug, Clone, Copy)]
pub(super) struct DictionaryBlock {
    pub(super) block_idx: usize,
    pub(super) block: Block,
}

impl DictionaryBlock {
    pub(super) fn index(&self) -> BlockIndex {
        BlockIndex::Dictionary(self.block_idx)
    }
}

impl DictionaryBlocks {
    /// The sum of the lengths of the bodies that begin in a range of the file.
    pub(super) fn n_body_bytes_in(&self, range: &Range<u64>) -> u64 {
        let n_before = |position: u64| {
            let n_bodies = self.bodies.partition_point(|(start, _)| *start < position);
            n_bodies.checked_sub(1).and_then(|last| self.bodies.get(last)).map_or(0, |(_, sum)| *sum)
        };
        n_before(range.end) - n_before(range.start)
    }
}

/// The positions of the bodies of some blocks in ascending order, each with the sum of the lengths of all bodies up to
/// its end.
pub(super) fn sums_of_bodies(blocks: &[Block]) -> Vec<(u64, u64)> {
    let mut bodies: Vec<(u64, u64)> =
        blocks.iter().map(|block| (block.body_position(), block.n_body_bytes())).collect();
    bodies.sort_unstable();
    let mut sum = 0u64;
    for (_, n_bytes) in &mut bodies {
        // No overflow: the footer has checked that all blocks together are no longer than the file.
        sum += *n_bytes;
        *n_bytes = sum;
    }
    bodies
}
