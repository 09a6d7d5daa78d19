//! The blocks that a footer lists, and which of them have been found, even if their messages have moved.

use std::{
    collections::{BTreeMap, BTreeSet, HashSet},
    ops::Range,
};

use arrow_ipc::file::{Block, Footer};
use arrow_ipc_format::{MessageKind, length_of};

use super::candidate::Candidate;

/// The blocks of a footer, by position.
///
/// Removed or inserted bytes shift all later blocks. `shift` is the shift of the block that was found last.
#[derive(Debug, Default)]
pub(super) struct FooterBlocks {
    blocks: Vec<ListedBlock>,
    /// The greatest end of a block.
    end: Option<u64>,
    shift: i64,
    /// The blocks that have not been found, by their lengths. Computed when a message first has to be found by its
    /// lengths.
    by_lengths: Option<BTreeMap<MessageLengths, BTreeSet<(u64, usize)>>>,
    /// The lengths of all blocks, except repeated ones.
    lengths: HashSet<MessageLengths>,
}

#[derive(Debug, Clone)]
pub(super) struct ListedBlock {
    pub(super) kind: MessageKind,
    /// The index of the block in the footer's list of its kind.
    pub(super) number: usize,
    /// The range that the footer lists, without a shift.
    range: Range<u64>,
    n_body_bytes: u64,
    pub(super) state: BlockState,
    /// Whether no message begins at the expected position. The message may still be at another position.
    pub(super) is_damaged: bool,
}

/// Whether a message has been found for a block.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum BlockState {
    Missing,
    Found,
    /// The footer lists an earlier block at the same position.
    Repeated,
}

/// Whether the message is a dictionary; the length of prefix and metadata; the length of the body.
pub(super) type MessageLengths = (bool, u64, u64);

impl FooterBlocks {
    pub(super) fn from_footer(footer: &Footer) -> FooterBlocks {
        let listed = |kind| {
            move |(number, block): (usize, &Block)| ListedBlock {
                kind,
                number,
                range: block.range(),
                n_body_bytes: block.n_body_bytes(),
                state: BlockState::Missing,
                is_damaged: false,
            }
        };
        let dictionaries = footer.dictionaries().iter().enumerate();
        let batches = footer.batches().iter().enumerate();
        let mut blocks: Vec<ListedBlock> = dictionaries
            .map(listed(MessageKind::DictionaryBatch))
            .chain(batches.map(listed(MessageKind::RecordBatch)))
            .collect();
        blocks.sort_by_key(|block| block.range.start);
        let mut last = None;
        for block in &mut blocks {
            if last == Some(block.range.start) {
                block.state = BlockState::Repeated;
            }
            last = Some(block.range.start);
        }
        let first = blocks.iter().filter(|block| block.state != BlockState::Repeated);
        let lengths = first.map(ListedBlock::lengths).collect();
        let end = blocks.iter().map(ListedBlock::end).max();
        FooterBlocks { blocks, end, shift: 0, by_lengths: None, lengths }
    }

    pub(super) fn blocks(&self) -> &[ListedBlock] {
        &self.blocks
    }

    /// The greatest end of a block.
    pub(super) fn end(&self) -> Option<u64> {
        self.end
    }

    pub(super) fn is_found(&self, idx: usize) -> bool {
        self.blocks.get(idx).is_some_and(|block| block.state == BlockState::Found)
    }

    /// The block that is expected at this position and has not been found.
    pub(super) fn at(&self, position: u64) -> Option<(usize, &ListedBlock)> {
        let start = position.checked_add_signed(self.shift.checked_neg()?)?;
        let idx = self.blocks.partition_point(|block| block.range.start < start);
        let block = self.blocks.get(idx).filter(|block| block.range.start == start)?;
        block.is_missing().then_some((idx, block))
    }

    pub(super) fn expected(&self, block: &ListedBlock) -> Range<u64> {
        let at = |position: u64| position.checked_add_signed(self.shift).unwrap_or(0);
        at(block.range.start)..at(block.range.end)
    }

    /// The smallest expected position of a block that is `position` or greater.
    pub(super) fn next_start(&self, position: u64) -> Option<u64> {
        let back = self.shift.checked_neg();
        let start = back.and_then(|back| position.checked_add_signed(back)).unwrap_or_default();
        let idx = self.blocks.partition_point(|block| block.range.start < start);
        self.blocks.get(idx)?.range.start.checked_add_signed(self.shift)
    }

    /// Whether the block that is expected at the position of a message has the message's lengths.
    pub(super) fn has(&self, found: &Candidate) -> bool {
        self.at(found.position).is_some_and(|(_, block)| block.lengths() == lengths(found))
    }

