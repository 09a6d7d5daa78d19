//! A tensor between the batches of a stream: its message is handed out, and read with the feature `tensor`.

use arrow::{Buffer, Int64Array, RecordBatch, Step, StreamDecoder, StreamWriter};

/// A tensor that pyarrow wrote.
const TENSOR: &[u8] = include_bytes!("../../../testing/corpus/tensors/pyarrow-26.0.1/dense-steps.tensor");

#[test]
fn messages_of_tensors_are_handed_out() {
    let ids = Int64Array::from_iter([1, 2]);
    let batches = [RecordBatch::try_from_columns([("id", ids.into())]).expect("a batch")];
    let stream = StreamWriter::write_to_buffer(batches[0].schema(), &batches).expect("a stream");
    let end_marker = 8;
    let mut decoder = StreamDecoder::new();
    for bytes in [&stream[..stream.len() - end_marker], TENSOR] {
        decoder.feed(Buffer::copy_from(bytes));
    }
    assert!(matches!(decoder.step(), Ok(Step::Schema(_))));
    assert!(matches!(decoder.step(), Ok(Step::Batch(_))));
    let Ok(Step::Tensor(message)) = decoder.step() else { panic!("a tensor") };
    assert_eq!(message.kind(), arrow::ipc::MessageKind::Tensor);
    #[cfg(feature = "tensor")]
    assert!(arrow::tensor::AnyTensor::try_from_message(&message, &arrow::ipc::Limits::default()).is_ok());
}
