//! Streams that follow each other in one source.

use std::sync::Arc;

use arrow_ipc::{Endianness, Framing, MetadataVersion, StreamReader, StreamWriter, WriteOptions};
use arrow_schema::Schema;
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
        let mut writer = StreamWriter::try_new(bytes, &schema, options).unwrap();
        batches.iter().for_each(|batch| writer.write(batch).unwrap());
        bytes = writer.finish().unwrap();
        expected.push(batches);
    }
    for chunk in [1, 7, 64, 4_096, usize::MAX] {
        let mut reader = StreamReader::try_new(ChunkedReader::new(&*bytes, chunk)).unwrap();
        for (stream, batches) in expected.iter().enumerate() {
            // Of the second one, only the first batch is asked for.
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
    // Behind an error there is nothing to be found.
    let mut reader = StreamReader::try_new(&bytes[..bytes.len() / 8]).unwrap();
    while reader.next_batch().is_ok_and(|batch| batch.is_some()) {}
    assert!(reader.next_stream().is_err());
}
