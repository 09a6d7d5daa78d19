//! Record batches: columns of equal length.

use std::sync::Arc;

use arrow_data::{ArrayData, ChunkedArray, Validation};
use arrow_ipc::{EncodedBytes, split_by_encoded_bytes_with};
use arrow_schema as schema;
use arrow_select::{ReferredBytes, Select};
use arrow_text::format::Counted;
use pyo3::{
    exceptions::PyTypeError,
    prelude::*,
    types::{PyCapsule, PyDict, PyList, PyRange, PySlice, PyTuple},
};

use crate::{
    array::Array,
    calls, capsule,
    construct::check_nulls,
    data::Batches,
    error::{Failure, Result, exception, misuse},
    hints::COLUMNS_HINT,
    joined_rows::JoinedRows,
    options::{self, Items},
    pickle::{self, Reduction},
    relation,
    rows::{self, Key},
    schema::Schema,
    show, suggestions,
    values::{Records, ValueFactory, values_with},
    write::WriteRequest,
};

/// Columns of equal length, with their schema. Slices and selections share the memory.
///
/// A batch can be made from any `data` that `write_file` accepts. With `schema`, Python values get its types, and the
/// batch gets its metadata. Columns of other libraries in a dict are cast, but not from text to numbers or back. The
/// columns of their tables and frames must already have these types, apart from the kind of text and bytes.
///
/// >>> arrow_ipc.RecordBatch({"id": [1, None]}, {"id": "int8"}).schema
/// Schema("id: int8")
/// >>> batch = arrow_ipc.open("people.arrow").batch(0)
/// >>> batch["name"].to_pylist(), batch[:2]["id"].to_pylist(), len(batch)
/// (['ada', None, 'grace'], [1, 2], 3)
#[pyclass(frozen, module = "arrow_ipc")]
pub(crate) struct RecordBatch {
    pub(crate) rows: JoinedRows,
}

impl From<JoinedRows> for RecordBatch {
    fn from(rows: JoinedRows) -> RecordBatch {
        RecordBatch { rows }
    }
}

impl From<arrow_data::RecordBatch> for RecordBatch {
    fn from(batch: arrow_data::RecordBatch) -> RecordBatch {
        JoinedRows::from(batch).into()
    }
}

/// Joins all rows of `data` into one batch. `data` is an object with `__arrow_c_stream__` or `__arrow_c_array__`, or
/// an iterable of such objects. Copies the rows, unless there is only one batch.
///
/// >>> file = arrow_ipc.open("people.arrow")
/// >>> arrow_ipc.concat([file, file]).num_rows
/// 6
#[pyfunction]
pub(crate) fn concat(py: Python<'_>, data: &Bound<'_, PyAny>) -> Result<RecordBatch> {
    let rows = relation::join_batches(py, Batches::try_new(data)?)?;
    Ok(py.detach(|| rows.whole())?.into())
}

/// A batch of these columns.
#[pyfunction]
pub(crate) fn _batch_of(columns: Items<(String, Bound<'_, Array>)>) -> Result<RecordBatch> {
    let Items(columns) = columns;
    let n_rows = columns.first().map_or(0, |(_, column)| column.get().inner.len());
    let fields = columns.iter().map(|(name, column)| column.get().field.clone().with_name(name.as_str()));
    let schema = Arc::new(schema::Schema::new(fields.collect::<Vec<_>>()));
    let arrays: Vec<ArrayData> = columns.iter().map(|(_, column)| column.get().inner.clone()).collect();
    Ok(arrow_data::RecordBatch::try_new_with_rows(schema, arrays, n_rows)?.into())
}

/// Whether both schemas have equal columns. Ignores metadata.
pub(crate) fn same_columns(left: &schema::Schema, right: &schema::Schema) -> bool {
    let left = left.fields();
    let right = right.fields();
    left.len() == right.len() && left.iter().zip(right).all(|(left, right)| left.same_column(right))
}

/// The number of rows that an iterator converts at once.
const ROWS_AT_ONCE: isize = 1_024;

/// Converts an object with `__arrow_c_stream__` to pandas. If `columns` is not empty, converts each of its items
/// separately.
pub(crate) fn to_pandas<'py>(
    data: &Bound<'py, PyAny>,
    columns: Bound<'py, PyTuple>,
) -> PyResult<Bound<'py, PyAny>> {
    calls::method(&calls::import(data.py(), "arrow_ipc._pandas")?, "to_pandas", (data, columns))
}

