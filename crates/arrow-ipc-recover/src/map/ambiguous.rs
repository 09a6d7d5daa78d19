//! Messages that may lack bytes, although no stated length is impossible. If bytes are missing, the next message begins
//! before the stated end of the message, and the values of the message are shifted.

use std::ops::ControlFlow;

use arrow_ipc_format::{BatchView, CONTINUATION, END_MARKER, MessageKind, PREFIX_BYTES};

use super::state::{AmbiguousRange, Fallback, Map, TrustedMessage};
use crate::{
    candidate::{Candidate, Likelihood, ProbeResult, find},
    likely::MarkerRule,
    lost::{LostCause, LostContent},
    span::Damage,
    window::{InputWindow, RangeResult},
};

impl Map {
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

/// What begins at a position.
enum ChainLink {
    To(u64),
    /// A message with the lengths of some block of the footer.
    Listed(u64),
    EndMarker(u64),
    None,
}
