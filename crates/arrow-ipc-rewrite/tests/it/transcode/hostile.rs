//! Hostile and mutated streams: never a panic, and no more memory or output than the input justifies. What can be read comes
//! out as it was.

use std::fs;

use arrow_buffer::Buffer;
use arrow_data::RecordBatch;
use arrow_ipc::{
    Compression, ErrorClass, FormatErrorKind, IpcErrorKind, IpcSchema, Limits, Result, SharedBuffers,
    StreamReader, StreamWriter, WriteOptions, WrittenContainer, message::Message,
};
use arrow_ipc_rewrite::Transcoder;
use testing_support::{Generator, Hunt, Nulls, corpus_dir, files_below, rows};

use super::{
    inputs::messages_of,
    spooled::{by_spool, is_batch},
};
use crate::ALLOCATOR;

/// Options for writing, and the factor by which the output may be longer than the input, apart from a constant.
fn options() -> Vec<(WriteOptions, u64)> {
    let new = WriteOptions::new;
    vec![
        (new(), 10),
        (new().with_alignment(8), 10),
        (new().with_compression(Compression::lz4()), 10),
        (new().with_compression(Compression::zstd()), 10),
    ]
}

/// The limit on decompressed buffers. It is small, so that unnecessary memory is noticed.
const DECOMPRESSED_BYTES: u64 = 1 << 20;

fn limits() -> Limits {
    Limits::new().with_max_decompressed_bytes(DECOMPRESSED_BYTES)
}

/// Transcodes all messages, up to the first that cannot be written.
fn transcode(schema: &IpcSchema, messages: &[Message], options: WriteOptions) -> Result<Vec<u8>> {
    let options = options.with_endianness(schema.endianness());
    let in_pieces = options.clone();
    let [transcoder, other] = [options.clone(), options]
        .map(|options| Transcoder::try_new_with(schema, WrittenContainer::Stream, options));
    let (mut transcoder, mut other) = (transcoder?.with_limits(limits()), other?.with_limits(limits()));
    let mut spooling =
        Transcoder::try_new_with(schema, WrittenContainer::Stream, in_pieces)?.with_limits(limits());
    let mut written = Vec::new();
    for message in messages {
        let relocated = other.relocate(message).map(|relocation| relocation.n_body_bytes());
        assert!(relocated.is_err() || transcoder.can_relocate(message).is_ok_and(|can| can));
        let spooled = is_batch(message).then(|| by_spool(&mut spooling, message));
        let output = transcoder.transcode(message);
        if let Some(spooled) = spooled {
            assert_eq!(spooled.is_ok(), output.is_ok(), "{:?}, {:?}", spooled.err(), output.err());
        }
        output?.write_to(&mut written)?;
    }
    transcoder.finish()?.write_to(&mut written)?;
    Ok(written)
}

/// Reads a stream, transcodes it, and compares what can be read.
fn check(name: &str, bytes: &Buffer) -> usize {
    let Ok((schema, _, messages)) = messages_of(bytes) else { return 0 };
    let read = |bytes: &[u8]| -> Result<Vec<_>> {
        let rows_of = |batch: RecordBatch| match batch.n_rows() {
            0..10_000 => (batch.n_rows(), rows(&batch)),
            // Nobody has as many rows of values.
            n_rows => (n_rows, Vec::new()),
        };
        StreamReader::try_new(bytes)?.map(|batch| batch.map(rows_of)).collect()
    };
    let mut n_written = 0;
    for (options, times) in options() {
        // What is fed is shared, so that it is not counted.
        let (output, usage) = ALLOCATOR.measure(|| transcode(&schema, &messages, options.clone()));
        let allowed = bytes.len() as u64 * times + 8 * DECOMPRESSED_BYTES;
        assert!(usage.peak_bytes < allowed as i64, "{name}: {usage:?} for {} bytes", bytes.len());
        let Ok(output) = output else { continue };
        assert!((output.len() as u64) < allowed, "{name}: {} of {} bytes", output.len(), bytes.len());
        n_written += 1;
        if let Ok(expected) = read(bytes) {
            let found = read(&output).unwrap_or_else(|error| panic!("{name}: {error}"));
            assert!(found == expected, "{name}");
        }
    }
    n_written
}

fn streams() -> Vec<(String, Vec<u8>)> {
    let files = [".arrows", ".stream"].map(|suffix| files_below(&corpus_dir(), suffix)).concat();
    let files = files.into_iter().filter_map(|path| {
        let bytes = fs::read(&path).unwrap();
        (bytes.len() < 40_000).then(|| (path.display().to_string(), bytes))
    });
    files.collect()
}

