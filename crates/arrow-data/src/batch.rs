//! Columns of equal length, with their schema.

use std::sync::Arc;

use arrow_buffer::AllocationSet;
use arrow_schema::{Field, LookupError, Schema};

use crate::{array::ArrayData, columns, error::DataError, positions::check_range};

/// A record batch: the columns of a schema, all with the same number of rows.
///
/// Cloning, slicing and projecting share all data. `==` compares names, types and values;
/// [`same_values`](RecordBatch::same_values) compares only names and values, and returns an error if content is invalid.
/// `{:?}` shows the first values as they are stored; to print rows as a table, use `BatchTable` of `arrow-text`.
///
/// ```
/// use arrow_buffer::Buffer;
/// use arrow_data::{ArrayData, ArrayParts, RecordBatch};
/// use arrow_schema::{DataType, Field, Schema};
///
/// let ids = ArrayData::try_new(ArrayParts {
///     buffers: [Buffer::from(vec![7i64, 8, 9]), Buffer::new()],
///     ..ArrayParts::new(DataType::Int64, 3)
/// })?;
/// let schema = Schema::new([Field::new("id", DataType::Int64).required()]);
/// let batch = RecordBatch::try_new(schema, [ids])?;
/// assert_eq!((batch.n_rows(), batch.n_columns()), (3, 1));
/// assert_eq!(batch.slice(1, 2).column("id")?.len(), 2);
/// assert!(batch.try_slice(2, 2).is_err());
/// assert_eq!(batch.n_bytes(), 24);
/// # Ok::<(), arrow_data::DataError>(())
/// ```
#[derive(Clone)]
pub struct RecordBatch {
    schema: Arc<Schema>,
    columns: Arc<Vec<ArrayData>>,
    n_rows: usize,
}

impl RecordBatch {
    /// Makes a batch from a schema and one column for each field. A batch without columns has no rows.
    ///
    /// Nulls in a field that is not nullable are accepted: [`validate`](RecordBatch::validate) finds them at
    /// [`Validation::Strict`](crate::Validation::Strict).
    ///
    /// # Errors
    /// If the number or the types of the columns do not fit the schema, or lengths differ. The error names the first
    /// difference.
    pub fn try_new(
        schema: impl Into<Arc<Schema>>,
        columns: impl Into<Vec<ArrayData>>,
    ) -> Result<RecordBatch, DataError> {
        let columns: Vec<ArrayData> = columns.into();
        let n_rows = columns.first().map_or(0, ArrayData::len);
        RecordBatch::try_new_with_rows(schema, columns, n_rows)
    }

    /// Like [`try_new`](RecordBatch::try_new), but takes the number of rows, for batches without columns.
    ///
    /// # Errors
    /// The errors of [`try_new`](RecordBatch::try_new).
    pub fn try_new_with_rows(
        schema: impl Into<Arc<Schema>>,
        columns: impl Into<Vec<ArrayData>>,
        n_rows: usize,
    ) -> Result<RecordBatch, DataError> {
        RecordBatch::from_shared(schema.into(), Arc::new(columns.into()), n_rows)
    }

    fn from_shared(
        schema: Arc<Schema>,
        columns: Arc<Vec<ArrayData>>,
        n_rows: usize,
    ) -> Result<RecordBatch, DataError> {
        columns::check(&schema, columns.iter().map(|column| (column.data_type(), column.len())), n_rows)?;
        Ok(RecordBatch { schema, columns, n_rows })
    }

    /// Makes a batch of named columns. All fields of its schema are nullable.
    ///
    /// # Errors
    /// If the columns differ in length.
    ///
    /// ```
    /// use arrow_data::{ArrayData, RecordBatch};
    /// use arrow_schema::DataType;
    ///
    /// let batch = RecordBatch::try_from_columns([("id", ArrayData::new_empty(&DataType::Int64))])?;
    /// assert_eq!(batch.schema().to_string(), "id: int64");
    /// # Ok::<(), arrow_data::DataError>(())
    /// ```
    pub fn try_from_columns<N: Into<Arc<str>>>(
        columns: impl IntoIterator<Item = (N, ArrayData)>,
    ) -> Result<RecordBatch, DataError> {
        let (fields, columns): (Vec<Field>, Vec<ArrayData>) = columns
            .into_iter()
            .map(|(name, column)| (Field::new(name, column.data_type().clone()), column))
            .unzip();
        RecordBatch::try_new(Schema::new(fields), columns)
    }

