//! The map of an input: where its messages are, and what is between them. It is made from metadata alone.
//!
//! There are three reasons to expect a message at a position: the footer lists it there, maybe shifted like the blocks before
//! it; the previous message ends there; or the bytes look like a prefix. What follows the message decides whether it is
//! believed.

mod begin;
mod check;
mod doubt;
mod inside;
mod marker;
mod resync;
mod zeros;

use std::ops::Range;

pub(super) use self::begin::Beginning;
use self::{
    check::BelievedMessage,
    doubt::{Doubt, Otherwise},
    marker::Marker,
    resync::Passing,
    zeros::after_zeros,
};
use super::{
    candidate::{Candidate, Found, Likelihood, find},
    ends::Ends,
    likely::MarkerRule,
    listed::{Listed, lengths},
    lost::{LostCause, LostWhat},
    stretch::{Damage, Located, Stretch, StretchContent},
    window::{InputWindow, Wait},
};
use crate::{
    alignment::{SMALL_ALIGNMENT, length_of},
    file::Footer,
    frame::PREFIX_BYTES,
    message::OpenBatch,
    options::ReadOptions,
    protocol::{Container, MessageKind},
};

/// Walks an input and builds its map. The position only increases.
#[derive(Debug)]
pub(super) struct Map {
    options: ReadOptions,
    pub(super) ends: Ends,
    pub(super) listed: Listed,
    n_bytes: u64,
    position: u64,
    /// The stretches before the position, without gaps.
    pub(super) stretches: Vec<Stretch>,
    /// The start of the input; `None` before it has been read.
    pub(super) beginning: Option<Beginning>,
    framing: MarkerRule,
    /// Damaged bytes that are being skipped.
    passing: Option<Passing>,
    /// An open question about the message or block at the position.
    doubt: Option<Doubt>,
    /// The last end marker of a stream.
    marker: Option<Marker>,
    /// Where the body of the last message ends. Padding may follow.
    body_end: u64,
    /// Whether bytes may have been removed or inserted since the last block of the footer that was found.
    may_be_shifted: bool,
    /// The number of messages in this stream so far, as far as is known.
    n_messages: u64,
    /// The alignment of bodies as far as is known, without the shift.
    alignment: u64,
    /// The alignment of bodies at the start of the input, which bounds the padding of metadata.
    padding: u64,
    /// The distance of messages from multiples of 8, since bytes were removed or inserted.
    shift: u64,
    /// How many more bytes of metadata may be read in damaged bytes. Such metadata may overlap, if a prefix is found inside
    /// other bytes.
    n_left_to_guess: u64,
}

/// The rest of a map, while some bytes are searched again.
#[derive(Debug)]
pub(super) struct KeptMap {
    stretches: Vec<Stretch>,
    position: u64,
    n_bytes: u64,
}

impl Map {
    pub(super) fn new(ends: Ends, options: ReadOptions, n_bytes: u64) -> Map {
        const BASE_BYTES: u64 = 1 << 20;
        let listed = ends.footer.as_ref().map(|(footer, _)| Listed::of(footer)).unwrap_or_default();
        Map {
            options,
            ends,
            listed,
            n_bytes,
            position: 0,
            stretches: Vec::new(),
            beginning: None,
            framing: MarkerRule::Unknown,
            passing: None,
            doubt: None,
            marker: None,
            body_end: 0,
            may_be_shifted: false,
            n_messages: 0,
            alignment: SMALL_ALIGNMENT,
            padding: SMALL_ALIGNMENT,
            shift: 0,
            n_left_to_guess: n_bytes.saturating_mul(4).saturating_add(BASE_BYTES),
        }
    }

    /// Searches the bytes again that seemed to be message `index`, with a prefix of `n_known` bytes, and the lost bytes after
    /// it. Returns the rest of the map, or `None` if too much has been searched.
    pub(super) fn look_again(&mut self, range: Range<u64>, (n_known, index): (u64, u64)) -> Option<KeptMap> {
        self.n_left_to_guess = self.n_left_to_guess.checked_sub(length_of(&range))?;
        let kept = KeptMap {
            stretches: std::mem::take(&mut self.stretches),
            position: std::mem::replace(&mut self.position, range.start),
            n_bytes: std::mem::replace(&mut self.n_bytes, range.end),
        };
        self.pass(range.start, LostCause::NoMessage);
        self.position = range.start.saturating_add(n_known);
        (self.marker, self.body_end, self.may_be_shifted) = (None, range.start, true);
        self.n_messages = index.saturating_add(1);
        Some(kept)
    }

    /// The new stretches of the bytes that were searched again.
    pub(super) fn found_again(&mut self, kept: KeptMap) -> Vec<Stretch> {
        let KeptMap { stretches, position, n_bytes } = kept;
        (self.position, self.n_bytes) = (position, n_bytes);
        std::mem::replace(&mut self.stretches, stretches)
    }

