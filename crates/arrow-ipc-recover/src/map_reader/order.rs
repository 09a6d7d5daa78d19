//! Decides the order in which messages are read: the order of the footer, if there is a footer.

use std::collections::{BTreeMap, BTreeSet, HashSet, VecDeque};

use arrow_ipc_format::{MessageKind, PREFIX_BYTES};

use super::{MapReader, NextRead, hash};
use crate::{
    content::MessageContent,
    footer_blocks::{BlockState, ListedBlock, MessageLengths, distance},
    map::Map,
    pairs::{MessageAtPosition, pairs},
    span::{LocatedMessage, Span, SpanContent},
    window::{InputWindow, RangeResult},
};

impl MapReader {
    /// Finds a block of the footer for each message. A message that does not fit the order of the footer has moved, so
    /// it gets a block with its lengths.
    pub(super) fn pair(&mut self) {
        self.map.listed.forget();
        let end = self.footer_shift().unwrap_or(0);
        let Map { listed, spans, .. } = &mut self.map;
        let contents = &self.dictionaries.contents;
        let content = |message: &MessageAtPosition| contents.get(&message.position).copied();
        let messages = spans.iter().enumerate().filter_map(|(idx, span)| {
            let position = span.range.start;
            let lengths = span.message()?.lengths?;
            Some((idx, MessageAtPosition { position, lengths, has_copy: false }))
        });
        let (idxs, mut messages): (Vec<usize>, Vec<MessageAtPosition>) = messages.unzip();
        let mut once = HashSet::new();
        let mut twice = HashSet::new();
        twice.extend(messages.iter().filter_map(content).filter(|content| !once.insert(*content)));
        for message in &mut messages {
            message.has_copy = content(message).is_some_and(|content| twice.contains(&content));
        }
        let mut blocks = pairs(listed, &messages, end);
        let mut known = HashSet::new();
        for (block, message) in blocks.iter().zip(&messages) {
            if let Some(block) = block {
                listed.found(*block, message.position);
                known.extend(content(message));
            }
        }
        let mut missing: BTreeMap<MessageLengths, BTreeSet<(usize, usize)>> = BTreeMap::new();
        for (idx, block) in listed.blocks().iter().enumerate().filter(|(_, block)| block.is_missing()) {
            missing.entry(block.lengths()).or_default().insert((block.number, idx));
        }
        let in_order = blocks.clone();
        let is_copy =
            |message: &MessageAtPosition| content(message).is_some_and(|content| known.contains(&content));
        for (block, message) in blocks.iter_mut().zip(&messages).filter(|(_, message)| !is_copy(message)) {
            *block = block.or_else(|| {
                let (_, block) = missing.get_mut(&message.lengths)?.pop_first()?;
                listed.found(block, message.position);
                Some(block)
            });
        }
        // If the input has no other damage, and a single message and a single block of a kind are left, the footer is
        // wrong.
        let kinds: &[bool] = if self.is_damaged { &[] } else { &[true, false] };
        for is_dictionary in kinds {
            let left = blocks.iter_mut().zip(&messages);
            let left = only(left.filter(|(block, of)| block.is_none() && of.lengths.0 == *is_dictionary));
            let missing = listed.blocks().iter().enumerate();
            let missing = only(missing.filter(|(_, of)| of.is_missing() && of.lengths().0 == *is_dictionary));
            if let Some(((block, message), (found, _))) = left.zip(missing) {
                *block = Some(found);
                listed.found(found, message.position);
            }
        }
        // Messages that do not fit the order get the remaining blocks with their lengths in the order of the footer.
        let mut others: BTreeMap<MessageLengths, Vec<usize>> = BTreeMap::new();
        for (idx, (block, message)) in in_order.iter().zip(&messages).enumerate() {
            if block.is_none() && blocks.get(idx).is_some_and(Option::is_some) {
                others.entry(message.lengths).or_default().push(idx);
            }
        }
        for idxs in others.into_values() {
            let mut found: Vec<usize> = idxs.iter().filter_map(|idx| *blocks.get(*idx)?).collect();
            found.sort_by_key(|block| listed.blocks().get(*block).map(|block| block.number));
            for (idx, block) in idxs.into_iter().zip(found) {
                blocks.splice(idx..=idx, [Some(block)]);
            }
        }
        let copies: Vec<bool> = messages.iter().map(is_copy).collect();
        for ((idx, block), is_copy) in idxs.into_iter().zip(blocks).zip(copies) {
            let index = block.map(|block| self.map.index_of_block(block));
            let span = self.map.spans.get_mut(idx);
            let Some(Span { content: SpanContent::Message(located), .. }) = span else { continue };
            located.block = block;
            located.index = index.unwrap_or(located.index);
            located.is_copy = is_copy && block.is_none();
        }
    }

