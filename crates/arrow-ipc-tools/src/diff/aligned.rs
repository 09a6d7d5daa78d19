//! Finds the position at which rows are equal again, after some rows were added or removed.

use std::collections::HashMap;

use arrow_data::{DataError, ValueHasher};

use super::{difference::Side, fields::ColumnPair, side::SideRows};
use crate::row_keys::KeyReader;

/// The number of rows of each side that are searched, and the maximal number of bytes of their values. If the values
/// have more bytes, fewer rows are searched.
const N_AHEAD: usize = 1 << 14;
const AHEAD_BYTES: usize = 16 << 20;

/// The number of rows that are searched first. The number grows until the nearest equal rows have been found.
const FIRST_AHEAD: usize = 64;

/// The number of consecutive rows that must be equal, or fewer if both sides end after these rows.
const N_SAME: usize = 8;

/// The number of rows with the same hash that are tried as the start of equal rows.
const N_TRIED: usize = 8;

/// Rows that only one side has, and the compared rows before them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Shift {
    /// The number of rows before the rows that only one side has. These rows are paired and compared, although they
    /// differ.
    pub(super) n_before: usize,
    pub(super) side: Side,
    pub(super) n_rows: usize,
}

/// Finds shifts. Rows of equal hashes but different values are still reported as different, because paired rows are
/// compared.
#[derive(Debug, Default)]
pub(super) struct Aligner {
    hasher: ValueHasher,
    /// The first row of A after the rows that were searched without a result.
    next: u64,
}

impl Aligner {
    /// The next shift, from the rows `at` of the current batches on, which differ. The result does not depend on the
    /// batch boundaries. `row` is the number of the row in A. If no shift is found, the searched rows are not searched
    /// again.
    pub(super) fn shift(
        &mut self,
        [a, b]: [&mut SideRows; 2],
        at: [usize; 2],
        pairs: &[ColumnPair],
        row: u64,
    ) -> Option<Shift> {
        if row < self.next {
            return None;
        }
        let of_a: Vec<usize> = pairs.iter().map(|pair| pair.a).collect();
        let of_b: Vec<usize> = pairs.iter().map(|pair| pair.b).collect();
        let (mut in_a, mut in_b) = (RowHashes::default(), RowHashes::default());
        let mut n_ahead = FIRST_AHEAD;
        let shift = loop {
            // If rows cannot be read, there is no shift. The comparison reports the error when it reads the same rows.
            in_a.extend(a, at[0], &of_a, &self.hasher, n_ahead).ok()?;
            in_b.extend(b, at[1], &of_b, &self.hasher, n_ahead).ok()?;
            if a.has_failed() || b.has_failed() {
                // The comparison ends at the rows that cannot be read, so no more shifts are searched.
                self.next = u64::MAX;
                return None;
            }
            let shift = shift_of(&in_a.hashes, &in_b.hashes);
            let n_seen = shift.n_before.saturating_mul(2).saturating_add(shift.n_rows);
            let are_all = in_a.hashes.len() < n_ahead && in_b.hashes.len() < n_ahead || n_ahead >= N_AHEAD;
            if are_all || n_seen.saturating_add(N_SAME) <= n_ahead {
                break shift;
            }
            n_ahead *= 4;
        };
        let n_seen = match shift {
            Shift { n_rows: 0, n_before, .. } => n_before,
            Shift { n_before, side: Side::A, n_rows } => n_before.saturating_add(n_rows),
            Shift { n_before, side: Side::B, .. } => n_before,
        };
        self.next = row.saturating_add(n_seen as u64);
        (shift.n_rows > 0).then_some(shift)
    }
}

/// The hashes of rows of one side.
#[derive(Debug, Default)]
struct RowHashes {
    hashes: Vec<u64>,
    n_bytes: usize,
}

impl RowHashes {
    /// Adds rows from `start` on, up to `n_rows`. It adds fewer rows at the end of the input, and if the values are long.
    fn extend(
        &mut self,
        side: &mut SideRows,
        start: usize,
        columns: &[usize],
        hasher: &ValueHasher,
        n_rows: usize,
    ) -> Result<(), DataError> {
        /// The approximate number of bytes that a column of a batch takes in addition to its values.
        const COLUMN_BYTES: usize = 64;
        let mut key = Vec::new();
        while self.hashes.len() < n_rows && self.n_bytes < AHEAD_BYTES {
            let Some((batch, first)) = side.upcoming(start.saturating_add(self.hashes.len())) else { break };
            let n_wanted = (n_rows - self.hashes.len()).min(batch.n_rows() - first);
            let rows = batch.project(columns)?.slice(first, n_wanted);
            let mut reader = KeyReader::try_new(&rows)?;
            for row in 0..n_wanted {
                reader.read(row, &mut key)?;
                self.hashes.push(hasher.written(&key));
                let n_bytes = columns.len().saturating_mul(COLUMN_BYTES).saturating_add(key.len());
                self.n_bytes = self.n_bytes.saturating_add(n_bytes);
                if self.n_bytes >= AHEAD_BYTES {
                    break;
                }
            }
        }
        Ok(())
    }
}

/// The shift to equal rows that skips the fewest rows, for two lists whose first rows differ. If no equal rows are
/// found, the result is a shift that compares all rows.
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
        // Skipped rows of both sides are compared in pairs. The remaining rows of the longer side are the shift.
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

/// Whether the next hashes in both lists are equal, for `N_SAME` rows or up to the ends of both lists.
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
            // One row was added, or three rows were removed.
            (count(5..30), [vec![99], count(5..30)].concat(), of(0, Side::B, 1)),
            ([vec![97, 98, 99], count(5..30)].concat(), count(5..30), of(0, Side::A, 3)),
            // One row was changed; or two rows were changed and one was added.
            ([vec![98], count(5..30)].concat(), [vec![99], count(5..30)].concat(), of(1, Side::B, 0)),
            (
                [vec![97, 98], count(5..30)].concat(),
                [vec![90, 91, 92], count(5..30)].concat(),
                of(2, Side::B, 1),
            ),
            // The equal rows reach to the ends of both lists.
            (vec![1, 2], vec![9, 1, 2], of(0, Side::B, 1)),
            (vec![1, 2], vec![3, 1], of(2, Side::B, 0)),
            (vec![1], vec![], of(1, Side::B, 0)),
            // No rows are equal.
            (count(0..50), count(50..90), of(50, Side::B, 0)),
        ];
        for (a, b, expected) in cases {
            let found = shift_of(&a, &b);
            let is_same = found == expected || found.n_rows == 0 && expected.n_rows == 0;
            assert!(is_same && found.n_before == expected.n_before, "{a:?} {b:?}: {found:?}");
        }
    }
}
