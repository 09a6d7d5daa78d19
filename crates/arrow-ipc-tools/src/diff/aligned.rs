//! Finds where rows are equal again, after some rows were added or removed.

use std::collections::HashMap;

use arrow_data::{DataError, RecordBatch, ValueHasher};

use super::{difference::Side, fields::Pair};
use crate::row_keys::KeyReader;

/// How many rows of each side are searched.
const N_AHEAD: usize = 1024;

/// How many rows must be equal, unless both sides end before.
const N_SAME: usize = 8;

/// How many rows with the same hash are tried as the start of equal rows.
const N_TRIED: usize = 8;

/// Rows that only one side has, and the compared rows before them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Shift {
    /// The rows before them, which are compared although they differ.
    pub(super) n_before: usize,
    pub(super) side: Side,
    pub(super) n_rows: usize,
}

/// Finds shifts. A wrong shift causes no wrong result, since paired rows are compared.
#[derive(Debug, Default)]
pub(super) struct Aligner {
    hasher: ValueHasher,
    /// The first row of A that has not been searched without a result.
    next: u64,
}

impl Aligner {
    /// The next shift from these rows of A and B on, which differ. `row` is the number of the first row. Each row is searched
    /// once.
    pub(super) fn shift(
        &mut self,
        batches: [&RecordBatch; 2],
        at: [usize; 2],
        pairs: &[Pair],
        row: u64,
    ) -> Option<Shift> {
        if row < self.next {
            return None;
        }
        let [a, b] = batches;
        let of_a = self.hashes(a, at[0], pairs.iter().map(|pair| pair.a).collect());
        let of_b = self.hashes(b, at[1], pairs.iter().map(|pair| pair.b).collect());
        // The comparison reports rows that cannot be read.
        let (of_a, of_b) = (of_a.ok()?, of_b.ok()?);
        let shift = shift_of(&of_a, &of_b);
        let n_seen = match shift {
            Shift { n_rows: 0, n_before, .. } => n_before,
            Shift { n_before, side: Side::A, n_rows } => n_before.saturating_add(n_rows),
            Shift { n_before, side: Side::B, .. } => n_before,
        };
        self.next = row.saturating_add(n_seen as u64);
        (shift.n_rows > 0).then_some(shift)
    }

    /// The hashes of the next rows in these columns.
    fn hashes(&self, batch: &RecordBatch, start: usize, columns: Vec<usize>) -> Result<Vec<u64>, DataError> {
        let n_rows = batch.n_rows().saturating_sub(start).min(N_AHEAD);
        let rows = batch.project(&columns)?.slice(start, n_rows);
        let (mut reader, mut key) = (KeyReader::try_new(&rows)?, Vec::new());
        let hash = |row| reader.read(row, &mut key).map(|_| self.hasher.written(&key));
        (0..n_rows).map(hash).collect()
    }
}

/// The shift to equal rows that skips the fewest rows, for two lists whose first rows differ. If none is found, all rows are
/// compared.
fn shift_of(a: &[u64], b: &[u64]) -> Shift {
    let mut in_b: HashMap<u64, Vec<usize>> = HashMap::new();
    for (position, hash) in b.iter().enumerate() {
        let positions = in_b.entry(*hash).or_default();
        if positions.len() < N_TRIED {
            positions.push(position);
        }
    }
    let mut best = [a.len().max(1); 2];
    for (in_a, hash) in a.iter().enumerate() {
        if in_a >= best[0] + best[1] {
            break;
        }
        // If both sides have the same number of rows, no row is skipped.
        let found = in_b.get(hash).into_iter().flatten().copied().chain([in_a]);
        for in_b in found.filter(|in_b| goes_on(&a[in_a..], b.get(*in_b..).unwrap_or_default())) {
            let is_closer =
                (in_a + in_b, in_a.abs_diff(in_b)) < (best[0] + best[1], best[0].abs_diff(best[1]));
            if is_closer {
                best = [in_a, in_b];
            }
        }
    }
    let [in_a, in_b] = best;
    let side = if in_a > in_b { Side::A } else { Side::B };
    Shift { n_before: in_a.min(in_b), side, n_rows: in_a.abs_diff(in_b) }
}

/// Whether both lists are the same for long enough, or to the ends of both.
fn goes_on(a: &[u64], b: &[u64]) -> bool {
    let n_same = a.iter().zip(b).take(N_SAME).take_while(|(a, b)| a == b).count();
    n_same == N_SAME || n_same > 0 && n_same == a.len() && n_same == b.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_fewest_rows_are_left_out() {
        let count = |range: std::ops::Range<u64>| range.collect::<Vec<u64>>();
        let of = |n_before, side, n_rows| Shift { n_before, side, n_rows };
        let cases = [
            // A row was added, or three removed.
            (count(5..30), [vec![99], count(5..30)].concat(), of(0, Side::B, 1)),
            ([vec![97, 98, 99], count(5..30)].concat(), count(5..30), of(0, Side::A, 3)),
            // A row was changed; two changed, and one added.
            ([vec![98], count(5..30)].concat(), [vec![99], count(5..30)].concat(), of(1, Side::B, 0)),
            (
                [vec![97, 98], count(5..30)].concat(),
                [vec![90, 91, 92], count(5..30)].concat(),
                of(2, Side::B, 1),
            ),
            // To the ends.
            (vec![1, 2], vec![9, 1, 2], of(0, Side::B, 1)),
            (vec![1, 2], vec![3, 1], of(2, Side::B, 0)),
            (vec![1], vec![], of(1, Side::B, 0)),
            // Nothing goes on.
            (count(0..50), count(50..90), of(50, Side::B, 0)),
        ];
        for (a, b, expected) in cases {
            let found = shift_of(&a, &b);
            let is_same = found == expected || found.n_rows == 0 && expected.n_rows == 0;
            assert!(is_same && found.n_before == expected.n_before, "{a:?} {b:?}: {found:?}");
        }
    }
}
