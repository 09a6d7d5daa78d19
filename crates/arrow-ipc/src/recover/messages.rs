//! One message after the other, and over damaged bytes to the next one.

mod begin;
mod check;
mod doubt;
mod early;
mod inside;
mod likely;
mod marker;
mod resync;
mod schema;
mod zeros;

use std::{collections::HashSet, ops::Range};

use arrow_schema::Metadata;

use self::{
    check::Checked,
    doubt::{Doubt, Otherwise},
    marker::Marker,
    zeros::after_zeros,
};
use super::{
    DoubtfulDictionaries, RecoveryStep,
    candidate::{Candidate, Evidence, Found, Place, find},
    content::{Content, Suspicion},
    ends::Ends,
    expected::Expected,
    lost::{LostCause, LostPart, LostWhat},
    window::{Wait, Window},
};
use crate::{
    alignment::SMALL_ALIGNMENT,
    detect::Container,
    error::{IpcError, IpcErrorKind, Result},
    file::Footer,
    ipc_schema::IpcSchema,
    message::Message,
    options::ReadOptions,
    protocol::MessageKind,
};

/// The way through an input. The position only grows.
#[derive(Debug)]
pub(super) struct Scan {
    options: ReadOptions,
    dictionaries: DoubtfulDictionaries,
    ends: Ends,
    expected: Expected,
    n_bytes: u64,
    position: u64,
    stage: Stage,
    /// Since a schema has been found.
    content: Option<Content>,
    metadata: Option<Metadata>,
    /// Why the first schema cannot be read.
    schema_error: Option<IpcError>,
    /// The schema if there is none.
    pub(super) given_schema: Option<IpcSchema>,
    framing: Framing,
    /// Where the bytes begin that are being passed over, and why they are.
    damage: Option<(u64, LostCause)>,
    /// What is being found out about the message or block at the position.
    doubt: Option<Doubt>,
    /// The last end marker of a stream.
    marker: Option<Marker>,
    /// Where the body of the last message ends, maybe with padding.
    body_end: u64,
    following: Following,
    /// Where damaged bytes ended last.
    found_at: Option<u64>,
    /// Whether the input begins with a schema message, which may be damaged.
    has_schema: bool,
    /// How many messages there were so far in this stream, as far as is known.
    n_messages: u64,
    /// Where the dictionaries begin that have been read, or lost, before all batches.
    early: HashSet<u64>,
    /// How many bytes the other dictionaries of the footer may have.
    n_left_early: u64,
    /// What bodies begin at multiples of, as far as is known, but for the shift.
    alignment: u64,
    /// By how many bytes messages miss a multiple of 8 since bytes were removed or inserted.
    shift: u64,
    /// How much metadata may still be looked at in damaged bytes. It overlaps where a prefix is a part of other bytes.
    n_left_to_guess: u64,
}

/// What is found next.
pub(super) enum Scanned {
    Steps(Vec<RecoveryStep>),
    End,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Stage {
    Begin,
    /// The dictionaries of the footer, from this one of its list on.
    Dictionaries {
        next: usize,
    },
    Messages,
    Ended,
}

/// Whether messages may lack the continuation marker.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Framing {
    Current,
    Legacy,
}

/// Whose messages these are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Following {
    Ours,
    /// One with another schema.
    Other,
    /// One with another schema, in damaged bytes: probably inside of a value of ours.
    Inner,
    /// Those of no stream: one has ended, and no schema has been read since.
    Nobody,
}

impl Scan {
    pub(super) fn new(
        ends: Ends,
        (options, dictionaries): (ReadOptions, DoubtfulDictionaries),
        n_bytes: u64,
    ) -> Scan {
        const BASE_BYTES: u64 = 1 << 20;
        let expected = ends.footer.as_ref().map(|(footer, _)| Expected::of(footer)).unwrap_or_default();
        Scan {
            options,
            dictionaries,
            ends,
            expected,
            n_bytes,
            position: 0,
            stage: Stage::Begin,
            content: None,
            metadata: None,
            schema_error: None,
            given_schema: None,
            framing: Framing::Current,
            damage: None,
            doubt: None,
            marker: None,
            body_end: 0,
            following: Following::Ours,
            found_at: None,
            has_schema: false,
            n_messages: 0,
            early: HashSet::new(),
            n_left_early: n_bytes,
            alignment: SMALL_ALIGNMENT,
            shift: 0,
            n_left_to_guess: n_bytes.saturating_mul(4).saturating_add(BASE_BYTES),
        }
    }

    /// Nothing before it is looked at again.
    pub(super) fn position(&self) -> u64 {
        self.position
    }

    pub(super) fn container(&self) -> Container {
        self.ends.container
    }

