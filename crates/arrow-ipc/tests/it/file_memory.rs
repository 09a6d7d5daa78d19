//! A file reader keeps dictionaries and metadata in memory, but not the bytes that were fetched with them.

use std::{
    io,
    ops::Range,
    sync::{
        Arc, Barrier, Mutex, Weak,
        atomic::{AtomicUsize, Ordering},
    },
};

use arrow_buffer::Buffer;
use arrow_data::{ArrayData, ArrayParts, RecordBatch};
use arrow_ipc::{
    ErrorClass, FileDecoder, FileReader, FileWriter, ReadOptions, Source, StreamWriter,
    file::{PlanStep, ReadPlan},
};
use arrow_schema::{DataType, IndexType, Schema};
use testing_support::rows;

use crate::ALLOCATOR;

/// Knows which of the ranges that it gave are still in memory.
#[derive(Debug, Clone)]
struct WatchedSource {
    file: Buffer,
    given: Arc<Mutex<Vec<ReturnedRange>>>,
    n_fetched: Arc<AtomicUsize>,
}

/// A range, and its bytes while somebody keeps them.
type ReturnedRange = (Range<u64>, Weak<Buffer>);

impl Source for WatchedSource {
    fn n_bytes(&self) -> io::Result<u64> {
        self.file.n_bytes()
    }

    fn fetch(&self, range: Range<u64>) -> io::Result<Buffer> {
        self.n_fetched.fetch_add(1, Ordering::Relaxed);
        let bytes = Arc::new(Buffer::copy_from(&self.file.fetch(range.clone())?));
        self.given.lock().unwrap().push((range, Arc::downgrade(&bytes)));
        Ok(Buffer::from_owner_with(bytes, |bytes| bytes))
    }
}

impl WatchedSource {
    fn new(file: Buffer) -> WatchedSource {
        WatchedSource { file, given: Arc::default(), n_fetched: Arc::default() }
    }

    /// The bytes that are kept for somebody.
    fn n_retained_bytes(&self) -> u64 {
        let given = self.given.lock().unwrap();
        let held = given.iter().filter(|(_, bytes)| bytes.strong_count() > 0);
        held.map(|(range, _)| range.end - range.start).sum()
    }

    fn was_fetched_together(&self, first: u64, second: u64) -> bool {
        self.given.lock().unwrap().iter().any(|(range, _)| range.contains(&first) && range.contains(&second))
    }
}

fn open(file: &Buffer) -> (WatchedSource, FileReader<WatchedSource>) {
    let source = WatchedSource::new(file.clone());
    let reader = FileReader::try_new_with(source.clone(), ReadOptions::new().with_tail_bytes(0)).unwrap();
    (source, reader)
}

fn int64s(n_slots: usize) -> ArrayData {
    let values = Buffer::from((0..n_slots as i64).collect::<Vec<_>>());
    let parts = ArrayParts { buffers: [values, Buffer::new()], ..ArrayParts::new(DataType::Int64, n_slots) };
    ArrayData::try_new(parts).unwrap()
}

/// Rows that select the first value of a dictionary.
fn dictionary(n_rows: usize, values: ArrayData) -> ArrayData {
    let data_type = DataType::dictionary(IndexType::Int8, values.data_type().clone()).unwrap();
    let parts = ArrayParts::new(data_type, n_rows);
    let buffers = [Buffer::zeroed(n_rows), Buffer::new()];
    ArrayData::try_new(ArrayParts { buffers, dictionary: Some(values.into()), ..parts }).unwrap()
}

fn written(batches: &[RecordBatch]) -> Buffer {
    let mut writer = FileWriter::try_new(Vec::new(), batches[0].schema()).unwrap();
    batches.iter().for_each(|batch| writer.write(batch).unwrap());
    Buffer::from(writer.finish().unwrap())
}

