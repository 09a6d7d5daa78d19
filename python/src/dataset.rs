//! Data sets of many files, and tasks that read parts of them.

use std::{
    ffi::OsString,
    num::{NonZero, NonZeroU64},
    path::{self, Path, PathBuf},
    sync::{Arc, atomic::AtomicBool},
};

use arrow_array::{Int8Array, Scalar};
use arrow_compute::{ColumnBounds, Digits, PredicateErrorKind, cast};
use arrow_data::ArrayData;
use arrow_ipc::FetchCost;
use arrow_ipc_dataset::{
    Dataset as Set, DatasetError, DatasetErrorKind, DatasetOptions, FileStamp, FileVersion, LocalFiles,
    OpenFiles, PartitionValue, ReadTask, TaskBatches, TaskFile,
};
use arrow_ipc_tools::{InputName, ToolError, trailing::unreferenced_bytes_of};
use arrow_schema::{DataType, Metadata};
use arrow_select::concat;
use arrow_text::format::Counted;
use pyo3::{
    exceptions::{PyTypeError, PyValueError},
    prelude::*,
    types::{PyCapsule, PyDict, PyList, PyTuple},
};

use crate::{
    batch::{RecordBatch, to_pandas},
    calls, capsule,
    data::Batches,
    engines,
    error::{Failure, Result, exception, missing_name_error, unsupported_call, warn},
    forks::refuse_after_fork,
    options::{self, Items},
    pickle::Reduction,
    ranges::{UrlFiles, arguments_of, files_of, given_cost, is_url, local, no_requests, without_secrets},
    relation,
    schema::Schema,
    show,
    stream::{Stream, asynchronous},
    suggestions,
    tools::{
        arguments::Keywords,
        change_args::{given_predicate, predicate},
        open::with_path,
    },
    write::check_signals,
};