impl RecordBatch {
    /// The rows of a slice. Copies rows if the step is not 1.
    fn part(&self, py: Python<'_>, rows: &Bound<'_, PySlice>) -> Result<RecordBatch> {
        let found = rows.indices(self.rows.n_rows().cast_signed())?;
        if found.step == 1 {
            return Ok(self.rows.slice(found.start.cast_unsigned(), found.slicelength)?.into());
        }
        let rows = rows::step_slots(&ValueFactory::new(py, self.n_bytes()), &found)?;
        Ok(self.with_joined(py, |batch| batch.take(&rows))?.into())
    }

    /// The converter of the rows. Validates their content before the first use.
    fn records<'py>(&self, py: Python<'py>) -> Result<(ValueFactory<'py>, Records)> {
        let checked = self.with_joined(py, |batch| batch.validate(Validation::Content))?;
        let records =
            Records::try_new(py, checked.schema().fields(), checked.columns(), &schema::FieldPath::root())?;
        Ok((ValueFactory::new(py, self.n_bytes()), records))
    }

    /// Calls `work` with all rows in one batch. Several pieces are joined first, which copies them.
    fn with_joined<T: Send, E: Send>(
        &self,
        py: Python<'_>,
        work: impl FnOnce(arrow_data::RecordBatch) -> std::result::Result<T, E> + Send,
    ) -> Result<T>
    where
        Failure: From<E>,
    {
        py.detach(|| Ok(work(self.rows.whole()?)?))
    }

    fn n_bytes(&self) -> u64 {
        let table = self.rows.table();
        let pieces = table.columns().iter().flat_map(ChunkedArray::chunks);
        pieces.map(ArrayData::n_bytes).fold(0, u64::saturating_add)
    }

    /// The only batch, or a batch without rows if there is none.
    fn only(py: Python<'_>, Batches { schema, mut batches, .. }: Batches) -> Result<arrow_data::RecordBatch> {
        let (first, second) = py.detach(|| (batches.next(), batches.next()));
        match (first, second) {
            (Some(batch), None) => batch,
            (None, _) => Ok(arrow_select::concat_batches(schema, &[])?),
            (Some(_), Some(_)) => {
                let text =
                    "expected one batch, found several: `Stream.from_arrow` takes all, `concat` joins them";
                Err(misuse("BatchCount", text).into())
            }
        }
    }
}

#[pymethods]
impl RecordBatch {
    #[new]
    #[pyo3(signature = (data, schema = None))]
    fn __new__(
        py: Python<'_>,
        data: &Bound<'_, PyAny>,
        schema: Option<&Bound<'_, PyAny>>,
    ) -> Result<RecordBatch> {
        let Some(schema) = schema else { return RecordBatch::from_arrow(py, data) };
        let schema = Schema::from_object(schema)?;
        let batch = RecordBatch::only(py, Batches::with_schema(data, Some(&schema))?)?;
        let names =
            |schema: &schema::Schema| schema.fields().iter().map(|field| field.name().to_owned()).collect();
        let (found, wanted): (Vec<String>, Vec<String>) = (names(batch.schema()), names(&schema));
        if found != wanted {
            let text = format!("expected the columns of the schema, {wanted:?}, found {found:?}");
            return Err(Failure::from(misuse("SchemaMismatch", text)).with_hint(COLUMNS_HINT));
        }
        let columns = batch.columns().to_vec();
        columns.iter().zip(schema.fields()).try_for_each(|(column, field)| check_nulls(py, column, field))?;
        let made = arrow_data::RecordBatch::try_new_with_rows(schema, columns, batch.n_rows());
        Ok(made.map_err(|error| Failure::from(error).with_hint(COLUMNS_HINT))?.into())
    }