#[test]
fn a_small_dictionary_does_not_keep_the_batch_that_came_with_it() {
    let columns = [("word", dictionary(20_000, int64s(50))), ("id", int64s(20_000))];
    let batch = RecordBatch::try_from_columns(columns).unwrap();
    let (source, reader) = open(&written(std::slice::from_ref(&batch)));
    let n_before = source.n_retained_bytes();
    let found = reader.batch(0).unwrap();
    let (dictionary, block) = (reader.footer().dictionaries()[0], reader.footer().batches()[0]);
    let body_end = block.position() + block.n_bytes() - 1;
    assert!(source.was_fetched_together(dictionary.position(), body_end), "they lie side by side");
    assert_eq!(rows(&found), rows(&batch));
    assert!(source.n_retained_bytes() > n_before + 160_000, "the batch is not copied");
    drop(found);
    assert_eq!(source.n_retained_bytes(), n_before);
    assert_eq!(reader.stats().n_detached_bytes, dictionary.n_body_bytes());
    assert!((400..1_000).contains(&dictionary.n_body_bytes()));
    // The dictionary is still there.
    assert_eq!(rows(&reader.batch(0).unwrap()), rows(&batch));
    assert_eq!(source.n_retained_bytes(), n_before);
    assert_eq!(reader.stats().n_detached_bytes, dictionary.n_body_bytes(), "once");
}

/// Files and streams, with a dictionary: what opening has read is free, and all batches can still be read.
#[test]
fn a_decoder_without_the_tail_keeps_no_bytes_of_the_input() {
    let columns = [("word", dictionary(20_000, int64s(50))), ("id", int64s(20_000))];
    let batch = RecordBatch::try_from_columns(columns).unwrap();
    let stream = StreamWriter::write_to_vec(batch.schema(), std::slice::from_ref(&batch)).unwrap();
    for input in [written(std::slice::from_ref(&batch)), stream.into()] {
        let source = WatchedSource::new(input.clone());
        let whole = ReadOptions::new().with_tail_bytes(1 << 20);
        let reader = FileReader::try_new_with(source.clone(), whole).unwrap();
        // With the dictionary, too.
        assert_eq!(rows(&reader.batch(0).unwrap()), rows(&batch));
        assert_eq!(source.n_retained_bytes(), input.len() as u64);
        let decoder = reader.decoder().without_tail();
        drop(reader);
        assert_eq!(source.n_retained_bytes(), 0);
        let mut plan = decoder.plan_batch(0).unwrap();
        let found = loop {
            match plan.step().unwrap() {
                PlanStep::Ready(found) => break found.batch,
                PlanStep::Need(ranges) => {
                    for range in ranges.required().to_vec() {
                        plan.provide(range.clone(), source.fetch(range).unwrap()).unwrap();
                    }
                }
            }
        };
        assert_eq!(rows(&found), rows(&batch));
        let first = decoder.footer().dictionaries()[0].position();
        assert!(
            source.given.lock().unwrap().iter().any(|(range, _)| range.start == first),
            "it is read again"
        );
    }
}

#[test]
fn large_dictionaries_are_not_copied() {
    // Each is a third of what is fetched.
    let columns = ["a", "b", "c"].map(|name| (name, dictionary(10, ArrayData::clone(&int64s(10_000)))));
    let batch = RecordBatch::try_from_columns(columns).unwrap();
    let file = written(std::slice::from_ref(&batch));
    let (source, reader) = open(&file);
    assert_eq!(rows(&reader.batch(0).unwrap()), rows(&batch));
    let dictionaries = reader.footer().dictionaries();
    assert_eq!(dictionaries.len(), 3);
    let end = dictionaries[2].position() + dictionaries[2].n_bytes() - 1;
    assert!(
        source.was_fetched_together(dictionaries[0].position() + dictionaries[0].n_metadata_bytes(), end)
    );
    assert_eq!(reader.stats().n_detached_bytes, 0);
    assert!(source.n_retained_bytes() >= 240_000, "the values share what was fetched");
    // A file that is in memory stays there anyway.
    let columns = [("word", dictionary(20_000, int64s(50))), ("id", int64s(20_000))];
    let small = written(&[RecordBatch::try_from_columns(columns).unwrap()]);
    let reader = FileReader::try_from_buffer(small.to_aligned(64)).unwrap();
    assert!(reader.batch(0).is_ok());
    assert_eq!(reader.stats(), Default::default());
}

