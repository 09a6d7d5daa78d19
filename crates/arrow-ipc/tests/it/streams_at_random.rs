//! Streams that are read like files. The sequential reader is the oracle: of each stream, each batch, in any order and by
//! any source, is the batch that it returns, and the end is the end that it finds.

use std::{
    fs, io,
    ops::Range,
    sync::{Arc, Mutex},
};

use arrow_buffer::{Buffer, MemoryBudget};
use arrow_data::{ArrayData, ArrayParts, RecordBatch};
use arrow_ipc::{
    Container, DictionaryPolicy, FetchCost, FileReader, FileWriter, IpcError, IpcErrorKind, Projection,
    ReadOptions, Source, Step, StreamReader, StreamWriter, WriteOptions,
    file::{StreamEnd, StreamIndex},
};
use arrow_schema::{DataType, Field, IndexType};
use arrow_select::GrowingArray;
use testing_support::{CountingAllocator, Hunt, Rng, ints};

/// Bytes that can grow, and the ranges that were read. Each range is a request of its own.
#[derive(Debug, Clone)]
struct Recorder {
    bytes: Arc<Mutex<Buffer>>,
    requests: Arc<Mutex<Vec<Vec<Range<u64>>>>>,
    cost: FetchCost,
}

impl Recorder {
    fn new(bytes: Buffer, cost: FetchCost) -> Recorder {
        Recorder { bytes: Arc::new(Mutex::new(bytes)), requests: Arc::default(), cost }
    }

    fn take_requests(&self) -> Vec<Vec<Range<u64>>> {
        std::mem::take(&mut *self.requests.lock().unwrap())
    }

    fn take_bytes(&self) -> u64 {
        self.take_requests().iter().flatten().map(|range| range.end - range.start).sum()
    }
}

impl Source for Recorder {
    fn n_bytes(&self) -> io::Result<u64> {
        self.bytes.lock().unwrap().n_bytes()
    }

    fn fetch(&self, range: Range<u64>) -> io::Result<Buffer> {
        Ok(self.fetch_many(&[range])?.remove(0))
    }

    fn fetch_many(&self, ranges: &[Range<u64>]) -> io::Result<Vec<Buffer>> {
        self.requests.lock().unwrap().push(ranges.to_vec());
        let bytes = self.bytes.lock().unwrap();
        ranges.iter().map(|range| bytes.fetch(range.clone())).collect()
    }

    fn fetch_cost(&self) -> FetchCost {
        self.cost
    }
}

/// The batches of the sequential reader, and the error after them.
struct Sequential {
    batches: Vec<RecordBatch>,
    error: Option<IpcError>,
}

fn sequential(bytes: &Buffer, options: &ReadOptions) -> Result<Sequential, IpcError> {
    let mut batches = Vec::new();
    let mut reader = StreamReader::try_new_with(bytes.as_slice(), options.clone())?;
    loop {
        match reader.next_step() {
            Ok(Step::Batch(next)) => batches.push(next.batch),
            Ok(Step::End) => return Ok(Sequential { batches, error: None }),
            // A footer does not list tensors either.
            Ok(_) => {}
            Err(error) => return Ok(Sequential { batches, error: Some(error) }),
        }
    }
}

/// What errors of both readers have in common: one names the message, the other the block.
fn told(error: &IpcError) -> String {
    let location = error.location();
    format!("{} at {:?} of {:?} {:?}", error.kind(), location.byte_offset, location.field, location.buffer)
}

/// Reads a stream in every way there is, and compares with the sequential reader.
pub(crate) fn check(name: &str, bytes: &Buffer, rng: &mut Rng) {
    let options = ReadOptions::new();
    check_source(name, bytes, bytes.clone(), &options, rng);
    let small = options.with_tail_bytes(0);
    let source = Recorder::new(bytes.clone(), FetchCost::FREE_REQUESTS);
    check_source(name, bytes, source, &small, rng);
    check_source(name, bytes, Recorder::new(bytes.clone(), FetchCost::OBJECT_STORE), &small, rng);
}

