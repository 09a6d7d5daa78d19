//! Compares run-end encoded arrays run by run, if several slots of a parent may refer to the same run.
//!
//! Runs may have more slots than any memory holds, so ranges of slots are not remembered. Instead the runs of each side
//! are joined where neighbours have the same value. Then two ranges are equal only if their joined runs have the same
//! values and lengths. A range may begin or end inside a run. Equal ranges are remembered as numbers of joined runs.

use super::{
    joined::{JoinedRuns, JoinedSides, RunsMemo, n_runs_in, outer_runs},
    memo::Memo,
    node::{CheckedPair, ChildReferences, FieldNames, NodePair},
    side::ComparedSide,
};

impl RunsMemo {
    /// Compares `n` slots from `i` on the left and from `j` on the right. `n` is at least 1.
    pub(super) fn find(&mut self, node: &mut NodePair, [i, j, n]: [usize; 3]) -> Option<usize> {
        if self.joined.is_none() {
            let n_visited = n_runs_in(&node.left, i, n).saturating_add(n_runs_in(&node.right, j, n));
            if let Some(n_free) = self.n_free.checked_sub(n_visited) {
                self.n_free = n_free;
                self.visit(n_visited);
                return node.find_encoded(i, j, n);
            }
            self.joined = JoinedSides::try_new(node);
        }
        let Some(joined) = &mut self.joined else { return node.find_encoded(i, j, n) };
        let found = joined.find(node, [i, j, n]);
        self.visit(1);
        found
    }
}

impl JoinedSides {
    /// The joined runs of both sides. `None` if a side cannot be compared with itself; this does not happen, since the
    /// side has been compared with the other side.
    fn try_new(node: &mut NodePair) -> Option<JoinedSides> {
        let (left, right) = if node.is_same && node.left.array.len() == node.right.array.len() {
            // The runs of both sides are the same, and this node compares them with each other.
            let joined = JoinedRuns::from_left(node);
            (JoinedRuns { ends: joined.ends.clone() }, joined)
        } else {
            let with_itself = |side: &ComparedSide| {
                let pair = Box::new(CheckedPair(side.array.clone(), side.array.clone()));
                let mut node =
                    NodePair::try_new(pair, FieldNames::DoNotMatter, ChildReferences::Unique).ok()?;
                Some(JoinedRuns::from_left(&mut node))
            };
            (with_itself(&node.left)?, with_itself(&node.right)?)
        };
        Some(JoinedSides { left, right, memo: Memo::new(1, 0) })
    }

    fn find(&mut self, node: &mut NodePair, [i, j, n]: [usize; 3]) -> Option<usize> {
        let JoinedSides { left, right, memo } = self;
        // A slot that lies in no run does not equal any slot.
        let (Some(from), Some(to)) = (left.at(i), right.at(j)) else { return Some(0) };
        if node.find_encoded(i, j, 1).is_some() {
            return Some(0);
        }
        let n_first = from.n_slots.min(to.n_slots);
        if n_first >= n {
            return None;
        }
        // The longer run continues where the other side already has another value.
        if from.n_slots != to.n_slots {
            return Some(n_first);
        }
        let (first, other) = (from.run.saturating_add(1), to.run.saturating_add(1));
        let last = i.saturating_add(n).saturating_sub(1);
        let other_last = j.saturating_add(n).saturating_sub(1);
        let (Some(last), Some(other_last)) = (left.at(last), right.at(other_last)) else { return Some(0) };
        let n_left = last.run.saturating_sub(first);
        let n_right = other_last.run.saturating_sub(other);
        let n_whole = n_left.min(n_right);
        let differing = memo.find(first, other, n_whole, |k, n_runs| {
            let differs = |k: &usize| {
                // A run that does not exist does not equal any run.
                let runs = left.range(first.saturating_add(*k)).zip(right.range(other.saturating_add(*k)));
                runs.is_none_or(|(run, other)| {
                    run.len() != other.len() || node.find_encoded(run.start, other.start, 1).is_some()
                })
            };
            (k..k.saturating_add(n_runs)).find(differs).map(|differing| differing - k)
        });
        let n_alike = differing.unwrap_or(n_whole);
        // All earlier runs have the same lengths.
        let runs = left.range(first.saturating_add(n_alike)).zip(right.range(other.saturating_add(n_alike)));
        let Some((run, other)) = runs else { return Some(0) };
        let at = run.start.saturating_sub(i);
        if node.find_encoded(run.start, other.start, 1).is_some() {
            return Some(at);
        }
        let at = at.saturating_add(run.len().min(other.len()));
        (at < n).then_some(at)
    }
}

