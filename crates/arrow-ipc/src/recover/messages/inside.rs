//! Messages that begin inside of the body before them: bytes of it have been removed, so that its values are shifted.

use super::{Scan, lost};
use crate::{
    detect::Container,
    frame::{CONTINUATION, PREFIX_BYTES},
    protocol::MessageKind,
    recover::{
        RecoveryStep,
        candidate::{Candidate, Found, Place, find},
        lost::{LostCause, LostWhat},
        window::{Wait, Window},
    },
};

/// The end marker of a stream.
const END_MARKER: [u8; PREFIX_BYTES as usize] = [0xff, 0xff, 0xff, 0xff, 0, 0, 0, 0];

impl Scan {
    /// Where a message or an end marker begins in the padding at the end of a body, which would be zeros otherwise.
    pub(super) fn next_inside(&self, window: &Window, found: &Candidate) -> Wait<Option<u64>> {
        if !matches!(found.head.kind(), MessageKind::RecordBatch | MessageKind::DictionaryBatch) {
            return Ok(None);
        }
        let (body_position, end) = (found.body_position(), found.end());
        // It is decoded next, so all of it is asked for at once.
        let body = window.ahead(body_position, found.head.n_body_bytes())?;
        // The end marker takes the place of eight bytes that were removed.
        if self.ends.container != Container::File && end == self.n_bytes && body.ends_with(&END_MARKER) {
            return Ok(Some(end.saturating_sub(PREFIX_BYTES)));
        }
        let start = found.buffers_end.min(end);
        let padding = body.get(start.saturating_sub(body_position) as usize..).unwrap_or_default();
        let Some(n_zeros) = padding.iter().position(|byte| *byte != 0) else { return Ok(None) };
        let at = start.saturating_add(n_zeros as u64);
        let at = (at - at % PREFIX_BYTES).max(start);
        let first = window.ahead(at, PREFIX_BYTES)?;
        if !first.starts_with(&CONTINUATION) {
            return Ok(None);
        }
        Ok(match find(window, at, (Place::Guessed, self.options.limits()))?.found {
            Found::Candidate(_) | Found::EndMarker { .. } => Some(at),
            Found::Nothing(_) => None,
        })
    }

    /// Goes on with the next message, and loses the batch or dictionary before it, whose values would be wrong.
    pub(super) fn lose_shifted(&mut self, found: &Candidate, next: u64) -> Vec<RecoveryStep> {
        let range = found.position..next;
        self.n_messages = self.n_messages.saturating_add(1);
        self.position = next.max(found.position.saturating_add(1));
        self.body_end = self.position;
        let kind = found.head.kind();
        if kind == MessageKind::DictionaryBatch {
            self.suspect(&range);
            if let Some(content) = &mut self.content {
                content.lose_message(&found.head, &range, self.options.limits());
            }
        }
        vec![lost(range, LostWhat::Message(kind), LostCause::Lengths)]
    }
}