    /// Whether any block has the lengths of a message.
    pub(super) fn has_alike(&self, found: &Candidate) -> bool {
        self.has_lengths(&lengths(found))
    }

    pub(super) fn has_lengths(&self, lengths: &MessageLengths) -> bool {
        self.lengths.contains(lengths)
    }

    /// The block of the same kind that is expected at the position of a message. The lengths of the block may differ
    /// from those of the message.
    pub(super) fn block_here(&self, found: &Candidate) -> Option<usize> {
        let (idx, block) = self.at(found.position)?;
        (block.kind == found.envelope.kind()).then_some(idx)
    }

    /// The block of a message that has moved, because bytes before it were removed or inserted. This is a block that
    /// has not been found and has the lengths of the message. Of several blocks, the one with the nearest expected
    /// position is returned.
    pub(super) fn block_alike(&mut self, found: &Candidate) -> Option<usize> {
        let start = found.position.saturating_add_signed(self.shift.saturating_neg());
        let blocks = self.missing().get(&lengths(found))?;
        let after = blocks.range((start, 0)..).next();
        let before = blocks.range(..(start, 0)).next_back();
        let nearest = before.into_iter().chain(after).min_by_key(|(at, _)| at.abs_diff(start));
        nearest.map(|(_, idx)| *idx)
    }

    /// The blocks that have not been found, by their lengths.
    pub(super) fn missing(&mut self) -> &BTreeMap<MessageLengths, BTreeSet<(u64, usize)>> {
        self.by_lengths.get_or_insert_with(|| by_lengths(&self.blocks))
    }

    /// A block that has not been found, is listed at this position, and has the kind in `lengths`. Its lengths may
    /// differ.
    pub(super) fn missing_at(&self, start: u64, lengths: MessageLengths) -> Option<usize> {
        let idx = self.blocks.partition_point(|block| block.range.start < start);
        let block = self.blocks.get(idx).filter(|block| block.range.start == start && block.is_missing())?;
        (block.lengths().0 == lengths.0).then_some(idx)
    }

    /// Marks all blocks as not found.
    pub(super) fn forget(&mut self) {
        let found = self.blocks.iter_mut().filter(|block| block.state == BlockState::Found);
        found.for_each(|block| block.state = BlockState::Missing);
        self.shift = 0;
        self.by_lengths = None;
    }

    /// Records that the message at `position` is this block.
    pub(super) fn found(&mut self, idx: usize, position: u64) {
        let Some(block) = self.blocks.get_mut(idx) else { return };
        block.state = BlockState::Found;
        let start = block.range.start;
        let lengths = block.lengths();
        if let Some(blocks_of_lengths) = self.by_lengths.as_mut().and_then(|known| known.get_mut(&lengths)) {
            blocks_of_lengths.remove(&(start, idx));
        }
        self.shift = distance(start, position).unwrap_or(self.shift);
    }

    /// Records that no message begins at the expected position of a block.
    pub(super) fn damaged(&mut self, idx: usize) {
        if let Some(block) = self.blocks.get_mut(idx) {
            block.state = BlockState::Missing;
            block.is_damaged = true;
        }
    }
}

impl ListedBlock {
    pub(super) fn is_missing(&self) -> bool {
        self.state == BlockState::Missing
    }

    pub(super) fn start(&self) -> u64 {
        self.range.start
    }

    pub(super) fn end(&self) -> u64 {
        self.range.end
    }

    pub(super) fn lengths(&self) -> MessageLengths {
        let n_metadata_bytes = length_of(&self.range).saturating_sub(self.n_body_bytes);
        (self.kind == MessageKind::DictionaryBatch, n_metadata_bytes, self.n_body_bytes)
    }
}

pub(super) fn lengths(found: &Candidate) -> MessageLengths {
    let n_metadata_bytes = found.body_position().saturating_sub(found.position);
    (found.envelope.kind() == MessageKind::DictionaryBatch, n_metadata_bytes, found.envelope.n_body_bytes())
}

/// The distance from `start` to `end`; negative if `end` is less than `start`.
pub(super) fn distance(start: u64, end: u64) -> Option<i64> {
    i64::try_from(end).ok()?.checked_sub(i64::try_from(start).ok()?)
}

fn by_lengths(blocks: &[ListedBlock]) -> BTreeMap<MessageLengths, BTreeSet<(u64, usize)>> {
    let mut found: BTreeMap<MessageLengths, BTreeSet<(u64, usize)>> = BTreeMap::new();
    for (idx, block) in blocks.iter().enumerate().filter(|(_, block)| block.is_missing()) {
        found.entry(block.lengths()).or_default().insert((block.range.start, idx));
    }
    found
}
