//! Columns of equal length with their schema. Each column has several arrays.

use std::{iter::FusedIterator, num::NonZeroUsize, sync::Arc};

use arrow_buffer::AllocationSet;
use arrow_schema::{Field, LookupError, Schema};

use crate::{
    array::{ArrayData, positions::check_range},
    batch::RecordBatch,
    chunked::ChunkedArray,
    columns,
    error::{DataError, DataErrorKind as Kind},
    validation::Validation,
};

/// A table: the columns of a schema as [`ChunkedArray`]s, all with the same number of rows.
///
/// A [`RecordBatch`] has one array for each column; a table has any number of arrays for each column, for example one
/// for each batch of a stream. The chunks of different columns may have different lengths. All methods share the data. So a
/// table of a few rows keeps the whole batches of these rows in memory. To avoid this, compact the batches first:
/// `arrow_select::Select::compact`. To print rows, use `BatchTable` of `arrow-text`.
///
/// ```
/// use arrow_buffer::Buffer;
/// use arrow_data::{ArrayData, ArrayParts, RecordBatch, Table};
/// use arrow_schema::DataType;
///
/// let batch = |ids: Vec<i64>| {
///     let parts = ArrayParts::new(DataType::Int64, ids.len());
///     let ids = ArrayData::try_new(ArrayParts { buffers: [Buffer::from(ids), Buffer::new()], ..parts })?;
///     RecordBatch::try_from_columns([("id", ids)])
/// };
/// let batches = [batch(vec![1, 2, 3])?, batch(vec![4, 5])?];
/// let table = Table::try_from_batches(batches[0].schema().clone(), batches)?;
/// assert_eq!((table.n_rows(), table.column("id")?.n_chunks()), (5, 2));
///
/// let middle = table.slice(2, 2);
/// assert_eq!(middle.batches().map(|batch| batch.n_rows()).collect::<Vec<_>>(), [1, 1]);
/// # Ok::<(), arrow_data::DataError>(())
/// ```
#[derive(Clone)]
pub struct Table {
    schema: Arc<Schema>,
    columns: Arc<[ChunkedArray]>,
    n_rows: usize,
}

impl Table {
    /// Makes a table from a schema and one column for each field. A table without columns has no rows.
    ///
    /// # Errors
    /// If the number or the types of the columns do not fit the schema, or lengths differ. The error names the first
    /// difference.
    pub fn try_new(
        schema: impl Into<Arc<Schema>>,
        columns: impl Into<Arc<[ChunkedArray]>>,
    ) -> Result<Table, DataError> {
        let columns: Arc<[ChunkedArray]> = columns.into();
        let n_rows = columns.first().map_or(0, ChunkedArray::len);
        Table::try_new_with_rows(schema, columns, n_rows)
    }

    /// Like [`try_new`](Table::try_new), but takes the number of rows, for tables without columns.
    ///
    /// # Errors
    /// The errors of [`try_new`](Table::try_new).
    pub fn try_new_with_rows(
        schema: impl Into<Arc<Schema>>,
        columns: impl Into<Arc<[ChunkedArray]>>,
        n_rows: usize,
    ) -> Result<Table, DataError> {
        let (schema, columns) = (schema.into(), columns.into());
        columns::check(&schema, columns.iter().map(|column| (column.data_type(), column.len())), n_rows)?;
        Ok(Table { schema, columns, n_rows })
    }

    /// The rows of all batches, one after the other, with this schema. If there are no batches, the table has no rows.
    /// Copies nothing. Batches without rows add no chunks.
    ///
    /// # Errors
    /// If the names, types or nullability of a batch differ from the schema, at any depth; metadata may differ. The error
    /// names the field and both sides.
    pub fn try_from_batches(
        schema: impl Into<Arc<Schema>>,
        batches: impl IntoIterator<Item = RecordBatch>,
    ) -> Result<Table, DataError> {
        let tables = batches.into_iter().map(Table::from).collect::<Vec<Table>>();
        Table::concat(schema, &tables)
    }

