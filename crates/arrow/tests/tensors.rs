//! A tensor between the batches of a stream, with and without the feature `tensor`.

use arrow::{Buffer, Int64Array, ReadOptions, RecordBatch, Step, StreamDecoder, StreamWriter, WriteOptions};

/// A tensor that pyarrow wrote.
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
    assert!(matches!(decoder.step(), Ok(Step::Batch(_))));
    // Other crates that are built at the same time may turn the feature on.
    match decoder.step() {
        Ok(Step::Tensor(..)) => {}
        Err(error) if !cfg!(feature = "tensor") => {
            assert!(error.to_string().ends_with("built without the feature `tensor`"), "{error}");
        }
        other => panic!("{other:?}"),
    }
}
