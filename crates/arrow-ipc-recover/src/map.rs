//! The map of an input: a list of ranges, each with its content, such as a message or lost bytes. Only metadata is read
//! to make it.
//!
//! A message is expected at a position if the footer lists it there (maybe shifted like the previous blocks), if the
//! previous message ends there, or if the bytes look like a prefix. The message is accepted if the bytes after it
//! confirm its lengths.

mod delimiters;
mod search;

use std::ops::Range;

use arrow_ipc::{ReadOptions, file::Footer};
use arrow_ipc_format::{BatchView, Container, MessageKind, PREFIX_BYTES, SMALL_ALIGNMENT, length_of};

use self::{
    delimiters::{InputStart, Marker, after_zeros},
    search::{AmbiguousRange, Fallback, TrustedMessage},
};
use crate::{
    candidate::{Candidate, Likelihood, Probe, ProbeResult, find},
    ends::InputEnds,
    footer_blocks::{FooterBlocks, lengths},
    likely::MarkerRule,
    lost::{LostCause, LostContent},
    span::{Damage, LocatedMessage, Span, SpanContent},
    window::{InputWindow, RangeResult},
};

/// Builds the map of an input, from its start to its end.
#[derive(Debug)]
pub(crate) struct Map {
    options: ReadOptions,
    pub(crate) ends: InputEnds,
    pub(crate) listed: FooterBlocks,
    n_bytes: u64,
    position: u64,
    /// The content of all bytes before `position`, without gaps.
    pub(crate) spans: Vec<Span>,
    pub(crate) beginning: Option<InputStart>,
    framing: MarkerRule,
    skipping: Option<SkippedRange>,
    ambiguous: Option<AmbiguousRange>,
    marker: Option<Marker>,
    /// The end of the last message. Padding may follow.
    body_end: u64,
    /// Whether bytes may have been removed or inserted since the last message that is a block of the footer.
    may_be_shifted: bool,
    /// The number of messages in this stream so far, including lost messages.
    n_messages: u64,
    bodies: BodyAlignment,
    /// How many bytes of metadata may still be read in damaged bytes. Overlapping metadata could otherwise be read many
    /// times.
    n_left_to_guess: u64,
    /// The end of the metadata that was read where a message was expected, and refused.
    refused_end: u64,
}

/// The previous state of the map, which is saved while a range is searched again.
#[derive(Debug)]
pub(crate) struct SavedMap {
    spans: Vec<Span>,
    position: u64,
    n_bytes: u64,
}

impl Map {
    pub(crate) fn new(ends: InputEnds, options: ReadOptions, n_bytes: u64) -> Map {
        const BASE_BYTES: u64 = 1 << 20;
        let listed =
            ends.footer.as_ref().map(|(footer, _)| FooterBlocks::from_footer(footer)).unwrap_or_default();
        Map {
            options,
            ends,
            listed,
            n_bytes,
            position: 0,
            spans: Vec::new(),
            beginning: None,
            framing: MarkerRule::Unknown,
            skipping: None,
            ambiguous: None,
            marker: None,
            body_end: 0,
            may_be_shifted: false,
            n_messages: 0,
            bodies: BodyAlignment {
                alignment: SMALL_ALIGNMENT,
                padding: SMALL_ALIGNMENT,
                is_shown: true,
                shift: 0,
            },
            n_left_to_guess: n_bytes.saturating_mul(4).saturating_add(BASE_BYTES),
            refused_end: 0,
        }
    }

