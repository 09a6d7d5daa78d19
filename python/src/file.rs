//! Files, and streams like files: reads batches by position, and only the needed columns and rows.

use std::collections::HashMap;
use std::num::{NonZeroU64, NonZeroUsize};
use std::ops::Range;
use std::path::PathBuf;
use std::sync::{Arc, OnceLock, PoisonError, RwLock};

use arrow_ipc::{
    Container, ErrorClass, FileReader, Projection, ReadOptions,
    file::{StreamEnd, StreamIndex},
};
use arrow_ipc_tools::trailing::TrailingBytes;
use arrow_text::format::Counted;
use pyo3::{
    exceptions::{PyIndexError, PyOSError, PyTypeError},
    prelude::*,
    types::{PyBytes, PyCapsule, PyDict, PyList, PySlice, PyTuple},
};

use crate::{
    array::Array,
    batch::{RecordBatch, to_pandas},
    capsule, data,
    error::{Failure, Result, exception, misuse, with_location},
    exceptions::warn,
    file_batches::Batches,
    location::Location,
    options,
    origin::Origin,
    pickle::Reduction,
    prefetch::{self, BatchPrefetch, PartReader},
    ranges::{RangeFile, arguments_of, given_cost, is_url, local, no_requests},
    relation,
    rows::{self, Key, RowEnds},
    schema::{Schema, as_dict},
    show,
    source::{AnySource, Input},
    stream::{Stream, asynchronous, enter, exit},
    stream_end::check_end,
    suggestions,
    tools::arguments::Keywords,
    tools::open::open_one,
    walked_streams,
};

pub(crate) type Reader = FileReader<AnySource>;