/// Opens many Arrow files as one data set. Several threads read their footers.
///
/// `source` is a folder, a pattern such as `data/**/*.arrow`, a path, or a list of these. All of them can also be URLs, such as
/// `s3://bucket/sales/`; but servers of HTTP list no files, so there it is the URL of a file, or a list of these. A folder means all files below it
/// whose names end in `.arrow`, `.arrows`, `.feather` or `.ipc`; a stream is read like a file. A file that is named twice is read twice. Names that begin with `.` or `_` are ignored. A folder such as
/// `day=2024-02-29` adds a column `day` to all files below it. The type of the column is int64 if all values are
/// integers (`01` is an integer, `012` is not), date32 if all values are dates, and otherwise utf8. If the files have
/// a column of this name, it is read from the files.
///
/// The schema is the merged schema of all files that are opened. Columns are matched by name, and are null if a file lacks them. If files have a
/// column in several types, its type is the first of them that can hold all values, such as utf8 beside utf8_view, or a wider
/// one, such as int64 beside int32. With `schema`, the data set has the columns of the schema and of folders, with the types of the
/// schema. Other columns of files are ignored. A value that does not fit its type is an error. `columns` selects whole columns by
/// name, and `where` selects rows, as for `convert`. If the condition uses columns of folders, files in folders that do not match
/// are not opened, so they add no columns and no wider types; `dataset(...).where(condition)` opens all first. With `schema`, files are
/// opened when they are read, so a file that does not fit is an error then, and `count` counts its rows. With `trust_statistics`, a batch is skipped if the statistics in the footer say that none of its rows match. If
/// the statistics are wrong, rows are missing. `threads` is the number of threads that read footers and count rows.
///
/// `request_ms` and `bytes_per_second` say what requests to the server of URLs cost, as for `open`. Without them, the first answers
/// show it. Slower requests and faster connections make fewer requests, with more bytes that are not needed.
///
/// >>> people = arrow_ipc.dataset("people.arrow", where="id >= 2")
/// >>> people.count(), [batch.to_pydict() for batch in people.select(["name"])]
/// (2, [{'name': [None, 'grace']}])
#[pyfunction]
#[pyo3(
    signature = (source, *, columns = None, r#where = None, schema = None, trust_statistics = false, threads = None, request_ms = None, bytes_per_second = None, **keywords),
    text_signature = "(source, *, columns=None, where=None, schema=None, trust_statistics=False, threads=None, request_ms=None, bytes_per_second=None)"
)]
#[expect(clippy::too_many_arguments, reason = "one for each argument in Python")]
pub(crate) fn dataset(
    py: Python<'_>,
    source: &Bound<'_, PyAny>,
    columns: Option<&Bound<'_, PyAny>>,
    r#where: Option<&Bound<'_, PyAny>>,
    schema: Option<&Bound<'_, PyAny>>,
    #[pyo3(from_py_with = options::flag)] trust_statistics: bool,
    #[pyo3(from_py_with = options::number_from_0)] threads: Option<NonZero<usize>>,
    #[pyo3(from_py_with = options::number_from_0)] request_ms: Option<f64>,
    #[pyo3(from_py_with = options::number_from_0)] bytes_per_second: Option<NonZeroU64>,
    keywords: Option<Bound<'_, PyDict>>,
) -> Result<Dataset> {
    Keywords::new("dataset", keywords).finish()?;
    let fetch_cost = given_cost(request_ms, bytes_per_second)?;
    let mut inputs = match local(source)?.extract::<PathBuf>() {
        Ok(path) => vec![path],
        Err(_) => {
            let expected = |_| {
                let found = source.get_type();
                exception::<PyTypeError>(format!("expected a path or a list of paths, found {found}"))
            };
            let paths = source.try_iter().map_err(expected)?;
            paths
                .map(|path| local(&path?)?.extract().map_err(expected))
                .collect::<PyResult<Vec<PathBuf>>>()?
        }
    };
    let mut opening = DatasetOptions::new().with_limits(options::limits());
    if inputs.iter().any(|input| is_remote(input)) {
        if !inputs.iter().all(|input| is_remote(input)) {
            let text = "files at paths and files at URLs are not one data set";
            return Err(unsupported_call(text).into());
        }
        inputs = files_of(py, &inputs)?;
        opening = opening.with_store(Arc::new(UrlFiles::new(fetch_cost)));
    } else if fetch_cost.is_some() {
        return Err(no_requests().into());
    }
    if let Some(schema) = schema {
        opening = opening.with_schema(Schema::from_object(schema)?);
    }
    if trust_statistics {
        opening = opening.with_trusted_statistics();
    }
    if let Some(n_threads) = threads {
        opening = opening.with_n_threads(n_threads.get());
    }
    if let Some(condition) = r#where {
        // Files of which the folders show that no row matches are not opened.
        opening = opening.with_pruning(given_predicate(condition)?);
    }
    let set = py.detach(|| Set::open_with(&inputs, opening));
    let set = set.map_err(failed)?;
    let set = Dataset { set, fetch_cost, has_warned: Arc::default() };
    // The condition is applied first, because it may use columns that are not selected.
    let set = r#where.map_or(Ok(set.clone()), |condition| set.matching(condition))?;
    if let Some(rest) =
        py.detach(|| unreferenced_bytes_of(&set.set, |path| InputName::Path(without_secrets(path))))
    {
        warn(&rest.to_string())?;
    }
    columns.map_or(Ok(set.clone()), |columns| set.select(columns))
}

/// The rows of many files, or a selection of these rows, in the order of the paths.
///
/// A data set can be iterated over any number of times, and passed to any library that reads Arrow streams. If a file
/// has changed since the data set was opened, reading it raises `OSError`, and the rows before the error are
/// incomplete.
///
/// >>> people = arrow_ipc.dataset("*.arrow")
/// >>> len(people.files), people.schema
/// (1, Schema("id: int64\nname: utf8"))
#[pyclass(frozen, module = "arrow_ipc")]
#[derive(Clone)]
pub(crate) struct Dataset {
    set: Set,
    /// The cost of requests that was given.
    fetch_cost: Option<FetchCost>,
    /// Whether an engine was warned that it reads everything.
    has_warned: Arc<AtomicBool>,
}

