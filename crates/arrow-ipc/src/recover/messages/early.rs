//! The dictionaries that a footer lists, before all batches: in a file they may come after the batches that need them.

use super::{Scan, Stage, lost};
use crate::{
    error::Result,
    protocol::MessageKind,
    recover::{
        RecoveryStep,
        candidate::{Found, Place, find},
        lost::{LostCause, LostWhat},
        window::{Wait, Window},
    },
};

impl Scan {
    /// Reads the dictionary of this number in the footer's list. If it cannot be read, none is added to it later.
    pub(super) fn early_dictionary(
        &mut self,
        window: &Window,
        idx: usize,
    ) -> Wait<Result<Vec<RecoveryStep>>> {
        let Some(block) = self.footer().and_then(|footer| footer.dictionaries().get(idx).copied()) else {
            self.stage = Stage::Messages;
            return Ok(Ok(Vec::new()));
        };
        let range = block.position()..block.position().saturating_add(block.n_bytes());
        // Blocks do not overlap, so all of them are no longer than the file.
        let Some(left) = self.n_left_early.checked_sub(block.n_bytes()) else {
            self.stage = Stage::Dictionaries { next: idx.saturating_add(1) };
            return Ok(Ok(Vec::new()));
        };
        let cause = match find(window, range.start, (Place::Expected, self.options.limits()))?.found {
            Found::Candidate(found)
                if found.end() == range.end && found.head.n_body_bytes() == block.n_body_bytes() =>
            {
                let received = self.receive(window, found)?;
                self.early.insert(range.start);
                self.n_left_early = left;
                self.stage = Stage::Dictionaries { next: idx.saturating_add(1) };
                return Ok(received);
            }
            Found::Candidate(_) => LostCause::OtherLengths,
            Found::Nothing(error) => LostCause::Error(error),
            Found::EndMarker { .. } => LostCause::NoMessage,
        };
        self.stage = Stage::Dictionaries { next: idx.saturating_add(1) };
        self.n_left_early = left;
        self.suspect(&range);
        self.early.insert(range.start);
        Ok(Ok(vec![lost(range, LostWhat::Message(MessageKind::DictionaryBatch), cause)]))
    }
}
