//! Converts rows to batches. serde's serializers write to a tree of builders. A second tree, of nodes, has the
//! properties of each field.

mod context;
mod interval;
mod items;
mod leaf;
mod members;
mod node;
mod open_value;
mod serializer;
mod slot;

use std::{mem, sync::Arc};

use arrow_array::{AnyBuilder, ArrayError, StructBuilder};
use arrow_data::RecordBatch;
use arrow_schema::Schema;
use serde_core::ser::Serialize;

use self::{context::WriteContext, node::WriteNode, slot::SlotWriter};
use crate::{
    MAX_DEPTH,
    error::{Result, SerdeErrorKind},
};

/// Makes a batch of rows with this schema.
///
/// Rows are structs, maps with names as keys, or tuples. The table in [the crate](crate) lists the values that each type
/// accepts. A field of the schema that a row lacks is null. A field of a row that the schema lacks is an error; [`RowWriter`]
/// has an option to skip such fields.
///
/// ```
/// use arrow_schema::{DataType, Schema};
/// use serde::Serialize;
///
/// #[derive(Serialize)]
/// struct Person<'a> {
///     name: &'a str,
///     born: Option<&'a str>,
/// }
///
/// let people = [Person { name: "ada", born: Some("1815-12-10") }, Person { name: "eve", born: None }];
/// let schema: Schema = "name: utf8 not null\nborn: date32".parse()?;
/// let batch = arrow_serde::to_batch(schema, &people)?;
/// assert_eq!((batch.n_rows(), batch.column("born")?.null_count()), (2, 1));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// If a row does not fit the schema. If the text of all rows is too long for the offsets of its type, so that one batch cannot
/// contain the rows.
pub fn to_batch<T: Serialize>(
    schema: impl Into<Arc<Schema>>,
    rows: impl IntoIterator<Item = T>,
) -> Result<RecordBatch> {
    let mut writer = RowWriter::try_new(schema)?;
    for (row, value) in (0..).zip(rows) {
        writer.push(&value).map_err(|error| error.at_row(row))?;
    }
    writer.take()
}

/// Writes rows one by one, and returns batches when they are full.
///
/// ```
/// use arrow_schema::{DataType, Schema};
/// use arrow_serde::RowWriter;
///
/// let schema: Schema = "id: int64\nname: utf8".parse()?;
/// let mut writer = RowWriter::try_new(schema)?.with_batch_rows(2);
/// let mut batches = Vec::new();
/// for row in [(1, "ada"), (2, "eve"), (3, "grace")] {
///     batches.extend(writer.write(&row)?);
/// }
/// batches.extend(writer.finish()?);
/// assert_eq!(batches.iter().map(|batch| batch.n_rows()).collect::<Vec<_>>(), [2, 1]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// A failed row is removed completely, even if its `Serialize` panics. Earlier rows stay, and the writer can be used again.
#[derive(Debug)]
pub struct RowWriter {
    schema: Arc<Schema>,
    node: WriteNode,
    /// The builder of the rows, which are structs.
    rows: AnyBuilder,
    context: WriteContext,
    /// Whether a row has been started and not finished. Stays `true` if its `Serialize` panics.
    is_open: bool,
    /// The maximum number of rows of a batch.
    max_rows: usize,
    /// The number of rows so far, including those that failed.
    n_written: u64,
}

impl RowWriter {
    /// Makes a writer whose batches have this schema.
    ///
    /// # Errors
    /// If types of the schema are nested more than 64 levels deep.
    pub fn try_new(schema: impl Into<Arc<Schema>>) -> Result<RowWriter> {
        let schema = schema.into();
        let depth = schema.fields().iter().map(|field| field.data_type().depth()).max().unwrap_or(0);
        if depth > MAX_DEPTH {
            return Err(SerdeErrorKind::TooDeep { max: MAX_DEPTH as u64 }.into());
        }
        let node = WriteNode::for_rows(&schema);
        let rows = StructBuilder::from_schema(&schema).into();
        let context = WriteContext::new();
        Ok(RowWriter { schema, node, rows, context, is_open: false, max_rows: 1 << 16, n_written: 0 })
    }

    /// Sets the maximum number of rows of a batch, at least one. Default: 65,536.
    #[must_use]
    pub fn with_batch_rows(self, n_rows: usize) -> RowWriter {
        RowWriter { max_rows: n_rows, ..self }
    }

