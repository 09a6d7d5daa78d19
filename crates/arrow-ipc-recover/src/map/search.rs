//! Searches damaged bytes for the next message, and decides whether a message that seems to be there is one: its lengths
//! must agree with the footer, with the bytes after it and with its padding. Bytes may be missing although no stated
//! length is impossible. Then the next message begins before the stated end of the message, whose values are shifted.

use std::ops::{ControlFlow, Range};

use arrow_ipc::{FormatErrorKind, IpcError};
use arrow_ipc_format::{
    BatchView, CONTINUATION, END_MARKER, Limits, MessageKind, PREFIX_BYTES, SMALL_ALIGNMENT, length_of,
};
use arrow_schema::visit;

use super::{BodyAlignment, Map};
use crate::{
    candidate::{Candidate, Evidence, Likelihood, Probe, ProbeResult, find},
    likely::{InputRest, LIKELY_BYTES, MarkerRule, first_likely, n_searched},
    lost::{LostCause, LostContent},
    span::Damage,
    window::{InputWindow, RangeResult},
};

/// A message with lengths that `check` has accepted, and the position at which the search continues.
#[derive(Debug)]
pub(super) struct TrustedMessage {
    pub(super) next: u64,
    /// Whether the lengths are confirmed: by the footer, or by the next message, an end marker, the footer or the end
    /// of the input after the message.
    pub(super) is_certain: bool,
    /// Whether the bytes after the message confirm its end. If not, the message may lack bytes.
    pub(super) is_followed: bool,
    /// The number of bytes that the message may lack although its lengths are confirmed: see
    /// [`n_doubtful_bytes`](Map::n_doubtful_bytes).
    pub(super) n_doubtful_bytes: u64,
}

/// A range that may contain other messages: a message that no other message follows, or a block of the footer without a
/// message. Messages in the range count if they follow each other without a gap to the end of the range. A single
/// message in the range may be a value.
#[derive(Debug)]
pub(super) struct AmbiguousRange {
    pub(super) end: u64,
    /// The length of the prefix: no message begins in it.
    pub(super) n_known: u64,
    /// The start of the bytes that have not been searched.
    pub(super) from: u64,
    /// The start of the first message that was found; the start and the end of the last message that follows it without
    /// a gap.
    pub(super) chain: Option<(u64, u64, u64)>,
    pub(super) fallback: Fallback,
}

/// What to do if no messages are found in the range.
#[derive(Debug)]
pub(super) enum Fallback {
    /// Accept the message.
    Take(Box<(Candidate, TrustedMessage)>),
    /// Report the block of the footer as lost.
    Block { idx: usize, kind: MessageKind, cause: LostCause },
}

impl AmbiguousRange {
    /// An ambiguous range from `start` to `end`. No other message begins in the first `n_known` bytes.
    pub(super) fn new((start, end): (u64, u64), n_known: u64, fallback: Fallback) -> AmbiguousRange {
        // The range must not be empty, even if a block is.
        let end = end.max(start.saturating_add(1));
        AmbiguousRange { end, n_known, from: start.saturating_add(n_known.max(1)), chain: None, fallback }
    }
}

/// What begins at a position.
enum ChainLink {
    To(u64),
    /// A message with the lengths of some block of the footer.
    Listed(u64),
    EndMarker(u64),
    None,
}

impl Map {
    /// Tries the next position at which a message may begin. If a message, a block or the footer begins there, the
    /// damaged bytes end.
    pub(super) fn resync(&mut self, window: &InputWindow) -> RangeResult<()> {
        let Some((start, until)) = self.skipping.as_ref().map(|skipping| (skipping.start, skipping.until))
        else {
            return Ok(());
        };
        let from = self.position.max(start.saturating_add(1));
        let limit = self.limit_from(from).min(until);
        if from >= limit {
            self.position = limit;
            // A block or the footer is listed here. It is expected even if its bytes are damaged.
            if limit < self.n_bytes {
                self.end_skipped(limit);
            }
            return Ok(());
        }
        let (position, is_likely) = self.next_likely(window, from..limit)?;
        if !is_likely || position >= limit {
            self.position = position.min(limit);
            return Ok(());
        }
        let limits = self.limits_to_guess();
        let Probe { found, n_bytes } = find(window, position, (Likelihood::Guessed, &limits))?;
        let is_message = match &found {
            ProbeResult::Candidate(found) => self.check(window, found)?.is_ok(),
            ProbeResult::EndMarker { .. } | ProbeResult::Nothing(_) => false,
        };
        self.charge(n_bytes);
        if is_message {
            self.end_skipped(position);
            return Ok(());
        }
        self.position = position.saturating_add(1).min(limit);
        Ok(())
    }

