//! The common order of the values of ordered dictionaries.

use std::{collections::HashSet, sync::Arc};

use arrow_buffer::BudgetError;
use arrow_data::{ArrayData, DataError, DataErrorKind};
use arrow_schema::visit as work;
use arrow_select::{Insertion, ValueReader, ValueTable};

use crate::dictionary::write::recent::RecentDictionaries;
use crate::error::{DictionaryValue, IpcError, IpcErrorKind, Result};
use arrow_ipc_format::Limits;

/// Collects ordered dictionaries, and finds the only order that agrees with all of them.
///
/// A value comes before another one if a dictionary says so, or if several dictionaries together do: if A is before B in
/// one dictionary and B before C in another, then A is before C.
#[derive(Debug, Default)]
pub(super) struct ValueOrder {
    /// Each distinct value.
    values: ValueTable,
    /// AdjacentPair in a dictionary, by their positions in `values`.
    pairs: Vec<AdjacentPair>,
    known: HashSet<AdjacentPair>,
    recent: RecentDictionaries<()>,
    /// The lengths of `values` and `pairs` at the last commit.
    committed: (usize, usize),
}

/// The first value directly precedes the second one in some dictionary.
type AdjacentPair = (u32, u32);

impl ValueOrder {
    /// Adds the order of the values of a dictionary.
    ///
    /// # Errors
    /// If the values are invalid. If there are too many values, or too many different pairs of neighbours.
    pub(super) fn observe(&mut self, values: &Arc<ArrayData>) -> Result<()> {
        if self.recent.recall(values).is_some() {
            return Ok(());
        }
        let mut reader = ValueReader::try_new(values)?;
        let mut last = None;
        for slot in 0..reader.n_slots() {
            let (Insertion::Known(position) | Insertion::New(position)) =
                self.values.insert(&mut reader, slot)?;
            let next = Limits::fit("values of an ordered dictionary", position as u64, u32::MAX.into())?;
            if let Some(last) = last.filter(|last| *last != next) {
                self.add((last, next))?;
            }
            last = Some(next);
        }
        self.recent.remember(values, ());
        Ok(())
    }

    fn add(&mut self, pair: AdjacentPair) -> Result<()> {
        const MORE_PAIRS: usize = 1 << 20;
        work(1);
        if self.known.contains(&pair) {
            return Ok(());
        }
        let limit = (4 * self.values.len() + MORE_PAIRS) as u64;
        Limits::check("pairs of values of ordered dictionaries", self.pairs.len() as u64, limit)?;
        let is_there = self.pairs.try_reserve(1).is_ok() && self.known.try_reserve(1).is_ok();
        if !is_there {
            let requested = (self.pairs.len() * size_of::<[AdjacentPair; 4]>()) as u64;
            let kind = DataErrorKind::Memory(BudgetError::OutOfMemory { requested });
            return Err(DataError::from(kind).into());
        }
        self.known.insert(pair);
        self.pairs.push(pair);
        Ok(())
    }

    /// The numbers of distinct values and of pairs of neighbours.
    #[cfg(test)]
    pub(super) fn counts(&self) -> (usize, usize) {
        (self.values.len(), self.pairs.len())
    }

    /// Keeps what was added since the last commit.
    pub(super) fn commit(&mut self) {
        self.committed = (self.values.len(), self.pairs.len());
    }

    /// Removes what was added since the last commit.
    pub(super) fn forget(&mut self) {
        let (n_values, n_pairs) = self.committed;
        if (self.values.len(), self.pairs.len()) == self.committed {
            return;
        }
        for pair in self.pairs.drain(n_pairs..) {
            self.known.remove(&pair);
        }
        self.values.truncate(n_values);
        self.recent.clear();
    }

    /// The slots of `values` in the common order; `None` if they already have this order.
    ///
    /// # Errors
    /// If two dictionaries have values in opposite orders. If the order of two of the values does not follow from the
    /// dictionaries. The error has the `id` and two values.
    pub(super) fn sort(&mut self, id: i64, values: &ArrayData) -> Result<Option<Vec<usize>>> {
        let mut reader = ValueReader::try_new(values)?;
        let mut positions = Vec::with_capacity(values.len());
        for slot in 0..values.len() {
            let (Insertion::Known(position) | Insertion::New(position)) =
                self.values.insert(&mut reader, slot)?;
            positions.push(position);
        }
        let graph = ValueGraph::new(&self.pairs, self.values.len());
        let shown = |(first, second): AdjacentPair| {
            let value_of = |bytes| DictionaryValue::from_bytes(bytes, values.data_type());
            let shown = |position: u32| {
                let other = || DictionaryValue::OfType(values.data_type().clone());
                self.values.bytes(position as usize).map_or_else(other, value_of)
            };
            Box::new([shown(first), shown(second)])
        };
        let sorted = graph.sorted();
        if sorted.len() < self.values.len() {
            let pair = self.contradiction(&sorted)?;
            return Err(IpcErrorKind::OppositeOrders { id, values: shown(pair) }.into());
        }
        let mut is_selected = vec![false; self.values.len()];
        positions.iter().for_each(|position| is_selected[*position] = true);
        if let Some(pair) = graph.unordered(&sorted, &is_selected) {
            return Err(IpcErrorKind::UnknownOrder { id, values: shown(pair) }.into());
        }
        let mut rank = vec![0; self.values.len()];
        sorted.iter().enumerate().for_each(|(order, position)| rank[*position as usize] = order);
        let rank_of = |slot: &usize| rank[positions[*slot]];
        let mut slots: Vec<usize> = (0..values.len()).collect();
        if slots.is_sorted_by_key(rank_of) {
            return Ok(None);
        }
        slots.sort_by_key(rank_of);
        Ok(Some(slots))
    }