    /// Sets the maximum memory of the nulls of a row. Default: 256 MiB.
    ///
    /// A null also has slots in all children of its column, so one null of a fixed-size list may take gigabytes.
    #[must_use]
    pub fn with_max_null_bytes(mut self, n_bytes: u64) -> RowWriter {
        self.context.max_null_bytes = n_bytes;
        self
    }

    /// Skips fields of rows and structs that the schema does not have.
    #[must_use]
    pub fn with_ignored_unknown_fields(mut self) -> RowWriter {
        self.context.ignores_unknown = true;
        self
    }

    /// The schema of all batches, as it was passed to the constructor.
    pub fn schema(&self) -> &Arc<Schema> {
        &self.schema
    }

    /// The number of rows that have been written but not returned in a batch.
    pub fn n_rows(&self) -> usize {
        self.rows.len()
    }

    /// Writes a row. Returns the earlier rows as a batch if their batch is full. Also returns them if the row does not fit into
    /// their batch, since text would exceed its offsets or a dictionary its index type. The row is then the first of the next
    /// batch.
    ///
    /// # Errors
    /// If the row does not fit the schema. The row is then removed. The row number in the error counts all calls, including
    /// those that failed.
    pub fn write<T: Serialize + ?Sized>(&mut self, row: &T) -> Result<Option<RecordBatch>> {
        let position = self.n_written;
        self.n_written = position.saturating_add(1);
        self.write_row(row).map_err(|error| error.at_row(position))
    }

    fn write_row<T: Serialize + ?Sized>(&mut self, row: &T) -> Result<Option<RecordBatch>> {
        if self.rows.len() >= self.max_rows.max(1) {
            return self.begin_batch(row).map(Some);
        }
        match self.push(row) {
            // A new batch may have the capacity for the row.
            Err(error) if !self.rows.is_empty() && matches!(error.kind(), SerdeErrorKind::Array(_)) => {
                self.begin_batch(row).map(Some)
            }
            result => result.map(|()| None),
        }
    }

    /// Starts a new batch with the row, and returns the previous batch. If the row fails, changes nothing.
    fn begin_batch<T: Serialize + ?Sized>(&mut self, row: &T) -> Result<RecordBatch> {
        let mut fresh = AnyBuilder::from(StructBuilder::from_schema(&self.schema));
        // The earlier rows stay in `self.rows` until the row is written, since its `Serialize` may panic.
        append(row, &self.node, &mut fresh, &self.context)?;
        finish(&self.schema, &mut mem::replace(&mut self.rows, fresh))
    }

    /// Returns the remaining rows as a batch. `None` if there are no rows. The writer can then be used again.
    ///
    /// # Errors
    /// None at present, since each row was checked when it was written.
    pub fn finish(&mut self) -> Result<Option<RecordBatch>> {
        if self.rows.is_empty() { Ok(None) } else { self.take().map(Some) }
    }

    /// Appends a row. Removes its values if it fails.
    fn push<T: Serialize + ?Sized>(&mut self, row: &T) -> Result<()> {
        // If the `Serialize` of the previous row has panicked, its values are removed now.
        if mem::replace(&mut self.is_open, true) {
            self.rows.truncate(self.rows.len());
        }
        let result = append(row, &self.node, &mut self.rows, &self.context);
        self.is_open = false;
        result
    }

    fn take(&mut self) -> Result<RecordBatch> {
        finish(&self.schema, &mut self.rows)
    }
}

/// Appends a row to a builder of rows. Removes its values if it fails.
fn append<T: Serialize + ?Sized>(
    row: &T,
    node: &WriteNode,
    rows: &mut AnyBuilder,
    context: &WriteContext,
) -> Result<()> {
    let n_before = rows.len();
    context.null_bytes.set(0);
    let mut result = row.serialize(SlotWriter { node, builder: &mut *rows, context });
    if let (Ok(()), Some(error)) = (&result, rows.error()) {
        result = Err(error.into());
    }
    if result.is_err() {
        rows.truncate(n_before);
    }
    result
}

fn finish(schema: &Arc<Schema>, rows: &mut AnyBuilder) -> Result<RecordBatch> {
    let AnyBuilder::Struct(rows) = rows else { unreachable!("rows are structs") };
    let batch = rows.finish_batch()?;
    let n_rows = batch.n_rows();
    let columns = batch.columns().to_vec();
    Ok(RecordBatch::try_new_with_rows(Arc::clone(schema), columns, n_rows).map_err(ArrayError::from)?)
}
