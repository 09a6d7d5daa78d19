//! Decides how the input batches are cut into output batches.

use std::ops::Range;

use crate::row_window::RowWindow;

/// Cuts one batch after the other.
#[derive(Debug, Clone)]
pub(super) struct BatchCutter {
    /// How many rows come before the first selected one.
    n_skipped: u64,
    /// How many selected rows are left.
    n_wanted: u64,
    /// The number of rows in each output batch; `None` to keep the batches of the input.
    n_group_rows: Option<u64>,
    /// The number of rows in the current output batch.
    n_pending: u64,
    /// Whether batches without rows are kept, which is so if all rows are selected.
    wants_empty: bool,
}

/// The cuts of one batch.
pub(super) struct Cuts<'a> {
    cutter: &'a mut BatchCutter,
    at: u64,
    end: u64,
    is_first: bool,
}

/// Some rows of a batch.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Cut {
    pub(super) rows: Range<u64>,
    /// Whether an output batch begins with these rows.
    pub(super) begins: bool,
    /// Whether an output batch ends with these rows.
    pub(super) ends: bool,
}

impl BatchCutter {
    /// Selects `rows`; output batches get `n_group_rows` rows, which must not be 0.
    pub(super) fn new(rows: Option<&Range<u64>>, n_group_rows: Option<u64>) -> BatchCutter {
        let (n_skipped, n_wanted) =
            rows.map_or((0, u64::MAX), |rows| (rows.start, rows.end.saturating_sub(rows.start)));
        BatchCutter { n_skipped, n_wanted, n_group_rows, n_pending: 0, wants_empty: rows.is_none() }
    }

    /// How many of the skipped rows did not exist, at the end.
    pub(super) fn n_missing(&self) -> u64 {
        self.n_skipped
    }

    /// The selected rows that are left.
    pub(super) fn window(&self) -> RowWindow {
        RowWindow::new(self.n_skipped, (self.n_wanted < u64::MAX).then_some(self.n_wanted))
    }

    /// How many selected rows are left.
    pub(super) fn n_wanted(&self) -> u64 {
        self.n_wanted
    }

    /// Whether batches are cut and joined, wherever those of the input end.
    pub(super) fn is_by_rows(&self) -> bool {
        self.n_group_rows.is_some()
    }

    /// Whether no more batches are needed.
    pub(super) fn is_done(&self) -> bool {
        self.n_wanted == 0
    }

    /// Cuts the next batch, of `n_rows`. Take all of its cuts.
    pub(super) fn cut(&mut self, n_rows: u64) -> Cuts<'_> {
        let skipped = self.n_skipped.min(n_rows);
        self.n_skipped -= skipped;
        let taken = self.n_wanted.min(n_rows - skipped);
        let is_wanted = taken > 0 || (n_rows == 0 && self.wants_empty);
        if self.n_wanted < u64::MAX {
            self.n_wanted -= taken;
        }
        Cuts { cutter: self, at: skipped, end: skipped.saturating_add(taken), is_first: is_wanted }
    }
}

impl Cuts<'_> {
    /// The selected rows of the batch.
    pub(super) fn rows(&self) -> Range<u64> {
        self.at..self.end
    }

    /// How many rows are cut, and how many rows the batches get; `None` if the batch stays whole.
    pub(super) fn n_rows_each(&self) -> Option<(u64, u64)> {
        Some((self.end.saturating_sub(self.at), self.cutter.n_group_rows?))
    }
}

impl Iterator for Cuts<'_> {
    type Item = Cut;

    fn next(&mut self) -> Option<Cut> {
        let is_first = std::mem::take(&mut self.is_first);
        let Cuts { cutter, at, end, .. } = self;
        let Some(n_group_rows) = cutter.n_group_rows else {
            return is_first.then_some(Cut { rows: *at..*end, begins: true, ends: true });
        };
        if *at >= *end {
            return None;
        }
        let n_now = (*end - *at).min(n_group_rows.saturating_sub(cutter.n_pending).max(1));
        let begins = cutter.n_pending == 0;
        cutter.n_pending = cutter.n_pending.saturating_add(n_now);
        let ends = cutter.n_pending >= n_group_rows;
        if ends {
            cutter.n_pending = 0;
        }
        let start = std::mem::replace(at, at.saturating_add(n_now));
        Some(Cut { rows: start..*at, begins, ends })
    }
}

impl Cut {
    /// Whether a batch of `n_rows` becomes an output batch unchanged.
    pub(super) fn is_whole(&self, n_rows: u64) -> bool {
        self.begins && self.ends && self.rows == (0..n_rows)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Row by row: which batches come out.
    fn naive(batches: &[u64], rows: Option<&Range<u64>>, n_group_rows: Option<u64>) -> Vec<Vec<u64>> {
        let (mut row, mut out, mut pending) = (0, Vec::new(), Vec::new());
        for n_rows in batches {
            let mut of_batch = Vec::new();
            for _ in 0..*n_rows {
                if rows.is_none_or(|rows| rows.contains(&row)) {
                    of_batch.push(row);
                }
                row += 1;
            }
            match n_group_rows {
                None if of_batch.is_empty() => {}
                None => out.push(of_batch),
                Some(n) => {
                    for row in of_batch {
                        pending.push(row);
                        if pending.len() as u64 == n {
                            out.push(std::mem::take(&mut pending));
                        }
                    }
                }
            }
        }
        out.extend((!pending.is_empty()).then_some(pending));
        out
    }

    fn cut(batches: &[u64], rows: Option<&Range<u64>>, n_group_rows: Option<u64>) -> Vec<Vec<u64>> {
        let mut cutter = BatchCutter::new(rows, n_group_rows);
        let (mut start, mut out, mut pending) = (0, Vec::new(), Vec::<u64>::new());
        for n_rows in batches {
            for cut in cutter.cut(*n_rows) {
                assert_eq!(cut.begins, pending.is_empty());
                pending.extend(start + cut.rows.start..start + cut.rows.end);
                if cut.ends {
                    out.push(std::mem::take(&mut pending));
                }
            }
            start += n_rows;
        }
        out.extend((!pending.is_empty()).then_some(pending));
        out.retain(|batch| !batch.is_empty());
        out
    }

    #[test]
    fn cuts_are_those_of_single_rows() {
        for batches in [&[][..], &[0], &[3], &[3, 0, 4, 1], &[5, 5, 5], &[1, 1, 1, 1, 9]] {
            let n_rows: u64 = batches.iter().sum();
            for start in 0..=n_rows {
                for end in start..=n_rows + 1 {
                    for n_group_rows in [None, Some(1), Some(2), Some(5), Some(100)] {
                        let rows = start..end;
                        let found = cut(batches, Some(&rows), n_group_rows);
                        let expected = naive(batches, Some(&rows), n_group_rows);
                        assert_eq!(found, expected, "{batches:?} {rows:?} {n_group_rows:?}");
                    }
                }
            }
            assert_eq!(cut(batches, None, Some(2)), naive(batches, None, Some(2)));
        }
        // Batches without rows are kept where all are.
        let cuts: Vec<Cut> = BatchCutter::new(None, None).cut(0).collect();
        assert_eq!(cuts, [Cut { rows: 0..0, begins: true, ends: true }]);
    }
}
