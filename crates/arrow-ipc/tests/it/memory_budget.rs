//! Readers under a budget of memory: all that they take for bodies is charged, refused in time, and given back.

use std::io::{self, Cursor};

use arrow_buffer::{BudgetError, Buffer, MemoryBudget};
use arrow_data::{ArrayData, ArrayParts, RecordBatch};
#[cfg(any(feature = "lz4", feature = "zstd"))]
use arrow_ipc::Compression;
use arrow_ipc::{
    DictionaryPolicy, Endianness, ErrorClass, FileDecoder, FileReader, FileWriter, IpcError, IpcErrorKind,
    ReadOptions, Result, SeekSource, StreamDecoder, StreamReader, StreamWriter, Threads, WriteOptions,
    file::PlanStep,
};
use arrow_schema::{DataType, IndexType, Metadata};
use testing_support::{ChunkedReader, Generator, Nulls, batch_of, ints, rows, schema_of_all_types};

use crate::ALLOCATOR;

/// The memory that may be taken although the budget refuses: room for the next byte.
const LEAST_BYTES: u64 = 64;

fn read_options(budget: &MemoryBudget) -> ReadOptions {
    ReadOptions::new().with_threads(Threads::One).with_memory_budget(budget.clone())
}

/// Ways to write batches and read them back under a budget.
type RoundTrip =
    (&'static str, fn(&[RecordBatch]) -> Vec<u8>, fn(&[u8], ReadOptions) -> Result<Vec<RecordBatch>>);

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

fn other_order() -> WriteOptions {
    let other = if Endianness::NATIVE == Endianness::Little { Endianness::Big } else { Endianness::Little };
    WriteOptions::new().with_endianness(other)
}

fn read_stream(bytes: &[u8], options: ReadOptions) -> Result<Vec<RecordBatch>> {
    StreamReader::try_new_with(bytes, options)?.collect()
}

/// Reads pieces that end inside messages, so that bytes are gathered.
fn read_chunks(bytes: &[u8], options: ReadOptions) -> Result<Vec<RecordBatch>> {
    StreamReader::try_new_with(ChunkedReader::new(bytes, 777), options)?.collect()
}

fn read_file(bytes: &[u8], options: ReadOptions) -> Result<Vec<RecordBatch>> {
    let file = FileReader::try_new_with(SeekSource::new(Cursor::new(bytes.to_vec())), options)?;
    file.batches().collect()
}

/// The second half of each batch alone.
fn read_rows(bytes: &[u8], options: ReadOptions) -> Result<Vec<RecordBatch>> {
    let file = FileReader::try_new_with(SeekSource::new(Cursor::new(bytes.to_vec())), options)?;
    let rows = |batch_idx| {
        let n_rows = file.n_rows_of(batch_idx)?;
        file.batch_rows(batch_idx, n_rows / 2..n_rows)
    };
    (0..file.n_batches()).map(rows).collect()
}

const WAYS: &[RoundTrip] = &[
    ("stream", |batches| stream_of(batches, WriteOptions::new()), read_stream),
    ("stream in chunks", |batches| stream_of(batches, WriteOptions::new()), read_chunks),
    ("stream of other bytes", |batches| stream_of(batches, other_order()), read_stream),
    ("file", |batches| file_of(batches, WriteOptions::new()), read_file),
    ("file of other bytes", |batches| file_of(batches, other_order()), read_file),
    ("rows of a file", |batches| file_of(batches, WriteOptions::new()), read_rows),
    #[cfg(feature = "lz4")]
    (
        "LZ4 stream",
        |batches| stream_of(batches, WriteOptions::new().with_compression(Compression::lz4())),
        read_stream,
    ),
    #[cfg(feature = "zstd")]
    (
        "Zstandard file",
        |batches| file_of(batches, WriteOptions::new().with_compression(Compression::zstd())),
        read_file,
    ),
    #[cfg(feature = "zstd")]
    (
        "rows of a Zstandard file",
        |batches| file_of(batches, WriteOptions::new().with_compression(Compression::zstd())),
        read_rows,
    ),
];

fn is_refused(error: &IpcError, limit_bytes: u64) -> bool {
    let budget = match error.kind() {
        IpcErrorKind::Memory(error) => Some(error),
        IpcErrorKind::Data(error) => match error.kind() {
            arrow_data::DataErrorKind::Memory(error) => Some(error),
            _ => None,
        },
        _ => None,
    };
    error.class() == ErrorClass::LimitExceeded
        && matches!(budget, Some(BudgetError::Refused { limit, .. }) if *limit == limit_bytes)
}

/// For any limit, reading returns all data or an error, stays within the limit, and gives all memory back.
fn check(name: &str, bytes: &[u8], read: fn(&[u8], ReadOptions) -> Result<Vec<RecordBatch>>, n_limits: u64) {
    let expected = read(bytes, ReadOptions::new()).unwrap_or_else(|error| panic!("{name}: {error}"));
    let budget = MemoryBudget::unlimited();
    let found = read(bytes, read_options(&budget)).unwrap_or_else(|error| panic!("{name}: {error}"));
    let all_rows = |batches: &[RecordBatch]| batches.iter().flat_map(rows).collect::<Vec<_>>();
    assert_eq!(all_rows(&found), all_rows(&expected), "{name}");
    assert!(budget.n_bytes_allocated() > 0, "{name}");
    drop(found);
    assert_eq!(budget.n_bytes_allocated(), 0, "{name}");

    let peak = budget.n_bytes_peak();
    let limits = (0..n_limits).map(|k| peak * k / n_limits).chain([peak - 1, peak]);
    let mut n_refused = 0;
    for limit in limits {
        let budget = MemoryBudget::new(limit);
        match read(bytes, read_options(&budget)) {
            Ok(batches) => assert_eq!(batches.len(), expected.len(), "{name}, {limit} of {peak}"),
            Err(error) => {
                assert!(is_refused(&error, limit), "{name}, {limit} of {peak}: {error:?}");
                n_refused += 1;
            }
        }
        assert_eq!(budget.n_bytes_allocated(), 0, "{name}, {limit} of {peak}");
        assert!(budget.n_bytes_peak() <= limit + LEAST_BYTES, "{name}, {limit}: {budget:?}");
    }
    assert!(n_refused > 0, "{name}");
    let budget = MemoryBudget::new(peak);
    assert!(read(bytes, read_options(&budget)).is_ok(), "{name}");
}

#[test]
fn every_type_in_every_container() {
    let schema = std::sync::Arc::new(schema_of_all_types());
    let mut generator = Generator::new(17);
    // Of one batch, since a file has one dictionary for all.
    let batch = generator.batch(&schema, 65, Nulls::Some);
    let batches = [batch.slice(0, 40), batch.slice(40, 25)];
    for (name, write, read) in WAYS {
        check(name, &write(&batches), *read, 12);
    }
}

/// A batch of a column of numbers that compress well.
fn numbers(n_rows: usize, first: i64) -> RecordBatch {
    let values = (0..n_rows as i64).map(|k| first + k / 100).collect::<Vec<i64>>();
    let parts =
        ArrayParts { buffers: [values.into(), Buffer::new()], ..ArrayParts::new(DataType::Int64, n_rows) };
    let numbers = ArrayData::try_new(parts).expect("numbers");
    RecordBatch::try_from_columns([("n", numbers)]).expect("one column")
}

/// The peak follows the largest batch, and not the stream.
#[cfg(feature = "lz4")]
#[test]
fn a_stream_of_many_batches_has_the_peak_of_one() -> Result<()> {
    const N_ROWS: usize = 50_000;
    let compressed = WriteOptions::new().with_compression(Compression::lz4());
    let batches: Vec<RecordBatch> = (0..40).map(|k| numbers(N_ROWS, k * 1_000)).collect();
    for options in [WriteOptions::new(), compressed] {
        let stream = stream_of(&batches, options);
        let budget = MemoryBudget::new(4 * 8 * N_ROWS as u64);
        let mut reader = StreamReader::try_new_with(&*stream, read_options(&budget))?;
        let mut n_rows = 0;
        for batch in &mut reader {
            let batch = batch?;
            n_rows += batch.n_rows();
            assert!(budget.n_bytes_allocated() >= 8 * N_ROWS as u64, "{budget:?}");
        }
        assert_eq!(n_rows, 40 * N_ROWS);
        drop(reader);
        assert_eq!(budget.n_bytes_allocated(), 0);
    }
    Ok(())
}

/// However its bytes come, one large batch takes no more than 2 MB above them; where memory grows by pages, without a copy.
#[cfg(all(feature = "mmap", target_os = "linux"))]
#[test]
fn a_large_batch_takes_little_more_than_its_bytes() -> Result<()> {
    let batch = numbers(5_000_000, 0);
    let (stream, file) = (
        stream_of(std::slice::from_ref(&batch), WriteOptions::new()),
        file_of(std::slice::from_ref(&batch), WriteOptions::new()),
    );
    let allowed = 8 * 5_000_000 + 2_000_000;
    let read = |reader: &mut dyn Iterator<Item = Result<RecordBatch>>| {
        let batch = reader.next().expect("a batch")?;
        assert_eq!(batch.n_rows(), 5_000_000);
        Ok::<(), IpcError>(())
    };
    for way in ["at once", "in pieces", "by position"] {
        let budget = MemoryBudget::new(allowed);
        let options = read_options(&budget);
        match way {
            "at once" => read(&mut StreamReader::try_new_with(&*stream, options)?)?,
            "in pieces" => {
                read(&mut StreamReader::try_new_with(ChunkedReader::new(&*stream, 10_000), options)?)?;
            }
            _ => {
                let source = SeekSource::new(Cursor::new(file.clone()));
                read(&mut FileReader::try_new_with(source, options)?.batches())?;
            }
        }
        assert!(budget.n_bytes_peak() > 8 * 5_000_000, "{way}: {budget:?}");
    }
    Ok(())
}

/// The counts of the allocator and of the budget differ by metadata and handles.
#[test]
fn the_budget_has_what_the_allocator_gives() {
    let stream = stream_of(&[numbers(100_000, 0)], WriteOptions::new());
    let budget = MemoryBudget::unlimited();
    let options = read_options(&budget);
    let (batches, usage) = ALLOCATOR.measure(|| read_stream(&stream, options).expect("it is valid"));
    let charged =
        [budget.n_bytes_allocated(), budget.n_bytes_peak()].map(|n| i64::try_from(n).expect("small"));
    assert!((0..50_000).contains(&(usage.live_bytes - charged[0])), "{usage:?} {budget:?}");
    assert!((0..50_000).contains(&(usage.peak_bytes - charged[1])), "{usage:?} {budget:?}");
    assert_eq!(batches.len(), 1);
}

/// Dictionaries that deltas add to are charged as long as the reader has them.
#[test]
fn deltas_are_charged() -> Result<()> {
    let words = |n_values: i64| {
        let values = (0..n_values).collect::<Vec<i64>>();
        let parts = ArrayParts {
            buffers: [Buffer::from(vec![0_i16, (n_values - 1) as i16]), Buffer::new()],
            dictionary: Some(
                ArrayData::try_new(ArrayParts {
                    buffers: [values.into(), Buffer::new()],
                    ..ArrayParts::new(DataType::Int64, n_values as usize)
                })?
                .into(),
            ),
            ..ArrayParts::new(DataType::dictionary(IndexType::Int16, DataType::Int64)?, 2)
        };
        Result::Ok(RecordBatch::try_from_columns([("word", ArrayData::try_new(parts)?)])?)
    };
    let batches = [words(1_000)?, words(2_000)?, words(3_000)?];
    let options = WriteOptions::new().with_dictionaries(DictionaryPolicy::Delta);
    let stream = stream_of(&batches, options);
    check("deltas", &stream, read_stream, 20);
    let budget = MemoryBudget::unlimited();
    let mut reader = StreamReader::try_new_with(&*stream, read_options(&budget))?;
    while let Some(batch) = reader.next_batch()? {
        drop(batch);
    }
    assert!(budget.n_bytes_allocated() >= 3_000 * 8, "{budget:?}");
    drop(reader);
    assert_eq!(budget.n_bytes_allocated(), 0);
    Ok(())
}

/// Recycled memory is charged to the budget of the reader that has it.
#[cfg(feature = "lz4")]
#[test]
fn recycled_memory_changes_no_budget() -> Result<()> {
    let stream = stream_of(&[numbers(10_000, 0)], WriteOptions::new().with_compression(Compression::lz4()));
    let memory = arrow_ipc::RecycledMemory::new();
    let budgets = [MemoryBudget::unlimited(), MemoryBudget::unlimited()];
    for budget in &budgets {
        let options = read_options(budget).with_recycled_memory(memory.clone());
        drop(read_stream(&stream, options)?);
        assert!(budget.n_bytes_peak() >= 80_000, "{budget:?}");
    }
    assert_eq!(budgets[0].n_bytes_allocated(), 0);
    assert!(budgets[1].n_bytes_allocated() >= 80_000, "the memory is kept for the next reader");
    drop(memory);
    assert_eq!(budgets[1].n_bytes_allocated(), 0);
    Ok(())
}

/// A promise of more bytes than the budget has is refused before they come.
#[test]
fn promises_are_refused_before_memory_is_taken() {
    let stream = stream_of(&[numbers(1_000_000, 0)], WriteOptions::new());
    // The body never comes.
    let beginning: &[u8] = &stream[..1_000];
    let budget = MemoryBudget::new(100_000);
    let endless = io::Read::chain(beginning, io::repeat(0));
    let mut reader = StreamReader::try_new_with(endless, read_options(&budget)).expect("the schema");
    let error = reader.next().expect("an error").expect_err("an endless body");
    assert!(is_refused(&error, 100_000), "{error:?}");
    assert!(reader.next().is_none());
    let file = file_of(&[batch_of(ints(std::iter::repeat_n(1, 100_000)))], WriteOptions::new());
    let budget = MemoryBudget::new(100_000);
    let file = FileReader::try_new_with(SeekSource::new(Cursor::new(file)), read_options(&budget));
    let error = file.and_then(|file| file.batch(0)).expect_err("a large body");
    assert!(is_refused(&error, 100_000), "{error:?}");
    assert_eq!(budget.n_bytes_allocated(), 0);
}

/// Who passes bytes between two steps sees that there is no memory for more.
#[test]
fn refused_memory_is_seen_before_the_next_step() {
    let max_bytes = 100_000;
    let mut decoder = StreamDecoder::new_with(read_options(&MemoryBudget::new(max_bytes)));
    let mut n_fed = 0;
    while decoder.check_memory().is_ok() {
        let n_bytes = decoder.spare().len();
        decoder.filled(n_bytes);
        n_fed += n_bytes as u64;
        assert!(n_fed <= max_bytes + LEAST_BYTES);
    }
    assert_eq!(decoder.check_memory().unwrap_err().class(), ErrorClass::LimitExceeded);
    assert_eq!(decoder.step().unwrap_err().class(), ErrorClass::LimitExceeded);
}

/// Bytes that a caller provides are its own, but to join them in one buffer takes memory of the reader.
#[test]
fn provided_bytes_that_are_joined_are_charged() {
    let file = Buffer::from(file_of(&[numbers(10_000, 0)], WriteOptions::new()));
    let fetch = |range: std::ops::Range<u64>| file.slice(range.start as usize..range.end as usize);
    let read = |budget: &MemoryBudget| -> Result<RecordBatch> {
        let options = read_options(budget).with_tail_bytes(0);
        let mut opening = FileDecoder::plan_open_with(file.len() as u64, options);
        let decoder = loop {
            match opening.step()? {
                PlanStep::Ready(decoder) => break decoder,
                PlanStep::Need(ranges) => {
                    for range in ranges.required() {
                        opening.provide(range.clone(), fetch(range.clone()))?;
                    }
                }
            }
        };
        let mut plan = decoder.plan_batch(0)?;
        loop {
            match plan.step()? {
                PlanStep::Ready(found) => break Ok(found.batch),
                PlanStep::Need(ranges) => {
                    for range in ranges.required() {
                        let middle = range.start.midpoint(range.end);
                        plan.provide(range.start..middle, fetch(range.start..middle))?;
                        plan.provide(middle..range.end, fetch(middle..range.end))?;
                    }
                }
            }
        }
    };
    let budget = MemoryBudget::new(100_000);
    let batch = read(&budget).expect("the budget has enough for the body");
    assert_eq!(rows(&batch), rows(&numbers(10_000, 0)));
    assert!((80_000..100_000).contains(&budget.n_bytes_allocated()), "{budget:?}");
    drop(batch);
    assert_eq!(budget.n_bytes_allocated(), 0);
    let budget = MemoryBudget::new(50_000);
    let error = read(&budget).expect_err("the budget has too little for the body");
    assert!(is_refused(&error, 50_000), "{error:?}");
    assert_eq!(budget.n_bytes_allocated(), 0);
}

/// The same for metadata: of a stream that is opened, with its index or without, and of messages that follow what was found.
#[test]
fn metadata_that_is_joined_is_charged() {
    let batch = numbers(10, 0);
    let first = StreamWriter::write_to_vec(batch.schema(), std::slice::from_ref(&batch)).unwrap();
    let mut writer = StreamWriter::try_new(Vec::new(), batch.schema()).unwrap();
    writer.write(&batch).unwrap();
    let metadata = Metadata::from_iter([("note", "long ".repeat(4_000))]);
    writer.write_with_metadata(&batch, &metadata).unwrap();
    let stream = Buffer::from(writer.finish().unwrap());
    let n_bytes = stream.len() as u64;
    let index = FileReader::try_from_buffer(stream.clone()).unwrap().index().unwrap();
    // Without its end marker.
    let first = Buffer::from(first[..first.len() - 8].to_vec());
    let open = |way: &str, budget: &MemoryBudget| -> Result<FileDecoder> {
        let options = read_options(budget).with_tail_bytes(0);
        let mut plan = match way {
            "open" => FileDecoder::plan_open_with(n_bytes, options),
            "open with the index" => FileDecoder::plan_open_indexed_with(n_bytes, &index, options),
            _ => {
                let reader = FileReader::try_from_buffer_with(first.clone(), options)?;
                reader.decoder().plan_refresh(n_bytes)?
            }
        };
        loop {
            match plan.step()? {
                PlanStep::Ready(decoder) => break Ok(decoder),
                PlanStep::Need(ranges) => {
                    for range in ranges.required() {
                        let middle = range.start.midpoint(range.end);
                        for half in [range.start..middle, middle..range.end] {
                            plan.provide(half.clone(), stream.slice(half.start as usize..half.end as usize))?;
                        }
                    }
                }
            }
        }
    };
    for way in ["open", "open with the index", "refresh"] {
        let decoder = open(way, &MemoryBudget::new(100_000)).expect(way);
        assert_eq!(decoder.n_batches(), 2, "{way}");
        let error = open(way, &MemoryBudget::new(10_000)).expect_err(way);
        assert!(is_refused(&error, 10_000), "{way}: {error:?}");
    }
}