fn check_source(
    name: &str,
    bytes: &Buffer,
    source: impl Source + 'static,
    options: &ReadOptions,
    rng: &mut Rng,
) {
    let opened = FileReader::try_new_with(source, options.clone());
    let expected = match sequential(bytes, options) {
        Ok(expected) => expected,
        Err(error) => {
            let found = opened.err().unwrap_or_else(|| panic!("{name}: opened, and not {error}"));
            // What is no stream by its first bytes is called so.
            let is_other = matches!(found.kind(), IpcErrorKind::WrongContainer { .. });
            assert!(is_other || told(&found) == told(&error), "{name}: {found}, and not {error}");
            return;
        }
    };
    let reader = opened.unwrap_or_else(|error| panic!("{name}: {error}"));
    assert_eq!(reader.container(), Container::Stream, "{name}");
    let n_complete = expected.batches.len();
    assert!(reader.n_batches() >= n_complete, "{name}: {} of {n_complete} batches", reader.n_batches());
    // In any order, and some of them again.
    let mut order: Vec<usize> = (0..n_complete).chain(0..n_complete.min(3)).collect();
    for place in (1..order.len()).rev() {
        order.swap(place, rng.below(place + 1));
    }
    for batch_idx in order {
        let found = reader.batch(batch_idx).unwrap_or_else(|error| panic!("{name}: {error}"));
        assert!(found == expected.batches[batch_idx], "{name}: batch {batch_idx}");
        let n_rows = found.n_rows();
        assert_eq!(reader.n_rows_of(batch_idx).unwrap(), n_rows as u64, "{name}");
        let start = rng.below(n_rows + 1);
        let rows = start as u64..start as u64 + rng.below(n_rows - start + 1) as u64;
        let part = reader.batch_rows(batch_idx, rows.clone());
        let part = part.unwrap_or_else(|error| panic!("{name}: rows {rows:?}: {error}"));
        assert!(part == found.slice(start, part.n_rows()), "{name}: rows {rows:?} of batch {batch_idx}");
    }
    let n_columns = reader.schema().fields().len();
    if n_columns > 0 {
        let column = rng.below(n_columns);
        let projected = reader.project(&Projection::Positions(vec![column])).unwrap();
        for (batch_idx, batch) in expected.batches.iter().enumerate() {
            let found = projected.batch(batch_idx).unwrap_or_else(|error| panic!("{name}: {error}"));
            assert!(found.columns()[0] == batch.columns()[column], "{name}: column {column}");
        }
    }
    check_end(name, &reader, &expected);
    // With its index, which goes through bytes.
    let index = StreamIndex::try_from_buffer(reader.index().unwrap().to_buffer().unwrap());
    let index = index.unwrap_or_else(|error| panic!("{name}: {error}"));
    let indexed = FileReader::try_new_indexed_with(bytes.clone(), &index, options.clone());
    check_end(name, &indexed.unwrap_or_else(|error| panic!("{name}: {error}")), &expected);
}

/// All batches in order and in reverse, and the error after them.
fn check_end<S: Source + 'static>(name: &str, reader: &FileReader<S>, expected: &Sequential) {
    let n_complete = expected.batches.len();
    let mut batches = reader.batches();
    for (batch_idx, batch) in expected.batches.iter().enumerate() {
        let found = batches.next().unwrap_or_else(|| panic!("{name}: no batch {batch_idx}"));
        assert!(found.unwrap_or_else(|error| panic!("{name}: {error}")) == *batch, "{name}: {batch_idx}");
    }
    let last = batches.next();
    match &expected.error {
        None => {
            assert!(last.is_none() && reader.check_end().is_ok(), "{name}");
            assert!(reader.stream_end() != Some(StreamEnd::Incomplete), "{name}");
            let n_rows: usize = expected.batches.iter().map(RecordBatch::n_rows).sum();
            assert_eq!(reader.n_rows().unwrap(), n_rows as u64, "{name}");
            reader.check_dictionaries().unwrap_or_else(|error| panic!("{name}: {error}"));
            let reversed: Vec<RecordBatch> = reader.batches().rev().map(Result::unwrap).collect();
            assert!(reversed.iter().rev().eq(&expected.batches), "{name}");
            #[cfg(feature = "rayon")]
            {
                use rayon::iter::ParallelIterator;
                let parallel: Result<Vec<RecordBatch>, IpcError> = reader.par_batches().collect();
                assert!(parallel.unwrap() == expected.batches, "{name}");
            }
        }
        // A dictionary is read when a batch needs it. One that no batch needs is read on request.
        Some(error) => {
            let last = last.map(Result::unwrap_err).into_iter();
            let found: Vec<String> =
                last.chain(reader.check_dictionaries().err()).map(|found| told(&found)).collect();
            assert!(
                found.contains(&told(error)),
                "{name}: batch {n_complete}: {found:?}, and not {}",
                told(error)
            );
        }
    }
}