    /// Makes a batch from an object with `__arrow_c_array__`, or with an `__arrow_c_stream__` of at most one batch.
    ///
    /// >>> import pyarrow
    /// >>> arrow_ipc.RecordBatch.from_arrow(pyarrow.table({"id": [1, 2]})).to_pydict()
    /// {'id': [1, 2]}
    #[staticmethod]
    pub(crate) fn from_arrow(py: Python<'_>, data: &Bound<'_, PyAny>) -> Result<RecordBatch> {
        // `__arrow_c_array__` is preferred, because a stream of an empty batch often has no batch.
        let data = capsule::array_from(data)?
            .map_or_else(|| Batches::try_new(data), |batch| Ok(Batches::one(batch)))?;
        Ok(RecordBatch::only(py, data)?.into())
    }

    /// The schema: names, types and metadata of the columns.
    ///
    /// >>> arrow_ipc.open("people.arrow").batch(0).schema
    /// Schema("id: int64\nname: utf8")
    #[getter]
    fn schema(&self) -> Schema {
        self.rows.schema().into()
    }

    /// The number of rows.
    ///
    /// >>> arrow_ipc.open("people.arrow").batch(0).num_rows
    /// 3
    #[getter]
    fn num_rows(&self) -> usize {
        self.rows.n_rows()
    }

    /// The number of columns.
    ///
    /// >>> arrow_ipc.open("people.arrow").batch(0).num_columns
    /// 2
    #[getter]
    fn num_columns(&self) -> usize {
        self.rows.n_columns()
    }

    /// The number of rows and the number of columns.
    ///
    /// >>> arrow_ipc.open("people.arrow").batch(0).shape
    /// (3, 2)
    #[getter]
    fn shape(&self) -> (usize, usize) {
        (self.rows.n_rows(), self.rows.n_columns())
    }

    /// The names of the columns.
    ///
    /// >>> arrow_ipc.open("people.arrow").batch(0).column_names
    /// ['id', 'name']
    #[getter]
    fn column_names(&self) -> Vec<&str> {
        relation::names(self.rows.schema())
    }

    /// The number of bytes to which the rows refer, and that a `compact` copy would have. Dictionaries count as a whole, and
    /// bytes that several columns share count for each of these columns. `get_total_buffer_size` is the memory that stays
    /// allocated, and `encoded_nbytes` the length of the message.
    ///
    /// >>> arrow_ipc.open("people.arrow").head(1).nbytes
    /// 19
    #[getter]
    fn nbytes(&self, py: Python<'_>) -> Result<u64> {
        self.with_joined(py, |batch| batch.n_referred_bytes())
    }

    /// The number of bytes of memory that stay allocated as long as this batch is used: all buffers as a whole, each once,
    /// however few of their bytes the rows refer to. Of buffers of other libraries, only the bytes that the batch refers to count.
    ///
    /// >>> batch = arrow_ipc.open("people.arrow").batch(0)
    /// >>> batch[:1].get_total_buffer_size() == batch.get_total_buffer_size()
    /// True
    fn get_total_buffer_size(&self) -> u64 {
        self.rows.table().n_held_bytes()
    }

    /// The length of the message that a writer with these options writes for this batch, without messages of the schema and of
    /// dictionaries. If it is compressed, this is the length that it has at most. The arguments are as for `write_stream`.
    ///
    /// >>> arrow_ipc.open("people.arrow").batch(0).encoded_nbytes()
    /// 320
    #[pyo3(signature = (*, compression = None, alignment = 64))]
    fn encoded_nbytes(
        &self,
        py: Python<'_>,
        #[pyo3(from_py_with = options::compression_text)] compression: Option<String>,
        #[pyo3(from_py_with = options::number_from_0)] alignment: usize,
    ) -> Result<u64> {
        let options = WriteRequest::parse(compression.as_deref(), "replace")?.options;
        let options = options.with_alignment(alignment);
        self.with_joined(py, |batch| batch.n_encoded_bytes_with(options))
    }

