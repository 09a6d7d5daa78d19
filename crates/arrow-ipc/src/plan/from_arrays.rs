//! Computes the shapes of batches, and the lengths of their messages, with the functions that encode arrays.

use arrow_data::{ArrayData, ChildLen, RecordBatch, Role};
use arrow_schema::{Metadata, Schema};
use arrow_select::Unused;

use super::shape::{BatchShape, ColumnShape};
use crate::{
    batch::{EncodeRules, encode},
    dictionary::IndexMaps,
    error::{IpcError, Result},
    segment::encoded::MessageSize,
};
use arrow_ipc_format::{
    BatchHeaderBuilder, IpcSchema, Limits, MetadataEncoder, MetadataVersion, check_readable,
    columns::{Columns, ExtraValidity, SchemaColumns},
};

impl BatchShape {
    /// The shape of a batch that is written with the default options. The function is fast, since it reads only null
    /// counts, first and last offsets, and views. [`try_from_values`](BatchShape::try_from_values) returns the shape of
    /// a dictionary.
    ///
    /// ```
    /// use arrow_array::Utf8Array;
    /// use arrow_data::RecordBatch;
    /// use arrow_ipc::plan::{BatchShape, ColumnShape};
    ///
    /// let names = Utf8Array::try_from_iter([Some("ada"), None, Some("grace")])?;
    /// let batch = RecordBatch::try_from_columns([("name", names.into())])?;
    /// let shape = BatchShape::new(3).with_columns([ColumnShape::bytes(8).with_nulls(1)]);
    /// assert_eq!(BatchShape::try_from_batch(&batch)?, shape);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// If writing the batch would fail: types are nested too deep, or the batch has a slice of an unchecked array that
    /// is invalid.
    pub fn try_from_batch(batch: &RecordBatch) -> Result<BatchShape> {
        ArrayLists::of_batch(batch)?.shape()
    }

    /// The shape of a dictionary with these values. [`try_from_batch`](BatchShape::try_from_batch) does not include
    /// dictionaries.
    ///
    /// # Errors
    /// If [`try_from_batch`](BatchShape::try_from_batch) would fail for a batch with this column.
    pub fn try_from_values(values: &ArrayData) -> Result<BatchShape> {
        let schema = Schema::new([arrow_schema::Field::new("", values.data_type().clone())]);
        ArrayLists::of(&schema, std::slice::from_ref(values), values.len())?.shape()
    }
}

/// The exact length of the message that a writer with default options writes for a batch without custom metadata.
/// Dictionary messages are not included. The function is fast: it reads only null counts, first and last offsets, and
/// views. The length of a compressed message cannot be computed.
///
/// # Errors
/// If writing the batch would fail: types are nested too deep, or the batch has a slice of an unchecked array that is
/// invalid.
///
/// ```
/// use arrow_data::{ArrayData, RecordBatch};
/// use arrow_ipc::{StreamEncoder, WriteOptions, plan::batch_message_size};
/// use arrow_schema::DataType;
///
/// let batch = RecordBatch::try_from_columns([("id", ArrayData::new_empty(&DataType::Int64))])?;
/// let mut encoder = StreamEncoder::try_new(batch.schema(), WriteOptions::default())?;
/// encoder.start()?;
/// assert_eq!(batch_message_size(&batch)?.n_bytes(), encoder.encode(&batch)?.n_bytes());
/// # Ok::<(), arrow_ipc::IpcError>(())
/// ```
pub fn batch_message_size(batch: &RecordBatch) -> Result<MessageSize> {
    let lists = ArrayLists::of_batch(batch)?.lists;
    let n_metadata_bytes =
        MetadataEncoder::default().batch_metadata(None, &lists, &Metadata::new())?.n_bytes() as u64;
    Ok(MessageSize::new(n_metadata_bytes, lists.n_body_bytes()))
}

/// The nodes and buffers of the message that a writer would write for some arrays.
#[derive(Debug)]
struct ArrayLists {
    columns: SchemaColumns,
    lists: BatchHeaderBuilder,
}

