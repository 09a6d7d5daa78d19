//! Compares rows, and reports those that differ.

use arrow_array::{ArrayError, ColumnText, TextStyle};
use arrow_data::{ArrayData, Comparer, RecordBatch};
use arrow_schema::{Field, FieldPath};
use arrow_select::SelectError;
use arrow_text::format::{EscapedJson, LimitedText};

use super::{
    align::{Aligner, Shift},
    difference::{Difference, RowLabel, Side},
    fields::ColumnPair,
    reporter::{ComparisonEnd, DiffReporter},
    side::SideRows,
    summary::DiffSummary,
    tolerance::CloseNumbers,
};
use crate::error::{ToolError, ToolErrorKind};

/// The maximal number of characters of each value in a key.
const KEY_CHARS: usize = 80;

/// As many bytes have at least this number of characters, and one more.
const MAX_KEY_BYTES: usize = 4 * (KEY_CHARS + 1);

/// The maximal number of columns that are reported for a row.
const SHOWN_COLUMNS: usize = 20;

/// The number of rows after which the observer decides whether to continue.
pub(super) const ROWS_BETWEEN_PROGRESS: u64 = 1 << 12;

/// Compares the rows of both sides in order. Reports rows that differ, and the number of rows after the end of the
/// other side.
///
/// # Errors
/// If an input cannot be read, or the report ends the comparison.
pub(super) fn compare_rows(
    [a, b]: [&mut SideRows; 2],
    pairs: &[ColumnPair],
    reporter: &mut DiffReporter<'_>,
) -> Result<(), ComparisonEnd> {
    let work = a.work();
    reporter.progress(a.name(), work, 0)?;
    let mut tally = DifferenceTally::new(pairs);
    let mut aligner = Aligner::new(pairs, reporter.options.tolerance);
    let mut n_only = [0_u64; 2];
    let mut n_blocks = 0_u64;
    let mut columns = Vec::new();
    // The next shift. `n_before` counts down the rows that are still to be compared before the shift.
    let mut next: Option<Shift> = None;
    loop {
        let is_at_end = a.n_rows() == 0 || b.n_rows() == 0;
        if is_at_end {
            // The compared columns share the memory of the batches. Dropping them first frees this memory for the
            // next batches.
            columns.clear();
        }
        a.fill()?;
        b.fill()?;
        let (Some(in_a), Some(in_b)) = (a.current(), b.current()) else { break };
        if is_at_end {
            columns = columns_of(pairs, in_a.0, in_b.0, reporter.options.tolerance)
                .map_err(|error| reporter.invalid(error))?;
        }
        let in_a = in_a.1;
        let in_b = in_b.1;
        let n_rows = a.n_rows().min(b.n_rows());
        let n_rows = next.map_or(n_rows, |shift| n_rows.min(shift.n_before));
        let first = reporter.options.rows.first().saturating_add(tally.n_compared);
        let [first, first_b] = n_only.map(|n_only| first.saturating_add(n_only));
        let mut next_shift = |row| {
            let number = first.saturating_add(row as u64);
            match next {
                Some(_) => None,
                None => aligner.shift([a, b], [in_a + row, in_b + row], number),
            }
        };
        let window = ComparedWindow { a: in_a, b: in_b, n_rows, names: RowNames::Numbers([first, first_b]) };
        let further = tally.window(&mut columns, window, &mut next_shift, reporter)?;
        let ComparisonStep::GoOn { n_rows, shift } = further else {
            reporter.summary.n_only = n_only;
            tally.sum_up(pairs, &mut reporter.summary);
            return Ok(());
        };
        a.advance(n_rows);
        b.advance(n_rows);
        next = match next {
            Some(shift) => Some(Shift { n_before: shift.n_before - n_rows, ..shift }),
            None => shift,
        };
        if let Some(Shift { side, n_rows: n_omitted, .. }) = next.take_if(|shift| shift.n_before == 0) {
            let (rows, start, idx) = match side {
                Side::A => (&mut *a, first, 0),
                Side::B => (&mut *b, first_b, 1),
            };
            rows.advance(n_omitted);
            n_only[idx] = n_only[idx].saturating_add(n_omitted as u64);
            n_blocks += 1;
            let number = start.saturating_add(n_rows as u64);
            if n_blocks <= reporter.options.max_rows {
                let row = RowLabel { number, in_b: None, key: None };
                reporter.difference(Difference::OnlyRow { side, row, n_rows: n_omitted as u64 })?;
            } else if !reporter.options.counts_all {
                let is_first = n_blocks == 1 && tally.n_different == 0;
                reporter.summary.is_cut = true;
                reporter.summary.n_only = n_only;
                reporter.difference(Difference::OneMoreRow { row: number, is_first })?;
                tally.sum_up(pairs, &mut reporter.summary);
                return Ok(());
            }
        }
        reporter.progress(a.name(), work, a.n_done())?;
    }
    drop(columns);
    tally.sum_up(pairs, &mut reporter.summary);
    reporter.summary.n_only = n_only;
    tally.finish(reporter)?;
    for (n_rows, side) in n_only.into_iter().zip([Side::A, Side::B]).filter(|(n_rows, _)| *n_rows > 0) {
        reporter.difference(Difference::OnlyRows { side, n_rows })?;
    }
    // If neither side has the first selected row, this is an error. If only one side has it, that side has more rows.
    if let (Err(error), Err(_)) = (a.check_start(), b.check_start()) {
        return Err(error.into());
    }
    for (rows, side) in [(a, Side::A), (b, Side::B)] {
        let n_rows = rows.n_rows_left()?;
        if n_rows > 0 {
            reporter.difference(Difference::MoreRows { side, n_rows })?;
        }
    }
    Ok(())
}

