//! The ranges of a file that are requested: only needed bytes, and all bytes that are known to be needed in one
//! request.

use std::{
    ops::Range,
    sync::{
        Arc, Mutex,
        atomic::{AtomicUsize, Ordering},
    },
};

use arrow_array::Int64Array;
use arrow_buffer::{Buffer, MemoryBudget};
use arrow_data::RecordBatch;
use arrow_ipc::{
    ErrorClass, FetchCost, FileDecoder, FileReader, FileWriter, IpcErrorKind, Projection, ReadOptions,
    Source,
    file::{NeededRanges, PlanStep, ReadPlan},
};
use testing_support::rows;

use crate::access::golden;

/// Remembers which ranges were requested.
#[derive(Clone, Debug)]
struct Recorder {
    bytes: Buffer,
    ranges: Arc<Mutex<Vec<Range<u64>>>>,
    n_requests: Arc<AtomicUsize>,
}

impl Source for Recorder {
    fn n_bytes(&self) -> std::io::Result<u64> {
        self.bytes.n_bytes()
    }

    fn fetch(&self, range: Range<u64>) -> std::io::Result<Buffer> {
        self.ranges.lock().unwrap().push(range.clone());
        self.bytes.fetch(range)
    }

    fn fetch_many(&self, ranges: &[Range<u64>]) -> std::io::Result<Vec<Buffer>> {
        self.n_requests.fetch_add(1, Ordering::Relaxed);
        ranges.iter().map(|range| self.fetch(range.clone())).collect()
    }
}

impl Recorder {
    fn take_ranges(&self) -> Vec<Range<u64>> {
        std::mem::take(&mut *self.ranges.lock().unwrap())
    }

    fn take_bytes(&self) -> u64 {
        self.take_ranges().into_iter().map(|range| range.end - range.start).sum()
    }

    /// The number of requests, each for any number of ranges.
    fn take_requests(&self) -> usize {
        self.n_requests.swap(0, Ordering::Relaxed)
    }
}

/// Opens a file and asks for no more of its end than has to be.
fn open(name: &str) -> (Recorder, FileReader<Recorder>) {
    open_with(name, ReadOptions::default().with_fetch_cost(FetchCost::FREE_REQUESTS).with_tail_bytes(0))
}

fn open_with(name: &str, options: ReadOptions) -> (Recorder, FileReader<Recorder>) {
    let source = Recorder { bytes: golden(name), ranges: Arc::default(), n_requests: Arc::default() };
    let reader = FileReader::try_new_with(source.clone(), options).unwrap();
    (source, reader)
}

#[test]
fn opening_reads_the_end_and_the_footer() {
    let (source, reader) = open("pyarrow-26.0.1/fifty-columns.arrow");
    let n_bytes = source.bytes.len() as u64;
    assert_eq!(source.take_bytes(), n_bytes - reader.footer().position());
    assert_eq!(reader.n_batches(), reader.footer().batches().len());
    assert_eq!(source.take_bytes(), 0);
}

/// A file on disk that is too short is also reported as too short, for any number of requested bytes at its end.
#[test]
fn short_files_are_refused_in_the_same_way_from_disk() {
    let path = std::env::temp_dir().join(format!("arrow-ipc-short-{}.arrow", std::process::id()));
    for n_bytes in 0..12 {
        let bytes = &b"ARROW1\0\0ARROW1"[..n_bytes];
        std::fs::write(&path, bytes).unwrap();
        for tail_bytes in 0..12 {
            let options = ReadOptions::new().with_tail_bytes(tail_bytes);
            let from_disk = FileReader::open_with(&path, options.clone()).unwrap_err();
            let from_memory = FileReader::try_new_with(Buffer::copy_from(bytes), options).unwrap_err();
            assert_eq!(from_disk.to_string(), from_memory.to_string(), "{n_bytes} bytes, {tail_bytes}");
            assert_eq!(from_disk.class(), from_memory.class(), "{n_bytes} bytes, {tail_bytes}");
        }
    }
    std::fs::remove_file(&path).unwrap();
}

