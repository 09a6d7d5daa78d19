//! What delimits messages: the magic of a file and the schema message at the start; end markers of streams; zeros after
//! end markers or instead of a message.

use arrow_ipc::{IpcError, error::FooterPart, file::START_BYTES, message::bare_schema};
use arrow_ipc_format::{
    CONTINUATION, Container, Envelope, FILE_MAGIC, IpcSchema, LEGACY_PREFIX_BYTES, MessageKind, PREFIX_BYTES,
};
use arrow_schema::Metadata;

use super::Map;
use crate::{
    candidate::{Candidate, Likelihood, MIN_MESSAGE_BYTES, PEEK_BYTES, ProbeResult, find},
    content::MessageContent,
    footer_blocks::FooterBlocks,
    likely::MarkerRule,
    lost::{LostCause, LostContent},
    span::{Damage, SpanContent},
    window::{InputWindow, RangeResult},
};

#[derive(Debug, Default)]
pub(crate) struct InputStart {
    /// Whether the input begins with the magic of a file.
    pub(crate) has_magic: bool,
    /// The position of the first message, even if it is damaged.
    pub(crate) start: u64,
    /// Whether the first message is a schema message, readable or damaged.
    pub(crate) has_schema: bool,
    /// The schema and custom metadata of a schema message without a prefix.
    pub(crate) bare: Option<(IpcSchema, Option<Metadata>)>,
    /// Why the first message is unreadable.
    pub(crate) error: Option<IpcError>,
}

/// The last end marker of a stream, and the zeros after it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Marker {
    pub(super) end: u64,
    /// The end of the zeros that follow the marker and have been read so far.
    pub(super) zeros_end: u64,
}

impl Marker {
    pub(super) fn ending_at(end: u64) -> Marker {
        Marker { end, zeros_end: end }
    }

    pub(super) fn has_zeros_to(&self, position: u64) -> bool {
        self.end < self.zeros_end && self.zeros_end == position
    }
}

/// The alignment of bodies that most writers use if it is not 8.
const LIKELY_ALIGNMENT: u64 = 64;

/// The largest alignment of bodies.
const MAX_START_PADDING: u64 = 64 << 10;

impl Map {
    pub(super) fn begin(&mut self, window: &InputWindow) -> RangeResult<()> {
        let is_file = self.ends.container == Container::File;
        let has_magic = is_file && window.bytes_from(0, START_BYTES)?.starts_with(FILE_MAGIC);
        let mut start = if has_magic { after_magic(window)? } else { 0 };
        if has_magic && self.listed.next_start(0).is_some_and(|block| block < start) {
            // The footer lists a block in these zeros, so they are not padding.
            start = START_BYTES;
        }
        start = start.min(self.n_bytes);
        let first = window.bytes_from(start, PREFIX_BYTES)?;
        let has_marker = first.starts_with(&CONTINUATION);
        let found = find(window, start, (Likelihood::Expected, self.options.limits()))?.found;
        let is_message = matches!(found, ProbeResult::Candidate(_));
        let bare = if has_magic && !has_marker && !is_message {
            bare_schema(self.options.limits(), |n_bytes| window.bytes_from(start, n_bytes))?
        } else {
            None
        };
        let bare = bare.and_then(|envelope| Some((envelope.schema(self.options.limits()).ok()?, envelope)));
        let mut beginning = InputStart {
            has_magic,
            start,
            has_schema: has_marker || bare.is_some(),
            ..InputStart::default()
        };
        self.go_to(start, SpanContent::Other);
        match (found, bare) {
            (ProbeResult::Candidate(found), _) => {
                beginning.has_schema = found.envelope.kind() == MessageKind::Schema;
                self.begin_with(&found);
            }
            (_, Some((schema, envelope))) => {
                let end = start.saturating_add(envelope.metadata().len() as u64);
                let end = self.listed.next_start(start).map_or(end, |block| block.min(end));
                self.forget_other_footer(&schema);
                self.go_to(end, SpanContent::Other);
                beginning.bare = Some((schema, envelope.custom_metadata(self.options.limits()).ok()));
            }
            // A message that is listed here may be a batch. Without messages, the footer or the end marker is here.
            _ if self.listed.at(start).is_some() => {}
            (ProbeResult::EndMarker { .. }, None) if has_magic && first.starts_with(&CONTINUATION) => {
                beginning.has_schema = false;
            }
            // The schema message is damaged. The footer repeats its schema.
            (found, None) if has_magic && self.ends.footer_schema().is_some() => {
                beginning.has_schema = true;
                self.skip_from(start, found.refused());
            }
            (found @ ProbeResult::EndMarker { .. }, None) => self.skip_from(start, found.refused()),
            (ProbeResult::Nothing(error), None) => {
                self.skip_from(start, LostCause::NoMessage);
                beginning.error = has_marker.then_some(error);
            }
        }
        self.n_messages = beginning.has_schema.into();
        if is_message {
            self.n_messages = 0;
        }
        self.beginning = Some(beginning);
        Ok(())
    }

