//! Finds the block of the footer for each message. The cheapest assignment leaves few messages without a block, and
//! assumes few positions at which bytes were inserted or removed.

use std::collections::BTreeSet;

use super::footer_blocks::{FooterBlocks, ListedBlock, MessageLengths};

/// The maximum number of assignments that are compared at once.
const MAX_PATHS: usize = 16;

/// The cost of a message without a block, and of a block without a message.
const UNPAIRED_COST: u32 = 128;

/// The cost of leaving out a message if another message has the same bytes: each of them may be the copy.
const COPY_COST: u32 = 64;

/// The cost if a message is shifted by another distance than the message before. A greater difference costs a little
/// more. A wrong byte in the footer moves one block, so the distance changes twice, which costs more than a message
/// without a block.
const SHIFT_COST: u32 = 64;

/// The cost of a message whose lengths differ from the lengths of the block at its position.
const LENGTHS_COST: u32 = 32;

#[derive(Debug, Clone, Copy)]
pub(super) struct MessageAtPosition {
    pub(super) position: u64,
    pub(super) lengths: MessageLengths,
    /// Whether another message has the same bytes.
    pub(super) has_copy: bool,
}

/// An assignment of blocks to the messages so far.
#[derive(Debug, Clone, Copy)]
struct Assignment {
    /// The position of the last message minus the position that the footer lists.
    shift: i64,
    /// The first block that may belong to the next message.
    next: usize,
    cost: u32,
    /// The index of the last pair, from which the other pairs follow.
    last: Option<usize>,
}

impl Assignment {
    /// The cost if the next message has this shift.
    fn cost_to(&self, shift: i64) -> u32 {
        let n_bits = u64::BITS - self.shift.abs_diff(shift).leading_zeros();
        let change = if n_bits == 0 { 0 } else { SHIFT_COST.saturating_add(n_bits) };
        self.cost.saturating_add(change)
    }
}

/// A message, its block, and the index of the previous pair.
#[derive(Debug, Clone, Copy)]
struct Pair {
    message: usize,
    block: usize,
    before: Option<usize>,
}

/// For each message, the index of its block. `end` is the shift of the footer itself.
pub(super) fn pairs(
    listed: &mut FooterBlocks,
    messages: &[MessageAtPosition],
    end: i64,
) -> Vec<Option<usize>> {
    // In most inputs, each message is at the position that the footer lists.
    let is_there = |MessageAtPosition { position, lengths, .. }: &MessageAtPosition| {
        listed
            .missing_at(*position, *lengths)
            .filter(|idx| listed.blocks().get(*idx).map(ListedBlock::lengths) == Some(*lengths))
    };
    let there: Vec<Option<usize>> = messages.iter().map(is_there).collect();
    if listed.blocks().is_empty() || there.iter().all(Option::is_some) {
        return there;
    }
    let mut known: Vec<Pair> = Vec::new();
    let mut paths = vec![Assignment { shift: 0, next: 0, cost: 0, last: None }];
    for (message, MessageAtPosition { position, lengths, has_copy }) in messages.iter().enumerate() {
        let Ok(position) = i64::try_from(*position) else { continue };
        let unpaired = if *has_copy { COPY_COST } else { UNPAIRED_COST };
        let shifts: BTreeSet<i64> = paths.iter().map(|path| path.shift).chain([0, end]).collect();
        let near = shifts.iter().flat_map(|shift| listed.near(position.saturating_sub(*shift), *lengths));
        let mut candidates: Vec<(usize, i64)> = near.collect();
        candidates.sort_unstable();
        candidates.dedup();
        let mut longer: Vec<(Assignment, Option<usize>)> = Vec::new();
        for path in &paths {
            for (block, start) in candidates.iter().filter(|(block, _)| *block >= path.next) {
                let shift = position.saturating_sub(*start);
                let is_same = listed.blocks().get(*block).is_some_and(|block| block.lengths() == *lengths);
                let other = if is_same { 0 } else { LENGTHS_COST };
                let cost = path.cost_to(shift).saturating_add(other);
                longer
                    .push((Assignment { shift, next: block.saturating_add(1), cost, ..*path }, Some(*block)));
            }
            longer.push((Assignment { cost: path.cost.saturating_add(unpaired), ..*path }, None));
        }
        longer.sort_by_key(|(path, _)| (path.shift, path.next, path.cost));
        longer.dedup_by_key(|(path, _)| (path.shift, path.next));
        longer.sort_by_key(|(path, _)| path.cost_to(end));
        longer.truncate(MAX_PATHS);
        let add = |(path, block): (Assignment, Option<usize>)| {
            let Some(block) = block else { return path };
            known.push(Pair { message, block, before: path.last });
            Assignment { last: known.len().checked_sub(1), ..path }
        };
        paths = longer.into_iter().map(add).collect();
    }
    let best = paths.first();
    let mut blocks = vec![None; messages.len()];
    let mut last = best.and_then(|path| path.last);
    while let Some(pair) = last.and_then(|last| known.get(last)) {
        if let Some(block) = blocks.get_mut(pair.message) {
            *block = Some(pair.block);
        }
        last = pair.before;
    }
    blocks
}

impl FooterBlocks {
    /// The indices and positions of the blocks with these lengths that are listed nearest to `start`.
    fn near(&mut self, start: i64, lengths: MessageLengths) -> impl Iterator<Item = (usize, i64)> + use<> {
        let start = u64::try_from(start).unwrap_or(0);
        let blocks_of_lengths = self.missing().get(&lengths);
        let after = blocks_of_lengths.into_iter().flat_map(|blocks| blocks.range((start, 0)..).take(2));
        let before =
            blocks_of_lengths.into_iter().flat_map(|blocks| blocks.range(..(start, 0)).rev().take(2));
        let mut near: Vec<(u64, usize)> = after.chain(before).copied().collect();
        // The block at this position also counts if it has other lengths: the footer may be damaged.
        near.extend(self.missing_at(start, lengths).map(|idx| (start, idx)));
        near.into_iter().filter_map(|(start, idx)| Some((idx, i64::try_from(start).ok()?)))
    }
}