/// Counts the differences found so far.
#[derive(Debug)]
pub(super) struct DifferenceTally {
    n_compared: u64,
    n_different: u64,
    /// For each pair of columns, the number of rows in which they differ.
    by_pair: Vec<u64>,
}

/// What to do after some rows were compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ComparisonStep {
    /// `n_rows` rows were compared. If there is a shift, `n_before` more rows are compared before it.
    GoOn {
        n_rows: usize,
        shift: Option<Shift>,
    },
    Stop,
}

/// A range of rows of one batch of A, and the same number of rows of one batch of B.
#[derive(Clone, Copy)]
pub(super) struct ComparedWindow<'a> {
    /// The slot of the first row of A in its batch.
    pub(super) a: usize,
    pub(super) b: usize,
    pub(super) n_rows: usize,
    pub(super) names: RowNames<'a>,
}

/// How reports name the rows of the window.
#[derive(Clone, Copy)]
pub(super) enum RowNames<'a> {
    /// By consecutive numbers. The array has the number of the first row in A and in B.
    Numbers([u64; 2]),
    /// By their keys in A. The slice has the row numbers of each pair in A and B.
    Keys(&'a KeyNames, &'a [[u64; 2]]),
}

impl ComparedWindow<'_> {
    /// The name of a row in reports. `row` counts from the start of the window.
    fn label(&self, row: usize) -> Result<RowLabel, ArrayError> {
        Ok(match self.names {
            RowNames::Numbers(first) => {
                let [number, in_b] = first.map(|first| first.saturating_add(row as u64));
                RowLabel { number, in_b: Some(in_b).filter(|in_b| *in_b != number), key: None }
            }
            RowNames::Keys(keys, pairs) => {
                RowLabel { number: pairs[row][0], in_b: None, key: Some(keys.at(self.a + row)?) }
            }
        })
    }
}

impl DifferenceTally {
    pub(super) fn new(pairs: &[ColumnPair]) -> DifferenceTally {
        DifferenceTally { n_compared: 0, n_different: 0, by_pair: vec![0; pairs.len()] }
    }