#[test]
fn hostile_streams_are_refused_or_written() {
    let (mut n_written, mut n_streams) = (0, 0);
    for (name, bytes) in streams() {
        n_written += check(&name, &Buffer::from(bytes));
        n_streams += 1;
    }
    assert!(n_streams > 250 && n_written > 400, "{n_streams}, {n_written}");
}

#[test]
fn mutated_streams_are_refused_or_written() {
    let hunt = Hunt::from_env();
    let mut rng = hunt.rng(0x7a5c);
    let streams = streams();
    let mut n_written = 0;
    for _ in 0..hunt.count(150, 20_000) {
        let (name, bytes) = rng.pick(&streams);
        let mut bytes = bytes.clone();
        for _ in 0..=rng.below(3) {
            let position = rng.below(bytes.len());
            if rng.below(2) == 0 {
                bytes[position] ^= 1 << rng.below(8);
            } else {
                let word = [0u32, 1, 0x4000_0000, 0x7fff_ffff, 0xffff_ffff][rng.below(5)].to_le_bytes();
                bytes[position..].iter_mut().zip(word).for_each(|(to, from)| *to = from);
            }
        }
        n_written += check(name, &Buffer::from(bytes));
    }
    assert!(n_written > 0);
}

/// A message whose buffers all refer to the same bytes is as long afterwards; one whose buffers overlap is refused before it
/// takes many times its own bytes.
#[test]
fn buffers_that_overlap_do_not_multiply() {
    const N_COLUMNS: usize = 400;
    let schema: String = (0..N_COLUMNS).map(|idx| format!("c{idx}: int8\n")).collect();
    let schema = std::sync::Arc::new(schema.parse::<arrow_schema::Schema>().unwrap());
    let batch = Generator::new(8).batch(&schema, 5_000, Nulls::None);
    let mut writer = StreamWriter::try_new(Vec::new(), &schema).unwrap();
    writer.write(&batch).unwrap();
    let stream = writer.finish().unwrap();
    let (schema, _, messages) = messages_of(&Buffer::from(stream.clone())).unwrap();
    let message = &messages[0];
    // The list of buffers, as it lies in the metadata: validity and values of each column.
    let list = message.metadata_bytes().windows(32).position(|bytes| {
        let words: Vec<u64> =
            bytes.chunks(8).map(|word| u64::from_le_bytes(word.try_into().unwrap())).collect();
        words == [0, 0, 0, 5_000]
    });
    let list = (message.body_position() - message.metadata_bytes().len() as u64) as usize + list.unwrap();
    let with_starts = |start: &dyn Fn(usize) -> u64| {
        let mut stream = stream.clone();
        for column in 0..N_COLUMNS {
            // Validity has no bytes, but a position too.
            let at = list + column * 32;
            stream[at..at + 8].copy_from_slice(&0u64.to_le_bytes());
            stream[at + 16..at + 24].copy_from_slice(&start(column).to_le_bytes());
        }
        messages_of(&Buffer::from(stream)).unwrap().2
    };
    let same = with_starts(&|_| 64);
    for (options, _) in options() {
        let once = options.with_shared_buffers(SharedBuffers::Once);
        let output = transcode(&schema, &same, once).unwrap();
        assert!(output.len() < 60_000, "{}", output.len());
    }
    let overlapping = with_starts(&|column| 8 * column as u64);
    // Within four times the body.
    transcode(&schema, &overlapping, WriteOptions::new()).unwrap();
    // The same list in a body that is much shorter, and so often shared.
    let bytes = shortened(&stream, &overlapping[0], 10_000);
    let (_, _, messages) = messages_of(&bytes).unwrap();
    let once = WriteOptions::new().with_shared_buffers(SharedBuffers::Once);
    let error = transcode(&schema, &messages, once).unwrap_err();
    assert!(matches!(error.kind(), IpcErrorKind::Format(FormatErrorKind::LimitExceeded { .. })), "{error}");
    assert_eq!(error.class(), ErrorClass::LimitExceeded);
}

/// The stream with a body of fewer bytes, in which the buffers of this message lie.
fn shortened(stream: &[u8], message: &Message, n_bytes: usize) -> Buffer {
    let metadata = message.metadata_bytes();
    let n_body_bytes = message.n_body_bytes().to_le_bytes();
    let at = metadata.windows(8).position(|bytes| bytes == n_body_bytes).unwrap();
    let mut metadata = metadata.to_vec();
    metadata[at..at + 8].copy_from_slice(&(n_bytes as u64).to_le_bytes());
    let start = message.body_position() as usize;
    [&stream[..start - metadata.len()], &metadata, &stream[start..start + n_bytes]].concat().into()
}