#[pymethods]
impl Dataset {
    /// The schema of the selected columns, in the order of the selection.
    ///
    /// >>> arrow_ipc.dataset("people.arrow").schema.names
    /// ['id', 'name']
    #[getter]
    fn schema(&self) -> Schema {
        self.set.schema().into()
    }

    /// The paths of all files.
    ///
    /// >>> arrow_ipc.dataset("*.arrow").files
    /// ['people.arrow']
    #[getter]
    fn files(&self) -> Vec<OsString> {
        self.set.files().iter().map(|file| file.path().into()).collect()
    }

    /// The number of columns.
    ///
    /// >>> arrow_ipc.dataset("people.arrow").num_columns
    /// 2
    #[getter]
    fn num_columns(&self) -> usize {
        self.set.schema().fields().len()
    }

    /// The names of the columns.
    ///
    /// >>> arrow_ipc.dataset("people.arrow").column_names
    /// ['id', 'name']
    #[getter]
    fn column_names(&self) -> Vec<&str> {
        relation::names(self.set.schema())
    }

    /// The number of rows, which `count` counts, and the number of columns.
    ///
    /// >>> arrow_ipc.dataset("people.arrow").shape
    /// (3, 2)
    #[getter]
    fn shape(&self, py: Python<'_>) -> Result<(u64, usize)> {
        Ok((self.count(py)?, self.num_columns()))
    }

    /// Selects columns by name, or by a pattern such as "price*". The result has them in this order.
    ///
    /// >>> arrow_ipc.dataset("people.arrow").select(["name"]).schema.names
    /// ['name']
    fn select(&self, columns: &Bound<'_, PyAny>) -> Result<Dataset> {
        let columns = relation::without_patterns(columns, self.set.full_schema())?;
        let set = self.set.clone().with_columns(names(&columns)?);
        Ok(self.with_set(set.map_err(|error| self.column_failure(error))?))
    }

    /// Selects the rows for which the condition is true, in addition to earlier conditions.
    ///
    /// >>> arrow_ipc.dataset("people.arrow").where("name is null").count()
    /// 1
    #[pyo3(name = "where")]
    fn matching(&self, condition: &Bound<'_, PyAny>) -> Result<Dataset> {
        let condition = given_predicate(condition)?;
        let set = self.set.clone().with_predicate(condition);
        Ok(self.with_set(set.map_err(|error| self.column_failure(error))?))
    }

    /// Leaves out some of the selected columns, by name, position or pattern.
    ///
    /// >>> arrow_ipc.dataset("people.arrow").drop(["name"]).schema.names
    /// ['id']
    fn drop(&self, columns: &Bound<'_, PyAny>) -> Result<Dataset> {
        let schema = self.set.schema();
        let fields = relation::positions_without(columns, schema)?
            .into_iter()
            .filter_map(|position| schema.field(position));
        let names: Vec<String> = fields.map(|field| field.name().to_owned()).collect();
        Ok(self.with_set(self.set.clone().with_columns(names).map_err(failed)?))
    }

    /// The same as `where`.
    ///
    /// >>> arrow_ipc.dataset("people.arrow").filter("name is null").count()
    /// 1
    fn filter(&self, condition: &Bound<'_, PyAny>) -> Result<Dataset> {
        self.matching(condition)
    }

    /// Reads the first `n` rows.
    ///
    /// >>> arrow_ipc.dataset("people.arrow").head(1).to_pylist()
    /// [{'id': 1, 'name': 'ada'}]
    #[pyo3(signature = (n = 10))]
    fn head(
        &self,
        py: Python<'_>,
        #[pyo3(from_py_with = options::number_from_0)] n: usize,
    ) -> Result<RecordBatch> {
        let batches = batches_of(py.detach(|| self.set.read()).map_err(failed)?);
        Ok(relation::first(py, batches, n)?.into())
    }

