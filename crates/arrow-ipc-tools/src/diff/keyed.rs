//! Pairs rows by a key, in any order, and compares them.
//!
//! A first pass over both inputs hashes the keys. Rows with equal hashes are paired. A second pass compares the keys
//! and values of each pair, and so detects different keys with equal hashes.

mod index;
mod key_columns;
mod scan;
#[cfg(test)]
mod tests;

use std::collections::HashMap;

use arrow_data::{Comparer, RecordBatch};
use arrow_schema::Field;
use arrow_select::{PairOrder, Select, SelectError};

pub(super) use self::key_columns::open_keys;
use self::{
    index::KeyHasher,
    key_columns::{KeyPath, key_paths, widen_keys},
    scan::{RowPair, RowScan, RowSpan},
};
use super::{
    difference::{Difference, RowLabel, Side},
    fields::ColumnPair,
    reporter::{ComparisonEnd, DiffReporter},
    rows::{
        ColumnComparison, ComparedWindow, DifferenceTally, KeyColumn, KeyNames, ROWS_BETWEEN_PROGRESS,
        RowNames, columns_of,
    },
    side::SideRows,
};
use crate::{
    error::{ToolError, ToolErrorKind},
    observer::Unit,
};

/// The limit for rows of A that are in memory while their pairs are read in the order of B, in bytes.
const BLOCK_BYTES: u64 = 64 << 20;

/// If runs of consecutive rows have fewer rows than this on average, rows are gathered into a new batch and then
/// compared.
const RUN_ROWS: usize = 16;

/// The number of rows that only one side has, which are sorted between two reports of progress.
const MANY_ROWS: usize = 1 << 18;

/// The number of rows that are gathered into one batch.
const N_PAIRED_ROWS: usize = 1 << 12;

/// Reports rows whose keys only one side has, and paired rows that differ. `keys` are the same inputs, opened with
/// only the columns of the key by [`open_keys`].
///
/// # Errors
/// If an input cannot be read or repeats a key, or the report ends the comparison.
pub(super) fn compare_by_key(
    [a, b]: [&mut SideRows; 2],
    keys: &mut [SideRows; 2],
    pairs: &[ColumnPair],
    reporter: &mut DiffReporter<'_>,
) -> Result<(), ComparisonEnd> {
    widen_keys(keys)?;
    let paths = key_paths([&mut *a, &mut *b], keys)?;
    let hasher = KeyHasher::new(reporter.hash_bits);
    let [keys_a, keys_b] = keys;
    let hashes_a = hasher.hashed_keys(keys_a, reporter)?;
    let hashes_b = hasher.hashed_keys(keys_b, reporter)?;
    reporter.summary.n_batches = [keys_a.n_batches(), keys_b.n_batches()];
    reporter.not_compared([keys_a, keys_b])?;
    let scans = [RowScan::new(keys_a, hashes_a.len() as u64), RowScan::new(keys_b, hashes_b.len() as u64)];
    let mut joined = KeyJoin { keys: scans, only: Default::default() };
    let mut row_pairs = joined.pairs([hashes_a, hashes_b], reporter)?;

    let mut compared = PairedRows {
        columns: pairs,
        tolerance: reporter.options.tolerance,
        key: &paths,
        tally: DifferenceTally::new(pairs),
        only: joined.only,
    };
    compared.all([RowScan::new(a, 0), RowScan::new(b, 0)], &mut row_pairs, reporter)?;
    let PairedRows { tally, only, .. } = compared;
    tally.sum_up(pairs, &mut reporter.summary);
    (reporter.summary.is_by_key, reporter.summary.n_only) =
        (true, only.each_ref().map(|rows| rows.len() as u64));
    tally.finish(reporter)?;
    for ((scan, only), side) in joined.keys.iter_mut().zip(&only).zip([Side::A, Side::B]) {
        report_only(scan, only, side, reporter)?;
    }
    Ok(())
}