/// Opens an Arrow file, and reads its footer. Batches are read when they are needed, without columns that are not
/// selected.
///
/// A stream is opened like a file: its messages are found by their metadata, without reading batches, and each batch is
/// read with the dictionaries that count for it. If the stream ends with a message that is cut, or another stream follows,
/// there is an error after the last batch, as from `read_stream`. `index` is what `File.index` returned for this stream, or where these bytes
/// are: the messages then need not be found. If it is the index of another stream, opening is an error.
///
/// `source` is a path, a URL, memory, or a file-like object with `read` and `seek`. The memory of `bytes` and of
/// views of `bytes` is shared. Other memory is copied: an `mmap` range by range when it is read, other objects when
/// the file is opened. From a URL, only the needed ranges are fetched, several at the same time. `http` and `https`
/// need no other package; other schemes need `fsspec`. If a file at a URL changes while it is read, reading it raises
/// `OSError`. A file at a path may grow by `append` while it is open. It must not be overwritten in place, because
/// later batches would have new values, or be invalid. Another file may be renamed to its path. If another
/// file begins inside the file, as after `cat a.arrow b.arrow`, there is a warning: its rows are not read.
///
/// `columns` selects columns by name, by the path of a nested field such as `address.city`, or by position. With a path,
/// the column keeps its structs, which only have this field.
///
/// `threads` is the number of threads that read if another library requests all batches. The default is the number of
/// cores. The threads end before a batch is returned. A single thread reads file-like objects.
///
/// `validation` is "content", "strict" or "structure". "content", the default, checks offsets, text, indices, and all
/// else that readers rely on. "strict" also checks rules that some producers violate. "structure" checks only lengths
/// and counts; `RecordBatch.validate` then checks the content.
///
/// With `memory_map`, a file at a path is mapped into memory instead of read. Objects with read-only memory, such as
/// an `mmap` or a `pyarrow.Buffer`, are used without a copy. The caller promises that nobody writes to the file or
/// memory, or shortens the file, while any of it is in use. Otherwise, values change after they were checked, reading
/// them may access any memory, and a signal may end the process. Another file may be renamed to this path.
///
/// `request_ms` and `bytes_per_second` say what requests to the server of a URL cost: the milliseconds until the first byte of an
/// answer, and the bytes that a connection receives per second after it. The defaults are 30 and 25,000,000. Ranges are fetched
/// together where that takes less time.
///
/// With `copies="refuse"`, reading raises `ArrowIpcError` instead of copying bytes of values that are in memory or mapped, for example
/// because they are compressed or not aligned. The error says which column, buffer and reason; `convert(source, dest)`
/// writes a file that is read without copies. When another library takes rows that begin inside of a byte of a bitmap, the bitmap is
/// copied all the same.
///
/// >>> arrow_ipc.open("people.arrow", columns=["id"]).head(2).to_pylist()
/// [{'id': 1}, {'id': 2}]
/// >>> arrow_ipc.open("people.arrows")[1:].to_pylist()
/// [{'id': 2, 'name': None}, {'id': 3, 'name': 'grace'}]
#[pyfunction]
#[pyo3(
    signature = (source, *, columns = None, validation = "content", memory_map = false, copies = "allow", threads = None, index = None, request_ms = None, bytes_per_second = None, **keywords),
    text_signature = "(source, *, columns=None, validation='content', memory_map=False, copies='allow', threads=None, index=None, request_ms=None, bytes_per_second=None)"
)]
#[expect(clippy::too_many_arguments, reason = "one for each argument in Python")]
pub(crate) fn open(
    py: Python<'_>,
    source: &Bound<'_, PyAny>,
    columns: Option<&Bound<'_, PyAny>>,
    #[pyo3(from_py_with = options::word)] validation: &str,
    #[pyo3(from_py_with = options::flag)] memory_map: bool,
    #[pyo3(from_py_with = options::word)] copies: &str,
    #[pyo3(from_py_with = options::number_from_0)] threads: Option<NonZeroUsize>,
    index: Option<&Bound<'_, PyAny>>,
    #[pyo3(from_py_with = options::number_from_0)] request_ms: Option<f64>,
    #[pyo3(from_py_with = options::number_from_0)] bytes_per_second: Option<NonZeroU64>,
    keywords: Option<Bound<'_, PyDict>>,
) -> Result<File> {
    Keywords::new("open", keywords).finish()?;
    let fetch_cost = given_cost(request_ms, bytes_per_second)?;
    let index = index.map(read_index).transpose()?;
    let source = &local(source)?;
    let read_options = options::read_options(validation, copies)?;
    let origin = Origin::new(source, validation, memory_map, copies, threads, fetch_cost)?;
    let input = if memory_map {
        Input::try_new_mapped(source)?
    } else if index.is_some()
        && let Ok(text) = source.extract::<&str>()
        && is_url(text)
    {
        Input::Ranges(RangeFile::open_stream(py, text)?)
    } else {
        Input::try_new(source)?
    };
    let input = match input {
        Input::Ranges(file) => Input::Ranges(file.with_cost(fetch_cost)),
        _ if fetch_cost.is_some() => return Err(no_requests().into()),
        input => input,
    };
    // Reading runs Python code, which needs the interpreter's lock. The other library may hold this lock while it
    // waits for threads.
    let n_threads = match (&input, threads) {
        (Input::FileLike(_) | Input::Ranges(_), _) => 1,
        (_, threads) => options::n_threads(threads).get(),
    };
    let far = match &input {
        // All of the URL: the query may name the object.
        Input::Ranges(file) => Some((source.extract::<String>()?, file.version(py)?)),
        _ => None,
    };
    let version = far.as_ref().map(|(_, version)| version.clone());
    let far = far.filter(|_| index.is_none());
    let walked = far.as_ref().and_then(|(url, version)| walked_streams::find(url, version));
    let origin =
        origin.map(|origin| Arc::new(Origin { version: version.unwrap_or(origin.version), ..origin }));
    let reader = py.detach(|| {
        let again = input.again();
        let source = input.into_source();
        let is_walked = walked.is_some();
        let opened = source.and_then(|source| match walked {
            Some(decoder) => Reader::try_from_decoder(source, decoder.reopen_with(read_options.clone())?),
            None => open_reader(source, index.as_ref(), read_options.clone()),
        });
        if let (Ok(reader), Some((url, version)), false) = (&opened, &far, is_walked) {
            walked_streams::store(url, version, reader);
        }
        // A compressed file does not begin like an Arrow file, and is rare. Compression is therefore detected after
        // opening has failed.
        Result::Ok(match opened {
            Err(error) if error.class() == ErrorClass::Io => return Err(again.failed_by_position(error)),
            Err(error) => match again.codec() {
                Ok(Some(_)) => {
                    let named = again.again();
                    let source = AnySource::Unpacked(open_one(again)?.into_source()?);
                    let opened = open_reader(source, index.as_ref(), read_options);
                    opened.map_err(|error| Failure::from_input(error, &named))?
                }
                _ => return Err(again.failed(error)),
            },
            opened => opened?,
        })
    })?;
    if let Some(unreferenced) = py.detach(|| reader.unreferenced_bytes())? {
        let rest = TrailingBytes::before_footer(unreferenced);
        let path = source.extract::<PathBuf>().ok().filter(|path| !path.to_str().is_some_and(is_url));
        let name = path.map(|path| format!("{}: ", path.display())).unwrap_or_default();
        warn(&format!("{name}{rest}"))?;
    }
    let file = File {
        reader: RwLock::new(Some(reader)),
        n_threads,
        origin,
        columns: None,
        row_ends: Arc::default(),
    };
    match columns {
        Some(columns) => file.select(columns),
        None => Ok(file),
    }
}

fn open_reader(
    source: AnySource,
    index: Option<&StreamIndex>,
    options: ReadOptions,
) -> arrow_ipc::Result<Reader> {
    match index {
        Some(index) => Reader::try_new_indexed_with(source, index, options),
        None => Reader::try_new_with(source, options),
    }
}

/// Reads the index of a stream.
fn read_index(source: &Bound<'_, PyAny>) -> Result<StreamIndex> {
    let input = Input::try_new(source)?;
    source.py().detach(|| {
        let again = input.again();
        let index = input.read_all().and_then(StreamIndex::try_from_buffer);
        index.map_err(|error| again.failed(error))
    })
}