    /// Reads all rows, each as a dict.
    ///
    /// >>> arrow_ipc.dataset("people.arrow").select(["id"]).to_pylist()
    /// [{'id': 1}, {'id': 2}, {'id': 3}]
    fn to_pylist<'py>(&self, py: Python<'py>) -> Result<Bound<'py, PyList>> {
        self.read(py)?.to_pylist(py)
    }

    /// Reads all rows: a dict with a list of values for each column name.
    ///
    /// >>> arrow_ipc.dataset("people.arrow").to_pydict()
    /// {'id': [1, 2, 3], 'name': ['ada', None, 'grace']}
    fn to_pydict<'py>(&self, py: Python<'py>) -> Result<Bound<'py, PyDict>> {
        self.read(py)?.to_pydict(py)
    }

    /// Reads all rows, as a pandas `DataFrame`. Needs pandas.
    ///
    /// >>> arrow_ipc.dataset("people.arrow").to_pandas().shape
    /// (3, 2)
    fn to_pandas<'py>(&self, py: Python<'py>) -> Result<Bound<'py, PyAny>> {
        Ok(to_pandas(Bound::new(py, self.read(py)?)?.as_any(), PyTuple::empty(py))?)
    }

    /// Reads all rows, as a polars `DataFrame`. Needs polars. `arrow_ipc.polars.scan` reads only what a query needs.
    ///
    /// >>> arrow_ipc.dataset("people.arrow").to_polars().shape
    /// (3, 2)
    fn to_polars<'py>(&self, py: Python<'py>) -> Result<Bound<'py, PyAny>> {
        Ok(relation::to_polars(Bound::new(py, self.read(py)?)?.as_any())?)
    }

    fn __getattr__(this: &Bound<'_, Self>, name: &str) -> PyResult<Py<PyAny>> {
        Err(suggestions::no_attribute(this.as_any(), "dataset", Some(this.get().set.schema()), name))
    }

    /// Counts the selected rows. Skips a file if all or none of its rows are selected.
    ///
    /// >>> arrow_ipc.dataset("people.arrow").count()
    /// 3
    fn count(&self, py: Python<'_>) -> Result<u64> {
        let mut exception = Ok(());
        let counted = py.detach(|| {
            self.set.count_while(|_| {
                exception = check_signals();
                exception.is_ok()
            })
        });
        exception?;
        counted.map_err(failed)
    }

    /// Divides the data set into tasks, which together read each selected row once, in order. A task has several
    /// small files, or some batches of a large file, and about `target_bytes` bytes. It can be pickled, and read in
    /// another process that finds the files at the same paths.
    ///
    /// >>> tasks = arrow_ipc.dataset("people.arrow").split()
    /// >>> [task.num_rows for task in tasks]
    /// [3]
    #[pyo3(signature = (target_bytes = 64 << 20))]
    fn split(
        &self,
        py: Python<'_>,
        #[pyo3(from_py_with = options::number_from_0)] target_bytes: u64,
    ) -> Result<Vec<Task>> {
        let absolute = |mut task: ReadTask| {
            for file in task.files.iter_mut().filter(|file| !is_remote(&file.path)) {
                file.path = path::absolute(&file.path)?;
            }
            Ok(Task { task, store: self.set.store().clone(), fetch_cost: self.fetch_cost })
        };
        py.detach(|| {
            // Tasks say how many rows they have, and check it.
            self.set.load_row_counts().map_err(failed)?;
            self.set.split(target_bytes).map_err(failed)?.into_iter().map(absolute).collect()
        })
    }

    /// All batches, as a stream. When the stream is read, threads read batches ahead.
    ///
    /// >>> [batch.num_rows for batch in arrow_ipc.dataset("people.arrow").read()]
    /// [3]
    fn read(&self, py: Python<'_>) -> Result<Stream> {
        Ok(Stream::new(py.detach(|| self.batches())?, Metadata::new()))
    }

    /// Converts the selected rows to a `pyarrow.dataset.Dataset`, for DataFusion, DuckDB and other engines. These
    /// request only the columns and rows that they need. Needs pyarrow.
    ///
    /// >>> people = arrow_ipc.dataset("people.arrow").to_pyarrow()
    /// >>> people.to_table(columns=["name"]).num_rows
    /// 3
    fn to_pyarrow<'py>(this: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        calls::method(&calls::import(this.py(), "arrow_ipc._pyarrow")?, "to_pyarrow", (this,))
    }

    /// The statistics of a column, with a row for each batch. `min` and `max` are null if they are unknown. `nulls`
    /// is 0 if no row is null, 2 if all rows are null, and otherwise 1. `None` if nothing is known.
    fn _bounds(&self, py: Python<'_>, column: &str) -> Result<Option<RecordBatch>> {
        py.detach(|| Ok(known(&self.set.bounds(column).map_err(failed)?)?.map(RecordBatch::from)))
    }

    /// Selects batches by their numbers, which count over all files.
    fn _only(&self, py: Python<'_>, batches: options::Items<usize>) -> Result<Dataset> {
        let set = py.detach(|| self.set.clone().with_batches(batches.0));
        Ok(self.with_set(set.map_err(failed)?))
    }

    fn __iter__(&self, py: Python<'_>) -> Result<Stream> {
        self.read(py)
    }

    fn __aiter__<'py>(&self, py: Python<'py>) -> Result<Bound<'py, PyAny>> {
        Ok(asynchronous(&Bound::new(py, self.read(py)?)?, false)?)
    }

    /// Whether there is a column with this name.
    fn __contains__(&self, #[pyo3(from_py_with = options::word)] name: &str) -> bool {
        self.set.schema().fields().iter().any(|field| field.name() == name)
    }

    fn __getitem__(&self, _key: &Bound<'_, PyAny>) -> PyResult<Py<PyAny>> {
        const TEXT: &str =
            "a data set is not read by index: `dataset.select([name])` has columns, `concat(dataset)` rows";
        Err(exception::<PyTypeError>(TEXT))
    }

    fn __bool__(&self) -> bool {
        true
    }

    fn __len__(&self) -> PyResult<usize> {
        let text = "the rows of a data set are not counted yet: `dataset.count()` counts them, `dataset.files` has the paths";
        Err(exception::<PyTypeError>(text))
    }

    fn __arrow_c_schema__<'py>(&self, py: Python<'py>) -> Result<Bound<'py, PyCapsule>> {
        capsule::export_schema(py, self.set.schema())
    }

    #[pyo3(signature = (requested_schema = None))]
    fn __arrow_c_stream__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<&Bound<'py, PyAny>>,
    ) -> Result<Bound<'py, PyCapsule>> {
        capsule::check_request(self.set.schema(), requested_schema)?;
        engines::warn_once(py, &self.has_warned)?;
        capsule::export_stream(py, py.detach(|| self.batches())?)
    }

    fn __reduce__(&self) -> PyResult<()> {
        Err(exception::<PyTypeError>(
            "cannot pickle a Dataset: pickle its tasks, which split gives, or its paths",
        ))
    }

    fn __repr__(&self) -> String {
        let fields = show::fields(self.set.schema().fields());
        format!("<arrow_ipc.Dataset: {}>\n{fields}", Counted(self.set.files().len() as u64, "file"))
    }

    /// The columns as an HTML table, for notebooks. Reads no rows.
    fn _repr_html_(&self) -> String {
        let title = format!("Dataset: {}", Counted(self.set.files().len() as u64, "file"));
        show::html_of_fields(&title, self.set.schema().fields())
    }
}