fn corpus() -> Vec<(String, Buffer)> {
    let mut folders = vec![testing_support::corpus_dir()];
    folders.extend(testing_support::arrow_test_data("streams read like files"));
    let mut streams = Vec::new();
    for folder in folders {
        for suffix in [".arrows", ".stream"] {
            for path in testing_support::files_below(&folder, suffix) {
                streams.push((path.display().to_string(), Buffer::from(fs::read(&path).unwrap())));
            }
        }
    }
    assert!(streams.len() > 300, "{} streams", streams.len());
    streams
}

#[test]
fn each_stream_of_the_corpus_is_read_like_a_file() {
    let rng = &mut Rng::new(66);
    for (name, bytes) in corpus() {
        if bytes.len() < 4 << 20 {
            check(&name, &bytes, rng);
        }
    }
}

#[test]
fn mutated_and_cut_streams_are_read_as_the_sequential_reader_does() {
    let hunt = Hunt::from_env();
    let rng = &mut hunt.rng(0x66);
    let corpus: Vec<(String, Buffer)> =
        corpus().into_iter().filter(|(_, bytes)| (1..8_000).contains(&bytes.len())).collect();
    for _ in 0..hunt.count(1_500, 40_000) {
        let (name, bytes) = rng.pick(&corpus);
        let mut bytes = bytes.to_vec();
        for _ in 0..rng.below(3) {
            let place = rng.below(bytes.len());
            bytes[place] = *rng.pick(&[0, 1, 4, 8, 0x7f, 0x80, 0xff]);
        }
        if rng.one_in(3) {
            bytes.truncate(rng.below(bytes.len()));
        }
        check(name, &bytes.into(), rng);
    }
}

/// Batches with a dictionary that gets one value more with each.
fn growing(n_batches: usize) -> Vec<RecordBatch> {
    let mut values = GrowingArray::new(&DataType::Int32);
    let batch = |n: usize| {
        let one = ints([i32::try_from(n).unwrap()]);
        values = values.clone().append(&one, u64::MAX).unwrap();
        let indices = Buffer::from(vec![i32::try_from(n).unwrap(), 0]);
        let column = ArrayData::try_new(ArrayParts {
            buffers: [indices, Buffer::new()],
            dictionary: Some(Arc::new(values.array())),
            ..ArrayParts::new(DataType::dictionary(IndexType::Int32, DataType::Int32).unwrap(), 2)
        });
        RecordBatch::try_from_columns([("a", column.unwrap())]).unwrap()
    };
    (0..n_batches).map(batch).collect()
}

fn written(batches: &[RecordBatch], policy: DictionaryPolicy) -> Buffer {
    let options = WriteOptions::new().with_dictionaries(policy);
    let mut writer = StreamWriter::try_new_with(Vec::new(), batches[0].schema(), options).unwrap();
    batches.iter().for_each(|batch| writer.write(batch).unwrap());
    writer.finish().unwrap().into()
}

#[test]
fn dictionaries_that_change_are_read_for_each_batch_and_once_in_order() {
    let batches = growing(300);
    for policy in [DictionaryPolicy::Delta, DictionaryPolicy::Replace] {
        let is_delta = policy == DictionaryPolicy::Delta;
        let bytes = written(&batches, policy);
        check("growing", &bytes, &mut Rng::new(1));
        let source = Recorder::new(bytes.clone(), FetchCost::FREE_REQUESTS);
        let reader = FileReader::try_new_with(source.clone(), ReadOptions::new().with_tail_bytes(0)).unwrap();
        source.take_bytes();
        // All batches in order: each dictionary message once, also by a second reader of the same file.
        assert_eq!(reader.batches().count(), 300);
        assert!(source.take_bytes() <= bytes.len() as u64);
        let block = |batch_idx| reader.footer().batch(batch_idx).unwrap();
        if is_delta {
            // A batch in the middle needs the deltas before it.
            let fresh =
                FileReader::try_new_with(source.clone(), ReadOptions::new().with_tail_bytes(0)).unwrap();
            source.take_bytes();
            assert!(fresh.batch(200).unwrap() == batches[200]);
            assert!(source.take_bytes() < block(201).position());
            // The next needs one more.
            assert!(fresh.batch(201).unwrap() == batches[201]);
            assert!(source.take_bytes() <= block(201).range().end - block(200).range().end);
        } else {
            // A batch needs the last dictionary before it, and nothing else.
            for batch_idx in [299, 3, 150] {
                assert!(reader.batch(batch_idx).unwrap() == batches[batch_idx]);
                let before = block(batch_idx - 1).range().end;
                assert!(source.take_bytes() <= block(batch_idx).range().end - before, "{batch_idx}");
            }
        }
    }
}

