//! Searches the bytes of invalid messages for other messages.

use std::ops::Range;

use arrow_ipc_format::{Container, MessageKind};

use super::{NextRead, Reading, lost, refuted::Refuted};
use crate::{
    RecoveryStep,
    lost::{LostCause, LostWhat},
    stretch::{Damage, Stretch, StretchContent},
    window::{InputWindow, Wait},
};

impl Reading {
    /// Searches the bytes of an invalid message and the lost bytes after it. The messages found replace the invalid
    /// message.
    pub(super) fn look_again(&mut self, window: &InputWindow, idx: usize) -> Wait<Vec<RecoveryStep>> {
        let Some(mut refuted) = self.refuted.take() else { return Ok(Vec::new()) };
        if refuted.kept.is_none() && !refuted.is_searched {
            let known = (refuted.n_prefix_bytes, refuted.located.index);
            refuted.search_end = self.unclaimed_end(idx, &refuted.range);
            refuted.kept = self.map.look_again(refuted.range.start..refuted.search_end, known);
        }
        if refuted.kept.is_some() && !self.map.is_complete() {
            let looked = self.map.step(window);
            self.refuted = Some(refuted);
            return looked.map(|()| Vec::new());
        }
        self.ahead.pop_front();
        let (range, located, search_end) = (refuted.range.clone(), refuted.located, refuted.search_end);
        let found = refuted.kept.take().map(|kept| self.map.found_again(kept));
        // The next message begins at the end of this one, so the lengths of this message are right.
        let is_followed = search_end == range.end && range.end < self.map.position();
        refuted.is_whole |= is_followed && found.is_some();
        let mut found = found.unwrap_or_default();
        if is_followed {
            // An end marker inside the message is a value.
            let markers =
                found.iter_mut().filter(|stretch| matches!(stretch.content, StretchContent::EndMarker));
            markers.for_each(|marker| {
                marker.content = StretchContent::Lost(Damage::new(LostWhat::Bytes, LostCause::EndMarker));
            });
        }
        // An end marker inside the message is part of a value.
        let inside = self.after(idx).take_while(|(_, stretch)| stretch.range.start < range.end);
        for idx in inside.map(|(idx, _)| idx).collect::<Vec<usize>>() {
            let stretch = self.map.stretches.get_mut(idx);
            if let Some(stretch) = stretch.filter(|it| matches!(it.content, StretchContent::EndMarker)) {
                stretch.content = StretchContent::Other;
            }
        }
        let is_unsound = !matches!(refuted.cause, LostCause::LostDictionary { .. });
        if let (Container::File, MessageKind::DictionaryBatch, true, Some(content)) =
            (self.container(), located.kind, is_unsound, &mut self.content)
        {
            // The message may have been a delta of any dictionary, if its id is wrong.
            content.lose_deltas(range.clone());
            if located.block.is_some() && !self.further_plans.is_empty() {
                // Another message may be the listed dictionary. So the order of reading is decided again.
                self.ahead.clear();
                self.has_found_dictionary = true;
            }
        }
        let what = LostWhat::Message(located.kind);
        let Some(last) = found.iter().rposition(|stretch| stretch.message().is_some()) else {
            if !refuted.is_searched && self.may_wait(&refuted.cause) {
                // The dictionary of the batch may be in another message.
                self.waiting.push_back((idx, Refuted { is_searched: true, ..refuted }));
                return Ok(Vec::new());
            }
            // The id of a dictionary may be wrong. If a file seems to replace a dictionary, an invalid batch shows that
            // the second dictionary is another message.
            let is_only_content = refuted.is_whole
                && refuted.is_about_values()
                && located.dictionary.is_none()
                && !self.is_replacing;
            if !is_only_content {
                self.suspect(&range);
            }
            if let Some(stretch) = self.map.stretches.get_mut(idx) {
                let damage = Damage { block: located.block, ..Damage::new(what, LostCause::NoMessage) };
                (stretch.content, stretch.is_read) = (StretchContent::Lost(damage), true);
            }
            return Ok(vec![lost(range, what, refuted.cause)]);
        };
        let damage = Damage { block: located.block, ..Damage::new(what, refuted.cause) };
        if let Some(first) = found.first_mut() {
            first.content = StretchContent::Lost(damage);
        }
        let is_dictionary = |stretch: &Stretch| stretch.message().is_some_and(|it| it.dictionary.is_some());
        self.has_found_dictionary |= self.container() == Container::File && found.iter().any(is_dictionary);
        // Nothing was found that ends after the message.
        let last_end = found.get(last).map_or(range.end, |stretch| stretch.range.end.max(range.end));
        let rest: Vec<usize> = self
            .after(idx)
            .take_while(|(_, stretch)| stretch.range.start < search_end)
            .map(|(idx, _)| idx)
            .collect();
        let mut end = range.end;
        for idx in std::iter::once(idx).chain(rest) {
            let Some(stretch) = self.map.stretches.get_mut(idx) else { continue };
            if stretch.range.start < last_end {
                stretch.content = StretchContent::Other;
                self.places.remove(&stretch.range.start);
                end = stretch.range.end;
            }
        }
        found.retain(|stretch| stretch.range.start < end);
        for mut stretch in found.into_iter().rev() {
            stretch.range.end = stretch.range.end.min(end);
            let idx = self.map.stretches.len();
            self.places.insert(stretch.range.start, idx);
            self.map.stretches.push(stretch);
            self.ahead.push_front(NextRead::Stretch(idx));
        }
        Ok(Vec::new())
    }

    /// The start of the next message or of the footer. Bytes before it may have been damaged together with this
    /// message, and an end marker among them may be a value.
    fn unclaimed_end(&self, idx: usize, range: &Range<u64>) -> u64 {
        let footer = self.map.footer_range().map(|range| range.start);
        let mut after = self.after(idx).map(|(_, stretch)| stretch);
        let next = after.find(|stretch| stretch.message().is_some()).map(|stretch| stretch.range.start);
        let end = next.into_iter().chain(footer.filter(|start| *start >= range.end)).min();
        end.unwrap_or(self.map.position())
    }
}
