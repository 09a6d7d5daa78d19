//! Rows as a plain table with aligned columns.

mod cell;
mod widths;

use std::{fmt, io};

use arrow_data::{ArrayData, RecordBatch};
use arrow_schema::{DataType, Schema};

use self::{
    cell::{CellText, Place},
    widths::{GAP, fit},
};
use super::{Style, WriteSlot, column::writer, json::Pieces};
use crate::{dispatch::is_number, error::ArrayError};

/// How a [`Table`] looks.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct TableOptions {
    /// The most columns of text that a line may take. Cells are cut, and columns at the end left out, to fit.
    /// Without a limit nothing is ever cut: a cell that is wider than its column pushes the rest of its line
    /// aside.
    pub max_width: Option<usize>,
    /// How many rows of the first batch are looked at to find out how wide columns should be.
    pub n_sample_rows: usize,
}

impl TableOptions {
    /// No limit; widths by the first 1,000 rows.
    pub const fn new() -> TableOptions {
        TableOptions { max_width: None, n_sample_rows: 1_000 }
    }

    /// The same options with a limit to the width of lines.
    #[must_use]
    pub const fn with_max_width(self, max_width: usize) -> TableOptions {
        TableOptions { max_width: Some(max_width), ..self }
    }

    /// The same options with another number of rows that decide about widths.
    #[must_use]
    pub const fn with_sample_rows(self, n_sample_rows: usize) -> TableOptions {
        TableOptions { n_sample_rows, ..self }
    }
}

impl Default for TableOptions {
    fn default() -> TableOptions {
        TableOptions::new()
    }
}

/// A table for people: names and types in the head, numbers to the right, text to the left.
///
/// Widths are decided once, by the first batch, so the rows of any number of batches can be written as they
/// come. Cells hold the [JSON form](crate::JsonRows) of values, strings without quotes and escapes; nested
/// values are JSON. A null is `null`, as is the text "null": the table is for reading, the JSON form for
/// keeping.
///
/// Line breaks, control characters and what changes the direction of text are escaped in cells and names
/// (`\n`, `\t`, `\u{1b}`), so nothing of the data reaches a terminal that could command it. Where text is cut
/// stands `…`.
///
/// ```
/// use arrow_array::{Int64Array, Table, TableOptions, Utf8ViewArray};
/// use arrow_data::{ArrayData, RecordBatch};
///
/// let batch = RecordBatch::try_from_columns([
///     ("id", Int64Array::from_iter([1, 200]).into()),
///     ("name", Utf8ViewArray::from_iter([Some("ada"), None]).into()),
/// ])?;
/// let table = Table::try_new(batch.schema(), &TableOptions::new(), Some(&batch))?;
/// let text = format!("{}{}", table.header(), table.rows(&batch)?);
/// let lines = [
///     "   id  name",
///     "int64  utf8_view",
///     "-----  ---------",
///     "    1  ada",
///     "  200  null",
/// ];
/// assert!(text.lines().eq(lines));
/// # Ok::<(), arrow_array::ArrayError>(())
/// ```
#[derive(Debug, Clone)]
pub struct Table {
    columns: Vec<Column>,
    n_columns: usize,
    /// Whether cells are cut at the width of their column.
    is_limited: bool,
}

#[derive(Debug, Clone)]
struct Column {
    name: String,
    data_type: String,
    align: Align,
    width: usize,
}

/// Where text stands in a cell that is wider.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Align {
    Left,
    Right,
}

/// In a limited table, a type makes its column at most this wide; longer ones are cut.
const MAX_TYPE_WIDTH: usize = 24;
/// What stands behind the last column where columns are left out.
const MORE: &str = "…";

impl Table {
    /// A table of the columns of `schema`, whose widths are decided by `first`. Without it names and types
    /// decide.
    ///
    /// # Errors
    /// If the content of `first` is not valid.
    pub fn try_new(
        schema: &Schema,
        options: &TableOptions,
        first: Option<&RecordBatch>,
    ) -> Result<Table, ArrayError> {
        let mut columns: Vec<Column> = Vec::with_capacity(schema.fields().len());
        let mut cell = CellText::new();
        for (position, field) in schema.fields().iter().enumerate() {
            let mut column = Column {
                name: field.name().to_owned(),
                data_type: field.data_type().to_string(),
                align: align(field.data_type()),
                width: 1,
            };
            cell.set(options.max_width, |out| out.write_str(&column.name));
            column.width = column.width.max(cell.width());
            let type_limit = options.max_width.map(|max_width| max_width.min(MAX_TYPE_WIDTH));
            cell.set(type_limit, |out| out.write_str(&column.data_type));
            column.width = column.width.max(cell.width());
            if let Some(data) = first.and_then(|first| first.column_at(position)) {
                let sample = data.slice(0, data.len().min(options.n_sample_rows));
                let writer = writer(&sample, Style::Cell);
                let writer = writer.map_err(|error| error.in_field(position, field.name()))?;
                for slot in 0..sample.len() {
                    cell.set(options.max_width, |out| writer.write(slot, out));
                    column.width = column.width.max(cell.width());
                }
            }
            columns.push(column);
        }
        let n_columns = columns.len();
        if let Some(max_width) = options.max_width {
            let natural: Vec<usize> = columns.iter().map(|column| column.width).collect();
            let widths = fit(&natural, max_width);
            columns.truncate(widths.len());
            for (column, width) in columns.iter_mut().zip(widths) {
                column.width = width;
            }
        }
        Ok(Table { columns, n_columns, is_limited: options.max_width.is_some() })
    }