    pub(super) fn footer(&self) -> Option<&Footer> {
        self.ends.footer.as_ref().map(|(footer, _)| footer)
    }

    pub(super) fn metadata(&self) -> Option<&Metadata> {
        self.metadata.as_ref()
    }

    fn footer_range(&self) -> Option<Range<u64>> {
        self.ends.footer.as_ref().map(|(_, range)| range.clone())
    }

    /// The next thing. Either bytes are missing, and nothing has changed, or the scan has gone on.
    pub(super) fn step(&mut self, window: &Window) -> Wait<Result<Scanned>> {
        match self.stage {
            Stage::Begin => {
                let begun = self.begin(window)?;
                self.stage = Stage::Dictionaries { next: 0 };
                Ok(begun.map(Scanned::Steps))
            }
            Stage::Dictionaries { next } => Ok(self.early_dictionary(window, next)?.map(Scanned::Steps)),
            Stage::Messages if self.position >= self.n_bytes => {
                self.stage = Stage::Ended;
                Ok(self.end().map(Scanned::Steps))
            }
            Stage::Messages => Ok(self.next(window)?.map(Scanned::Steps)),
            Stage::Ended => Ok(Ok(Scanned::End)),
        }
    }

    /// The number of a message that begins here: messages are counted from the schema on, by the footer if there is one.
    fn index_at(&self, position: u64) -> u64 {
        let listed = self.expected.n_before(position);
        listed.map_or(self.n_messages, |n_before| n_before.saturating_add(self.has_schema.into()))
    }

    /// What is known at the end of the input.
    fn end(&mut self) -> Result<Vec<RecoveryStep>> {
        let mut steps = self.pass_over(self.n_bytes);
        if self.content.is_none() {
            let missing = || IpcErrorKind::Missing { what: "a schema message or a footer that can be read" };
            return Err(self.schema_error.take().unwrap_or_else(|| missing().into()));
        }
        if let Some(error) = self.ends.footer_error.take().filter(|_| self.ends.footer.is_none()) {
            let range = self.n_bytes..self.n_bytes;
            steps.push(lost(range, LostWhat::Footer, LostCause::Error(error)));
        }
        Ok(steps)
    }

    fn next(&mut self, window: &Window) -> Wait<Result<Vec<RecoveryStep>>> {
        if let Some(doubt) = self.doubt.take() {
            return self.settle(window, doubt);
        }
        let position = self.position;
        if let Some(range) = self.footer_range().filter(|range| range.contains(&position)) {
            let steps = self.pass_over(position);
            self.position = range.end;
            return Ok(Ok(steps));
        }
        if self.damage.is_some() {
            return self.resync(window).map(Ok);
        }
        if let Some(next) = after_zeros(window, position, self.shift)? {
            return Ok(Ok(self.zeros(next)));
        }
        match find(window, position, (Place::Expected, self.options.limits()))?.found {
            Found::EndMarker { n_bytes } => self.pass_marker(window, n_bytes).map(Ok),
            Found::Nothing(error) => Ok(Ok(self.nothing(LostCause::Error(error)))),
            Found::Candidate(found) => {
                if let Some(zeros) = self.lose_zeros(&found) {
                    return Ok(Ok(vec![zeros]));
                }
                match self.check(window, &found)? {
                    Ok(checked) => self.take(window, found, checked),
                    Err(cause) => Ok(Ok(self.unlikely(&found, cause))),
                }
            }
        }
    }

    /// There is no message where one should be.
    fn nothing(&mut self, cause: LostCause) -> Vec<RecoveryStep> {
        if let Some(block) = self.expected.at(self.position) {
            let (range, kind) = (block.range.clone(), block.kind);
            let is_told = self.early.contains(&range.start);
            let otherwise = if is_told { Otherwise::ToldBlock } else { Otherwise::Block { kind, cause } };
            self.doubt = Some(Doubt::new((range.start, range.end), 0, otherwise));
            return Vec::new();
        }
        // Zeros after the end of a stream are padding only if the input ends with them, or another stream begins after them.
        let marker = self.marker.filter(|marker| marker.zeros_end == self.position);
        self.damage = Some((marker.map_or(self.position, |marker| marker.end), cause));
        Vec::new()
    }

    /// There is a message whose length cannot be believed. If it is merely cut off, nothing follows it.
    fn unlikely(&mut self, found: &Candidate, cause: LostCause) -> Vec<RecoveryStep> {
        let is_last = self.expected.next_start(self.position).is_none() && self.footer_range().is_none();
        if !(found.is_consistent && found.end() > self.n_bytes && is_last) {
            return self.nothing(cause);
        }
        let (kind, end) = (found.head.kind(), found.end());
        let n_known = found.body_position().saturating_sub(found.position);
        let otherwise = Otherwise::CutOff { kind, cause, end };
        self.doubt = Some(Doubt::new((found.position, self.n_bytes), n_known, otherwise));
        Vec::new()
    }