fn encoded(indices: Vec<i32>, values: &Arc<ArrayData>) -> ArrayData {
    let n_slots = indices.len();
    let data_type = DataType::dictionary(IndexType::Int32, values.data_type().clone()).unwrap();
    let parts = ArrayParts {
        buffers: [Buffer::from(indices), Buffer::new()],
        dictionary: Some(Arc::clone(values)),
        ..ArrayParts::new(data_type, n_slots)
    };
    ArrayData::try_new(parts).unwrap()
}

/// Batches with a dictionary inside another one. Each of both stays, grows in the same memory, or is replaced.
fn nested(n_batches: usize, rng: &mut Rng) -> Vec<RecordBatch> {
    let some = |rng: &mut Rng, n: usize| -> Vec<i32> {
        (0..n).map(|_| i32::try_from(rng.below(1_000)).unwrap()).collect()
    };
    let mut all_inner = ints(some(rng, 60));
    let mut n_inner = 1;
    let mut outer: Option<(ArrayData, usize)> = None;
    let mut alone = Arc::new(ints(some(rng, 3)));
    let mut batches = Vec::new();
    for _ in 0..n_batches {
        let mut is_new = outer.is_none();
        match rng.below(6) {
            0 => {
                all_inner = ints(some(rng, 60));
                n_inner = 1 + rng.below(4);
                is_new = true;
            }
            1 | 2 if n_inner < 59 => {
                n_inner += 1;
                is_new = true;
            }
            3 => {
                let n_values = 1 + rng.below(4);
                alone = Arc::new(ints(some(rng, n_values)));
            }
            4 => is_new = true,
            _ => {}
        }
        let inner = Arc::new(all_inner.slice(0, n_inner));
        let (all_outer, mut n_outer) = match outer.take().filter(|_| !is_new) {
            Some(known) => known,
            None => {
                let child = encoded((0..40).map(|n| n % i32::try_from(n_inner).unwrap()).collect(), &inner);
                let field = Field::new("x", child.data_type().clone());
                let parts = ArrayParts {
                    children: Some(Arc::new([child])),
                    ..ArrayParts::new(DataType::struct_([field]), 40)
                };
                (ArrayData::try_new(parts).unwrap(), 1)
            }
        };
        n_outer = (n_outer + rng.below(2)).min(40);
        let last = |n: usize| i32::try_from(n - 1).unwrap();
        let a = encoded(vec![last(n_outer), 0], &Arc::new(all_outer.slice(0, n_outer)));
        let b = encoded(vec![last(n_inner), 0], &inner);
        let c = encoded(vec![last(alone.len()), 0], &alone);
        batches.push(RecordBatch::try_from_columns([("a", a), ("b", b), ("c", c)]).unwrap());
        outer = Some((all_outer, n_outer));
    }
    batches
}

#[test]
fn dictionaries_inside_others_are_those_of_the_sequential_reader() {
    let rng = &mut Hunt::from_env().rng(0x67);
    for _ in 0..Hunt::from_env().count(20, 500) {
        let batches = nested(12, rng);
        for policy in [DictionaryPolicy::Replace, DictionaryPolicy::Delta] {
            check("nested", &written(&batches, policy), rng);
        }
    }
}

#[test]
fn threads_that_read_in_any_order_get_the_dictionaries_of_their_batches() {
    let batches = nested(200, &mut Rng::new(3));
    let bytes = written(&batches, DictionaryPolicy::Replace);
    let reader = FileReader::try_from_buffer(bytes).unwrap();
    let narrow = reader.project(&Projection::Positions(vec![1])).unwrap();
    std::thread::scope(|scope| {
        for thread in 0..8 {
            let (reader, narrow, batches) = (reader.clone(), narrow.clone(), &batches);
            scope.spawn(move || {
                let mut rng = Rng::new(thread);
                for n in 0..100 {
                    let batch_idx = if thread % 2 == 0 { 99 - n } else { rng.below(200) };
                    assert!(reader.batch(batch_idx).unwrap() == batches[batch_idx], "{batch_idx}");
                    let found = narrow.batch(199 - batch_idx).unwrap();
                    assert!(found.columns()[0] == batches[199 - batch_idx].columns()[1], "{batch_idx}");
                }
            });
        }
    });
}

/// Batches with a dictionary that stays, beside one that grows.
fn half_growing(n_batches: usize) -> Vec<RecordBatch> {
    let constant = Arc::new(ints(0..10));
    let batch = |(n, batch): (usize, RecordBatch)| {
        let b = encoded(vec![i32::try_from(n % 10).unwrap(), 3], &constant);
        RecordBatch::try_from_columns([("a", batch.columns()[0].clone()), ("b", b)]).unwrap()
    };
    growing(n_batches).into_iter().enumerate().map(batch).collect()
}