    /// The next block of the footer, or the footer, or the end of the input.
    fn limit_from(&self, position: u64) -> u64 {
        let footer = self.footer_range().map(|range| range.start).filter(|start| *start >= position);
        let block = self.listed.next_start(position);
        footer.into_iter().chain(block).fold(self.n_bytes, u64::min)
    }

    /// The limits for metadata in damaged bytes. They bound how much metadata is read in total.
    pub(super) fn limits_to_guess(&self) -> Limits {
        let left = self.options.limits().max_metadata_bytes().min(self.n_left_to_guess);
        Limits::clone(self.options.limits()).with_max_metadata_bytes(left)
    }

    /// The limits for metadata at a position where a message is expected. Inside refused metadata, they are those of
    /// damaged bytes: many messages can begin there, and the metadata of each can contain the same long list.
    pub(super) fn limits_to_expect(&self, position: u64) -> Limits {
        if position < self.refused_end {
            self.limits_to_guess()
        } else {
            Limits::clone(self.options.limits())
        }
    }

    /// Counts metadata that was read where a message was expected, and refused.
    pub(super) fn refuse(&mut self, position: u64, n_bytes: u64) {
        self.charge(n_bytes);
        self.refused_end = self.refused_end.max(position.saturating_add(n_bytes));
    }

    /// Counts metadata that was read in damaged bytes.
    pub(super) fn charge(&mut self, n_bytes: u64) {
        self.n_left_to_guess = self.n_left_to_guess.saturating_sub(n_bytes);
    }

    /// The next position in a range to try, and whether a message is likely there. If it is not, all bytes before that position
    /// have been searched.
    pub(super) fn next_likely(&self, window: &InputWindow, range: Range<u64>) -> RangeResult<(u64, bool)> {
        let from = range.start;
        let mut bytes = window.rest(from)?;
        if bytes.len() < LIKELY_BYTES {
            bytes = window.bytes_from(from, LIKELY_BYTES as u64)?;
        }
        // Later bytes are searched after the range, and only once.
        let n_positions = usize::try_from(length_of(&range)).unwrap_or(usize::MAX);
        let n_bytes = n_positions.saturating_add(LIKELY_BYTES - 1).min(bytes.len());
        let bytes = bytes.slice(0..n_bytes);
        let after = InputRest::position(from.saturating_add(bytes.len() as u64), self.n_bytes);
        let found = first_likely(&bytes, self.framing, after);
        let n_passed = found.unwrap_or_else(|| n_searched(bytes.len(), after).max(1));
        visit(n_passed);
        Ok((from.saturating_add(n_passed as u64), found.is_some()))
    }

