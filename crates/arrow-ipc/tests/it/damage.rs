//! Files and streams of others, damaged everywhere: every fifth byte inverted, a bit of each fifth byte of the
//! metadata, and cut at every length; in a hunt all bytes, all bits of the metadata, at both levels of validation. There is never a panic, memory stays in proportion to the input, and a cut is an error unless a
//! stream may end there.
//!
//! Large buffers that are mapped (feature `mmap`) are not counted, so CI runs these tests also without features.

use std::{collections::HashSet, fs, panic::AssertUnwindSafe, path::PathBuf};

use arrow_buffer::Buffer;
use arrow_data::RecordBatch;
use arrow_ipc::{
    FileReader, Limits, MessageStep, Messages, ReadOptions, Result, Step, StreamDecoder, Validation,
};

use testing_support::Hunt;

use crate::ALLOCATOR;

/// A dozen small files, which together have every layout.
const CASES: [&str; 12] = [
    "null-bool-sliced",
    "integers-nulls",
    "binary-text-full",
    "views-nulls",
    "structs-full",
    "list-views-nulls",
    "maps-nulls",
    "unions-full",
    "run-ends-nulls",
    "dictionary-nested",
    "metadata",
    "names-inside",
];

/// The memory that reading may take for each byte of the input, above a fixed part: shared parts of the metadata may
/// unfold, see `Limits`.
const MEMORY_PER_BYTE: i64 = 64;
const MEMORY_BASE: i64 = 256 << 10;

fn read_stream(bytes: &Buffer, validation: Validation) -> Result<Vec<RecordBatch>> {
    let options = ReadOptions::new().with_validation(validation);
    let mut decoder = StreamDecoder::new_with(options);
    decoder.feed(bytes.clone());
    decoder.finish_input();
    let mut batches = Vec::new();
    loop {
        match decoder.step()? {
            Step::Batch(next) => batches.push(next.batch),
            Step::End => return Ok(batches),
            _ => {}
        }
    }
}

fn read_file(bytes: &Buffer, validation: Validation) -> Result<Vec<RecordBatch>> {
    let options = ReadOptions::new().with_validation(validation);
    FileReader::try_new_with(bytes.clone(), options)?.batches().collect()
}

type Read = fn(&Buffer, Validation) -> Result<Vec<RecordBatch>>;

