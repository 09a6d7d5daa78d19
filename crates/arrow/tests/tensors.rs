//! A tensor between the batches of a stream, with and without the feature `tensor`.

use arrow::{Buffer, Int64Array, ReadOptions, RecordBatch, Step, StreamDecoder, StreamWriter, WriteOptions};

/// As pyarrow wrote it.
const TENSOR: &[u8] = include_bytes!("../../../testing/corpus/tensors/pyarrow-26.0.1/dense-steps.tensor");

#[test]
fn tensors_are_read_or_refused_by_name() {
    let ids = Int64Array::from_iter([1, 2]);
    let batches = [RecordBatch::try_from_columns([("id", ids.into())]).expect("a batch")];
    let stream =
        StreamWriter::to_buffer(batches[0].schema(), &batches, WriteOptions::default()).expect("a stream");
    let end_marker = 8;
    let mut decoder = StreamDecoder::new(ReadOptions::default());
    for bytes in [&stream[..stream.len() - end_marker], TENSOR] {
        decoder.feed(Buffer::copy_from(bytes));
    }
    assert!(matches!(decoder.step(), Ok(Step::Schema(_))));
    assert!(matches!(decoder.step(), Ok(Step::Batch(..))));
    let next = decoder.step();
    if cfg!(feature = "tensor") {
        assert!(matches!(next, Ok(Step::Tensor(..))), "{next:?}");
    } else {
        let error = next.expect_err("no tensors").to_string();
        assert!(error.ends_with("built without the feature `tensor`"), "{error}");
    }
}