impl Dataset {
    /// Another selection of the same data set.
    fn with_set(&self, set: Set) -> Dataset {
        Dataset { set, fetch_cost: self.fetch_cost, has_warned: Arc::default() }
    }

    /// Selects columns by position.
    pub(crate) fn with_positions(&self, columns: &[usize]) -> Result<Dataset> {
        let fields = self.set.schema().fields();
        let names = columns.iter().filter_map(|column| Some(fields.get(*column)?.name().to_owned()));
        Ok(self.with_set(self.set.clone().with_columns(names.collect::<Vec<_>>()).map_err(failed)?))
    }

    /// Adds a hint with similar names to the error about a column that does not exist.
    fn column_failure(&self, error: DatasetError) -> Failure {
        let lookup = match error.kind() {
            DatasetErrorKind::Column(lookup) => lookup,
            DatasetErrorKind::Predicate(wrong) => match wrong.kind() {
                PredicateErrorKind::Lookup(lookup) => lookup,
                _ => return failed(error),
            },
            _ => return failed(error),
        };
        Python::attach(|py| missing_name_error(py, lookup, lookup.to_string(), self.set.schema())).into()
    }

    /// All batches, in order, read by as many threads as there are processors.
    pub(crate) fn batches(&self) -> Result<Batches> {
        let batches = self.set.read_by_threads(options::n_threads(None).get()).map_err(failed)?;
        Ok(Batches {
            schema: Arc::clone(batches.schema()),
            batches: refuse_after_fork(Box::new(batches.map(|batch| batch.map_err(failed)))),
            second_pass: None,
        })
    }
}