fn golden(name: &str, extension: &str) -> (PathBuf, Vec<u8>) {
    let path =
        testing_support::corpus_dir().join("golden/pyarrow-26.0.1").join(name).with_extension(extension);
    let bytes = fs::read(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    (path, bytes)
}

const LEVELS: [Validation; 2] = [Validation::Content, Validation::Structure];

/// Reads damaged bytes at one level, in a hunt at both, and walks the values of what was accepted.
fn survives(bytes: Vec<u8>, read: Read, case: usize, what: &dyn Fn() -> String) {
    let n_bytes = i64::try_from(bytes.len()).unwrap();
    let bytes = Buffer::copy_from(&bytes);
    let attempt = std::panic::catch_unwind(AssertUnwindSafe(|| {
        for &validation in Hunt::from_env().some_of(&LEVELS, 1, case) {
            let (outcome, usage) = ALLOCATOR.measure(|| read(&bytes, validation));
            let allowed = MEMORY_BASE + n_bytes * MEMORY_PER_BYTE;
            assert!(usage.peak_bytes <= allowed, "{} bytes for {n_bytes}", usage.peak_bytes);
            match (outcome, validation) {
                (Ok(batches), Validation::Content) => {
                    for batch in batches {
                        let n_rows = batch.n_rows().min(100);
                        testing_support::rows(&batch.slice(0, n_rows));
                    }
                }
                (Ok(batches), _) => drop(batches),
                (Err(error), _) => assert!(!error.to_string().is_empty()),
            }
        }
    }));
    assert!(attempt.is_ok(), "{}", what());
}

/// Without bodies, messages of any damaged stream are the same, with the same error.
#[test]
fn messages_without_bodies_are_the_same() {
    let (_, bytes) = golden("integers-nulls", "arrows");
    let all = |mut messages: Messages, bytes: &[u8]| {
        let (mut pieces, mut found) = (bytes.chunks(100), Vec::new());
        loop {
            match messages.step() {
                Ok(MessageStep::Message(message)) => {
                    let location = (message.position(), message.n_metadata_bytes(), message.n_body_bytes());
                    found.push(format!("{:?} {location:?} {}", message.kind(), messages.position()));
                }
                Ok(MessageStep::NeedBytes(_)) => match pieces.next() {
                    Some(piece) => messages.feed(Buffer::copy_from(piece)),
                    None => messages.finish_input(),
                },
                Ok(_) => return (found, format!("the end, marked: {}", messages.has_end_marker())),
                Err(error) => return (found, error.to_string()),
            }
        }
    };
    let same = |bytes: &[u8]| {
        let [whole, without] =
            [Messages::new(Limits::default()), Messages::new(Limits::default()).without_bodies()]
                .map(|messages| all(messages, bytes));
        assert_eq!(whole, without);
        whole.0.len()
    };
    assert!(same(&bytes) > 1);
    for position in 0..bytes.len() {
        same(&bytes[..position]);
        same(&inverted(&bytes, position, 0xff));
    }
}

/// More metadata than is allowed is a limit where its bytes are there, and else truncated. They are not kept.
#[test]
fn metadata_over_the_limit_is_skipped_first() {
    let length = (1_u32 << 20).to_le_bytes();
    let complete = [&[0xff; 4][..], &length, &[7; 1 << 20]].concat();
    for n_bytes in [8, 9, 1 << 16, complete.len() - 1, complete.len()] {
        for piece_bytes in [1 << 10, complete.len()] {
            let mut messages = Messages::new(Limits::default().with_max_metadata_bytes(1 << 16));
            let mut pieces = complete[..n_bytes].chunks(piece_bytes);
            let error = loop {
                match messages.step() {
                    Ok(MessageStep::NeedBytes(_)) => match pieces.next() {
                        Some(piece) => messages.feed(Buffer::copy_from(piece)),
                        None => messages.finish_input(),
                    },
                    Ok(step) => panic!("{step:?}"),
                    Err(error) => break error,
                }
            };
            let (n_arrived, n_reassembled) = (n_bytes - 8, messages.n_reassembled_bytes());
            let expected = match n_bytes == complete.len() {
                true => "1048576 bytes of metadata exceed the limit of 65536".to_owned(),
                false => format!("the metadata is truncated: {n_arrived} of 1048576 bytes"),
            };
            assert_eq!(error.to_string(), format!("message 0 at byte 0: {expected}"));
            assert_eq!(n_reassembled, 0);
        }
    }
}

/// The ranges of prefix and metadata of each message, and the ends of the messages.
fn messages(stream: &[u8]) -> Vec<arrow_ipc::message::Message> {
    let mut splitter = Messages::new(Limits::default());
    splitter.feed(Buffer::copy_from(stream));
    splitter.finish_input();
    let mut messages = Vec::new();
    while let MessageStep::Message(message) = splitter.step().unwrap() {
        messages.push(message);
    }
    messages
}

fn inverted(bytes: &[u8], position: usize, mask: u8) -> Vec<u8> {
    let mut damaged = bytes.to_vec();
    damaged[position] ^= mask;
    damaged
}

fn invert_everywhere(name: &str, extension: &str, read: Read, metadata: &HashSet<usize>) {
    let (path, bytes) = golden(name, extension);
    let hunt = Hunt::from_env();
    // Short, every fifth byte.
    for position in (0..bytes.len()).step_by(hunt.count(5, 1)) {
        let bits: &[u8] = if metadata.contains(&position) { &[1, 2, 4, 8, 16, 32, 64, 128] } else { &[] };
        // Short, the levels take turns: inverted at one, with another bit at the other; the next byte the other way round.
        for (idx, mask) in [0xff].iter().chain(hunt.some_of(bits, 1, position)).enumerate() {
            let what = || format!("{}: byte {position} ^ {mask:#x}", path.display());
            survives(inverted(&bytes, position, *mask), read, position + idx, &what);
        }
    }
}

#[test]
fn inverted_streams_end_in_a_result() {
    for name in CASES {
        let (_, bytes) = golden(name, "arrows");
        let mut metadata = HashSet::new();
        for message in messages(&bytes) {
            let start = usize::try_from(message.position()).unwrap();
            metadata.extend(start..start + usize::try_from(message.n_metadata_bytes()).unwrap());
        }
        invert_everywhere(name, "arrows", read_stream, &metadata);
    }
}

#[test]
fn inverted_files_end_in_a_result() {
    for name in CASES {
        let (_, bytes) = golden(name, "arrow");
        let file = FileReader::try_from_buffer(Buffer::copy_from(&bytes)).unwrap();
        let footer = usize::try_from(file.footer().position()).unwrap();
        let mut metadata: HashSet<usize> = (footer..bytes.len()).collect();
        for block in file.footer().batches().iter().chain(file.footer().dictionaries()) {
            let start = usize::try_from(block.position()).unwrap();
            metadata.extend(start..start + usize::try_from(block.n_metadata_bytes()).unwrap());
        }
        invert_everywhere(name, "arrow", read_file, &metadata);
    }
}

#[test]
fn streams_cut_at_every_length_are_refused_or_end_legally() {
    for name in CASES {
        let (path, bytes) = golden(name, "arrows");
        let whole = read_stream(&Buffer::copy_from(&bytes), Validation::Content).unwrap();
        let mut legal_ends: HashSet<u64> = HashSet::from([bytes.len() as u64]);
        for message in messages(&bytes) {
            legal_ends.insert(message.position() + message.n_metadata_bytes() + message.body().len() as u64);
        }
        for n_bytes in 0..bytes.len() {
            let cut = Buffer::copy_from(&bytes[..n_bytes]);
            let outcome = read_stream(&cut, Validation::Content);
            let is_legal = legal_ends.contains(&(n_bytes as u64));
            assert_eq!(outcome.is_ok(), is_legal, "{} cut at {n_bytes}: {outcome:?}", path.display());
            if let Ok(batches) = outcome {
                let rows = |batches: &[RecordBatch]| -> Vec<_> {
                    batches.iter().flat_map(testing_support::rows).collect()
                };
                assert!(rows(&whole).starts_with(&rows(&batches)), "{} cut at {n_bytes}", path.display());
            }
        }
    }
}

#[test]
fn files_cut_at_every_length_are_refused() {
    for name in CASES {
        let (path, bytes) = golden(name, "arrow");
        for n_bytes in 0..bytes.len() {
            let cut = Buffer::copy_from(&bytes[..n_bytes]);
            let outcome = read_file(&cut, Validation::Content);
            assert!(outcome.is_err(), "{} cut at {n_bytes} was read", path.display());
        }
    }
}
