//! Shapes: the number of slots and nulls of each column of a batch, and the length of data of variable length.

use arrow_schema::Metadata;

/// The maximum number of columns for which default shapes are stored because a later column is described. Readers
/// accept fewer columns in a schema by default.
const MAX_COLUMNS: usize = 1 << 20;

/// The shape of a record batch, or of the values of a dictionary: all lengths from which the layout of the message follows.
///
/// Columns without a description have no nulls and no data of variable length, which is right for columns of fixed
/// width without nulls. The values of a dictionary are a batch of one column. The shape is compared with the schema
/// when it is [pushed](crate::plan::PlanBuilder::push).
///
/// ```
/// use arrow_ipc::{WriteOptions, plan::{BatchShape, ColumnShape, FilePlan}};
/// use arrow_schema::Schema;
///
/// let schema: Schema = "id: int64\nname: utf8\ntags: list<item: utf8>".parse()?;
/// let shape = BatchShape::new(1_000)
///     .with_column(1, ColumnShape::bytes(12_345).with_nulls(7))
///     .with_column(2, ColumnShape::list(3_000, ColumnShape::bytes(9_000)));
/// let mut plan = FilePlan::builder(schema, WriteOptions::default())?;
/// plan.push(&shape, 20_000)?;
/// assert_eq!(plan.finish()?.n_batches(), 20_000);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash)]
pub struct BatchShape {
    n_rows: u64,
    columns: Vec<ColumnShape>,
    /// The number of described columns, if it is greater than the number of stored columns.
    n_columns_claimed: u64,
    metadata: Metadata,
}

/// The shape of a column, or of a child.
///
/// There is a constructor for each kind of layout. A child has its own shape. The length of the child follows from the
/// parent, except in lists, dense unions and runs. There, the constructor of the parent sets the length of the child.
///
/// ```
/// use arrow_ipc::plan::ColumnShape;
///
/// // 3 of the slots are null, and the bytes of all others together are 100.
/// let names = ColumnShape::bytes(100).with_nulls(3);
/// assert_eq!((names.n_nulls(), names.n_bytes()), (3, 100));
/// // A map has 40 entries, with the fields of the entries below them.
/// let map = ColumnShape::list(40, ColumnShape::nested([ColumnShape::bytes(80), ColumnShape::new()]));
/// assert_eq!(map.children()[0].n_slots(), Some(40));
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash)]
pub struct ColumnShape {
    n_slots: Option<u64>,
    n_nulls: u64,
    n_bytes: u64,
    data_buffers: Vec<u64>,
    children: Vec<ColumnShape>,
}

impl BatchShape {
    /// A batch of `n_rows` rows. Its columns have no nulls and no data of variable length.
    pub fn new(n_rows: u64) -> BatchShape {
        BatchShape { n_rows, ..BatchShape::default() }
    }

    /// Describes the first columns, in their order. All other columns then have no nulls and no data of variable length.
    #[must_use]
    pub fn with_columns(self, columns: impl IntoIterator<Item = ColumnShape>) -> BatchShape {
        BatchShape { columns: columns.into_iter().collect(), n_columns_claimed: 0, ..self }
    }

    /// Describes one column, by its position. If `column_idx` is 1,048,576 or more, the shape is refused when it is
    /// [pushed](crate::plan::PlanBuilder::push), like a shape with more columns than the schema. To describe that many
    /// columns, call [`with_columns`](BatchShape::with_columns).
    #[must_use]
    pub fn with_column(mut self, column_idx: usize, column: ColumnShape) -> BatchShape {
        if column_idx >= MAX_COLUMNS && column_idx >= self.columns.len() {
            let n_columns = (column_idx as u64).saturating_add(1);
            return BatchShape { n_columns_claimed: self.n_columns_claimed.max(n_columns), ..self };
        }
        if self.columns.len() <= column_idx {
            self.columns.resize(column_idx.saturating_add(1), ColumnShape::FLAT);
        }
        if let Some(place) = self.columns.get_mut(column_idx) {
            *place = column;
        }
        self
    }

    /// Sets the custom metadata of the message.
    #[must_use]
    pub fn with_metadata(self, metadata: Metadata) -> BatchShape {
        BatchShape { metadata, ..self }
    }