    /// Extends the map. If bytes have to be provided first, the map does not change.
    pub(super) fn step(&mut self, window: &InputWindow) -> RangeResult<()> {
        if self.beginning.is_none() {
            return self.begin(window);
        }
        if self.position >= self.n_bytes {
            self.end_skipped(self.n_bytes);
            return Ok(());
        }
        if let Some(ambiguous) = self.ambiguous.take() {
            return self.resolve_ambiguity(window, ambiguous);
        }
        let position = self.position;
        if let Some(range) = self.footer_range().filter(|range| range.contains(&position)) {
            self.end_skipped(position);
            self.go_to(range.end, SpanContent::Other);
            return Ok(());
        }
        if self.skipping.is_some() {
            return self.resync(window);
        }
        if let Some(next) = after_zeros(window, position, self.bodies.shift)? {
            self.zeros(next);
            return Ok(());
        }
        let limits = self.limits_to_expect(position);
        let Probe { found, n_bytes: n_read } = find(window, position, (Likelihood::Expected, &limits))?;
        match found {
            // If the footer lists a message here, the zeros are the prefix of that message, and not an end marker.
            ProbeResult::EndMarker { n_bytes } if self.listed.at(position).is_none() => {
                self.skip_marker(window, n_bytes)
            }
            ProbeResult::Candidate(found) => {
                self.lose_zeros(&found);
                match self.check(window, &found)? {
                    Ok(checked) => self.take(window, found, checked)?,
                    Err(cause) => {
                        self.refuse(position, n_read);
                        self.unlikely(&found, cause);
                    }
                }
                Ok(())
            }
            found @ (ProbeResult::EndMarker { .. } | ProbeResult::Nothing(_)) => {
                self.refuse(position, n_read);
                self.nothing(found.refused());
                Ok(())
            }
        }
    }

    fn take(&mut self, window: &InputWindow, found: Candidate, checked: TrustedMessage) -> RangeResult<()> {
        self.lose_overlapped();
        if let Some(next) = self.next_inside(window, &found)? {
            self.lose_shifted(&found, next);
        } else if checked.is_followed {
            self.accept(&found, &checked);
        } else {
            let span = (found.position, found.end());
            let n_known = found.n_prefix_bytes;
            self.ambiguous =
                Some(AmbiguousRange::new(span, n_known, Fallback::Take(Box::new((found, checked)))));
        }
        Ok(())
    }

    /// Begins to search a range again. The range contains the invalid message `index`, with a prefix of `n_known`
    /// bytes, and the lost bytes after this message. Returns the previous state; `None` if too many bytes have been
    /// searched.
    pub(crate) fn rescan(&mut self, range: Range<u64>, (n_known, index): (u64, u64)) -> Option<SavedMap> {
        self.n_left_to_guess = self.n_left_to_guess.checked_sub(length_of(&range))?;
        let saved_map = SavedMap {
            spans: std::mem::take(&mut self.spans),
            position: std::mem::replace(&mut self.position, range.start),
            n_bytes: std::mem::replace(&mut self.n_bytes, range.end),
        };
        self.skip_from(range.start, LostCause::NoMessage);
        self.position = range.start.saturating_add(n_known);
        self.marker = None;
        self.body_end = range.start;
        self.may_be_shifted = true;
        self.n_messages = index.saturating_add(1);
        Some(saved_map)
    }

    /// Restores the previous state. Returns the spans of the range.
    pub(crate) fn finish_rescan(&mut self, saved_map: SavedMap) -> Vec<Span> {
        let SavedMap { spans, position, n_bytes } = saved_map;
        self.position = position;
        self.n_bytes = n_bytes;
        std::mem::replace(&mut self.spans, spans)
    }

    /// The end of the bytes that have been read. Earlier bytes are not needed for the map.
    pub(crate) fn position(&self) -> u64 {
        self.position
    }

    pub(crate) fn is_complete(&self) -> bool {
        self.beginning.is_some() && self.position >= self.n_bytes && self.skipping.is_none()
    }

    pub(crate) fn footer(&self) -> Option<&Footer> {
        self.ends.footer.as_ref().map(|(footer, _)| footer)
    }

    pub(crate) fn footer_range(&self) -> Option<Range<u64>> {
        self.ends.footer.as_ref().map(|(_, range)| range.clone())
    }

    /// The maximum end of a message that begins at `position`.
    fn limit_after(&self, position: u64) -> u64 {
        let footer = self.footer_range().map(|range| range.start).filter(|start| *start > position);
        let until = self.skipping.as_ref().map(|skipping| skipping.until);
        footer.into_iter().chain(until).fold(self.n_bytes, u64::min)
    }

    /// Adds a span from the current position to `end`.
    fn go_to(&mut self, end: u64, content: SpanContent) {
        if self.position < end {
            self.spans.push(Span { range: self.position..end, content, is_read: false });
            self.position = end;
        }
    }

    /// Adds a lost span from the current position to `end`.
    fn lose_to(&mut self, end: u64, damage: Damage) {
        self.may_be_shifted = true;
        if let LostContent::Message(_) = damage.what {
            self.n_messages = self.n_messages.saturating_add(1);
        }
        self.go_to(end, SpanContent::Lost(damage));
    }