#[test]
fn the_magic_at_the_start_is_checked_where_it_is_read() {
    let mut bytes = golden("pyarrow-26.0.1/fifty-columns.arrow").to_vec();
    bytes[0] = b'B';
    let path = std::env::temp_dir().join(format!("arrow-ipc-start-{}.arrow", std::process::id()));
    std::fs::write(&path, &bytes).unwrap();
    let options = || ReadOptions::new().with_tail_bytes(0).with_fetch_cost(FetchCost::FREE_REQUESTS);
    let source = Recorder { bytes: bytes.into(), ranges: Arc::default(), n_requests: Arc::default() };
    // In a file with a name, in memory, and when the end that is read is all of the file.
    let by_name = FileReader::open_with(&path, options()).map(|_| ());
    std::fs::remove_file(&path).unwrap();
    let in_memory = FileReader::try_from_buffer(source.bytes.clone()).map(|_| ());
    let with_end = FileReader::try_new_with(source.clone(), ReadOptions::new().with_tail_bytes(1 << 20));
    // Of other sources when it is requested, and when it comes with other bytes.
    let reader = FileReader::try_new_with(source.clone(), options()).unwrap();
    let mut plan = reader.decoder().plan_n_rows();
    let start = 0..16;
    plan.provide(start.clone(), source.bytes.fetch(start).unwrap()).unwrap();
    let with_others = plan.step().map(|_| ());
    for found in [by_name, in_memory, with_end.map(|_| ()), reader.check_start(), with_others] {
        let error = found.unwrap_err();
        assert!(matches!(error.kind(), IpcErrorKind::WrongContainer { .. }), "{error}");
    }
    // What is no Arrow data at all is called by its name.
    let source = Recorder { bytes: Buffer::from_static(b"PAR1, and more than a footer"), ..source };
    let error = FileReader::try_new_with(source, options()).unwrap_err();
    assert!(error.to_string().ends_with("found a Parquet file"), "{error}");
}

#[test]
fn the_end_of_a_file_comes_with_one_request() {
    let name = "pyarrow-26.0.1/fifty-columns.arrow";
    let n_bytes = golden(name).len() as u64;
    let footer_bytes = n_bytes - FileReader::try_from_buffer(golden(name)).unwrap().footer().position();
    // The whole of a small file; nothing is requested after that.
    let (source, reader) = open_with(name, ReadOptions::default().with_tail_bytes(n_bytes));
    assert_eq!(source.take_ranges(), std::slice::from_ref(&(0..n_bytes)));
    assert!(reader.batches().all(|batch| batch.is_ok()) && reader.n_rows().is_ok());
    assert_eq!(source.take_ranges(), []);
    // As much of a large one as is requested, from where memory is aligned.
    let options = || ReadOptions::default().with_fetch_cost(FetchCost::FREE_REQUESTS);
    let (source, _) = open_with(name, options().with_tail_bytes(footer_bytes));
    let tail = (n_bytes - footer_bytes) / 64 * 64;
    assert_eq!(source.take_ranges(), std::slice::from_ref(&(tail..n_bytes)));
    // The footer is longer than the end that was read: the rest of it is requested.
    let (source, _) = open_with(name, options().with_tail_bytes(footer_bytes / 2));
    let tail = (n_bytes - footer_bytes / 2) / 64 * 64;
    assert_eq!(source.take_ranges(), [tail..n_bytes, n_bytes - footer_bytes..tail]);
}

/// By default: what two requests are worth, and never more than 64 KiB unless that is the whole file.
#[test]
fn little_of_the_end_is_requested_of_a_local_disk() {
    let disk = (100_000, FetchCost::DISK, 8_000);
    let remote = (100_000, FetchCost::OBJECT_STORE, 65_536);
    for (n_rows, cost, expected) in [(10, FetchCost::DISK, 65_536), disk, remote] {
        let batch = [testing_support::batch_of(testing_support::ints(0..n_rows))];
        let bytes = FileWriter::write_to_buffer(batch[0].schema(), &batch).unwrap();
        let source = Recorder { bytes, ranges: Arc::default(), n_requests: Arc::default() };
        let n_bytes = source.bytes.len() as u64;
        let options = ReadOptions::new().with_fetch_cost(cost);
        drop(FileReader::try_new_with(source.clone(), options).unwrap());
        let tail = n_bytes.saturating_sub(expected) / 64 * 64;
        assert_eq!(source.take_ranges(), std::slice::from_ref(&(tail..n_bytes)), "{n_rows} rows, {cost:?}");
    }
}

