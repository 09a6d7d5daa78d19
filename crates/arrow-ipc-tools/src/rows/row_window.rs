//! Counts rows or batches to find those in a selected range.

use std::ops::Range;

use arrow_data::RecordBatch;

use crate::error::{ToolError, ToolErrorKind, name::InputName};

/// A range of selected rows: skips `offset` rows, then selects at most `limit` rows. Call
/// [`advance`](RowWindow::advance) or [`take`](RowWindow::take) for each batch of the input, in order.
///
/// ```
/// use arrow_ipc_tools::RowWindow;
///
/// let mut rows = RowWindow::from_rows(4..6);
/// // Two batches of 5 rows.
/// assert_eq!((rows.advance(5), rows.advance(5)), (4..5, 0..1));
/// assert!(rows.is_done());
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RowWindow {
    first: u64,
    n_skipped: u64,
    n_taken: u64,
    limit: Option<u64>,
    counted: WindowUnit,
}

/// What a window counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum WindowUnit {
    Rows,
    /// Only rows that match a condition.
    Matches,
    Batches,
}

impl RowWindow {
    /// Selects all rows.
    pub const ALL: RowWindow = RowWindow::new(0, None);

    /// Skips `offset` rows, then selects at most `limit` rows, or all if `limit` is `None`.
    pub const fn new(offset: u64, limit: Option<u64>) -> RowWindow {
        RowWindow { first: offset, n_skipped: 0, n_taken: 0, limit, counted: WindowUnit::Rows }
    }

    /// Selects the rows with these numbers, from 0. A range that ends at `u64::MAX` has no limit.
    pub fn from_rows(rows: Range<u64>) -> RowWindow {
        let limit = (rows.end < u64::MAX).then(|| rows.end.saturating_sub(rows.start));
        RowWindow::new(rows.start, limit)
    }

    /// Makes the window count only rows that match a condition. Their number is unknown until they have been read, so
    /// the window may begin after the last matching row.
    #[must_use]
    pub(crate) fn with_matches_as_unit(self) -> RowWindow {
        RowWindow { counted: WindowUnit::Matches, ..self }
    }

    /// Selects the batches with these numbers, from 0. The window then counts batches instead of rows.
    pub(crate) fn from_batches(batches: Range<u64>) -> RowWindow {
        RowWindow { counted: WindowUnit::Batches, ..RowWindow::from_rows(batches) }
    }

    pub(crate) fn counts_batches(self) -> bool {
        self.counted == WindowUnit::Batches
    }

    /// The number of the first selected row, from 0.
    pub fn first(self) -> u64 {
        self.first
    }

    /// The numbers of the selected rows. The end is `u64::MAX` if there is no limit.
    pub fn range(self) -> Range<u64> {
        self.first..self.limit.map_or(u64::MAX, |limit| self.first.saturating_add(limit))
    }

    /// The number of rows that are still to be selected; `None` if there is no limit.
    pub fn n_left(self) -> Option<u64> {
        self.limit.map(|limit| limit.saturating_sub(self.n_taken))
    }

    /// The rest of the window, counted from the next row that is passed to [`advance`](RowWindow::advance).
    #[must_use]
    pub fn rest(self) -> RowWindow {
        let first = self.first.saturating_sub(self.n_skipped);
        let limit = self.n_left();
        RowWindow { counted: self.counted, ..RowWindow::new(first, limit) }
    }

    /// Whether all rows are selected.
    pub fn is_everything(self) -> bool {
        self.first == 0 && self.limit.is_none()
    }

    /// Whether no more rows will be selected.
    pub fn is_done(self) -> bool {
        self.n_left() == Some(0)
    }

    /// Moves past the next `n_rows` rows. Returns which of them are selected, counted from the first of these rows.
    pub fn advance(&mut self, n_rows: u64) -> Range<u64> {
        let start = self.first.saturating_sub(self.n_skipped).min(n_rows);
        let n_after = n_rows.saturating_sub(start);
        let n_selected = self.n_left().map_or(n_after, |n_left| n_left.min(n_after));
        self.n_skipped = self.n_skipped.saturating_add(start);
        self.n_taken = self.n_taken.saturating_add(n_selected);
        start..start.saturating_add(n_selected)
    }

    /// Moves past the next batch, which has `n_rows` rows, and returns its selected rows; `None` if the batch is
    /// skipped. A batch without rows is skipped, unless all rows are selected or its number is in the range of
    /// batches.
    pub(crate) fn advance_batch(&mut self, n_rows: u64) -> Option<Range<u64>> {
        match self.counted {
            WindowUnit::Batches => (!self.advance(1).is_empty()).then_some(0..n_rows),
            WindowUnit::Rows | WindowUnit::Matches => {
                let rows = self.advance(n_rows);
                (!rows.is_empty() || self.is_everything()).then_some(rows)
            }
        }
    }

