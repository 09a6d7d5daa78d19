//! Over damaged bytes to the next message.

use super::{Framing, Scan};
use crate::{
    frame::CONTINUATION,
    limits::Limits,
    recover::{
        RecoveryStep,
        candidate::{Found, Looked, Place, find},
        window::{Wait, Window},
    },
};

/// Messages begin at multiples of this.
const WORD_BYTES: u64 = 8;

impl Scan {
    /// Goes to the next place where a message may begin. If one does, or a footer, the damaged bytes end there.
    pub(super) fn resync(&mut self, window: &Window) -> Wait<Vec<RecoveryStep>> {
        let start = self.damage.as_ref().map_or(self.position, |(start, _)| *start);
        let from = self.position.max(start.saturating_add(1));
        let limit = self.limit_from(from);
        let from = from.next_multiple_of(WORD_BYTES);
        if from >= limit {
            self.position = limit;
            // Where a footer lists a block there is one, damaged or not.
            return Ok(if limit == self.n_bytes { Vec::new() } else { self.pass_over(limit) });
        }
        let mut bytes = window.rest(from)?;
        if (bytes.len() as u64) < WORD_BYTES {
            bytes = window.ahead(from, WORD_BYTES)?;
        }
        let Some(at) = self.likely_prefix(&bytes) else {
            // The words that were there, or the last bytes of the input.
            let n_bytes = bytes.len() as u64;
            let next = from.saturating_add((n_bytes - n_bytes % WORD_BYTES).max(WORD_BYTES));
            self.position = next.min(limit);
            return Ok(Vec::new());
        };
        let position = from.saturating_add(at);
        if position >= limit {
            self.position = limit;
            return Ok(Vec::new());
        }
        let left = self.options.limits().max_metadata_bytes().min(self.n_left_to_guess);
        let limits = Limits::clone(self.options.limits()).with_max_metadata_bytes(left);
        let Looked { found, n_bytes } = find(window, position, (Place::Guessed, &limits))?;
        let is_message = match &found {
            Found::Candidate(found) => self.check(window, found)?.is_ok(),
            Found::EndMarker { .. } | Found::Nothing(_) => false,
        };
        self.n_left_to_guess = self.n_left_to_guess.saturating_sub(n_bytes);
        if is_message {
            self.position = position;
            return Ok(self.pass_over(position));
        }
        self.position = position.saturating_add(WORD_BYTES).min(limit);
        Ok(Vec::new())
    }

    /// Where damaged bytes end at the latest: at a block of the footer, at the footer, at the end.
    fn limit_from(&self, position: u64) -> u64 {
        let footer = self.footer_range().map(|range| range.start).filter(|start| *start >= position);
        let block = self.expected.next_start(position);
        footer.into_iter().chain(block).fold(self.n_bytes, u64::min)
    }

    /// The first word with which a message may begin.
    fn likely_prefix(&self, bytes: &[u8]) -> Option<u64> {
        let mut words = bytes.chunks(WORD_BYTES as usize);
        let found = match self.framing {
            Framing::Current => words.position(|word| word.starts_with(&CONTINUATION)),
            // A length, which is not negative, and not nothing.
            Framing::Legacy => words.position(|word| {
                word.starts_with(&CONTINUATION)
                    || word
                        .first_chunk::<4>()
                        .is_some_and(|length| (1..1 << 24).contains(&i32::from_le_bytes(*length)))
            }),
        };
        Some((found? as u64).saturating_mul(WORD_BYTES))
    }
}