    /// Returns the position at which to continue after a message, or why its lengths must be wrong.
    pub(super) fn check(
        &mut self,
        window: &InputWindow,
        found: &Candidate,
    ) -> RangeResult<std::result::Result<TrustedMessage, LostCause>> {
        let end = found.end();
        let n_body_bytes = found.envelope.n_body_bytes();
        let limit = self.limit_after(found.position);
        if end > limit {
            let what = "body";
            let available = limit.saturating_sub(found.body_position());
            let error = FormatErrorKind::Truncated { what, needed: n_body_bytes, available };
            let index = self.index_at(found.position);
            return Ok(Err(LostCause::Error(IpcError::from(error).in_message(index, found.position))));
        }
        if self.contradicts(window, found)? {
            return Ok(Err(LostCause::Lengths));
        }
        let evidence = found.evidence(window, limit)?;
        let is_followed = matches!(evidence, Evidence::Strong(_));
        let n_doubtful_bytes = self.n_doubtful_bytes(window, found)?;
        let trusted =
            |next, is_certain| Ok(TrustedMessage { next, is_certain, is_followed, n_doubtful_bytes });
        let is_schema = found.envelope.kind() == MessageKind::Schema;
        let is_first = self.framing == MarkerRule::Unknown;
        // The footer lists this message, or it lists a block here with a wrong length and the next block at the end of
        // this message.
        let is_listed = self.listed.at(found.position).is_some() && self.listed.next_start(end) == Some(end);
        if self.listed.has(found) || is_listed {
            return Ok(trusted(end, true));
        }
        let BodyAlignment { alignment, padding, is_shown, shift } = self.bodies.at(found.position);
        // The length of a body is a multiple of the alignment.
        let is_multiple = n_body_bytes.is_multiple_of(alignment);
        let (padding, alignment) =
            if is_multiple { (padding, alignment) } else { (SMALL_ALIGNMENT, SMALL_ALIGNMENT) };
        let has_small_padding = || found.has_little_padding(SMALL_ALIGNMENT, (SMALL_ALIGNMENT, shift));
        let has_little_padding =
            || found.has_little_padding(padding, (alignment, shift)) || !is_shown && has_small_padding();
        Ok(match evidence {
            Evidence::Strong(next) => trusted(next, true),
            // The input begins with this message, maybe after damaged bytes.
            _ if is_schema && is_first => trusted(end, false),
            // The footer lists a message with these lengths at another position, and bytes were removed or inserted
            // before.
            _ if self.may_be_shifted && self.listed.has_alike(found) => trusted(end, true),
            // The footer lists other lengths here, and the bytes after the message do not confirm the lengths of the
            // message.
            _ if self.listed.at(found.position).is_some() => Err(LostCause::OtherLengths),
            // A schema message has no values, which wrong lengths would shift. In damaged bytes, it may be a value.
            Evidence::Weak(next) if is_schema && self.skipping.is_none() => trusted(next, false),
            Evidence::Weak(next) if has_little_padding() => trusted(next, false),
            Evidence::Weak(_) | Evidence::None => Err(LostCause::Lengths),
        })
    }

    /// Whether a message cannot be real: it is a schema message with a body, or contains the start of a block of the
    /// footer at which another message begins.
    fn contradicts(&mut self, window: &InputWindow, found: &Candidate) -> RangeResult<bool> {
        if found.envelope.kind() == MessageKind::Schema && found.envelope.n_body_bytes() > 0 {
            return Ok(self.framing != MarkerRule::Unknown);
        }
        let block = self.listed.next_start(found.position.saturating_add(1));
        let Some(block) = block.filter(|block| *block < found.end() && !self.listed.has(found)) else {
            return Ok(false);
        };
        let limits = self.limits_to_guess();
        let probe = find(window, block, (Likelihood::Guessed, &limits))?;
        self.charge(probe.n_bytes);
        Ok(matches!(probe.found, ProbeResult::Candidate(found) if self.listed.has(&found)))
    }

    /// Tries one more position in the ambiguous range. Each position is tried once.
    pub(super) fn resolve_ambiguity(
        &mut self,
        window: &InputWindow,
        mut ambiguous: AmbiguousRange,
    ) -> RangeResult<()> {
        match self.extend_search(window, &mut ambiguous) {
            Ok(ControlFlow::Break(next)) => self.resolved(ambiguous, next),
            Ok(ControlFlow::Continue(())) => self.ambiguous = Some(ambiguous),
            Err(need) => {
                self.ambiguous = Some(ambiguous);
                return Err(need);
            }
        }
        Ok(())
    }