    /// Returns whether all rows of the next batch are selected, and moves past it if the window counts batches. `None`
    /// if rows must be counted to find out.
    pub(crate) fn advance_uncounted(&mut self) -> Option<bool> {
        match self.counted {
            WindowUnit::Batches => Some(!self.advance(1).is_empty()),
            WindowUnit::Rows | WindowUnit::Matches => self.is_everything().then_some(true),
        }
    }

    /// Moves past a batch, and returns its selected rows; `None` if none are selected. If the window selects all
    /// rows, also returns batches without rows.
    pub fn take(&mut self, batch: RecordBatch) -> Option<RecordBatch> {
        let n_rows = batch.n_rows();
        let rows = self.advance_batch(n_rows as u64)?;
        let [start, end] = [rows.start, rows.end].map(|row| usize::try_from(row).unwrap_or(n_rows));
        match end.saturating_sub(start) {
            n_selected if n_selected == n_rows => Some(batch),
            n_selected => Some(batch.slice(start, n_selected)),
        }
    }

    /// The number of rows up to and including the last selected row. `None` if no rows need to be counted, because all
    /// rows or a range of batches are selected.
    pub(crate) fn n_rows_to_end(self) -> Option<u64> {
        let needs_none = self.is_everything() || self.counts_batches();
        (!needs_none).then(|| self.rest().range().end)
    }

    /// Checks that the first row of the window exists, unless it is row 0, the window is empty or counts matching rows.
    /// Call this at the end of the input.
    ///
    /// # Errors
    /// If that row does not exist.
    pub fn check_start(self, name: &InputName) -> Result<(), ToolError> {
        let what = match self.counted {
            WindowUnit::Matches => return Ok(()),
            WindowUnit::Rows => "row",
            WindowUnit::Batches => "batch",
        };
        if self.n_taken > 0 || self.first == 0 || self.is_done() {
            return Ok(());
        }
        let kind = ToolErrorKind::PastEnd { what, index: self.first, count: self.n_skipped };
        Err(ToolError::new(name, kind))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Compares the window with `naive`, which counts row by row.
    #[test]
    fn rows_are_counted_over_all_batches() {
        for batches in [&[][..], &[0], &[3], &[3, 0, 4, 1], &[1, 1, 9]] {
            let n_rows: u64 = batches.iter().sum();
            for offset in 0..=n_rows.saturating_add(1) {
                for limit in [None, Some(0), Some(1), Some(2), Some(100)] {
                    let mut window = RowWindow::new(offset, limit);
                    let mut first = 0;
                    let mut found = Vec::new();
                    for n_rows in batches {
                        let rows = window.advance(*n_rows);
                        found.extend(first + rows.start..first + rows.end);
                        first += n_rows;
                    }
                    let naive = (offset..n_rows).take(limit.map_or(usize::MAX, |limit| limit as usize));
                    assert!(naive.eq(found.iter().copied()), "{batches:?} {offset} {limit:?}: {found:?}");
                    assert_eq!(window.is_done(), limit.is_some_and(|limit| found.len() as u64 == limit));
                    let is_past = window.check_start(&"in".into()).is_err();
                    assert_eq!(is_past, offset > 0 && offset >= n_rows && limit != Some(0));
                    // A window of matching rows may begin after the last of them.
                    assert!(window.with_matches_as_unit().check_start(&"in".into()).is_ok());
                }
            }
        }
    }

    /// Batches without rows count, too.
    #[test]
    fn batches_are_counted() {
        let mut window = RowWindow::from_batches(1..3);
        let found = [4, 0, 7, 5].map(|n_rows| window.advance_batch(n_rows));
        assert_eq!(found, [None, Some(0..0), Some(0..7), None]);
        assert!(window.is_done() && window.n_rows_to_end().is_none());
        let mut later = RowWindow::from_batches(5..9);
        assert_eq!(later.advance_batch(10), None);
        assert!(later.rest() == RowWindow::from_batches(4..8) && later.counts_batches());
        let error = later.check_start(&"in".into()).unwrap_err();
        assert!(error.to_string().contains("no batch 5: there is 1 batch"), "{error}");
    }

    #[test]
    fn a_window_goes_on_where_it_stopped() {
        let mut window = RowWindow::from_rows(5..9);
        assert_eq!(window.advance(3), 3..3);
        assert_eq!(window.rest(), RowWindow::from_rows(2..6));
        assert_eq!(window.advance(4), 2..4);
        assert_eq!(window.rest(), RowWindow::from_rows(0..2));
        // The input has the first row of the window.
        assert!(window.check_start(&"in".into()).is_ok());
        assert!(
            RowWindow::from_rows(0..u64::MAX).is_everything() && !RowWindow::from_rows(0..7).is_everything()
        );
    }
}