    /// Removes the spans from `start` on, which were added as padding.
    fn rewind_to(&mut self, start: u64) {
        while self.spans.last().is_some_and(|span| span.range.start >= start) {
            self.spans.pop();
        }
        if let Some(last) = self.spans.last_mut() {
            last.range.end = last.range.end.min(start);
        }
        self.position = start;
    }

    /// The index in the input of a message that begins at `position`.
    fn index_at(&self, position: u64) -> u64 {
        self.listed.at(position).map_or(self.n_messages, |(idx, _)| self.index_of_block(idx))
    }

    /// The index in the input of the message of a block. Counts all earlier blocks, even if they were not found.
    pub(crate) fn index_of_block(&self, idx: usize) -> u64 {
        let has_schema = self.beginning.as_ref().is_some_and(|beginning| beginning.has_schema);
        (idx as u64).saturating_add(has_schema.into())
    }

    /// Handles an expected position at which no message begins.
    fn nothing(&mut self, cause: LostCause) {
        if let Some((idx, block)) = self.listed.at(self.position) {
            let end = self.listed.expected(block).end.min(self.limit_after(self.position));
            let fallback = Fallback::Block { idx, kind: block.kind, cause };
            self.ambiguous = Some(AmbiguousRange::new((self.position, end), 0, fallback));
            return;
        }
        // Zeros after the end of a stream are padding if the input ends with them or another stream follows. Otherwise
        // they are lost, too.
        let marker = self.marker.filter(|marker| marker.zeros_end == self.position);
        self.skip_from(marker.map_or(self.position, |marker| marker.end), cause);
    }

    /// Handles a message with wrong lengths. Reports it as a lost message if the end of the input truncates it, and
    /// otherwise as lost bytes. Other messages may begin inside it.
    fn unlikely(&mut self, found: &Candidate, cause: LostCause) {
        let is_last = self.listed.next_start(self.position).is_none() && self.footer_range().is_none();
        self.nothing(cause);
        let is_cut_off = found.is_consistent && found.end() > self.n_bytes && is_last;
        if is_cut_off && let Some(skipping) = self.skipping.as_mut() {
            skipping.damage.what = LostContent::Message(found.envelope.kind());
            self.position = found.position.saturating_add(found.n_prefix_bytes);
        }
    }

    /// Reports the previous message as lost if the current message begins before its end.
    fn lose_overlapped(&mut self) {
        let n_bytes = self.body_end.saturating_sub(self.position);
        let Some(last) = self.spans.iter_mut().rfind(|last| !matches!(last.content, SpanContent::Other))
        else {
            return;
        };
        if let (1.., SpanContent::Message(located)) = (n_bytes, &last.content) {
            let LocatedMessage { kind, dictionary, block, .. } = *located;
            let what = LostContent::Message(kind);
            let damage = Damage { what, cause: LostCause::Missing { n_bytes }, block, dictionary };
            last.content = SpanContent::Lost(damage);
            self.may_be_shifted = true;
            block.iter().for_each(|block| self.listed.damaged(*block));
        }
    }