    /// The number of rows of the batch, or of values of the dictionary.
    pub fn n_rows(&self) -> u64 {
        self.n_rows
    }

    /// The minimum number of columns that the schema must have.
    pub(super) fn n_columns(&self) -> u64 {
        self.n_columns_claimed.max(self.columns.len() as u64)
    }

    /// The described columns, from the first column to the last described one.
    pub fn columns(&self) -> &[ColumnShape] {
        &self.columns
    }

    /// The custom metadata of the message.
    pub fn metadata(&self) -> &Metadata {
        &self.metadata
    }
}

impl ColumnShape {
    pub(super) const FLAT: ColumnShape =
        ColumnShape { n_slots: None, n_nulls: 0, n_bytes: 0, data_buffers: Vec::new(), children: Vec::new() };

    /// A column without nulls that has values of fixed width, indices of a dictionary, or no buffers.
    pub fn new() -> ColumnShape {
        ColumnShape::FLAT
    }

    /// A binary or utf8 column, with the total length of its values in bytes.
    pub fn bytes(n_bytes: u64) -> ColumnShape {
        ColumnShape { n_bytes, ..ColumnShape::FLAT }
    }

    /// A column of views, with the length of each data buffer in bytes. Values of up to 12 bytes need no data buffer.
    pub fn views(data_buffers: impl IntoIterator<Item = u64>) -> ColumnShape {
        ColumnShape { data_buffers: data_buffers.into_iter().collect(), ..ColumnShape::FLAT }
    }

    /// A column of lists, list views or maps, with the total number of items, and the shape of the items.
    pub fn list(n_items: u64, item: ColumnShape) -> ColumnShape {
        ColumnShape::nested([item.with_n_slots(n_items)])
    }

    /// A column of structs, a sparse union or fixed-size lists, with the shapes of the children.
    pub fn nested(children: impl IntoIterator<Item = ColumnShape>) -> ColumnShape {
        ColumnShape { children: children.into_iter().collect(), ..ColumnShape::FLAT }
    }

    /// A dense union, with the number of slots and the shape of each child.
    pub fn dense_union(children: impl IntoIterator<Item = (u64, ColumnShape)>) -> ColumnShape {
        ColumnShape::nested(children.into_iter().map(|(n_slots, child)| child.with_n_slots(n_slots)))
    }

    /// A run-end encoded column, with the number of runs and the shape of their values.
    pub fn runs(n_runs: u64, values: ColumnShape) -> ColumnShape {
        ColumnShape::nested([ColumnShape::FLAT.with_n_slots(n_runs), values.with_n_slots(n_runs)])
    }

    pub(super) fn with_data_buffers(self, data_buffers: Vec<u64>) -> ColumnShape {
        ColumnShape { data_buffers, ..self }
    }

    pub(super) fn with_children(self, children: Vec<ColumnShape>) -> ColumnShape {
        ColumnShape { children, ..self }
    }

    /// Sets the number of null slots. Without nulls there is no validity buffer.
    #[must_use]
    pub fn with_nulls(self, n_nulls: u64) -> ColumnShape {
        ColumnShape { n_nulls, ..self }
    }

    /// Sets the number of slots of a child. The child of a fixed-size list may have more slots than its parent needs.
    #[must_use]
    pub fn with_n_slots(self, n_slots: u64) -> ColumnShape {
        ColumnShape { n_slots: Some(n_slots), ..self }
    }

    /// The number of slots; `None` if it follows from the parent or from the number of rows.
    pub fn n_slots(&self) -> Option<u64> {
        self.n_slots
    }

    /// The number of null slots.
    pub fn n_nulls(&self) -> u64 {
        self.n_nulls
    }

    /// The total length of the binary or utf8 values, in bytes.
    pub fn n_bytes(&self) -> u64 {
        self.n_bytes
    }

    /// The lengths of the data buffers of views, in bytes.
    pub fn data_buffers(&self) -> &[u64] {
        &self.data_buffers
    }

    /// The shapes of the children. If the list is empty, all children have the shape of [`ColumnShape::new`].
    pub fn children(&self) -> &[ColumnShape] {
        &self.children
    }
}