/// Reports the first rows whose keys only this side has, and the number of further such rows.
fn report_only(
    scan: &mut RowScan<'_>,
    rows: &[u64],
    side: Side,
    reporter: &mut DiffReporter<'_>,
) -> Result<(), ComparisonEnd> {
    let n_shown = usize::try_from(reporter.options.max_rows).unwrap_or(usize::MAX).min(rows.len());
    let mut first = Vec::new();
    for some in rows.chunks(n_shown.max(MANY_ROWS)) {
        first.extend_from_slice(some);
        first.sort_unstable();
        first.truncate(n_shown);
        reporter.same_progress()?;
    }
    for number in first {
        let key = Some(scan.key_name(number)?);
        reporter.difference(Difference::OnlyRow {
            side,
            row: RowLabel { number, in_b: None, key },
            n_rows: 1,
        })?;
        reporter.same_progress()?;
    }
    match rows.len() as u64 {
        0 => Ok(()),
        n_rows => reporter.difference(Difference::OnlyRows { side, n_rows }),
    }
}

struct KeyJoin<'a> {
    keys: [RowScan<'a>; 2],
    /// For each side, the numbers of the rows whose keys the other side lacks.
    only: [Vec<u64>; 2],
}

impl KeyJoin<'_> {
    /// The pairs of rows, in the order of A. The entries of `a` and `b` are a hash and a row number, and both lists
    /// are sorted. The pairs reuse the memory of `a`.
    fn pairs(
        &mut self,
        [mut a, b]: [Vec<[u64; 2]>; 2],
        reporter: &mut DiffReporter<'_>,
    ) -> Result<Vec<RowPair>, ComparisonEnd> {
        for (side, hashed) in [&a, &b].into_iter().enumerate() {
            self.check_repeated(side, hashed, reporter)?;
        }
        let mut i = 0;
        let mut j = 0;
        let mut n_pairs = 0;
        for n_hashes in 0_u64.. {
            if n_hashes.is_multiple_of(ROWS_BETWEEN_PROGRESS) {
                reporter.same_progress()?;
            }
            let in_a = a.get(i..).unwrap_or_default();
            let in_b = b.get(j..).unwrap_or_default();
            let Some(hash) = in_a.first().into_iter().chain(in_b.first()).map(|entry| entry[0]).min() else {
                break;
            };
            let [n_a, n_b] =
                [in_a, in_b].map(|rows| rows.iter().take_while(|entry| entry[0] == hash).count());
            // Each pair uses up at least one row of A, so the list `a` has room for all pairs.
            match (&in_a[..n_a], &in_b[..n_b]) {
                (&[[_, in_a]], &[[_, in_b]]) => {
                    a[n_pairs] = [in_a, in_b];
                    n_pairs += 1;
                }
                ([a], []) => self.only[0].push(a[1]),
                ([], [b]) => self.only[1].push(b[1]),
                (rows_a, rows_b) => {
                    for pair in self.resolved([rows_a, rows_b])? {
                        a[n_pairs] = pair;
                        n_pairs += 1;
                    }
                }
            }
            i += n_a;
            j += n_b;
        }
        a.truncate(n_pairs);
        reporter.sort(&mut a, PairOrder::First)?;
        Ok(a)
    }

    /// Reports the first row of one side whose key an earlier row has. The order of the hashes, which depends on the process, does not
    /// choose it.
    fn check_repeated(
        &mut self,
        side: usize,
        hashed: &[[u64; 2]],
        reporter: &mut DiffReporter<'_>,
    ) -> Result<(), ComparisonEnd> {
        let mut second_rows = Vec::new();
        for some in hashed.chunk_by(|one, next| one[0] == next[0]).filter(|some| some.len() > 1) {
            let mut numbers: Vec<u64> = some.iter().map(|entry| entry[1]).collect();
            numbers.sort_unstable();
            second_rows.push([numbers[1], some[0][0]]);
        }
        reporter.same_progress()?;
        second_rows.sort_unstable();
        for [_, hash] in second_rows {
            let start = hashed.partition_point(|entry| entry[0] < hash);
            let some = hashed[start..].chunk_by(|one, next| one[0] == next[0]).next().unwrap_or_default();
            let mut rows: [&[[u64; 2]]; 2] = Default::default();
            rows[side] = some;
            // Without rows of the other side, this only finds out whether the keys are equal.
            let n_only = self.only[side].len();
            self.resolved(rows)?;
            self.only[side].truncate(n_only);
        }
        Ok(())
    }

    /// Pairs rows of equal hashes by their keys, if a side has several rows with this hash.
    #[cold]
    fn resolved(&mut self, rows: [&[[u64; 2]]; 2]) -> Result<Vec<RowPair>, ComparisonEnd> {
        let mut by_key: [HashMap<Vec<u8>, u64>; 2] = Default::default();
        for ((scan, rows), by_key) in self.keys.iter_mut().zip(rows).zip(&mut by_key) {
            let mut numbers: Vec<u64> = rows.iter().map(|entry| entry[1]).collect();
            numbers.sort_unstable();
            for number in numbers {
                if let Some(first) = by_key.insert(scan.key(number)?, number) {
                    let kind =
                        ToolErrorKind::RepeatedKey { key: scan.key_name(number)?, rows: [first, number] };
                    return Err(ToolError::new(scan.side().name().clone(), kind).into());
                }
            }
        }
        let [in_a, mut in_b] = by_key;
        let mut pairs = Vec::new();
        for (key, a) in in_a {
            match in_b.remove(&key) {
                Some(b) => pairs.push([a, b]),
                None => self.only[0].push(a),
            }
        }
        self.only[1].extend(in_b.into_values());
        Ok(pairs)
    }
}