    /// The number of columns that are shown.
    pub fn n_shown(&self) -> usize {
        self.columns.len()
    }

    /// The number of columns that are left out at the end, because lines would be too wide.
    pub fn n_left_out(&self) -> usize {
        self.n_columns - self.columns.len()
    }

    /// Names, types and a rule, each on a line with a line break behind it. Empty for a table without
    /// columns.
    pub fn header(&self) -> TableHeader<'_> {
        TableHeader { table: self }
    }

    /// The rows of a batch with the columns of this table.
    ///
    /// # Errors
    /// If the content of a column that is shown is not valid; the error names the column.
    pub fn rows(&self, batch: &RecordBatch) -> Result<TableRows<'_>, ArrayError> {
        let column = |(position, column): (usize, &ArrayData)| {
            let name = batch.schema().field(position).map_or("", |field| field.name());
            writer(column, Style::Cell).map_err(|error| error.in_field(position, name))
        };
        let columns = batch.columns().iter().enumerate().take(self.columns.len()).map(column);
        Ok(TableRows { table: self, columns: columns.collect::<Result<_, _>>()?, n_rows: batch.n_rows() })
    }

    /// Writes one line of cells, and the mark that there are more columns.
    fn write_line(
        &self,
        cell: &mut CellText,
        out: &mut dyn fmt::Write,
        set: impl Fn(&mut CellText, Option<usize>, usize, &Column),
    ) -> fmt::Result {
        let last = self.columns.len().checked_sub(1);
        for (position, column) in self.columns.iter().enumerate() {
            if position > 0 {
                cell::spaces(GAP, out)?;
            }
            set(cell, self.is_limited.then_some(column.width), position, column);
            let is_last = Some(position) == last && self.n_left_out() == 0;
            cell.pad(Place { width: column.width, align: column.align, is_last }, out)?;
        }
        if self.n_left_out() > 0 {
            cell::spaces(GAP, out)?;
            out.write_str(MORE)?;
        }
        Ok(())
    }
}

/// Numbers stand to the right, so that their digits do; encoded values as the values themselves.
fn align(data_type: &DataType) -> Align {
    let mut data_type = data_type.value_type();
    while let Some(runs) = data_type.as_run_end_encoded() {
        data_type = runs.values().data_type().value_type();
    }
    if is_number(data_type) { Align::Right } else { Align::Left }
}

/// The head of a [`Table`].
#[derive(Debug, Clone, Copy)]
pub struct TableHeader<'a> {
    table: &'a Table,
}

impl fmt::Display for TableHeader<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { table } = self;
        if table.columns.is_empty() {
            return Ok(());
        }
        let mut cell = CellText::new();
        table.write_line(&mut cell, f, |cell, limit, _, column| {
            cell.set(limit, |out| out.write_str(&column.name));
        })?;
        f.write_str("\n")?;
        table.write_line(&mut cell, f, |cell, limit, _, column| {
            cell.set(limit, |out| out.write_str(&column.data_type));
        })?;
        f.write_str("\n")?;
        table.write_line(&mut cell, f, |cell, _, _, column| {
            cell.set(None, |out| cell::repeat("--------------------------------", column.width, out));
        })?;
        f.write_str("\n")
    }
}

/// The rows of one batch in a [`Table`]. Prints all of them, a line break behind each.
pub struct TableRows<'a> {
    table: &'a Table,
    columns: Vec<Box<dyn WriteSlot>>,
    n_rows: usize,
}

/// One row of [`TableRows`]. Prints on one line, without a line break.
#[derive(Clone, Copy)]
pub struct TableRow<'a> {
    rows: &'a TableRows<'a>,
    row: usize,
}

impl TableRows<'_> {
    /// The number of rows.
    pub fn len(&self) -> usize {
        self.n_rows
    }

    /// Whether there are no rows.
    pub fn is_empty(&self) -> bool {
        self.n_rows == 0
    }

    /// One row.
    ///
    /// # Panics
    /// If the row is out of range, as indexing a slice does.
    pub fn row(&self, row: usize) -> TableRow<'_> {
        assert!(row < self.n_rows, "row {row} is outside of a batch of {}", self.n_rows);
        TableRow { rows: self, row }
    }

    /// Writes all rows, a line break behind each. Writes in large pieces, so `out` need not be buffered.
    ///
    /// # Errors
    /// Those of `out`.
    pub fn write_to(&self, out: &mut impl io::Write) -> io::Result<()> {
        let mut pieces = Pieces::new(out);
        let written = self.write_rows(&mut pieces);
        pieces.finish(written)
    }

    fn write_rows(&self, out: &mut dyn fmt::Write) -> fmt::Result {
        let mut cell = CellText::new();
        for row in 0..self.n_rows {
            self.write_row(row, &mut cell, out)?;
            out.write_str("\n")?;
        }
        Ok(())
    }

    fn write_row(&self, row: usize, cell: &mut CellText, out: &mut dyn fmt::Write) -> fmt::Result {
        self.table.write_line(cell, out, |cell, limit, position, _| {
            cell.set(limit, |out| match self.columns.get(position) {
                Some(column) => column.write(row, out),
                None => Ok(()),
            });
        })
    }
}

impl fmt::Display for TableRows<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.write_rows(f)
    }
}

impl fmt::Display for TableRow<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.rows.write_row(self.row, &mut CellText::new(), f)
    }
}

impl fmt::Debug for TableRows<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("TableRows")
            .field("table", self.table)
            .field("n_rows", &self.n_rows)
            .finish_non_exhaustive()
    }
}

impl fmt::Debug for TableRow<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}
