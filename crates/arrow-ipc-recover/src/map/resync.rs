//! Skips damaged bytes up to the next message.

use std::ops::Range;

use arrow_ipc_format::{Limits, length_of};
use arrow_schema::visit;

use super::state::Map;
use crate::{
    candidate::{Likelihood, Probe, ProbeResult, find},
    likely::{InputRest, LIKELY_BYTES, first_likely, n_searched},
    window::{InputWindow, RangeResult},
};

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
}
