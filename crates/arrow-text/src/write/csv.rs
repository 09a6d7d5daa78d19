//! Writes rows as CSV.

use std::{fmt, io, ops::Range, sync::Arc};

use arrow_array::{ArrayError, ColumnText, TextCache, TextStyle};
use arrow_data::RecordBatch;
use arrow_schema::{DataType, Schema};

use super::{cells::Cells, in_pieces};
use crate::csv_options::CsvOptions;

/// Prepares the rows of many batches for writing as CSV.
///
/// The rows of the first batch include the line of names. A dictionary that several batches share is prepared once, as in a
/// [`JsonWriter`](crate::JsonWriter).
///
/// ```
/// use arrow_array::Int64Array;
/// use arrow_data::RecordBatch;
/// use arrow_text::CsvWriter;
///
/// let batch = RecordBatch::try_from_columns([("id", Int64Array::from_iter([1, 2]).into())])?;
/// let mut writer = CsvWriter::new();
/// let mut out = Vec::new();
/// for batch in [batch.slice(0, 1), batch.slice(1, 1)] {
///     writer.rows(&batch)?.write_to(&mut out)?;
/// }
/// assert_eq!(out, b"id\n1\n2\n");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct CsvWriter {
    cache: TextCache,
    options: CsvOptions,
    /// Whether the next batch gets the line of names.
    is_header_next: bool,
}

impl CsvWriter {
    /// Makes a writer whose first batch gets the line of names.
    pub fn new() -> CsvWriter {
        CsvWriter::default()
    }

    /// Makes a writer with options. They say whether the first batch gets the line of names.
    pub fn new_with(options: CsvOptions) -> CsvWriter {
        CsvWriter { cache: TextCache::new(), options, is_header_next: options.has_header }
    }

    /// Prepares the rows of a batch. The rows of the first batch include the line of names, unless the options exclude it. To
    /// write only the line of names, pass an empty batch.
    ///
    /// The names of later batches are not compared with the line of names.
    ///
    /// # Errors
    /// If the content of a column is invalid. The error names the column.
    pub fn rows(&mut self, batch: &RecordBatch) -> Result<CsvRows, ArrayError> {
        let positions = 0..batch.n_columns();
        let columns = positions.map(|position| self.cache.column(batch, position, TextStyle::Plain));
        let columns = columns.collect::<Result<_, ArrayError>>()?;
        let mut options = self.options;
        options.has_header = std::mem::take(&mut self.is_header_next);
        Ok(CsvRows { schema: Arc::clone(batch.schema()), columns, n_rows: batch.n_rows(), options })
    }
}

impl Default for CsvWriter {
    fn default() -> CsvWriter {
        CsvWriter::new_with(CsvOptions::new())
    }
}

/// The rows of a batch as CSV: one line for each row, after the line of names if there is one.
///
/// A null is an empty cell, and an empty text is `""`. All other cells contain the [JSON form](crate::JsonRows) of a value.
/// Strings have no JSON quotes and escapes; lists, structs, maps and unions are JSON. `NOTATION.md` has the details.
///
/// ```
/// use arrow_array::{Int64Array, Utf8ViewArray};
/// use arrow_data::RecordBatch;
/// use arrow_text::CsvRows;
///
/// let batch = RecordBatch::try_from_columns([
///     ("id", Int64Array::from_iter([1, 2, 3]).into()),
///     ("name", Utf8ViewArray::from_iter([Some("Lovelace, Ada"), None, Some("")]).into()),
/// ])?;
/// let rows = CsvRows::try_new(&batch)?;
/// assert_eq!(rows.to_string(), "id,name\n1,\"Lovelace, Ada\"\n2,\n3,\"\"\n");
/// assert_eq!(rows.row(1).to_string(), "2,");
/// # Ok::<(), arrow_array::ArrayError>(())
/// ```
pub struct CsvRows {
    schema: Arc<Schema>,
    columns: Vec<ColumnText>,
    n_rows: usize,
    options: CsvOptions,
}

/// One row of [`CsvRows`]. Prints without a line end after it, but values may contain line ends.
#[derive(Debug, Clone, Copy)]
pub struct CsvRow<'a> {
    rows: &'a CsvRows,
    row: usize,
}

impl CsvRows {
    /// Prepares a batch with the default options. Validates its content, unless it has been validated before.
    ///
    /// To write several batches, call [`rows`](CsvWriter::rows) of one [`CsvWriter`] for each.
    ///
    /// # Errors
    /// If the content of a column is invalid. The error names the column.
    pub fn try_new(batch: &RecordBatch) -> Result<CsvRows, ArrayError> {
        CsvWriter::new().rows(batch)
    }