#[test]
fn metadata_that_was_read_is_not_requested_twice() {
    let (source, reader) = open("pyarrow-26.0.1/many-batches.arrow");
    let blocks = reader.footer().batches().to_vec();
    let metadata: u64 = blocks.iter().map(|block| block.n_metadata_bytes()).sum();
    source.take_bytes();
    reader.n_rows().unwrap();
    assert_eq!(source.take_bytes(), metadata);
    let last = reader.project(&Projection::Positions(vec![])).unwrap();
    assert!(reader.n_rows().is_ok() && last.batches().all(|batch| batch.is_ok()));
    assert_eq!(source.take_bytes(), 0);
    reader.batch(0).unwrap();
    assert_eq!(source.take_bytes(), blocks[0].n_body_bytes());
    // Unless there is no room to keep it.
    let options = ReadOptions::default()
        .with_fetch_cost(FetchCost::FREE_REQUESTS)
        .with_tail_bytes(0)
        .with_metadata_cache_bytes(0);
    let (source, reader) = open_with("pyarrow-26.0.1/many-batches.arrow", options);
    source.take_bytes();
    for _ in 0..2 {
        reader.n_rows().unwrap();
        assert_eq!(source.take_bytes(), metadata);
    }
}

#[test]
fn what_is_known_to_be_needed_is_requested_at_once() {
    let (source, reader) = open("pyarrow-26.0.1/every-type-one-row.arrow");
    let n_dictionaries = reader.footer().dictionaries().len();
    assert!(n_dictionaries > 1);
    source.take_requests();
    reader.batch(0).unwrap();
    // The block with the metadata of all dictionaries, then their bodies; not one after the other.
    assert_eq!(source.take_requests(), 2);
    reader.batch(0).unwrap();
    assert_eq!(source.take_requests(), 1);
    let plain = reader.project(&Projection::Positions(vec![0])).unwrap();
    plain.batch(0).unwrap();
    assert!(source.take_requests() <= 1);
}

#[test]
fn a_batch_reads_its_block_once() {
    let (source, reader) = open("pyarrow-26.0.1/many-batches.arrow");
    source.take_bytes();
    for batch_idx in 0..reader.n_batches() {
        reader.batch(batch_idx).unwrap();
        let block = reader.footer().batches()[batch_idx];
        assert_eq!(source.take_bytes(), block.n_metadata_bytes() + block.n_body_bytes());
    }
}

#[test]
fn a_projection_reads_the_metadata_and_its_columns() {
    let (_, reader) = open("pyarrow-26.0.1/fifty-columns.arrow");
    let all = reader.batch(0).unwrap();
    let block = reader.footer().batches()[0];
    for position in 0..all.n_columns() {
        // Nothing of the block has been read.
        let (source, reader) = open("pyarrow-26.0.1/fifty-columns.arrow");
        source.take_bytes();
        let column = reader.project(&Projection::Positions(vec![position])).unwrap();
        let batch = column.batch(0).unwrap();
        assert_eq!(batch.n_columns(), 1);
        let body_bytes = source.take_bytes() - block.n_metadata_bytes();
        assert!(body_bytes * 10 < block.n_body_bytes(), "{body_bytes} of {}", block.n_body_bytes());
        assert_eq!(
            testing_support::values(&batch.columns()[0]),
            testing_support::values(&all.columns()[position])
        );
    }
}

#[test]
fn counting_rows_reads_no_body() {
    let (source, reader) = open("pyarrow-26.0.1/many-batches.arrow");
    source.take_bytes();
    let n_rows = reader.n_rows().unwrap();
    let metadata: u64 = reader.footer().batches().iter().map(|block| block.n_metadata_bytes()).sum();
    assert_eq!(source.take_bytes(), metadata);
    assert_eq!(reader.batches().map(|batch| batch.unwrap().n_rows() as u64).sum::<u64>(), n_rows);
}

#[test]
fn dictionaries_are_read_when_a_column_needs_them() {
    let (source, reader) = open("pyarrow-26.0.1/every-type-one-row.arrow");
    source.take_bytes();
    let schema = Arc::clone(reader.schema());
    let dictionary_blocks: Vec<Range<u64>> = {
        let blocks = reader.footer().dictionaries().iter();
        blocks
            .map(|block| block.position()..block.position() + block.n_metadata_bytes() + block.n_body_bytes())
            .collect()
    };
    assert!(!dictionary_blocks.is_empty());
    let touches = |range: &Range<u64>| dictionary_blocks.iter().any(|block| block.contains(&range.start));
    for (position, field) in schema.fields().iter().enumerate() {
        let column = reader.project(&Projection::Positions(vec![position])).unwrap();
        column.batch(0).unwrap();
        let ranges = source.take_ranges();
        if !field.data_type().to_string().contains("dictionary") {
            assert!(!ranges.iter().any(touches), "{field}");
        }
    }
}