    /// The dictionaries with the same lengths as a dictionary that the footer does not list: one of them may be a copy.
    pub(super) fn may_be_copies(&self) -> VecDeque<NextRead> {
        let dictionary = |span: &Span| span.message().filter(|at| at.dictionary.is_some()).copied();
        let all = || self.map.spans.iter().enumerate().filter_map(|(idx, it)| Some((idx, dictionary(it)?)));
        let unlisted = all().filter(|(_, located)| located.block.is_none() && self.footer().is_some());
        let lengths: HashSet<Option<MessageLengths>> = unlisted.map(|(_, located)| located.lengths).collect();
        let alike = all().filter(|(_, located)| lengths.contains(&located.lengths));
        alike.map(|(idx, _)| NextRead::Span(idx)).collect()
    }

    /// Stores a hash of the bytes of a dictionary.
    pub(super) fn note_content(&mut self, window: &InputWindow, idx: usize) -> RangeResult<()> {
        let found = self.map.spans.get(idx).and_then(|span| {
            let (_, n_metadata_bytes, n_body_bytes) = span.message()?.lengths?;
            Some((span.range.start, n_metadata_bytes.checked_add(n_body_bytes)?))
        });
        if let Some((position, n_bytes)) = found {
            self.dictionaries.contents.insert(position, hash(&window.bytes_from(position, n_bytes)?[..]));
        }
        Ok(())
    }

    /// The shift of the footer: the position of the footer minus the position after its last block and the end marker.
    fn footer_shift(&self) -> Option<i64> {
        let start = self.map.footer_range()?.start.checked_sub(PREFIX_BYTES)?;
        let shift = distance(self.map.listed.end()?, start)?;
        // A wrong byte in the footer may list a block at any position.
        Some(shift).filter(|shift| shift.unsigned_abs() <= self.map.position())
    }

    /// The order in which messages are read. The dictionaries of the footer come first, since a dictionary of a file
    /// may follow the batches that need it. All other messages follow in the order of the input, but batches in the
    /// order of the footer.
    pub(super) fn order(&self) -> VecDeque<NextRead> {
        let spans = &self.map.spans;
        let blocks = self.map.listed.blocks();
        let mut at: Vec<Option<usize>> = vec![None; blocks.len()];
        for (idx, span) in spans.iter().enumerate() {
            if let Some(at) = span.message().and_then(|located| at.get_mut(located.block?)) {
                *at = Some(idx);
            }
        }
        let is_dictionary =
            |idx: usize| blocks.get(idx).is_some_and(|block| block.kind == MessageKind::DictionaryBatch);
        let mut dictionaries = BTreeMap::new();
        // Other messages get the number of the batch before them, so they stay after this batch.
        let mut others: Vec<(usize, NextRead)> = Vec::with_capacity(spans.len());
        // A message that the footer lists twice is read once.
        let is_read =
            |(idx, block): &(usize, &ListedBlock)| is_dictionary(*idx) && block.state != BlockState::Repeated;
        let is_listed = self.lists_deltas();
        if is_listed {
            for (idx, block) in blocks.iter().enumerate().filter(is_read) {
                let found = at.get(idx).copied().flatten();
                let found = found.map_or(NextRead::MissingDictionary(Some(idx)), NextRead::Span);
                dictionaries.insert(block.number, found);
            }
        }
        let mut number = 0;
        for (idx, span) in spans.iter().enumerate() {
            let block = match &span.content {
                SpanContent::Message(located) => located.block,
                SpanContent::Lost(damage) => damage.block.filter(|block| !self.map.listed.is_found(*block)),
                SpanContent::Other | SpanContent::EndMarker => None,
            };
            match block.filter(|block| !is_dictionary(*block)).and_then(|block| blocks.get(block)) {
                Some(block) => number = if is_listed { block.number } else { 0 },
                None if is_listed && block.is_some() && matches!(span.content, SpanContent::Message(_)) => {
                    continue;
                }
                None => {}
            }
            others.push((number, NextRead::Span(idx)));
        }
        let is_unread = |next_read: &NextRead| match next_read {
            NextRead::Span(idx) => spans.get(*idx).is_some_and(|span| !span.is_read),
            NextRead::MissingDictionary(_) => true,
        };
        others.sort_by_key(|(number, _)| *number);
        let dictionaries = self.certain_first(dictionaries.into_values().collect());
        let all = dictionaries.into_iter().chain(others.into_iter().map(|(_, next_read)| next_read));
        all.filter(is_unread).collect()
    }

    /// Whether several dictionaries, except deltas, have the same id.
    pub(crate) fn repeats_dictionaries(&self) -> bool {
        let found = self.map.spans.iter().filter_map(|span| span.message()?.dictionary);
        let mut ids = HashSet::new();
        found.filter(|dictionary| !dictionary.is_delta).any(|dictionary| !ids.insert(dictionary.id))
    }