    /// The rows of all tables, one after the other, with this schema. If there are no tables, the result has no rows.
    /// Copies nothing.
    ///
    /// # Errors
    /// The errors of [`try_from_batches`](Table::try_from_batches).
    ///
    /// ```
    /// use arrow_data::{RecordBatch, Table};
    /// use arrow_schema::Schema;
    ///
    /// let schema: Schema = "id: int64".parse()?;
    /// let other = Table::try_from_batches("id: int32".parse::<Schema>()?, [])?;
    /// let error = Table::concat(schema, &[other]).unwrap_err();
    /// assert_eq!(error.to_string(), "field id: expected type int64, found int32");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn concat(schema: impl Into<Arc<Schema>>, tables: &[Table]) -> Result<Table, DataError> {
        let schema = schema.into();
        let mut n_rows = 0_usize;
        for table in tables {
            schema.check_same_columns(&table.schema).map_err(Kind::from)?;
            let sum = n_rows.checked_add(table.n_rows);
            n_rows = sum.ok_or(Kind::SizeOverflow { n_slots: table.n_rows as u64 })?;
        }
        let columns = columns::each(&schema, 0.., |field, position| {
            let parts = tables.iter().filter_map(|table| table.columns.get(position));
            let chunks = parts.flat_map(|part| part.chunks().iter().filter(|chunk| !chunk.is_empty()));
            let chunks: Vec<ArrayData> = chunks.cloned().collect();
            ChunkedArray::try_new(field.data_type().clone(), chunks)
        });
        let columns = columns.collect::<Result<Vec<ChunkedArray>, DataError>>()?;
        Table::try_new_with_rows(schema, columns, n_rows)
    }

    /// The names, types, nullability and metadata of the columns.
    pub fn schema(&self) -> &Arc<Schema> {
        &self.schema
    }

    /// The number of rows. A table without columns may have rows, too.
    pub fn n_rows(&self) -> usize {
        self.n_rows
    }

    /// The number of columns. Children of columns do not count.
    pub fn n_columns(&self) -> usize {
        self.columns.len()
    }

    /// All columns, in the order of the schema.
    pub fn columns(&self) -> &[ChunkedArray] {
        &self.columns
    }

    /// The column at a position; `None` if out of bounds.
    pub fn column_at(&self, position: usize) -> Option<&ChunkedArray> {
        self.columns.get(position)
    }

    /// The column with this name.
    ///
    /// # Errors
    /// If no column has the name, or several columns have it.
    pub fn column(&self, name: &str) -> Result<&ChunkedArray, LookupError> {
        let position = self.schema.index_of(name)?;
        self.columns.get(position).ok_or_else(|| LookupError::Missing { name: name.into() })
    }

    /// The rows `start..start + n_rows`, sharing all data.
    ///
    /// # Panics
    /// If the range is out of bounds, as for a slice of a `[T]`; [`try_slice`](Table::try_slice) does not panic.
    #[must_use]
    pub fn slice(&self, start: usize, n_rows: usize) -> Table {
        match self.try_slice(start, n_rows) {
            Ok(slice) => slice,
            Err(error) => panic!("{error}"),
        }
    }

    /// Like [`slice`](Table::slice), but returns an error if the rows are out of bounds. Use it if the numbers come
    /// from an input.
    ///
    /// # Errors
    /// If the range is out of bounds.
    pub fn try_slice(&self, start: usize, n_rows: usize) -> Result<Table, DataError> {
        check_range(start, n_rows, self.n_rows)?;
        let columns = self.columns.iter().map(|column| column.try_slice(start, n_rows));
        let columns = columns.collect::<Result<Arc<[ChunkedArray]>, DataError>>()?;
        Ok(Table { schema: Arc::clone(&self.schema), columns, n_rows })
    }

    /// The number of bytes of memory that stay allocated as long as this table lives; see [`ArrayData::n_held_bytes`].
    pub fn n_held_bytes(&self) -> u64 {
        let mut allocations = AllocationSet::new();
        self.add_allocations(&mut allocations);
        allocations.n_bytes()
    }

    /// Adds the allocations of all columns to a set; see [`ArrayData::add_allocations`].
    pub fn add_allocations(&self, allocations: &mut AllocationSet) {
        self.columns.iter().for_each(|column| column.add_allocations(allocations));
    }

    /// Iterates over the rows as batches. A batch ends wherever a chunk of any column ends. Copies nothing, and returns
    /// no empty batches.
    pub fn batches(&self) -> TableBatches {
        TableBatches::new(self.clone())
    }

    /// Checks all columns up to `level`. At [`Validation::Strict`], it also checks that columns that are not nullable have a
    /// value in each row, as [`RecordBatch::validate`] does.
    ///
    /// # Errors
    /// The first rule that is broken, with path, buffer and slot of the chunk or batch.
    pub fn validate(self, level: Validation) -> Result<Table, DataError> {
        let columns = columns::each(&self.schema, self.columns(), |_, column| column.clone().validate(level));
        let columns = columns.collect::<Result<Arc<[ChunkedArray]>, DataError>>()?;
        let table = Table { columns, ..self };
        if level == Validation::Strict {
            table.batches().try_for_each(|batch| batch.check_required_columns())?;
        }
        Ok(table)
    }

    /// Returns a table of the columns at these positions, in the given order.
    ///
    /// # Errors
    /// If a position is out of bounds.
    pub fn project(&self, positions: &[usize]) -> Result<Table, LookupError> {
        let schema = Arc::new(self.schema.project(positions)?);
        let columns = positions.iter().filter_map(|position| self.columns.get(*position).cloned()).collect();
        Ok(Table { schema, columns, n_rows: self.n_rows })
    }

    /// Returns a table of the columns with these names, in the given order.
    ///
    /// # Errors
    /// If no column has one of the names, or several columns have it.
    ///
    /// ```
    /// use arrow_data::Table;
    /// use arrow_schema::Schema;
    ///
    /// let table = Table::try_from_batches("id: int64\nname: utf8\nage: int8".parse::<Schema>()?, [])?;
    /// assert_eq!(table.select(&["age", "id"])?.schema().to_string(), "age: int8\nid: int64");
    /// assert_eq!(table.select(&["size"]).unwrap_err().to_string(), r#"no field is named "size""#);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn select(&self, names: &[&str]) -> Result<Table, LookupError> {
        let positions = names.iter().map(|name| self.schema.index_of(name));
        self.project(&positions.collect::<Result<Vec<usize>, LookupError>>()?)
    }

    /// Replaces the column with the name of `field`, or adds the column at the end if there is none.
    ///
    /// # Errors
    /// If several columns have the name. If the column does not have the type of the field, or the length of the table.
    pub fn with_column(&self, field: Field, column: impl Into<ChunkedArray>) -> Result<Table, DataError> {
        let (schema, columns) = columns::with_column(&self.schema, &self.columns, field, column.into())?;
        Table::try_new_with_rows(schema, columns, self.n_rows)
    }

    /// The table without the column of this name. A table that loses its last column keeps its number of rows.
    ///
    /// # Errors
    /// If no column has the name, or several columns have it.
    pub fn without_column(&self, name: &str) -> Result<Table, LookupError> {
        let position = self.schema.index_of(name)?;
        let others: Vec<usize> = (0..self.n_columns()).filter(|other| *other != position).collect();
        self.project(&others)
    }

    /// Replaces the schema and keeps the columns: see [`RecordBatch::with_schema`](crate::RecordBatch::with_schema).
    ///
    /// # Errors
    /// If the number of columns or a type differs.
    pub fn with_schema(&self, schema: impl Into<Arc<Schema>>) -> Result<Table, DataError> {
        Table::try_new_with_rows(schema, Arc::clone(&self.columns), self.n_rows)
    }

    /// Whether both tables have the same column names in the same order, and the [same values](ArrayData::same_values) in
    /// the same rows, in any layouts and chunks. `==` also compares types.
    ///
    /// # Errors
    /// If a column was unchecked and is invalid. The error names the column.
    pub fn same_values(&self, other: &Table) -> Result<bool, DataError> {
        let [names, other_names] = [self, other].map(|table| table.schema().fields().iter().map(Field::name));
        if self.n_rows() != other.n_rows() || !names.eq(other_names) {
            return Ok(false);
        }
        let columns = self.columns().iter().zip(other.columns().iter());
        let mut same = columns::each(self.schema(), columns, |_, (left, right)| left.same_values(right));
        same.find(|same| !matches!(same, Ok(true))).unwrap_or(Ok(true))
    }
}