    /// The names, types, nullability and metadata of the columns.
    pub fn schema(&self) -> &Arc<Schema> {
        &self.schema
    }

    /// The number of rows. A batch without columns may have rows, too.
    pub fn n_rows(&self) -> usize {
        self.n_rows
    }

    /// The number of columns. Children of columns do not count.
    pub fn n_columns(&self) -> usize {
        self.columns.len()
    }

    /// All columns, in the order of the schema.
    pub fn columns(&self) -> &[ArrayData] {
        &self.columns
    }

    pub(crate) fn columns_mut(&mut self) -> &mut [ArrayData] {
        Arc::<Vec<ArrayData>>::make_mut(&mut self.columns).as_mut_slice()
    }

    /// The column at a position; `None` if out of bounds.
    pub fn column_at(&self, position: usize) -> Option<&ArrayData> {
        self.columns.get(position)
    }

    /// The column with this name.
    ///
    /// # Errors
    /// If no column has the name, or several columns have it.
    pub fn column(&self, name: &str) -> Result<&ArrayData, LookupError> {
        let position = self.schema.index_of(name)?;
        self.columns.get(position).ok_or_else(|| LookupError::Missing { name: name.into() })
    }

    /// The rows `start..start + n_rows`, sharing all data.
    ///
    /// # Panics
    /// If the range is out of bounds, as for a slice of a `[T]`; [`try_slice`](RecordBatch::try_slice) does not panic.
    #[must_use]
    pub fn slice(&self, start: usize, n_rows: usize) -> RecordBatch {
        self.try_slice(start, n_rows).unwrap_or_else(|error| panic!("{error}"))
    }

    /// Like [`slice`](RecordBatch::slice), but returns an error if the rows are out of bounds. Use it if the numbers come
    /// from an input.
    ///
    /// # Errors
    /// If the range is out of bounds.
    pub fn try_slice(&self, start: usize, n_rows: usize) -> Result<RecordBatch, DataError> {
        check_range(start, n_rows, self.n_rows)?;
        let columns = self.columns.iter().map(|column| column.slice(start, n_rows)).collect();
        Ok(RecordBatch { schema: Arc::clone(&self.schema), columns: Arc::new(columns), n_rows })
    }

    /// The number of bytes in all buffers of the columns; see [`ArrayData::n_bytes`].
    pub fn n_bytes(&self) -> u64 {
        self.columns.iter().map(ArrayData::n_bytes).fold(0, u64::saturating_add)
    }

    /// The number of bytes of memory that stay allocated as long as this batch lives; see [`ArrayData::n_held_bytes`].
    pub fn n_held_bytes(&self) -> u64 {
        let mut allocations = AllocationSet::new();
        self.add_allocations(&mut allocations);
        allocations.n_bytes()
    }

    /// Adds the allocations of all columns to a set. With one set for several batches, memory that they share counts once.
    ///
    /// ```
    /// use arrow_buffer::{AllocationSet, Buffer};
    /// use arrow_data::{ArrayData, ArrayParts, RecordBatch};
    /// use arrow_schema::DataType;
    ///
    /// let ids = ArrayData::try_new(ArrayParts {
    ///     buffers: [Buffer::from(vec![0_i64; 1_000]), Buffer::new()],
    ///     ..ArrayParts::new(DataType::Int64, 1_000)
    /// })?;
    /// let batch = RecordBatch::try_from_columns([("id", ids)])?;
    /// let mut allocations = AllocationSet::new();
    /// for start in [0, 500] {
    ///     batch.slice(start, 500).add_allocations(&mut allocations);
    /// }
    /// assert_eq!(allocations.n_bytes(), 8_000);
    /// # Ok::<(), arrow_data::DataError>(())
    /// ```
    pub fn add_allocations(&self, allocations: &mut AllocationSet) {
        self.columns.iter().for_each(|column| column.add_allocations(allocations));
    }

    /// Returns a batch of the columns at these positions, in the given order. Copies no data.
    ///
    /// # Errors
    /// If a position is out of bounds.
    pub fn project(&self, positions: &[usize]) -> Result<RecordBatch, LookupError> {
        let schema = Arc::new(self.schema.project(positions)?);
        let columns = positions.iter().filter_map(|position| self.columns.get(*position).cloned()).collect();
        Ok(RecordBatch { schema, columns: Arc::new(columns), n_rows: self.n_rows })
    }

