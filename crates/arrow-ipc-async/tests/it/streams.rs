//! Streams: every result, including errors, equals the result of `StreamReader`.

use std::sync::Arc;

use arrow_buffer::Buffer;
use arrow_ipc::{
    Endianness, ErrorClass, Projection, ReadOptions, Step, StreamReader, StreamWriter, WriteOptions,
};
use arrow_ipc_async::AsyncStreamReader;
use arrow_ipc_tensor::{Tensor, WriteTensor as _};
use arrow_schema::{DataType, Metadata, Schema};
use testing_support::{Generator, rows};

use crate::support::{Outcome, SlowStream, corpus, drive, outcome};

/// The schemas and batches of all streams in `bytes`.
fn expected(bytes: &[u8], options: &ReadOptions) -> Vec<Outcome> {
    let mut found = Vec::new();
    let mut reader = StreamReader::try_new_with(bytes, options.clone());
    loop {
        let mut stream = match reader {
            Ok(stream) => stream,
            Err(error) => {
                found.push(Err(error.to_string()));
                return found;
            }
        };
        found.push(Err(stream.schema().to_string()));
        found.extend(stream.by_ref().map(outcome));
        match stream.next_stream() {
            Ok(Some(next)) => reader = Ok(next),
            Ok(None) => return found,
            Err(error) => {
                found.push(Err(error.to_string()));
                return found;
            }
        }
    }
}

fn found(bytes: &[u8], options: &ReadOptions, max_bytes: usize) -> Vec<Outcome> {
    let mut found = Vec::new();
    let opened = drive(AsyncStreamReader::try_new_with(SlowStream::new(bytes, max_bytes), options.clone()));
    let mut reader = match opened {
        Ok(reader) => reader,
        Err(error) => return vec![Err(error.to_string())],
    };
    loop {
        found.push(Err(reader.schema().to_string()));
        loop {
            match drive(reader.next_batch()) {
                Ok(Some(next)) => found.push(outcome(Ok(next.batch))),
                Ok(None) => break,
                Err(error) => {
                    found.push(Err(error.to_string()));
                    assert!(drive(reader.next_batch()).unwrap().is_none(), "after an error it is exhausted");
                    break;
                }
            }
        }
        match drive(reader.next_stream()) {
            Ok(true) => {}
            Ok(false) => {
                assert!(!drive(reader.next_stream()).unwrap());
                assert!(drive(reader.next_batch()).unwrap().is_none());
                return found;
            }
            Err(error) => {
                found.push(Err(error.to_string()));
                return found;
            }
        }
    }
}

/// Compares the schemas, batches and errors of both readers. Returns their number.
pub(crate) fn compare(name: &str, bytes: &[u8], max_bytes: usize) -> usize {
    let options = ReadOptions::new();
    let expected = expected(bytes, &options);
    assert_eq!(found(bytes, &options, max_bytes), expected, "{name}");
    expected.len()
}

#[test]
fn streams_of_others_read_as_without_waiting() {
    let mut n_outcomes = 0;
    for suffix in [".arrows", ".stream"] {
        for (idx, (path, bytes)) in
            corpus(suffix).iter().filter(|(_, bytes)| bytes.len() < 100_000).enumerate()
        {
            let max_bytes = [7, 64, 4_096, usize::MAX][idx % 4];
            n_outcomes += compare(&path.display().to_string(), bytes, max_bytes);
        }
    }
    assert!(n_outcomes > 500, "{n_outcomes}");
}