    /// Splits the batch into the fewest batches whose messages have at most `max_bytes` bytes each, as `encoded_nbytes` counts
    /// them. They share the memory. If a row does not fit alone, an error says which. `encoded_nbytes` with
    /// the same `compression` and `alignment` counts the same bytes.
    ///
    /// >>> batch = arrow_ipc.RecordBatch({"id": range(1000)}, {"id": "int64"})
    /// >>> [part.num_rows for part in batch.split_by_encoded_nbytes(4096)]
    /// [488, 488, 24]
    #[pyo3(signature = (max_bytes, *, compression = None, alignment = 64))]
    fn split_by_encoded_nbytes(
        &self,
        py: Python<'_>,
        #[pyo3(from_py_with = options::number_from_0)] max_bytes: u64,
        #[pyo3(from_py_with = options::compression_text)] compression: Option<String>,
        #[pyo3(from_py_with = options::number_from_0)] alignment: usize,
    ) -> Result<Vec<RecordBatch>> {
        let options = WriteRequest::parse(compression.as_deref(), "replace")?.options;
        let options = options.with_alignment(alignment);
        let parts = self.with_joined(py, |batch| split_by_encoded_bytes_with(&batch, max_bytes, options))?;
        Ok(parts.into_iter().map(RecordBatch::from).collect())
    }

    /// The column with this name or at this position, or the values at the path of a nested field, such as
    /// `address.city`.
    ///
    /// >>> arrow_ipc.open("people.arrow").batch(0).column(-1).to_pylist()
    /// ['ada', None, 'grace']
    fn column(&self, key: &Bound<'_, PyAny>) -> Result<Array> {
        if let Some(path) = options::path(key, self.rows.schema())? {
            return Array::at_path(key.py(), &self.rows, &path);
        }
        let position = options::position(key, self.rows.schema())?;
        let field = self.rows.schema().fields()[position].clone();
        let values = key.py().detach(|| self.rows.column(position))?;
        Ok(Array::new(field, values))
    }

    /// The rows from `offset` on, at most `length` of them.
    ///
    /// >>> arrow_ipc.open("people.arrow").batch(0).slice(1, 1).to_pylist()
    /// [{'id': 2, 'name': None}]
    #[pyo3(signature = (offset = 0, length = None))]
    fn slice(
        &self,
        #[pyo3(from_py_with = options::number_from_0)] offset: usize,
        #[pyo3(from_py_with = options::number_from_0)] length: Option<usize>,
    ) -> Result<RecordBatch> {
        let n_rows = self.rows.n_rows();
        let start = offset.min(n_rows);
        let n_left = n_rows.saturating_sub(start);
        Ok(self.rows.slice(start, length.map_or(n_left, |length| length.min(n_left)))?.into())
    }

    /// Copies these rows. The copy of a small slice does not need the memory of a large batch.
    ///
    /// >>> arrow_ipc.open("people.arrow").batch(0)[1:].compact().num_rows
    /// 2
    fn compact(&self, py: Python<'_>) -> Result<RecordBatch> {
        Ok(self.with_joined(py, |batch| batch.compact())?.into())
    }

    /// Selects columns, by name or position, or by a pattern such as "price*". The result has them in this order.
    ///
    /// >>> arrow_ipc.open("people.arrow").batch(0).select(["name"]).column_names
    /// ['name']
    fn select(&self, columns: &Bound<'_, PyAny>) -> Result<RecordBatch> {
        Ok(self.rows.project(&relation::positions(columns, self.rows.schema())?)?.into())
    }

    /// Leaves out columns, by name, position or pattern.
    ///
    /// >>> arrow_ipc.open("people.arrow").batch(0).drop(["name"]).column_names
    /// ['id']
    fn drop(&self, columns: &Bound<'_, PyAny>) -> Result<RecordBatch> {
        Ok(self.rows.project(&relation::positions_without(columns, self.rows.schema())?)?.into())
    }

    /// The rows for which a condition is true, as for `convert(where=)`, or those of a mask: an array or list with a bool for each row.
    ///
    /// >>> batch = arrow_ipc.open("people.arrow").batch(0)
    /// >>> batch.filter("name is not null").to_pydict(), batch.filter([False, True, False])["id"].to_pylist()
    /// ({'id': [1, 3], 'name': ['ada', 'grace']}, [2])
    fn filter(&self, py: Python<'_>, condition: &Bound<'_, PyAny>) -> Result<RecordBatch> {
        if let Some(rows) = relation::mask(condition, self.rows.n_rows())? {
            return Ok(self.with_joined(py, |batch| batch.filter(&rows))?.into());
        }
        let condition = relation::condition(condition, self.rows.schema())?;
        Ok(relation::join_batches(py, relation::filter_batches(self.rows.batches()?, condition))?.into())
    }

