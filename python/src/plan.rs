//! Plans: the layout of streams and files that are not written yet, computed from the shapes of their batches.

use std::io;
use std::ops::Range;
use std::sync::Arc;

use arrow_data::Role;
use arrow_ipc::{
    DictionaryPolicy, Endianness, Framing, IpcSchema, WriteOptions, WrittenContainer,
    error::BlockIndex,
    plan::{BufferProvider, PlanSegment},
};
use arrow_ipc_tools::shapes_from_json_for;
use pyo3::{
    exceptions::{PyTypeError, PyValueError},
    prelude::*,
    types::{PyBytes, PyDict, PyList, PyRange},
};

use crate::{
    calls,
    error::{Result, raised},
    memory, options,
    pickle::refused,
    schema::Schema,
};

/// The number of segments that an iterator computes at once.
const N_SEGMENTS: usize = 256;

/// Plans a file or stream of a `schema` from the shapes of its batches, without any arrays. A plan has the length of the file, the
/// position of each buffer, and can return any range of its bytes.
///
/// `batches` is an iterable of dicts, in the form that `plan --shapes` of the program reads: `{"rows": 1000, "count":
/// 20000, "columns": {"name": {"bytes": 12345, "nulls": 7}}}`. `columns` is a dict by name, or a list in the order of
/// the schema. A column that is left out has no nulls and no data of variable size. `dictionaries` is a list of dicts
/// with `id`, `rows` and `values`.
///
/// `container` is "file" or "stream"; `alignment` is the alignment of bodies and large buffers; `metadata` is the
/// metadata of the footer or of the schema message. `row_counts` says what the footer has: "none", "written" for the
/// number of rows of each batch, or "with layouts" for these and the positions of buffers. `endianness` is "little"
/// or "big", by default that of this machine. A provider must return values in this byte order. `metadata_version` is
/// 5, or 4 for readers before Arrow 1.0. Version 4 allows `legacy_framing`, for readers before Arrow 0.15.
///
/// >>> plan = arrow_ipc.plan(arrow_ipc.Schema.parse("id: int64 not null"), [{"rows": 1000, "count": 1_000_000}])
/// >>> plan.num_batches, plan.batch(7)
/// (1000000, range(57536, 65728))
#[expect(clippy::too_many_arguments, reason = "one for each argument in Python")]
#[pyfunction]
#[pyo3(signature = (
    schema, batches, *, dictionaries = None, container = "file", alignment = 64, metadata = None, row_counts = "none",
    endianness = None, metadata_version = 5, legacy_framing = false,
))]
pub(crate) fn plan(
    py: Python<'_>,
    schema: &Bound<'_, PyAny>,
    batches: &Bound<'_, PyAny>,
    dictionaries: Option<&Bound<'_, PyAny>>,
    #[pyo3(from_py_with = options::word)] container: &str,
    #[pyo3(from_py_with = options::number_from_0)] alignment: usize,
    metadata: Option<&Bound<'_, PyAny>>,
    #[pyo3(from_py_with = options::word)] row_counts: &str,
    #[pyo3(from_py_with = options::word_or_none)] endianness: Option<&str>,
    metadata_version: u32,
    #[pyo3(from_py_with = options::flag)] legacy_framing: bool,
) -> Result<Plan> {
    let container = options::container(container)?;
    let metadata = metadata.map(options::metadata).transpose()?.unwrap_or_default();
    let framing = if legacy_framing { Framing::Legacy } else { Framing::Current };
    let writing = WriteOptions::new()
        .with_file_metadata(metadata)
        .with_alignment(alignment)
        .with_dictionaries(DictionaryPolicy::Replace)
        .with_row_counts(options::row_counts(row_counts)?)
        .with_endianness(endianness.map_or(Ok(Endianness::NATIVE), options::endianness)?)
        .with_version(options::metadata_version(metadata_version)?)
        .with_framing(framing);
    let schema = Schema::of(schema)?;
    let document = PyDict::new(py);
    document.set_item("batches", listed(batches)?)?;
    if let Some(dictionaries) = dictionaries {
        document.set_item("dictionaries", listed(dictionaries)?)?;
    }
    let json = calls::import(py, "json")?;
    let text: String = calls::method(&json, "dumps", (document,))?.extract()?;
    py.detach(|| {
        let shapes = shapes_from_json_for(IpcSchema::from(schema), &text)?;
        Ok(Plan { planned: Arc::new(shapes.plan(writing, container)?) })
    })
}