    fn take(
        &mut self,
        window: &Window,
        found: Candidate,
        checked: Checked,
    ) -> Wait<Result<Vec<RecoveryStep>>> {
        if let Some(next) = self.next_inside(window, &found)? {
            return Ok(Ok(self.lose_shifted(&found, next)));
        }
        if !checked.is_followed && found.has_arrays() {
            let n_known = found.body_position().saturating_sub(found.position);
            let places = (found.position, found.end());
            self.doubt = Some(Doubt::new(places, n_known, Otherwise::Take(Box::new((found, checked)))));
            return Ok(Ok(Vec::new()));
        }
        self.accept(window, &found, &checked)
    }

    /// Goes on after a message, once it has been decoded.
    fn accept(
        &mut self,
        window: &Window,
        found: &Candidate,
        checked: &Checked,
    ) -> Wait<Result<Vec<RecoveryStep>>> {
        let (position, body_position) = (found.position, found.body_position());
        let body_end = found.end();
        let received = match self.early.contains(&position) {
            true => Ok(Vec::new()),
            false => self.receive(window, found.clone())?,
        };
        (self.alignment, self.shift) = self.alignment_at(position);
        let is_aligned = body_position.saturating_sub(self.shift).is_multiple_of(self.alignment);
        if matches!(checked.evidence, Evidence::Strong(_)) && !is_aligned {
            self.alignment = SMALL_ALIGNMENT;
        }
        self.position = checked.next.max(position.saturating_add(1));
        self.body_end = body_end;
        Ok(received)
    }

    /// Decodes a message.
    fn receive(&mut self, window: &Window, found: Candidate) -> Wait<Result<Vec<RecoveryStep>>> {
        let range = found.position..found.end();
        let body = window.ahead(found.body_position(), found.head.n_body_bytes())?;
        let Candidate { position, n_prefix_bytes, head, .. } = found;
        let message = Message { index: self.index_at(position), position, n_prefix_bytes, head, body };
        self.n_messages = self.n_messages.saturating_add(1);
        let kind = message.kind();
        let lose = |cause| vec![lost(range.clone(), LostWhat::Message(kind), cause)];
        if kind == MessageKind::Schema {
            return Ok(self.take_schema(&message, range));
        }
        let content = match (&mut self.content, self.following) {
            (None, _) | (Some(_), Following::Nobody) => return Ok(Ok(lose(LostCause::NoSchema))),
            (Some(_), Following::Other | Following::Inner) => {
                return Ok(Ok(lose(LostCause::OtherSchema)));
            }
            (Some(content), Following::Ours) => content,
        };
        Ok(match content.take(&message) {
            Ok(batch) => Ok(vec![RecoveryStep::Message { message, batch }]),
            // There may be more memory for others who ask.
            Err(LostCause::Error(error)) if matches!(error.kind(), IpcErrorKind::Memory(_)) => Err(error),
            Err(cause) => Ok(lose(cause)),
        })
    }

    /// Ends the bytes that were passed over.
    fn pass_over(&mut self, end: u64) -> Vec<RecoveryStep> {
        let Some((start, cause)) = self.damage.take() else { return Vec::new() };
        let range = start..end;
        if self.ends.footer.is_none()
            && self.marker.is_some_and(|marker| marker.end == start)
            && end == self.n_bytes
        {
            // What follows the stream inside of a file is its footer.
            if let Some(error) = self.ends.footer_error.take() {
                return vec![lost(range, LostWhat::Footer, LostCause::Error(error))];
            }
        }
        self.suspect(&range);
        vec![lost(range, LostWhat::Bytes, cause)]
    }

    /// Notes which dictionaries may have been in lost bytes.
    fn suspect(&mut self, range: &Range<u64>) {
        let suspicion = match (self.ends.container, &self.ends.footer, self.dictionaries) {
            (Container::File, Some(_), _) if self.expected.has_dictionary_in(range) => Suspicion::Deltas,
            (Container::File, Some(_), _) => Suspicion::None,
            (Container::File, None, _) => Suspicion::Deltas,
            (_, _, DoubtfulDictionaries::Kept) => Suspicion::None,
            (_, _, DoubtfulDictionaries::Lost) => Suspicion::Replacements,
        };
        if let Some(content) = &mut self.content {
            content.suspect(range, suspicion);
        }
    }
}

fn lost(range: Range<u64>, what: LostWhat, cause: LostCause) -> RecoveryStep {
    RecoveryStep::Lost(LostPart::new(range, what, cause))
}
