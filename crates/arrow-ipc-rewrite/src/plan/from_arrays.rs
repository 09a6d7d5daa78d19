//! Computes the shapes of batches from the headers that a writer would write.

use arrow_data::{ArrayData, ChildLen, RecordBatch, Role};
use arrow_ipc_format::{
    MetadataVersion,
    columns::{Columns, ExtraValidity},
};

use super::shape::{BatchShape, ColumnShape};
use arrow_ipc::{IpcError, Result, message::BatchLayout};

impl BatchShape {
    /// The shape of a batch that is written with the default options. The function is fast, since it reads only null
    /// counts, first and last offsets, and views. [`try_from_values`](BatchShape::try_from_values) returns the shape of
    /// a dictionary.
    ///
    /// ```
    /// use arrow_array::Utf8Array;
    /// use arrow_data::RecordBatch;
    /// use arrow_ipc_rewrite::plan::{BatchShape, ColumnShape};
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
        shape_of(&BatchLayout::try_from_batch(batch)?)
    }

    /// The shape of a dictionary with these values. [`try_from_batch`](BatchShape::try_from_batch) does not include
    /// dictionaries.
    ///
    /// # Errors
    /// If [`try_from_batch`](BatchShape::try_from_batch) would fail for a batch with this column.
    pub fn try_from_values(values: &ArrayData) -> Result<BatchShape> {
        BatchShape::try_from_batch(&RecordBatch::try_from_columns([("", values.clone())])?)
    }
}

/// Extracts the numbers that do not follow from the types of the columns.
fn shape_of(layout: &BatchLayout) -> Result<BatchShape> {
    let columns = &layout.columns().batch;
    let header = layout.header();
    let mut entries = ListEntries {
        nodes: header.nodes().iter(),
        buffers: header.buffers().iter(),
        counts: header.variadic_counts().iter(),
    };
    let shapes = columns.roots().iter().map(|root| Ok(entries.column(columns, *root)?.1));
    let shapes = shapes.collect::<Result<Vec<ColumnShape>>>()?;
    Ok(BatchShape::new(header.n_rows()).with_columns(shapes))
}

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
        let [n_slots, null_count] = *self.nodes.next().ok_or_else(missing)?;
        let n_slots = number(n_slots)?;
        let null_count = number(null_count)?;
        let mut n_variadic = 0;
        if column.layout.is_variadic() {
            n_variadic = usize::try_from(*self.counts.next().ok_or_else(missing)?).map_err(|_| missing())?;
        }
        let mut n_bytes = 0;
        let mut data_buffers = Vec::new();
        for (role, _) in column.buffers(ExtraValidity::specified(MetadataVersion::V5), n_variadic) {
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
        let null_count = if column.layout.has_validity() { null_count } else { 0 };
        Ok((n_slots, shape.with_nulls(null_count)))
    }
}

fn number(number: i64) -> Result<u64> {
    u64::try_from(number).map_err(|_| missing())
}

fn missing() -> IpcError {
    IpcError::internal("the arrays do not match their columns")
}