#[test]
fn dictionaries_that_are_not_selected_do_not_hinder_reading_ahead() {
    let batches = half_growing(500);
    let bytes = written(&batches, DictionaryPolicy::Delta);
    let source = Recorder::new(bytes, FetchCost::OBJECT_STORE);
    let reader = FileReader::try_new_with(source.clone(), ReadOptions::new().with_tail_bytes(0)).unwrap();
    let projected = reader.project(&Projection::Names(vec!["b".into()])).unwrap();
    source.take_requests();
    for (found, batch) in projected.batches().zip(&batches) {
        assert!(found.unwrap().columns()[0] == batch.columns()[1]);
    }
    let n_round_trips = source.take_requests().len();
    assert!(n_round_trips <= 10, "{n_round_trips} round trips");
    // The dictionary is in memory, also for batches before the last one.
    let block = reader.footer().batch(7).unwrap();
    assert_eq!(projected.batch(7).unwrap().n_rows(), 2);
    assert!(source.take_bytes() <= block.n_bytes());
}

#[test]
fn a_delta_that_lacks_memory_is_read_once_there_is_some() {
    let batches = growing(20);
    let bytes = written(&batches, DictionaryPolicy::Delta);
    let budget = MemoryBudget::new(1 << 20);
    let options = ReadOptions::new().with_memory_budget(budget.clone());
    let reader = FileReader::try_from_buffer_with(bytes, options).unwrap();
    for batch_idx in [3, 4, 9] {
        assert!(reader.batch(batch_idx).unwrap() == batches[batch_idx]);
        let rest = budget.try_charge(budget.limit() - budget.n_bytes_allocated()).unwrap();
        let error = reader.batch(batch_idx + 4).unwrap_err();
        assert!(matches!(error.kind(), IpcErrorKind::Memory(_)), "{error}");
        drop(rest);
        assert!(reader.batch(batch_idx + 4).unwrap() == batches[batch_idx + 4]);
    }
}

#[test]
fn after_an_error_other_batches_have_their_own_dictionaries() {
    // The first dictionary is replaced with each batch, the second one grows.
    let all = ints(0..100);
    let batch = |n: i32| {
        let a = encoded(vec![0], &Arc::new(ints([1_000 + n])));
        let b = encoded(vec![n], &Arc::new(all.slice(0, usize::try_from(n).unwrap() + 1)));
        RecordBatch::try_from_columns([("a", a), ("b", b)]).unwrap()
    };
    let batches: Vec<RecordBatch> = (0..10).map(batch).collect();
    let bytes = written(&batches, DictionaryPolicy::Replace);
    let budget = MemoryBudget::new(1 << 20);
    let options = ReadOptions::new().with_memory_budget(budget.clone());
    let reader = FileReader::try_from_buffer_with(bytes, options).unwrap();
    assert!(reader.batch(0).unwrap() == batches[0]);
    let mut n_errors = 0;
    for failing in [5, 9, 7] {
        let rest = budget.try_charge(budget.limit() - budget.n_bytes_allocated()).unwrap();
        for _ in 0..2 {
            // It may be read if the cache of dictionaries returns memory.
            match reader.batch(failing) {
                Ok(batch) => assert!(batch == batches[failing]),
                Err(error) => {
                    assert!(matches!(error.kind(), IpcErrorKind::Memory(_)), "{error}");
                    n_errors += 1;
                }
            }
        }
        drop(rest);
        for batch_idx in [1, 3, 2, failing, failing - 1] {
            assert!(reader.batch(batch_idx).unwrap() == batches[batch_idx], "{batch_idx} after {failing}");
        }
    }
    assert!(n_errors >= 2, "{n_errors}");
}

/// A stream of equal batches, of which only one is in memory.
#[derive(Debug, Clone)]
struct Repeated {
    schema: Buffer,
    batch: Buffer,
    n_batches: u64,
    requests: Arc<Mutex<Vec<Vec<Range<u64>>>>>,
    cost: FetchCost,
}

impl Repeated {
    fn new(n_batches: u64, n_batch_rows: i32, cost: FetchCost) -> Repeated {
        let batch = RecordBatch::try_from_columns([("a", ints(0..n_batch_rows))]).unwrap();
        let stream = Buffer::from(written(&[batch], DictionaryPolicy::Error).to_vec());
        let block = FileReader::try_from_buffer(stream.clone()).unwrap().footer().batch(0).unwrap().range();
        let (start, end) = (usize::try_from(block.start).unwrap(), usize::try_from(block.end).unwrap());
        let batch = stream.slice(start..end);
        Repeated { schema: stream.slice(..start), batch, n_batches, requests: Arc::default(), cost }
    }

