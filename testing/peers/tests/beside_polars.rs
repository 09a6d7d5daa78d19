//! A program with our crates, arrow-rs and polars-arrow. It must compile, and pass a batch from each library to the next in
//! memory.

use peers::format::Format;
use peers::theirs::Source;
use peers::{ours, theirs};
use polars_arrow::array::Array as PolarsArray;
use polars_arrow::io::ipc::read::{StreamReader, StreamState, read_stream_metadata};
use polars_arrow::io::ipc::write::{StreamWriter, WriteOptions};
use polars_arrow::record_batch::RecordBatchT;
use rs_array::{ArrayRef, BooleanArray, Float64Array, Int64Array, LargeStringArray, RecordBatch};
use std::io::Cursor;
use std::sync::Arc;

type PolarsBatch = RecordBatchT<Box<dyn PolarsArray>>;

#[test]
fn a_batch_goes_through_all_three() {
    let columns: [(&str, ArrayRef); 4] = [
        ("ids", Arc::new(Int64Array::from(vec![Some(1), None, Some(-3)]))),
        ("sizes", Arc::new(Float64Array::from(vec![0.5, f64::NEG_INFINITY, 1e300]))),
        ("flags", Arc::new(BooleanArray::from(vec![Some(true), Some(false), None]))),
        ("names", Arc::new(LargeStringArray::from(vec![Some("ada"), Some(""), None]))),
    ];
    let batch =
        RecordBatch::try_from_iter_with_nullable(columns.map(|(name, array)| (name, array, true))).unwrap();
    let source = Source {
        schema: batch.schema(),
        batches: vec![batch.clone()],
        options: Default::default(),
        footer_metadata: Vec::new(),
    };

    // From arrow-rs to us, to polars-arrow, to us, to arrow-rs.
    let written = theirs::write(&source, Format::Stream).unwrap();
    let (schema, batches) = ours::read(&written, Format::Stream).unwrap();
    let written = ours::write(&schema, &batches, Format::Stream).unwrap();
    let (polars_schema, polars_batches) = read_by_polars(&written);
    assert_eq!((polars_batches.len(), polars_batches[0].len()), (1, 3));
    let written = write_by_polars(&polars_schema, &polars_batches);
    let (schema, batches) = ours::read(&written, Format::Stream).unwrap();
    let written = ours::write(&schema, &batches, Format::Stream).unwrap();
    let (_, batches) = theirs::read(&written, Format::Stream).unwrap();
    assert_eq!(batches, [batch]);
}

fn read_by_polars(bytes: &[u8]) -> (polars_arrow::datatypes::ArrowSchemaRef, Vec<PolarsBatch>) {
    let mut bytes = Cursor::new(bytes);
    let metadata = read_stream_metadata(&mut bytes).unwrap();
    let schema = Arc::new(metadata.schema.clone());
    let batch = |state| match state {
        StreamState::Some(batch) => batch,
        StreamState::Waiting => panic!("the stream is complete"),
    };
    let reader = StreamReader::new(bytes, metadata, None);
    (schema, reader.map(|state| batch(state.unwrap())).collect())
}

fn write_by_polars(schema: &polars_arrow::datatypes::ArrowSchema, batches: &[PolarsBatch]) -> Vec<u8> {
    let mut writer = StreamWriter::new(Vec::new(), WriteOptions { compression: None });
    writer.start(schema, None).unwrap();
    batches.iter().for_each(|batch| writer.write(batch, None).unwrap());
    writer.finish().unwrap();
    writer.into_inner()
}
