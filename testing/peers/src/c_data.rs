//! Passes batches to arrow-rs and back through the C data interface, without a copy and without serialization.

use arrow_buffer::Buffer;
use arrow_c_data::{ArrowArray, ArrowArrayStream, ArrowSchema, BatchReader};
use arrow_data::{ArrayData, RecordBatch, Validation};
use rs_array::RecordBatchReader;
use rs_array::StructArray;
use rs_array::ffi::{FFI_ArrowArray, FFI_ArrowSchema, from_ffi, to_ffi};
use rs_array::ffi_stream::{FFI_ArrowArrayStream, RecordBatchStreamReader};
use std::error::Error;
use std::ops::Range;

type Result<T> = std::result::Result<T, Box<dyn Error>>;

/// Converts a batch to an arrow-rs batch. The metadata of the schema is lost.
pub fn batch_to_arrow_rs(batch: &RecordBatch) -> Result<rs_array::RecordBatch> {
    let (mut schema, mut array) = (FFI_ArrowSchema::empty(), FFI_ArrowArray::empty());
    let exported = ArrowSchema::try_from_schema(batch.schema())?;
    // SAFETY: both types are the structure of the specification.
    unsafe { exported.write_to((&raw mut schema).cast()) };
    let exported = ArrowArray::try_from_batch(batch)?;
    // SAFETY: as before.
    unsafe { exported.write_to((&raw mut array).cast()) };
    // SAFETY: the structures are right, and describe each other.
    let data = unsafe { from_ffi(array, &schema) }?;
    Ok(StructArray::from(data).into())
}

/// Converts an arrow-rs batch to a batch. The metadata of the schema is lost.
pub fn batch_from_arrow_rs(batch: rs_array::RecordBatch, validation: Validation) -> Result<RecordBatch> {
    let (mut array, mut schema) = to_ffi(&StructArray::from(batch).into())?;
    // SAFETY: both types are the structure of the specification, and arrow-rs has filled it.
    let schema = unsafe { ArrowSchema::from_raw((&raw mut schema).cast()) }.to_schema()?;
    // SAFETY: as before.
    let array = unsafe { ArrowArray::from_raw((&raw mut array).cast()) };
    // SAFETY: `to_ffi` gives a schema that is of the array.
    Ok(unsafe { array.import_batch(schema, validation) }?)
}

/// Converts a stream to an arrow-rs stream.
pub fn stream_to_arrow_rs(stream: ArrowArrayStream) -> Result<RecordBatchStreamReader> {
    let mut target = FFI_ArrowArrayStream::empty();
    // SAFETY: both types are the structure of the specification.
    unsafe { stream.write_to((&raw mut target).cast()) };
    Ok(RecordBatchStreamReader::try_new(target)?)
}

/// Converts an arrow-rs stream to a stream.
pub fn stream_from_arrow_rs(
    reader: Box<dyn RecordBatchReader + Send>,
    validation: Validation,
) -> Result<BatchReader> {
    let mut stream = FFI_ArrowArrayStream::new(reader);
    // SAFETY: both types are the structure of the specification, and arrow-rs has filled it.
    let stream = unsafe { ArrowArrayStream::from_raw((&raw mut stream).cast()) };
    Ok(stream.into_batches(validation)?)
}

/// Whether all bytes of some arrays are in the buffers of others.
pub fn lie_in(arrays: &[ArrayData], others: &[ArrayData]) -> bool {
    fn ranges(array: &ArrayData) -> Vec<Range<usize>> {
        let own = [array.buffer(0), array.buffer(1)].into_iter().chain(array.variadic());
        let own =
            own.chain(array.validity().map(|validity| validity.buffer())).filter(|buffer| !buffer.is_empty());
        let range = |buffer: &Buffer| buffer.as_ptr().addr()..buffer.as_ptr().addr() + buffer.len();
        let below = array.children().iter().chain(array.dictionary().map(|values| &**values));
        own.map(range).chain(below.flat_map(ranges)).collect()
    }
    let there: Vec<Range<usize>> = others.iter().flat_map(ranges).collect();
    let is_there =
        |part: &Range<usize>| there.iter().any(|whole| whole.start <= part.start && part.end <= whole.end);
    arrays.iter().flat_map(ranges).all(|part| is_there(&part))
}