    fn take_requests(&self) -> Vec<Vec<Range<u64>>> {
        std::mem::take(&mut *self.requests.lock().unwrap())
    }

    fn take_bytes(&self) -> u64 {
        self.take_requests().iter().flatten().map(|range| range.end - range.start).sum()
    }

    fn copy(&self, range: Range<u64>) -> Vec<u8> {
        let mut bytes = Vec::new();
        let mut position = range.start;
        while position < range.end {
            let n_schema = self.schema.len() as u64;
            let n_batch = self.batch.len() as u64;
            let (part, start) = match position.checked_sub(n_schema) {
                None => (&self.schema, position),
                Some(after) => (&self.batch, after % n_batch),
            };
            let start = usize::try_from(start).unwrap();
            let n_bytes = (part.len() - start).min(usize::try_from(range.end - position).unwrap());
            bytes.extend_from_slice(&part[start..start + n_bytes]);
            position += n_bytes as u64;
        }
        bytes
    }
}

impl Source for Repeated {
    fn n_bytes(&self) -> io::Result<u64> {
        Ok(self.schema.len() as u64 + self.batch.len() as u64 * self.n_batches)
    }

    fn fetch(&self, range: Range<u64>) -> io::Result<Buffer> {
        Ok(self.fetch_many(&[range])?.remove(0))
    }

    fn fetch_many(&self, ranges: &[Range<u64>]) -> io::Result<Vec<Buffer>> {
        self.requests.lock().unwrap().push(ranges.to_vec());
        Ok(ranges.iter().map(|range| Buffer::from(self.copy(range.clone()))).collect())
    }

    fn fetch_cost(&self) -> FetchCost {
        self.cost
    }
}

#[test]
fn the_walk_reads_heads_and_no_bodies() {
    // 1,000 batches of 1 MB.
    let source = Repeated::new(1_000, 250_000, FetchCost::DISK);
    let n_bytes = source.n_bytes().unwrap();
    let reader = FileReader::try_new(source.clone()).unwrap();
    assert_eq!((reader.n_batches(), reader.n_rows().unwrap()), (1_000, 250_000_000));
    assert_eq!(reader.stream_end(), Some(StreamEnd::Input));
    let requests = source.take_requests();
    let n_read: u64 = requests.iter().flatten().map(|range| range.end - range.start).sum();
    assert!(
        n_read <= n_bytes / 100 && requests.len() <= 1_010,
        "{n_read} bytes in {} requests",
        requests.len()
    );
    let n_batch_bytes = source.batch.len() as u64;
    assert_eq!(reader.batch(700).unwrap().n_rows(), 250_000);
    let n_read = source.take_bytes();
    assert!(n_read <= n_batch_bytes + n_batch_bytes / 100, "{n_read} bytes of {n_batch_bytes}");
    // By parallel requests, at positions where the heads probably are: few round trips.
    let source = Repeated { cost: FetchCost::OBJECT_STORE, ..source };
    let reader = FileReader::try_new(source.clone()).unwrap();
    assert_eq!(reader.n_batches(), 1_000);
    let requests = source.take_requests();
    let n_read: u64 = requests.iter().flatten().map(|range| range.end - range.start).sum();
    assert!(requests.len() <= 30 && n_read <= n_bytes / 100, "{n_read} bytes in {} requests", requests.len());
}

#[test]
fn short_messages_are_read_through() {
    // 10,000 batches of some hundred bytes.
    for (cost, max_requests) in [(FetchCost::DISK, 200), (FetchCost::OBJECT_STORE, 10)] {
        let source = Repeated::new(10_000, 30, cost);
        let reader = FileReader::try_new(source.clone()).unwrap();
        assert_eq!(reader.n_rows().unwrap(), 300_000);
        let requests = source.take_requests();
        let n_read: u64 = requests.iter().flatten().map(|range| range.end - range.start).sum();
        let n_bytes = source.n_bytes().unwrap();
        assert!(requests.len() <= max_requests, "{} requests", requests.len());
        assert!(n_read <= n_bytes + n_bytes / 10, "{n_read} of {n_bytes} bytes");
    }
}