/// Some batches of one or several files, with the selected columns and rows.
///
/// A pickled task has a few hundred bytes. Its files are opened when it is read. If a file has changed, reading
/// raises `OSError`.
///
/// >>> import pickle
/// >>> task = pickle.loads(pickle.dumps(arrow_ipc.dataset("people.arrow").split()[0]))
/// >>> [batch.num_rows for batch in task.read()]
/// [3]
#[pyclass(frozen, module = "arrow_ipc")]
pub(crate) struct Task {
    task: ReadTask,
    /// The open files of the data set, or after pickling others.
    store: OpenFiles,
    fetch_cost: Option<FetchCost>,
}

#[pymethods]
impl Task {
    /// The paths of the files that the task reads.
    ///
    /// >>> arrow_ipc.dataset("people.arrow").split()[0].files[0].endswith("people.arrow")
    /// True
    #[getter]
    fn files(&self) -> Vec<OsString> {
        self.task.files.iter().map(|file| file.path.clone().into()).collect()
    }

    /// The number of rows in the batches of the task, including rows that do not match.
    ///
    /// >>> arrow_ipc.dataset("people.arrow", where="id = 1").split()[0].num_rows
    /// 3
    #[getter]
    fn num_rows(&self) -> Option<u64> {
        self.task.n_rows()
    }

    /// Whether the task may skip some of these rows, because it has a condition.
    #[getter]
    fn _is_filtered(&self) -> bool {
        self.task.predicate.is_some()
    }

    /// The length of the batches in the files, in bytes, including columns that are not selected.
    ///
    /// >>> arrow_ipc.dataset("people.arrow").split()[0].num_bytes > 100
    /// True
    #[getter]
    fn num_bytes(&self) -> u64 {
        self.task.n_bytes()
    }

    /// Selects columns by name. The result has them in this order.
    ///
    /// >>> task = arrow_ipc.dataset("people.arrow").split()[0]
    /// >>> [batch.to_pydict() for batch in task.select(["id"])]
    /// [{'id': [1, 2, 3]}]
    fn select(&self, columns: &Bound<'_, PyAny>) -> Result<Task> {
        let columns = Some(names(columns)?);
        let store = self.store.clone();
        Ok(Task { task: ReadTask { columns, ..self.task.clone() }, store, fetch_cost: self.fetch_cost })
    }

    fn __getattr__(this: &Bound<'_, Self>, name: &str) -> PyResult<Py<PyAny>> {
        Err(suggestions::no_attribute(this.as_any(), "task", None, name))
    }

    /// The batches of the task, as a stream. They are read when the stream is read.
    ///
    /// >>> [batch.num_rows for batch in arrow_ipc.dataset("people.arrow").split()[0].read()]
    /// [3]
    fn read(&self, py: Python<'_>) -> Result<Stream> {
        Ok(stream_of(py.detach(|| self.batches())?))
    }

    fn __iter__(&self, py: Python<'_>) -> Result<Stream> {
        self.read(py)
    }