    /// Two neighbours of one dictionary that have the opposite order in another dictionary, or by several others. `sorted`
    /// does not have all values.
    fn contradiction(&self, sorted: &[u32]) -> Result<AdjacentPair> {
        let opposite = self.pairs.iter().find(|(first, second)| self.known.contains(&(*second, *first)));
        if let Some(pair) = opposite {
            return Ok(*pair);
        }
        let mut is_sorted = vec![false; self.values.len()];
        sorted.iter().for_each(|position| is_sorted[*position as usize] = true);
        // Each value that is not sorted has a value before it that is not sorted either. Going back from any of them ends in a
        // circle.
        let mut before: Vec<Option<u32>> = vec![None; self.values.len()];
        for (first, second) in self.pairs.iter().filter(|(first, _)| !is_sorted[*first as usize]) {
            before[*second as usize] = Some(*first);
        }
        let previous = |at: u32| before[at as usize].map(|previous| (previous, at));
        let mut pair = (0..self.values.len() as u32).filter(|at| !is_sorted[*at as usize]).find_map(previous);
        for _ in 0..self.values.len() {
            pair = pair.and_then(|(first, _)| previous(first));
        }
        pair.ok_or_else(|| IpcError::internal("the contradictory orders have no cycle"))
    }
}

/// The pairs by their first value.
struct ValueGraph {
    /// Where the values that follow each value begin in `after`, and the end.
    starts: Vec<usize>,
    after: Vec<u32>,
}

impl ValueGraph {
    fn new(pairs: &[AdjacentPair], n_values: usize) -> ValueGraph {
        let mut starts = vec![0; n_values + 1];
        pairs.iter().for_each(|(first, _)| starts[*first as usize + 1] += 1);
        for idx in 1..starts.len() {
            starts[idx] += starts[idx - 1];
        }
        let mut next = starts.clone();
        let mut after = vec![0; pairs.len()];
        for (first, second) in pairs {
            let idx = &mut next[*first as usize];
            after[*idx] = *second;
            *idx += 1;
        }
        ValueGraph { starts, after }
    }

    fn after(&self, position: u32) -> &[u32] {
        let position = position as usize;
        &self.after[self.starts[position]..self.starts[position + 1]]
    }

    /// The values so that each comes after all values that precede it. Values in a circle, and those after it, are missing.
    fn sorted(&self) -> Vec<u32> {
        let n_values = self.starts.len() - 1;
        let mut n_before = vec![0_usize; n_values];
        self.after.iter().for_each(|position| n_before[*position as usize] += 1);
        let is_first = |position: &u32| n_before[*position as usize] == 0;
        let mut sorted: Vec<u32> = (0..n_values as u32).filter(is_first).collect();
        let mut idx = 0;
        while let Some(position) = sorted.get(idx).copied() {
            for next in self.after(position) {
                n_before[*next as usize] -= 1;
                if n_before[*next as usize] == 0 {
                    sorted.push(*next);
                }
            }
            idx += 1;
        }
        sorted
    }

