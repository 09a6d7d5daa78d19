//! Rows to batches: a tree of nodes beside the tree of builders, and serde's serializers over both.

mod interval;
mod items;
mod leaf;
mod members;
mod node;
mod open;
mod slot;

use std::{cell::Cell, mem, sync::Arc};

use arrow_array::{AnyBuilder, ArrayError, StructBuilder};
use arrow_data::RecordBatch;
use arrow_schema::{DataType, Schema};
use serde_core::ser::Serialize;

use self::{node::WriteNode, slot::SlotWriter};
use crate::{
    MAX_DEPTH,
    error::{Result, SerdeErrorKind},
};

/// The batch of some rows, by a schema.
///
/// Rows are structs, maps with names as keys, or tuples. [The crate](crate) says which values each type takes. Fields that
/// the schema has and a row has not are null; fields that only a row has are an error, for which [`RowWriter`] has an
/// option.
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
/// If a row does not fit the schema, or all rows do not fit into one batch, as their text may be longer than its offsets
/// can hold.
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

/// Writes rows one by one, and gives them in batches.
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
/// Of a row that fails nothing is kept, also if its `Serialize` panics; the rows before it are, and the writer can be used
/// again.
#[derive(Debug)]
pub struct RowWriter {
    schema: Arc<Schema>,
    node: WriteNode,
    /// The rows, which are structs.
    rows: AnyBuilder,
    context: WriteContext,
    /// Of a batch.
    max_rows: usize,
    /// Of all batches.
    n_written: u64,
}

impl RowWriter {
    /// A writer of rows of this schema.
    ///
    /// # Errors
    /// If types of the schema are nested more than 64 levels deep.
    pub fn try_new(schema: impl Into<Arc<Schema>>) -> Result<RowWriter> {
        let schema = schema.into();
        let depth = schema.fields().iter().map(|field| field.data_type().depth()).max().unwrap_or(0);
        if depth > MAX_DEPTH {
            return Err(SerdeErrorKind::TooDeep { max: MAX_DEPTH as u64 }.into());
        }
        let (node, rows) = (WriteNode::of_rows(&schema), StructBuilder::try_from_schema(&schema)?.into());
        let context = WriteContext::new();
        Ok(RowWriter { schema, node, rows, context, max_rows: 1 << 16, n_written: 0 })
    }

    /// The same writer, of batches of `n_rows` rows at most, and at least of one. 65,536 by default.
    #[must_use]
    pub fn with_batch_rows(self, n_rows: usize) -> RowWriter {
        RowWriter { max_rows: n_rows, ..self }
    }

    /// The same writer, of rows whose nulls take at most `n_bytes` bytes of memory. 256 MiB by default.
    ///
    /// A null has a slot in every column below it: a fixed-size list may take gigabytes.
    #[must_use]
    pub fn with_max_null_bytes(mut self, n_bytes: u64) -> RowWriter {
        self.context.max_null_bytes = n_bytes;
        self
    }

    /// The same writer, which leaves out fields of rows and structs that the schema does not have.
    #[must_use]
    pub fn ignoring_unknown_fields(mut self) -> RowWriter {
        self.context.unknown = UnknownFields::Ignore;
        self
    }

    /// The schema of all batches.
    pub fn schema(&self) -> &Arc<Schema> {
        &self.schema
    }

    /// The number of rows that wait for the next batch.
    pub fn n_rows(&self) -> usize {
        self.rows.len()
    }

