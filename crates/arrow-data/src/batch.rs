//! Columns of equal length, with their schema.

use std::sync::Arc;

use arrow_buffer::AllocationSet;
use arrow_schema::{DataType, Field, FieldPath, LookupError, Schema};

use crate::{
    array::{
        ArrayData, CheckedArrays, Repairs, at_path,
        positions::check_range,
        validate::{self, SlotChecks},
    },
    columns,
    error::{DataError, DataErrorKind as Kind},
    validation::Validation,
};

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
    /// [`Validation::Strict`].
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

    /// Returns a batch of the columns with these names, in the given order.
    ///
    /// # Errors
    /// If no column has one of the names, or several columns have it.
    ///
    /// ```
    /// use arrow_data::{ArrayData, RecordBatch};
    /// use arrow_schema::DataType;
    ///
    /// let columns = ["id", "name"].map(|name| (name, ArrayData::new_empty(&DataType::Utf8)));
    /// let batch = RecordBatch::try_from_columns(columns)?;
    /// assert_eq!(batch.select(&["name"])?.schema().to_string(), "name: utf8");
    /// assert!(batch.select(&["zip"]).is_err());
    /// # Ok::<(), arrow_data::DataError>(())
    /// ```
    pub fn select<N: AsRef<str>>(&self, names: &[N]) -> Result<RecordBatch, LookupError> {
        let positions = names.iter().map(|name| self.schema().index_of(name.as_ref()));
        self.project(&positions.collect::<Result<Vec<usize>, LookupError>>()?)
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

    /// Returns the values of the field at `path`; the first step names the column. [`ArrayData::at_path`] describes the
    /// rest.
    ///
    /// # Errors
    /// If the path has no steps, or its first step names no column. The other errors are those of
    /// [`ArrayData::at_path`].
    ///
    /// ```
    /// use arrow_data::{ArrayData, RecordBatch};
    /// use arrow_schema::{DataType, FieldPath};
    ///
    /// let batch = RecordBatch::try_from_columns([("id", ArrayData::new_empty(&DataType::Int64))])?;
    /// assert!(batch.at_path(&FieldPath::root().child(0, "id"))?.is_empty());
    /// let error = batch.at_path(&FieldPath::root().child(7, "zip")).unwrap_err();
    /// assert_eq!(error.to_string(), "field 7 is out of bounds; there are 1 fields, counted from 0");
    /// # Ok::<(), arrow_data::DataError>(())
    /// ```
    pub fn at_path(&self, path: &FieldPath) -> Result<ArrayData, DataError> {
        at_path::in_columns(self.schema.fields(), &self.columns, path)
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

    /// Whether both batches have the same column names in the same order, and the [same
    /// values](ArrayData::same_values) in the same rows, in any layouts. `==` also compares types.
    ///
    /// # Errors
    /// If a column was unchecked and is invalid. The error names the column.
    pub fn same_values(&self, other: &RecordBatch) -> Result<bool, DataError> {
        if self.n_rows() != other.n_rows() || check_names(self.schema(), other.schema()).is_err() {
            return Ok(false);
        }
        let columns = self.columns().iter().zip(other.columns());
        let mut same = columns::each(self.schema(), columns, |_, (left, right)| left.same_values(right));
        same.find(|same| !matches!(same, Ok(true))).unwrap_or(Ok(true))
    }

    /// Checks all columns up to `level`. At [`Validation::Strict`], it also calls
    /// [`check_required_columns`](RecordBatch::check_required_columns).
    ///
    /// # Errors
    /// The first rule that is broken, with path, buffer and slot.
    pub fn validate(self, level: Validation) -> Result<RecordBatch, DataError> {
        self.validate_counted(level, &mut Repairs::default())
    }

    /// Like [`validate`](RecordBatch::validate), and counts copies in `repairs`.
    ///
    /// # Errors
    /// The errors of [`validate`](RecordBatch::validate).
    #[doc(hidden)] // For readers, which limit the copies of all batches together.
    pub fn validate_counted(
        mut self,
        level: Validation,
        repairs: &mut Repairs,
    ) -> Result<RecordBatch, DataError> {
        let schema = Arc::clone(self.schema());
        let name = |position: usize| schema.fields().get(position).map_or("", |field| field.name());
        if self.columns().iter().any(|column| column.checked < level) {
            for (position, column) in self.columns_mut().iter_mut().enumerate() {
                let located = |error: DataError| error.in_field(position, name(position));
                column.validate_in_place(level, repairs).map_err(located)?;
            }
        }
        if level == Validation::Strict {
            self.check_required_columns()?;
        }
        Ok(self)
    }

    /// Like [`validate_slots`](ArrayData::validate_slots) of all columns.
    ///
    /// # Errors
    /// The errors of [`validate`](RecordBatch::validate).
    #[doc(hidden)] // For imports of arrays of other libraries.
    pub fn validate_slots(
        mut self,
        level: Validation,
        repairs: &mut Repairs,
        known: &mut CheckedArrays,
    ) -> Result<RecordBatch, DataError> {
        if level >= Validation::Content {
            let schema = Arc::clone(self.schema());
            let mut checks = SlotChecks::new(level, repairs, known);
            for (position, column) in self.columns_mut().iter_mut().enumerate() {
                let name = schema.fields().get(position).map_or("", |field| field.name());
                checks.prepare(column).map_err(|error| error.in_field(position, name))?;
            }
        }
        self.validate_counted(level, repairs)
    }

    /// Checks that columns that are not nullable have a value in each row. This rule is part of the schema, so the
    /// validation of a single array cannot check it. [`validate`](RecordBatch::validate) at [`Validation::Strict`] checks
    /// this rule and the rules of all columns. Unchecked content is checked.
    ///
    /// A row has no value if its bit in [`logical_validity`](ArrayData::logical_validity) is unset. Then the row itself
    /// is null, or it selects a null of a dictionary, a run or a child of a union.
    ///
    /// # Errors
    /// If such a column has a null. The error names the first such column and its first null row. If such a column is
    /// invalid.
    pub fn check_required_columns(&self) -> Result<(), DataError> {
        let check = |field: &Field, column: &ArrayData| {
            if field.is_nullable() {
                return Ok(());
            }
            validate::check_required(column)
        };
        columns::each(self.schema(), self.columns(), check).collect()
    }
}

impl PartialEq for RecordBatch {
    /// Whether both batches have the same number of rows, columns of the same names, types and nullability in the same
    /// order, and equal values. Metadata makes no difference, at any depth. Columns are compared like
    /// [arrays](ArrayData#impl-PartialEq-for-ArrayData); a batch with an invalid column equals no batch.
    fn eq(&self, other: &RecordBatch) -> bool {
        self.n_rows() == other.n_rows()
            && self.schema().check_same_columns(other.schema()).is_ok()
            && self.columns() == other.columns()
    }
}

/// Checks that the columns have the same names. Types are not compared.
pub(crate) fn check_names(left: &Schema, right: &Schema) -> Result<(), DataError> {
    let names = |schema: &Schema| {
        let fields = schema.fields().iter();
        Schema::new(
            fields.map(|field| Field::new(field.to_shared_name(), DataType::Null)).collect::<Vec<_>>(),
        )
    };
    names(left).check_same_columns(&names(right)).map_err(|difference| Kind::from(difference).into())
}
