//! Streams: returns batches in the order in which they arrive.

use std::{collections::VecDeque, sync::Arc};

use arrow_ipc::{Limits, StreamReader};
use arrow_schema::Metadata;
use pyo3::{
    exceptions::PyTypeError,
    prelude::*,
    types::{PyCapsule, PyDict, PyList, PyTuple},
};

use crate::{
    batch::{RecordBatch, to_pandas},
    calls, capsule,
    data::{Batches, BoxedBatches},
    error::{Result, exception, misuse},
    joined_rows::JoinedRows,
    options,
    pickle::not_picklable,
    relation,
    schema::{Schema, as_dict},
    show,
    source::{AnyReader, Input},
    stream_end::check_only,
    suggestions,
    tools::arguments::Keywords,
    turn_lock::TurnLock,
    write::check_signals,
};

/// Reads an Arrow stream. Reads the schema at once, and each batch when it is needed.
///
/// A stream may end between two messages without an end marker, as its format allows. Then nothing shows whether its writer
/// was finished; `validate(source, require_end=True)` refuses such a stream.
///
/// `source` is as for `open`, but a file-like object needs no `seek`. It is read up to the end of the stream, so
/// another call reads a stream that follows. If a path, URL or `bytes` has several streams, there is an error after the
/// batches of the first one: `convert(source, dest)` makes one file or stream of all of them, and `count`, `stats`, `validate` and `write_csv`
/// read all. `columns`, `validation`, `memory_map` and `copies` are as for `open`.
///
/// >>> [batch.num_rows for batch in arrow_ipc.read_stream("people.arrows")]
/// [3]
#[pyfunction]
#[pyo3(
    signature = (source, *, columns = None, validation = "content", memory_map = false, copies = "allow", **keywords),
    text_signature = "(source, *, columns=None, validation='content', memory_map=False, copies='allow')"
)]
pub(crate) fn read_stream(
    py: Python<'_>,
    source: &Bound<'_, PyAny>,
    columns: Option<&Bound<'_, PyAny>>,
    #[pyo3(from_py_with = options::word)] validation: &str,
    #[pyo3(from_py_with = options::flag)] memory_map: bool,
    #[pyo3(from_py_with = options::word)] copies: &str,
    keywords: Option<Bound<'_, PyDict>>,
) -> Result<Stream> {
    Keywords::new("read_stream", keywords).finish()?;
    let mut read_options = options::read_options(validation, copies)?;
    let input = if memory_map { Input::try_new_mapped(source)? } else { Input::try_new(source)? };
    let is_file_like = matches!(input, Input::FileLike(_));
    if is_file_like {
        // Bytes after the end of the stream are left for other readers.
        read_options = read_options.with_exact_reads();
    }
    let limits = read_options.limits().clone();
    let mut reader = py.detach(|| {
        let again = input.again();
        let opened = input
            .into_stream()
            .and_then(|(start, rest)| StreamReader::try_resume_with(start, rest, read_options));
        opened.map_err(|error| again.failed(error))
    })?;
    if let Some(columns) = columns {
        reader.project(&options::projection(columns, reader.ipc_schema().schema())?)?;
    }
    let schema = Arc::clone(reader.schema());
    let metadata = reader.schema_message_metadata().clone();
    let batches = OneStream { reader: Some(reader), looks_after_end: !is_file_like, limits };
    Ok(Stream::new(Batches { schema, batches: Box::new(batches), second_pass: None }, metadata))
}

/// The batches of one stream. Of a whole input, this must be the only one.
struct OneStream {
    /// `None` after the end, and after an error.
    reader: Option<StreamReader<AnyReader>>,
    looks_after_end: bool,
    limits: Limits,
}

impl Iterator for OneStream {
    type Item = Result<arrow_data::RecordBatch>;

