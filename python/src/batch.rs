//! Record batches, and their columns.

use arrow_data::{ArrayData, Level};
use arrow_ipc::Projection;
use arrow_schema as schema;
use pyo3::{
    exceptions::PyTypeError,
    prelude::*,
    types::{PyCapsule, PyDict, PyList, PySlice},
};

use crate::{
    array::Array,
    capsule,
    data::Batches,
    error::{Failure, Result, misuse},
    options,
    schema::Schema,
    values::{Making, Records, Values},
};

/// Columns of equal length, with their schema. Slices and selections share the memory.
#[pyclass(frozen, module = "arrow_ipc")]
pub(crate) struct RecordBatch {
    pub(crate) inner: arrow_data::RecordBatch,
}

impl From<arrow_data::RecordBatch> for RecordBatch {
    fn from(inner: arrow_data::RecordBatch) -> RecordBatch {
        RecordBatch { inner }
    }
}

/// One batch of all rows of `data`, which is anything with `__arrow_c_stream__` or `__arrow_c_array__`, or an iterable of such
/// objects. Copies the rows, unless there is only one batch.
#[pyfunction]
pub(crate) fn concat(py: Python<'_>, data: &Bound<'_, PyAny>) -> Result<RecordBatch> {
    let Batches { schema, batches } = Batches::try_new(data)?;
    py.detach(|| {
        let batches: Vec<arrow_data::RecordBatch> = batches.collect::<Result<_>>()?;
        match &batches[..] {
            [only] => Ok(only.clone().into()),
            batches => Ok(arrow_data::RecordBatch::concat(schema, batches)?.into()),
        }
    })
}

impl RecordBatch {
    /// What makes the values of its rows. Content is validated before, unless it has been already.
    fn records<'py>(&self, py: Python<'py>) -> Result<(Making<'py>, Records)> {
        let checked = py.detach(|| self.inner.clone().validate(Level::Content))?;
        let n_bytes = checked.columns().iter().map(ArrayData::n_bytes).fold(0, u64::saturating_add);
        let records = Records::try_new(py, checked.schema().fields(), checked.columns())?;
        Ok((Making::new(py, n_bytes), records))
    }
}

#[pymethods]
impl RecordBatch {
    /// The batch of anything with `__arrow_c_array__`, or with an `__arrow_c_stream__` that gives at most one.
    #[staticmethod]
    fn from_arrow(py: Python<'_>, data: &Bound<'_, PyAny>) -> Result<RecordBatch> {
        // Streams of batches without rows are often empty, so the array is asked for first.
        let data = capsule::array_from(data)?
            .map_or_else(|| Batches::try_new(data), |batch| Ok(Batches::one(batch)))?;
        let Batches { schema, mut batches } = data;
        let (first, second) = py.detach(|| (batches.next(), batches.next()));
        match (first, second) {
            (Some(batch), None) => Ok(batch?.into()),
            (None, _) => Ok(arrow_data::RecordBatch::concat(schema, &[])?.into()),
            (Some(_), Some(_)) => {
                let text =
                    "expected one batch, found several: `Stream.from_arrow` takes all, `concat` joins them";
                Err(misuse("BatchCount", text).into())
            }
        }
    }

    /// Names and types of the columns.
    #[getter]
    fn schema(&self) -> Schema {
        self.inner.schema().into()
    }

    /// The number of rows.
    #[getter]
    fn num_rows(&self) -> usize {
        self.inner.n_rows()
    }

    /// The number of columns.
    #[getter]
    fn num_columns(&self) -> usize {
        self.inner.n_columns()
    }

    /// The names of the columns.
    #[getter]
    fn column_names(&self) -> Vec<&str> {
        self.inner.schema().fields().iter().map(schema::Field::name).collect()
    }

    /// The column of this name, or at this position.
    fn column(&self, key: &Bound<'_, PyAny>) -> Result<Array> {
        let fields = self.inner.schema().fields();
        let position = match key.extract::<i64>() {
            Ok(position) => options::from_end(position, fields.len()),
            Err(_) => self.inner.schema().index_of(&key.extract::<String>()?)?,
        };
        match (fields.get(position), self.inner.column_at(position)) {
            (Some(field), Some(column)) => Ok(Array::new(field.clone(), column.clone())),
            _ => Err(schema::LookupError::OutOfRange { position, n_fields: fields.len() }.into()),
        }
    }

    /// The rows from `offset` on, at most `length` of them.
    #[pyo3(signature = (offset = 0, length = None))]
    fn slice(&self, offset: usize, length: Option<usize>) -> RecordBatch {
        let n_rows = self.inner.n_rows();
        let start = offset.min(n_rows);
        let n_left = n_rows.saturating_sub(start);
        self.inner.slice(start, length.map_or(n_left, |length| length.min(n_left))).into()
    }

