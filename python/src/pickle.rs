//! Pickles schemas, fields, arrays and batches as the bytes of a file, in which large buffers are passed without a
//! copy. Pickles files as their path and version.

use arrow_buffer::{Buffer, BufferMut};
use arrow_data::{ArrayData, ArrayParts, RecordBatch};
use arrow_ipc::{
    FileDecoder, FileEncoder, Projection, ReadOptions,
    file::{PlanStep, ReadPlan},
    segment::Segment,
};
use arrow_schema::{DataType, Field, Schema};
use arrow_select::concat_batches;
use pyo3::{
    exceptions::PyTypeError,
    prelude::*,
    types::{PyBytes, PyList, PyTuple},
};

use crate::{
    array::Array,
    error::{Result, exception, misuse},
    memory, options,
};

/// The result of `__reduce_ex__`: a function and its arguments.
pub(crate) type Reduction<'py> = (Bound<'py, PyAny>, Bound<'py, PyTuple>);

/// The minimal length of a buffer that is passed without a copy. Shorter buffers are copied faster.
const MIN_APART: usize = 4 << 10;
/// The first pickle protocol that can pass buffers without a copy.
const OUT_OF_BAND: u8 = 5;

/// Pickles a batch, to be restored as `kind` by `_unpickled`. The pickle has only the rows of the batch, even if
/// these are a slice of a larger one.
pub(crate) fn reduce<'py>(
    py: Python<'py>,
    kind: &str,
    batch: &RecordBatch,
    protocol: u8,
) -> Result<Reduction<'py>> {
    let pieces = py.detach(|| pieces(batch))?;
    let list = PyList::empty(py);
    for piece in pieces {
        if protocol < OUT_OF_BAND || piece.len() < MIN_APART {
            list.append(PyBytes::new(py, &piece))?;
            continue;
        }
        let array = Array::try_from_bytes(piece)?;
        list.append(py.import("pickle")?.getattr("PickleBuffer")?.call1((array,))?)?;
    }
    let function = py.import("arrow_ipc._arrow_ipc")?.getattr("_unpickled")?;
    Ok((function, (kind, list).into_pyobject(py)?))
}

/// Encodes a batch as the bytes of a file, in pieces. Each large buffer is a piece that shares its memory.
fn pieces(batch: &RecordBatch) -> Result<Vec<Buffer>> {
    let mut pieces = Pieces::default();
    // Adds a null column, and reads all other columns, to read each buffer separately. A whole batch would be read as
    // one piece.
    let last = ArrayData::try_new(ArrayParts::new(DataType::Null, batch.n_rows()))?;
    let fields = batch.schema().fields().iter().cloned().chain([Field::new("", DataType::Null)]);
    let schema = Schema::new(fields.collect::<Vec<_>>()).with_metadata(batch.schema().metadata().clone());
    let columns = batch.columns().iter().cloned().chain([last]);
    let batch = &RecordBatch::try_new_with_rows(schema, columns.collect::<Vec<_>>(), batch.n_rows())?;
    let mut encoder = FileEncoder::try_new_with(batch.schema(), options::write_options())?;
    encoder.start()?.segments().for_each(|segment| pieces.push(segment));
    encoder.encode(batch)?.segments().for_each(|segment| pieces.push(segment));
    encoder.finish()?.segments().for_each(|segment| pieces.push(segment));
    pieces.gather();
    Ok(pieces.whole)
}

#[derive(Default)]
struct Pieces {
    whole: Vec<Buffer>,
    small: BufferMut,
}

impl Pieces {
    fn push(&mut self, segment: Segment<'_>) {
        match segment {
            Segment::Data(buffer) if buffer.len() >= MIN_APART => {
                self.gather();
                self.whole.push(buffer.clone());
            }
            segment => segment.slices(usize::MAX).for_each(|bytes| self.small.extend_from_slice(bytes)),
        }
    }

    fn gather(&mut self) {
        if !self.small.is_empty() {
            self.whole.push(std::mem::take(&mut self.small).freeze());
        }
    }
}

/// Makes an object from its pickle. Shares pieces that are `bytes`. Validates the content.
#[pyfunction]
pub(crate) fn _unpickled<'py>(
    py: Python<'py>,
    kind: &str,
    pieces: &Bound<'py, PyAny>,
) -> Result<Bound<'py, PyAny>> {
    let mut buffers = Vec::new();
    for piece in pieces.try_iter()? {
        let piece = piece?;
        let found = piece.get_type();
        let expected_bytes =
            || exception::<PyTypeError>(format!("expected bytes of a pickle, found {found}"));
        buffers.push(memory::lend(&piece)?.ok_or_else(expected_bytes)?);
    }
    let batch = py.detach(|| read(&buffers))?;
    let first = || batch.schema().field(0).ok_or_else(|| misuse("Pickle", "the pickle has no field"));
    Ok(match (kind, batch.column_at(0)) {
        ("schema", _) => Bound::new(py, crate::schema::Schema::from(batch.schema()))?.into_any(),
        ("field", _) => Bound::new(py, crate::schema::Field::from(first()?))?.into_any(),
        ("array", Some(column)) => Bound::new(py, Array::new(first()?.clone(), column.clone()))?.into_any(),
        ("batch", _) => Bound::new(py, crate::batch::RecordBatch::from(batch))?.into_any(),
        _ => return Err(misuse("Pickle", format!("a pickle of {kind:?} is not known")).into()),
    })
}

/// The error for pickling an object that can be read only once.
pub(crate) fn not_picklable(what: &str) -> PyErr {
    exception::<PyTypeError>(format!(
        "cannot pickle {what}: pickle its batches, or the path of what it reads or writes"
    ))
}

/// Makes a batch without rows, to pickle a schema.
pub(crate) fn batch_with_schema(schema: &Schema) -> Result<RecordBatch> {
    Ok(concat_batches(schema.clone(), &[])?)
}

/// Like [`batch_with_schema`], for a field.
pub(crate) fn batch_with_field(field: &Field) -> Result<RecordBatch> {
    batch_with_schema(&Schema::new([field.clone()]))
}

/// Reads the batch from a file in pieces. Shares each buffer that is inside one piece.
fn read(pieces: &[Buffer]) -> Result<RecordBatch> {
    let n_bytes = pieces.iter().map(|piece| piece.len() as u64).sum();
    let file =
        run(FileDecoder::plan_open_with(n_bytes, ReadOptions::new().with_limits(options::limits())), pieces)?;
    let n_columns = file.schema().fields().len().saturating_sub(1);
    let file = file.project(&Projection::Positions((0..n_columns).collect()))?;
    match file.n_batches() {
        0 => Ok(concat_batches(file.schema().clone(), &[])?),
        _ => Ok(run(file.plan_batch(0)?, pieces)?.batch),
    }
}

/// Runs a plan on a file whose bytes are all in memory.
fn run<T>(mut plan: ReadPlan<T>, pieces: &[Buffer]) -> Result<T> {
    let mut start = 0;
    for piece in pieces {
        let end = start + piece.len() as u64;
        plan.provide(start..end, piece.clone())?;
        start = end;
    }
    match plan.step()? {
        PlanStep::Ready(ready) => Ok(ready),
        PlanStep::Need(_) => Err(misuse("Pickle", "some bytes of the pickle are not there").into()),
    }
}
