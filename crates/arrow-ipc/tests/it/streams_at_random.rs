//! Streams that are read like files. The sequential reader is the oracle: of each stream, each batch, in any order and by
//! any source, is the batch that it returns, and the end is the end that it finds.

mod dictionaries;
mod index;
mod metadata;
mod reopened;

use std::{
    fs, io,
    ops::Range,
    sync::{Arc, Mutex},
};

use arrow_buffer::{Buffer, MemoryBudget};
use arrow_data::{ArrayData, ArrayParts, RecordBatch};
use arrow_ipc::{
    Container, DictionaryPolicy, FetchCost, FileReader, FileWriter, IpcError, IpcErrorKind, Limits,
    Projection, ReadOptions, Source, Step, StreamReader, StreamWriter, WriteOptions,
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
fn reason(error: &IpcError) -> String {
    let location = error.location();
    format!("{} at {:?} of {:?} {:?}", error.kind(), location.byte_offset, location.field, location.buffer)
}

/// Reads a stream by every source, and compares with the sequential reader.
pub(crate) fn check(name: &str, bytes: &Buffer, rng: &mut Rng) {
    SOURCES.iter().for_each(|cost| check_cost(name, bytes, *cost, rng));
}

/// The costs of requests of the sources; `None` is memory.
const SOURCES: [Option<FetchCost>; 3] = [None, Some(FetchCost::FREE_REQUESTS), Some(FetchCost::OBJECT_STORE)];

/// As [`check`], in the short form by one source for each case, in turn.
fn check_in_turn(name: &str, bytes: &Buffer, rng: &mut Rng, case: usize) {
    Hunt::from_env().some_of(&SOURCES, 1, case).for_each(|cost| check_cost(name, bytes, *cost, rng));
}

fn check_cost(name: &str, bytes: &Buffer, cost: Option<FetchCost>, rng: &mut Rng) {
    let options = ReadOptions::new();
    match cost {
        None => check_source(name, bytes, bytes.clone(), &options, rng),
        Some(cost) => {
            let source = Recorder::new(bytes.clone(), cost);
            check_source(name, bytes, source, &options.with_tail_bytes(0), rng);
        }
    }
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
            assert!(is_other || reason(&found) == reason(&error), "{name}: {found}, and not {error}");
            return;
        }
    };
    let reader = opened.unwrap_or_else(|error| panic!("{name}: {error}"));
    assert_eq!(reader.container(), Container::Stream, "{name}");
    let n_complete = expected.batches.len();
    assert!(reader.n_batches() >= n_complete, "{name}: {} of {n_complete} batches", reader.n_batches());
    // In any order, and some of them again.
    let mut order: Vec<usize> = (0..n_complete).chain(0..n_complete.min(3)).collect();
    for position in (1..order.len()).rev() {
        order.swap(position, rng.below(position + 1));
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
                last.chain(reader.check_dictionaries().err()).map(|found| reason(&found)).collect();
            assert!(
                found.contains(&reason(error)),
                "{name}: batch {n_complete}: {found:?}, and not {}",
                reason(error)
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
    for (case, (name, bytes)) in corpus().into_iter().enumerate() {
        if bytes.len() < 4 << 20 {
            // Many names have three forms.
            check_in_turn(&name, &bytes, rng, case + case / 3);
        }
    }
}

#[test]
fn mutated_and_cut_streams_are_read_as_the_sequential_reader_does() {
    let hunt = Hunt::from_env();
    let rng = &mut hunt.rng(0x66);
    let corpus: Vec<(String, Buffer)> =
        corpus().into_iter().filter(|(_, bytes)| (1..8_000).contains(&bytes.len())).collect();
    for case in 0..hunt.count(1_500, 40_000) {
        let (name, bytes) = rng.pick(&corpus);
        let mut bytes = bytes.to_vec();
        for _ in 0..rng.below(3) {
            let position = rng.below(bytes.len());
            bytes[position] = *rng.pick(&[0, 1, 4, 8, 0x7f, 0x80, 0xff]);
        }
        if rng.one_in(3) {
            bytes.truncate(rng.below(bytes.len()));
        }
        check_in_turn(name, &bytes.into(), rng, case);
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

/// What follows the end marker does not belong to the stream, and is counted.
#[test]
fn bytes_after_the_end_are_counted() {
    let batch = RecordBatch::try_from_columns([("n", ints([1, 2, 3]))]).unwrap();
    let stream = StreamWriter::write_to_vec(batch.schema(), std::slice::from_ref(&batch)).unwrap();
    let n_after = |bytes: &[u8]| {
        let reader = FileReader::try_from_buffer(Buffer::copy_from(bytes)).unwrap();
        assert_eq!(reader.n_batches(), 1);
        reader.decoder().n_bytes_after_end()
    };
    assert_eq!(n_after(&stream), 0);
    assert_eq!(n_after(&[&stream[..], &stream].concat()), stream.len() as u64);
    assert_eq!(n_after(&[&stream[..], b"x"].concat()), 1);
    // Without the end marker.
    assert_eq!(n_after(&stream[..stream.len() - 8]), 0);
    let file = FileWriter::write_to_vec(batch.schema(), std::slice::from_ref(&batch)).unwrap();
    assert_eq!(n_after(&file), 0);
}

/// All batches together may have more rows than a number of 64 bits can count; each has its own.
#[test]
fn batches_have_the_rows_of_their_messages() {
    let schema = "a: null".parse::<arrow_schema::Schema>().unwrap();
    let counts = [i64::MAX as usize, i64::MAX as usize, 5, 6];
    let batch = |n_rows: usize| {
        let column = ArrayData::try_new(ArrayParts::new(DataType::Null, n_rows)).unwrap();
        RecordBatch::try_new_with_rows(schema.clone(), vec![column], n_rows).unwrap()
    };
    let bytes = written(&counts.map(batch), DictionaryPolicy::Replace);
    let walked = FileReader::try_from_buffer(bytes.clone()).unwrap();
    let index = StreamIndex::try_from_buffer(walked.index().unwrap().to_buffer().unwrap()).unwrap();
    let indexed = FileReader::try_new_indexed_with(bytes, &index, ReadOptions::new()).unwrap();
    for reader in [walked, indexed] {
        let rows = |batch_idx: usize| reader.batch(batch_idx).unwrap().n_rows();
        assert_eq!([0, 1, 2, 3].map(rows), counts);
        assert_eq!(reader.n_rows_of_each(0..4).unwrap(), counts.map(|n_rows| n_rows as u64));
        assert!(reader.n_rows_of_each(4..4).unwrap().is_empty());
        for (start, end) in [(0, 5), (9, 2), (3, 2), (9, 9)] {
            let error = reader.n_rows_of_each(start..end).unwrap_err();
            let IpcErrorKind::NoSuchBatches { start: first, end: last, n_batches: 4 } = *error.kind() else {
                panic!("{error}")
            };
            assert_eq!((first, last), (start, end));
        }
        assert!(reader.n_rows().is_err());
    }
}