impl ArrayLists {
    fn of_batch(batch: &RecordBatch) -> Result<ArrayLists> {
        ArrayLists::of(batch.schema(), batch.columns(), batch.n_rows())
    }

    fn of(schema: &Schema, arrays: &[ArrayData], n_rows: usize) -> Result<ArrayLists> {
        check_readable(schema, Limits::default().max_fields())?;
        let columns = SchemaColumns::try_new(&IpcSchema::from(schema.clone()))?;
        let mut lists = BatchHeaderBuilder::default();
        lists.begin(n_rows as u64);
        let rules = EncodeRules { version: VERSION, maps: IndexMaps::NONE, unused_items: Unused::Bounded };
        encode(&columns.batch, arrays, rules, &mut lists)?;
        lists.end_body();
        lists.wire_body_bytes()?;
        Ok(ArrayLists { columns, lists })
    }

    /// Extracts the numbers that do not follow from the types of the columns.
    fn shape(&self) -> Result<BatchShape> {
        let columns = &self.columns.batch;
        let mut entries = ListEntries {
            nodes: self.lists.nodes().iter(),
            buffers: self.lists.buffers().iter(),
            counts: self.lists.variadic_counts().iter(),
        };
        let shapes = columns.roots().iter().map(|root| Ok(entries.column(columns, *root)?.1));
        let shapes = shapes.collect::<Result<Vec<ColumnShape>>>()?;
        Ok(BatchShape::new(self.lists.n_rows()).with_columns(shapes))
    }
}

/// The metadata version for `ArrayLists`. Shapes are the same for each version.
const VERSION: MetadataVersion = MetadataVersion::V5;

/// Iterates over the nodes, buffers and variadic counts of lists.
struct ListEntries<'a> {
    nodes: std::slice::Iter<'a, [i64; 2]>,
    buffers: std::slice::Iter<'a, [i64; 2]>,
    counts: std::slice::Iter<'a, i64>,
}

impl ListEntries<'_> {
    /// Reads the entries of a column and its children. Returns the number of slots of the column, and its shape.
    fn column(&mut self, columns: &Columns, position: usize) -> Result<(u64, ColumnShape)> {
        let column = columns.at(position);
        let [n_slots, n_nulls] = *self.nodes.next().ok_or_else(missing)?;
        let (n_slots, n_nulls) = (number(n_slots)?, number(n_nulls)?);
        let n_variadic = match column.layout.is_variadic() {
            true => usize::try_from(*self.counts.next().ok_or_else(missing)?).map_err(|_| missing())?,
            false => 0,
        };
        let (mut n_bytes, mut data_buffers) = (0, Vec::new());
        for (role, _) in column.buffers(ExtraValidity::specified(VERSION), n_variadic) {
            let [_, length] = *self.buffers.next().ok_or_else(missing)?;
            match role {
                Role::Bytes => n_bytes = number(length)?,
                Role::Variadic => data_buffers.push(number(length)?),
                Role::Validity | Role::Values | Role::Offsets | Role::Sizes | Role::TypeIds | Role::Views => {
                }
            }
        }
        let mut children = Vec::new();
        for child in columns.children(position) {
            let (n_child_slots, shape) = self.column(columns, child)?;
            children.push(match column.layout.child_len() {
                ChildLen::NoChildren | ChildLen::SameAsParent => shape,
                ChildLen::Times(size) if Some(n_child_slots) == n_slots.checked_mul(size.into()) => shape,
                ChildLen::Times(_) | ChildLen::FromData | ChildLen::Runs => shape.with_n_slots(n_child_slots),
            });
        }
        let shape = ColumnShape::bytes(n_bytes).with_data_buffers(data_buffers).with_children(children);
        // All slots of the null type are null, so the shape does not state their number.
        let n_nulls = if column.layout.has_validity() { n_nulls } else { 0 };
        Ok((n_slots, shape.with_nulls(n_nulls)))
    }
}

fn number(number: i64) -> Result<u64> {
    u64::try_from(number).map_err(|_| missing())
}

fn missing() -> IpcError {
    IpcError::internal("the lists of arrays do not fit their columns")
}
