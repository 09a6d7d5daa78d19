//! Lengths that a stream declares take no memory until the bytes arrive: memory stays in proportion to the bytes that
//! arrived, for any declared length.
//!
//! The allocator does not see large buffers that are mapped (feature `mmap`), so CI runs these tests also without features.

use std::{
    fs,
    io::{Cursor, Read},
};

use arrow_buffer::{Buffer, MemoryBudget};
use arrow_data::RecordBatch;
use arrow_ipc::{FileReader, ReadOptions, Result, SeekSource, Step, StreamDecoder, StreamReader};
use testing_support::{ChunkedReader, Usage};

use crate::ALLOCATOR;

/// The state of a reader, metadata that unfolds; see `Limits`.
const BASE_BYTES: u64 = 512 << 10;

/// The number of bytes of the first read into final memory, for any declared length.
const FIRST_STEP_BYTES: u64 = 64 << 10;

/// The number of bytes that are read at once while the input is not known to be large, and of their copy.
const CHUNK_BYTES: u64 = 16 << 10;

/// For each byte that came, where metadata may unfold.
const METADATA_BYTES_PER_BYTE: u64 = 64;

/// The memory for each byte of a body that arrived: the body is gathered in memory that is at most three times as long,
/// and while it grows, the old memory also exists.
const BODY_BYTES_PER_BYTE: u64 = 4;

fn drain(batches: impl Iterator<Item = Result<RecordBatch>>) -> Result<()> {
    for batch in batches {
        drop(batch?);
    }
    Ok(())
}

fn read_stream(source: impl Read) -> Result<()> {
    drain(StreamReader::try_new(source)?)
}

/// A budget counts what is mapped, too.
fn read_counted(source: impl Read, budget: &MemoryBudget) -> Result<()> {
    let options = ReadOptions::new().with_memory_budget(budget.clone());
    drain(StreamReader::try_new_with(source, options)?)
}

/// Reads slices of bytes in memory.
fn read_at_once(bytes: &[u8]) -> Result<()> {
    let mut decoder = StreamDecoder::new();
    decoder.feed(Buffer::copy_from(bytes));
    decoder.finish_input();
    while !matches!(decoder.step()?, Step::End) {}
    Ok(())
}

/// Through the memory that the decoder offers, filled as far as it goes.
fn read_into_spare(mut bytes: &[u8]) -> Result<()> {
    let mut decoder = StreamDecoder::new();
    loop {
        match decoder.step()? {
            Step::NeedBytes(_) => match bytes.read(decoder.spare())? {
                0 => decoder.finish_input(),
                n_bytes => decoder.filled(n_bytes),
            },
            Step::End => return Ok(()),
            _ => {}
        }
    }
}

fn check(name: &str, allowed: u64, (outcome, usage): (Result<()>, Usage)) {
    let peak = u64::try_from(usage.peak_bytes).unwrap();
    assert!(peak <= allowed, "{name}: {peak} bytes, allowed are {allowed}; {outcome:?}");
}

#[test]
fn hostile_input_takes_memory_in_proportion() {
    let folder = testing_support::corpus_dir().join("hostile");
    let mut n_files = 0;
    for path in testing_support::files_below(&folder, ".stream") {
        let (bytes, name) = (fs::read(&path).unwrap(), path.to_string_lossy());
        let allowed = BASE_BYTES + bytes.len() as u64 * METADATA_BYTES_PER_BYTE;
        check(&name, allowed, ALLOCATOR.measure(|| read_at_once(&bytes)));
        let allowed = allowed + FIRST_STEP_BYTES;
        check(&name, allowed, ALLOCATOR.measure(|| read_stream(&*bytes)));
        check(&name, allowed, ALLOCATOR.measure(|| read_into_spare(&bytes)));
        for n_max_bytes in [1, 100] {
            let source = || ChunkedReader::new(&*bytes, n_max_bytes);
            check(&name, allowed, ALLOCATOR.measure(|| read_stream(source())));
        }
        n_files += 1;
    }
    for path in testing_support::files_below(&folder, ".arrow_file") {
        let (bytes, name) = (fs::read(&path).unwrap(), path.to_string_lossy());
        let allowed = BASE_BYTES + bytes.len() as u64 * METADATA_BYTES_PER_BYTE;
        check(&name, allowed, ALLOCATOR.measure(|| drain(FileReader::open(&path)?.batches())));
        let source = || SeekSource::new(Cursor::new(&*bytes));
        let read = || drain(FileReader::try_new(source())?.batches());
        check(&name, allowed, ALLOCATOR.measure(read));
        let buffer = Buffer::copy_from(&bytes);
        let read = || drain(FileReader::try_from_buffer(buffer.clone())?.batches());
        check(&name, allowed, ALLOCATOR.measure(read));
        n_files += 1;
    }
    assert!(n_files > 250, "{n_files} files");
}

/// A stream that goes on with zeros and ends early.
fn short_of_its_promise(start: &[u8], n_more: u64) -> impl Read {
    start.chain(std::io::repeat(0).take(n_more))
}

#[test]
fn a_declared_length_is_not_allocated() {
    let hostile = |name: &str| fs::read(testing_support::corpus_dir().join("hostile").join(name)).unwrap();
    let metadata_of_250_mib = [[0xff; 4], (250i32 << 20).to_le_bytes()].concat();
    let legacy_of_16_mib = (16i32 << 20).to_le_bytes().to_vec();
    // The bytes that are there, and how many of them belong to what is declared.
    let promises = [
        ("2 GiB of body", hostile("framing-bodylen-2e31.stream")),
        ("4 EiB of body", hostile("framing-bodylen-2e62.stream")),
        ("8 EiB of body", hostile("framing-bodylen-max.stream")),
        ("250 MiB of metadata", metadata_of_250_mib),
        ("16 MiB of metadata before 0.15", legacy_of_16_mib),
    ];
    for (name, start) in promises {
        for n_more in [0, 1, 1 << 10, 100 << 10, 3 << 20, 10 << 20] {
            let n_bytes = start.len() as u64 + n_more;
            let allowed = BASE_BYTES + FIRST_STEP_BYTES + n_bytes * BODY_BYTES_PER_BYTE;
            let (outcome, usage) = ALLOCATOR.measure(|| read_stream(short_of_its_promise(&start, n_more)));
            let error = outcome.expect_err(name);
            assert_eq!(error.class(), arrow_ipc::ErrorClass::Truncated, "{name}, {n_more}: {error}");
            check(&format!("{name}, {n_more} came"), allowed, (Err(error), usage));
            let budget = MemoryBudget::unlimited();
            assert!(read_counted(short_of_its_promise(&start, n_more), &budget).is_err(), "{name}");
            let allowed = CHUNK_BYTES + FIRST_STEP_BYTES + n_bytes * BODY_BYTES_PER_BYTE;
            assert!(budget.n_bytes_peak() <= allowed, "{name}, {n_more} came: {budget:?}");
        }
    }
}
