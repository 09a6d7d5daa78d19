//! Reads one message: decides which stream it belongs to, and whether its content is valid. Searches the bytes of invalid
//! messages for other messages.

use std::ops::Range;

use arrow_buffer::ViewError;
use arrow_data::DataErrorKind;
use arrow_ipc::{IpcError, IpcErrorKind, Result};
use arrow_ipc_format::{Container, DictionaryHeader, Message, MessageKind};

use super::{MapReader, MessageOwner, NextRead, hash_message, lost};
use crate::{
    RecoveryStep,
    candidate::{Candidate, Likelihood, ProbeResult, find},
    content::{MessageContent, UncertainUpdates},
    lost::{LostCause, LostContent},
    map::SavedMap,
    span::{Damage, LocatedMessage, Span, SpanContent},
    window::{InputWindow, RangeResult},
};

impl MapReader {
    pub(super) fn message(
        &mut self,
        window: &InputWindow,
        (idx, position, located): (usize, u64, LocatedMessage),
    ) -> RangeResult<Result<Vec<RecoveryStep>>> {
        if Some(position) == self.schema.position {
            return Ok(Ok(Vec::new()));
        }
        let found = find(window, position, (Likelihood::Expected, self.options.limits()))?.found;
        let ProbeResult::Candidate(found) = found else {
            // The map found a message in these bytes, so the caller has now provided other bytes.
            let what = LostContent::Message(located.kind);
            return Ok(Ok(vec![lost(position..position, what, LostCause::NoMessage)]));
        };
        let range = found.position..found.end();
        let lose = |cause| Ok(Ok(vec![lost(range.clone(), LostContent::Message(located.kind), cause)]));
        // The body of a message of another stream is not needed.
        match self.owner {
            _ if located.kind == MessageKind::Schema => {}
            MessageOwner::Nobody if self.schema.given.is_none() => return lose(LostCause::NoSchema),
            MessageOwner::Other | MessageOwner::Inner => return lose(LostCause::OtherSchema),
            _ if self.content.is_none() => return lose(LostCause::NoSchema),
            MessageOwner::Ours | MessageOwner::Nobody => {}
        }
        let body = window.bytes_from(found.body_position(), found.envelope.n_body_bytes())?;
        let Candidate { position, n_prefix_bytes, envelope, .. } = found;
        let message = Message::from_parts(located.index, position, n_prefix_bytes, envelope, body);
        if located.kind == MessageKind::Schema {
            return Ok(self.take_schema(&message, range, located));
        }
        if self.container() == Container::File
            && let Some(cause) = self.refuse(&message, located)
        {
            return lose(cause);
        }
        let is_copied = self.is_copied_delta(&message, located);
        let Some(content) = &mut self.content else { return lose(LostCause::NoSchema) };
        if is_copied {
            content.mark_uncertain(&range, UncertainUpdates::Replacements);
        }
        Ok(match content.take(&message) {
            Ok(batch) => {
                match located.dictionary {
                    // A file has one dictionary for each id. A stream may replace dictionaries.
                    Some(DictionaryHeader { id, is_delta: false }) if self.container() == Container::File => {
                        self.dictionaries.read.entry(id).or_insert_with(|| hash_message(&message));
                    }
                    Some(DictionaryHeader { is_delta: true, .. }) if self.is_damaged => {
                        self.dictionaries.deltas.insert(hash_message(&message));
                    }
                    _ => {}
                }
                let doubtful = self.doubtful(located, range);
                Ok([RecoveryStep::Message { message, batch }].into_iter().chain(doubtful).collect())
            }
            // If memory is free later, another call may succeed.
            Err(LostCause::Error(error)) if matches!(error.kind(), IpcErrorKind::Memory(_)) => Err(error),
            Err(cause) if self.may_wait(&cause) => {
                self.queue.waiting.push_back((idx, RejectedMessage::new(&message, located, cause)));
                Ok(Vec::new())
            }
            Err(cause @ LostCause::LostDictionary { .. }) => return lose(cause),
            // The bytes of an invalid message may contain other messages.
            Err(cause) => {
                self.rejected = Some(RejectedMessage::new(&message, located, cause));
                Ok(Vec::new())
            }
        })
    }

    /// Whether a batch of a file waits for its dictionary, which may follow the batch.
    fn may_wait(&self, cause: &LostCause) -> bool {
        let needs_dictionary =
            |error: &IpcError| matches!(error.kind(), IpcErrorKind::MissingDictionary { .. });
        let is_missing = matches!(cause, LostCause::LostDictionary { .. })
            || matches!(cause, LostCause::Error(error) if needs_dictionary(error));
        let is_known = self.content.as_ref().is_none_or(MessageContent::has_all_dictionaries);
        is_missing && !is_known && self.container() == Container::File && !self.dictionaries.is_replacing
    }