fn listed<'py>(shapes: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyList>> {
    let list = PyList::empty(shapes.py());
    shapes.try_iter()?.try_for_each(|shape| list.append(shape?))?;
    Ok(list)
}

/// A planned file or stream. `len` returns its length in bytes.
///
/// A plan can be used from several threads at once.
///
/// >>> plan = arrow_ipc.plan(arrow_ipc.Schema.parse("id: int8 not null"), [{"rows": 3}])
/// >>> image = plan.read_at(slice(None), lambda data: bytes(range(data.start, data.stop)))
/// >>> arrow_ipc.open(image).to_pydict()
/// {'id': [0, 1, 2]}
#[pyclass(frozen, module = "arrow_ipc")]
pub(crate) struct Plan {
    planned: Arc<arrow_ipc::plan::Plan>,
}

#[pymethods]
impl Plan {
    fn __reduce__(&self) -> PyResult<()> {
        Err(refused("a Plan"))
    }

    fn __len__(&self) -> PyResult<usize> {
        usize::try_from(self.planned.len())
            .map_err(|_| raised::<PyValueError>("the plan has more bytes than len() can return"))
    }

    fn __repr__(&self) -> String {
        let (kind, image) = (self.container(), &self.planned);
        let (n_bytes, n_batches) = (image.len(), image.n_batches());
        format!("<arrow_ipc.Plan of a {kind}: {n_bytes} bytes, {n_batches} batches>")
    }