/// Compares paired rows.
struct PairedRows<'a> {
    columns: &'a [ColumnPair],
    tolerance: Option<f64>,
    key: &'a [KeyPath],
    tally: DifferenceTally,
    only: [Vec<u64>; 2],
}

impl PairedRows<'_> {
    fn all(
        &mut self,
        [mut a, mut b]: [RowScan<'_>; 2],
        mut pairs: &mut [RowPair],
        reporter: &mut DiffReporter<'_>,
    ) -> Result<(), ComparisonEnd> {
        let work = (Unit::Rows, Some(pairs.len() as u64));
        let mut n_done = 0;
        reporter.progress(a.side().name(), work, n_done)?;
        // If both sides have their rows in the same order, one batch of each side at a time is enough.
        let max_bytes = if pairs.is_sorted_by_key(|pair| pair[1]) { 0 } else { BLOCK_BYTES };
        while !pairs.is_empty() {
            let (block, n_pairs) = a.block(pairs, max_bytes)?;
            let (mut block_pairs, later) = std::mem::take(&mut pairs).split_at_mut(n_pairs);
            reporter.sort(block_pairs, PairOrder::Second)?;
            while let Some(first) = block_pairs.first() {
                let current = b.seek(first[1])?;
                let n_here = block_pairs.partition_point(|pair| pair[1] < current.end());
                let (here, rest) = block_pairs.split_at_mut(n_here);
                reporter.sort(here, PairOrder::First)?;
                let mut here = &*here;
                for rows in &block {
                    let (pairs_here, others) =
                        here.split_at(here.partition_point(|pair| pair[0] < rows.end()));
                    self.batches([rows, &current], pairs_here, reporter)?;
                    here = others;
                }
                n_done += n_here as u64;
                reporter.progress(a.side().name(), work, n_done)?;
                block_pairs = rest;
            }
            pairs = later;
        }
        Ok(())
    }

    /// Compares the pairs of rows in these batches, in the order of A. Scattered rows are first copied into
    /// consecutive slots, because consecutive rows are compared faster.
    fn batches(
        &mut self,
        [a, b]: [&RowSpan; 2],
        mut pairs: &[RowPair],
        reporter: &mut DiffReporter<'_>,
    ) -> Result<(), ComparisonEnd> {
        let follows = |next: &&[RowPair]| matches!(next, [[a, b], [c, d]] if a + 1 == *c && b + 1 == *d);
        let n_runs = pairs.windows(2).filter(|next| !follows(next)).count();
        // In nested and run-end encoded columns, many rows may refer to one long value, and each copy would repeat it.
        let has_children =
            |rows: &RowSpan| rows.rows.columns().iter().any(|column| !column.children().is_empty());
        if n_runs > pairs.len() / RUN_ROWS && !has_children(a) && !has_children(b) {
            // Each comparison may compare whole dictionaries, so the pairs are divided into at most 16 comparisons.
            for pairs in pairs.chunks(N_PAIRED_ROWS.max(pairs.len() / 16)) {
                let [at_a, at_b]: [Vec<usize>; 2] =
                    pairs.iter().map(|pair| (a.at(pair[0]), b.at(pair[1]))).unzip().into();
                let columns_of_pairs = || self.columns_of(&a.rows.take(&at_a)?, &b.rows.take(&at_b)?);
                let mut columns = columns_of_pairs().map_err(|error| reporter.invalid(error))?;
                self.run(&mut columns, [0, 0], pairs, reporter)?;
            }
            return Ok(());
        }
        let mut columns = None;
        while let Some([first_a, first_b]) = pairs.first() {
            let (run, rest) = pairs.split_at(1 + pairs.windows(2).take_while(follows).count());
            let columns = match &mut columns {
                Some(columns) => columns,
                None => columns
                    .insert(self.columns_of(&a.rows, &b.rows).map_err(|error| reporter.invalid(error))?),
            };
            // Both rows are in these batches, so `at` does not underflow.
            self.run(columns, [a.at(*first_a), b.at(*first_b)], run, reporter)?;
            pairs = rest;
        }
        Ok(())
    }

    fn columns_of(&self, a: &RecordBatch, b: &RecordBatch) -> Result<PairedColumns, SelectError> {
        let mut keys = Vec::new();
        let mut names = KeyNames(Vec::new());
        for KeyPath { path, compared: [in_a, in_b] } in self.key {
            let column = a.at_path(in_a)?;
            let other = b.at_path(in_b)?;
            keys.push(Comparer::try_new(&column, &other)?);
            let field = a.schema().field_by_path(in_a).cloned();
            let field = field.unwrap_or_else(|| Field::new("", column.data_type().clone()));
            names.0.push(KeyColumn { path: path.clone(), field, values: column });
        }
        Ok(PairedColumns { compared: columns_of(self.columns, a, b, self.tolerance)?, keys, names })
    }

    /// Compares pairs of consecutive rows. The first pair is row `at_a` and row `at_b` of the columns.
    fn run(
        &mut self,
        columns: &mut PairedColumns,
        [mut at_a, mut at_b]: [usize; 2],
        mut pairs: &[RowPair],
        reporter: &mut DiffReporter<'_>,
    ) -> Result<(), ComparisonEnd> {
        while !pairs.is_empty() {
            let mut n_same = pairs.len();
            for key in &mut columns.keys {
                let mismatch = key.first_mismatch(at_a..at_a + n_same, at_b);
                n_same = mismatch.map_err(|error| reporter.invalid(error))?.unwrap_or(n_same);
            }
            let (same, others) = pairs.split_at(n_same);
            let names = RowNames::Keys(&columns.names, same);
            let window = ComparedWindow { a: at_a, b: at_b, n_rows: n_same, names };
            self.tally.window(&mut columns.compared, window, &mut |_| None, reporter)?;
            pairs = others;
            // Different keys with equal hashes are not a pair: each of the two rows counts as a row that only one
            // side has.
            if let Some(([a, b], rest)) = others.split_first() {
                self.only[0].push(*a);
                self.only[1].push(*b);
                pairs = rest;
            }
            at_a += n_same + 1;
            at_b += n_same + 1;
        }
        Ok(())
    }
}

/// The columns of two batches, ready to be compared.
struct PairedColumns {
    compared: Vec<ColumnComparison>,
    keys: Vec<Comparer>,
    names: KeyNames,
}
