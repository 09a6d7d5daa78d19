//! Shapes: the numbers of slots and nulls and the lengths of data of variable length of the columns of a batch.

use arrow_schema::Metadata;

/// The smallest index for which `with_column` stores no shape, unless the column has a shape already. By default,
/// readers accept fewer columns in a schema.
const MAX_COLUMNS: usize = 1 << 20;

/// The shape of a record batch, or of the values of a dictionary: all lengths that determine the layout of the message.
///
/// A column that you do not describe has no nulls and no data of variable length. A dictionary is described as a batch
/// with one column. [`push`](crate::plan::PlanBuilder::push) checks the shape against the schema.
///
/// ```
/// use arrow_ipc::WrittenContainer;
/// use arrow_ipc_rewrite::plan::{BatchShape, ColumnShape, Plan, PlanBuilder};
/// use arrow_schema::Schema;
///
/// let schema: Schema = "id: int64\nname: utf8\ntags: list<item: utf8>".parse()?;
/// let shape = BatchShape::new(1_000)
///     .with_column(1, ColumnShape::bytes(12_345).with_nulls(7))
///     .with_column(2, ColumnShape::list(3_000, ColumnShape::bytes(9_000)));
/// let mut plan = PlanBuilder::try_new(schema, WrittenContainer::File)?;
/// plan.push(&shape, 20_000)?;
/// assert_eq!(plan.finish()?.n_batches(), 20_000);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash)]
pub struct BatchShape {
    n_rows: u64,
    columns: Vec<ColumnShape>,
    /// The number of columns that were described, if it is greater than the number of stored shapes.
    n_columns_declared: u64,
    metadata: Metadata,
}

/// The shape of a column, or of a child.
///
/// There is a constructor for each kind of layout. Each child has its own shape. The number of slots of a child follows
/// from the parent, except in lists, dense unions and runs, where the constructor of the parent sets it.
///
/// ```
/// use arrow_ipc_rewrite::plan::ColumnShape;
///
/// // 3 of the slots are null, and the bytes of all others together are 100.
/// let names = ColumnShape::bytes(100).with_nulls(3);
/// assert_eq!((names.null_count(), names.n_bytes()), (3, 100));
/// // A map has 40 entries, with the fields of the entries below them.
/// let map = ColumnShape::list(40, ColumnShape::nested([ColumnShape::bytes(80), ColumnShape::new()]));
/// assert_eq!(map.children()[0].n_slots(), Some(40));
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash)]
pub struct ColumnShape {
    n_slots: Option<u64>,
    null_count: u64,
    n_bytes: u64,
    data_buffers: Vec<u64>,
    children: Vec<ColumnShape>,
}

impl BatchShape {
    /// A batch of `n_rows` rows. Until you describe its columns, they have no nulls and no data of variable length.
    pub fn new(n_rows: u64) -> BatchShape {
        BatchShape { n_rows, ..BatchShape::default() }
    }

    /// Describes the first columns, in the order of the schema. All other columns get no nulls and no data of variable
    /// length.
    #[must_use]
    pub fn with_columns(self, columns: impl IntoIterator<Item = ColumnShape>) -> BatchShape {
        BatchShape { columns: columns.into_iter().collect(), n_columns_declared: 0, ..self }
    }

    /// Describes one column, by its index. If `column_idx` is 1,048,576 or more,
    /// [`push`](crate::plan::PlanBuilder::push) refuses the shape, like a shape with more columns than the schema. Use
    /// [`with_columns`](BatchShape::with_columns) for that many columns.
    #[must_use]
    pub fn with_column(mut self, column_idx: usize, column: ColumnShape) -> BatchShape {
        if column_idx >= MAX_COLUMNS && column_idx >= self.columns.len() {
            let n_columns = (column_idx as u64).saturating_add(1);
            return BatchShape { n_columns_declared: self.n_columns_declared.max(n_columns), ..self };
        }
        if self.columns.len() <= column_idx {
            self.columns.resize(column_idx.saturating_add(1), ColumnShape::FLAT);
        }
        if let Some(stored) = self.columns.get_mut(column_idx) {
            *stored = column;
        }
        self
    }

    /// Sets the custom metadata of the message. Default: none.
    #[must_use]
    pub fn with_metadata(self, metadata: Metadata) -> BatchShape {
        BatchShape { metadata, ..self }
    }