    /// The container: "file" or "stream".
    ///
    /// >>> arrow_ipc.plan(arrow_ipc.Schema.parse("id: int8"), [], container="stream").container
    /// 'stream'
    #[getter]
    fn container(&self) -> &'static str {
        match self.planned.container() {
            WrittenContainer::File => "file",
            WrittenContainer::Stream => "stream",
        }
    }

    /// The schema.
    ///
    /// >>> arrow_ipc.plan(arrow_ipc.Schema.parse("id: int8"), []).schema
    /// Schema("id: int8")
    #[getter]
    fn schema(&self) -> Schema {
        self.planned.schema().schema().into()
    }

    /// The number of record batches.
    ///
    /// >>> arrow_ipc.plan(arrow_ipc.Schema.parse("id: int8"), [{"rows": 3}]).num_batches
    /// 1
    #[getter]
    fn num_batches(&self) -> usize {
        self.planned.n_batches()
    }

    /// The number of dictionary batches.
    ///
    /// >>> arrow_ipc.plan(arrow_ipc.Schema.parse("id: int8"), []).num_dictionaries
    /// 0
    #[getter]
    fn num_dictionaries(&self) -> usize {
        self.planned.n_dictionaries()
    }

    /// The byte range of the message of a batch, with header and body. A negative `i` counts from the end.
    ///
    /// >>> plan = arrow_ipc.plan(arrow_ipc.Schema.parse("id: int8"), [{"rows": 3}])
    /// >>> plan.batch(-1)
    /// range(192, 448)
    fn batch<'py>(&self, py: Python<'py>, i: i64) -> Result<Bound<'py, PyRange>> {
        range_of(py, self.planned.batch(options::from_end(i, self.planned.n_batches()))?)
    }

    /// The byte range of a buffer of the batch at index `batch`; empty if the buffer has no bytes. `field` is a name, or
    /// a path such as `address.city`. `role` is "validity", "values", "offsets", "sizes", "type ids", "views", "bytes" or "variadic
    /// data". `data_buffer` selects one of several data buffers of views.
    ///
    /// >>> plan = arrow_ipc.plan(arrow_ipc.Schema.parse("id: int8"), [{"rows": 3}])
    /// >>> plan.locate(0, "id", "values")
    /// range(384, 387)
    #[pyo3(signature = (batch, field, role, *, data_buffer = 0))]
    fn locate<'py>(
        &self,
        py: Python<'py>,
        batch: i64,
        #[pyo3(from_py_with = options::word)] field: &str,
        #[pyo3(from_py_with = options::word)] role: &str,
        #[pyo3(from_py_with = options::number_from_0)] data_buffer: usize,
    ) -> Result<Bound<'py, PyRange>> {
        let image = &self.planned;
        let Some(role) = ROLES.into_iter().find(|known| known.name() == role) else {
            let names: Vec<String> = ROLES.iter().map(|role| format!("'{role}'")).collect();
            return Err(options::unknown("role", role, &names.join(", ")).into());
        };
        let block = BlockIndex::RecordBatch(options::from_end(batch, image.n_batches()));
        let path = image.schema().schema().path(field)?;
        range_of(py, image.locate_in(block, &path, role, data_buffer)?)
    }

    /// Describes the byte at a position, and returns the range of its segment.
    ///
    /// >>> plan = arrow_ipc.plan(arrow_ipc.Schema.parse("id: int8"), [{"rows": 3}])
    /// >>> plan.at(0)
    /// ('magic', range(0, 6))
    fn at<'py>(
        &self,
        py: Python<'py>,
        #[pyo3(from_py_with = options::number_from_0)] byte: u64,
    ) -> Result<(String, Bound<'py, PyRange>)> {
        let piece = self.planned.at(byte)?;
        Ok((piece.part.to_string(), range_of(py, piece.range)?))
    }

    /// Iterates over the segments of a range of bytes, in order. A segment is `bytes` of headers, schema or footer,
    /// an `int` for a number of zeros, or `PlannedData` for data of a buffer. `range` is a slice, a range, or a pair
    /// of start and stop. The default is the whole file or stream.
    ///
    /// >>> plan = arrow_ipc.plan(arrow_ipc.Schema.parse("id: int8"), [{"rows": 3}])
    /// >>> [part for part in plan.segments() if isinstance(part, arrow_ipc.PlannedData)]
    /// [<arrow_ipc.PlannedData: values of "id" in batch 0, bytes 0..3>]
    #[pyo3(signature = (range = None))]
    fn segments(&self, range: Option<&Bound<'_, PyAny>>) -> Result<Segments> {
        let rest = self.range(range)?;
        // Raises an error for a wrong range now, and not with the first segment.
        drop(self.planned.segments(rest.clone())?);
        Ok(Segments { planned: Arc::clone(&self.planned), state: std::sync::Mutex::new((rest, Vec::new())) })
    }

    /// The bytes of a `range`, given as for `segments`. Calls `provider` with a `PlannedData` for each piece of a
    /// buffer in the range. It must return the bytes of this piece, as an object with the buffer protocol.
    ///
    /// >>> plan = arrow_ipc.plan(arrow_ipc.Schema.parse("id: int8"), [{"rows": 3}])
    /// >>> plan.read_at((0, 6), lambda data: bytes(len(data)))
    /// b'ARROW1'
    fn read_at<'py>(
        &self,
        py: Python<'py>,
        range: &Bound<'py, PyAny>,
        provider: Py<PyAny>,
    ) -> Result<Bound<'py, PyBytes>> {
        let range = self.range(Some(range))?;
        let provider = Provider(provider);
        let bytes = py.detach(|| self.planned.read_at(range, &provider))?;
        Ok(PyBytes::new(py, &bytes))
    }
}

impl Plan {
    fn range(&self, range: Option<&Bound<'_, PyAny>>) -> Result<Range<u64>> {
        let n_bytes = self.planned.len();
        range.map_or(Ok(0..n_bytes), |range| options::range("range", range, || Ok(n_bytes)))
    }
}

const ROLES: [Role; 8] = [
    Role::Validity,
    Role::Values,
    Role::Offsets,
    Role::Sizes,
    Role::TypeIds,
    Role::Views,
    Role::Bytes,
    Role::Variadic,
];

