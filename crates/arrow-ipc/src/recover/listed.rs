//! The blocks that a footer lists, and which message of the input belongs to each block, even if the message has moved.

use std::{
    collections::{BTreeMap, BTreeSet, HashSet},
    ops::Range,
};

use super::candidate::Candidate;
use crate::{
    alignment::length_of,
    file::{Block, Footer},
    protocol::MessageKind,
};

/// The blocks of a footer, in the order of the file.
///
/// Removed or inserted bytes shift all later blocks. `shift` is the shift of the last block that was found.
#[derive(Debug, Default)]
pub(super) struct Listed {
    blocks: Vec<ListedBlock>,
    shift: i64,
    /// The blocks that have not been found, by their lengths. The map is made when a message is not at the position of
    /// a block.
    by_lengths: Option<BTreeMap<MessageLengths, BTreeSet<(u64, usize)>>>,
    /// The lengths of all blocks, except blocks that are listed at the same position as an earlier block.
    lengths: HashSet<MessageLengths>,
}

/// A block that the footer lists.
#[derive(Debug, Clone)]
pub(super) struct ListedBlock {
    pub(super) kind: MessageKind,
    /// The index of the block in its list of the footer.
    pub(super) number: usize,
    /// The range of the block in the file, as the footer lists it.
    range: Range<u64>,
    n_body_bytes: u64,
    pub(super) state: BlockState,
    /// Whether no message begins at the expected position of the block. A message elsewhere may still be this block.
    pub(super) is_damaged: bool,
}

/// Whether a message has been found for a block.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum BlockState {
    Missing,
    Found,
    /// An earlier block is listed at the same position.
    Repeated,
}

/// Whether the message is a dictionary, the length of its prefix and metadata, and the length of its body.
pub(super) type MessageLengths = (bool, u64, u64);

impl Listed {
    pub(super) fn of(footer: &Footer) -> Listed {
        let of_kind = |kind| {
            move |(number, block): (usize, &Block)| {
                let range = block.position()..block.position().saturating_add(block.n_bytes());
                let n_body_bytes = block.n_body_bytes();
                ListedBlock {
                    kind,
                    number,
                    range,
                    n_body_bytes,
                    state: BlockState::Missing,
                    is_damaged: false,
                }
            }
        };
        let dictionaries = footer.dictionaries().iter().enumerate();
        let batches = footer.batches().iter().enumerate();
        let mut blocks: Vec<ListedBlock> = dictionaries
            .map(of_kind(MessageKind::DictionaryBatch))
            .chain(batches.map(of_kind(MessageKind::RecordBatch)))
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
        Listed { blocks, shift: 0, by_lengths: None, lengths }
    }

    pub(super) fn blocks(&self) -> &[ListedBlock] {
        &self.blocks
    }

    /// The end of the last block.
    pub(super) fn end(&self) -> Option<u64> {
        self.blocks.iter().map(ListedBlock::end).max()
    }

    pub(super) fn is_found(&self, idx: usize) -> bool {
        self.blocks.get(idx).is_some_and(|block| block.state == BlockState::Found)
    }

    /// The block that is expected at this position, if it has not been found.
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

    /// The first position, from `position` on, at which a block is expected.
    pub(super) fn next_start(&self, position: u64) -> Option<u64> {
        let back = self.shift.checked_neg();
        let start = back.and_then(|back| position.checked_add_signed(back)).unwrap_or_default();
        let idx = self.blocks.partition_point(|block| block.range.start < start);
        self.blocks.get(idx)?.range.start.checked_add_signed(self.shift)
    }

    /// Whether a block is expected at the position of a message, and has the lengths of the message.
    pub(super) fn has(&self, found: &Candidate) -> bool {
        self.at(found.position).is_some_and(|(_, block)| block.lengths() == lengths(found))
    }

    /// Whether a block has the lengths of a message, so that the message is the block or a copy of it.
    pub(super) fn has_alike(&self, found: &Candidate) -> bool {
        self.has_lengths(&lengths(found))
    }

    pub(super) fn has_lengths(&self, lengths: &MessageLengths) -> bool {
        self.lengths.contains(lengths)
    }

    /// The block that is expected at the position of a message, whatever its lengths are.
    pub(super) fn block_here(&self, found: &Candidate) -> Option<usize> {
        let (idx, block) = self.at(found.position)?;
        (block.kind == found.head.kind).then_some(idx)
    }

    /// The block of a message that has moved, because bytes before it were removed or inserted. The block has the
    /// lengths of the message and has not been found. If there are several such blocks, the result is the block whose
    /// position, shifted like the last found block, is nearest to the message.
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

    /// The block of the kind in `of_kind` that is listed at a position and has not been found. Its lengths may differ.
    pub(super) fn missing_at(&self, start: u64, of_kind: MessageLengths) -> Option<usize> {
        let idx = self.blocks.partition_point(|block| block.range.start < start);
        let block = self.blocks.get(idx).filter(|block| block.range.start == start && block.is_missing())?;
        (block.lengths().0 == of_kind.0).then_some(idx)
    }

    /// Sets all blocks back to not found.
    pub(super) fn forget(&mut self) {
        let found = self.blocks.iter_mut().filter(|block| block.state == BlockState::Found);
        found.for_each(|block| block.state = BlockState::Missing);
        (self.shift, self.by_lengths) = (0, None);
    }

    /// Records that the message at `position` belongs to a block.
    pub(super) fn found(&mut self, idx: usize, position: u64) {
        let Some(block) = self.blocks.get_mut(idx) else { return };
        block.state = BlockState::Found;
        let (start, lengths) = (block.range.start, block.lengths());
        if let Some(of_lengths) = self.by_lengths.as_mut().and_then(|known| known.get_mut(&lengths)) {
            of_lengths.remove(&(start, idx));
        }
        self.shift = distance(start, position).unwrap_or(self.shift);
    }

    /// Records that no message begins at the expected position of a block.
    pub(super) fn damaged(&mut self, idx: usize) {
        if let Some(block) = self.blocks.get_mut(idx) {
            (block.state, block.is_damaged) = (BlockState::Missing, true);
        }
    }
}

impl ListedBlock {
    /// Whether no message has been found for the block.
    pub(super) fn is_missing(&self) -> bool {
        self.state == BlockState::Missing
    }

    /// The position of the block that the footer lists.
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
    (found.head.kind == MessageKind::DictionaryBatch, n_metadata_bytes, found.head.n_body_bytes)
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
