//! Reads one message: decides which stream it belongs to, and whether its content is valid.

use std::ops::Range;

use arrow_ipc::{IpcError, IpcErrorKind, Result};
use arrow_ipc_format::{Container, DictionaryHeader, Message, MessageKind};

use super::{MapReader, MessageOwner, hash_message, lost, rejected::RejectedMessage};
use crate::{
    RecoveryStep,
    candidate::{Candidate, Likelihood, ProbeResult, find},
    content::{MessageContent, UncertainUpdates},
    lost::{LostCause, LostContent},
    span::LocatedMessage,
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
    pub(super) fn may_wait(&self, cause: &LostCause) -> bool {
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
}
