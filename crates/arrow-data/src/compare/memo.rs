//! Which slots have been found equal.
//!
//! List views, dictionaries and dense unions may refer to the same slots many times, and each of those to the same
//! slots again: values that take more steps to walk than there are atoms, in a few bytes. Being equal is an
//! equivalence, so slots that were compared with each other join one set; of `n` slots in all, less than `n`
//! comparisons join two sets, and all others are answered here.

use std::collections::HashMap;

/// Sets of slots of both sides that are equal.
#[derive(Debug, Default)]
pub(super) struct Memo {
    /// The next slot on the way to the one that stands for the set; a slot that stands for its own is not in here.
    next: HashMap<Slot, Slot>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Slot {
    Left(usize),
    Right(usize),
}

impl Memo {
    /// Whether it follows from what was compared that both are equal.
    pub(super) fn knows(&mut self, left: usize, right: usize) -> bool {
        self.top_of(Slot::Left(left)) == self.top_of(Slot::Right(right))
    }

    /// Both were found equal.
    pub(super) fn join(&mut self, left: usize, right: usize) {
        let (left, right) = (self.top_of(Slot::Left(left)), self.top_of(Slot::Right(right)));
        if left != right {
            self.next.insert(left, right);
        }
    }

    /// The slot that stands for the set of `slot`; halves the way there.
    fn top_of(&mut self, slot: Slot) -> Slot {
        let mut slot = slot;
        while let Some(next) = self.next.get(&slot).copied() {
            match self.next.get(&next).copied() {
                Some(behind) => {
                    self.next.insert(slot, behind);
                    slot = behind;
                }
                None => return next,
            }
        }
        slot
    }
}