    /// Nothing before this position is needed again for the map.
    pub(super) fn position(&self) -> u64 {
        self.position
    }

    pub(super) fn is_complete(&self) -> bool {
        self.beginning.is_some() && self.position >= self.n_bytes && self.passing.is_none()
    }

    pub(super) fn footer(&self) -> Option<&Footer> {
        self.ends.footer.as_ref().map(|(footer, _)| footer)
    }

    pub(super) fn footer_range(&self) -> Option<Range<u64>> {
        self.ends.footer.as_ref().map(|(_, range)| range.clone())
    }

    /// Where a message that begins here must end.
    fn limit_after(&self, position: u64) -> u64 {
        let footer = self.footer_range().map(|range| range.start).filter(|start| *start > position);
        let until = self.passing.as_ref().map(|passing| passing.until);
        footer.into_iter().chain(until).fold(self.n_bytes, u64::min)
    }

    /// Continues. On return, either bytes are missing and nothing has changed, or the map has grown.
    pub(super) fn step(&mut self, window: &InputWindow) -> Wait<()> {
        if self.beginning.is_none() {
            return self.begin(window);
        }
        if self.position >= self.n_bytes {
            self.pass_over(self.n_bytes);
            return Ok(());
        }
        if let Some(doubt) = self.doubt.take() {
            return self.settle(window, doubt);
        }
        let position = self.position;
        if let Some(range) = self.footer_range().filter(|range| range.contains(&position)) {
            self.pass_over(position);
            self.go_to(range.end, StretchContent::Other);
            return Ok(());
        }
        if self.passing.is_some() {
            return self.resync(window);
        }
        if let Some(next) = after_zeros(window, position, self.shift)? {
            self.zeros(next);
            return Ok(());
        }
        match find(window, position, (Likelihood::Expected, self.options.limits()))?.found {
            // Where the footer lists a message, the bytes look like an end marker because the length became zero.
            Found::EndMarker { n_bytes } if self.listed.at(position).is_none() => {
                self.pass_marker(window, n_bytes)
            }
            Found::Candidate(found) => {
                self.lose_zeros(&found);
                match self.check(window, &found)? {
                    Ok(checked) => self.take(window, found, checked)?,
                    Err(cause) => self.unlikely(&found, cause),
                }
                Ok(())
            }
            found @ (Found::EndMarker { .. } | Found::Nothing(_)) => {
                self.nothing(found.refused());
                Ok(())
            }
        }
    }

    /// Adds a stretch with this content, from the position on.
    fn go_to(&mut self, end: u64, content: StretchContent) {
        if self.position < end {
            self.stretches.push(Stretch { range: self.position..end, content, is_read: false });
            self.position = end;
        }
    }

    /// Adds a lost stretch from the position on.
    fn lose_to(&mut self, end: u64, damage: Damage) {
        self.may_be_shifted = true;
        if let LostWhat::Message(_) = damage.what {
            self.n_messages = self.n_messages.saturating_add(1);
        }
        self.go_to(end, StretchContent::Lost(damage));
    }

    /// Gives another content to the bytes from here on, which were taken for padding.
    fn go_back_to(&mut self, start: u64) {
        while self.stretches.last().is_some_and(|stretch| stretch.range.start >= start) {
            self.stretches.pop();
        }
        if let Some(last) = self.stretches.last_mut() {
            last.range.end = last.range.end.min(start);
        }
        self.position = start;
    }

    /// The index of a message that begins here.
    fn index_at(&self, position: u64) -> u64 {
        self.listed.at(position).map_or(self.n_messages, |(idx, _)| self.index_of_block(idx))
    }

    /// The index of the message of a block, which counts all earlier blocks, found or not.
    pub(super) fn index_of_block(&self, idx: usize) -> u64 {
        let has_schema = self.beginning.as_ref().is_some_and(|beginning| beginning.has_schema);
        (idx as u64).saturating_add(has_schema.into())
    }

    /// Handles a missing message where one is expected.
    fn nothing(&mut self, cause: LostCause) {
        if let Some((idx, block)) = self.listed.at(self.position) {
            let end = self.listed.expected(block).end.min(self.limit_after(self.position));
            let otherwise = Otherwise::Block { idx, kind: block.kind, cause };
            self.doubt = Some(Doubt::new((self.position, end), 0, otherwise));
            return;
        }
        // Zeros after the end of a stream are padding only if the input ends with them, or another stream follows them.
        let marker = self.marker.filter(|marker| marker.zeros_end == self.position);
        self.pass(marker.map_or(self.position, |marker| marker.end), cause);
    }

