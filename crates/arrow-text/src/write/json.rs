//! Writes rows as lossless JSON.

use std::{fmt, io, iter::FusedIterator, ops::Range};

use arrow_array::{AppendedText, ArrayError, ColumnText, TextCache};
use arrow_data::RecordBatch;

use super::{
    in_pieces,
    pieces::{PIECE_BYTES, as_text},
};

/// The rows of a batch as JSON: an object for each row, or an array of pairs if names of columns repeat.
///
/// Numbers are exact, and different values of a type have different texts. `NOTATION.md` lists all notations.
///
/// ```
/// use arrow_array::{Int64Array, Utf8ViewArray};
/// use arrow_data::RecordBatch;
/// use arrow_text::JsonRows;
///
/// let batch = RecordBatch::try_from_columns([
///     ("id", Int64Array::from_iter([1, 2]).into()),
///     ("name", Utf8ViewArray::from_iter([Some("ada"), None]).into()),
/// ])?;
/// let rows = JsonRows::try_new(&batch)?;
/// assert_eq!(rows.row(0).to_string(), r#"{"id":1,"name":"ada"}"#);
/// for row in &rows {
///     println!("{row}");
/// }
///
/// let mut out = Vec::new();
/// rows.write_to(&mut out)?;
/// assert_eq!(out, b"{\"id\":1,\"name\":\"ada\"}\n{\"id\":2,\"name\":null}\n");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct JsonRows {
    rows: ColumnText,
}

/// Prepares the rows of many batches for writing as JSON.
///
/// Works like [`JsonRows::try_new`], but reuses names and dictionaries of earlier batches. Names are prepared once for each
/// schema. A dictionary that several batches share is prepared and validated once, however large it is.
///
/// ```
/// use arrow_array::Int64Array;
/// use arrow_data::RecordBatch;
/// use arrow_text::JsonWriter;
///
/// let ids = Int64Array::from_iter([1, 2]).into();
/// let batch = RecordBatch::try_from_columns([("id", ids)])?;
/// let mut writer = JsonWriter::new();
/// let mut out = Vec::new();
/// for batch in [batch.slice(0, 1), batch.slice(1, 1)] {
///     writer.rows(&batch)?.write_to(&mut out)?;
/// }
/// assert_eq!(out, b"{\"id\":1}\n{\"id\":2}\n");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Default)]
pub struct JsonWriter {
    cache: TextCache,
}

impl JsonWriter {
    /// Makes a writer that has prepared no names and dictionaries yet.
    pub fn new() -> JsonWriter {
        JsonWriter::default()
    }

    /// Prepares the rows of a batch. Batches may have different schemas. If a batch has the schema of the previous one, its
    /// names are not prepared again.
    ///
    /// # Errors
    /// If the content of a column is invalid. The error names the column.
    pub fn rows(&mut self, batch: &RecordBatch) -> Result<JsonRows, ArrayError> {
        Ok(JsonRows { rows: self.cache.rows(batch)? })
    }
}

/// One row of [`JsonRows`]. Prints as one line, without a line break.
#[derive(Clone, Copy)]
pub struct JsonRow<'a> {
    rows: &'a JsonRows,
    row: usize,
}

impl JsonRows {
    /// Prepares a batch. Validates its content, unless it has been validated before.
    ///
    /// To write several batches, call [`rows`](JsonWriter::rows) of one [`JsonWriter`] for each.
    ///
    /// # Errors
    /// If the content of a column is invalid. The error names the column.
    pub fn try_new(batch: &RecordBatch) -> Result<JsonRows, ArrayError> {
        JsonWriter::new().rows(batch)
    }

    /// The number of rows of the batch.
    pub fn len(&self) -> usize {
        self.rows.len()
    }

    /// Whether the batch has no rows.
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// The row with this index, for printing.
    ///
    /// # Panics
    /// If the row is out of bounds, like indexing a slice.
    pub fn row(&self, row: usize) -> JsonRow<'_> {
        assert!(row < self.len(), "row {row} is outside of a batch of {}", self.len());
        JsonRow { rows: self, row }
    }

    /// The rows in order, for printing.
    pub fn iter(&self) -> JsonRowIter<'_> {
        JsonRowIter { rows: self, left: 0..self.len() }
    }

    /// Writes all rows, each with a line break. Makes few large writes, so `out` need not be buffered. A long row takes several
    /// writes.
    ///
    /// # Errors
    /// If `out` returns an error.
    pub fn write_to(&self, out: &mut impl io::Write) -> io::Result<()> {
        self.write_range_to(0..self.len(), out)
    }

    /// Writes the rows of a range, each with a line break. Ignores rows that are out of bounds. Several threads can write
    /// different ranges: their texts together are the output of [`write_to`](JsonRows::write_to).
    ///
    /// # Errors
    /// If `out` returns an error.
    pub fn write_range_to(&self, rows: Range<usize>, out: &mut impl io::Write) -> io::Result<()> {
        in_pieces(out, |out| self.write(rows, out))
    }

    fn write(&self, rows: Range<usize>, out: &mut dyn fmt::Write) -> fmt::Result {
        let mut text = Vec::new();
        for row in rows.start..rows.end.min(self.len()) {
            match self.rows.append(row, &mut text) {
                AppendedText::Plain | AppendedText::Short => {}
                AppendedText::Null | AppendedText::Text(_) | AppendedText::Long => {
                    flush(&mut text, out)?;
                    self.rows.write(row, out)?;
                }
            }
            text.push(b'\n');
            if text.len() >= PIECE_BYTES {
                flush(&mut text, out)?;
            }
        }
        flush(&mut text, out)
    }
}

fn flush(text: &mut Vec<u8>, out: &mut dyn fmt::Write) -> fmt::Result {
    out.write_str(as_text(text)?)?;
    text.clear();
    Ok(())
}

impl fmt::Debug for JsonRows {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("JsonRows").field("n_rows", &self.len()).finish_non_exhaustive()
    }
}

impl fmt::Display for JsonRow<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.rows.rows.write(self.row, f)
    }
}

impl fmt::Debug for JsonRow<'_> {
    /// Prints the text of `Display`, cut after 1 KiB.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&self.rows.rows.value(self.row), f)
    }
}

/// The rows of a [`JsonRows`] in order.
#[derive(Debug, Clone)]
pub struct JsonRowIter<'a> {
    rows: &'a JsonRows,
    left: Range<usize>,
}

impl<'a> Iterator for JsonRowIter<'a> {
    type Item = JsonRow<'a>;

    fn next(&mut self) -> Option<JsonRow<'a>> {
        self.nth(0)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        self.left.size_hint()
    }

    fn nth(&mut self, n: usize) -> Option<JsonRow<'a>> {
        self.left.nth(n).map(|row| JsonRow { rows: self.rows, row })
    }
}

impl<'a> DoubleEndedIterator for JsonRowIter<'a> {
    fn next_back(&mut self) -> Option<JsonRow<'a>> {
        self.left.next_back().map(|row| JsonRow { rows: self.rows, row })
    }
}

impl ExactSizeIterator for JsonRowIter<'_> {}

impl FusedIterator for JsonRowIter<'_> {}

impl<'a> IntoIterator for &'a JsonRows {
    type Item = JsonRow<'a>;
    type IntoIter = JsonRowIter<'a>;

    fn into_iter(self) -> JsonRowIter<'a> {
        self.iter()
    }
}