    /// Writes a row. Gives the rows before it as a batch, if they are as many as a batch has, or if the row has no room
    /// among them: text may become too long for offsets, or values too many for the indices of a dictionary.
    ///
    /// # Errors
    /// If the row does not fit the schema; it is not kept then. The error counts rows from the first that was written,
    /// those that failed included.
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
            // It may have room in a batch of its own.
            Err(error) if !self.rows.is_empty() && matches!(error.kind(), SerdeErrorKind::Array(_)) => {
                self.begin_batch(row).map(Some)
            }
            result => result.map(|()| None),
        }
    }

    /// Makes the row the first of a new batch, and gives the one before. If the row fails, nothing changes.
    fn begin_batch<T: Serialize + ?Sized>(&mut self, row: &T) -> Result<RecordBatch> {
        let fresh = AnyBuilder::from(StructBuilder::try_from_schema(&self.schema)?);
        let mut full = mem::replace(&mut self.rows, fresh);
        match self.push(row) {
            Ok(()) => finish(&self.schema, &mut full),
            Err(error) => {
                self.rows = full;
                Err(error)
            }
        }
    }

    /// The rows that wait, as a batch; `None` if there are none. The writer can be used again.
    ///
    /// # Errors
    /// None that is known: each row was checked when it was written.
    pub fn finish(&mut self) -> Result<Option<RecordBatch>> {
        if self.rows.is_empty() { Ok(None) } else { self.take().map(Some) }
    }

    /// Appends a row, or leaves all as it was.
    fn push<T: Serialize + ?Sized>(&mut self, row: &T) -> Result<()> {
        let n_before = self.rows.len();
        // Without a slot of their own: those of a row whose `Serialize` has panicked.
        if self.context.is_open.replace(true) {
            self.rows.truncate(n_before);
        }
        self.context.null_bytes.set(0);
        let slot = SlotWriter { node: &self.node, builder: &mut self.rows, context: &self.context };
        let mut result = row.serialize(slot);
        if let (Ok(()), Some(error)) = (&result, self.rows.error()) {
            result = Err(error.into());
        }
        if result.is_err() {
            self.rows.truncate(n_before);
        }
        self.context.is_open.set(false);
        result
    }

    fn take(&mut self) -> Result<RecordBatch> {
        finish(&self.schema, &mut self.rows)
    }
}

fn finish(schema: &Arc<Schema>, rows: &mut AnyBuilder) -> Result<RecordBatch> {
    let AnyBuilder::Struct(rows) = rows else { unreachable!("rows are structs") };
    let batch = rows.finish_batch()?;
    let (n_rows, columns) = (batch.n_rows(), batch.columns().to_vec());
    Ok(RecordBatch::try_new_with_rows(Arc::clone(schema), columns, n_rows).map_err(ArrayError::from)?)
}

/// What all parts of a row share.
#[derive(Debug)]
struct WriteContext {
    unknown: UnknownFields,
    max_null_bytes: u64,
    /// What the nulls of the row take.
    null_bytes: Cell<u64>,
    /// Whether a row is being written.
    is_open: Cell<bool>,
    /// The items of a sequence that becomes bytes.
    byte: WriteNode,
    /// A part of an interval.
    part: WriteNode,
}

/// What becomes of fields that the schema does not have.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum UnknownFields {
    Refuse,
    Ignore,
}

impl WriteContext {
    fn new() -> WriteContext {
        WriteContext {
            unknown: UnknownFields::Refuse,
            max_null_bytes: 256 << 20,
            null_bytes: Cell::new(0),
            is_open: Cell::new(false),
            byte: WriteNode::of_number(DataType::UInt8),
            part: WriteNode::of_number(DataType::Int64),
        }
    }

    /// Counts memory for nulls.
    fn spend(&self, n_bytes: u64) -> Result<()> {
        let n_bytes = self.null_bytes.get().saturating_add(n_bytes);
        self.null_bytes.set(n_bytes);
        if n_bytes <= self.max_null_bytes {
            Ok(())
        } else {
            Err(SerdeErrorKind::TooManyNulls { max_bytes: self.max_null_bytes }.into())
        }
    }

    /// What becomes of a field that the schema does not have.
    #[cold]
    fn unknown(&self, name: &str) -> Result<()> {
        match self.unknown {
            UnknownFields::Ignore => Ok(()),
            UnknownFields::Refuse => Err(SerdeErrorKind::UnknownField { name: start_of(name) }.into()),
        }
    }
}

/// How much of a name is kept in an error, in bytes.
const MAX_NAME_BYTES: usize = 64;

fn start_of(name: &str) -> Box<str> {
    name.get(..name.floor_char_boundary(MAX_NAME_BYTES)).unwrap_or_default().into()
}