#[test]
fn the_index_takes_a_few_dozen_bytes_for_each_message() {
    for cost in [FetchCost::DISK, FetchCost::OBJECT_STORE] {
        let source = Repeated::new(50_000, 3, cost);
        let (reader, usage) = CountingAllocator.measure(|| FileReader::try_new(source.clone()).unwrap());
        assert_eq!(reader.n_batches(), 50_000);
        // Vectors grow by doubling, and a window is in memory beside them.
        assert!(usage.live_bytes < 50_000 * 80 + (1 << 20), "{usage:?}");
        assert!(usage.peak_bytes < 50_000 * 120 + (16 << 20), "{usage:?}");
    }
}

#[test]
fn a_stream_that_grows_is_walked_from_where_it_ended() {
    let batches = growing(40);
    let bytes = written(&batches, DictionaryPolicy::Delta);
    let reader = FileReader::try_from_buffer(bytes.clone()).unwrap();
    let ends: Vec<u64> = reader.footer().batches().iter().map(|block| block.range().end).collect();
    let until = |n_bytes: u64| bytes.slice(..usize::try_from(n_bytes).unwrap());
    let source = Recorder::new(until(ends[9] + 5), FetchCost::FREE_REQUESTS);
    let first = FileReader::try_new_with(source.clone(), ReadOptions::new().with_tail_bytes(0)).unwrap();
    // The eleventh message is cut after 5 bytes.
    assert_eq!((first.n_batches(), first.stream_end()), (10, Some(StreamEnd::Incomplete)));
    assert!(first.check_end().is_err() && first.n_rows().is_err());
    assert_eq!(first.batches().filter(Result::is_err).count(), 1);
    assert_eq!(first.batch(9).unwrap(), batches[9]);
    source.take_bytes();
    *source.bytes.lock().unwrap() = until(ends[19]);
    let second = first.refresh().unwrap();
    assert!(source.take_requests().iter().flatten().all(|range| range.start >= ends[9]));
    assert_eq!((second.n_batches(), second.stream_end()), (20, Some(StreamEnd::Input)));
    // The dictionaries that were read stay in memory.
    assert_eq!(second.batch(10).unwrap(), batches[10]);
    assert!(source.take_requests().iter().flatten().all(|range| range.start >= ends[9]));
    assert!(second.batches().map(Result::unwrap).eq(batches[..20].iter().cloned()));
    *source.bytes.lock().unwrap() = bytes.clone();
    let third = second.refresh().unwrap();
    assert_eq!((third.n_batches(), third.stream_end()), (40, Some(StreamEnd::Marker)));
    assert!(third.batches().map(Result::unwrap).eq(batches.iter().cloned()));
    // After the end marker, nothing is read.
    source.take_bytes();
    assert_eq!(third.refresh().unwrap().n_batches(), 40);
    assert_eq!(source.take_bytes(), 0);
    // The readers that were opened before still read what they found; and a stream that shrinks is an error.
    assert_eq!(first.batch(9).unwrap(), batches[9]);
    *source.bytes.lock().unwrap() = until(ends[5]);
    assert!(second.refresh().is_err());
}

#[test]
fn what_is_opened_again_has_the_same_columns() {
    let columns = |ids: [i32; 2]| {
        let ids = ints(ids);
        RecordBatch::try_from_columns([("a", ids.clone()), ("b", ids)]).unwrap()
    };
    let batches = [columns([1, 2]), columns([3, 4])];
    let schema = batches[0].schema();
    for [short, long] in [
        [1, 2].map(|n| FileWriter::write_to_buffer(schema, &batches[..n]).unwrap()),
        [1, 2].map(|n| {
            let stream = StreamWriter::write_to_buffer(schema, &batches[..n]).unwrap();
            stream.slice(..stream.len() - 8)
        }),
    ] {
        let source = Recorder::new(short, FetchCost::FREE_REQUESTS);
        let first = FileReader::try_new(source.clone()).unwrap();
        let some = first.project(&Projection::from(["b"])).unwrap();
        *source.bytes.lock().unwrap() = long;
        for (reader, n_columns) in [(first, 2), (some, 1)] {
            let again = reader.refresh().unwrap().refresh().unwrap();
            assert_eq!((again.n_batches(), again.batch(1).unwrap().columns().len()), (2, n_columns));
            assert_eq!(again.schema(), reader.schema());
        }
    }
}

