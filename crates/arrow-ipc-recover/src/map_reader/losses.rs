//! Reports losses that no range of the map shows: messages with values that may be shifted, a damaged footer, blocks that
//! were not found, and a missing magic.
//!
//! If there is a footer, values may be shifted if the distance of a message to the next message differs from the distance in
//! the footer: bytes were inserted or removed at an unknown position. Without a footer, this is a message that lost bytes
//! follow, or that ends with the bytes of an end marker.

use std::ops::Range;

use arrow_ipc_format::{Container, PREFIX_BYTES, Prefix};

use super::{MapReader, lost};
use crate::{
    RecoveryStep,
    footer_blocks::{ListedBlock, distance},
    lost::{LostCause, LostContent, LostPart},
    span::{Damage, LocatedMessage, Span, SpanContent},
    window::{InputWindow, RangeResult},
};

struct ShiftedMessage {
    start: u64,
    end: u64,
    block: usize,
}

/// If more spans without a block follow a message, the footer cannot show whether its values are shifted.
const MAX_UNLISTED: usize = 64;

impl MapReader {
    /// Reports the message before a span if its values may be shifted. The values are not shifted if the next
    /// message begins at the end of this message.
    pub(super) fn shifted(&self, window: &InputWindow, idx: usize) -> RangeResult<Option<RecoveryStep>> {
        if self.container() != Container::File || self.footer().is_none() {
            return self.unproven(window, idx);
        }
        let Some(span) = self.map.spans.get(idx) else { return Ok(None) };
        let Range { start, end } = span.range;
        let listed_position = |(_, span): (usize, &Span)| {
            let block = self.map.listed.blocks().get(span.message()?.block?)?;
            Some((span.range.start, block.start()))
        };
        // The start of the next message in the input and in the footer. The end marker and the footer follow the last
        // block.
        let message = self.listed_before(idx);
        let last = self.map.listed.end();
        let is_last =
            message.as_ref().is_some_and(|of| of.block.saturating_add(1) == self.map.listed.blocks().len());
        let next = || self.after(idx).take(MAX_UNLISTED).find_map(listed_position);
        let is_end = || self.after(idx).nth(MAX_UNLISTED).is_none();
        let next = match &span.content {
            SpanContent::Message(_) | SpanContent::Lost(Damage { cause: LostCause::Missing { .. }, .. }) => {
                None
            }
            SpanContent::Lost(_) => {
                next().or_else(|| if is_end() { Some((self.blocks_end(idx), last?)) } else { None })
            }
            // These are zeros between messages.
            SpanContent::Other => self.after(idx).next().and_then(listed_position),
            SpanContent::EndMarker => match next() {
                Some(next) => Some(next).filter(|(next, _)| *next == end),
                None if is_last && is_end() => last.map(|last| (start, last)),
                None => None,
            },
        };
        let (Some(message), Some(next)) = (message, next) else { return Ok(None) };
        let Some(n_surplus) = self.n_surplus(&message, next).filter(|n_surplus| *n_surplus != 0) else {
            return Ok(None);
        };
        if self.begins_block(window, &message)? {
            return Ok(None);
        }
        let Some(block) = self.map.listed.blocks().get(message.block) else { return Ok(None) };
        let what = LostContent::Certainty { kind: block.kind, number: Some(block.number as u64) };
        let cause = LostCause::Shifted { n_surplus };
        Ok(Some(RecoveryStep::Lost(LostPart::new(message.start..message.end, what, cause))))
    }

    /// Like [`shifted`](Self::shifted), for an input without a footer. If bytes were inserted into the body, the lost
    /// bytes or zeros after the message may be the end of the body. Only the prefix of a message at the end of the body
    /// rules this out.
    fn unproven(&self, window: &InputWindow, idx: usize) -> RangeResult<Option<RecoveryStep>> {
        let is_before_message = self.after(idx).next().is_some_and(|(_, next)| next.message().is_some());
        let lost = self.map.spans.get(idx).filter(|span| match &span.content {
            SpanContent::Lost(damage) => !matches!(damage.cause, LostCause::Missing { .. }),
            // These zeros may be the end of a body.
            SpanContent::Other => is_before_message,
            SpanContent::Message(_) | SpanContent::EndMarker => false,
        });
        // Zeros between the message and the lost bytes may be values, too.
        let message = self.before(idx).find(|span| !matches!(span.content, SpanContent::Other));
        let located = message.and_then(Span::message).filter(|located| located.lengths.is_some());
        let (Some(lost), Some(message), Some(located)) = (lost, message, located) else { return Ok(None) };
        let (start, end) = (message.range.end, lost.range.end);
        let prefix = Prefix::parse(&window.bytes_from(start, PREFIX_BYTES)?);
        if matches!(prefix, Ok(Some(Prefix::Message { n_prefix_bytes: PREFIX_BYTES, .. }))) {
            return Ok(None);
        }
        let what = LostContent::Certainty { kind: located.kind, number: None };
        let cause = LostCause::Unproven { n_bytes: end.saturating_sub(start) };
        Ok(Some(RecoveryStep::Lost(LostPart::new(message.range.clone(), what, cause))))
    }

    /// Reports a message that ends with the bytes of an end marker, although none follows.
    pub(super) fn doubtful(&self, located: LocatedMessage, range: Range<u64>) -> Option<RecoveryStep> {
        let n_bytes = located.n_doubtful_bytes;
        let block = located.block.and_then(|idx| self.map.listed.blocks().get(idx));
        let number = block.map(|block| block.number as u64);
        let what = LostContent::Certainty { kind: located.kind, number };
        (n_bytes > 0).then(|| lost(range, what, LostCause::EndMarkerInside { n_bytes }))
    }

