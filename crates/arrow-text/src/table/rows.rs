//! The rows of a batch or table, with or without the lines above them.

use std::{fmt, io, ops::Range, slice, sync::PoisonError};

use arrow_array::{ArrayError, ColumnText};
use arrow_data::{RecordBatch, Table};

use super::{
    TableOptions, TablePrinter,
    cell::{CellText, MORE},
};
use crate::write::in_pieces;

/// Prints the rows of one batch or of one [`Table`], with names and types above them. Each line ends with a line break. To
/// print many batches, use a [`TablePrinter`].
///
/// ```
/// use arrow_array::Int64Array;
/// use arrow_data::RecordBatch;
/// use arrow_text::{BatchTable, TableOptions};
///
/// let batch = RecordBatch::try_from_columns([("id", Int64Array::from_iter(0..1_000).into())])?;
/// let options = TableOptions::new().with_max_rows(2);
/// let table = BatchTable::try_new_with(&batch, options)?;
/// assert_eq!(table.to_string(), "   id\nint64\n-----\n    0\n    1\n… 998 more rows\n");
/// # Ok::<(), arrow_array::ArrayError>(())
/// ```
pub struct BatchTable {
    table: TablePrinter,
    /// The text of the rows, one for each chunk. Covers at least the rows that are printed.
    lines: Vec<TableLines>,
    n_rows: usize,
}

/// The rows of one batch, printed by a [`TablePrinter`]. Prints all rows, or the maximum that the options set. Each line ends
/// with a line break.
pub struct TableRows<'a> {
    table: &'a TablePrinter,
    lines: TableLines,
}

/// One row of [`TableRows`]. Prints as one line, without a line break.
#[derive(Clone, Copy)]
pub struct TableRow<'a> {
    rows: &'a TableRows<'a>,
    row: usize,
}

/// The columns of a batch as text.
pub(super) struct TableLines {
    pub(super) columns: Vec<ColumnText>,
    pub(super) n_rows: usize,
}

impl TablePrinter {
    /// Prepares the rows of a batch for printing. The batch must have the columns of this table.
    ///
    /// # Errors
    /// If the content of a printed column is invalid. The error names the column.
    pub fn rows(&self, batch: &RecordBatch) -> Result<TableRows<'_>, ArrayError> {
        Ok(TableRows::new(self, self.lines(batch)?))
    }

    fn lines(&self, batch: &RecordBatch) -> Result<TableLines, ArrayError> {
        let mut known = self.memory.lock().unwrap_or_else(PoisonError::into_inner);
        let positions = 0..self.columns.len().min(batch.n_columns());
        let columns: Result<_, ArrayError> =
            positions.map(|position| known.column(batch, position, self.text)).collect();
        Ok(TableLines { columns: columns?, n_rows: batch.n_rows() })
    }
}

impl BatchTable {
    /// Prepares a batch for printing, with the default options.
    ///
    /// # Errors
    /// If the content of a column is invalid. The error names the column.
    ///
    /// ```
    /// use arrow_array::Int64Array;
    /// use arrow_data::RecordBatch;
    /// use arrow_text::BatchTable;
    ///
    /// let batch = RecordBatch::try_from_columns([("id", Int64Array::from_iter([1, 200]).into())])?;
    /// println!("{}", BatchTable::try_new(&batch)?);
    /// # Ok::<(), arrow_array::ArrayError>(())
    /// ```
    pub fn try_new(batch: &RecordBatch) -> Result<BatchTable, ArrayError> {
        BatchTable::try_new_with(batch, TableOptions::new())
    }

    /// Prepares a batch for printing, within the limits of the options.
    ///
    /// # Errors
    /// If the content of a printed column is invalid. The error names the column.
    pub fn try_new_with(batch: &RecordBatch, options: TableOptions) -> Result<BatchTable, ArrayError> {
        let table = TablePrinter::try_new_with(batch.schema(), Some(batch), options)?;
        let lines = vec![table.lines(batch)?];
        Ok(BatchTable { table, lines, n_rows: batch.n_rows() })
    }

    /// Prepares a table for printing, with the default options.
    ///
    /// # Errors
    /// If the content of a column is invalid. The error names the column.
    pub fn try_from_table(table: &Table) -> Result<BatchTable, ArrayError> {
        BatchTable::try_from_table_with(table, TableOptions::new())
    }

    /// Prepares a table for printing, within the limits of the options, which count rows across all chunks. Rows that are not
    /// printed are not read.
    ///
    /// # Errors
    /// If the content of a printed column is invalid. The error names the column.
    ///
    /// ```
    /// use arrow_array::Int64Array;
    /// use arrow_data::{RecordBatch, Table};
    /// use arrow_text::{BatchTable, TableOptions};
    ///
    /// let batch = RecordBatch::try_from_columns([("id", Int64Array::from_iter([1, 200]).into())])?;
    /// let table = Table::try_from_batches(batch.schema().clone(), [batch.clone(), batch])?;
    /// let text = BatchTable::try_from_table_with(&table, TableOptions::new().with_max_rows(3))?.to_string();
    /// assert_eq!(text, "   id\nint64\n-----\n    1\n  200\n    1\n… 1 more row\n");
    /// # Ok::<(), arrow_array::ArrayError>(())
    /// ```
    pub fn try_from_table_with(table: &Table, options: TableOptions) -> Result<BatchTable, ArrayError> {
        let n_rows = table.n_rows();
        let sample = table.slice(0, options.n_decisive_rows().min(n_rows));
        let sample = sample.batches().collect::<Vec<RecordBatch>>();
        let printer = TablePrinter::from_sample(table.schema(), &sample, options)?;
        let shown = table.slice(0, printer.max_rows.min(n_rows));
        let lines = shown.batches().map(|batch| printer.lines(&batch)).collect::<Result<_, ArrayError>>()?;
        Ok(BatchTable { table: printer, lines, n_rows })
    }
}