#[test]
fn dictionaries_are_read_once_if_they_are_read_before_threads_start() {
    let (source, reader) = open("pyarrow-26.0.1/every-type-one-row.arrow");
    let expected = rows(&reader.batch(0).unwrap());
    source.take_ranges();
    assert!(reader.load_dictionaries().is_ok());
    assert_eq!(source.take_ranges(), [], "they have been read");
    let (source, reader) = open("pyarrow-26.0.1/every-type-one-row.arrow");
    reader.load_dictionaries().unwrap();
    let blocks = reader.footer().dictionaries();
    let first_ranges = source.take_ranges();
    for block in blocks {
        let body = block.position() + block.n_metadata_bytes();
        let n_bytes = block.n_body_bytes();
        assert_eq!(
            first_ranges.iter().filter(|range| range.contains(&body)).count(),
            usize::from(n_bytes > 0)
        );
    }
    std::thread::scope(|scope| {
        for _ in 0..3 {
            scope.spawn(|| assert_eq!(rows(&reader.batch(0).unwrap()), expected));
        }
    });
    let touches = |range: &Range<u64>| blocks.iter().any(|block| range.contains(&block.position()));
    assert!(!source.take_ranges().iter().any(touches));
}

fn needed<T>(plan: &mut ReadPlan<T>) -> NeededRanges {
    match plan.step().unwrap() {
        PlanStep::Need(ranges) => ranges,
        PlanStep::Ready(_) => panic!("nothing has been provided"),
    }
}

/// Provides the required ranges of one step, and returns whether the plan is done.
fn advance<T>(plan: &mut ReadPlan<T>, bytes: &Buffer) -> Option<T> {
    match plan.step().unwrap() {
        PlanStep::Ready(ready) => return Some(ready),
        PlanStep::Need(ranges) => {
            for range in ranges.required() {
                plan.provide(range.clone(), bytes.fetch(range.clone()).unwrap()).unwrap();
            }
        }
    }
    None
}

fn run<T>(mut plan: ReadPlan<T>, bytes: &Buffer) -> T {
    loop {
        if let Some(ready) = advance(&mut plan, bytes) {
            return ready;
        }
    }
}

fn decoder(bytes: &Buffer) -> FileDecoder {
    run(FileDecoder::plan_open_with(bytes.len() as u64, ReadOptions::new().with_tail_bytes(0)), bytes)
}

#[test]
fn wrong_bytes_are_refused_and_the_plan_goes_on() {
    let bytes = golden("pyarrow-26.0.1/many-batches.arrow");
    let n_bytes = bytes.len() as u64;
    let mut plan = decoder(&bytes).plan_batch(1).unwrap();
    let first = needed(&mut plan);
    let range = first.required()[0].clone();
    let found = bytes.fetch(range.clone()).unwrap();
    let (start, end) = (range.start, range.end);
    for (range, found) in [
        // Too short, too long, at another position, after the end.
        (range.clone(), found.slice(1..)),
        (start..end - 1, found.clone()),
        (end..start, found.clone()),
        (n_bytes - 1..n_bytes - 1 + found.len() as u64, found.clone()),
        (u64::MAX - found.len() as u64..u64::MAX, found.clone()),
    ] {
        let error = plan.provide(range, found).unwrap_err();
        assert!(matches!(error.kind(), IpcErrorKind::ProvidedRange { .. }), "{error}");
        assert_eq!(error.class(), ErrorClass::Misuse);
    }
    // None of it counts, and nothing is requested twice that was provided.
    assert_eq!(needed(&mut plan), first);
    plan.provide(range.clone(), found).unwrap();
    assert!(!needed(&mut plan).required().contains(&range));
    let batch = run(plan, &bytes).batch;
    assert_eq!(rows(&batch), rows(&FileReader::try_from_buffer(bytes).unwrap().batch(1).unwrap()));
}

#[test]
fn other_bytes_than_the_file_has_are_an_error() {
    let bytes = golden("pyarrow-26.0.1/many-batches.arrow");
    let mut plan = decoder(&bytes).plan_batch(0).unwrap();
    for range in needed(&mut plan).merged(0) {
        let n_bytes = usize::try_from(range.end - range.start).unwrap();
        plan.provide(range, Buffer::zeroed(n_bytes)).unwrap();
    }
    assert_eq!(plan.step().unwrap_err().class(), ErrorClass::Malformed);
    assert!(matches!(plan.step().unwrap_err().kind(), IpcErrorKind::AlreadyFailed { .. }));
}