/// Opens a file again, from its pickle.
#[pyfunction]
pub(crate) fn _opened_again(
    py: Python<'_>,
    source: &Bound<'_, PyAny>,
    version: &str,
    columns: Option<&Bound<'_, PyAny>>,
    options: &Bound<'_, PyDict>,
) -> Result<File> {
    let option = |name: &str| {
        options.get_item(name)?.ok_or_else(|| misuse("Pickle", format!("the pickle has no option {name}")))
    };
    let validation: String = option("validation")?.extract()?;
    let copies: String = option("copies")?.extract()?;
    let file = open(
        py,
        source,
        columns,
        &validation,
        option("memory_map")?.extract()?,
        &copies,
        option("threads")?.extract()?,
        None,
        option("request_ms")?.extract()?,
        option("bytes_per_second")?.extract()?,
        None,
    )?;
    let found = file.origin.as_ref().map_or("", |origin| &origin.version);
    if found != version {
        let text = format!(
            "{}: the file was changed since it was pickled: then {version}, now {found}",
            source.str()?.to_string_lossy().split('?').next().unwrap_or_default()
        );
        return Err(with_location(py, exception::<PyOSError>(text), Location::default()).into());
    }
    Ok(file)
}

/// An Arrow file, or a stream that is read like a file, or a selection of its columns.
///
/// Several threads can use a file at the same time. They do not wait for each other, and do not need the
/// interpreter's lock while reading. `async for` reads the next batch in another thread while the current one is
/// used. Batches and arrays can be used after the file is closed.
///
/// >>> file = arrow_ipc.open("people.arrow")
/// >>> file["id"].to_pylist(), file[1:].num_rows, [batch.num_rows for batch in file]
/// ([1, 2, 3], 2, [3])
#[pyclass(frozen, module = "arrow_ipc")]
pub(crate) struct File {
    /// `None` if the file is closed.
    reader: RwLock<Option<Reader>>,
    pub(crate) n_threads: usize,
    origin: Option<Arc<Origin>>,
    /// The columns that were selected from the whole file.
    columns: Option<Py<PyTuple>>,
    /// Where the rows of each batch end. Selections of columns share it.
    row_ends: Arc<OnceLock<RowEnds>>,
}

/// The minimal number of bytes that are converted to pandas in parts. Below, parts cost more time than they save memory.
const MIN_BYTES_OF_PARTS: u64 = 32 << 20;

impl File {
    /// The rows of a slice.
    fn part(&self, py: Python<'_>, slice: &Bound<'_, PySlice>) -> Result<RecordBatch> {
        let reader = self.reader()?;
        // Rows that are counted from the start need no count of all rows.
        if self.row_ends.get().is_none()
            && let Ok(rows) = options::range_from_start("rows", slice)
        {
            return self.read_rows(py, rows);
        }
        let ends = py.detach(|| self.row_ends(&reader))?;
        let rows = options::rows(slice, || Ok(ends.n_rows()))?;
        Ok(py.detach(|| rows::read_rows_at(&reader, self.n_threads, ends, rows))?.into())
    }

    /// Reads the rows of this range that exist.
    fn read_rows(&self, py: Python<'_>, rows: Range<u64>) -> Result<RecordBatch> {
        let reader = self.reader()?;
        let is_all = rows.start == 0 && rows.end >= i64::MAX.unsigned_abs();
        let read = py.detach(|| match is_all {
            true => rows::read_all(&reader, self.n_threads),
            false => rows::read_rows(&reader, self.n_threads, rows),
        });
        Ok(read?.into())
    }

    /// Where the rows of each batch end, found once. Raises the error of `check_end`.
    fn row_ends(&self, reader: &Reader) -> Result<&RowEnds> {
        check_end(reader)?;
        if let Some(ends) = self.row_ends.get() {
            return Ok(ends);
        }
        let ends = RowEnds::try_new(reader)?;
        Ok(self.row_ends.get_or_init(|| ends))
    }

    /// The number of an existing batch, which counts from the end if it is negative.
    fn batch_idx(py: Python<'_>, reader: &Reader, i: i64) -> Result<usize> {
        let n_batches = reader.n_batches();
        let batch_idx = options::from_end(i, n_batches);
        if batch_idx < n_batches {
            return Ok(batch_idx);
        }
        let text = format!("batch {i} is out of bounds; the file has {n_batches} batches");
        Err(with_location(py, exception::<PyIndexError>(text), Location::default()).into())
    }

    /// All batches, for a library that reads them all.
    fn batches(&self) -> PyResult<data::Batches> {
        let reader = self.reader()?;
        Ok(data::Batches::from_file(&reader, BatchPrefetch::for_collecting(&reader, self.n_threads)))
    }