    /// Searches the ambiguous range for a message that is followed by messages without a gap to the end of the range.
    /// `Break` has the position of the first of them, or `None` if there is none. After `Continue`, call this again.
    fn extend_search(
        &mut self,
        window: &InputWindow,
        ambiguous: &mut AmbiguousRange,
    ) -> RangeResult<ControlFlow<Option<u64>>> {
        // A message that ends exactly at the end of the range may be a value of the ambiguous message.
        let until = ambiguous.end;
        let limit = self.limit_after(self.position);
        let is_past = |end: u64| end > until || end >= limit;
        let is_block = matches!(ambiguous.fallback, Fallback::Block { .. });
        // A schema message has no values, so a message inside it is no value.
        let is_schema =
            matches!(&ambiguous.fallback, Fallback::Take(it) if it.0.envelope.kind() == MessageKind::Schema);
        let (first, last, at) = match ambiguous.chain {
            Some(chain) => chain,
            None if ambiguous.from >= ambiguous.end || self.n_left_to_guess == 0 => {
                return Ok(ControlFlow::Break(None));
            }
            None => {
                let (at, is_likely) = self.next_likely(window, ambiguous.from..ambiguous.end)?;
                ambiguous.from = at;
                if !is_likely || at >= ambiguous.end {
                    return Ok(ControlFlow::Continue(()));
                }
                (at, at, at)
            }
        };
        let link = self.link(window, at)?;
        ambiguous.chain = None;
        match link {
            ChainLink::To(end) | ChainLink::Listed(end) if is_past(end) => {
                return Ok(ControlFlow::Break(Some(first)));
            }
            ChainLink::To(_) | ChainLink::Listed(_) if is_schema => {
                return Ok(ControlFlow::Break(Some(first)));
            }
            ChainLink::Listed(_) if is_block => return Ok(ControlFlow::Break(Some(first))),
            ChainLink::To(end) | ChainLink::Listed(end) => ambiguous.chain = Some((first, at, end)),
            ChainLink::EndMarker(end) if is_past(end) => return Ok(ControlFlow::Break(Some(first))),
            // The chain ends here, so the search continues after the start of its last message.
            ChainLink::EndMarker(_) | ChainLink::None => ambiguous.from = last.saturating_add(1),
        }
        Ok(ControlFlow::Continue(()))
    }

    /// Reads a message, and finds out where the next message or end marker begins.
    fn link(&mut self, window: &InputWindow, at: u64) -> RangeResult<ChainLink> {
        let limits = self.limits_to_guess();
        let probe = find(window, at, (Likelihood::Guessed, &limits))?;
        let link = match &probe.found {
            ProbeResult::EndMarker { n_bytes } => ChainLink::EndMarker(at.saturating_add(*n_bytes)),
            ProbeResult::Candidate(found) if self.listed.has_alike(found) => ChainLink::Listed(found.end()),
            ProbeResult::Candidate(found) => match self.check(window, found)? {
                Ok(TrustedMessage { next, is_certain: true, .. }) => ChainLink::To(next),
                Ok(_) | Err(_) => ChainLink::None,
            },
            ProbeResult::Nothing(_) => ChainLink::None,
        };
        self.charge(probe.n_bytes);
        Ok(link)
    }

    /// Ends the search of an ambiguous range. `next` is the position of the next message, if it begins inside the range.
    fn resolved(&mut self, ambiguous: AmbiguousRange, next: Option<u64>) {
        let damage = match (ambiguous.fallback, next) {
            (Fallback::Take(message), Some(next)) => return self.lose_shifted(&message.0, next),
            (Fallback::Take(message), None) => return self.accept(&message.0, &message.1),
            // The footer may be right: bytes may have been removed or inserted before the block.
            (Fallback::Block { idx, kind, cause }, _) => {
                self.listed.damaged(idx);
                Damage { block: Some(idx), ..Damage::new(LostContent::Message(kind), cause) }
            }
        };
        match next {
            Some(next) => self.skip_to((next, ambiguous.n_known), damage),
            None => self.lose_to(ambiguous.end, damage),
        }
    }

    /// The position of a message or end marker in the padding of a body. Intact padding consists of zeros.
    pub(super) fn next_inside(
        &mut self,
        window: &InputWindow,
        found: &Candidate,
    ) -> RangeResult<Option<u64>> {
        let limits = self.limits_to_guess();
        let mut n_bytes = 0u64;
        let next = self.begins_inside(window, found, &mut |position| {
            let probe = find(window, position, (Likelihood::Guessed, &limits))?;
            n_bytes = n_bytes.saturating_add(probe.n_bytes);
            Ok(probe.found)
        })?;
        self.charge(n_bytes);
        Ok(next)
    }