    /// Handles a message whose length cannot be believed. If it is only truncated, it is lost as a message; another message may
    /// begin inside it.
    fn unlikely(&mut self, found: &Candidate, cause: LostCause) {
        let is_last = self.listed.next_start(self.position).is_none() && self.footer_range().is_none();
        self.nothing(cause);
        let is_cut_off = found.is_consistent && found.end() > self.n_bytes && is_last;
        if let Some(passing) = self.passing.as_mut().filter(|_| is_cut_off) {
            passing.damage.what = LostWhat::Message(found.head.kind());
            self.position = found.position.saturating_add(found.n_prefix_bytes);
        }
    }

    fn take(&mut self, window: &InputWindow, found: Candidate, checked: BelievedMessage) -> Wait<()> {
        self.lose_overlapped();
        if let Some(next) = self.next_inside(window, &found)? {
            self.lose_shifted(&found, next);
        } else if checked.is_followed {
            self.accept(&found, &checked);
        } else {
            let (places, n_known) = ((found.position, found.end()), found.n_prefix_bytes);
            self.doubt = Some(Doubt::new(places, n_known, Otherwise::Take(Box::new((found, checked)))));
        }
        Ok(())
    }

    /// If a message begins before the end of the previous one, bytes of the previous one are missing.
    fn lose_overlapped(&mut self) {
        let n_bytes = self.body_end.saturating_sub(self.position);
        let Some(last) =
            self.stretches.iter_mut().rfind(|last| !matches!(last.content, StretchContent::Other))
        else {
            return;
        };
        if let (1.., StretchContent::Message(located)) = (n_bytes, &last.content) {
            let Located { kind, dictionary, block, .. } = *located;
            let what = LostWhat::Message(kind);
            let damage = Damage { what, cause: LostCause::Missing { n_bytes }, block, dictionary };
            last.content = StretchContent::Lost(damage);
            self.may_be_shifted = true;
            block.iter().for_each(|block| self.listed.damaged(*block));
        }
    }

    /// Continues after a message.
    fn accept(&mut self, found: &Candidate, checked: &BelievedMessage) {
        let (position, kind) = (found.position, found.head.kind());
        if kind == MessageKind::Schema && self.ends.container != Container::File {
            // A following stream counts its own messages.
            self.n_messages = 0;
        }
        let mut block = self.listed.block_here(found);
        if block.is_none() && self.may_be_shifted && kind != MessageKind::Schema {
            block = self.listed.block_alike(found);
        }
        if let Some(idx) = block {
            self.listed.found(idx, position);
        }
        // Bytes that the footer does not list shift what follows.
        let next = self.listed.next_start(position.saturating_add(1));
        self.may_be_shifted = block.is_none() && next != Some(found.end());
        let index = block.map_or(self.n_messages, |idx| self.index_of_block(idx));
        self.n_messages = self.n_messages.saturating_add(1);
        let last = self.stretches.last();
        let follows_damage = last.is_some_and(|stretch| matches!(stretch.content, StretchContent::Lost(_)));
        let lengths = found.has_arrays().then(|| lengths(found));
        let version = found.head.version();
        let open = OpenBatch::parse(&found.head, self.options.limits()).ok();
        let dictionary = open.and_then(|open| open.dictionary());
        let located =
            Located { kind, version, dictionary, index, block, is_copy: false, follows_damage, lengths };
        self.framing = match self.framing {
            // After damaged bytes, the marker of a message may be damaged, or not be a marker. The next message decides which
            // framing it is.
            MarkerRule::Unknown if follows_damage => MarkerRule::Unknown,
            MarkerRule::Unknown if found.n_prefix_bytes == PREFIX_BYTES => MarkerRule::Current,
            MarkerRule::Unknown => MarkerRule::Legacy,
            known @ (MarkerRule::Current | MarkerRule::Legacy) => known,
        };
        (self.alignment, self.shift) = self.alignment_at(position);
        let is_aligned = found.body_position().saturating_sub(self.shift).is_multiple_of(self.alignment);
        if checked.is_certain && !is_aligned {
            self.alignment = SMALL_ALIGNMENT;
        }
        self.go_to(checked.next.max(position.saturating_add(1)), StretchContent::Message(located));
        self.body_end = found.end();
    }

    /// Ends the bytes that are being skipped.
    fn pass_over(&mut self, end: u64) {
        let Some(Passing { start, mut damage, .. }) = self.passing.take() else { return };
        self.go_back_to(start);
        if self.ends.footer.is_none()
            && self.marker.is_some_and(|marker| marker.end == start)
            && end == self.n_bytes
        {
            // After the stream inside a file comes its footer.
            if let Some(cause) = self.ends.footer_error.take() {
                return self.lose_to(end, Damage::new(LostWhat::Footer, cause));
            }
        }
        let beginning = self.beginning.as_ref();
        let is_schema = beginning.is_some_and(|beginning| beginning.start == start && beginning.has_schema);
        if is_schema && self.footer().is_some() {
            damage.what = LostWhat::SchemaMessage;
        }
        self.lose_to(end, damage);
    }
}