#[test]
fn plans_side_by_side_share_what_they_have_read() {
    let bytes = golden("pyarrow-26.0.1/every-type-one-row.arrow");
    let expected = rows(&FileReader::try_from_buffer(bytes.clone()).unwrap().batch(0).unwrap());
    let file = decoder(&bytes);
    let mut plans: Vec<ReadPlan<_>> = (0..3).map(|_| file.plan_batch(0).unwrap()).collect();
    let mut found = Vec::new();
    while !plans.is_empty() {
        plans.retain_mut(|plan| match advance(plan, &bytes) {
            Some(ready) => {
                found.push(ready.batch);
                false
            }
            None => true,
        });
    }
    assert_eq!(found.len(), 3);
    assert!(found.iter().all(|batch| rows(batch) == expected));
    // All that is left to ask for is the body.
    let block = file.footer().batches()[0];
    let body = block.position() + block.n_metadata_bytes()..block.position() + block.n_bytes();
    assert_eq!(needed(&mut file.plan_batch(0).unwrap()).required(), std::slice::from_ref(&body));
    // A plan may be worked on by another thread.
    let plan = file.plan_batch(0).unwrap();
    let batch = std::thread::scope(|scope| scope.spawn(|| run(plan, &bytes).batch).join().unwrap());
    assert_eq!(rows(&batch), expected);
}

/// A thousand batches of some kilobytes.
fn file_of_small_batches() -> Buffer {
    let batch = |first: i64| {
        let ids = Int64Array::from_iter(first..first + 500).into_data();
        RecordBatch::try_from_columns([("a", ids.clone()), ("b", ids)]).unwrap()
    };
    let batches: Vec<RecordBatch> = (0..1_000).map(batch).collect();
    FileWriter::write_to_buffer(batches[0].schema(), &batches).unwrap()
}

#[test]
fn a_far_file_of_which_most_is_fetched_stays_in_memory() {
    let bytes = file_of_small_batches();
    let n_bytes = bytes.len() as u64;
    let open = |options: ReadOptions| {
        let source = Recorder { bytes: bytes.clone(), ranges: Arc::default(), n_requests: Arc::default() };
        let reader = FileReader::try_new_with(source.clone(), options).unwrap();
        source.take_ranges();
        (source, reader)
    };
    let far = || ReadOptions::new().with_fetch_cost(FetchCost::OBJECT_STORE);
    // Counting the rows needs a part of each batch. The whole file takes no longer, and is fetched by a few requests.
    let (source, reader) = open(far());
    assert_eq!(reader.n_rows().unwrap(), 500_000);
    let ranges = source.take_ranges();
    assert!(ranges.len() <= 10, "{} requests", ranges.len());
    assert_eq!(ranges.iter().map(|range| range.end - range.start).sum::<u64>(), n_bytes);
    // Whatever is read later needs no request, with any columns.
    let second = reader.project(&Projection::names(["b"])).unwrap();
    assert!(reader.batches().chain(second.batches()).all(|batch| batch.is_ok()));
    assert_eq!(
        rows(&second.batch_rows(7, 3..5).unwrap()),
        rows(&reader.batch_rows(7, 3..5).unwrap().project(&[1]).unwrap())
    );
    assert_eq!(source.take_ranges(), []);

    // A budget has to allow much more than the file: what stays in memory stays charged.
    for (limit, stays) in [(n_bytes * 2, false), (n_bytes * 5, true)] {
        let budget = MemoryBudget::new(limit);
        let (source, reader) = open(far().with_memory_budget(budget.clone()));
        assert_eq!(reader.n_rows().unwrap(), 500_000);
        assert_eq!(source.take_bytes() == n_bytes, stays, "{limit}");
        assert_eq!(budget.n_bytes_allocated() >= n_bytes, stays, "{limit}");
        drop(reader);
        assert_eq!(budget.n_bytes_allocated(), 0);
    }
    // Requests to a disk cost less than most of the file.
    let (source, reader) = open(ReadOptions::new().with_fetch_cost(FetchCost::DISK));
    assert_eq!(reader.n_rows().unwrap(), 500_000);
    assert!(source.take_bytes() < n_bytes / 4);
}