#[test]
fn the_magic_of_a_file_at_the_end_of_a_stream_is_no_footer() {
    // The last bytes of the last body look like the end of a file.
    let mut bytes = b"\x20\0\0\0ARROW1".to_vec();
    bytes.splice(0..0, [0; 14]);
    let words = bytes.as_chunks().0.iter().map(|word| i32::from_le_bytes(*word));
    let batch = RecordBatch::try_from_columns([("a", ints(words))]).unwrap();
    let stream = written(std::slice::from_ref(&batch), DictionaryPolicy::Error);
    let end = stream.windows(6).rposition(|bytes| bytes == b"ARROW1").unwrap() + 6;
    // Whatever padding follows is cut off.
    let block = FileReader::try_from_buffer(stream.clone()).unwrap().footer().batch(0).unwrap();
    let cut = stream.slice(..end);
    let expected = sequential(&cut, &ReadOptions::new()).unwrap();
    assert!(expected.error.is_some() == (block.range().end > cut.len() as u64));
    check("magic at the end", &cut, &mut Rng::new(2));
}

#[test]
fn an_index_opens_a_stream_in_two_requests() {
    let source = Repeated::new(1_000, 250_000, FetchCost::OBJECT_STORE);
    let walked = FileReader::try_new(source.clone()).unwrap();
    let index = StreamIndex::try_from_buffer(walked.index().unwrap().to_buffer().unwrap()).unwrap();
    source.take_requests();
    let reader = FileReader::try_new_indexed_with(source.clone(), &index, ReadOptions::new()).unwrap();
    let requests = source.take_requests();
    assert_eq!((requests.len(), requests[0].len()), (1, 2), "{requests:?}");
    assert_eq!((reader.n_batches(), reader.n_rows().unwrap()), (1_000, 250_000_000));
    assert_eq!(reader.batch(999).unwrap(), walked.batch(3).unwrap());
}

#[test]
fn an_index_of_another_stream_is_refused_and_one_of_a_shorter_stream_continues() {
    let batches = growing(30);
    let bytes = written(&batches, DictionaryPolicy::Delta);
    let reader = FileReader::try_from_buffer(bytes.clone()).unwrap();
    let ends: Vec<u64> = reader.footer().batches().iter().map(|block| block.range().end).collect();
    let until = |n_bytes: u64| bytes.slice(..usize::try_from(n_bytes).unwrap());
    let index_of = |bytes: &Buffer| FileReader::try_from_buffer(bytes.clone()).unwrap().index().unwrap();
    let open =
        |bytes: &Buffer, index| FileReader::try_new_indexed_with(bytes.clone(), index, ReadOptions::new());
    let short = index_of(&until(ends[9]));
    let continued = open(&bytes, &short).unwrap();
    assert!(continued.batches().map(Result::unwrap).eq(batches.iter().cloned()));
    assert_eq!(continued.stream_end(), Some(StreamEnd::Marker));
    // A stream that was cut since, one that ends later, and others.
    let whole = index_of(&bytes);
    let longer = Buffer::from([&bytes[..], b"more"].concat());
    let many = RecordBatch::try_from_columns([("b", ints(0..10_000))]).unwrap();
    let other = written(&[many], DictionaryPolicy::Delta);
    for (stream, index) in [
        (&until(ends[5]), &short),
        (&until(ends[5]), &whole),
        (&longer, &whole),
        (&other, &whole),
        (&other, &short),
    ] {
        let error = open(stream, index).unwrap_err();
        assert!(matches!(error.kind(), IpcErrorKind::StreamIndex { .. }), "{error}");
    }
    assert!(FileReader::try_from_buffer(written_file(&batches)).unwrap().index().is_err());
}

fn written_file(batches: &[RecordBatch]) -> Buffer {
    let batches = [batches[0].clone()];
    arrow_ipc::FileWriter::write_to_buffer(batches[0].schema(), &batches).unwrap()
}

#[test]
fn an_index_that_lies_is_an_error_or_gives_the_same_batches() {
    let batches = growing(6);
    let bytes = written(&batches, DictionaryPolicy::Delta);
    let index = FileReader::try_from_buffer(bytes.clone()).unwrap().index().unwrap().to_buffer().unwrap();
    let mut n_opened = 0;
    let mut n_refused = 0;
    for place in 0..index.len() {
        for bits in [0x01, 0x02, 0x80] {
            let mut mutant = index.to_vec();
            mutant[place] ^= bits;
            let opened = StreamIndex::try_from_buffer(mutant.into()).and_then(|index| {
                FileReader::try_new_indexed_with(bytes.clone(), &index, ReadOptions::new())
            });
            let Ok(reader) = opened else {
                n_refused += 1;
                continue;
            };
            n_opened += 1;
            for (batch_idx, batch) in reader.batches().enumerate() {
                if let Ok(batch) = batch {
                    assert!(batch == batches[batch_idx], "byte {place} with {bits:#x}");
                }
            }
        }
    }
    assert!(n_opened > 100 && n_refused > 100, "{n_opened}, {n_refused}");
}