    fn next(&mut self) -> Option<Result<arrow_data::RecordBatch>> {
        let mut reader = self.reader.take()?;
        match reader.next() {
            Some(Ok(batch)) => {
                self.reader = Some(reader);
                Some(Ok(batch))
            }
            Some(Err(error)) => Some(Err(error.into())),
            None if self.looks_after_end => self.check_end(reader).err().map(Err),
            None => None,
        }
    }
}

impl OneStream {
    /// # Errors
    /// If another stream follows. Its rows would be missing without notice.
    fn check_end(&self, reader: StreamReader<AnyReader>) -> Result<()> {
        let end = reader.n_bytes_consumed();
        let (mut source, bytes) = reader.into_inner();
        check_only("read_stream", end, bytes, &mut source, &self.limits)
    }
}

/// Iterates over the batches of a stream. `async for` reads in another thread.
///
/// `__arrow_c_stream__` passes all batches that are left to another library.
///
/// >>> with arrow_ipc.read_stream("people.arrows") as stream:
/// ...     for batch in stream:
/// ...         print(batch["id"].to_pylist())
/// [1, 2, 3]
#[pyclass(frozen, module = "arrow_ipc")]
pub(crate) struct Stream {
    schema: Arc<arrow_schema::Schema>,
    metadata: Metadata,
    state: TurnLock<State>,
}

enum State {
    Open(OpenStream),
    /// Another library has the batches.
    Taken,
    Closed,
}

/// An open stream. Its next batches may already have been read.
struct OpenStream {
    batches: BoxedBatches,
    /// The next results that have been read but not returned: batches, an error, or the end.
    read: VecDeque<Option<Result<arrow_data::RecordBatch>>>,
}

impl Iterator for OpenStream {
    type Item = Result<arrow_data::RecordBatch>;

    fn next(&mut self) -> Option<Result<arrow_data::RecordBatch>> {
        self.read.pop_front().unwrap_or_else(|| self.batches.next())
    }
}

impl OpenStream {
    /// The first rows, which stay in the stream. After an error, the stream ends.
    fn first(&mut self, n_rows: usize) -> Result<Vec<arrow_data::RecordBatch>> {
        let mut found: Vec<arrow_data::RecordBatch> = Vec::new();
        let mut n_left = n_rows;
        let mut position = 0;
        while n_left > 0 {
            check_signals()?;
            if position == self.read.len() {
                self.read.push_back(self.batches.next());
            }
            match self.read.get(position) {
                Some(Some(Ok(batch))) => {
                    let n_taken = batch.n_rows().min(n_left);
                    found.push(batch.slice(0, n_taken));
                    n_left -= n_taken;
                }
                Some(Some(Err(_))) => {
                    let error = self.read.drain(..).flatten().find_map(Result::err);
                    return error.map_or(Ok(found), Err);
                }
                Some(None) | None => break,
            }
            position += 1;
        }
        Ok(found)
    }
}

impl Stream {
    pub(crate) fn new(batches: Batches, metadata: Metadata) -> Stream {
        let Batches { schema, batches, .. } = batches;
        Stream {
            schema,
            metadata,
            state: TurnLock::new("the stream", State::Open(OpenStream { batches, read: VecDeque::new() })),
        }
    }

    /// Takes the rest of the batches out of the stream.
    pub(crate) fn take(&self, py: Python<'_>) -> PyResult<Batches> {
        match self.replace(py, State::Taken)? {
            State::Open(batches) => Ok(Batches {
                schema: Arc::clone(&self.schema),
                batches: Box::new(batches),
                second_pass: None,
            }),
            State::Taken => Err(already_taken()),
            State::Closed => {
                self.replace(py, State::Closed)?;
                Err(closed())
            }
        }
    }

    /// A stream that takes the batches that are left, and changes them.
    fn changed(&self, py: Python<'_>, change: impl FnOnce(Batches) -> Result<Batches>) -> Result<Stream> {
        Ok(Stream::new(change(self.take(py)?)?, self.metadata.clone()))
    }

