//! The map of an input: a list of ranges, each with its content, such as a message or lost bytes. Only metadata is read
//! to make it.
//!
//! A message is expected at a position if the footer lists it there (maybe shifted like the previous blocks), if the
//! previous message ends there, or if the bytes look like a prefix. The message is accepted if the bytes after it
//! confirm its lengths.

mod ambiguous;
mod begin;
mod check;
mod marker;
mod resync;
mod state;

pub(super) use self::state::{Map, SavedMap};
use self::{
    marker::after_zeros,
    state::{AmbiguousRange, Fallback, TrustedMessage},
};
use super::{
    candidate::{Candidate, Likelihood, Probe, ProbeResult, find},
    span::SpanContent,
    window::{InputWindow, RangeResult},
};

impl Map {
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
}