/// The blocks stay where they are in the footer, and there is no memory for the metadata of each before it is read.
#[test]
fn opening_takes_no_memory_for_batches_beside_the_footer() {
    let open = |n_batches: usize| {
        let batch = RecordBatch::try_from_columns([("id", int64s(3))]).unwrap();
        let file = written(&vec![batch; n_batches]);
        let source = WatchedSource::new(file);
        let (reader, fetched) = ALLOCATOR.measure(|| FileReader::try_new(source).unwrap());
        assert_eq!(reader.batch(n_batches / 2).unwrap().n_rows(), 3);
        fetched.total_bytes
    };
    let (few, many) = (open(100), open(5_000));
    // Slots for batches take half a byte for each; the footer is fetched, and joined to the end that was fetched before.
    let n_footer_bytes = 5_000 * 24 + 2_000;
    assert!(many <= few + 3 * n_footer_bytes + 5_000, "{few}, {many}");
}

#[test]
fn threads_that_read_the_same_metadata_pay_for_it_once() {
    const N_BATCHES: usize = 40;
    const N_THREADS: usize = 4;
    let batch = RecordBatch::try_from_columns([("id", int64s(1))]).unwrap();
    let file = written(&vec![batch; N_BATCHES]);
    let blocks = FileReader::try_from_buffer(file.clone()).unwrap().footer().batches().to_vec();
    // All of it is as much as may be kept, without the prefixes.
    let n_bytes: u64 = blocks.iter().map(|block| block.n_metadata_bytes() - 8).sum();
    for _ in 0..20 {
        let source = WatchedSource::new(file.clone());
        let options = ReadOptions::new().with_tail_bytes(0).with_metadata_cache_bytes(n_bytes);
        let reader = FileReader::try_new_with(source.clone(), options).unwrap();
        let together = Barrier::new(N_THREADS);
        std::thread::scope(|scope| {
            for _ in 0..N_THREADS {
                scope.spawn(|| {
                    together.wait();
                    assert_eq!(reader.n_rows().unwrap(), N_BATCHES as u64);
                });
            }
        });
        let n_before = source.n_fetched.load(Ordering::Relaxed);
        assert_eq!(reader.n_rows().unwrap(), N_BATCHES as u64);
        assert_eq!(source.n_fetched.load(Ordering::Relaxed), n_before, "all of it was kept");
    }
}

/// Provides what a plan requires byte by byte.
fn run_in_pieces<T>(file: &Buffer, mut plan: ReadPlan<T>) -> T {
    loop {
        match plan.step().unwrap() {
            PlanStep::Ready(ready) => return ready,
            PlanStep::Need(ranges) => {
                for range in ranges.required() {
                    for start in range.clone() {
                        plan.provide(start..start + 1, file.fetch(start..start + 1).unwrap()).unwrap();
                    }
                }
            }
        }
    }
}

#[test]
fn every_plan_counts_what_it_puts_together() {
    let batch = RecordBatch::try_from_columns([("word", dictionary(3, int64s(5)))]).unwrap();
    let file = written(std::slice::from_ref(&batch));
    let options = ReadOptions::new().with_tail_bytes(0);
    let decoder = run_in_pieces(&file, FileDecoder::plan_open_with(file.len() as u64, options));
    let mut n_before = 0;
    let mut check = |what: &str| {
        let n_reassembled = decoder.stats().n_reassembled_bytes;
        assert!(n_reassembled > n_before, "{what}: {n_reassembled}");
        n_before = n_reassembled;
    };
    check("open");
    run_in_pieces(&file, decoder.plan_schema_message_metadata());
    check("schema message");
    run_in_pieces(&file, decoder.plan_n_rows());
    check("number of rows");
    run_in_pieces(&file, decoder.plan_dictionaries());
    check("metadata of dictionaries");
    run_in_pieces(&file, decoder.plan_load_dictionaries());
    check("dictionaries");
    run_in_pieces(&file, decoder.plan_batch_rows(0, 1..2).unwrap());
    check("rows");
    let found = run_in_pieces(&file, decoder.plan_batch(0).unwrap());
    check("batch");
    assert_eq!(rows(&found.batch), rows(&batch));
}

#[test]
fn more_rows_than_the_format_can_count_are_refused() {
    let batch = RecordBatch::try_new_with_rows(Schema::default(), vec![], 1 << 62).unwrap();
    let reader = FileReader::try_from_buffer(written(&[batch.clone(), batch])).unwrap();
    assert_eq!(reader.n_rows_of(1).unwrap(), 1 << 62);
    let error = reader.n_rows().unwrap_err();
    assert_eq!(error.class(), ErrorClass::LimitExceeded);
    assert!(
        error.to_string().contains("9223372036854775808 rows of several batches exceed the limit of"),
        "{error}"
    );
}