    /// Whether the footer lists more dictionaries than the schema has, and none of the messages is a delta: then the
    /// writer has replaced a dictionary.
    pub(super) fn lists_replaced(&self) -> bool {
        let found = || self.map.spans.iter().filter_map(Span::message);
        if found().any(|at| at.dictionary.is_some_and(|of| of.is_delta)) {
            return false;
        }
        let mut ids = HashSet::new();
        let mut listed = found().filter(|at| at.block.is_some()).filter_map(|at| Some(at.dictionary?.id));
        let blocks = self.map.listed.blocks().iter();
        let blocks = blocks.filter(|block| block.kind == MessageKind::DictionaryBatch);
        let n_listed = blocks.filter(|block| block.state != BlockState::Repeated).count();
        let n_dictionaries = self.content.as_ref().map_or(usize::MAX, MessageContent::n_dictionaries);
        listed.any(|id| !ids.insert(id)) || n_listed > n_dictionaries
    }

    /// Whether the footer lists all deltas that were found. Otherwise the order of deltas is unknown, and missing
    /// deltas are not noticed. Neither counts if a dictionary is replaced.
    pub(super) fn lists_deltas(&self) -> bool {
        let mut found = self.map.spans.iter().filter_map(Span::message);
        let is_listed = |at: &LocatedMessage| at.block.is_some() || at.is_copy;
        self.footer().is_some()
            && !self.dictionaries.is_replacing
            && found.all(|at| at.dictionary.is_none_or(|of| !of.is_delta) || is_listed(at))
    }

    /// Handles dictionaries that cannot be distinguished. After damaged bytes, dictionaries with the same lengths may be
    /// confused if some are missing, or if there are copies. Deltas of these dictionaries are then refused.
    fn certain_first(&self, mut listed: Vec<NextRead>) -> Vec<NextRead> {
        let spans = &self.map.spans;
        let blocks = self.map.listed.blocks();
        let shift = |span: &Span| {
            let block = blocks.get(span.message()?.block?)?;
            Some(span.range.start.wrapping_sub(block.start()))
        };
        let dictionaries = || {
            let found = spans.iter().filter(|span| !span.message().is_some_and(|at| at.is_copy));
            let found = found.filter_map(|span| Some((shift(span), span.message()?.dictionary?)));
            found.map(|(shift, dictionary)| (shift, dictionary.is_delta))
        };
        // If all deltas are at the listed positions, they cannot be confused with dictionaries.
        let deltas = || dictionaries().filter(|(_, is_delta)| *is_delta).map(|(shift, _)| shift);
        let shifts: HashSet<Option<u64>> = dictionaries().map(|(shift, _)| shift).collect();
        let is_there = shifts.len() <= 1 || deltas().all(|shift| shift == Some(0));
        let missing =
            listed.iter().find(|next_read| matches!(next_read, NextRead::MissingDictionary(_))).copied();
        let is_certain = is_there || missing.is_none() && !self.has_copies();
        let first_lost = spans.iter().position(Span::is_lost);
        let (false, false, Some(first_lost)) = (is_certain, listed.is_empty(), first_lost) else {
            return listed;
        };
        let is_before = |next_read: &NextRead| matches!(next_read, NextRead::Span(idx) if *idx < first_lost);
        let n_before = listed.iter().take_while(|next_read| is_before(next_read)).count();
        let missing = missing.unwrap_or(NextRead::MissingDictionary(None));
        listed.splice(n_before..n_before, [missing]);
        listed
    }

    /// Whether some messages were copied or moved: their shift differs from that of the messages around them, or they
    /// are after the footer.
    fn has_copies(&self) -> bool {
        let blocks = self.map.listed.blocks();
        let found = self.map.spans.iter();
        let found = found.filter_map(|span| {
            let listed = blocks.get(span.message()?.block?)?.start();
            Some((listed, distance(listed, span.range.start)?))
        });
        // The footer follows the last block, so its own shift counts, too.
        let footer_shift = self.footer_shift();
        let footer = footer_shift.map(|shift| (u64::MAX, shift));
        let footer_start = self.map.footer_range().map_or(u64::MAX, |range| range.start);
        // Of dictionaries that occur twice, the original has not moved, or has moved together with the footer.
        let is_stray =
            |shift| !self.dictionaries.contents.is_empty() && shift != 0 && Some(shift) != footer_shift;
        let mut shifts = HashSet::new();
        let mut change = 0_i64;
        let mut last = None;
        let mut start = 0;
        for (listed, shift) in found.chain(footer) {
            let is_after_footer = listed != u64::MAX && listed.saturating_add_signed(shift) > footer_start;
            if is_after_footer || listed < start || is_stray(shift) {
                return true;
            }
            start = listed;
            if last == Some(shift) {
                continue;
            }
            let further = last.map_or(0, |last| shift.saturating_sub(last));
            // If the shift changes and then changes back, messages may have changed positions.
            let is_back = change != 0 && change.signum() != further.signum();
            if is_back || !shifts.insert(shift) {
                return true;
            }
            change = further;
            last = Some(shift);
        }
        false
    }
}

/// The item of an iterator with exactly one item.
fn only<T>(mut items: impl Iterator<Item = T>) -> Option<T> {
    let first = items.next()?;
    items.next().is_none().then_some(first)
}