    /// Compares the rows of the window, up to the next shift. Calls `next_shift` at each different row, to search for a
    /// shift.
    pub(super) fn window(
        &mut self,
        columns: &mut [ColumnComparison],
        mut window: ComparedWindow<'_>,
        next_shift: &mut dyn FnMut(usize) -> Option<Shift>,
        reporter: &mut DiffReporter<'_>,
    ) -> Result<ComparisonStep, ComparisonEnd> {
        let mut shift = None;
        for column in &mut *columns {
            column.search(0, window).map_err(|kind| reporter.failed(kind))?;
        }
        loop {
            let first = columns.iter().map(|column| column.next).min();
            let Some(row) = first.filter(|row| *row < window.n_rows) else { break };
            if shift.is_none()
                && let Some(found) = next_shift(row)
            {
                let end = row.saturating_add(found.n_before);
                window.n_rows = window.n_rows.min(end);
                shift = Some(Shift { n_before: end - window.n_rows, ..found });
                continue;
            }
            self.n_different = self.n_different.saturating_add(1);
            if self.n_different <= reporter.options.max_rows {
                show_row(columns, row, window, reporter)?;
            } else if let (false, RowNames::Numbers([first, _])) = (reporter.options.counts_all, window.names)
            {
                let is_first = self.n_different == 1;
                self.n_compared = self.n_compared.saturating_add(row as u64).saturating_add(1);
                reporter.summary.is_cut = true;
                self.count(columns, row);
                let row = first.saturating_add(row as u64);
                reporter.difference(Difference::OneMoreRow { row, is_first })?;
                return Ok(ComparisonStep::Stop);
            } else if self.n_different.is_multiple_of(ROWS_BETWEEN_PROGRESS) {
                reporter.same_progress()?;
            }
            self.count(columns, row);
            for column in columns.iter_mut().filter(|column| column.next == row) {
                column.search(row + 1, window).map_err(|kind| reporter.failed(kind))?;
            }
        }
        self.n_compared = self.n_compared.saturating_add(window.n_rows as u64);
        Ok(ComparisonStep::GoOn { n_rows: window.n_rows, shift })
    }

    fn count(&mut self, columns: &[ColumnComparison], row: usize) {
        for column in columns.iter().filter(|column| column.next == row) {
            if let Some(n_rows) = self.by_pair.get_mut(column.pair_idx) {
                *n_rows = n_rows.saturating_add(1);
            }
        }
    }

    pub(super) fn sum_up(&self, pairs: &[ColumnPair], summary: &mut DiffSummary) {
        summary.n_rows = self.n_compared;
        summary.n_different = self.n_different;
        let counted = pairs.iter().zip(&self.by_pair).filter(|(_, n_rows)| **n_rows > 0);
        summary.columns = counted.map(|(pair, n_rows)| (pair.path.clone(), *n_rows)).collect();
    }

    pub(super) fn finish(&self, reporter: &mut DiffReporter<'_>) -> Result<(), ComparisonEnd> {
        let n_different = self.n_different;
        let n_compared = self.n_compared;
        match n_different {
            0 => Ok(()),
            _ => reporter.difference(Difference::Rows { n_different, n_compared }),
        }
    }
}

/// Reports how the values of a row differ. `row` counts from the start of the window.
fn show_row(
    columns: &mut [ColumnComparison],
    row: usize,
    window: ComparedWindow<'_>,
    reporter: &mut DiffReporter<'_>,
) -> Result<(), ComparisonEnd> {
    let different = || columns.iter().filter(|column| column.next == row);
    let n_more = different().count().saturating_sub(SHOWN_COLUMNS);
    let label = window.label(row).map_err(|error| reporter.invalid(error))?;
    for column in columns.iter_mut().filter(|column| column.next == row).take(SHOWN_COLUMNS) {
        let found = column.comparer.first_difference(window.a + row..window.a + row + 1, window.b + row);
        let Some(difference) = found.map_err(|error| reporter.invalid(error))? else { continue };
        reporter.difference(Difference::Value {
            row: label.clone(),
            column: column.path.clone(),
            field: Box::new(column.field.clone()),
            difference: Box::new(difference),
        })?;
    }
    if n_more > 0 {
        reporter.difference(Difference::MoreColumns { row: label, n_columns: n_more })?;
    }
    Ok(())
}

