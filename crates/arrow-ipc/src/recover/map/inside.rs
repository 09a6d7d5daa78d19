//! Messages that begin inside the body of the previous message. Bytes of that body were removed, so its values are shifted.

use std::ops::Range;

use super::Map;
use crate::{
    frame::{CONTINUATION, END_MARKER, PREFIX_BYTES},
    message::OpenBatch,
    recover::{
        candidate::{Candidate, Found, Likelihood, find},
        likely::MarkerRule,
        lost::{LostCause, LostWhat},
        stretch::Damage,
        window::{InputWindow, Wait},
    },
};

impl Map {
    /// The position of a message or end marker in the padding at the end of a body. An intact body has zeros there.
    pub(super) fn next_inside(&self, window: &InputWindow, found: &Candidate) -> Wait<Option<u64>> {
        let (body_position, end) = (found.body_position(), found.end());
        if self.framing != MarkerRule::Legacy {
            // Without its marker, the rest of the next message looks like legacy framing.
            let first = window.ahead(end, PREFIX_BYTES)?;
            let marker = end.saturating_sub(CONTINUATION.len() as u64);
            let own_metadata = found.position.saturating_add(found.n_prefix_bytes);
            if !first.starts_with(&CONTINUATION)
                && marker >= own_metadata
                && window.ahead(marker, CONTINUATION.len() as u64)?.starts_with(&CONTINUATION)
            {
                let looked = find(window, marker, (Likelihood::Guessed, self.options.limits()))?;
                if let Found::Candidate(_) = looked.found {
                    return Ok(Some(marker));
                }
            }
        }
        if !found.has_arrays() {
            return Ok(None);
        }
        if self.framing != MarkerRule::Legacy
            && let Some(marker) = self.end_marker_inside(window, body_position..end)?
        {
            return Ok(Some(marker));
        }
        let start = found.buffers_end.min(end);
        let padding = window.ahead(start, end.saturating_sub(start))?;
        let Some(n_zeros) = padding.iter().position(|byte| *byte != 0) else { return Ok(None) };
        let at = start.saturating_add(n_zeros as u64);
        let first = window.ahead(at, PREFIX_BYTES)?;
        if !first.starts_with(&CONTINUATION) {
            return Ok(None);
        }
        Ok(match find(window, at, (Likelihood::Guessed, self.options.limits()))?.found {
            Found::Candidate(_) => Some(at),
            // The end of a stream is followed by another stream, or by nothing. Otherwise these bytes are a value.
            Found::EndMarker { n_bytes } => {
                let after = at.saturating_add(n_bytes);
                let next = find(window, after, (Likelihood::Guessed, self.options.limits()))?.found;
                let is_end = after >= self.limit_after(found.position);
                (is_end || !matches!(next, Found::Nothing(_))).then_some(at)
            }
            Found::Nothing(_) => None,
        })
    }

    /// Finds an end marker after all messages that lies partly inside a body: it has moved into the place of removed bytes.
    fn end_marker_inside(&self, window: &InputWindow, body: Range<u64>) -> Wait<Option<u64>> {
        let footer = self.footer_range().map(|range| range.start).filter(|start| *start >= body.end);
        let end = footer.unwrap_or(self.n_bytes);
        let marker = end.saturating_sub(PREFIX_BYTES);
        if !body.contains(&marker) || body.end > end {
            return Ok(None);
        }
        let last = window.ahead(marker, PREFIX_BYTES)?;
        Ok((*last == END_MARKER).then_some(marker))
    }

    /// Continues with the next message. The previous one is lost, since its values would be wrong.
    pub(super) fn lose_shifted(&mut self, found: &Candidate, next: u64) {
        let n_bytes = found.end().saturating_sub(next);
        let cause = if found.is_consistent { LostCause::Missing { n_bytes } } else { LostCause::Lengths };
        let open = OpenBatch::parse(&found.head, self.options.limits()).ok();
        let dictionary = open.and_then(|open| open.dictionary());
        let block = self.listed.block_here(found);
        if let Some(idx) = block {
            self.listed.damaged(idx);
        }
        let what = LostWhat::Message(found.head.kind());
        self.pass_to((next, found.n_prefix_bytes), Damage { what, cause, block, dictionary });
    }
}
