//! Which slots have been found equal.
//!
//! List views, dictionaries and dense unions may refer to the same slots many times, and each of those to the same
//! slots again: a few bytes may take more steps to walk than anyone can wait for. Being equal is an equivalence, so slots
//! that were found equal join one set. Among `n` slots fewer than `n` comparisons join two sets; all others are answered
//! here.

use std::collections::HashMap;

/// Sets of slots of both sides that are equal.
#[derive(Debug, Default)]
pub(super) struct Memo {
    /// The next slot on the way to the representative of the set; a representative has no entry.
    next: HashMap<Slot, Slot>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Slot {
    Left(usize),
    Right(usize),
}

impl Memo {
    /// Whether both are known to be equal.
    pub(super) fn knows(&mut self, left: usize, right: usize) -> bool {
        self.top_of(Slot::Left(left)) == self.top_of(Slot::Right(right))
    }

    /// Remembers that both are equal.
    pub(super) fn join(&mut self, left: usize, right: usize) {
        let (left, right) = (self.top_of(Slot::Left(left)), self.top_of(Slot::Right(right)));
        if left != right {
            self.next.insert(left, right);
        }
    }

    /// The representative of the set of `slot`; halves the way there.
    fn top_of(&mut self, slot: Slot) -> Slot {
        let mut slot = slot;
        while let Some(next) = self.next.get(&slot).copied() {
            match self.next.get(&next).copied() {
                Some(after) => {
                    self.next.insert(slot, after);
                    slot = after;
                }
                None => return next,
            }
        }
        slot
    }
}