impl TryFrom<Vec<RecordBatch>> for Table {
    type Error = DataError;

    /// The rows of all batches, one after the other, with the schema of the first batch. Copies nothing.
    ///
    /// # Errors
    /// If there are no batches, so that the schema is unknown. If the names, types or nullability of a batch differ from the
    /// first; metadata may differ.
    fn try_from(batches: Vec<RecordBatch>) -> Result<Table, DataError> {
        let first = batches.first().ok_or(Kind::NothingToConcat)?;
        Table::try_from_batches(Arc::clone(first.schema()), batches)
    }
}

impl FromIterator<RecordBatch> for Result<Table, DataError> {
    /// Collects the rows of all batches, as `Table::try_from` of a vector does.
    ///
    /// ```
    /// use arrow_data::{ArrayData, DataError, RecordBatch, Table};
    /// use arrow_schema::DataType;
    ///
    /// let batch = |name| RecordBatch::try_from_columns([(name, ArrayData::new_empty(&DataType::Int32))]);
    /// let table: Table = [batch("a")?, batch("a")?].into_iter().collect::<Result<_, DataError>>()?;
    /// assert_eq!(table.n_columns(), 1);
    /// assert!([batch("a")?, batch("b")?].into_iter().collect::<Result<Table, DataError>>().is_err());
    /// # Ok::<(), DataError>(())
    /// ```
    fn from_iter<I: IntoIterator<Item = RecordBatch>>(batches: I) -> Result<Table, DataError> {
        Table::try_from(Vec::from_iter(batches))
    }
}

