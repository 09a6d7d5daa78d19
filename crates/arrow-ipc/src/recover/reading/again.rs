//! Messages that are not sound: bytes of others may be inside of what should be theirs, and those are searched.

use std::ops::Range;

use super::{Ahead, Reading, lost};
use crate::{
    detect::Container,
    message::Message,
    protocol::MessageKind,
    recover::{
        RecoveryStep,
        lost::{LostCause, LostWhat},
        map::KeptMap,
        stretch::{Damage, Located, Stretch, StretchContent},
        window::{Wait, Window},
    },
};

/// A message that is not sound, or that nothing can be made of.
#[derive(Debug)]
pub(super) struct Refuted {
    pub(super) range: Range<u64>,
    pub(super) located: Located,
    pub(super) cause: LostCause,
    n_prefix_bytes: u64,
    /// Whether its bytes have been searched in vain.
    is_searched: bool,
    /// The rest of the map, while these bytes are searched.
    kept: Option<KeptMap>,
}

impl Refuted {
    pub(super) fn new(message: &Message, located: Located, cause: LostCause) -> Refuted {
        let range = message.position()..message.body_position().saturating_add(message.n_body_bytes());
        Refuted {
            range,
            located,
            cause,
            n_prefix_bytes: message.n_prefix_bytes,
            is_searched: false,
            kept: None,
        }
    }
}

impl Reading {
    /// Searches the bytes of a message that is not sound, and the lost ones after it. What begins there takes its place.
    pub(super) fn look_again(&mut self, window: &Window, idx: usize) -> Wait<Vec<RecoveryStep>> {
        let Some(mut refuted) = self.refuted.take() else { return Ok(Vec::new()) };
        let end = self.damage_end(idx, &refuted);
        if refuted.kept.is_none() && !refuted.is_searched {
            let known = (refuted.n_prefix_bytes, refuted.located.index);
            refuted.kept = self.map.look_again(refuted.range.start..end, known);
        }
        if refuted.kept.is_some() && !self.map.is_complete() {
            let looked = self.map.step(window);
            self.refuted = Some(refuted);
            return looked.map(|()| Vec::new());
        }
        self.ahead.pop_front();
        let Refuted { range, located, cause, n_prefix_bytes, is_searched, kept } = refuted;
        let mut found = kept.map(|kept| self.map.found_again(kept)).unwrap_or_default();
        if let (Container::File, MessageKind::DictionaryBatch, Some(content)) =
            (self.container(), located.kind, &mut self.content)
        {
            // Its id may be what is wrong: it may have held values that were added to any.
            content.lose_deltas(range.clone());
        }
        let what = LostWhat::Message(located.kind);
        let is_message = |stretch: &Stretch| matches!(stretch.content, StretchContent::Message(_));
        if !found.iter().any(is_message) {
            if !is_searched && self.may_wait(&cause) {
                // The dictionary may be inside of another one.
                let refuted =
                    Refuted { range, located, cause, n_prefix_bytes, is_searched: true, kept: None };
                self.waiting.push_back((idx, refuted));
                return Ok(Vec::new());
            }
            self.suspect(&range);
            return Ok(vec![lost(range, what, cause)]);
        }
        let damage = Damage { block: located.block, ..Damage::new(what, cause) };
        if let Some(first) = found.first_mut() {
            first.content = StretchContent::Lost(damage);
        }
        // What was lost is in these stretches now.
        for stretch in self.map.stretches.iter_mut().skip(idx).take_while(|stretch| stretch.range.start < end)
        {
            stretch.content = StretchContent::Other;
        }
        let first = self.map.stretches.len();
        self.map.stretches.extend(found);
        (first..self.map.stretches.len()).rev().for_each(|idx| self.ahead.push_front(Ahead::Stretch(idx)));
        Ok(Vec::new())
    }

    /// Where the lost bytes after a message end.
    fn damage_end(&self, idx: usize, refuted: &Refuted) -> u64 {
        let after = self.map.stretches.iter().skip(idx.saturating_add(1));
        let lost = after.take_while(|stretch| matches!(stretch.content, StretchContent::Lost(_)));
        lost.last().map_or(refuted.range.end, |stretch| stretch.range.end)
    }
}