    /// The same rows in memory of their own, so that a few rows do not keep the memory of many.
    fn compact(&self, py: Python<'_>) -> Result<RecordBatch> {
        Ok(py.detach(|| self.inner.compact())?.into())
    }

    /// The batch with these columns only: by name, by position, in this order.
    fn select(&self, columns: &Bound<'_, PyAny>) -> Result<RecordBatch> {
        let schema = self.inner.schema();
        let positions = match options::projection(columns, schema)? {
            Projection::Positions(positions) => positions,
            Projection::Names(names) => {
                names.iter().map(|name| schema.index_of(name)).collect::<std::result::Result<_, _>>()?
            }
            _ => return Err(PyTypeError::new_err("a batch has columns by name or position, no paths").into()),
        };
        Ok(self.inner.project(&positions)?.into())
    }

    /// The rows as dicts.
    ///
    /// >>> arrow_ipc.open("people.arrow").batch(0)[:2].to_pylist()
    /// [{'id': 1, 'name': 'ada'}, {'id': 2, 'name': None}]
    fn to_pylist<'py>(&self, py: Python<'py>) -> Result<Bound<'py, PyList>> {
        let (making, records) = self.records(py)?;
        let values: Values = Box::new(move |making, row| records.dict(making, row));
        Ok(making.list(&values, 0..self.inner.n_rows())?)
    }

    /// The values of each column, by its name.
    ///
    /// >>> arrow_ipc.open("people.arrow").batch(0).to_pydict()
    /// {'id': [1, 2, 3], 'name': ['ada', None, 'grace']}
    fn to_pydict<'py>(&self, py: Python<'py>) -> Result<Bound<'py, PyDict>> {
        let (making, records) = self.records(py)?;
        Ok(records.lists(&making, self.inner.n_rows())?)
    }

    /// Whether both have columns of the same names with the same values, however they are laid out.
    fn same_rows(&self, py: Python<'_>, other: &RecordBatch) -> Result<bool> {
        py.detach(|| self.inner.same_rows(&other.inner)).map_err(Failure::from)
    }

    /// Checks the content of all columns; with `strict` also what producers are known to violate.
    #[pyo3(signature = (*, strict = false))]
    fn validate(&self, py: Python<'_>, strict: bool) -> Result<()> {
        let level = if strict { Level::Strict } else { Level::Content };
        py.detach(|| self.inner.clone().validate(level).map(drop)).map_err(Failure::from)
    }

    /// A row range as a batch, or a column by name or position.
    fn __getitem__<'py>(&self, py: Python<'py>, key: &Bound<'py, PyAny>) -> Result<Bound<'py, PyAny>> {
        if key.cast::<PySlice>().is_ok() {
            let rows = options::rows(key, || Ok(self.inner.n_rows() as u64))?;
            let n_rows = self.inner.n_rows();
            let start = usize::try_from(rows.start).unwrap_or(n_rows).min(n_rows);
            let end = usize::try_from(rows.end).unwrap_or(n_rows).min(n_rows);
            let part = self.inner.slice(start, end.saturating_sub(start));
            return Ok(Bound::new(py, RecordBatch::from(part))?.into_any());
        }
        Ok(Bound::new(py, self.column(key)?)?.into_any())
    }

    fn __len__(&self) -> usize {
        self.inner.n_rows()
    }

    fn __arrow_c_schema__<'py>(&self, py: Python<'py>) -> Result<Bound<'py, PyCapsule>> {
        capsule::of_schema(py, self.inner.schema())
    }

    #[pyo3(signature = (requested_schema = None))]
    fn __arrow_c_array__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<&Bound<'py, PyAny>>,
    ) -> Result<capsule::Pair<'py>> {
        capsule::check_request(self.inner.schema(), requested_schema)?;
        capsule::of_batch(py, &self.inner)
    }

    #[pyo3(signature = (requested_schema = None))]
    fn __arrow_c_stream__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<&Bound<'py, PyAny>>,
    ) -> Result<Bound<'py, PyCapsule>> {
        capsule::check_request(self.inner.schema(), requested_schema)?;
        capsule::of_batches(py, Batches::one(self.inner.clone()))
    }

    fn __repr__(&self) -> String {
        let (n_rows, n_columns) = (self.inner.n_rows(), self.inner.n_columns());
        format!("<arrow_ipc.RecordBatch: {n_rows} rows, {n_columns} columns>\n{}", self.inner.schema())
    }
}