    /// Like [`next_inside`](Self::next_inside). `guess` reads the metadata at a position.
    fn begins_inside(
        &self,
        window: &InputWindow,
        found: &Candidate,
        guess: &mut dyn FnMut(u64) -> RangeResult<ProbeResult>,
    ) -> RangeResult<Option<u64>> {
        let end = found.end();
        if self.framing != MarkerRule::Legacy {
            // If the body lacks four bytes, the marker of the next message is before `end`, and the rest of its prefix
            // looks like legacy framing.
            let first = window.bytes_from(end, PREFIX_BYTES)?;
            let marker = end.saturating_sub(CONTINUATION.len() as u64);
            let own_metadata = found.position.saturating_add(found.n_prefix_bytes);
            if !first.starts_with(&CONTINUATION)
                && marker >= own_metadata
                && window.bytes_from(marker, CONTINUATION.len() as u64)?.starts_with(&CONTINUATION)
                && let ProbeResult::Candidate(_) = guess(marker)?
            {
                return Ok(Some(marker));
            }
        }
        if !found.has_arrays() {
            return Ok(None);
        }
        if let Some(marker) = self.end_marker_inside(window, found)?
            && !may_be_value(found, marker)
        {
            return Ok(Some(marker));
        }
        let start = found.buffers_end.min(end);
        let padding = window.bytes_from(start, end.saturating_sub(start))?;
        let Some(n_zeros) = padding.iter().position(|byte| *byte != 0) else { return Ok(None) };
        let at = start.saturating_add(n_zeros as u64);
        let first = window.bytes_from(at, PREFIX_BYTES)?;
        if !first.starts_with(&CONTINUATION) {
            return Ok(None);
        }
        Ok(match guess(at)? {
            ProbeResult::Candidate(_) => Some(at),
            // After an end marker, there is another stream or the end of the input. Otherwise these bytes are a value.
            ProbeResult::EndMarker { n_bytes } => {
                let after = at.saturating_add(n_bytes);
                let is_end = after >= self.limit_after(found.position);
                (is_end || !matches!(guess(after)?, ProbeResult::Nothing(_))).then_some(at)
            }
            ProbeResult::Nothing(_) => None,
        })
    }

    /// The number of bytes that the last message may lack, since its body ends with an end marker or with the first half
    /// of one. These bytes may also be its last values: then the input has no end marker, or a legacy one. 0 if no end
    /// marker begins inside the body.
    pub(super) fn n_doubtful_bytes(&self, window: &InputWindow, found: &Candidate) -> RangeResult<u64> {
        let marker = self.end_marker_inside(window, found)?.filter(|marker| may_be_value(found, *marker));
        Ok(marker.map_or(0, |marker| found.end().saturating_sub(marker)))
    }

    /// The position of an end marker that begins inside the body of the last message. This happens if bytes of the body
    /// were removed, or if the last values are the same bytes.
    fn end_marker_inside(&self, window: &InputWindow, found: &Candidate) -> RangeResult<Option<u64>> {
        let body = found.body_position()..found.end();
        let footer = self.footer_range().map(|range| range.start).filter(|start| *start >= body.end);
        let end = footer.unwrap_or(self.n_bytes);
        let marker = end.saturating_sub(PREFIX_BYTES);
        let may_have_marker = found.has_arrays() && self.framing != MarkerRule::Legacy;
        if !may_have_marker || !body.contains(&marker) || body.end > end {
            return Ok(None);
        }
        let last = window.bytes_from(marker, PREFIX_BYTES)?;
        Ok((*last == END_MARKER).then_some(marker))
    }

    /// Reports a message as lost, and continues with the next message, which begins inside it.
    pub(super) fn lose_shifted(&mut self, found: &Candidate, next: u64) {
        let n_bytes = found.end().saturating_sub(next);
        let cause = if found.is_consistent { LostCause::Missing { n_bytes } } else { LostCause::Lengths };
        let open = BatchView::parse(found.envelope.clone(), self.options.limits()).ok();
        let dictionary = open.and_then(|open| open.dictionary());
        let block = self.listed.block_here(found);
        if let Some(idx) = block {
            self.listed.damaged(idx);
        }
        let what = LostContent::Message(found.envelope.kind());
        self.skip_to((next, found.n_prefix_bytes), Damage { what, cause, block, dictionary });
    }
}

/// Whether an end marker that begins inside a body may be values: it begins before the padding, and the body ends with
/// it, or between its two halves. The second half is then a legacy end marker.
fn may_be_value(found: &Candidate, marker: u64) -> bool {
    let n_bytes = found.end().saturating_sub(marker);
    marker < found.buffers_end && (n_bytes == PREFIX_BYTES || n_bytes == CONTINUATION.len() as u64)
}
