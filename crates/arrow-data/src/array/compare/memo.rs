//! Remembers which ranges are equal.
//!
//! List views, dictionaries, dense unions and long views may refer to the same slots or bytes many times, on several
//! levels. Without a memo, comparing a small array could then take years. So equal ranges are remembered, but only
//! after more slots or bytes have been compared than both sides have. Arrays that refer to each slot once need no memo.
//!
//! Ranges are divided into pieces. The length of a piece is the length of a block times a power of two. Pieces of the
//! same length that are equal belong to one set, since equality is transitive. Any range consists of two pieces, which
//! may overlap. A piece that has not been found equal is compared in two halves. Among `n` pieces of one length, fewer
//! than `n` comparisons join two sets. So the steps of all comparisons together are O((slots + calls) · log slots).
//!
//! If one side is a copy of the other, equal ranges have the same position on both sides. Then one equal range grows
//! until it covers all slots, and pieces are rarely needed.

use std::{collections::HashMap, ops::Range};

/// Pairs of equal ranges on both sides: ranges of slot numbers, or ranges of addresses of bytes.
#[derive(Debug)]
pub(super) struct Memo {
    /// The length of the shortest ranges that are remembered. Shorter ranges are always compared.
    block: usize,
    /// The number of slots or bytes that may be compared before ranges are remembered.
    n_free: usize,
    latest: EqualRange,
    /// For each range, another range of its set that is nearer to the representative of the set. A representative has no entry.
    next: HashMap<MemoBlock, MemoBlock>,
    #[cfg(test)]
    n_compared: usize,
}

/// A range of `block << doublings` slots or bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
struct MemoBlock {
    side: MemoSide,
    start: usize,
    doublings: u32,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum MemoSide {
    Left,
    Right,
}

/// A range on the left that equals the range of the same length that starts at `right`.
#[derive(Debug, Clone, Default)]
struct EqualRange {
    left: Range<usize>,
    right: usize,
}

/// A step of comparing two ranges. The first number is the distance from the start of the whole range.
#[derive(Debug, Clone, Copy)]
enum MemoStep {
    Compare(usize, u32),
    Join(usize, u32),
}

impl Memo {
    /// Makes an empty memo. A `block` of 0 counts as 1.
    pub(super) fn new(block: usize, n_free: usize) -> Memo {
        Memo {
            block: block.max(1),
            n_free,
            latest: EqualRange::default(),
            next: HashMap::new(),
            #[cfg(test)]
            n_compared: 0,
        }
    }

    /// The number of slots or bytes, out of `n`, that are equal before the first difference. `compare(start, length)`
    /// returns the same for the part of the range with this start and length.
    #[inline]
    pub(super) fn find(
        &mut self,
        left: usize,
        right: usize,
        n: usize,
        mut compare: impl FnMut(usize, usize) -> Option<usize>,
    ) -> Option<usize> {
        if let Some(n_free) = self.n_free.checked_sub(n) {
            self.n_free = n_free;
            return self.compare(0..n, &mut compare);
        }
        if n < self.block {
            return self.compare(0..n, &mut compare);
        }
        let range = EqualRange { left: left..left.saturating_add(n), right };
        let known = self.latest.within(&range);
        for part in [0..known.start, known.end..n] {
            let found = self.find_in_pieces(&range, part, &mut compare);
            if found.is_some() {
                return found;
            }
        }
        self.latest.add(range);
        None
    }

    fn compare(
        &mut self,
        part: Range<usize>,
        compare: &mut impl FnMut(usize, usize) -> Option<usize>,
    ) -> Option<usize> {
        #[cfg(test)]
        {
            self.n_compared += part.len();
        }
        Some(part.start + compare(part.start, part.len())?)
    }

    fn find_in_pieces(
        &mut self,
        range: &EqualRange,
        part: Range<usize>,
        compare: &mut impl FnMut(usize, usize) -> Option<usize>,
    ) -> Option<usize> {
        let Some(doublings) = part.len().checked_div(self.block).and_then(usize::checked_ilog2) else {
            return if part.is_empty() { None } else { self.compare(part, compare) };
        };
        let last = part.end - (self.block << doublings);
        let mut tasks = vec![MemoStep::Compare(last, doublings), MemoStep::Compare(part.start, doublings)];
        while let Some(task) = tasks.pop() {
            let (MemoStep::Compare(at, doublings) | MemoStep::Join(at, doublings)) = task;
            let left = MemoBlock { side: MemoSide::Left, start: range.left.start + at, doublings };
            let right = MemoBlock { side: MemoSide::Right, start: range.right + at, doublings };
            let (left, right) = (self.top_of(left), self.top_of(right));
            if left == right {
                continue;
            }
            if matches!(task, MemoStep::Compare(..)) {
                if let Some(halves) = doublings.checked_sub(1) {
                    let second = at + (self.block << halves);
                    tasks.extend([
                        MemoStep::Join(at, doublings),
                        MemoStep::Compare(second, halves),
                        MemoStep::Compare(at, halves),
                    ]);
                    continue;
                }
                let found = self.compare(at..at + self.block, compare);
                if found.is_some() {
                    return found;
                }
            }
            self.next.insert(left, right);
        }
        None
    }