/// The key columns of a batch, which name its rows in reports.
pub(super) struct KeyNames(pub(super) Vec<KeyColumn>);

pub(super) struct KeyColumn {
    pub(super) path: FieldPath,
    pub(super) field: Field,
    pub(super) values: ArrayData,
}

impl KeyNames {
    /// Names rows by the values of all columns of `batch`.
    pub(super) fn from_columns(side: &SideRows, batch: &RecordBatch) -> KeyNames {
        let named = side.schema().fields().iter().enumerate();
        let columns = named.zip(batch.columns()).map(|((position, field), values)| KeyColumn {
            path: side.path_of(position, field),
            field: field.clone(),
            values: values.clone(),
        });
        KeyNames(columns.collect())
    }

    /// The key of a row as text, with the names of its columns: `id 7, day "2026-01-01"`.
    ///
    /// # Errors
    /// If a value is invalid.
    pub(super) fn at(&self, row: usize) -> Result<String, ArrayError> {
        let value = |KeyColumn { path, field, values }: &KeyColumn| {
            let text = ColumnText::try_with_field(values, field, TextStyle::Json)?;
            let value = LimitedText::from_value(text.value(row), MAX_KEY_BYTES);
            Ok(EscapedJson(&format!("{path} {}", value.shortened(0, KEY_CHARS))).to_string())
        };
        Ok(self.0.iter().map(value).collect::<Result<Vec<String>, ArrayError>>()?.join(", "))
    }
}

/// The comparison of two paired columns.
pub(super) struct ColumnComparison {
    path: FieldPath,
    field: Field,
    pair_idx: usize,
    comparer: Comparer,
    /// Compares the numbers that differ with a tolerance; `None` if they must be equal.
    close: Option<CloseNumbers>,
    /// The next different row of the window; the end of the window if there is none.
    next: usize,
}

/// Prepares paired columns of two batches for comparison.
///
/// # Errors
/// If a column is not valid.
pub(super) fn columns_of(
    pairs: &[ColumnPair],
    a: &RecordBatch,
    b: &RecordBatch,
    tolerance: Option<f64>,
) -> Result<Vec<ColumnComparison>, SelectError> {
    let columns = pairs.iter().enumerate().filter_map(|(pair_idx, pair)| {
        let left = a.column_at(pair.a)?;
        let right = b.column_at(pair.b)?;
        Some((pair_idx, pair, left, right))
    });
    columns
        .map(|(pair_idx, pair, left, right)| {
            let path = pair.path.clone();
            let field = pair.field.clone();
            let comparer = Comparer::try_new(left, right)?;
            let tolerance = tolerance.filter(|_| pair.has_floats());
            let close = tolerance.map(|tolerance| CloseNumbers::new([left, right], tolerance));
            Ok(ColumnComparison { path, field, pair_idx, comparer, close, next: 0 })
        })
        .collect()
}

impl ColumnComparison {
    /// Finds the next row at or after `from` that differs.
    fn search(&mut self, from: usize, window: ComparedWindow<'_>) -> Result<(), ToolErrorKind> {
        let ComparedWindow { a, b, n_rows, .. } = window;
        self.next = from.min(n_rows);
        while self.next < n_rows {
            let found = self.comparer.first_mismatch(a + self.next..a + n_rows, b + self.next);
            let Some(n_equal) = found.map_err(|error| ToolErrorKind::Values(error.into()))? else {
                self.next = n_rows;
                break;
            };
            self.next += n_equal;
            let Some(close) = &mut self.close else { break };
            let n_close = close.n_close(a + self.next..a + n_rows, b + self.next).map_err(|error| {
                ToolErrorKind::Cast { batch_idx: None, column: self.path.to_string(), error }
            })?;
            if n_close == 0 {
                break;
            }
            self.next += n_close;
        }
        Ok(())
    }
}

pub(super) fn failed(side: &SideRows, error: impl Into<ArrayError>) -> ComparisonEnd {
    ToolError::new(side.name(), ToolErrorKind::Values(error.into())).into()
}