    /// Returns a reason to refuse a message of a file. A second dictionary with the same id may be a copy that the
    /// damage made, or replace the first. A batch may need it if the footer does not list the batch, or lists the
    /// dictionary before the batch.
    fn refuse(&mut self, message: &Message, located: LocatedMessage) -> Option<LostCause> {
        let Some(dictionary) = located.dictionary else {
            if !self.content.as_ref().is_some_and(|content| content.has_dictionaries()) {
                return None;
            }
            let unlisted = if located.block.is_none() { self.dictionaries.second.as_ref() } else { None };
            let listed =
                self.dictionaries.listed_second.as_ref().filter(|(_, range)| range.end <= message.position());
            let (id, range) = unlisted.or(listed)?.clone();
            return Some(LostCause::LostDictionary { id, range });
        };
        if located.is_copy {
            return Some(LostCause::SecondDictionary { id: dictionary.id });
        }
        let is_certain = (self.footer().is_some() || self.is_damaged) && !self.dictionaries.is_replacing;
        if dictionary.is_delta || !is_certain {
            return None;
        }
        let known = self.dictionaries.read.get(&dictionary.id).copied()?;
        let range = message.position()..message.body_position().saturating_add(message.n_body_bytes());
        // A copy has the same values.
        let is_other = known != hash_message(message);
        // This message may have replaced a delta, or was a delta before it was damaged.
        if (is_other || located.block.is_some())
            && let Some(content) = self.content.as_mut()
        {
            content.lose(DictionaryHeader { is_delta: true, ..dictionary }, &range);
        }
        if is_other {
            let is_first = |of: &Option<(i64, Range<u64>)>| {
                of.as_ref().is_none_or(|(_, known)| range.start < known.start)
            };
            if located.block.is_some() && is_first(&self.dictionaries.listed_second) {
                self.dictionaries.listed_second = Some((dictionary.id, range.clone()));
            }
            self.dictionaries.second = Some((dictionary.id, range));
        }
        Some(LostCause::SecondDictionary { id: dictionary.id })
    }

    /// Searches the bytes of an invalid message and the lost bytes after it. The messages found replace the invalid
    /// message.
    pub(super) fn rescan(&mut self, window: &InputWindow, idx: usize) -> RangeResult<Vec<RecoveryStep>> {
        let Some(mut rejected) = self.rejected.take() else { return Ok(Vec::new()) };
        if rejected.saved_map.is_none() && !rejected.is_searched {
            let known = (rejected.n_prefix_bytes, rejected.located.index);
            rejected.search_end = self.search_end_after(idx, &rejected.range);
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
    fn search_end_after(&self, idx: usize, range: &Range<u64>) -> u64 {
        let footer = self.map.footer_range().map(|range| range.start);
        let mut after = self.after(idx).map(|(_, span)| span);
        let next = after.find(|span| span.message().is_some()).map(|span| span.range.start);
        let end = next.into_iter().chain(footer.filter(|start| *start >= range.end)).min();
        end.unwrap_or(self.map.position())
    }
}

/// A message that is invalid or does not fit the schema. Its bytes are searched for other messages.
#[derive(Debug)]
pub(super) struct RejectedMessage {
    pub(super) range: Range<u64>,
    pub(super) located: LocatedMessage,
    pub(super) cause: LostCause,
    pub(super) n_prefix_bytes: u64,
    pub(super) search_end: u64,
    pub(super) is_searched: bool,
    /// Whether its bytes are one message: they were searched, and the next message begins at their end. Only its
    /// content is lost, if no message was found inside it.
    pub(super) is_whole: bool,
    /// The state of the map from before the search.
    pub(super) saved_map: Option<SavedMap>,
}

impl RejectedMessage {
    pub(super) fn new(message: &Message, located: LocatedMessage, cause: LostCause) -> RejectedMessage {
        let range = message.position()..message.body_position().saturating_add(message.n_body_bytes());
        let search_end = range.end;
        RejectedMessage {
            range,
            located,
            cause,
            n_prefix_bytes: message.n_prefix_bytes(),
            search_end,
            is_searched: false,
            is_whole: false,
            saved_map: None,
        }
    }

    /// Whether the reason says that lengths, counts and offsets are right: text that is not UTF-8, or a dictionary that has
    /// not come yet. If bytes were removed from the middle of a message, with a dictionary after it, such numbers are wrong.
    pub(super) fn is_about_values(&self) -> bool {
        let LostCause::Error(error) = &self.cause else { return false };
        if let IpcErrorKind::Data(error) = error.kind() {
            return matches!(
                error.kind(),
                DataErrorKind::NotUtf8 { .. } | DataErrorKind::View(ViewError::NotUtf8)
            );
        }
        matches!(error.kind(), IpcErrorKind::MissingDictionary { .. })
    }
}