    /// Replaces the state. Waits without the interpreter's lock, because the thread that reads may need it.
    fn replace(&self, py: Python<'_>, state: State) -> PyResult<State> {
        py.detach(|| Ok(std::mem::replace(&mut *self.state.take_detached()?, state)))
    }
}

fn already_taken() -> PyErr {
    misuse("AlreadyTaken", "the batches of this stream were given to another reader")
}

fn closed() -> PyErr {
    misuse("Closed", "the stream is closed")
}

/// An asynchronous iterator over the batches. With `prefetches`, reads the next batch while the current one is used.
pub(crate) fn asynchronous<'py>(
    stream: &Bound<'py, Stream>,
    prefetches: bool,
) -> PyResult<Bound<'py, PyAny>> {
    let module = calls::import(stream.py(), "arrow_ipc._async")?;
    calls::method(&module, "AsyncBatches", (stream, prefetches))
}

/// The awaitable of `__aenter__`, whose result is the object.
pub(crate) fn enter<'py>(object: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
    calls::method(&calls::import(object.py(), "arrow_ipc._async")?, "aenter", (object,))
}

/// The awaitable of `__aexit__`, which closes the object in another thread.
pub(crate) fn exit<'py>(object: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
    calls::method(&calls::import(object.py(), "arrow_ipc._async")?, "aexit", (object,))
}

#[pymethods]
impl Stream {
    /// Makes a stream from an object with `__arrow_c_stream__` or `__arrow_c_array__`, or from an iterable of such
    /// objects.
    ///
    /// >>> import pyarrow
    /// >>> stream = arrow_ipc.Stream.from_arrow(pyarrow.table({"id": [1, 2]}))
    /// >>> next(stream).num_rows
    /// 2
    #[staticmethod]
    fn from_arrow(data: &Bound<'_, PyAny>) -> Result<Stream> {
        Ok(Stream::new(Batches::try_new(data)?, Metadata::new()))
    }

    /// The schema of the selected columns.
    ///
    /// >>> arrow_ipc.read_stream("people.arrows").schema.names
    /// ['id', 'name']
    #[getter]
    fn schema(&self) -> Schema {
        (&self.schema).into()
    }

