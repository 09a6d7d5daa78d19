//! Begins the map: the magic of a file, and the schema message.

use arrow_ipc::{IpcError, error::FooterPart, file::START_BYTES, message::bare_schema};
use arrow_ipc_format::{CONTINUATION, Container, FILE_MAGIC, IpcSchema, MessageKind, PREFIX_BYTES};

use super::state::{InputStart, Map};
use crate::{
    candidate::{Candidate, Likelihood, ProbeResult, find},
    content::MessageContent,
    listed::FooterBlocks,
    lost::LostCause,
    span::SpanContent,
    window::{InputWindow, RangeResult},
};

/// The alignment of bodies that most writers use if it is not 8.
const LIKELY_ALIGNMENT: u64 = 64;

/// The largest alignment of bodies.
const MAX_START_PADDING: u64 = 64 << 10;

/// The position of the first message of a file. Some writers pad the magic to the alignment of bodies.
fn after_magic(window: &InputWindow) -> RangeResult<u64> {
    let bytes = window.bytes_from(START_BYTES, MAX_START_PADDING)?;
    let n_zeros = bytes.iter().position(|byte| *byte != 0).unwrap_or(0) as u64;
    Ok(START_BYTES.saturating_add(n_zeros - n_zeros % START_BYTES))
}

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
}