    /// The columns to convert one by one, if this is faster: for a large file that is read neither from a server nor
    /// through Python. Otherwise empty.
    fn columns_alone<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        let reader = self.reader()?;
        let n_file_bytes: u64 = reader.footer().batches().iter().map(|block| block.n_body_bytes()).sum();
        let is_local =
            self.origin.as_ref().is_some_and(|origin| !origin.source.extract(py).is_ok_and(is_url));
        let n_columns = reader.schema().fields().len();
        let is_small = || py.detach(|| !prefetch::is_divided(&reader, MIN_BYTES_OF_PARTS));
        match &self.columns {
            _ if !is_local || n_file_bytes < MIN_BYTES_OF_PARTS => Ok(PyTuple::empty(py)),
            None => PyTuple::new(py, 0..n_columns),
            // Several paths may lead into one column, so they cannot be converted one by one.
            Some(columns) if columns.bind(py).len() != n_columns || is_small() => Ok(PyTuple::empty(py)),
            Some(columns) => Ok(columns.bind(py).clone()),
        }
    }

    /// The reader, or an error if the file is closed. Cloning a reader is cheap.
    pub(crate) fn reader(&self) -> PyResult<Reader> {
        let guard = self.reader.read().unwrap_or_else(PoisonError::into_inner);
        guard.clone().ok_or_else(|| misuse("Closed", "the file is closed"))
    }
}

#[pymethods]
impl File {
    /// The schema of the selected columns.
    ///
    /// >>> print(arrow_ipc.open("people.arrow").schema)
    /// id: int64
    /// name: utf8
    #[getter]
    fn schema(&self) -> PyResult<Schema> {
        Ok(self.reader()?.schema().into())
    }

