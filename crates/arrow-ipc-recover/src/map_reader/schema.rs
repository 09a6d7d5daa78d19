//! Chooses the schema of the input: from the schema message, the footer or the caller. Handles schema messages of other
//! streams, which follow the first stream or are inside values.

use std::{collections::HashSet, ops::Range};

use arrow_ipc::{IpcError, Result};
use arrow_ipc_format::{Container, IpcSchema, Message, MessageKind, MetadataVersion};

use super::{MapReader, MessageOwner, lost, schema_trial::SchemaTrial};
use crate::{
    RecoveryStep,
    candidate::{Likelihood, ProbeResult, find},
    content::MessageContent,
    lost::{LostCause, LostContent},
    span::LocatedMessage,
    window::{InputWindow, RangeResult},
};

impl MapReader {
    /// Chooses the schema. A schema from the caller replaces all others. If the footer and the schema message differ,
    /// the first messages tell which of them is right. If they do not, the footer counts, as in readers.
    ///
    /// # Errors
    /// If no batch fits the schema, unless both the footer and the schema message have it.
    pub(super) fn first_schema(&mut self, window: &InputWindow) -> RangeResult<Result<Vec<RecoveryStep>>> {
        let found = self.schema_message(window)?;
        let footer = self.map.ends.footer_schema().cloned();
        self.schema.position = found.as_ref().map(|(range, _)| range.start);
        let range = found.as_ref().map_or(0..0, |(range, _)| range.clone());
        let (message, error) = match found {
            Some((_, Ok(schema))) => (Some(schema), None),
            Some((_, Err(error))) => (None, Some(error)),
            None => (None, None),
        };
        // A footer has its own version. Writers of V4 may set it to V5.
        let footer = match (footer, &message) {
            (Some(footer), Some(message)) => Some(footer.with_version(message.version())),
            (footer, _) => footer,
        };
        let is_agreed =
            matches!((&message, &footer), (Some(message), Some(footer)) if is_same(message, footer));
        let given = self.schema.given.clone();
        let tried = match &given {
            Some(given) => vec![given.clone()],
            None if is_agreed => message.iter().cloned().collect(),
            None => footer.iter().chain(&message).cloned().collect(),
        };
        let mut trial = self.schema.trial.take().unwrap_or_else(|| {
            let tried = tried.into_iter().map(|schema| self.with_likely_version(schema));
            SchemaTrial::new(tried, self.schema.position, &self.options)
        });
        while !trial.is_ended() {
            match trial.step(window, &self.map, &self.options) {
                Ok(Ok(())) => {}
                Ok(Err(error)) => return Ok(Err(error)),
                Err(need) => {
                    self.schema.trial = Some(trial);
                    return Err(need);
                }
            }
        }
        // If two copies of the schema agree, the batches are damaged.
        let is_suspect = !is_agreed || given.is_some();
        if is_suspect && let Some(error) = trial.contradiction(given.as_ref()) {
            return Ok(Err(error));
        }
        let has_footer = footer.is_some();
        let best = trial.best();
        let is_best =
            |schema: &Option<IpcSchema>| best.zip(schema.as_ref()).is_some_and(|(a, b)| is_same(a, b));
        let is_footer_wrong = given.is_none() && has_footer && !is_best(&footer) && is_best(&message);
        let from_footer = if is_footer_wrong { None } else { footer.as_ref() };
        let other = |schema: &IpcSchema, other: &IpcSchema| {
            if schema.schema() == other.schema() { LostCause::OtherByteOrder } else { LostCause::OtherSchema }
        };
        let given_first = given.as_ref().or(from_footer).or(message.as_ref());
        // Of the schemas with the same columns, the one whose ids name the most dictionaries of the input is used: ids
        // may be damaged, and a schema from the caller may have other ids.
        let known = given_first.and_then(|first| {
            let known = [&given, &message, &footer].into_iter().flatten();
            known.filter(|known| is_same(known, first)).max_by_key(|known| self.n_named(known)).cloned()
        });
        let has_other_ids = |of: &Option<IpcSchema>| {
            let ids = |of: &IpcSchema| of.dictionary_ids().to_vec();
            let both = known.as_ref().zip(of.as_ref());
            both.is_some_and(|(known, of)| is_same(known, of) && ids(known) != ids(of))
        };
        let cause = match (&given, &message, error) {
            // No bytes are lost before the first message, so the file was written without a schema message.
            (Some(_), None, None) if !has_footer && !self.begins_with_damage() => Some(LostCause::NoMessage),
            (_, None, None) => None,
            (_, None, Some(error)) if given.is_none() && !has_footer => {
                // Without a schema, no message can be decoded.
                if let Some(beginning) = &mut self.map.beginning {
                    beginning.error = Some(error);
                }
                Some(LostCause::NoMessage)
            }
            (_, None, Some(error)) => Some(LostCause::Error(error)),
            (Some(given), Some(message), _) if !is_same(given, message) => Some(LostCause::GivenSchema),
            (None, Some(message), _) if from_footer.is_some_and(|footer| !is_same(footer, message)) => {
                from_footer.map(|footer| other(message, footer))
            }
            (_, Some(_), _) if has_other_ids(&message) => Some(LostCause::OtherSchema),
            (_, Some(_), _) => None,
        };
        let footer_cause = match (&given, &message, &footer) {
            (None, Some(message), Some(footer)) if is_footer_wrong => Some(other(footer, message)),
            // The schema message differs as well, or is reported as lost.
            (Some(given), None, Some(footer)) if !is_same(given, footer) => Some(LostCause::GivenSchema),
            _ if has_other_ids(&footer) => Some(LostCause::OtherSchema),
            _ => None,
        };
        let footer_lost = self.map.footer_range().zip(footer_cause);
        let footer_lost = footer_lost.map(|(range, cause)| super::lost(range, LostContent::Footer, cause));
        let faults = self.footer_faults();
        let what = if has_footer && given.is_none() {
            LostContent::SchemaMessage
        } else {
            LostContent::Message(MessageKind::Schema)
        };
        let lost = cause.map(|cause| lost(range, what, cause)).into_iter().chain(footer_lost).chain(faults);
        let Some(schema) = known else { return Ok(Ok(lost.collect())) };
        let schema = self.with_likely_version(schema);
        if self.map.ends.footer_schema().is_none()
            && let Some((footer, range)) = self.map.ends.footer.take()
        {
            self.map.ends.footer = Some((footer.with_ipc_schema(schema.clone()), range));
        }
        Ok(MessageContent::try_new(schema.clone(), &self.options).map(|content| {
            self.content = Some(content);
            std::iter::once(RecoveryStep::Schema(schema)).chain(lost).collect()
        }))
    }