    /// Replaces the schema and keeps the columns. The new schema may have other names, metadata and nullability. Fields
    /// inside a column keep their names and nullability, which are part of its type; their metadata may change.
    ///
    /// If a column is no longer nullable, only strict [validation](RecordBatch::validate) checks that it has no nulls.
    ///
    /// # Errors
    /// If the number of columns or a type differs.
    ///
    /// ```
    /// use arrow_data::{ArrayData, RecordBatch};
    /// use arrow_schema::{DataType, Schema};
    ///
    /// let batch = RecordBatch::try_from_columns([("id", ArrayData::new_empty(&DataType::Int64))])?;
    /// let renamed = batch.with_schema("key: int64 not null".parse::<Schema>()?)?;
    /// assert!(renamed.column("key").is_ok());
    /// assert!(batch.with_schema("id: int32".parse::<Schema>()?).is_err());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn with_schema(&self, schema: impl Into<Arc<Schema>>) -> Result<RecordBatch, DataError> {
        RecordBatch::from_shared(schema.into(), Arc::clone(&self.columns), self.n_rows)
    }

    /// Replaces the column with the name of `field`, or adds the column at the end if there is none. Shares all data. Like
    /// [`try_new`](RecordBatch::try_new), it accepts nulls in a field that is not nullable.
    ///
    /// # Errors
    /// If several columns have the name. If the column does not have the type of the field, or the length of the batch.
    ///
    /// ```
    /// use arrow_buffer::Buffer;
    /// use arrow_data::{ArrayData, ArrayParts, RecordBatch};
    /// use arrow_schema::{DataType, Field};
    ///
    /// let ids = ArrayData::try_new(ArrayParts {
    ///     buffers: [Buffer::from(vec![7i64, 8]), Buffer::new()],
    ///     ..ArrayParts::new(DataType::Int64, 2)
    /// })?;
    /// let batch = RecordBatch::try_from_columns([("id", ids.clone())])?;
    /// let batch = batch.with_column(Field::new("copy", DataType::Int64), ids)?;
    /// assert_eq!(batch.schema().to_string(), "id: int64\ncopy: int64");
    /// assert_eq!(batch.without_column("id")?.schema().to_string(), "copy: int64");
    /// # Ok::<(), arrow_data::DataError>(())
    /// ```
    pub fn with_column(&self, field: Field, column: impl Into<ArrayData>) -> Result<RecordBatch, DataError> {
        let (schema, columns) = columns::with_column(&self.schema, &self.columns, field, column.into())?;
        RecordBatch::try_new_with_rows(schema, columns, self.n_rows)
    }

    /// The batch without the column of this name, sharing all data. A batch that loses its last column keeps its number
    /// of rows.
    ///
    /// # Errors
    /// If no column has the name, or several columns have it.
    pub fn without_column(&self, name: &str) -> Result<RecordBatch, LookupError> {
        let position = self.schema().index_of(name)?;
        let others: Vec<usize> = (0..self.n_columns()).filter(|other| *other != position).collect();
        self.project(&others)
    }

    /// The values at a path that is written as text, such as `address.zip`. [`Schema::path`] describes the text, and
    /// [`at_path`](RecordBatch::at_path) the values.
    ///
    /// # Errors
    /// The errors of [`Schema::path`] and [`at_path`](RecordBatch::at_path).
    ///
    /// ```
    /// use arrow_data::{ArrayData, RecordBatch};
    /// use arrow_schema::{DataType, Field};
    ///
    /// let address = DataType::struct_([Field::new("zip", DataType::Int32)]);
    /// let batch = RecordBatch::try_from_columns([("address", ArrayData::new_empty(&address))])?;
    /// assert_eq!(batch.column_by_path("address.zip")?.data_type(), &DataType::Int32);
    /// let error = batch.column_by_path("address.city").unwrap_err();
    /// assert_eq!(error.to_string(), r#"in address: no field is named "city""#);
    /// # Ok::<(), arrow_data::DataError>(())
    /// ```
    pub fn column_by_path(&self, path: &str) -> Result<ArrayData, DataError> {
        self.at_path(&self.schema().path(path)?)
    }
}