    /// The number of rows. The line of names does not count.
    pub fn len(&self) -> usize {
        self.n_rows
    }

    /// Whether the batch has no rows.
    pub fn is_empty(&self) -> bool {
        self.n_rows == 0
    }

    /// The number of nulls that are written as `""`, so that readers take them for empty texts. This happens if the only column
    /// is utf8 or binary, or binary of 0 bytes, since a blank line would not be a row. In a column of another type, `""` is read
    /// as null.
    pub fn n_like_empty(&self) -> u64 {
        let ([field], [column]) = (self.schema.fields(), &*self.columns) else { return 0 };
        let has_empty = [DataType::Utf8, DataType::Binary, DataType::FixedSizeBinary(0_u16.into())]
            .iter()
            .any(|like| field.data_type().same_values(like));
        if !has_empty {
            return 0;
        }
        (0..self.n_rows).filter(|row| column.is_null(*row)).count() as u64
    }

    /// The number of rows that are empty lines, because the batch has no columns. Readers skip such lines.
    pub fn n_empty_lines(&self) -> u64 {
        if self.columns.is_empty() { self.n_rows as u64 } else { 0 }
    }

    /// The row with this index, for printing.
    ///
    /// # Panics
    /// If the row is out of bounds, like indexing a slice.
    pub fn row(&self, row: usize) -> CsvRow<'_> {
        assert!(row < self.n_rows, "row {row} is outside of a batch of {}", self.n_rows);
        CsvRow { rows: self, row }
    }

    /// Writes all lines. Makes few large writes, so `out` need not be buffered. A long row takes several writes, so memory is
    /// bounded.
    ///
    /// # Errors
    /// If `out` returns an error.
    pub fn write_to(&self, out: &mut impl io::Write) -> io::Result<()> {
        self.write_range_to(0..self.n_rows, out)
    }

    /// Writes the lines of a range of rows. Ignores rows that are out of bounds. If the range starts with the first row, writes
    /// the line of names before it. Several threads can write different ranges: their texts together are the output of
    /// [`write_to`](CsvRows::write_to).
    ///
    /// ```
    /// use arrow_array::Int64Array;
    /// use arrow_data::RecordBatch;
    /// use arrow_text::CsvRows;
    ///
    /// let batch = RecordBatch::try_from_columns([("id", Int64Array::from_iter(0..4).into())])?;
    /// let rows = CsvRows::try_new(&batch)?;
    /// let [mut first, mut second] = [Vec::new(), Vec::new()];
    /// rows.write_range_to(0..2, &mut first)?;
    /// rows.write_range_to(2..4, &mut second)?;
    /// assert_eq!((first.as_slice(), second.as_slice()), (b"id\n0\n1\n".as_slice(), b"2\n3\n".as_slice()));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// If `out` returns an error.
    pub fn write_range_to(&self, rows: Range<usize>, out: &mut impl io::Write) -> io::Result<()> {
        in_pieces(out, |out| self.write(rows, out))
    }

    fn write(&self, rows: Range<usize>, out: &mut dyn fmt::Write) -> fmt::Result {
        let mut cells = Cells::new(&self.options, out);
        if self.options.has_header && rows.start == 0 {
            for (position, field) in self.schema.fields().iter().enumerate() {
                cells.begin(position)?;
                cells.write(|out| out.write_str(field.name()))?;
            }
            cells.end_line(self.options.line_end)?;
        }
        for row in rows.start..rows.end.min(self.n_rows) {
            self.write_row(row, &mut cells)?;
            cells.end_line(self.options.line_end)?;
        }
        cells.finish()
    }

    fn write_row(&self, row: usize, cells: &mut Cells<'_>) -> fmt::Result {
        for (position, column) in self.columns.iter().enumerate() {
            cells.begin(position)?;
            if !cells.value(column, row)? && self.columns.len() == 1 {
                // Readers of CSV would skip an empty line, so the only cell is a pair of quotes.
                cells.write(|_| Ok(()))?;
            }
        }
        Ok(())
    }
}

impl fmt::Display for CsvRows {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.write(0..self.n_rows, f)
    }
}

impl fmt::Debug for CsvRows {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("CsvRows").field("n_rows", &self.n_rows).finish_non_exhaustive()
    }
}

impl fmt::Display for CsvRow<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut cells = Cells::new(&self.rows.options, f);
        self.rows.write_row(self.row, &mut cells)?;
        cells.finish()
    }
}