    /// Reports the parts of the footer that cannot be read.
    fn footer_faults(&mut self) -> Vec<RecoveryStep> {
        let Some(range) = self.map.footer_range() else { return Vec::new() };
        let errors = self.map.ends.faults.take_errors();
        let start = range.start;
        let lose = |error: IpcError| {
            lost(range.clone(), LostContent::Footer, LostCause::FooterPart(error.at_byte(start)))
        };
        errors.into_iter().map(lose).collect()
    }

    /// The number of dictionaries of the input with ids of this schema.
    fn n_named(&self, schema: &IpcSchema) -> usize {
        let dictionaries = self.map.spans.iter().filter_map(|span| Some(span.message()?.dictionary?.id));
        let ids: HashSet<i64> = schema.dictionary_ids().iter().copied().collect();
        dictionaries.filter(|id| ids.contains(id)).count()
    }

    /// Sets the metadata version of most messages. The version in the schema message may be damaged, and a writer of
    /// the recovered messages would copy it.
    fn with_likely_version(&self, schema: IpcSchema) -> IpcSchema {
        let versions = self.map.spans.iter().filter_map(|span| Some(span.message()?.version));
        let mut n_new = 0_u64;
        let mut n_old = 0_u64;
        for version in versions {
            let n = if version == MetadataVersion::V5 { &mut n_new } else { &mut n_old };
            *n = n.saturating_add(1);
        }
        match (n_new, n_old) {
            (0, 0) => schema,
            _ if n_new >= n_old => schema.with_version(MetadataVersion::V5),
            _ => schema.with_version(MetadataVersion::V4),
        }
    }

