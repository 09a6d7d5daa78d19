//! Memory of batches: used again once they are dropped, taken once where they are retained, and never both at once.

use std::{
    collections::HashSet,
    fs::File,
    io::Cursor,
    sync::atomic::{AtomicUsize, Ordering},
};

use arrow_buffer::{Buffer, MemoryBudget};
use arrow_data::{ArrayData, ArrayParts, RecordBatch};
#[cfg(any(feature = "lz4", feature = "zstd"))]
use arrow_ipc::Compression;
use arrow_ipc::{
    FileReader, FileWriter, ReadOptions, RecycledMemory, Result, SeekSource, StreamReader, StreamWriter,
    Threads, WriteOptions,
};
use arrow_schema::DataType;
use testing_support::{ChunkedReader, Rng, rows};

use crate::ALLOCATOR;

/// Of one column of numbers, of which compression leaves a third.
fn numbers(n_rows: usize, seed: u64) -> RecordBatch {
    let mut rng = Rng::new(seed);
    let values: Vec<i64> = (0..n_rows).map(|_| rng.below(1 << 16) as i64).collect();
    let parts =
        ArrayParts { buffers: [values.into(), Buffer::new()], ..ArrayParts::new(DataType::Int64, n_rows) };
    let column = ArrayData::try_new(parts).expect("numbers");
    RecordBatch::try_from_columns([("n", column)]).expect("one column")
}

fn batches(n_batches: u64, n_rows: usize) -> Vec<RecordBatch> {
    (0..n_batches).map(|seed| numbers(n_rows - seed as usize, seed)).collect()
}

fn stream_of(batches: &[RecordBatch], options: WriteOptions) -> Vec<u8> {
    let mut writer = StreamWriter::try_new_with(Vec::new(), batches[0].schema(), options).expect("a vector");
    batches.iter().for_each(|batch| writer.write(batch).expect("a vector"));
    writer.finish().expect("a vector")
}

fn file_of(batches: &[RecordBatch], options: WriteOptions) -> Vec<u8> {
    let mut writer = FileWriter::try_new_with(Vec::new(), batches[0].schema(), options).expect("a vector");
    batches.iter().for_each(|batch| writer.write(batch).expect("a vector"));
    writer.finish().expect("a vector")
}

/// A file that is gone when it is closed.
fn on_disk(bytes: &[u8]) -> File {
    static N_FILES: AtomicUsize = AtomicUsize::new(0);
    let number = N_FILES.fetch_add(1, Ordering::Relaxed);
    let path = std::env::temp_dir().join(format!("arrow-ipc-recycled-{}-{number}", std::process::id()));
    std::fs::write(&path, bytes).expect("space for it");
    let file = File::open(&path).expect("it was just written");
    std::fs::remove_file(&path).expect("it is ours");
    file
}

type Reader = Box<dyn Iterator<Item = Result<RecordBatch>>>;

