//! Streams that follow each other in one source.

use std::{
    io::{self, Read},
    sync::Arc,
};

use arrow_buffer::Buffer;
use arrow_data::RecordBatch;
use arrow_ipc::{Endianness, Framing, MetadataVersion, Step, StreamReader, StreamWriter, WriteOptions};
use arrow_ipc_tensor::{Tensor, WriteTensor as _};
use arrow_schema::{DataType, Metadata, Schema};
use testing_support::{ChunkedReader, Generator, rows};

#[test]
fn streams_follow_each_other() {
    let options = [
        WriteOptions::new(),
        WriteOptions::new().with_endianness(Endianness::Big),
        WriteOptions::new().with_version(MetadataVersion::V4).with_framing(Framing::Legacy),
    ];
    let mut bytes = Vec::new();
    let mut expected = Vec::new();
    for (seed, options) in options.into_iter().enumerate() {
        let text = format!("n{seed}: int32\nw: dictionary<int8, utf8>");
        let schema = Arc::new(text.parse::<Schema>().unwrap());
        let batches = Generator::new(seed as u64).batches(&schema, &[3, 0, 40]);
        let mut writer = StreamWriter::try_new_with(bytes, &schema, options).unwrap();
        batches.iter().for_each(|batch| writer.write(batch).unwrap());
        bytes = writer.finish().unwrap();
        expected.push(batches);
    }
    for chunk in [1, 7, 64, 4_096, usize::MAX] {
        let mut reader = StreamReader::try_new(ChunkedReader::new(&*bytes, chunk)).unwrap();
        for (stream, batches) in expected.iter().enumerate() {
            // Of the second one, only the first batch is requested.
            for batch in &batches[..if stream == 1 { 1 } else { batches.len() }] {
                assert_eq!(rows(&reader.next_batch().unwrap().unwrap().batch), rows(batch));
            }
            let next = reader.next_stream().unwrap();
            assert_eq!(next.is_some(), stream + 1 < expected.len(), "{chunk}");
            let Some(next) = next else { break };
            reader = next;
        }
    }
    // What follows must be a stream.
    bytes.extend(b"and then text");
    let mut reader = Some(StreamReader::try_new(&*bytes).unwrap());
    for _ in 0..2 {
        reader = reader.unwrap().next_stream().unwrap();
    }
    assert!(reader.unwrap().next_stream().is_err());
    // A stream that is cut off has no end to go on from.
    let mut reader = StreamReader::try_new(&bytes[..bytes.len() / 8]).unwrap();
    while reader.next_batch().is_ok_and(|batch| batch.is_some()) {}
    assert!(reader.next_stream().is_err());
}

/// Fails once, after some bytes.
struct InterruptedReader<R> {
    before: io::Take<R>,
    has_failed: bool,
}

impl<R: Read> Read for InterruptedReader<R> {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        match self.before.read(bytes)? {
            0 if !self.has_failed => {
                self.has_failed = true;
                self.before.set_limit(u64::MAX);
                Err(io::ErrorKind::ConnectionReset.into())
            }
            n_bytes => Ok(n_bytes),
        }
    }
}

#[test]
fn a_stream_follows_after_what_was_not_read_of_the_one_before() {
    let schema = Arc::new("n: int32".parse::<Schema>().unwrap());
    let batches = Generator::new(1).batches(&schema, &[3, 4]);
    let mut writer = StreamWriter::try_new(Vec::new(), &schema).unwrap();
    writer.write(&batches[0]).unwrap();
    let tensor = Tensor::try_new(DataType::UInt8, [8], Buffer::zeroed(8)).unwrap();
    writer.write_tensor(&tensor, &Metadata::new()).unwrap();
    batches.iter().for_each(|batch| writer.write(batch).unwrap());
    let n_first = writer.position() + 8;
    let mut writer = StreamWriter::try_new(writer.finish().unwrap(), &schema).unwrap();
    writer.write(&batches[1]).unwrap();
    let bytes = writer.finish().unwrap();
    let check_second = |second: &mut dyn Iterator<Item = arrow_ipc::Result<RecordBatch>>| {
        let second: Vec<_> = second.map(Result::unwrap).collect();
        assert_eq!(second.len(), 1);
        assert_eq!(rows(&second[0]), rows(&batches[1]));
    };
    // A tensor that `next_batch` refuses, or that nobody has come to.
    for n_read in [0, 1, 2] {
        let mut reader = StreamReader::try_new(ChunkedReader::new(&*bytes, 16)).unwrap();
        for idx in 0..n_read {
            assert_eq!(reader.next_batch().is_ok(), idx == 0);
        }
        check_second(&mut reader.next_stream().unwrap().expect("there is a second one"));
    }
    // A source that fails in between.
    for limit in (300..n_first).step_by(100) {
        let source = InterruptedReader { before: (&*bytes).take(limit), has_failed: false };
        let mut reader = StreamReader::try_new(source).unwrap();
        while reader.next_step().is_ok_and(|step| !matches!(step, Step::End)) {}
        check_second(&mut reader.next_stream().unwrap().expect("there is a second one"));
    }
}