    /// The schema message at the start of the input, even after damaged bytes, with its range.
    fn schema_message(
        &mut self,
        window: &InputWindow,
    ) -> RangeResult<Option<(Range<u64>, Result<IpcSchema>)>> {
        if let Some(beginning) = &self.map.beginning
            // The schema is cloned, since this function may be called again when more bytes are provided.
            && let Some((schema, metadata)) = beginning.bare.clone()
        {
            self.schema.metadata = metadata;
            return Ok(Some((beginning.start..beginning.start, Ok(schema))));
        }
        let first = self.map.spans.iter().find_map(|span| Some((span.message()?.kind, span.range.clone())));
        let Some((MessageKind::Schema, range)) = first else { return Ok(None) };
        let limits = self.options.limits().clone();
        let ProbeResult::Candidate(found) = find(window, range.start, (Likelihood::Expected, &limits))?.found
        else {
            return Ok(None);
        };
        self.schema.metadata = found.envelope.custom_metadata(&limits).ok();
        Ok(Some((range, found.envelope.schema(&limits).map_err(IpcError::from))))
    }

    /// Handles a schema message that is not at the start: the schema message of a later stream, or the first readable
    /// one.
    pub(super) fn take_schema(
        &mut self,
        message: &Message,
        range: Range<u64>,
        located: LocatedMessage,
    ) -> Result<Vec<RecoveryStep>> {
        let lose = |cause| Ok(vec![lost(range.clone(), LostContent::Message(MessageKind::Schema), cause)]);
        let is_unmarked =
            self.content.is_some() && self.owner == MessageOwner::Ours && !located.follows_damage;
        let unmarked =
            is_unmarked.then(|| lost(range.start..range.start, LostContent::Bytes, LostCause::NoEndMarker));
        if self.container() == Container::File && self.content.is_some() {
            return lose(LostCause::SecondSchema);
        }
        let schema = match message.envelope().schema(self.options.limits()) {
            Ok(schema) => schema,
            Err(error) => {
                // The message may be of any kind, since no end marker precedes it.
                return lose(LostCause::Error(error.into()));
            }
        };
        match &self.content {
            None => {
                self.schema.metadata = message.custom_metadata().ok();
                self.owner = MessageOwner::Ours;
                self.content = Some(MessageContent::try_new(schema.clone(), &self.options)?);
                Ok(vec![RecoveryStep::Schema(schema)])
            }
            Some(content) if has_same_columns(content.schema(), &schema) => {
                let ours = content.schema().clone().with_version(schema.version());
                let is_same = ours == schema;
                // Each stream has its own dictionaries.
                self.content = Some(MessageContent::try_new(ours, &self.options)?);
                self.owner = MessageOwner::Ours;
                let other = || {
                    lost(range.clone(), LostContent::Message(MessageKind::Schema), LostCause::OtherMetadata)
                };
                Ok(unmarked.into_iter().chain((!is_same).then(other)).collect())
            }
            Some(_) => {
                let is_inner = located.follows_damage && self.owner == MessageOwner::Ours;
                self.owner = if is_inner { MessageOwner::Inner } else { MessageOwner::Other };
                lose(LostCause::OtherSchema)
            }
        }
    }
}

fn is_same(left: &IpcSchema, right: &IpcSchema) -> bool {
    left.schema() == right.schema() && left.endianness() == right.endianness()
}

/// Whether two schemas differ at most in metadata.
fn has_same_columns(one: &IpcSchema, other: &IpcSchema) -> bool {
    one.dictionary_ids() == other.dictionary_ids()
        && one.endianness() == other.endianness()
        && one.schema().check_same_columns(other.schema()).is_ok()
}