    #[cfg(test)]
    pub(super) fn n_compared(&self) -> usize {
        self.n_compared
    }

    /// The representative of the set to which `piece` belongs. Shortens the chain of ranges for later searches.
    fn top_of(&mut self, piece: MemoBlock) -> MemoBlock {
        let mut piece = piece;
        while let Some(next) = self.next.get(&piece).copied() {
            match self.next.get(&next).copied() {
                Some(after) => {
                    self.next.insert(piece, after);
                    piece = after;
                }
                None => return next,
            }
        }
        piece
    }
}

impl EqualRange {
    fn is_beside(&self, other: &EqualRange) -> bool {
        self.left.start.wrapping_sub(self.right) == other.left.start.wrapping_sub(other.right)
    }

    /// The part of `range` that lies in this equal range, counted from the start of `range`; may be empty.
    fn within(&self, range: &EqualRange) -> Range<usize> {
        if !self.is_beside(range) {
            return 0..0;
        }
        let from_start = |at: usize| at.clamp(range.left.start, range.left.end) - range.left.start;
        from_start(self.left.start)..from_start(self.left.end)
    }

    /// Extends this range by a range that touches it. If the ranges do not touch, this range becomes the longer of the
    /// two.
    fn add(&mut self, range: EqualRange) {
        let touches = self.left.start <= range.left.end && range.left.start <= self.left.end;
        if self.is_beside(&range) && touches && !self.left.is_empty() {
            self.right = self.right.min(range.right);
            self.left = self.left.start.min(range.left.start)..self.left.end.max(range.left.end);
        } else if range.left.len() > self.left.len() {
            *self = range;
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        /// For any order of comparisons, the memo gives the same answers as comparing the ranges.
        #[test]
        fn agrees_with_comparing(
            left in prop::collection::vec(prop::sample::select(vec![0_u8, 0, 0, 0, 0, 0, 0, 1]), 1..80),
            changed in prop::option::of(0..80_usize),
            block in 1..4_usize,
            n_free in 0..50_usize,
            ranges in prop::collection::vec((0..80_usize, 0..80_usize, 0..80_usize), 1..200),
        ) {
            let mut right = left.clone();
            if let Some(slot) = changed.and_then(|slot| right.get_mut(slot)) {
                *slot ^= 1;
            }
            let mut memo = Memo::new(block, n_free);
            for (i, j, n) in ranges {
                let (i, j) = (i % left.len(), j % left.len());
                let n = n.min(left.len() - i.max(j));
                let naive = |k: usize, n: usize| (0..n).find(|m| left[i + k + m] != right[j + k + m]);
                prop_assert_eq!(memo.find(i, j, n, naive), naive(0, n));
            }
        }
    }

    const N: usize = 1 << 14;

    /// Compares ranges of a copy, and ranges of values that are all equal, where each range may begin anywhere.
    #[test]
    fn what_is_known_is_not_compared_again() {
        let mut copy = Memo::new(64, N);
        let mut equal = Memo::new(64, N);
        for k in 0..N / 2 {
            let i = k * 37 % 1000;
            let j = k * 101 % 1000;
            assert_eq!(copy.find(i, i, N - 1000 - k, |_, _| None), None);
            assert_eq!(equal.find(i, j, N - 1000 - k, |_, _| None), None);
        }
        assert!(copy.n_compared <= 3 * N, "{}", copy.n_compared);
        assert!(equal.n_compared <= 65 * 2 * N, "{}", equal.n_compared);
        assert!(equal.next.len() <= 12 * 2 * N, "{}", equal.next.len());
    }

    #[test]
    fn without_sharing_nothing_is_remembered() {
        let mut memo = Memo::new(1, N);
        for k in 0..N / 8 {
            assert_eq!(memo.find(k * 8, k * 8, 8, |_, _| None), None);
        }
        assert_eq!((memo.n_compared, memo.next.len(), memo.latest.left.len()), (N, 0, 0));
    }
}