    fn begin_with(&mut self, found: &Candidate) {
        let Ok(schema) = found.envelope.schema(self.options.limits()) else { return };
        if found.end().is_multiple_of(LIKELY_ALIGNMENT) {
            self.bodies.alignment = LIKELY_ALIGNMENT;
            self.bodies.padding = LIKELY_ALIGNMENT;
            self.bodies.is_shown = false;
        }
        self.forget_other_footer(&schema);
    }

    /// Forgets an unsupported schema of the footer, but not its blocks. Drops a footer that is not at the end of the
    /// input, if its schema differs from the schema message. A footer at the end counts more than the schema message, as
    /// in readers.
    fn forget_other_footer(&mut self, schema: &IpcSchema) {
        let Some(footer) = self.ends.footer_schema() else { return };
        if footer.schema() == schema.schema() {
            return;
        }
        let is_read = footer
            .check_supported()
            .map_err(IpcError::from)
            .and_then(|()| MessageContent::try_new(footer.clone(), &self.options));
        let is_at_end = self.footer_range().is_some_and(|range| range.end == self.n_bytes);
        if !is_at_end {
            self.ends.footer_error = is_read.err().map(LostCause::Error).or(self.ends.footer_error.take());
            self.ends.footer = None;
            self.listed = FooterBlocks::default();
        } else if let Err(error) = is_read {
            self.ends.faults.add(FooterPart::Schema, error);
        }
    }

    /// Continues after an end marker. If metadata follows directly, the bytes are the prefix of a message whose length
    /// was overwritten with zeros.
    pub(super) fn skip_marker(&mut self, window: &InputWindow, n_bytes: u64) -> RangeResult<()> {
        let end = self.position.saturating_add(n_bytes);
        let is_before_footer = self.footer_range().is_some_and(|range| range.contains(&end));
        let next = window.bytes_from(end, PEEK_BYTES)?;
        if !is_before_footer && Envelope::parse(next, self.options.limits()).is_ok() {
            self.nothing(LostCause::Lengths);
            return Ok(());
        }
        // After other zeros, four zeros are not another marker.
        let zeros = self.marker.filter(|marker| marker.has_zeros_to(self.position) && n_bytes < PREFIX_BYTES);
        // In legacy framing, the end marker has four zeros. In current framing, four zeros may have been inserted.
        let is_marker = zeros.is_none() && (n_bytes >= PREFIX_BYTES || self.framing == MarkerRule::Legacy);
        self.marker =
            Some(zeros.map_or(Marker::ending_at(end), |marker| Marker { zeros_end: end, ..marker }));
        if is_marker {
            self.go_to(end, SpanContent::EndMarker);
        } else if zeros.is_none() && self.ends.container != Container::File {
            // Readers would stop at these zeros.
            self.lose_to(end, Damage::new(LostContent::Bytes, LostCause::Zeros));
        } else {
            self.go_to(end, SpanContent::Other);
        }
        Ok(())
    }