/// Ways to read what was written with some options.
type ReadPath = (&'static str, WriteOptions, fn(&[RecordBatch], (WriteOptions, ReadOptions)) -> Reader);

fn from_stream(batches: &[RecordBatch], (writing, reading): (WriteOptions, ReadOptions)) -> Reader {
    let stream = Cursor::new(stream_of(batches, writing));
    Box::new(StreamReader::try_new_with(stream, reading).expect("a schema"))
}

/// Reads pieces that end inside bodies.
fn from_chunks(batches: &[RecordBatch], (writing, reading): (WriteOptions, ReadOptions)) -> Reader {
    let stream = Cursor::new(stream_of(batches, writing));
    Box::new(StreamReader::try_new_with(ChunkedReader::new(stream, 77_777), reading).expect("a schema"))
}

fn from_file(batches: &[RecordBatch], (writing, reading): (WriteOptions, ReadOptions)) -> Reader {
    let file = on_disk(&file_of(batches, writing));
    Box::new(FileReader::try_new_with(file, reading).expect("a file").into_iter())
}

fn from_seek(batches: &[RecordBatch], (writing, reading): (WriteOptions, ReadOptions)) -> Reader {
    let file = SeekSource::new(Cursor::new(file_of(batches, writing)));
    Box::new(FileReader::try_new_with(file, reading).expect("a file").into_iter())
}

fn ways() -> Vec<ReadPath> {
    vec![
        ("stream", WriteOptions::new(), from_stream),
        ("stream in pieces", WriteOptions::new(), from_chunks),
        ("file", WriteOptions::new(), from_file),
        ("what seeks", WriteOptions::new(), from_seek),
        #[cfg(feature = "lz4")]
        ("LZ4 stream", WriteOptions::new().with_compression(Compression::lz4()), from_stream),
        #[cfg(feature = "lz4")]
        ("LZ4 file", WriteOptions::new().with_compression(Compression::lz4()), from_file),
        #[cfg(feature = "zstd")]
        ("Zstandard stream", WriteOptions::new().with_compression(Compression::zstd()), from_stream),
        #[cfg(feature = "zstd")]
        ("Zstandard file", WriteOptions::new().with_compression(Compression::zstd()), from_file),
    ]
}

/// Whether bodies are smaller or larger than memory that is mapped.
const N_ROWS: [usize; 2] = [30_000, 600_000];

/// The options of a reader that shares no memory with other tests.
fn options() -> ReadOptions {
    ReadOptions::new().with_threads(Threads::One).with_recycled_memory(RecycledMemory::new())
}

/// An array of a message, a `Vec` of them, metadata: far less than a buffer.
const SMALL_BYTES: u64 = 10_000;

/// The number of times that memory of a batch is replaced by larger memory. These batches have fewer and fewer rows,
/// but their compressed bodies may be longer; after that, the memory is large enough for all further batches.
fn n_replaced(writing: &WriteOptions) -> usize {
    usize::from(writing.compression().is_some())
}

#[test]
fn the_memory_of_dropped_batches_is_used_again() {
    for n_rows in N_ROWS {
        let written = batches(6, n_rows);
        for (name, writing, read) in ways() {
            let mut reader = read(&written, (writing.clone(), options()));
            let mut addresses = HashSet::new();
            let mut n_late = 0;
            for (idx, expected) in written.iter().enumerate() {
                let (batch, usage) = ALLOCATOR.measure(|| reader.next().unwrap().unwrap());
                assert_eq!(batch.columns()[0].buffer(0), expected.columns()[0].buffer(0), "{name}");
                addresses.insert(batch.columns()[0].buffer(0).as_ptr().addr());
                n_late += usize::from(idx >= 2 && usage.largest_bytes > SMALL_BYTES);
            }
            assert!(n_late <= n_replaced(&writing), "{name}, {n_rows}: {n_late}");
            assert!(reader.next().is_none());
            // A long range of a file begins anywhere in the first page of its memory.
            let mut addresses = addresses.into_iter().collect::<Vec<usize>>();
            addresses.sort_unstable();
            addresses.dedup_by(|next, before| *next - *before < 8 << 10);
            assert!(addresses.len() <= 2, "{name}, {n_rows}: {addresses:?}");
        }
    }
}

#[test]
fn a_reader_that_is_one_batch_late_needs_memory_for_two() {
    let written = batches(8, N_ROWS[0]);
    for (name, writing, read) in ways() {
        let mut reader = read(&written, (writing.clone(), options()));
        let (mut before, mut n_late) = (None, 0);
        for idx in 0..written.len() {
            let (batch, usage) = ALLOCATOR.measure(|| reader.next().unwrap().unwrap());
            n_late += usize::from(idx >= 3 && usage.largest_bytes > SMALL_BYTES);
            before = Some(batch);
        }
        assert!(n_late <= 2 * n_replaced(&writing), "{name}: {n_late}");
        assert_eq!(before.map(|batch| rows(&batch)), written.last().map(rows), "{name}");
    }
}

#[test]
fn what_is_still_in_use_is_not_written_to() {
    let written = batches(20, 9_000);
    for (name, writing, read) in ways() {
        let mut rng = Rng::new(23);
        let mut retained: Vec<(usize, Buffer)> = Vec::new();
        for (idx, batch) in read(&written, (writing, options())).enumerate() {
            retained.retain(|_| !rng.one_in(3));
            if rng.one_in(2) {
                retained.push((idx, batch.unwrap().columns()[0].buffer(0).slice(8..)));
            }
            for (idx, slice) in &retained {
                assert_eq!(slice[..], written[*idx].columns()[0].buffer(0)[8..], "{name}, {idx}");
            }
        }
    }
}

#[test]
fn each_body_of_retained_batches_is_allocated_once() {
    let written = batches(6, N_ROWS[0]);
    for (name, writing, read) in ways() {
        if writing.compression().is_some() {
            continue;
        }
        let mut reader = read(&written, (writing, options()));
        let mut retained = Vec::new();
        for (idx, expected) in written.iter().enumerate() {
            let (batch, usage) = ALLOCATOR.measure(|| reader.next().unwrap().unwrap());
            retained.push(batch);
            // A stream has to bring as many bytes as it asks memory for, first.
            let n_bytes = expected.columns()[0].buffer(0).len() as u64;
            let n_more = if name == "stream in pieces" { 200_000 } else { 2 * SMALL_BYTES };
            assert!(idx < 1 || usage.total_bytes < n_bytes + n_more, "{name}, {n_bytes}: {usage:?}");
        }
    }
}

/// The memory of a reader, without the returned batches, is less than a batch and 2 MB. It is counted by the budget,
/// since the allocator does not see mapped memory.
#[test]
fn the_peak_is_that_of_what_is_given() {
    const N_BATCHES: u64 = 5;
    for n_rows in N_ROWS {
        let written = batches(N_BATCHES, n_rows);
        let n_batch_bytes = 8 * n_rows as u64;
        for (name, writing, read) in ways() {
            let peak = |is_retained: bool| {
                let budget = MemoryBudget::unlimited();
                let options = options().with_memory_budget(budget.clone());
                let mut retained = Vec::new();
                for batch in read(&written, (writing.clone(), options)) {
                    let batch = batch.unwrap();
                    if is_retained {
                        retained.push(batch);
                    }
                }
                budget.n_bytes_peak()
            };
            let (all, one) = (peak(true), peak(false));
            assert!(all >= N_BATCHES * (n_batch_bytes - 100), "{name}: {all}");
            assert!(all <= (N_BATCHES + 1) * n_batch_bytes + (2 << 20), "{name}, {n_rows}: {all}");
            assert!(one <= 2 * n_batch_bytes + (2 << 20), "{name}, {n_rows}: {one}");
        }
    }
}

/// Large memory grows in place where the system can do that, so a stream of one body never takes twice as much.
#[test]
#[cfg(all(feature = "mmap", target_os = "linux"))]
fn one_large_body_is_there_once() {
    let written = batches(1, 3_000_000);
    for (name, writing, read) in ways() {
        if writing.compression().is_some() {
            continue;
        }
        let budget = MemoryBudget::unlimited();
        let options = options().with_memory_budget(budget.clone());
        let batch = read(&written, (writing, options)).next().unwrap().unwrap();
        assert_eq!(batch.columns()[0].buffer(0), written[0].columns()[0].buffer(0), "{name}");
        assert!(budget.n_bytes_peak() <= 24_000_000 + (2 << 20), "{name}: {budget:?}");
    }
}

#[test]
fn memory_is_handed_to_the_next_reader_and_has_a_bound() {
    let written = batches(1, N_ROWS[0]);
    for (name, writing, read) in ways() {
        let n_taken = |memory: &RecycledMemory| {
            let options = options().with_recycled_memory(memory.clone());
            let mut reader = read(&written, (writing.clone(), options));
            ALLOCATOR.measure(|| reader.next().unwrap().unwrap().n_rows()).1.largest_bytes
        };
        let (memory, none) = (RecycledMemory::new(), RecycledMemory::with_max_bytes(0));
        assert!(n_taken(&memory) > SMALL_BYTES, "{name}");
        // A new stream has brought no bytes yet, and gets what is pooled all the same.
        assert!(n_taken(&memory) < SMALL_BYTES, "{name}");
        assert!(n_taken(&none) > SMALL_BYTES && n_taken(&none) > SMALL_BYTES, "{name}");
    }
}
