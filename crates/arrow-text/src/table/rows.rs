//! The rows of one batch, with the head of the table or without.

use std::{fmt, io};

use arrow_array::{ArrayError, ColumnText};
use arrow_data::RecordBatch;

use super::{MORE, Table, TableOptions, cell::CellText};
use crate::write::Pieces;

/// A [`Table`] of one batch: header and rows, a line break after each line. For one batch after the
/// other use a [`Table`].
///
/// ```
/// use arrow_array::Int64Array;
/// use arrow_data::RecordBatch;
/// use arrow_text::{BatchTable, TableOptions};
///
/// let batch = RecordBatch::try_from_columns([("id", Int64Array::from_iter(0..1_000).into())])?;
/// let options = TableOptions::new().with_max_rows(2);
/// let table = BatchTable::try_new(&batch, &options)?;
/// assert_eq!(table.to_string(), "   id\nint64\n-----\n    0\n    1\n… 998 more rows\n");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct BatchTable {
    table: Table,
    lines: Lines,
}

/// The rows of one batch in a [`Table`]. Prints all of them, or as many as the options want, a line break after each.
pub struct TableRows<'a> {
    table: &'a Table,
    lines: Lines,
}

/// One row of [`TableRows`]. Prints on one line, without a line break.
#[derive(Clone, Copy)]
pub struct TableRow<'a> {
    rows: &'a TableRows<'a>,
    row: usize,
}

/// What is written of a batch.
pub(super) struct Lines {
    /// One for each column that is shown.
    pub(super) columns: Vec<ColumnText>,
    pub(super) n_rows: usize,
}

impl BatchTable {
    /// The batch with the default options.
    ///
    /// # Errors
    /// If the content of a column is not valid; the error names the column.
    ///
    /// ```
    /// use arrow_array::Int64Array;
    /// use arrow_data::RecordBatch;
    /// use arrow_text::BatchTable;
    ///
    /// let batch = RecordBatch::try_from_columns([("id", Int64Array::from_iter([1, 200]).into())])?;
    /// println!("{}", BatchTable::try_from_batch(&batch)?);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn try_from_batch(batch: &RecordBatch) -> Result<BatchTable, ArrayError> {
        BatchTable::try_new(batch, &TableOptions::new())
    }

    /// The batch in the limits that the options set.
    ///
    /// # Errors
    /// If the content of a column that is shown is not valid; the error names the column.
    pub fn try_new(batch: &RecordBatch, options: &TableOptions) -> Result<BatchTable, ArrayError> {
        let table = Table::try_new(batch.schema(), options, Some(batch))?;
        let lines = table.lines(batch)?;
        Ok(BatchTable { table, lines })
    }
}

impl<'a> TableRows<'a> {
    pub(super) fn new(table: &'a Table, lines: Lines) -> TableRows<'a> {
        TableRows { table, lines }
    }

    /// The number of rows, also of those that are more than the options want.
    pub fn len(&self) -> usize {
        self.lines.n_rows
    }

    /// Whether there are no rows.
    pub fn is_empty(&self) -> bool {
        self.lines.n_rows == 0
    }

    /// One row.
    ///
    /// # Panics
    /// If the row is out of bounds, as indexing a slice does.
    pub fn row(&self, row: usize) -> TableRow<'_> {
        assert!(row < self.len(), "row {row} is outside of a batch of {}", self.len());
        TableRow { rows: self, row }
    }

    /// Writes what is printed: the rows and, where there are more than the options want, a line that says so. Writes in
    /// large pieces, so `out` need not be buffered.
    ///
    /// # Errors
    /// Those of `out`.
    pub fn write_to(&self, out: &mut impl io::Write) -> io::Result<()> {
        let mut pieces = Pieces::new(out);
        let written = self.lines.write(self.table, &mut pieces);
        pieces.finish(written)
    }
}

impl Lines {
    fn write(&self, table: &Table, out: &mut dyn fmt::Write) -> fmt::Result {
        let mut cell = CellText::new();
        let n_shown = self.n_rows.min(table.max_rows);
        for row in 0..n_shown {
            self.write_row(table, row, &mut cell, out)?;
            out.write_str("\n")?;
        }
        let what = match self.n_rows - n_shown {
            0 => return Ok(()),
            1 => "row",
            _ => "rows",
        };
        cell.set(table.max_width, |out| write!(out, "{MORE} {} more {what}", self.n_rows - n_shown));
        out.write_str(cell.text())?;
        out.write_str("\n")
    }

    fn write_row(
        &self,
        table: &Table,
        row: usize,
        cell: &mut CellText,
        out: &mut dyn fmt::Write,
    ) -> fmt::Result {
        table.write_line(cell, out, table.too_wide, |position, _, out| {
            self.columns.get(position).map_or(Ok(()), |column| column.write(row, out))
        })
    }
}

impl fmt::Display for BatchTable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.table.header(), f)?;
        self.lines.write(&self.table, f)
    }
}

impl fmt::Display for TableRows<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.lines.write(self.table, f)
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
            .field("n_rows", &self.lines.n_rows)
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