    /// All rows, each as a dict.
    ///
    /// >>> arrow_ipc.open("people.arrow").batch(0)[:2].to_pylist()
    /// [{'id': 1, 'name': 'ada'}, {'id': 2, 'name': None}]
    pub(crate) fn to_pylist<'py>(&self, py: Python<'py>) -> Result<Bound<'py, PyList>> {
        let (making, records) = self.records(py)?;
        let values = values_with(move |making, row| records.dict(making, row));
        Ok(values.list(&making, 0..self.rows.n_rows())?)
    }

    /// A dict with a list of values for each column name.
    ///
    /// >>> arrow_ipc.open("people.arrow").batch(0).to_pydict()
    /// {'id': [1, 2, 3], 'name': ['ada', None, 'grace']}
    pub(crate) fn to_pydict<'py>(&self, py: Python<'py>) -> Result<Bound<'py, PyDict>> {
        let (making, records) = self.records(py)?;
        Ok(records.lists(&making, self.rows.n_rows())?)
    }

    /// Whether both batches have columns of the same names with the same values, in any encoding.
    ///
    /// >>> batch = arrow_ipc.open("people.arrow").batch(0)
    /// >>> batch.same_rows(batch[:2])
    /// False
    fn same_rows(&self, py: Python<'_>, other: &Bound<'_, PyAny>) -> Result<bool> {
        let other: &RecordBatch = suggestions::same_class(other, "RecordBatch(other)")?;
        py.detach(|| Ok(self.rows.whole()?.same_values(&other.rows.whole()?)?))
    }

    /// Checks the content of all columns. With `strict`, also checks rules that some producers violate. Raises an
    /// error if it is invalid.
    ///
    /// >>> arrow_ipc.open("people.arrow", validation="structure").batch(0).validate(strict=True)
    #[pyo3(signature = (*, strict = false))]
    fn validate(&self, py: Python<'_>, #[pyo3(from_py_with = options::flag)] strict: bool) -> Result<()> {
        let level = if strict { Validation::Strict } else { Validation::Content };
        py.detach(|| self.rows.table().validate(level).map(drop)).map_err(Failure::from)
    }

    /// The columns as arrays, in order.
    ///
    /// >>> [column.null_count for column in arrow_ipc.open("people.arrow").batch(0).columns]
    /// [0, 1]
    #[getter]
    fn columns(&self, py: Python<'_>) -> Result<Vec<Array>> {
        let whole = py.detach(|| self.rows.whole())?;
        let columns = whole.schema().fields().iter().zip(whole.columns());
        Ok(columns.map(|(field, column)| Array::new(field.clone(), column.clone())).collect())
    }

    /// The rows from `start` to before `stop`: `batch.rows(2, 5)` is `batch[2:5]`.
    ///
    /// >>> arrow_ipc.open("people.arrow").batch(0).rows(1, 2).to_pylist()
    /// [{'id': 2, 'name': None}]
    #[pyo3(signature = (start = 0, stop = None))]
    fn rows(
        &self,
        py: Python<'_>,
        #[pyo3(from_py_with = options::saturated)] start: i64,
        #[pyo3(from_py_with = options::saturated_or_none)] stop: Option<i64>,
    ) -> Result<RecordBatch> {
        self.part(py, &rows::slice(py, start, stop)?)
    }

    /// The first `n` rows. If `n` is negative, all rows except the last `-n`.
    ///
    /// >>> arrow_ipc.open("people.arrow").batch(0).head(1).to_pylist()
    /// [{'id': 1, 'name': 'ada'}]
    #[pyo3(signature = (n = 10))]
    fn head(&self, py: Python<'_>, #[pyo3(from_py_with = options::saturated)] n: i64) -> Result<RecordBatch> {
        self.rows(py, 0, Some(n))
    }

    /// The last `n` rows. If `n` is negative, all rows except the first `-n`.
    ///
    /// >>> arrow_ipc.open("people.arrow").batch(0).tail(1).to_pylist()
    /// [{'id': 3, 'name': 'grace'}]
    #[pyo3(signature = (n = 10))]
    fn tail(&self, py: Python<'_>, #[pyo3(from_py_with = options::saturated)] n: i64) -> Result<RecordBatch> {
        match n {
            0 => self.rows(py, 0, Some(0)),
            n => self.rows(py, n.saturating_neg(), None),
        }
    }

    /// Chooses `n` random rows, and returns them in their original order. The same `seed` chooses the same rows.
    ///
    /// >>> batch = arrow_ipc.open("people.arrow").batch(0)
    /// >>> batch.sample(2, seed=7) == batch.sample(2, seed=7)
    /// True
    #[pyo3(signature = (n = 10, *, seed = None))]
    fn sample(
        &self,
        py: Python<'_>,
        #[pyo3(from_py_with = options::number_from_0)] n: u64,
        seed: Option<&Bound<'_, PyAny>>,
    ) -> Result<RecordBatch> {
        let rows = rows::sample_rows(py, self.rows.n_rows() as u64, n, seed)?;
        Ok(self.with_joined(py, |batch| batch.take(&rows))?.into())
    }

    /// Iterates over the rows, each as a dict.
    ///
    /// >>> next(arrow_ipc.open("people.arrow").batch(0).iter_rows())
    /// {'id': 1, 'name': 'ada'}
    fn iter_rows<'py>(this: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        let py = this.py();
        let itertools = py.import("itertools")?;
        let starts = PyRange::new_with_step(py, 0, this.get().rows.n_rows().cast_signed(), ROWS_AT_ONCE)?;
        let map = py.import("builtins")?.getattr("map")?;
        let n_rows = itertools.getattr("repeat")?.call1((ROWS_AT_ONCE,))?;
        let parts = map.call1((this.getattr("slice")?, starts, n_rows))?;
        let to_pylist = py.import("operator")?.getattr("methodcaller")?.call1(("to_pylist",))?;
        itertools.getattr("chain")?.call_method1("from_iterable", (map.call1((to_pylist, parts))?,))
    }

    /// Converts the batch to a pandas `DataFrame`. Needs pandas. Integers of 64 bits beside nulls have the type Int64 or
    /// UInt64 if `float64`, which is used otherwise, would round one of them.
    ///
    /// >>> arrow_ipc.open("people.arrow").batch(0).to_pandas().shape
    /// (3, 2)
    fn to_pandas<'py>(this: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        to_pandas(this.as_any(), PyTuple::empty(this.py()))
    }

    /// Converts the batch to a polars `DataFrame`. Needs polars.
    ///
    /// >>> arrow_ipc.open("people.arrow").batch(0).to_polars().shape
    /// (3, 2)
    fn to_polars<'py>(this: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        relation::to_polars(this.as_any())
    }

    /// Selects columns by name: `batch["id"]` is an `Array`, `batch[["id", "name"]]` a batch. Slices select rows:
    /// `batch[2:5]`.
    ///
    /// >>> batch = arrow_ipc.open("people.arrow").batch(0)
    /// >>> batch["id"].to_pylist(), batch[1:].to_pydict()
    /// ([1, 2, 3], {'id': [2, 3], 'name': [None, 'grace']})
    fn __getitem__<'py>(&self, py: Python<'py>, key: &Bound<'py, PyAny>) -> Result<Bound<'py, PyAny>> {
        const NUMBER_HINT: &str = "`batch.column(0)` is a column, `batch[0:1]` a row";
        Ok(match Key::try_new(key, NUMBER_HINT)? {
            Key::Column => Bound::new(py, self.column(key)?)?.into_any(),
            Key::Columns(columns) => Bound::new(py, self.select(columns)?)?.into_any(),
            Key::Rows(rows) => Bound::new(py, self.part(py, rows)?)?.into_any(),
        })
    }

    fn __getattr__(this: &Bound<'_, Self>, name: &str) -> PyResult<Py<PyAny>> {
        Err(suggestions::no_attribute(this.as_any(), "batch", Some(this.get().rows.schema()), name))
    }

    /// Whether there is a column with this name.
    fn __contains__(&self, #[pyo3(from_py_with = options::word)] name: &str) -> bool {
        self.rows.schema().fields().iter().any(|field| field.name() == name)
    }

    /// Raises an error. Without this method, NumPy would make one object of the batch.
    #[pyo3(signature = (dtype = None, copy = None))]
    fn __array__(
        &self,
        dtype: Option<&Bound<'_, PyAny>>,
        #[pyo3(from_py_with = options::flag)] copy: Option<bool>,
    ) -> PyResult<Py<PyAny>> {
        let _ = (dtype, copy);
        Err(suggestions::no_array("a batch", "batch"))
    }

    fn __iter__(&self) -> PyResult<Py<PyAny>> {
        let text = "a batch has rows and columns: iterate over `batch.iter_rows()` or `batch.columns`; pandas takes \
                    `batch.to_pandas()`";
        Err(exception::<PyTypeError>(text))
    }

    fn __len__(&self) -> usize {
        self.rows.n_rows()
    }

    fn __arrow_c_schema__<'py>(&self, py: Python<'py>) -> Result<Bound<'py, PyCapsule>> {
        capsule::export_schema(py, self.rows.schema())
    }

    #[pyo3(signature = (requested_schema = None))]
    fn __arrow_c_array__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<&Bound<'py, PyAny>>,
    ) -> Result<capsule::Pair<'py>> {
        capsule::check_request(self.rows.schema(), requested_schema)?;
        capsule::export_batch(py, &py.detach(|| self.rows.whole())?)
    }

    #[pyo3(signature = (requested_schema = None))]
    fn __arrow_c_stream__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<&Bound<'py, PyAny>>,
    ) -> Result<Bound<'py, PyCapsule>> {
        capsule::check_request(self.rows.schema(), requested_schema)?;
        capsule::export_stream(py, self.rows.batches()?)
    }

    /// Whether both batches have columns with the same names, types and values. Floating-point numbers are equal if
    /// their bits are equal. With `metadata`, the schemas must also have equal metadata. `same_rows` compares only
    /// values. A batch of another library is never equal: `==` is False, and `equals` raises `TypeError`.
    /// `RecordBatch(other)` makes one that can be compared.
    ///
    /// >>> file = arrow_ipc.open("people.arrow")
    /// >>> file.batch(0) == file[:], file.batch(0) == file[1:]
    /// (True, False)
    #[pyo3(signature = (other, *, metadata = false))]
    fn equals(
        &self,
        py: Python<'_>,
        other: &Bound<'_, PyAny>,
        #[pyo3(from_py_with = options::flag)] metadata: bool,
    ) -> Result<bool> {
        let batch: &RecordBatch = suggestions::same_class(other, "RecordBatch(other)")?;
        let left = self.rows.schema();
        let right = batch.rows.schema();
        if if metadata { left != right } else { !same_columns(left, right) } {
            return Ok(false);
        }
        self.same_rows(py, other)
    }

    fn __eq__(&self, py: Python<'_>, other: &Bound<'_, RecordBatch>) -> Result<bool> {
        self.equals(py, other, false)
    }

    fn __reduce_ex__<'py>(&self, py: Python<'py>, protocol: u8) -> Result<Reduction<'py>> {
        pickle::reduce(py, "batch", &py.detach(|| self.rows.whole())?, protocol)
    }

    /// Returns the batch itself, because batches do not change.
    fn __copy__(this: Py<Self>) -> Py<Self> {
        this
    }

    fn __deepcopy__(this: Py<Self>, _memo: &Bound<'_, PyAny>) -> Py<Self> {
        this
    }

    /// The first rows, as the program prints them.
    ///
    /// >>> arrow_ipc.open("people.arrow").head(2)
    /// <arrow_ipc.RecordBatch: 2 rows, 2 columns>
    ///    id  name
    /// int64  utf8
    /// -----  ----
    ///     1  ada
    ///     2  null
    fn __repr__(&self, py: Python<'_>) -> String {
        let n_rows = Counted(self.rows.n_rows() as u64, "row");
        let n_columns = Counted(self.rows.n_columns() as u64, "column");
        let table = py.detach(|| show::table(&self.rows.table()));
        format!("<arrow_ipc.RecordBatch: {n_rows}, {n_columns}>\n{table}")
    }

    /// The first rows as an HTML table, for notebooks.
    fn _repr_html_(&self, py: Python<'_>) -> String {
        py.detach(|| show::html(&self.rows.table()))
    }
}