    /// The metadata of the schema, as `schema.metadata`.
    ///
    /// >>> arrow_ipc.read_stream("people.arrows").metadata
    /// {}
    #[getter]
    fn metadata<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        as_dict(py, self.schema.metadata())
    }

    /// The metadata of the schema message.
    ///
    /// >>> arrow_ipc.read_stream("people.arrows").message_metadata
    /// {}
    #[getter]
    fn message_metadata<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        as_dict(py, &self.metadata)
    }

    /// The number of columns.
    ///
    /// >>> arrow_ipc.read_stream("people.arrows").num_columns
    /// 2
    #[getter]
    fn num_columns(&self) -> usize {
        self.schema.fields().len()
    }

    /// The names of the columns.
    ///
    /// >>> arrow_ipc.read_stream("people.arrows").column_names
    /// ['id', 'name']
    #[getter]
    fn column_names(&self) -> Vec<&str> {
        relation::names(&self.schema)
    }

    /// Selects columns of the batches that are left, by name or position, or by a pattern such as "price*". The result is a stream, which
    /// takes these batches.
    ///
    /// >>> next(arrow_ipc.read_stream("people.arrows").select(["name"])).column_names
    /// ['name']
    fn select(&self, columns: &Bound<'_, PyAny>) -> Result<Stream> {
        let positions = relation::positions(columns, &self.schema)?;
        self.changed(columns.py(), |batches| relation::project_batches(batches, positions))
    }

    /// Leaves out columns, like `select`.
    ///
    /// >>> next(arrow_ipc.read_stream("people.arrows").drop(["name"])).column_names
    /// ['id']
    fn drop(&self, columns: &Bound<'_, PyAny>) -> Result<Stream> {
        let positions = relation::positions_without(columns, &self.schema)?;
        self.changed(columns.py(), |batches| relation::project_batches(batches, positions))
    }

    /// The rows for which a condition is true, as for `convert(where=)`, of the batches that are left. The result is a stream, which takes
    /// these batches.
    ///
    /// >>> [batch.num_rows for batch in arrow_ipc.read_stream("people.arrows").filter("name is not null")]
    /// [2]
    fn filter(&self, condition: &Bound<'_, PyAny>) -> Result<Stream> {
        let py = condition.py();
        let condition = relation::condition(condition, &self.schema)?;
        self.changed(py, |batches| Ok(relation::filter_batches(batches, condition)))
    }

    /// The first `n` rows that are left. They stay in the stream: the next batch has them, too.
    ///
    /// >>> stream = arrow_ipc.read_stream("people.arrows")
    /// >>> stream.head(1).to_pylist(), next(stream).num_rows
    /// ([{'id': 1, 'name': 'ada'}], 3)
    #[pyo3(signature = (n = 10))]
    fn head(
        &self,
        py: Python<'_>,
        #[pyo3(from_py_with = options::number_from_0)] n: usize,
    ) -> Result<RecordBatch> {
        let first = py.detach(|| match &mut *self.state.take_detached()? {
            State::Open(open) => JoinedRows::try_new(&self.schema, open.first(n)?),
            State::Taken => Err(already_taken().into()),
            State::Closed => Err(closed().into()),
        });
        Ok(first?.into())
    }

    /// Reads all rows that are left, each as a dict.
    ///
    /// >>> arrow_ipc.read_stream("people.arrows").to_pylist()[:1]
    /// [{'id': 1, 'name': 'ada'}]
    pub(crate) fn to_pylist<'py>(&self, py: Python<'py>) -> Result<Bound<'py, PyList>> {
        RecordBatch::from(relation::join_batches(py, self.take(py)?)?).to_pylist(py)
    }

    /// Reads all rows that are left: a dict with a list of values for each column name.
    ///
    /// >>> arrow_ipc.read_stream("people.arrows").to_pydict()
    /// {'id': [1, 2, 3], 'name': ['ada', None, 'grace']}
    pub(crate) fn to_pydict<'py>(&self, py: Python<'py>) -> Result<Bound<'py, PyDict>> {
        RecordBatch::from(relation::join_batches(py, self.take(py)?)?).to_pydict(py)
    }

    /// Reads all rows that are left, as a pandas `DataFrame`. Needs pandas.
    ///
    /// >>> arrow_ipc.read_stream("people.arrows").to_pandas().shape
    /// (3, 2)
    fn to_pandas<'py>(this: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        to_pandas(this.as_any(), PyTuple::empty(this.py()))
    }

    /// Reads all rows that are left, as a polars `DataFrame`. Needs polars.
    ///
    /// >>> arrow_ipc.read_stream("people.arrows").to_polars().shape
    /// (3, 2)
    fn to_polars<'py>(this: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        relation::to_polars(this.as_any())
    }

    fn __len__(&self) -> PyResult<usize> {
        const TEXT: &str = "the rows of a stream are counted when they are read: `concat(stream)` has them, `sum(1 for batch in stream)` batches";
        Err(exception::<PyTypeError>(TEXT))
    }

    fn __bool__(&self) -> bool {
        true
    }

    fn __getattr__(this: &Bound<'_, Self>, name: &str) -> PyResult<Py<PyAny>> {
        Err(suggestions::no_attribute(this.as_any(), "stream", Some(&this.get().schema), name))
    }

    /// Closes the stream. Batches that were read can still be used.
    ///
    /// >>> stream = arrow_ipc.read_stream("people.arrows")
    /// >>> stream.close()
    fn close(&self, py: Python<'_>) -> PyResult<()> {
        self.replace(py, State::Closed).map(drop)
    }

    fn __enter__(this: Py<Self>) -> Py<Self> {
        this
    }

    #[pyo3(signature = (*_args))]
    fn __exit__(&self, py: Python<'_>, _args: &Bound<'_, PyAny>) -> PyResult<()> {
        self.close(py)
    }

    fn __aenter__<'py>(this: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        enter(this.as_any())
    }

    #[pyo3(signature = (*_args))]
    fn __aexit__<'py>(this: &Bound<'py, Self>, _args: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        exit(this.as_any())
    }

    /// Raises an error. Without this method, NumPy would make one object of the stream.
    #[pyo3(signature = (dtype = None, copy = None))]
    fn __array__(
        &self,
        dtype: Option<&Bound<'_, PyAny>>,
        #[pyo3(from_py_with = options::flag)] copy: Option<bool>,
    ) -> PyResult<Py<PyAny>> {
        let _ = (dtype, copy);
        Err(suggestions::no_array("a stream", "concat(stream)"))
    }

    fn __iter__(this: Py<Self>) -> Py<Self> {
        this
    }

    /// Whether there is a column with this name.
    fn __contains__(&self, #[pyo3(from_py_with = options::word)] name: &str) -> bool {
        self.schema.fields().iter().any(|field| field.name() == name)
    }

    fn __getitem__(&self, _key: &Bound<'_, PyAny>) -> PyResult<Py<PyAny>> {
        const TEXT: &str = "a stream is not read by index: `stream.select([name])` selects columns, `concat(stream)` is a batch";
        Err(exception::<PyTypeError>(TEXT))
    }

    fn __next__(&self, py: Python<'_>) -> Result<Option<RecordBatch>> {
        let next = py.detach(|| match &mut *self.state.take_detached()? {
            State::Open(batches) => Ok(batches.next()),
            State::Taken => Err(already_taken()),
            State::Closed => Err(closed()),
        });
        Ok(next?.transpose()?.map(RecordBatch::from))
    }

    fn __aiter__<'py>(this: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        asynchronous(this, false)
    }

    /// Reads and stores the next batch, unless one is stored.
    fn _read_next(&self, py: Python<'_>) -> PyResult<()> {
        py.detach(|| {
            if let State::Open(open) = &mut *self.state.take_detached()?
                && open.read.is_empty()
            {
                open.read.push_back(open.batches.next());
            }
            Ok(())
        })
    }

    /// Returns the batch that `_read_next` has stored, in a tuple; an empty tuple at the end. `None` if another call
    /// has returned the batch, or if another thread reads. Does not wait.
    fn _take_read(&self) -> Result<Option<(Option<RecordBatch>,)>> {
        let Some(mut state) = self.state.try_take() else { return Ok(None) };
        match &mut *state {
            State::Open(open) => match open.read.pop_front() {
                Some(next) => Ok(Some((next.transpose()?.map(RecordBatch::from),))),
                None => Ok(None),
            },
            State::Taken => Err(already_taken().into()),
            State::Closed => Err(closed().into()),
        }
    }

    fn __arrow_c_schema__<'py>(&self, py: Python<'py>) -> Result<Bound<'py, PyCapsule>> {
        capsule::export_schema(py, &self.schema)
    }

    #[pyo3(signature = (requested_schema = None))]
    fn __arrow_c_stream__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<&Bound<'py, PyAny>>,
    ) -> Result<Bound<'py, PyCapsule>> {
        capsule::check_request(&self.schema, requested_schema)?;
        capsule::export_stream(py, self.take(py)?)
    }

    fn __reduce__(&self) -> PyResult<()> {
        Err(not_picklable("a Stream"))
    }

    fn __repr__(&self) -> String {
        format!("<arrow_ipc.Stream>\n{}", show::fields(self.schema.fields()))
    }

    /// The columns as an HTML table, for notebooks. Reads no batch.
    fn _repr_html_(&self) -> String {
        show::html_of_fields("Stream", self.schema.fields())
    }
}