#[test]
fn streams_follow_each_other() {
    let mut bytes = Vec::new();
    for (seed, options) in
        [WriteOptions::new(), WriteOptions::new().with_endianness(Endianness::Big)].into_iter().enumerate()
    {
        let schema =
            Arc::new(format!("n{seed}: int32\nw: dictionary<int8, utf8>").parse::<Schema>().unwrap());
        let mut writer = StreamWriter::try_new_with(bytes, &schema, options).unwrap();
        let batches = Generator::new(seed as u64).batches(&schema, &[3, 0, 40]);
        batches.iter().for_each(|batch| writer.write(batch).unwrap());
        bytes = writer.finish().unwrap();
    }
    for max_bytes in [1, 7, 64, 4_096, usize::MAX] {
        assert_eq!(compare("two streams", &bytes, max_bytes), 2 * 4);
        let text = [&bytes[..], b"and then text"].concat();
        assert_eq!(compare("and text", &text, max_bytes), 2 * 4 + 1);
        assert!(compare("cut off", &bytes[..bytes.len() * 3 / 4], max_bytes) > 4);
    }
    // The first reader returns the bytes of the next stream that it has read.
    let mut reader = drive(AsyncStreamReader::try_new(SlowStream::new(&*bytes, usize::MAX))).unwrap();
    while drive(reader.next_batch()).unwrap().is_some() {}
    let (source, rest) = reader.into_inner();
    let second = drive(AsyncStreamReader::try_resume_with(rest, source, ReadOptions::new())).unwrap();
    assert_eq!(second.schema().fields()[0].name(), "n1");
}

#[test]
fn columns_are_selected_and_steps_are_given() {
    let schema = Arc::new("a: int32\nb: dictionary<int8, utf8>\nc: utf8".parse::<Schema>().unwrap());
    let batches = Generator::new(3).batches(&schema, &[5, 6]);
    let mut writer = StreamWriter::try_new(Vec::new(), &schema).unwrap();
    writer.write(&batches[0]).unwrap();
    let tensor = Tensor::try_new(DataType::Int32, [2_u64, 2], Buffer::from(vec![1_i32, 2, 3, 4])).unwrap();
    writer.write_tensor(&tensor, &Metadata::new()).unwrap();
    writer.write(&batches[1]).unwrap();
    let bytes = writer.finish().unwrap();

    let mut reader = drive(AsyncStreamReader::try_new(SlowStream::new(&*bytes, 100))).unwrap();
    reader.project(&Projection::names(["c"])).unwrap();
    assert_eq!(reader.schema().to_string(), "c: utf8");
    let batch = drive(reader.next_batch()).unwrap().unwrap().batch;
    assert_eq!(rows(&batch), rows(&batches[0].project(&[2]).unwrap()));
    let error = drive(reader.next_batch()).unwrap_err();
    assert_eq!(error.class(), ErrorClass::Unsupported);
    assert!(error.location().message.is_some(), "{error}");

    let mut kinds = String::new();
    let mut reader = drive(AsyncStreamReader::try_new(SlowStream::new(&*bytes, 100))).unwrap();
    loop {
        kinds.push(match drive(reader.next_step()).unwrap() {
            Step::Dictionary { .. } => 'd',
            Step::Batch(_) => 'b',
            Step::Tensor(..) => 't',
            Step::End => break,
            step => panic!("{step:?}"),
        });
    }
    assert_eq!(kinds, "dbtdb");
    assert_eq!(reader.n_bytes_consumed(), bytes.len() as u64);
    assert_eq!(reader.ipc_schema().schema().fields()[0].data_type(), &DataType::Int32);
}

#[test]
fn large_bodies_are_read_without_a_copy() {
    let schema = Arc::new("a: int64".parse::<Schema>().unwrap());
    let batch = Generator::new(3).batches(&schema, &[100_000]).remove(0);
    let mut writer = StreamWriter::try_new(Vec::new(), &schema).unwrap();
    writer.write(&batch).unwrap();
    let bytes = Buffer::from(writer.finish().unwrap());
    let mut reader = drive(AsyncStreamReader::try_new(SlowStream::new(&*bytes, 50_000))).unwrap();
    assert_eq!(rows(&drive(reader.next_batch()).unwrap().unwrap().batch), rows(&batch));
    assert!(reader.stats().n_reassembled_bytes < 100_000, "{:?}", reader.stats());
}
