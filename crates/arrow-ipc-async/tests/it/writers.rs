//! Asynchronous writers write the same bytes as blocking writers.

use std::{
    io,
    pin::Pin,
    sync::Arc,
    task::{Context, Poll},
};

use arrow_buffer::Buffer;
use arrow_data::RecordBatch;
use arrow_ipc::{ErrorClass, FileWriter, IpcErrorKind, NullSlots, StreamWriter, WriteOptions};
use arrow_ipc_async::{AsyncFileWriter, AsyncStreamWriter};
use arrow_ipc_tensor::{EncodeTensor as _, Tensor, WriteTensor as _};
use arrow_schema::{DataType, Metadata, Schema};
use testing_support::{Generator, schema_of_all_types};
use tokio::io::AsyncWrite;

use crate::support::{SlowStream, drive, file_options};

pub(crate) fn batches(schema: &Schema) -> Vec<RecordBatch> {
    Generator::new(11).batches(schema, &[40, 0, 3])
}

pub(crate) fn stream_of(schema: &Arc<Schema>, batches: &[RecordBatch], options: WriteOptions) -> Vec<u8> {
    let mut writer = StreamWriter::try_new_with(Vec::new(), schema, options).unwrap();
    batches.iter().for_each(|batch| writer.write(batch).unwrap());
    writer.finish().unwrap()
}

pub(crate) fn file_of(schema: &Arc<Schema>, batches: &[RecordBatch]) -> Vec<u8> {
    let mut writer = FileWriter::try_new_with(Vec::new(), schema, file_options()).unwrap();
    batches.iter().for_each(|batch| writer.write(batch).unwrap());
    writer.finish().unwrap()
}

#[test]
fn bytes_are_those_of_the_writers_that_do_not_wait() {
    let schema = Arc::new(schema_of_all_types());
    let batches = batches(&schema);
    let stream = stream_of(&schema, &batches, WriteOptions::new());
    let file = file_of(&schema, &batches);
    for max_bytes in [1_000, 4_097, usize::MAX] {
        let sink = SlowStream::new(Vec::new(), max_bytes);
        let mut writer = AsyncStreamWriter::try_new(sink, &schema).unwrap();
        batches.iter().for_each(|batch| drive(writer.write(batch)).unwrap());
        drive(writer.write_end()).unwrap();
        assert_eq!((writer.position(), writer.n_pending_bytes()), (stream.len() as u64, 0));
        assert!(drive(writer.write(&batches[0])).is_err(), "after the end");
        let sink = drive(writer.finish()).unwrap();
        assert_eq!(sink.n_flushes, 2);
        assert!(sink.inner == stream);

        let sink = SlowStream::new(Vec::new(), max_bytes);
        let mut writer = AsyncFileWriter::try_new_with(sink, &schema, file_options()).unwrap();
        batches.iter().for_each(|batch| drive(writer.write(batch)).unwrap());
        assert!(drive(writer.finish()).unwrap().inner == file);
    }
}

#[test]
fn a_flush_writes_all_that_was_taken() {
    let schema = Arc::new("a: int64".parse::<Schema>().unwrap());
    let batches = Generator::new(1).batches(&schema, &[1_000]);
    let sink = SlowStream::new(Vec::new(), 100);
    let mut writer = AsyncStreamWriter::try_new(sink, &schema).unwrap();
    drive(writer.flush()).unwrap();
    assert_eq!(writer.sink().inner.len() as u64, writer.position());
    drive(writer.write(&batches[0])).unwrap();
    assert!(writer.n_pending_bytes() > 7_000);
    assert_eq!(writer.sink().inner.len() as u64, writer.position() - writer.n_pending_bytes());
    drive(writer.flush()).unwrap();
    assert_eq!((writer.n_pending_bytes(), writer.sink().inner.len() as u64), (0, writer.position()));
    let tensor = Tensor::try_new(DataType::Int32, [2_u64], Buffer::from(vec![1_i32, 2])).unwrap();
    drive(writer.write_with(|encoder| encoder.encode_tensor(&tensor, &Metadata::new()))).unwrap();
    let sink = drive(writer.finish()).unwrap();
    let mut expected = StreamWriter::try_new(Vec::new(), &schema).unwrap();
    expected.write(&batches[0]).unwrap();
    expected.write_tensor(&tensor, &Metadata::new()).unwrap();
    assert!(sink.inner == expected.finish().unwrap());
}

#[test]
fn a_batch_that_does_not_fit_leaves_the_stream_as_it_was() {
    let schema = Arc::new("a: int64".parse::<Schema>().unwrap());
    let batches = Generator::new(1).batches(&schema, &[10]);
    let other = Generator::new(1).batches(&"b: utf8".parse().unwrap(), &[10]);
    let options = WriteOptions::new().with_null_slots(NullSlots::Zeros);
    let sink = SlowStream::new(Vec::new(), 100);
    let mut writer = AsyncStreamWriter::try_new_with(sink, &schema, options.clone()).unwrap();
    assert_eq!(drive(writer.write(&other[0])).unwrap_err().class(), ErrorClass::Misuse);
    drive(writer.write(&batches[0])).unwrap();
    assert!(drive(writer.finish()).unwrap().inner == stream_of(&schema, &batches, options));
}

/// A sink that claims to have written another number of bytes than it got.
struct LyingSink {
    n_reported: usize,
    n_calls: usize,
}

impl AsyncWrite for LyingSink {
    fn poll_write(mut self: Pin<&mut Self>, _: &mut Context<'_>, _: &[u8]) -> Poll<io::Result<usize>> {
        self.n_calls += 1;
        Poll::Ready(Ok(self.n_reported))
    }

    fn poll_flush(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<io::Result<()>> {
        Poll::Ready(Ok(()))
    }

    fn poll_shutdown(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<io::Result<()>> {
        Poll::Ready(Ok(()))
    }
}

#[test]
fn a_sink_that_failed_is_not_written_to_again() {
    let schema = Arc::new("a: int64".parse::<Schema>().unwrap());
    let batches = Generator::new(1).batches(&schema, &[1_000]);
    for (n_reported, expected) in [(0, io::ErrorKind::WriteZero), (usize::MAX, io::ErrorKind::InvalidData)] {
        let mut writer = AsyncStreamWriter::try_new(LyingSink { n_reported, n_calls: 0 }, &schema).unwrap();
        let error = drive(writer.write(&batches[0])).unwrap_err();
        assert!(matches!(error.kind(), IpcErrorKind::Write(error) if error.kind() == expected), "{error}");
        for later in [drive(writer.write(&batches[0])), drive(writer.flush()), drive(writer.write_end())] {
            assert!(matches!(later.unwrap_err().kind(), IpcErrorKind::AlreadyFailed { .. }));
        }
        assert_eq!(writer.sink().n_calls, 1);
    }
}