    /// Reports zeros between an end marker and a message as lost, unless the message is a schema message. These bytes
    /// may have contained a schema and dictionaries. In a file without a footer, fewer than 64 zeros may be padding. In
    /// a file with a footer, the footer lists all messages.
    pub(super) fn lose_zeros(&mut self, found: &Candidate) {
        let Some(Marker { end, zeros_end }) = self.marker.take() else { return };
        let n_padding_bytes = match (self.ends.container, &self.ends.footer) {
            (Container::File, Some(_)) => return,
            (Container::File, None) => MIN_MESSAGE_BYTES,
            _ => 1,
        };
        let n_zeros = zeros_end.saturating_sub(end);
        let is_lost = zeros_end == found.position
            && n_zeros >= n_padding_bytes
            && found.envelope.kind() != MessageKind::Schema;
        if is_lost {
            self.rewind_to(end);
            self.lose_to(zeros_end, Damage::new(LostContent::Bytes, LostCause::Zeros));
        }
    }

    /// Handles zeros up to `next`: padding, an end marker, or lost messages.
    pub(super) fn zeros(&mut self, next: u64) {
        let position = self.position;
        let n_zeros = next.saturating_sub(position);
        let is_block = self.listed.at(position).is_some();
        if is_block {
            return self.nothing(LostCause::Zeros);
        }
        if position < self.body_end {
            return self.go_to(next.min(self.body_end), SpanContent::Other);
        }
        let is_stream = self.ends.container != Container::File;
        let is_legacy = self.framing == MarkerRule::Legacy && is_stream;
        let is_last = next == self.n_bytes;
        let is_short = is_last && n_zeros < LEGACY_PREFIX_BYTES;
        let may_be_padding = match (self.ends.container, &self.ends.footer) {
            // The footer lists all messages that precede the footer.
            (Container::File, Some((_, range))) => position < range.end,
            (Container::File, None) => n_zeros < MIN_MESSAGE_BYTES,
            // A stream has no padding between messages. Few zeros at the end of the input, or zeros in legacy framing,
            // are an end marker.
            _ => {
                (is_last && (LEGACY_PREFIX_BYTES..MIN_MESSAGE_BYTES).contains(&n_zeros))
                    || (is_legacy && !is_short)
            }
        };
        let marker = self.marker.filter(|marker| marker.zeros_end == position);
        if !(may_be_padding || marker.is_some()) {
            self.skip_from(position, LostCause::Zeros);
            return;
        }
        let block = self.listed.next_start(position.saturating_add(1));
        let end = block.map_or(next, |block| next.min(block));
        let is_marker = marker.is_none() && is_stream;
        self.go_to(end, if is_marker { SpanContent::EndMarker } else { SpanContent::Other });
        let marker =
            marker.or(is_legacy.then(|| Marker::ending_at(position.saturating_add(LEGACY_PREFIX_BYTES))));
        self.marker = marker.map(|marker| Marker { zeros_end: self.position, ..marker }).or(self.marker);
    }
}

/// The position of the first message of a file. Some writers pad the magic to the alignment of bodies.
fn after_magic(window: &InputWindow) -> RangeResult<u64> {
    let bytes = window.bytes_from(START_BYTES, MAX_START_PADDING)?;
    let n_zeros = bytes.iter().position(|byte| *byte != 0).unwrap_or(0) as u64;
    Ok(START_BYTES.saturating_add(n_zeros - n_zeros % START_BYTES))
}

/// The position after the zeros at `position`, rounded down to a multiple of 8 plus `shift`; or the end of the provided
/// bytes. `None` if there are no zeros.
pub(super) fn after_zeros(window: &InputWindow, position: u64, shift: u64) -> RangeResult<Option<u64>> {
    const WORD_BYTES: u64 = 8;
    let first = window.bytes_from(position, WORD_BYTES)?;
    if first.iter().any(|byte| *byte != 0) {
        return Ok(None);
    }
    if (first.len() as u64) < WORD_BYTES {
        return Ok(Some(window.n_bytes()));
    }
    let rest = window.rest(position)?;
    let n_zeros = rest.iter().position(|byte| *byte != 0).unwrap_or(rest.len()) as u64;
    let end = position.saturating_add(n_zeros);
    let next = if end == window.n_bytes() { end } else { end - end.saturating_sub(shift) % WORD_BYTES };
    Ok(Some(next.max(position.saturating_add(1))))
}