    /// The listed message before a span, if only zeros are between them.
    fn listed_before(&self, idx: usize) -> Option<ShiftedMessage> {
        let message = self.before(idx).find(|span| !matches!(span.content, SpanContent::Other))?;
        let located = message.message()?;
        let (start, (_, n_metadata_bytes, n_body_bytes)) = (message.range.start, located.lengths?);
        let end = start.saturating_add(n_metadata_bytes).saturating_add(n_body_bytes);
        Some(ShiftedMessage { start, end, block: located.block? })
    }

    /// The distance between two messages, minus the distance that the footer lists. `next` is the start of the second
    /// message in the input and in the footer.
    fn n_surplus(&self, message: &ShiftedMessage, (next, listed): (u64, u64)) -> Option<i64> {
        let first = self.map.listed.blocks().get(message.block)?.start();
        // If messages have changed positions, the distance shows no inserted bytes.
        let found = distance(message.start, next)?;
        let listed = distance(first, listed)?;
        (listed > 0).then(|| found.saturating_sub(listed))
    }

    /// The start of the end marker after the messages. The marker may be damaged.
    fn blocks_end(&self, idx: usize) -> u64 {
        let is_marker = |(_, span): &(usize, &Span)| matches!(span.content, SpanContent::EndMarker);
        let marker = self.after(idx).find(is_marker).map(|(_, span)| span.range.start);
        let footer = self.map.footer_range().map_or(self.map.position(), |range| range.start);
        marker.unwrap_or(footer.saturating_sub(PREFIX_BYTES))
    }

    /// Whether a message is complete: the next block begins at its end, with a readable prefix of the listed length.
    fn begins_block(&self, window: &InputWindow, message: &ShiftedMessage) -> RangeResult<bool> {
        let Some(next) = self.map.listed.blocks().get(message.block.saturating_add(1)) else {
            return Ok(false);
        };
        let (_, n_listed_bytes, _) = next.lengths();
        let prefix = Prefix::parse(&window.bytes_from(message.end, PREFIX_BYTES)?);
        Ok(match prefix {
            Ok(Some(Prefix::Message { n_prefix_bytes, n_metadata_bytes })) => {
                n_prefix_bytes.saturating_add(n_metadata_bytes.into()) == n_listed_bytes
            }
            _ => false,
        })
    }

    /// Reports the magic at the start of a file as lost if it is absent.
    pub(super) fn lost_magic(&self) -> Option<RecoveryStep> {
        let has_magic = self.map.beginning.as_ref().is_some_and(|beginning| beginning.has_magic);
        let is_lost = self.container() == Container::File && !has_magic && !self.begins_with_damage();
        is_lost.then(|| lost(0..0, LostContent::Bytes, LostCause::NoMagic))
    }

    pub(super) fn begins_with_damage(&self) -> bool {
        let mut content = self.map.spans.iter().filter(|span| !matches!(span.content, SpanContent::Other));
        content.next().is_some_and(Span::is_lost)
    }

    /// Reports the footer as damaged if it lists blocks twice, out of order or inside each other, or does not list all
    /// messages. Does the same if the footer lists messages at wrong positions or with wrong lengths, although no bytes
    /// are lost.
    pub(super) fn lost_footer(&self) -> Option<RecoveryStep> {
        let irregular = self.footer().and_then(|footer| footer.irregularities().into_iter().next());
        let blocks = self.map.listed.blocks();
        let block = |span: &Span| blocks.get(span.message()?.block?);
        let is_moved = |span: &Span| block(span).is_some_and(|block| block.start() != span.range.start);
        let any = |is: &dyn Fn(&Span) -> bool| !self.is_damaged && self.map.spans.iter().any(is);
        let other_positions = any(&is_moved).then_some(LostCause::OtherPositions);
        let has_other_lengths = |span: &Span| {
            let lengths = span.message().and_then(|at| at.lengths);
            block(span).zip(lengths).is_some_and(|(block, lengths)| block.lengths() != lengths)
        };
        let other_lengths = any(&has_other_lengths).then_some(LostCause::OtherLengths);
        let is_unlisted = |span: &&Span| {
            span.message().is_some_and(|at| at.lengths.is_some() && at.block.is_none() && !at.is_copy)
        };
        let n_messages = self.map.spans.iter().filter(is_unlisted).count();
        let unlisted = (n_messages > 0).then_some(LostCause::Unlisted { n_messages });
        let replaced = self.dictionaries.is_replacing.then_some(LostCause::Replaced);
        let cause = irregular.map(LostCause::Irregular).or(other_positions).or(other_lengths).or(unlisted);
        let cause = cause.or(replaced)?;
        Some(lost(self.map.footer_range()?, LostContent::Footer, cause))
    }

    /// Reports the blocks of the footer that were not found and not yet reported.
    pub(super) fn blocks_not_found(&self) -> Vec<RecoveryStep> {
        let listed = &self.map.listed;
        let blocks = listed.blocks().iter().filter(|block| block.is_missing() && !block.is_damaged);
        let n_bytes = self.map.position();
        let lose = |block: &ListedBlock| {
            let range = listed.expected(block);
            let range = range.start.min(n_bytes)..range.end.min(n_bytes);
            lost(range, LostContent::Message(block.kind), LostCause::NotFound)
        };
        blocks.map(lose).collect()
    }
}
