//! Searches the bytes of invalid messages for other messages.

use std::ops::Range;

use arrow_ipc_format::{Container, MessageKind};

use super::{MapReader, NextRead, lost, rejected::RejectedMessage};
use crate::{
    RecoveryStep,
    lost::{LostCause, LostContent},
    span::{Damage, Span, SpanContent},
    window::{InputWindow, RangeResult},
};

impl MapReader {
    /// Searches the bytes of an invalid message and the lost bytes after it. The messages found replace the invalid
    /// message.
    pub(super) fn rescan(&mut self, window: &InputWindow, idx: usize) -> RangeResult<Vec<RecoveryStep>> {
        let Some(mut rejected) = self.rejected.take() else { return Ok(Vec::new()) };
        if rejected.saved_map.is_none() && !rejected.is_searched {
            let known = (rejected.n_prefix_bytes, rejected.located.index);
            rejected.search_end = self.unclaimed_end(idx, &rejected.range);
            rejected.saved_map = self.map.rescan(rejected.range.start..rejected.search_end, known);
        }
        if rejected.saved_map.is_some() && !self.map.is_complete() {
            let probe = self.map.step(window);
            self.rejected = Some(rejected);
            return probe.map(|()| Vec::new());
        }
        self.queue.next.pop_front();
        let range = rejected.range.clone();
        let located = rejected.located;
        let search_end = rejected.search_end;
        let found = rejected.saved_map.take().map(|saved_map| self.map.finish_rescan(saved_map));
        // The next message begins at the end of this one, so the lengths of this message are right.
        let is_followed = search_end == range.end && range.end < self.map.position();
        rejected.is_whole |= is_followed && found.is_some();
        let mut found = found.unwrap_or_default();
        if is_followed {
            // An end marker inside the message is a value.
            let markers = found.iter_mut().filter(|span| matches!(span.content, SpanContent::EndMarker));
            markers.for_each(|marker| {
                marker.content = SpanContent::Lost(Damage::new(LostContent::Bytes, LostCause::EndMarker));
            });
        }
        // An end marker inside the message is part of a value.
        let inside = self.after(idx).take_while(|(_, span)| span.range.start < range.end);
        for idx in inside.map(|(idx, _)| idx).collect::<Vec<usize>>() {
            let span = self.map.spans.get_mut(idx);
            if let Some(span) = span.filter(|it| matches!(it.content, SpanContent::EndMarker)) {
                span.content = SpanContent::Other;
            }
        }
        let is_unsound = !matches!(rejected.cause, LostCause::LostDictionary { .. });
        if let (Container::File, MessageKind::DictionaryBatch, true, Some(content)) =
            (self.container(), located.kind, is_unsound, &mut self.content)
        {
            // The message may have been a delta of any dictionary, if its id is wrong.
            content.lose_deltas(range.clone());
            if located.block.is_some() && !self.queue.further_plans.is_empty() {
                // Another message may be the listed dictionary. So the order of reading is decided again.
                self.queue.next.clear();
                self.queue.is_outdated = true;
            }
        }
        let what = LostContent::Message(located.kind);
        let Some(last) = found.iter().rposition(|span| span.message().is_some()) else {
            if !rejected.is_searched && self.may_wait(&rejected.cause) {
                // The dictionary of the batch may be in another message.
                self.queue.waiting.push_back((idx, RejectedMessage { is_searched: true, ..rejected }));
                return Ok(Vec::new());
            }
            // The id of a dictionary may be wrong. If a file seems to replace a dictionary, an invalid batch shows that
            // the second dictionary is another message.
            let is_only_content = rejected.is_whole
                && rejected.is_about_values()
                && located.dictionary.is_none()
                && !self.dictionaries.is_replacing;
            if !is_only_content {
                self.mark_uncertain(&range);
            }
            if let Some(span) = self.map.spans.get_mut(idx) {
                let damage = Damage { block: located.block, ..Damage::new(what, LostCause::NoMessage) };
                span.content = SpanContent::Lost(damage);
                span.is_read = true;
            }
            return Ok(vec![lost(range, what, rejected.cause)]);
        };
        let damage = Damage { block: located.block, ..Damage::new(what, rejected.cause) };
        if let Some(first) = found.first_mut() {
            first.content = SpanContent::Lost(damage);
        }
        let is_dictionary = |span: &Span| span.message().is_some_and(|it| it.dictionary.is_some());
        self.queue.is_outdated |= self.container() == Container::File && found.iter().any(is_dictionary);
        // Nothing was found that ends after the message.
        let last_end = found.get(last).map_or(range.end, |span| span.range.end.max(range.end));
        let rest: Vec<usize> = self
            .after(idx)
            .take_while(|(_, span)| span.range.start < search_end)
            .map(|(idx, _)| idx)
            .collect();
        let mut end = range.end;
        for idx in std::iter::once(idx).chain(rest) {
            let Some(span) = self.map.spans.get_mut(idx) else { continue };
            if span.range.start < last_end {
                span.content = SpanContent::Other;
                self.positions.remove(&span.range.start);
                end = span.range.end;
            }
        }
        found.retain(|span| span.range.start < end);
        for mut span in found.into_iter().rev() {
            span.range.end = span.range.end.min(end);
            let idx = self.map.spans.len();
            self.positions.insert(span.range.start, idx);
            self.map.spans.push(span);
            self.queue.next.push_front(NextRead::Span(idx));
        }
        Ok(Vec::new())
    }

    /// The start of the next message or of the footer. Bytes before it may have been damaged together with this
    /// message, and an end marker among them may be a value.
    fn unclaimed_end(&self, idx: usize, range: &Range<u64>) -> u64 {
        let footer = self.map.footer_range().map(|range| range.start);
        let mut after = self.after(idx).map(|(_, span)| span);
        let next = after.find(|span| span.message().is_some()).map(|span| span.range.start);
        let end = next.into_iter().chain(footer.filter(|start| *start >= range.end)).min();
        end.unwrap_or(self.map.position())
    }
}