impl IntoIterator for Table {
    type Item = RecordBatch;
    type IntoIter = TableBatches;

    fn into_iter(self) -> TableBatches {
        TableBatches::new(self)
    }
}

impl IntoIterator for &Table {
    type Item = RecordBatch;
    type IntoIter = TableBatches;

    fn into_iter(self) -> TableBatches {
        self.batches()
    }
}

impl From<RecordBatch> for Table {
    /// A table of one chunk for each column.
    fn from(batch: RecordBatch) -> Table {
        let columns = batch.columns().iter().cloned().map(ChunkedArray::from).collect();
        Table { columns, n_rows: batch.n_rows(), schema: Arc::clone(batch.schema()) }
    }
}

/// The rows of a [`Table`] as batches that share its data; see [`Table::batches`].
///
/// ```
/// use std::num::NonZero;
/// use arrow_data::{RecordBatch, Table};
/// use arrow_schema::Schema;
///
/// let rows = RecordBatch::try_new_with_rows(Schema::default(), [], 5)?;
/// let table = Table::from(rows);
/// let n_rows = |max_rows| -> Vec<usize> {
///     table.batches().with_max_rows(max_rows).map(|batch| batch.n_rows()).collect()
/// };
/// assert_eq!(NonZero::new(2).map(n_rows), Some(vec![2, 2, 1]));
/// # Ok::<(), arrow_data::DataError>(())
/// ```
#[derive(Debug, Clone)]
pub struct TableBatches {
    table: Table,
    /// For each column, the index of the chunk with the next row, and the slot of that row in the chunk.
    positions: Vec<(usize, usize)>,
    n_left: usize,
    max_rows: usize,
}

impl TableBatches {
    fn new(table: Table) -> TableBatches {
        let positions = vec![(0, 0); table.n_columns()];
        TableBatches { n_left: table.n_rows(), table, positions, max_rows: usize::MAX }
    }

    /// Splits the remaining batches, so that each has at most `max_rows` rows.
    #[must_use]
    pub fn with_max_rows(self, max_rows: NonZeroUsize) -> TableBatches {
        TableBatches { max_rows: max_rows.get(), ..self }
    }
}

impl Iterator for TableBatches {
    type Item = RecordBatch;

    fn next(&mut self) -> Option<RecordBatch> {
        if self.n_left == 0 {
            return None;
        }
        let mut n_rows = self.n_left.min(self.max_rows);
        let mut chunks: Vec<&ArrayData> = Vec::with_capacity(self.positions.len());
        for (column, (chunk_idx, start)) in self.table.columns().iter().zip(&mut self.positions) {
            let chunk = loop {
                let Some(chunk) = column.chunks().get(*chunk_idx) else {
                    unreachable!("columns have as many slots as the table has rows")
                };
                if *start < chunk.len() {
                    break chunk;
                }
                (*chunk_idx, *start) = (*chunk_idx + 1, 0);
            };
            n_rows = n_rows.min(chunk.len() - *start);
            chunks.push(chunk);
        }
        let mut columns = Vec::with_capacity(chunks.len());
        for (chunk, (_, start)) in chunks.into_iter().zip(&mut self.positions) {
            columns.push(chunk.slice(*start, n_rows));
            *start += n_rows;
        }
        self.n_left -= n_rows;
        match RecordBatch::try_new_with_rows(Arc::clone(self.table.schema()), columns, n_rows) {
            Ok(batch) => Some(batch),
            Err(error) => unreachable!("the columns fit the schema of the table: {error}"),
        }
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (usize::from(self.n_left > 0), Some(self.n_left))
    }
}

impl FusedIterator for TableBatches {}

impl PartialEq for Table {
    /// Whether both tables have the same number of rows, columns of the same names, types and nullability in the same
    /// order, and equal values. Chunks and metadata make no difference. A table with an invalid column equals no table.
    fn eq(&self, other: &Table) -> bool {
        self.n_rows() == other.n_rows()
            && self.schema().check_same_columns(other.schema()).is_ok()
            && self.columns() == other.columns()
    }
}