impl JoinedRuns {
    /// The joined runs of the left side of a node that compares a column with itself.
    fn from_left(node: &mut NodePair) -> JoinedRuns {
        let n_slots = node.left.array.len();
        let Some(runs) = outer_runs(&node.left).cloned() else { return JoinedRuns { ends: vec![n_slots] } };
        let mut ends: Vec<usize> = Vec::new();
        let mut start = 0;
        let mut run = runs.run_of(0);
        while let Some(end) = run.and_then(|run| runs.end_of(run)).filter(|end| *end > start) {
            let is_new = start == 0 || node.find_encoded(start - 1, start, 1).is_some();
            match ends.last_mut() {
                Some(last) if !is_new => *last = end,
                _ => ends.push(end),
            }
            (start, run) = (end, run.and_then(|run| run.checked_add(1)));
        }
        JoinedRuns { ends }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use arrow_buffer::{Bitmap, Buffer};
    use arrow_schema::{DataType, RunEndType};
    use proptest::prelude::*;

    use super::*;
    use crate::{ArrayData, ArrayParts};

    /// Runs of numbers and nulls of these lengths, without the first `n_skipped` slots.
    fn runs(of: &[(Option<u8>, usize)], n_skipped: usize) -> ArrayData {
        let ends = of.iter().scan(0, |end, (_, n_slots)| {
            *end += *n_slots as i64;
            Some(*end)
        });
        let ends: Vec<i64> = ends.collect();
        let n_slots = ends.last().map_or(0, |end| *end as usize);
        let number = |data_type: DataType, buffer: Buffer, validity| {
            let parts = ArrayParts {
                buffers: [buffer, Buffer::new()],
                validity,
                ..ArrayParts::new(data_type, of.len())
            };
            ArrayData::try_new(parts).unwrap()
        };
        let validity = of.iter().map(|(value, _)| value.is_some()).collect::<Bitmap>();
        let values: Vec<u8> = of.iter().map(|(value, _)| value.unwrap_or(9)).collect();
        let values = number(DataType::UInt8, Buffer::from(values), Some(validity));
        let children: Arc<[ArrayData]> =
            Arc::new([number(DataType::Int64, Buffer::from(ends), None), values]);
        let data_type = DataType::run_end_encoded(RunEndType::Int64, DataType::UInt8);
        let parts = ArrayParts { children: Some(children), ..ArrayParts::new(data_type, n_slots) };
        let array = ArrayData::try_new(parts).unwrap();
        array.slice(n_skipped.min(n_slots), n_slots - n_skipped.min(n_slots))
    }

    fn slots(of: &[(Option<u8>, usize)], n_skipped: usize) -> Vec<Option<u8>> {
        of.iter().flat_map(|(value, n_slots)| std::iter::repeat_n(*value, *n_slots)).skip(n_skipped).collect()
    }

    fn node(left: ArrayData, right: ArrayData) -> Box<NodePair> {
        NodePair::try_new(Box::new(CheckedPair(left, right)), FieldNames::Matter, ChildReferences::Repeated)
            .unwrap()
    }

    fn some_runs() -> impl Strategy<Value = (Vec<(Option<u8>, usize)>, usize)> {
        let value = prop::option::weighted(0.8, 0..3_u8);
        (prop::collection::vec((value, 1..4_usize), 1..30), 0..4_usize)
    }

    proptest! {
        /// Comparison gives the same answer as comparing slot by slot, before and after runs are joined.
        #[test]
        fn agrees_with_comparing_slots(
            (left, n_skipped) in some_runs(),
            other in prop::option::of(some_runs()),
            changed in 0..60_usize,
            ranges in prop::collection::vec((0..90_usize, 0..90_usize, 0..90_usize), 1..150),
        ) {
            let (right, n_right_skipped) = other.unwrap_or_else(|| {
                // Makes a copy of the left side in which some runs are cut in two, and changes it a little.
                let cut = left.iter().flat_map(|(value, n_slots)| [(*value, 1), (*value, n_slots - 1)]);
                let mut cut: Vec<(Option<u8>, usize)> = cut.filter(|(_, n_slots)| *n_slots > 0).collect();
                if let Some((value, _)) = cut.get_mut(changed) {
                    *value = Some(7);
                }
                (cut, 0)
            });
            let (lefts, rights) = (slots(&left, n_skipped), slots(&right, n_right_skipped));
            prop_assume!(!lefts.is_empty() && !rights.is_empty());
            let mut node = node(runs(&left, n_skipped), runs(&right, n_right_skipped));
            for (i, j, n) in ranges {
                let (i, j) = (i % lefts.len(), j % rights.len());
                let n = n.min(lefts.len() - i).min(rights.len() - j);
                let naive = (0..n).find(|k| lefts[i + k] != rights[j + k]);
                prop_assert_eq!(node.find(i, j, n), naive, "{} {} {}", i, j, n);
            }
        }

        /// Also if both sides are in the same memory, and one of them is shorter.
        #[test]
        fn slices_of_the_same_runs_agree_with_comparing_slots(
            (of, n_skipped) in some_runs(),
            n_left in 1..90_usize,
            n_right in 1..90_usize,
            ranges in prop::collection::vec((0..90_usize, 0..90_usize, 0..90_usize), 1..150),
        ) {
            let all = slots(&of, n_skipped);
            prop_assume!(!all.is_empty());
            let (n_left, n_right) = (n_left.min(all.len()), n_right.min(all.len()));
            let array = runs(&of, n_skipped);
            let mut node = node(array.slice(0, n_left), array.slice(0, n_right));
            for (i, j, n) in ranges {
                let (i, j) = (i % n_left, j % n_right);
                let n = n.min(n_left - i).min(n_right - j);
                let naive = (0..n).find(|k| all[i + k] != all[j + k]);
                prop_assert_eq!(node.find(i, j, n), naive, "{} {} {}", i, j, n);
            }
        }
    }
}