    /// Adds a message to the map.
    fn accept(&mut self, found: &Candidate, checked: &TrustedMessage) {
        let position = found.position;
        let kind = found.envelope.kind();
        if kind == MessageKind::Schema && self.ends.container != Container::File {
            // A schema begins another stream, which counts its messages from 0.
            self.n_messages = 0;
        }
        let mut block = self.listed.block_here(found);
        if block.is_none() && self.may_be_shifted && kind != MessageKind::Schema {
            block = self.listed.block_alike(found);
        }
        if let Some(idx) = block {
            self.listed.found(idx, position);
        }
        // If the next block does not begin at the end of this message, bytes were removed or inserted.
        let next = self.listed.next_start(position.saturating_add(1));
        self.may_be_shifted = block.is_none() && next != Some(found.end());
        let index = block.map_or(self.n_messages, |idx| self.index_of_block(idx));
        self.n_messages = self.n_messages.saturating_add(1);
        let last = self.spans.last();
        let follows_damage = last.is_some_and(|span| matches!(span.content, SpanContent::Lost(_)));
        let lengths = found.has_arrays().then(|| lengths(found));
        let version = found.envelope.version();
        let open = BatchView::parse(found.envelope.clone(), self.options.limits()).ok();
        let dictionary = open.and_then(|open| open.dictionary());
        let located = LocatedMessage {
            kind,
            version,
            dictionary,
            index,
            block,
            is_copy: false,
            follows_damage,
            n_doubtful_bytes: checked.n_doubtful_bytes,
            lengths,
        };
        self.framing = match self.framing {
            // In damaged bytes, a marker may be damaged, or be a value. The next message decides.
            MarkerRule::Unknown if follows_damage => MarkerRule::Unknown,
            MarkerRule::Unknown if found.n_prefix_bytes == PREFIX_BYTES => MarkerRule::Current,
            MarkerRule::Unknown => MarkerRule::Legacy,
            known @ (MarkerRule::Current | MarkerRule::Legacy) => known,
        };
        self.bodies = self.bodies.at(position);
        let BodyAlignment { alignment, shift, .. } = self.bodies;
        let is_aligned = found.body_position().saturating_sub(shift).is_multiple_of(alignment);
        if checked.is_certain && found.has_arrays() {
            self.bodies.is_shown = true;
        }
        if checked.is_certain && !is_aligned {
            self.bodies.alignment = SMALL_ALIGNMENT;
        }
        self.go_to(checked.next.max(position.saturating_add(1)), SpanContent::Message(located));
        self.body_end = found.end();
    }

    /// Ends the damaged bytes at `end`, and adds them to the map.
    fn end_skipped(&mut self, end: u64) {
        let Some(SkippedRange { start, mut damage, .. }) = self.skipping.take() else { return };
        self.rewind_to(start);
        if self.ends.footer.is_none()
            && self.marker.is_some_and(|marker| marker.end == start)
            && end == self.n_bytes
        {
            // In a file, the bytes after the end marker are the footer.
            if let Some(cause) = self.ends.footer_error.take() {
                return self.lose_to(end, Damage::new(LostContent::Footer, cause));
            }
        }
        let beginning = self.beginning.as_ref();
        let is_schema = beginning.is_some_and(|beginning| beginning.start == start && beginning.has_schema);
        if is_schema && self.ends.footer_schema().is_some() {
            damage.what = LostContent::SchemaMessage;
        }
        self.lose_to(end, damage);
    }

    /// Begins to skip damaged bytes, up to the next message.
    fn skip_from(&mut self, start: u64, cause: LostCause) {
        let damage = Damage::new(LostContent::Bytes, cause);
        self.may_be_shifted = true;
        self.skipping = Some(SkippedRange { start, until: u64::MAX, damage });
    }

    /// Skips a lost message or a block without a message. The prefix of the message has `n_known` bytes. The next
    /// message begins at `until`, or before `until` if a message is found there.
    fn skip_to(&mut self, (until, n_known): (u64, u64), damage: Damage) {
        let start = self.position;
        let until = until.max(start.saturating_add(1));
        self.may_be_shifted = true;
        self.skipping = Some(SkippedRange { start, until, damage });
        self.position = start.saturating_add(n_known).min(until);
        self.body_end = until;
    }
}

/// The damaged bytes that are being skipped.
#[derive(Debug)]
struct SkippedRange {
    start: u64,
    /// The damaged bytes end here at the latest; `u64::MAX` if unknown.
    until: u64,
    damage: Damage,
}

/// How the bodies of messages are aligned.
#[derive(Debug, Clone, Copy)]
struct BodyAlignment {
    /// The alignment of bodies so far. It applies to positions minus `shift`.
    alignment: u64,
    /// The alignment after the first schema message. It bounds the padding of metadata.
    padding: u64,
    /// Whether a body has this alignment. A schema message may end at a multiple of it by chance.
    is_shown: bool,
    /// The positions of messages modulo 8. It is not 0 after bytes were removed or inserted.
    shift: u64,
}

impl BodyAlignment {
    /// The alignment of the body of a message that begins at `position`.
    fn at(self, position: u64) -> BodyAlignment {
        let shift = position % SMALL_ALIGNMENT;
        let alignment = if shift == self.shift { self.alignment } else { SMALL_ALIGNMENT };
        BodyAlignment { alignment, shift, ..self }
    }
}