    #[pyo3(signature = (requested_schema = None))]
    fn __arrow_c_stream__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<&Bound<'py, PyAny>>,
    ) -> Result<Bound<'py, PyCapsule>> {
        let batches = py.detach(|| self.batches())?;
        capsule::check_request(batches.schema(), requested_schema)?;
        capsule::export_stream(py, batches_of(batches))
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> Result<Reduction<'py>> {
        let ReadTask { files, columns, predicate, schema } = &self.task;
        let file = |file: &TaskFile| {
            let value = |value: &PartitionValue| {
                (
                    value.name.to_string(),
                    value.data_type.to_string(),
                    value.text.as_deref().map(str::to_owned),
                )
            };
            let TaskFile { path, version: FileVersion { n_bytes, stamp }, batches, .. } = file;
            let stamp = match stamp {
                FileStamp::Modified(modified) => (0, *modified),
                FileStamp::Tag(tag) => (1, tag.cast_signed()),
            };
            let partition: Vec<PickledValue> = file.partition.iter().map(value).collect();
            let batches = (batches.start, batches.end, file.n_rows, file.n_bytes);
            (path.clone().into_os_string(), (*n_bytes, stamp.0, stamp.1), batches, partition)
        };
        let files: Vec<PickledFile<Vec<PickledValue>>> = files.iter().map(file).collect();
        let predicate = predicate.as_ref().map(ToString::to_string);
        let schema = schema.as_ref().map(Schema::from);
        let fetch_cost = self.fetch_cost.map(arguments_of);
        let parts = (files, columns.clone(), predicate, schema, fetch_cost).into_pyobject(py)?;
        Ok((py.import("arrow_ipc._arrow_ipc")?.getattr("_task")?, parts))
    }

    fn __repr__(&self) -> String {
        let n_files = Counted(self.task.files.len() as u64, "file");
        let n_rows =
            self.task.n_rows().map_or_else(|| "rows".to_owned(), |n_rows| Counted(n_rows, "row").to_string());
        format!("<arrow_ipc.Task: {n_rows} of {n_files}>")
    }
}

impl Task {
    fn batches(&self) -> Result<TaskBatches> {
        self.task.read_from(&self.store).map_err(failed)
    }
}

/// Whether a path is a URL.
fn is_remote(path: &Path) -> bool {
    path.to_str().is_some_and(is_url)
}

/// The name, type and text of a partition value.
type PickledValue = (String, String, Option<String>);

/// A pickled file of a task: the path; the length, kind of stamp and stamp; the range of batches, their rows and
/// bytes; and the partition values.
type PickledFile<P> = (OsString, (u64, u8, i64), (usize, usize, Option<u64>, u64), P);

/// Makes a task from its pickle.
#[pyfunction]
#[pyo3(signature = (files, columns, predicate, schema, fetch_cost = None))]
pub(crate) fn _task(
    files: Items<PickledFile<Items<PickledValue>>>,
    columns: Option<Items<String>>,
    predicate: Option<&str>,
    schema: Option<&Bound<'_, PyAny>>,
    fetch_cost: Option<(f64, NonZeroU64)>,
) -> Result<Task> {
    let value = |(name, data_type, text): PickledValue| {
        let data_type = data_type.parse::<DataType>();
        let data_type = data_type.map_err(|error| exception::<PyValueError>(error.to_string()))?;
        PyResult::Ok(PartitionValue { name: name.into(), data_type, text: text.map(Into::into) })
    };
    let file =
        |(path, (n_bytes, kind, stamp), (first, end, n_rows, n_file_bytes), partition): PickledFile<
            Items<PickledValue>,
        >| {
            let partition: Arc<[PartitionValue]> =
                partition.0.into_iter().map(value).collect::<PyResult<_>>()?;
            let stamp = match kind {
                0 => FileStamp::Modified(stamp),
                _ => FileStamp::Tag(stamp.cast_unsigned()),
            };
            let version = FileVersion { n_bytes, stamp };
            PyResult::Ok(TaskFile {
                path: path.into(),
                version,
                batches: first..end,
                partition,
                n_rows,
                n_bytes: n_file_bytes,
            })
        };
    let files = files.0.into_iter().map(file).collect::<PyResult<Vec<TaskFile>>>()?;
    let predicate = predicate.map(self::predicate).transpose()?;
    let schema = schema.map(Schema::from_object).transpose()?;
    let columns = columns.map(|Items(columns)| columns);
    let (request_ms, bytes_per_second) = fetch_cost.unzip();
    let fetch_cost = given_cost(request_ms, bytes_per_second)?;
    let store = OpenFiles::new(if files.iter().any(|file| is_remote(&file.path)) {
        Arc::new(UrlFiles::new(fetch_cost))
    } else {
        Arc::new(LocalFiles::new().with_limits(options::limits()))
    });
    Ok(Task { task: ReadTask { files, columns, predicate, schema }, store, fetch_cost })
}