fn range_of(py: Python<'_>, range: Range<u64>) -> Result<Bound<'_, PyRange>> {
    let number =
        |number| isize::try_from(number).map_err(|_| raised::<PyValueError>("the range is too long"));
    Ok(PyRange::new(py, number(range.start)?, number(range.end)?)?)
}

/// Bytes of one buffer in a planned batch or dictionary.
///
/// >>> plan = arrow_ipc.plan(arrow_ipc.Schema.parse("id: int16 not null"), [{"rows": 3}])
/// >>> (part,) = (part for part in plan.segments() if isinstance(part, arrow_ipc.PlannedData))
/// >>> part.field, part.role, part.num_bytes
/// ('id', 'values', 6)
#[pyclass(frozen, module = "arrow_ipc", get_all)]
pub(crate) struct PlannedData {
    /// The index of the batch; `None` in a dictionary batch.
    ///
    /// >>> plan = arrow_ipc.plan(arrow_ipc.Schema.parse("id: int16 not null"), [{"rows": 3}])
    /// >>> (part,) = (part for part in plan.segments() if isinstance(part, arrow_ipc.PlannedData))
    /// >>> part.batch
    /// 0
    batch: Option<usize>,
    /// The id of the dictionary; `None` in a record batch.
    ///
    /// >>> plan = arrow_ipc.plan(arrow_ipc.Schema.parse("id: int16 not null"), [{"rows": 3}])
    /// >>> (part,) = (part for part in plan.segments() if isinstance(part, arrow_ipc.PlannedData))
    /// >>> part.dictionary is None
    /// True
    dictionary: Option<i64>,
    /// The path of the field.
    ///
    /// >>> plan = arrow_ipc.plan(arrow_ipc.Schema.parse("id: int16 not null"), [{"rows": 3}])
    /// >>> (part,) = (part for part in plan.segments() if isinstance(part, arrow_ipc.PlannedData))
    /// >>> part.field
    /// 'id'
    field: String,
    /// The index of the field among all fields of the batch, including nested fields.
    ///
    /// >>> plan = arrow_ipc.plan(arrow_ipc.Schema.parse("id: int16 not null"), [{"rows": 3}])
    /// >>> (part,) = (part for part in plan.segments() if isinstance(part, arrow_ipc.PlannedData))
    /// >>> part.column
    /// 0
    column: usize,
    /// The role of the buffer: "validity", "values", "offsets" …
    ///
    /// >>> plan = arrow_ipc.plan(arrow_ipc.Schema.parse("id: int16 not null"), [{"rows": 3}])
    /// >>> (part,) = (part for part in plan.segments() if isinstance(part, arrow_ipc.PlannedData))
    /// >>> part.role
    /// 'values'
    role: &'static str,
    /// The index of the buffer among the data buffers of views.
    ///
    /// >>> plan = arrow_ipc.plan(arrow_ipc.Schema.parse("id: int16 not null"), [{"rows": 3}])
    /// >>> (part,) = (part for part in plan.segments() if isinstance(part, arrow_ipc.PlannedData))
    /// >>> part.data_buffer is None
    /// True
    data_buffer: Option<usize>,
    /// The length of the whole buffer in bytes.
    ///
    /// >>> plan = arrow_ipc.plan(arrow_ipc.Schema.parse("id: int16 not null"), [{"rows": 3}])
    /// >>> (part,) = (part for part in plan.segments() if isinstance(part, arrow_ipc.PlannedData))
    /// >>> part.num_bytes
    /// 6
    num_bytes: u64,
    /// The offset of the first byte in the buffer.
    ///
    /// >>> plan = arrow_ipc.plan(arrow_ipc.Schema.parse("id: int16 not null"), [{"rows": 3}])
    /// >>> (part,) = (part for part in plan.segments() if isinstance(part, arrow_ipc.PlannedData))
    /// >>> part.start
    /// 0
    start: u64,
    /// The offset in the buffer after the last byte.
    ///
    /// >>> plan = arrow_ipc.plan(arrow_ipc.Schema.parse("id: int16 not null"), [{"rows": 3}])
    /// >>> (part,) = (part for part in plan.segments() if isinstance(part, arrow_ipc.PlannedData))
    /// >>> part.stop
    /// 6
    stop: u64,
}

#[pymethods]
impl PlannedData {
    fn __reduce__(&self) -> PyResult<()> {
        Err(refused("a part of a Plan"))
    }

    fn __len__(&self) -> usize {
        usize::try_from(self.stop.saturating_sub(self.start)).unwrap_or(usize::MAX)
    }

    fn __repr__(&self) -> String {
        let PlannedData { field, role, start, stop, .. } = self;
        let place = match (self.batch, self.dictionary) {
            (Some(batch), _) => format!("batch {batch}"),
            (None, id) => format!("dictionary {}", id.unwrap_or_default()),
        };
        format!("<arrow_ipc.PlannedData: {role} of {field:?} in {place}, bytes {start}..{stop}>")
    }
}

impl From<&arrow_ipc::plan::PlannedData<'_>> for PlannedData {
    fn from(data: &arrow_ipc::plan::PlannedData<'_>) -> PlannedData {
        let buffer = &data.buffer;
        PlannedData {
            batch: match buffer.block {
                BlockIndex::RecordBatch(batch_idx) => Some(batch_idx),
                BlockIndex::Dictionary(_) => None,
            },
            dictionary: buffer.dictionary_id,
            field: buffer.field.to_string(),
            column: buffer.column,
            role: buffer.role.name(),
            data_buffer: buffer.data_buffer_idx,
            num_bytes: buffer.n_bytes,
            start: data.range.start,
            stop: data.range.end,
        }
    }
}

