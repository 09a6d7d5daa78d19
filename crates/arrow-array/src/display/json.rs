//! Rows and single columns as lossless JSON.

mod iter;

use std::{fmt, io, ops::Range};

use arrow_data::{ArrayData, RecordBatch};

use super::{
    Style, WriteSlot,
    columns::{Columns, writer_of},
    cut::{DEBUG_BYTES, write_cut},
    pieces::Pieces,
    records::Record,
};
use crate::error::ArrayError;

pub use self::iter::{JsonRowIter, JsonValueIter};

/// The rows of a batch, each as one JSON object, or as an array of pairs where names of columns repeat.
///
/// Nothing is lost: numbers are exact, and every value that a type can hold has a form of its own;
/// `docs/JSON.md` lists them.
///
/// ```
/// use arrow_array::{Int64Array, JsonRows, Utf8ViewArray};
/// use arrow_data::RecordBatch;
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
    record: Record,
    n_rows: usize,
}

/// Prepares the rows of one batch after the other.
///
/// Does what [`JsonRows::try_new`] does, but keeps from batch to batch what it has found out: names are prepared once
/// for each schema, and a dictionary, which may be much larger than the batches that share it, is looked at, and where
/// need be validated, once.
///
/// ```
/// use arrow_array::{Int64Array, JsonWriter};
/// use arrow_data::RecordBatch;
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
#[derive(Default)]
pub struct JsonWriter {
    columns: Columns,
}

impl JsonWriter {
    /// A writer that knows nothing yet.
    pub fn new() -> JsonWriter {
        JsonWriter::default()
    }

    /// The rows of a batch. Batches may have any schema; those that share the one of the batch before cost least.
    ///
    /// # Errors
    /// If the content of a column is not valid; the error names the column.
    pub fn rows(&mut self, batch: &RecordBatch) -> Result<JsonRows, ArrayError> {
        let columns = self.columns.writers(batch, batch.n_columns(), Style::Json)?;
        let record = Record { names: self.columns.names(batch), columns };
        Ok(JsonRows { record, n_rows: batch.n_rows() })
    }
}

impl fmt::Debug for JsonWriter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("JsonWriter").finish_non_exhaustive()
    }
}

/// One row of [`JsonRows`]. Prints on one line, without a line break.
#[derive(Clone, Copy)]
pub struct JsonRow<'a> {
    rows: &'a JsonRows,
    row: usize,
}

impl JsonRows {
    /// Prepares the columns. Content is validated where it has not been.
    ///
    /// For one batch of many use [`JsonWriter::rows`].
    ///
    /// # Errors
    /// If the content of a column is not valid; the error names the column.
    pub fn try_new(batch: &RecordBatch) -> Result<JsonRows, ArrayError> {
        JsonWriter::new().rows(batch)
    }

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
    pub fn row(&self, row: usize) -> JsonRow<'_> {
        assert!(row < self.n_rows, "row {row} is outside of a batch of {}", self.n_rows);
        JsonRow { rows: self, row }
    }

    /// All rows in order.
    pub fn iter(&self) -> JsonRowIter<'_> {
        JsonRowIter::new(self)
    }

    /// Writes all rows, a line break behind each. Writes in large pieces, so `out` need not be buffered; a row
    /// that is larger goes out in several.
    ///
    /// # Errors
    /// Those of `out`.
    pub fn write_to(&self, out: &mut impl io::Write) -> io::Result<()> {
        let mut pieces = Pieces::new(out);
        let written = self.write_rows(0..self.n_rows, &mut pieces);
        pieces.finish(written)
    }

    fn write_rows(&self, rows: Range<usize>, out: &mut dyn fmt::Write) -> fmt::Result {
        for row in rows {
            self.record.write(row, out)?;
            out.write_str("\n")?;
        }
        Ok(())
    }
}

impl fmt::Debug for JsonRows {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("JsonRows").field("n_rows", &self.n_rows).finish_non_exhaustive()
    }
}

impl fmt::Display for JsonRow<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.rows.record.write(self.row, f)
    }
}

impl fmt::Debug for JsonRow<'_> {
    /// As `Display`, but cut after 1 KiB.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_cut(f, DEBUG_BYTES, |out| write!(out, "{self}"))
    }
}

/// The values of one array, each in its JSON form.
///
/// ```
/// use arrow_array::{Float64Array, JsonColumn};
///
/// let array = Float64Array::from_iter([Some(1.0), Some(f64::NAN), None]);
/// let column = JsonColumn::try_new(array.data())?;
/// let values: Vec<String> = column.iter().map(|value| value.to_string()).collect();
/// assert_eq!(values, ["1.0", "\"NaN\"", "null"]);
/// # Ok::<(), arrow_array::ArrayError>(())
/// ```
pub struct JsonColumn {
    writer: Box<dyn WriteSlot>,
    n_slots: usize,
}

/// One value of a [`JsonColumn`]. Prints on one line.
#[derive(Clone, Copy)]
pub struct JsonValue<'a> {
    column: &'a JsonColumn,
    slot: usize,
}

impl JsonColumn {
    /// Prepares the array. Content is validated if it has not been.
    ///
    /// # Errors
    /// If the content is not valid.
    pub fn try_new(data: &ArrayData) -> Result<JsonColumn, ArrayError> {
        Ok(JsonColumn { writer: writer_of(data, Style::Json)?, n_slots: data.len() })
    }

    /// The number of slots.
    pub fn len(&self) -> usize {
        self.n_slots
    }

    /// Whether there are no slots.
    pub fn is_empty(&self) -> bool {
        self.n_slots == 0
    }

    /// The value of a slot.
    ///
    /// # Panics
    /// If the slot is out of range, as indexing a slice does.
    pub fn value(&self, slot: usize) -> JsonValue<'_> {
        assert!(slot < self.n_slots, "slot {slot} is outside of an array of {}", self.n_slots);
        JsonValue { column: self, slot }
    }

    /// All values in order.
    pub fn iter(&self) -> JsonValueIter<'_> {
        JsonValueIter::new(self)
    }
}

impl fmt::Debug for JsonColumn {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("JsonColumn").field("n_slots", &self.n_slots).finish_non_exhaustive()
    }
}

impl fmt::Display for JsonValue<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.column.writer.write(self.slot, f)
    }
}

impl fmt::Debug for JsonValue<'_> {
    /// As `Display`, but cut after 1 KiB.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_cut(f, DEBUG_BYTES, |out| write!(out, "{self}"))
    }
}