    /// Two selected values of which neither precedes the other; `None` if there is only one order of the selected values.
    fn unordered(&self, sorted: &[u32], is_selected: &[bool]) -> Option<AdjacentPair> {
        // The last selected value that precedes each value. Values are visited in order, so it is enough to compare with the
        // selected value before.
        let mut last = None;
        let mut precedes = vec![None; is_selected.len()];
        for position in sorted.iter().copied() {
            if is_selected[position as usize] {
                if let Some(last) = last.filter(|last| precedes[position as usize] != Some(*last)) {
                    return Some((last, position));
                }
                (last, precedes[position as usize]) = (Some(position), Some(position));
            }
            if last.is_some() && precedes[position as usize] == last {
                self.after(position).iter().for_each(|next| precedes[*next as usize] = last);
            }
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use testing_support::{Rng, ints};

    use super::*;

    /// The numbers in their only order. Compares each pair by all paths.
    fn oracle(dictionaries: &[Vec<i32>], selected: &[i32]) -> std::result::Result<Vec<i32>, &'static str> {
        let mut precedes = [[false; 8]; 8];
        for pair in dictionaries.iter().flat_map(|dictionary| dictionary.windows(2)) {
            precedes[pair[0] as usize][pair[1] as usize] = pair[0] != pair[1];
        }
        for _ in 0..8 {
            for (a, b, c) in (0..512).map(|k| (k / 64, k / 8 % 8, k % 8)) {
                precedes[a][c] |= precedes[a][b] && precedes[b][c];
            }
        }
        if (0..8).any(|a| precedes[a][a]) {
            return Err("opposite");
        }
        let is_before = |a: i32, b: i32| precedes[a as usize][b as usize];
        let mut pairs = selected.iter().flat_map(|a| selected.iter().map(move |b| (*a, *b)));
        if pairs.any(|(a, b)| a != b && !is_before(a, b) && !is_before(b, a)) {
            return Err("unknown");
        }
        let mut sorted = selected.to_vec();
        sorted.sort_by_key(|a| selected.iter().filter(|b| is_before(**b, *a)).count());
        Ok(sorted)
    }

    fn subset(rng: &mut Rng, of: &[i32], n: usize) -> Vec<i32> {
        let mut some: Vec<(usize, i32)> =
            (0..n).map(|_| rng.below(of.len())).map(|idx| (idx, of[idx])).collect();
        some.sort_unstable();
        some.dedup();
        some.into_iter().map(|(_, number)| number).collect()
    }

    #[test]
    fn agrees_with_all_paths() {
        let mut n_of = [0; 3];
        for seed in 0..3000 {
            let mut rng = Rng::new(seed);
            let mut all: Vec<i32> = (0..8).collect();
            (0..8).for_each(|k| all.swap(k, rng.below(8)));
            let mut order = ValueOrder::default();
            let mut dictionaries = Vec::new();
            for _ in 0..1 + rng.below(6) {
                let n = 1 + rng.below(8);
                let mut numbers = subset(&mut rng, &all, n);
                if rng.one_in(20) {
                    numbers.reverse();
                }
                order.observe(&Arc::new(ints(numbers.iter().copied()))).unwrap();
                if rng.one_in(4) {
                    order.forget();
                } else {
                    order.commit();
                    dictionaries.push(numbers);
                }
            }
            let n = 1 + rng.below(4);
            let mut selected = subset(&mut rng, &all, n);
            selected.retain(|number| dictionaries.iter().flatten().any(|known| known == number));
            let found = order.sort(0, &ints(selected.iter().copied()));
            let found = found.map(|slots| {
                slots.map_or(selected.clone(), |slots| slots.into_iter().map(|slot| selected[slot]).collect())
            });
            let found = found.map_err(|error| {
                let is_unknown = matches!(error.kind(), IpcErrorKind::UnknownOrder { .. });
                assert!(is_unknown || matches!(error.kind(), IpcErrorKind::OppositeOrders { .. }), "{error}");
                if is_unknown { "unknown" } else { "opposite" }
            });
            n_of[found.as_ref().map_or_else(|error| 1 + usize::from(*error == "unknown"), |_| 0)] += 1;
            assert_eq!(found, oracle(&dictionaries, &selected), "{seed}: {dictionaries:?}, {selected:?}");
        }
        assert!(n_of.iter().all(|n| *n > 200), "{n_of:?}");
    }

    /// The two values of an error contradict each other.
    #[test]
    fn circles_are_named() {
        for (dictionaries, pairs) in [
            (vec![vec![1, 2], vec![2, 3], vec![3, 1], vec![0, 1], vec![3, 7]], &[(1, 2), (2, 3), (3, 1)][..]),
            (vec![vec![5, 1, 2], vec![2, 6], vec![6, 5, 9]], &[(5, 1), (1, 2), (2, 6), (6, 5)]),
            (vec![vec![0, 1, 2, 3], vec![2, 1]], &[(1, 2), (2, 1)]),
        ] {
            let mut order = ValueOrder::default();
            for dictionary in dictionaries {
                order.observe(&Arc::new(ints(dictionary))).unwrap();
            }
            let error = order.sort(0, &ints([1])).unwrap_err();
            let IpcErrorKind::OppositeOrders { id: 0, values } = error.kind() else { panic!("{error}") };
            let [DictionaryValue::Number(first), DictionaryValue::Number(second)] = **values else {
                panic!()
            };
            assert!(pairs.contains(&(first as i32, second as i32)), "{error}");
        }
    }

    /// Many different dictionaries cost their values, and pairs that were seen are not stored again.
    #[test]
    fn work_is_in_proportion_to_values() {
        let all: Vec<i32> = (0..1000).collect();
        let mut order = ValueOrder::default();
        for _ in 0..50 {
            order.observe(&Arc::new(ints(all.iter().copied()))).unwrap();
            order.commit();
        }
        assert_eq!(order.counts(), (1000, 999));
        for start in 0..900 {
            order.observe(&Arc::new(ints(all[start..].iter().copied().step_by(100)))).unwrap();
        }
        assert!(order.pairs.len() <= 999 + 900);
        assert!(order.sort(0, &ints(all)).unwrap().is_none());
    }
}
