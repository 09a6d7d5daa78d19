//! The map of an input: where its messages are, and what is between them. Only metadata is read for it.
//!
//! A message is a hypothesis: of the footer, which lists it here or shifted by as much as what precedes it; of the message before
//! it, which ends here; or of the bytes, which look like a prefix. What follows a message tells whether it is believed.

mod begin;
mod check;
mod doubt;
mod inside;
mod likely;
mod marker;
mod resync;
mod zeros;

use std::ops::Range;

pub(super) use self::{
    begin::Beginning,
    likely::{LIKELY_BYTES, has_likely_prefix},
    zeros::MIN_MESSAGE_BYTES,
};
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

/// The way through an input. The position only grows.
#[derive(Debug)]
pub(super) struct Map {
    options: ReadOptions,
    pub(super) ends: Ends,
    pub(super) listed: Listed,
    n_bytes: u64,
    position: u64,
    /// What precedes the position, without gaps.
    pub(super) stretches: Vec<Stretch>,
    /// What the input begins with; `None` before that has been read.
    pub(super) beginning: Option<Beginning>,
    framing: MarkerRule,
    /// The bytes that are being passed over.
    passing: Option<Passing>,
    /// What is being found out about the message or block at the position.
    doubt: Option<Doubt>,
    /// The last end marker of a stream.
    marker: Option<Marker>,
    /// Where the body of the last message ends, maybe with padding.
    body_end: u64,
    /// Whether bytes may be missing, or too many, since the last block of the footer that was found.
    may_be_shifted: bool,
    /// How many messages there were so far in this stream, as far as is known.
    n_messages: u64,
    /// What bodies begin at multiples of, as far as is known, but for the shift.
    alignment: u64,
    /// The same when the input began: how much padding metadata may have.
    padding: u64,
    /// By how many bytes messages miss a multiple of 8 since bytes were removed or inserted.
    shift: u64,
    /// How much metadata may still be looked at in damaged bytes. It overlaps where a prefix is a part of other bytes.
    n_left_to_guess: u64,
}

/// What a map has beside the bytes that are looked at again.
#[derive(Debug)]
pub(super) struct KeptMap {
    stretches: Vec<Stretch>,
    position: u64,
    n_bytes: u64,
}

/// Whether messages may lack the continuation marker.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum MarkerRule {
    /// No message has been found: the first one tells.
    Unknown,
    Current,
    Legacy,
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

    /// Looks again at bytes that seemed to be a message of this number, with a prefix so long, and what is lost after it; gives what the map
    /// has beside them. `None` if too much has been looked at.
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

    /// What these bytes are now.
    pub(super) fn found_again(&mut self, kept: KeptMap) -> Vec<Stretch> {
        let KeptMap { stretches, position, n_bytes } = kept;
        (self.position, self.n_bytes) = (position, n_bytes);
        std::mem::replace(&mut self.stretches, stretches)
    }

    /// Nothing before it is looked at again for the map.
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

    /// Where messages end at the latest that begin here.
    fn limit_after(&self, position: u64) -> u64 {
        let footer = self.footer_range().map(|range| range.start).filter(|start| *start > position);
        let until = self.passing.as_ref().map(|passing| passing.until);
        footer.into_iter().chain(until).fold(self.n_bytes, u64::min)
    }

    /// Goes on. Either bytes are missing, and nothing has changed, or the map has grown.
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
            // Where the footer lists a message, its length became zero.
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

    /// The bytes from the position on are this.
    fn go_to(&mut self, end: u64, content: StretchContent) {
        if self.position < end {
            self.stretches.push(Stretch { range: self.position..end, content, is_read: false });
            self.position = end;
        }
    }

    /// The bytes from the position on are lost.
    fn lose_to(&mut self, end: u64, damage: Damage) {
        self.may_be_shifted = true;
        if let LostWhat::Message(_) = damage.what {
            self.n_messages = self.n_messages.saturating_add(1);
        }
        self.go_to(end, StretchContent::Lost(damage));
    }

    /// The bytes from here on, which were taken for padding, are something else.
    fn go_back_to(&mut self, start: u64) {
        while self.stretches.last().is_some_and(|stretch| stretch.range.start >= start) {
            self.stretches.pop();
        }
        if let Some(last) = self.stretches.last_mut() {
            last.range.end = last.range.end.min(start);
        }
        self.position = start;
    }

    /// The number of a message that begins here.
    fn index_at(&self, position: u64) -> u64 {
        self.listed.at(position).map_or(self.n_messages, |(idx, _)| self.index_of_block(idx))
    }

    /// The number of the message of a block: all others are counted, found or not.
    pub(super) fn index_of_block(&self, idx: usize) -> u64 {
        let has_schema = self.beginning.as_ref().is_some_and(|beginning| beginning.has_schema);
        (idx as u64).saturating_add(has_schema.into())
    }

    /// There is no message where one should be.
    fn nothing(&mut self, cause: LostCause) {
        if let Some((idx, block)) = self.listed.at(self.position) {
            let end = self.listed.expected(block).end.min(self.limit_after(self.position));
            let otherwise = Otherwise::Block { idx, kind: block.kind, cause };
            self.doubt = Some(Doubt::new((self.position, end), 0, otherwise));
            return;
        }
        // Zeros after the end of a stream are padding only if the input ends with them, or another stream begins after them.
        let marker = self.marker.filter(|marker| marker.zeros_end == self.position);
        self.pass(marker.map_or(self.position, |marker| marker.end), cause);
    }

    /// There is a message whose length cannot be believed. If it is merely cut off, it is what is lost; another one may begin in its bytes.
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

    /// A message that begins before the end of the one before it proves that bytes of that are missing.
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

    /// Goes on after a message.
    fn accept(&mut self, found: &Candidate, checked: &BelievedMessage) {
        let (position, kind) = (found.position, found.head.kind());
        if kind == MessageKind::Schema && self.ends.container != Container::File {
            // A stream that follows counts its own messages.
            self.n_messages = 0;
        }
        let mut block = self.listed.block_here(found);
        if block.is_none() && self.may_be_shifted && kind != MessageKind::Schema {
            block = self.listed.block_alike(found);
        }
        if let Some(idx) = block {
            self.listed.found(idx, position);
        }
        // What the footer does not list shifts what follows.
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
            // Of a message after damaged bytes, the marker may be damaged or be one of these bytes: the next message tells.
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

    /// Ends the bytes that were passed over.
    fn pass_over(&mut self, end: u64) {
        let Some(Passing { start, mut damage, .. }) = self.passing.take() else { return };
        self.go_back_to(start);
        if self.ends.footer.is_none()
            && self.marker.is_some_and(|marker| marker.end == start)
            && end == self.n_bytes
        {
            // What follows the stream inside of a file is its footer.
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
