//! The order in which the messages of a map are read, by the footer if there is one.

use std::collections::{BTreeMap, BTreeSet, HashSet, VecDeque};

use super::{Ahead, Reading};
use crate::{
    protocol::MessageKind,
    recover::{
        listed::{BlockState, Lengths, ListedBlock},
        stretch::{Stretch, StretchContent},
    },
};

impl Reading {
    /// Pairs the messages that are at no place of the footer with the blocks that have not been found, in their order.
    pub(super) fn find_moved(&mut self) {
        for stretch in &mut self.map.stretches {
            let StretchContent::Message(located) = &mut stretch.content else { continue };
            match (located.block, located.lengths) {
                (Some(idx), _) => self.map.listed.found(idx, stretch.range.start),
                (None, Some(lengths)) => {
                    let Some(idx) = self.map.listed.block_with(lengths, stretch.range.start) else {
                        continue;
                    };
                    self.map.listed.found(idx, stretch.range.start);
                    located.block = Some(idx);
                }
                (None, None) => {}
            }
        }
        self.keep_order();
    }

    /// Messages of the same lengths are the blocks of these lengths in the order of the footer, unless each is where that says. After bytes
    /// were inserted the nearest block may have been a later one.
    fn keep_order(&mut self) {
        let blocks = self.map.listed.blocks();
        let mut of_lengths: BTreeMap<Lengths, (bool, BTreeSet<(usize, usize)>)> = BTreeMap::new();
        for stretch in &self.map.stretches {
            if let Some((lengths, idx)) = listed_as(stretch, blocks)
                && let Some(block) = blocks.get(idx)
            {
                let (is_moved, of_lengths) = of_lengths.entry(lengths).or_default();
                *is_moved |= block.start() != stretch.range.start;
                of_lengths.insert((block.number, idx));
            }
        }
        for stretch in &mut self.map.stretches {
            let Some((lengths, _)) = listed_as(stretch, blocks) else { continue };
            let next = of_lengths.get_mut(&lengths).filter(|(is_moved, _)| *is_moved);
            let next = next.and_then(|(_, of_lengths)| of_lengths.pop_first());
            if let (StretchContent::Message(located), Some((_, idx))) = (&mut stretch.content, next) {
                located.block = Some(idx);
            }
        }
    }

    /// The order in which messages are read: the dictionaries of the footer first, since those of a file may follow the batches that
    /// need them; then all else in the order of the input, but batches as the footer lists them.
    pub(super) fn order(&self) -> VecDeque<Ahead> {
        let (stretches, blocks) = (&self.map.stretches, self.map.listed.blocks());
        let mut at: Vec<Option<usize>> = vec![None; blocks.len()];
        for (idx, stretch) in stretches.iter().enumerate() {
            if let StretchContent::Message(located) = &stretch.content
                && let Some(at) = located.block.and_then(|block| at.get_mut(block))
            {
                *at = Some(idx);
            }
        }
        let first = self.map.listed.first_at();
        let stretch_of = |idx: usize| {
            let block = blocks.get(idx)?;
            let idx = if block.state == BlockState::Repeated { *first.get(&block.start())? } else { idx };
            at.get(idx).copied().flatten()
        };
        let is_dictionary =
            |idx: usize| blocks.get(idx).is_some_and(|block| block.kind == MessageKind::DictionaryBatch);
        let mut dictionaries = BTreeMap::new();
        // The batches with their numbers, what follows one with the number of that.
        let mut others: Vec<(usize, Ahead)> = Vec::with_capacity(stretches.len());
        for idx in 0..blocks.len() {
            if is_dictionary(idx) {
                let found = stretch_of(idx);
                let number = blocks.get(idx).map_or(0, |block| block.number);
                dictionaries.insert(number, found.map_or(Ahead::MissingDictionary(idx), Ahead::Stretch));
            } else if let Some(block) = blocks.get(idx).filter(|block| block.state == BlockState::Repeated)
                && let Some(found) = stretch_of(idx)
            {
                others.push((block.number, Ahead::Stretch(found)));
            }
        }
        let mut number = 0;
        for (idx, stretch) in stretches.iter().enumerate() {
            let block = match &stretch.content {
                StretchContent::Message(located) => located.block,
                StretchContent::Lost(damage) => {
                    damage.block.filter(|block| !self.map.listed.is_found(*block))
                }
                StretchContent::Other | StretchContent::EndMarker => None,
            };
            match block.filter(|block| !is_dictionary(*block)).and_then(|block| blocks.get(block)) {
                Some(block) => number = block.number,
                None if block.is_some() && matches!(stretch.content, StretchContent::Message(_)) => continue,
                None => {}
            }
            others.push((number, Ahead::Stretch(idx)));
        }
        others.sort_by_key(|(number, _)| *number);
        let dictionaries = self.certain_first(dictionaries.into_values().collect());
        dictionaries.into_iter().chain(others.into_iter().map(|(_, ahead)| ahead)).collect()
    }

    /// If dictionaries are missing, or there are others, those of the same lengths cannot be told apart after damaged bytes: no values
    /// of these are added to others.
    fn certain_first(&self, listed: Vec<Ahead>) -> Vec<Ahead> {
        let is_other = |stretch: &Stretch| match &stretch.content {
            StretchContent::Message(located) => {
                located.kind == MessageKind::DictionaryBatch && located.block.is_none()
            }
            StretchContent::Other | StretchContent::EndMarker | StretchContent::Lost(_) => false,
        };
        let missing = listed.iter().find(|ahead| matches!(ahead, Ahead::MissingDictionary(_))).copied();
        let is_certain = missing.is_none() && !self.map.stretches.iter().any(is_other) && !self.has_copies();
        let first_lost =
            self.map.stretches.iter().position(|stretch| matches!(stretch.content, StretchContent::Lost(_)));
        let (false, false, Some(first_lost)) = (is_certain, listed.is_empty(), first_lost) else {
            return listed;
        };
        let is_before = |ahead: &Ahead| matches!(ahead, Ahead::Stretch(idx) if *idx < first_lost);
        let (mut before, after): (Vec<Ahead>, Vec<Ahead>) = listed.into_iter().partition(is_before);
        before.push(missing.unwrap_or(Ahead::UncertainDictionaries));
        before.extend(after);
        before
    }

    /// Whether messages are shifted by other numbers of bytes than those before them and after them: they are copies, or were moved.
    fn has_copies(&self) -> bool {
        let blocks = self.map.listed.blocks();
        let found = self.map.stretches.iter().filter_map(|stretch| match &stretch.content {
            StretchContent::Message(located) => Some((stretch.range.start, blocks.get(located.block?)?)),
            StretchContent::Other | StretchContent::EndMarker | StretchContent::Lost(_) => None,
        });
        let (mut shifts, mut last) = (HashSet::new(), None);
        for (position, block) in found {
            let shift = position.wrapping_sub(block.start());
            if last != Some(shift) && !shifts.insert(shift) {
                return true;
            }
            last = Some(shift);
        }
        false
    }
}

/// The block that a message is, if it has the lengths of that.
fn listed_as(stretch: &Stretch, blocks: &[ListedBlock]) -> Option<(Lengths, usize)> {
    let StretchContent::Message(located) = &stretch.content else { return None };
    let (lengths, idx) = (located.lengths?, located.block?);
    (blocks.get(idx)?.lengths() == lengths).then_some((lengths, idx))
}
