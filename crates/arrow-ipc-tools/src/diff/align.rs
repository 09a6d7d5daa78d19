//! Finds where the rows of both sides are equal again, after rows were added or removed.

use std::collections::HashMap;

use arrow_select::{SelectError, ValueHasher};

use super::{difference::Side, fields::ColumnPair, side::SideRows};
use crate::rows::row_keys::KeyReader;

/// The limits of a search on each side: the number of rows, and the bytes of their values.
const MAX_LOOKAHEAD_ROWS: usize = 1 << 14;
const MAX_LOOKAHEAD_BYTES: usize = 16 << 20;

/// The number of rows that are searched first. The search quadruples this number until it has found the nearest equal
/// rows.
const FIRST_LOOKAHEAD_ROWS: usize = 64;

/// Rows are equal again if this number of consecutive rows is equal, or all rows up to the end of both sides.
const N_SAME: usize = 8;

/// For each row, the number of rows with the same hash that are tried as its pair.
const N_TRIED: usize = 8;

/// Rows that only one side has, and the number of rows before them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Shift {
    /// The number of rows before the rows that only one side has. They are paired and compared, although they differ.
    pub(super) n_before: usize,
    pub(super) side: Side,
    pub(super) n_rows: usize,
}

/// Finds shifts by the hashes of rows. Different rows with equal hashes are still reported, because paired rows are
/// compared.
#[derive(Debug)]
pub(super) struct Aligner {
    hasher: ValueHasher,
    /// The positions of the columns whose values are hashed.
    columns: [Vec<usize>; 2],
    /// The first row of A after the last search that found no shift.
    next: u64,
}

impl Aligner {
    /// Values that are equal within a tolerance have different hashes, so their columns are left out.
    pub(super) fn new(pairs: &[ColumnPair], tolerance: Option<f64>) -> Aligner {
        let hashed = || pairs.iter().filter(|pair| tolerance.is_none() || !pair.has_floats());
        let columns = [hashed().map(|pair| pair.a).collect(), hashed().map(|pair| pair.b).collect()];
        Aligner { hasher: ValueHasher::default(), columns, next: 0 }
    }

    /// The next shift at or after the different rows `at` of the current batches. The result does not depend on batch
    /// boundaries. `row` is the number of the row in A. After a search without a result, the same rows are not
    /// searched again.
    pub(super) fn shift(&mut self, [a, b]: [&mut SideRows; 2], at: [usize; 2], row: u64) -> Option<Shift> {
        if row < self.next {
            return None;
        }
        let [columns_a, columns_b] = &self.columns;
        let mut in_a = RowHashes::default();
        let mut in_b = RowHashes::default();
        let mut n_lookahead = FIRST_LOOKAHEAD_ROWS;
        let shift = loop {
            // If rows cannot be read, there is no shift. The comparison fails with the error when it reads these rows.
            in_a.extend(a, at[0], columns_a, &self.hasher, n_lookahead).ok()?;
            in_b.extend(b, at[1], columns_b, &self.hasher, n_lookahead).ok()?;
            if a.has_failed() || b.has_failed() {
                // The comparison ends at the unreadable rows, so no more searches are needed.
                self.next = u64::MAX;
                return None;
            }
            let shift = shift_of(&in_a.hashes, &in_b.hashes);
            let n_seen = shift.n_before.saturating_mul(2).saturating_add(shift.n_rows);
            let are_all = in_a.hashes.len() < n_lookahead && in_b.hashes.len() < n_lookahead
                || n_lookahead >= MAX_LOOKAHEAD_ROWS;
            if are_all || n_seen.saturating_add(N_SAME) <= n_lookahead {
                break shift;
            }
            n_lookahead *= 4;
        };
        let n_seen = match shift {
            // The next rows are equal in the columns that are hashed, and a search at one of them would find this again, as
            // long as `N_SAME` such rows follow.
            Shift { n_rows: 0, n_before, .. } => {
                let [rest_a, rest_b] =
                    [&in_a, &in_b].map(|rows| rows.hashes.get(n_before..).unwrap_or_default());
                let n_same = rest_a.iter().zip(rest_b).take_while(|(a, b)| a == b).count();
                n_before.saturating_add(n_same.saturating_sub(N_SAME - 1))
            }
            Shift { n_before, side: Side::A, n_rows } => n_before.saturating_add(n_rows),
            Shift { n_before, side: Side::B, .. } => n_before,
        };
        self.next = row.saturating_add(n_seen as u64);
        (shift.n_rows > 0).then_some(shift)
    }
}

/// The hashes of consecutive rows of one side.
#[derive(Debug, Default)]
struct RowHashes {
    hashes: Vec<u64>,
    n_bytes: usize,
}

impl RowHashes {
    /// Adds the hashes of rows, from row `start` on, until there are `n_rows`. Stops earlier at the end of the input,
    /// or if the values are long.
    fn extend(
        &mut self,
        side: &mut SideRows,
        start: usize,
        columns: &[usize],
        hasher: &ValueHasher,
        n_rows: usize,
    ) -> Result<(), SelectError> {
        /// The approximate memory of a column of a batch, beyond its values.
        const COLUMN_BYTES: usize = 64;
        let mut key = Vec::new();
        while self.hashes.len() < n_rows && self.n_bytes < MAX_LOOKAHEAD_BYTES {
            let Some((batch, first)) = side.upcoming(start.saturating_add(self.hashes.len())) else { break };
            let n_hashed = (n_rows - self.hashes.len()).min(batch.n_rows() - first);
            let rows = batch.project(columns)?.slice(first, n_hashed);
            let mut reader = KeyReader::try_new(&rows)?;
            for row in 0..n_hashed {
                reader.read(row, &mut key)?;
                self.hashes.push(hasher.written(&key));
                let n_bytes = columns.len().saturating_mul(COLUMN_BYTES).saturating_add(key.len());
                self.n_bytes = self.n_bytes.saturating_add(n_bytes);
                if self.n_bytes >= MAX_LOOKAHEAD_BYTES {
                    break;
                }
            }
        }
        Ok(())
    }
}

/// For two lists that begin with different rows, the shift to the equal rows that skips the fewest rows. If no rows
/// are equal, the result compares all rows in pairs.
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
        // Rows that both sides skip are compared in pairs. The remaining rows of the longer side are the shift.
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

/// Whether both lists begin with the same hashes, for `N_SAME` rows or up to the end of both lists.
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