impl<'a> TableRows<'a> {
    pub(super) fn new(table: &'a TablePrinter, lines: TableLines) -> TableRows<'a> {
        TableRows { table, lines }
    }

    /// The number of rows, including rows that are not printed.
    pub fn len(&self) -> usize {
        self.lines.n_rows
    }

    /// Whether the batch has no rows.
    pub fn is_empty(&self) -> bool {
        self.lines.n_rows == 0
    }

    /// The row with this index, for printing. The row may be beyond the maximum that the options set.
    ///
    /// # Panics
    /// If the row is out of bounds, like indexing a slice.
    pub fn row(&self, row: usize) -> TableRow<'_> {
        assert!(row < self.len(), "row {row} is outside of a batch of {}", self.len());
        TableRow { rows: self, row }
    }

    /// Writes the rows. If the options exclude some, a last line says how many. Makes few large writes, so `out` need not be
    /// buffered.
    ///
    /// # Errors
    /// If `out` returns an error.
    pub fn write_to(&self, out: &mut impl io::Write) -> io::Result<()> {
        in_pieces(out, |out| write_rows(self.table, slice::from_ref(&self.lines), self.len(), out))
    }
}

impl TableRows<'_> {
    /// Writes the printed rows of a range, each with a line break. Several threads can write different ranges: their texts
    /// together are the output of [`write_to`](TableRows::write_to), without its last line about further rows.
    ///
    /// ```
    /// use arrow_array::Int64Array;
    /// use arrow_data::RecordBatch;
    /// use arrow_text::TablePrinter;
    ///
    /// let batch = RecordBatch::try_from_columns([("id", Int64Array::from_iter(0..10).into())])?;
    /// let table = TablePrinter::try_new(batch.schema(), Some(&batch))?;
    /// let mut text = Vec::new();
    /// table.rows(&batch)?.write_range_to(8..100, &mut text)?;
    /// assert_eq!(text, b"    8\n    9\n");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// If `out` returns an error.
    pub fn write_range_to(&self, rows: Range<usize>, out: &mut impl io::Write) -> io::Result<()> {
        let end = rows.end.min(self.lines.n_rows).min(self.table.max_rows);
        in_pieces(out, |out| self.lines.write_rows(self.table, rows.start..end, out))
    }
}

/// Writes the first rows of `n_rows`, up to the maximum, and a line with the number of further rows.
fn write_rows(
    table: &TablePrinter,
    lines: &[TableLines],
    n_rows: usize,
    out: &mut dyn fmt::Write,
) -> fmt::Result {
    let mut n_left = table.max_rows;
    for lines in lines {
        let n_shown = lines.n_rows.min(n_left);
        lines.write_rows(table, 0..n_shown, out)?;
        n_left -= n_shown;
    }
    let n_more = n_rows.saturating_sub(table.max_rows);
    let what = match n_more {
        0 => return Ok(()),
        1 => "row",
        _ => "rows",
    };
    let mut cell = CellText::new();
    cell.set(table.max_width, |out| write!(out, "{MORE} {n_more} more {what}"));
    out.write_str(cell.text())?;
    out.write_str("\n")
}

impl TableLines {
    /// Writes the rows of a range, which must be in bounds. Each has a line break.
    fn write_rows(&self, table: &TablePrinter, rows: Range<usize>, out: &mut dyn fmt::Write) -> fmt::Result {
        let mut cell = CellText::new();
        rows.into_iter().try_for_each(|row| {
            self.write_row(table, row, &mut cell, out)?;
            out.write_str("\n")
        })
    }

    fn write_row(
        &self,
        table: &TablePrinter,
        row: usize,
        cell: &mut CellText,
        out: &mut dyn fmt::Write,
    ) -> fmt::Result {
        table.write_line(cell, out, table.overflow, |position, _, out| {
            self.columns.get(position).map_or(Ok(()), |column| column.write(row, out))
        })
    }
}

impl fmt::Display for BatchTable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.table.header(), f)?;
        write_rows(&self.table, &self.lines, self.n_rows, f)
    }
}

impl fmt::Display for TableRows<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_rows(self.table, slice::from_ref(&self.lines), self.len(), f)
    }
}

impl fmt::Display for TableRow<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let TableRows { table, lines } = self.rows;
        lines.write_row(table, self.row, &mut CellText::new(), f)
    }
}

impl fmt::Debug for BatchTable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("BatchTable")
            .field("table", &self.table)
            .field("n_rows", &self.n_rows)
            .finish_non_exhaustive()
    }
}

impl fmt::Debug for TableRows<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("TableRows")
            .field("table", self.table)
            .field("n_rows", &self.lines.n_rows)
            .finish_non_exhaustive()
    }
}

impl fmt::Debug for TableRow<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("TableRow").field("row", &self.row).finish_non_exhaustive()
    }
}