/// A Python function that returns the bytes of buffers.
struct Provider(Py<PyAny>);

impl BufferProvider for Provider {
    fn read_buffer(&self, data: &arrow_ipc::plan::PlannedData<'_>, to: &mut [u8]) -> io::Result<usize> {
        let called = Python::try_attach(|py| {
            let found = calls::call(self.0.bind(py), (PlannedData::from(data),))?;
            match memory::lend(&found)? {
                Some(bytes) => Ok(bytes),
                None => {
                    let found = found.get_type();
                    Err(raised::<PyTypeError>(format!("the provider gave {found} and not bytes")))
                }
            }
        });
        let bytes = match called {
            Some(called) => called.map_err(io::Error::other)?,
            None => return Err(io::Error::other("the interpreter has ended")),
        };
        if let Some(bytes) = bytes.get(..to.len()) {
            to.copy_from_slice(bytes);
        }
        // The plan returns an error if the number of bytes is wrong.
        Ok(bytes.len())
    }
}

/// An iterator over the segments of a range.
#[pyclass(frozen, module = "arrow_ipc")]
pub(crate) struct Segments {
    planned: Arc<arrow_ipc::plan::Plan>,
    /// The rest of the range, and the computed segments, in reverse order.
    state: std::sync::Mutex<(Range<u64>, Vec<Found>)>,
}

/// A segment that does not borrow from the plan.
enum Found {
    Bytes(arrow_buffer::Buffer),
    Zeros(u64),
    Data(PlannedData),
}

#[pymethods]
impl Segments {
    fn __iter__(this: PyRef<'_, Self>) -> PyRef<'_, Self> {
        this
    }

    fn __next__<'py>(&self, py: Python<'py>) -> Result<Option<Bound<'py, PyAny>>> {
        let found = py.detach(|| self.next())?;
        Ok(match found {
            None => None,
            Some(Found::Bytes(bytes)) => Some(PyBytes::new(py, &bytes).into_any()),
            Some(Found::Zeros(n_bytes)) => Some(n_bytes.into_pyobject(py).map_err(PyErr::from)?.into_any()),
            Some(Found::Data(data)) => Some(Bound::new(py, data)?.into_any()),
        })
    }
}

impl Segments {
    fn next(&self) -> Result<Option<Found>> {
        let mut state = self.state.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        let (rest, found) = &mut *state;
        if found.is_empty() && !rest.is_empty() {
            for segment in self.planned.segments(rest.clone())?.take(N_SEGMENTS) {
                let segment = segment?;
                rest.start = rest.start.saturating_add(segment.n_bytes());
                found.push(match segment {
                    PlanSegment::Bytes(bytes) => Found::Bytes(bytes),
                    PlanSegment::Zeros(n_bytes) => Found::Zeros(n_bytes),
                    PlanSegment::Data(data) => Found::Data(PlannedData::from(&data)),
                });
            }
            found.reverse();
        }
        Ok(found.pop())
    }
}