    /// What was opened: "file" or "stream".
    ///
    /// >>> arrow_ipc.open("people.arrow").container, arrow_ipc.open("people.arrows").container
    /// ('file', 'stream')
    #[getter]
    fn container(&self) -> PyResult<&'static str> {
        Ok(if self.reader()?.container() == Container::Stream { "stream" } else { "file" })
    }

    /// Whether a stream has an end marker. Without one, its writer may append more batches, which `refresh` finds. A file is
    /// always complete.
    ///
    /// >>> arrow_ipc.open("people.arrows").has_end
    /// True
    #[getter]
    fn has_end(&self) -> PyResult<bool> {
        let end = self.reader()?.stream_end();
        Ok(matches!(end, None | Some(StreamEnd::Marker)))
    }

    /// Raises the error that iterating raises after the last batch: if the last message of a stream is cut or malformed, or if
    /// another stream follows. Reads nothing of a file.
    ///
    /// >>> arrow_ipc.open("people.arrows").check_end()
    fn check_end(&self, py: Python<'_>) -> Result<()> {
        let reader = self.reader()?;
        py.detach(|| check_end(&reader))
    }

    /// Opens the file as it is now. Of a stream, reads only the metadata of messages that a writer has appended. Of a file,
    /// reads the footer again. The result has the same columns. A file that is mapped into memory, and a file at a URL, are not
    /// seen to grow.
    ///
    /// >>> before = arrow_ipc.open("people.arrows")
    /// >>> now = before.refresh()
    /// >>> [now.batch(i).num_rows for i in range(before.num_batches, now.num_batches)]
    /// []
    fn refresh(&self, py: Python<'_>) -> Result<File> {
        let reader = self.reader()?;
        let origin = self.origin.as_ref().map(|origin| Arc::new(origin.at_present_version(py)));
        let reader = py.detach(|| reader.refresh())?;
        Ok(File { reader: RwLock::new(Some(reader)), origin, row_ends: Arc::default(), ..self.__copy__(py)? })
    }

    /// The index of a stream: where each of its messages is, as the bytes of an Arrow file. Keep it where you like: with
    /// `open(source, index=)`, the messages need not be found again, which takes long for large streams on servers.
    ///
    /// >>> index = arrow_ipc.open("people.arrows").index()
    /// >>> arrow_ipc.open("people.arrows", index=index).num_batches
    /// 1
    fn index<'py>(&self, py: Python<'py>) -> Result<Bound<'py, PyBytes>> {
        let reader = self.reader()?;
        if reader.container() != Container::Stream {
            return Err(misuse("WrongContainer", "this is a file, whose footer is its index").into());
        }
        let index = py.detach(|| reader.index()?.to_buffer())?;
        Ok(PyBytes::new(py, &index))
    }

    /// The metadata of the schema, as `schema.metadata`.
    ///
    /// >>> arrow_ipc.write_file("noted.arrow", arrow_ipc.open("people.arrow"), metadata={"owner": "ann"})
    /// >>> arrow_ipc.open("noted.arrow").metadata
    /// {'owner': 'ann'}
    #[getter]
    fn metadata<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        as_dict(py, self.reader()?.schema().metadata())
    }

    /// The metadata in the footer, or of the schema message of a stream.
    ///
    /// >>> arrow_ipc.open("people.arrow").footer_metadata
    /// {}
    #[getter]
    fn footer_metadata<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        as_dict(py, self.reader()?.footer_metadata())
    }

    /// The number of batches: of a stream, of those that are complete.
    ///
    /// >>> arrow_ipc.open("people.arrow").num_batches
    /// 1
    #[getter]
    fn num_batches(&self) -> PyResult<usize> {
        Ok(self.reader()?.n_batches())
    }

    /// The number of rows in all batches. Reads the metadata of each batch once, but no values. Raises the error of `check_end`.
    ///
    /// >>> arrow_ipc.open("people.arrow").num_rows
    /// 3
    #[getter]
    fn num_rows(&self, py: Python<'_>) -> Result<u64> {
        let reader = self.reader()?;
        Ok(py.detach(|| self.row_ends(&reader))?.n_rows())
    }

    /// The number of columns.
    ///
    /// >>> arrow_ipc.open("people.arrow").num_columns
    /// 2
    #[getter]
    fn num_columns(&self) -> PyResult<usize> {
        Ok(self.reader()?.schema().fields().len())
    }

    /// The names of the columns.
    ///
    /// >>> arrow_ipc.open("people.arrow").column_names
    /// ['id', 'name']
    #[getter]
    fn column_names(&self) -> PyResult<Vec<String>> {
        let reader = self.reader()?;
        Ok(relation::names(reader.schema()).into_iter().map(str::to_owned).collect())
    }

    /// The number of rows and the number of columns, as `num_rows` and `num_columns`.
    ///
    /// >>> arrow_ipc.open("people.arrow").shape
    /// (3, 2)
    #[getter]
    fn shape(&self, py: Python<'_>) -> Result<(u64, usize)> {
        Ok((self.num_rows(py)?, self.num_columns()?))
    }

    /// The number of rows in one batch. Reads only its metadata.
    ///
    /// >>> arrow_ipc.open("people.arrow").num_rows_of(-1)
    /// 3
    fn num_rows_of(
        &self,
        py: Python<'_>,
        #[pyo3(from_py_with = options::saturated)] batch: i64,
    ) -> Result<u64> {
        let reader = self.reader()?;
        let batch_idx = File::batch_idx(py, &reader, batch)?;
        Ok(py.detach(|| reader.n_rows_of(batch_idx))?)
    }

    /// Reads one batch, counted from 0, or from the end if `i` is negative. `columns` and `rows` select a part of it.
    /// `rows` is a slice, a range, or a pair of start and stop. As everywhere in Python, a slice may go beyond the batch; a
    /// range or pair outside of it is an `IndexError`. Reads only the needed bytes.
    ///
    /// >>> arrow_ipc.open("people.arrow").batch(0, columns=["name"], rows=(1, 3)).to_pylist()
    /// [{'name': None}, {'name': 'grace'}]
    #[pyo3(signature = (i, *, columns = None, rows = None))]
    fn batch(
        &self,
        py: Python<'_>,
        #[pyo3(from_py_with = options::saturated)] i: i64,
        columns: Option<&Bound<'_, PyAny>>,
        rows: Option<&Bound<'_, PyAny>>,
    ) -> Result<RecordBatch> {
        let mut reader = self.reader()?;
        if let Some(columns) = columns {
            let projection = options::projection(columns, reader.ipc_schema().schema())?;
            reader = reader.project(&projection)?;
        }
        let batch_idx = File::batch_idx(py, &reader, i)?;
        let batch = match rows {
            None => py.detach(|| reader.batch(batch_idx))?,
            Some(rows) => {
                let rows = options::rows(rows, || Ok(py.detach(|| reader.n_rows_of(batch_idx))?))?;
                py.detach(|| reader.batch_rows(batch_idx, rows))?
            }
        };
        Ok(batch.into())
    }

    /// Selects columns, by name or position, by the path of a nested field, or by a pattern such as "price*". Names refer to the columns
    /// of the whole file, even after an earlier selection.
    ///
    /// >>> arrow_ipc.open("people.arrow").select(["name"]).schema.names
    /// ['name']
    fn select(&self, columns: &Bound<'_, PyAny>) -> Result<File> {
        let reader = self.reader()?;
        let columns = relation::without_patterns(columns, reader.ipc_schema().schema())?;
        let projection = options::projection(&columns, reader.ipc_schema().schema())?;
        Ok(File {
            reader: RwLock::new(Some(reader.project(&projection)?)),
            n_threads: self.n_threads,
            origin: self.origin.clone(),
            columns: Some(columns.unbind()),
            row_ends: Arc::clone(&self.row_ends),
        })
    }

    /// Leaves out some of the selected columns, by name, position or pattern.
    ///
    /// >>> arrow_ipc.open("people.arrow").drop(["name"]).schema.names
    /// ['id']
    fn drop(&self, columns: &Bound<'_, PyAny>) -> Result<File> {
        let py = columns.py();
        let reader = self.reader()?;
        let positions = relation::positions_without(columns, reader.schema())?;
        let all = reader.ipc_schema().schema();
        let Some(selected) = &self.columns else {
            return self.select(PyTuple::new(py, positions)?.as_any());
        };
        // The position of each selected column, or of the column into which its path leads, among all columns.
        let position_of = |column: Bound<'_, PyAny>| -> Result<Option<usize>> {
            Ok(match options::path(&column, all)? {
                Some(path) => path.positions().next().and_then(|position| usize::try_from(position).ok()),
                None => Some(options::position(&column, all)?),
            })
        };
        let selected = selected.bind(py);
        let origins = selected.iter().map(position_of).collect::<Result<Vec<_>>>()?;
        // Several paths into one column have left one column, which is where the first of them is.
        let mut positions_by_column = HashMap::new();
        let are_apart = origins.len() == reader.schema().fields().len();
        let mut left = Vec::new();
        for (position, (column, origin)) in selected.iter().zip(origins).enumerate() {
            let n_before = positions_by_column.len();
            let position =
                if are_apart { position } else { *positions_by_column.entry(origin).or_insert(n_before) };
            if positions.binary_search(&position).is_ok() {
                left.push(column);
            }
        }
        self.select(PyTuple::new(py, left)?.as_any())
    }

    /// Reads the rows for which a condition is true, as for `convert(where=)`, with the selected columns. Reads one batch after the other.
    /// `dataset(path, where=)` reads such rows batch by batch, can skip batches, and its condition may use other columns.
    ///
    /// >>> arrow_ipc.open("people.arrow").filter("name is not null")["id"].to_pylist()
    /// [1, 3]
    fn filter(&self, py: Python<'_>, condition: &Bound<'_, PyAny>) -> Result<RecordBatch> {
        let batches = self.batches()?;
        let condition = relation::condition(condition, &batches.schema)?;
        Ok(relation::join_batches(py, relation::filter_batches(batches, condition))?.into())
    }

    /// Reads the dictionaries of the selected columns. Call this before several threads read batches. Otherwise each
    /// of them may read the dictionaries.
    ///
    /// >>> file = arrow_ipc.open("people.arrow")
    /// >>> file.load_dictionaries()
    fn load_dictionaries(&self, py: Python<'_>) -> Result<()> {
        let reader = self.reader()?;
        Ok(py.detach(|| reader.load_dictionaries())?)
    }

    /// Frees the memory that is reserved for the next batches of this file.
    fn _free_memory(&self) -> Result<()> {
        if let Some(memory) = self.reader()?.decoder().options().recycled_memory() {
            memory.free();
        }
        Ok(())
    }

    /// Closes the file. Batches and arrays that were read can still be used.
    ///
    /// >>> file = arrow_ipc.open("people.arrow")
    /// >>> file.close()
    /// >>> file
    /// <arrow_ipc.File: closed>
    fn close(&self) {
        let taken = self.reader.write().unwrap_or_else(PoisonError::into_inner).take();
        drop(taken);
    }

    /// Whether the file is closed.
    ///
    /// >>> with arrow_ipc.open("people.arrow") as file:
    /// ...     file.closed
    /// False
    /// >>> file.closed
    /// True
    #[getter]
    fn closed(&self) -> bool {
        self.reader().is_err()
    }

    fn __enter__(this: Py<Self>) -> Py<Self> {
        this
    }

    #[pyo3(signature = (*_args))]
    fn __exit__(&self, _args: &Bound<'_, PyAny>) {
        self.close();
    }

    fn __aenter__<'py>(this: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        enter(this.as_any())
    }

    #[pyo3(signature = (*_args))]
    fn __aexit__<'py>(this: &Bound<'py, Self>, _args: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        exit(this.as_any())
    }

    /// Reads the column with this name or at this position, or the values at the path of a nested field, for all
    /// rows. Reads no other column.
    ///
    /// >>> arrow_ipc.open("people.arrow").column(0).to_pylist()
    /// [1, 2, 3]
    fn column(&self, py: Python<'_>, key: &Bound<'_, PyAny>) -> Result<Array> {
        let mut reader = self.reader()?;
        if let Some(path) = options::path(key, reader.schema())? {
            let reader = reader.project(&Projection::paths([path.to_string()]))?;
            let rows = py.detach(|| rows::read_all(&reader, self.n_threads))?;
            // In this selection, the parents of the field have no other children.
            let path = rows.schema().path(&path.to_string()).map_err(Failure::from)?;
            return Array::at_path(py, &rows, &path);
        }
        let mut position = options::position(key, reader.schema())?;
        let field = reader.schema().fields()[position].clone();
        // An earlier selection may have left only some fields of this column.
        let all = reader.ipc_schema().schema();
        if let Some(whole) = all.index_of(field.name()).ok().filter(|whole| all.field(*whole) == Some(&field))
        {
            reader = reader.project(&Projection::Positions(vec![whole]))?;
            position = 0;
        }
        let values = py.detach(|| rows::read_all(&reader, self.n_threads)?.column(position))?;
        Ok(Array::new(field, values))
    }

    /// Reads the rows from `start` to before `stop`: `file.rows(2, 5)` is `file[2:5]`. Reads no other rows.
    ///
    /// >>> arrow_ipc.open("people.arrow").rows(1).to_pydict()
    /// {'id': [2, 3], 'name': [None, 'grace']}
    #[pyo3(signature = (start = 0, stop = None))]
    fn rows(
        &self,
        py: Python<'_>,
        #[pyo3(from_py_with = options::saturated)] start: i64,
        #[pyo3(from_py_with = options::saturated_or_none)] stop: Option<i64>,
    ) -> Result<RecordBatch> {
        self.part(py, &rows::slice(py, start, stop)?)
    }

    /// Reads the first `n` rows. If `n` is negative, all rows except the last `-n`.
    ///
    /// >>> arrow_ipc.open("people.arrow").head(1).to_pylist()
    /// [{'id': 1, 'name': 'ada'}]
    #[pyo3(signature = (n = 10))]
    fn head(&self, py: Python<'_>, #[pyo3(from_py_with = options::saturated)] n: i64) -> Result<RecordBatch> {
        let Ok(end) = u64::try_from(n) else { return self.rows(py, 0, Some(n)) };
        self.read_rows(py, 0..end)
    }

    /// Reads the last `n` rows. If `n` is negative, all rows except the first `-n`.
    ///
    /// >>> arrow_ipc.open("people.arrow").tail(1).to_pylist()
    /// [{'id': 3, 'name': 'grace'}]
    #[pyo3(signature = (n = 10))]
    fn tail(&self, py: Python<'_>, #[pyo3(from_py_with = options::saturated)] n: i64) -> Result<RecordBatch> {
        let reader = self.reader()?;
        let batch = py.detach(|| match u64::try_from(n) {
            Ok(n) => rows::last_of_file(&reader, self.n_threads, n),
            Err(_) => rows::read_rows(&reader, self.n_threads, n.unsigned_abs()..u64::MAX),
        });
        Ok(batch?.into())
    }

    /// Chooses `n` random rows, and returns them in their original order. The same `seed` chooses the same rows. In each
    /// batch, reads all rows from the first to the last chosen row.
    ///
    /// >>> arrow_ipc.open("people.arrow").sample(2, seed=7).num_rows
    /// 2
    #[pyo3(signature = (n = 10, *, seed = None))]
    fn sample(
        &self,
        py: Python<'_>,
        #[pyo3(from_py_with = options::number_from_0)] n: u64,
        seed: Option<&Bound<'_, PyAny>>,
    ) -> Result<RecordBatch> {
        let reader = self.reader()?;
        let ends = py.detach(|| self.row_ends(&reader))?;
        let rows = rows::sample_rows(py, ends.n_rows(), n, seed)?;
        Ok(py.detach(|| rows::take_rows(&reader, ends, &rows))?.into())
    }

    /// Iterates over all rows, each as a dict. One batch is in memory at a time, or some megabytes of a large batch.
    ///
    /// >>> [row["id"] for row in arrow_ipc.open("people.arrow").iter_rows()]
    /// [1, 2, 3]
    fn iter_rows<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let reader = self.reader()?;
        let batches = data::Batches::from_file(&reader, PartReader::new(&reader));
        let stream = Bound::new(py, Stream::new(batches, reader.footer_metadata().clone()))?;
        let iter_rows = py.import("operator")?.getattr("methodcaller")?.call1(("iter_rows",))?;
        let batches = py.import("builtins")?.getattr("map")?.call1((iter_rows, stream))?;
        py.import("itertools")?.getattr("chain")?.call_method1("from_iterable", (batches,))
    }

    /// Converts all rows to dicts. `iter_rows` needs less memory. `file[:100].to_pylist()` converts only the first
    /// 100 rows.
    ///
    /// >>> arrow_ipc.open("people.arrow")[["id"]].to_pylist()
    /// [{'id': 1}, {'id': 2}, {'id': 3}]
    fn to_pylist<'py>(&self, py: Python<'py>) -> Result<Bound<'py, PyList>> {
        self.rows(py, 0, None)?.to_pylist(py)
    }

    /// A dict with a list of all values for each column name.
    ///
    /// >>> arrow_ipc.open("people.arrow").to_pydict()
    /// {'id': [1, 2, 3], 'name': ['ada', None, 'grace']}
    fn to_pydict<'py>(&self, py: Python<'py>) -> Result<Bound<'py, PyDict>> {
        self.rows(py, 0, None)?.to_pydict(py)
    }

    /// Converts the file to a pandas `DataFrame`. Needs pandas. May convert the columns of a large file one by one,
    /// which needs less memory than `pandas.DataFrame.from_arrow(file)`. Integers of 64 bits beside nulls have the type
    /// Int64 or UInt64 if `float64`, which is used otherwise, would round one of them.
    ///
    /// >>> arrow_ipc.open("people.arrow").to_pandas().shape
    /// (3, 2)
    fn to_pandas<'py>(this: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        to_pandas(this.as_any(), this.get().columns_alone(this.py())?)
    }

    /// Converts the file to a polars `DataFrame`. Needs polars.
    ///
    /// >>> arrow_ipc.open("people.arrow").to_polars().shape
    /// (3, 2)
    fn to_polars<'py>(this: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        relation::to_polars(this.as_any())
    }

    fn __getattr__(this: &Bound<'_, Self>, name: &str) -> PyResult<Py<PyAny>> {
        let reader = this.get().reader().ok();
        let schema = reader.as_ref().map(|reader| reader.schema());
        Err(suggestions::no_attribute(this.as_any(), "file", schema, name))
    }

    /// Selects columns by name: `file["id"]` is an `Array` of all rows, `file[["id", "name"]]` a file with these
    /// columns. Slices select rows: `file[2:5]` is a batch. Reads only the selected columns and rows.
    ///
    /// >>> file = arrow_ipc.open("people.arrow")
    /// >>> file["id"].to_pylist(), file[-1:].to_pylist(), file[["name"]].schema.names
    /// ([1, 2, 3], [{'id': 3, 'name': 'grace'}], ['name'])
    fn __getitem__<'py>(&self, py: Python<'py>, key: &Bound<'py, PyAny>) -> Result<Bound<'py, PyAny>> {
        const NUMBER_HINT: &str = "`file.batch(0)` is a batch, `file.column(0)` a column, `file[0:1]` a row";
        Ok(match Key::try_new(key, NUMBER_HINT)? {
            Key::Column => Bound::new(py, self.column(py, key)?)?.into_any(),
            Key::Columns(columns) => Bound::new(py, self.select(columns)?)?.into_any(),
            Key::Rows(rows) => Bound::new(py, self.part(py, rows)?)?.into_any(),
        })
    }

    /// Whether there is a column with this name.
    fn __contains__(&self, #[pyo3(from_py_with = options::word)] name: &str) -> PyResult<bool> {
        Ok(self.reader()?.schema().fields().iter().any(|field| field.name() == name))
    }

    fn __bool__(&self) -> bool {
        true
    }

    fn __len__(&self) -> PyResult<usize> {
        let text =
            "a file has batches and rows: `file.num_batches` counts the first, `file.num_rows` the latter";
        Err(exception::<PyTypeError>(text))
    }

    #[pyo3(signature = (dtype = None, copy = None))]
    fn __array__(
        &self,
        dtype: Option<&Bound<'_, PyAny>>,
        #[pyo3(from_py_with = options::flag)] copy: Option<bool>,
    ) -> PyResult<Py<PyAny>> {
        let _ = (dtype, copy);
        Err(suggestions::no_array("a file", "file[:]"))
    }

    fn __iter__(&self) -> PyResult<Batches> {
        Ok(Batches::new(self.reader()?))
    }

    fn __aiter__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let stream = Stream::new(self.batches()?, self.reader()?.footer_metadata().clone());
        asynchronous(&Bound::new(py, stream)?, true)
    }

    fn __arrow_c_schema__<'py>(&self, py: Python<'py>) -> Result<Bound<'py, PyCapsule>> {
        capsule::export_schema(py, self.reader()?.schema())
    }

    #[pyo3(signature = (requested_schema = None))]
    fn __arrow_c_stream__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<&Bound<'py, PyAny>>,
    ) -> Result<Bound<'py, PyCapsule>> {
        let reader = self.reader()?;
        capsule::check_request(reader.schema(), requested_schema)?;
        capsule::export_stream(py, self.batches()?)
    }

    /// The pickle has the path or URL, the columns, and the version of the file. If the file has changed, unpickling
    /// raises `OSError`.
    fn __reduce__<'py>(&self, py: Python<'py>) -> Result<Reduction<'py>> {
        drop(self.reader()?);
        let Some(origin) = &self.origin else {
            let text = "a file that was opened from memory or a file-like object cannot be pickled: open it by its path, or pickle its batches";
            return Err(exception::<PyTypeError>(text).into());
        };
        let options = PyDict::new(py);
        options.set_item("validation", &origin.validation)?;
        options.set_item("memory_map", origin.memory_map)?;
        options.set_item("copies", &origin.copies)?;
        options.set_item("threads", origin.threads)?;
        let (request_ms, bytes_per_second) = origin.fetch_cost.map(arguments_of).unzip();
        options.set_item("request_ms", request_ms)?;
        options.set_item("bytes_per_second", bytes_per_second)?;
        let columns = self.columns.as_ref().map(|columns| columns.clone_ref(py));
        let function = py.import("arrow_ipc._arrow_ipc")?.getattr("_opened_again")?;
        Ok((function, (origin.source.clone_ref(py), &origin.version, columns, options).into_pyobject(py)?))
    }

    /// Returns the same file, which can be closed separately.
    fn __copy__(&self, py: Python<'_>) -> PyResult<File> {
        Ok(File {
            reader: RwLock::new(Some(self.reader()?)),
            n_threads: self.n_threads,
            origin: self.origin.clone(),
            columns: self.columns.as_ref().map(|columns| columns.clone_ref(py)),
            row_ends: Arc::clone(&self.row_ends),
        })
    }

    fn __deepcopy__(&self, py: Python<'_>, _memo: &Bound<'_, PyAny>) -> PyResult<File> {
        self.__copy__(py)
    }

    fn __repr__(&self) -> String {
        let Ok(reader) = self.reader() else { return "<arrow_ipc.File: closed>".to_owned() };
        let fields = show::fields(reader.schema().fields());
        let kind = if reader.container() == Container::Stream { "stream of " } else { "" };
        format!("<arrow_ipc.File: {kind}{}>\n{fields}", Counted(reader.n_batches() as u64, "batch"))
    }

    /// The columns as an HTML table, for notebooks. Reads no batch.
    fn _repr_html_(&self) -> String {
        let Ok(reader) = self.reader() else { return "<p>File: closed</p>".to_owned() };
        let kind = if reader.container() == Container::Stream { "stream of " } else { "" };
        let title = format!("File: {kind}{}", Counted(reader.n_batches() as u64, "batch"));
        show::html_of_fields(&title, reader.schema().fields())
    }
}