    /// The number of rows of the batch, or of values of the dictionary.
    pub fn n_rows(&self) -> u64 {
        self.n_rows
    }

    /// The number of described columns: the schema must have at least as many.
    pub(super) fn n_columns(&self) -> u64 {
        self.n_columns_declared.max(self.columns.len() as u64)
    }

    /// The shapes of the columns from the first one to the last one that was described.
    pub fn columns(&self) -> &[ColumnShape] {
        &self.columns
    }

    /// The custom metadata of the message; empty if none was set.
    pub fn metadata(&self) -> &Metadata {
        &self.metadata
    }
}

impl ColumnShape {
    pub(super) const FLAT: ColumnShape = ColumnShape {
        n_slots: None,
        null_count: 0,
        n_bytes: 0,
        data_buffers: Vec::new(),
        children: Vec::new(),
    };

    /// A column without nulls: values of fixed width, dictionary indices, or a type without buffers.
    pub fn new() -> ColumnShape {
        ColumnShape::FLAT
    }

    /// A binary or utf8 column. `n_bytes` is the total length of its values.
    pub fn bytes(n_bytes: u64) -> ColumnShape {
        ColumnShape { n_bytes, ..ColumnShape::FLAT }
    }

    /// A column of views, with the length of each data buffer in bytes. Values of up to 12 bytes are in the view itself
    /// and need no data buffer.
    pub fn views(data_buffers: impl IntoIterator<Item = u64>) -> ColumnShape {
        ColumnShape { data_buffers: data_buffers.into_iter().collect(), ..ColumnShape::FLAT }
    }

    /// A column of lists, list views or maps. `n_items` is the total number of items in all lists.
    pub fn list(n_items: u64, item: ColumnShape) -> ColumnShape {
        ColumnShape::nested([item.with_n_slots(n_items)])
    }

    /// A column of structs, sparse unions or fixed-size lists, with the shapes of the children.
    pub fn nested(children: impl IntoIterator<Item = ColumnShape>) -> ColumnShape {
        ColumnShape { children: children.into_iter().collect(), ..ColumnShape::FLAT }
    }

    /// A dense union. Each child has its own number of slots.
    pub fn dense_union(children: impl IntoIterator<Item = (u64, ColumnShape)>) -> ColumnShape {
        ColumnShape::nested(children.into_iter().map(|(n_slots, child)| child.with_n_slots(n_slots)))
    }

    /// A run-end encoded column with `n_runs` runs. `values` is the shape of their values.
    pub fn runs(n_runs: u64, values: ColumnShape) -> ColumnShape {
        ColumnShape::nested([ColumnShape::FLAT.with_n_slots(n_runs), values.with_n_slots(n_runs)])
    }

    pub(super) fn with_data_buffers(self, data_buffers: Vec<u64>) -> ColumnShape {
        ColumnShape { data_buffers, ..self }
    }

    pub(super) fn with_children(self, children: Vec<ColumnShape>) -> ColumnShape {
        ColumnShape { children, ..self }
    }

    /// Sets the number of null slots. If it is 0, the validity buffer is empty.
    #[must_use]
    pub fn with_nulls(self, null_count: u64) -> ColumnShape {
        ColumnShape { null_count, ..self }
    }

    /// Sets the number of slots, for a child. The child of a fixed-size list may have more slots than its parent needs.
    #[must_use]
    pub fn with_n_slots(self, n_slots: u64) -> ColumnShape {
        ColumnShape { n_slots: Some(n_slots), ..self }
    }

    /// The number of slots; `None` if it follows from the parent or the number of rows.
    pub fn n_slots(&self) -> Option<u64> {
        self.n_slots
    }

    /// The number of null slots; 0 by default.
    pub fn null_count(&self) -> u64 {
        self.null_count
    }

    /// The total length of the binary or utf8 values, in bytes; 0 for other types.
    pub fn n_bytes(&self) -> u64 {
        self.n_bytes
    }

    /// The length of each data buffer of views, in bytes; empty for other types.
    pub fn data_buffers(&self) -> &[u64] {
        &self.data_buffers
    }

    /// The shapes of the children. If the list is empty, all children have the shape [`ColumnShape::new`].
    pub fn children(&self) -> &[ColumnShape] {
        &self.children
    }
}