fn names(columns: &Bound<'_, PyAny>) -> Result<Vec<String>> {
    let names = options::column_list(columns)?.into_iter().map(|name| Ok(options::word(&name)?.to_owned()));
    Ok(names.collect::<PyResult<_>>()?)
}

/// The statistics of a column, with a row for each batch; `None` if nothing is known.
fn known(bounds: &[ColumnBounds]) -> Result<Option<arrow_data::RecordBatch>> {
    let nulls = bounds.iter().map(|bounds| match (bounds.n_rows, bounds.null_count) {
        (_, Some(0)) => 0,
        (n_rows, null_count) if null_count.is_some() && n_rows == null_count => 2,
        _ => 1,
    });
    let nulls: Int8Array = nulls.collect();
    let Some(first) = bounds.iter().find_map(|bounds| bounds.min.as_ref().or(bounds.max.as_ref())) else {
        let is_known = nulls.iter().any(|nulls| nulls != Some(1));
        let null_counts = || arrow_data::RecordBatch::try_from_columns([("nulls", nulls.clone().into())]);
        return Ok(is_known.then(null_counts).transpose()?);
    };
    let data_type = first.data_type().clone();
    let unknown = Scalar::try_new_null(&data_type)?.as_array().data().clone();
    let slot = |value: Option<&Scalar>| {
        let cast = value.and_then(|value| cast(value.as_array().data(), &data_type, Digits::Keep).ok());
        cast.unwrap_or_else(|| unknown.clone())
    };
    let min: Vec<ArrayData> = bounds.iter().map(|bounds| slot(bounds.min.as_ref())).collect();
    let max: Vec<ArrayData> = bounds.iter().map(|bounds| slot(bounds.max.as_ref())).collect();
    let min = concat(&min)?;
    let max = concat(&max)?;
    let batch =
        arrow_data::RecordBatch::try_from_columns([("min", min), ("max", max), ("nulls", nulls.into())]);
    Ok(Some(batch?))
}

fn batches_of(batches: TaskBatches) -> Batches {
    let schema = Arc::clone(batches.schema());
    Batches { schema, batches: Box::new(batches.map(|batch| batch.map_err(failed))), second_pass: None }
}

fn stream_of(batches: TaskBatches) -> Stream {
    Stream::new(batches_of(batches), Metadata::new())
}

/// Converts an error. The path of the file becomes `OSError.filename`.
pub(crate) fn failed(error: DatasetError) -> Failure {
    let file = error.path().map(Path::to_owned);
    let path = error.path().map(without_secrets);
    let error = match &path {
        Some(path) => DatasetError::at(path, error.into_kind()),
        None => error,
    };
    match (path, error.kind()) {
        // If Python code raised the error, its message is unchanged.
        (Some(path), DatasetErrorKind::Io(cause))
            if !cause.get_ref().is_some_and(|exception| exception.is::<PyErr>()) =>
        {
            with_path(path, ToolError::from_set_error("the data set".into(), error))
        }
        _ => {
            let failure = Failure::from(ToolError::from_set_error("the data set".into(), error));
            match file {
                Some(file) => failure.with_format_of(&file),
                None => failure,
            }
        }
    }
}
