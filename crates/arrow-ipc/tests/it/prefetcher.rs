//! Batches that are fetched ahead equal batches that are read one by one, with the same errors at the same positions.

use std::{
    io, iter,
    ops::Range,
    sync::atomic::{AtomicU64, Ordering},
    time::Duration,
};

use arrow_array::Int64Array;
use arrow_buffer::{Buffer, MemoryBudget};
use arrow_data::RecordBatch;
use arrow_ipc::{
    DictionaryPolicy, ErrorClass, FetchCost, FileReader, FileWriter, IpcErrorKind, Projection, ReadOptions,
    Source, WriteOptions, file::BatchPrefetcher,
};
use arrow_schema::Schema;
use testing_support::{Generator, Rng, rows};

use crate::footer::wire;

mod random;

const N_BATCHES: usize = 12;
const N_ROWS: usize = 300;

fn file() -> Vec<u8> {
    let batch = |batch_idx: usize| {
        let column = |column: usize| {
            let first = (batch_idx * 1_000 + column * 100_000) as i64;
            (format!("c{column}"), Int64Array::from_iter(first..first + N_ROWS as i64).into())
        };
        RecordBatch::try_from_columns((0..3).map(column).collect::<Vec<_>>()).unwrap()
    };
    let mut writer = FileWriter::try_new(Vec::new(), batch(0).schema()).unwrap();
    (0..N_BATCHES).for_each(|batch_idx| writer.write(&batch(batch_idx)).unwrap());
    writer.finish().unwrap()
}

/// A file that cannot be read at some byte, and is never there as a whole.
#[derive(Debug, Clone)]
struct FailingSource {
    bytes: Buffer,
    at: Option<u64>,
    /// Whether it gives fewer bytes than were requested, instead of an error.
    is_short: bool,
}

impl Source for FailingSource {
    fn n_bytes(&self) -> io::Result<u64> {
        self.bytes.n_bytes()
    }

    fn fetch(&self, range: Range<u64>) -> io::Result<Buffer> {
        match self.at {
            Some(at) if range.contains(&at) && self.is_short => {
                self.bytes.fetch(range.start..range.start + (range.end - range.start) / 2)
            }
            Some(at) if range.contains(&at) => Err(io::Error::other("the disk is broken here")),
            _ => self.bytes.fetch(range),
        }
    }
}

/// One request costs as much as 1,000 bytes, and several requests run at the same time.
fn cost() -> FetchCost {
    FetchCost::new(Duration::from_millis(1), 1_000_000).with_requests_in_flight(3)
}

fn open(source: &FailingSource, options: ReadOptions) -> FileReader<FailingSource> {
    FileReader::try_new_with(source.clone(), options.with_fetch_cost(cost()).with_tail_bytes(0)).unwrap()
}

fn outcome(batch: arrow_ipc::Result<RecordBatch>) -> Result<Vec<String>, (ErrorClass, String)> {
    match batch {
        Ok(batch) => Ok(rows(&batch).iter().map(|row| format!("{row:?}")).collect()),
        Err(error) => Err((error.class(), error.to_string())),
    }
}

/// Columns and bytes to read ahead; both ways to read.
fn check(source: &FailingSource) -> usize {
    let mut n_errors = 0;
    for columns in [Projection::All, Projection::Positions(vec![2]), Projection::Positions(vec![0, 2])] {
        for prefetch_bytes in [1, 9_000, 20_000, 1 << 20] {
            let options = || ReadOptions::new().with_projection(columns.clone());
            let one_by_one = open(source, options().with_prefetch_bytes(0));
            let reader = open(source, options().with_prefetch_bytes(prefetch_bytes));
            let expected: Vec<_> = one_by_one.batches().map(outcome).collect();
            let found: Vec<_> = reader.batches().map(outcome).collect();
            assert_eq!(found, expected, "{columns:?} {prefetch_bytes}");
            #[cfg(feature = "rayon")]
            {
                use rayon::iter::ParallelIterator;

                let by_threads: Vec<_> = reader.par_batches().map(outcome).collect();
                assert_eq!(by_threads, expected, "{columns:?} {prefetch_bytes}");
            }
            assert_eq!(found.len(), N_BATCHES);
            n_errors += found.iter().filter(|outcome| outcome.is_err()).count();
        }
    }
    n_errors
}

#[test]
fn prefetched_batches_are_the_same() {
    assert_eq!(check(&FailingSource { bytes: file().into(), at: None, is_short: false }), 0);
}

#[test]
fn errors_are_of_the_batch_that_has_them() {
    let bytes = file();
    let blocks =
        FileReader::try_from_buffer(Buffer::from(bytes.clone())).unwrap().footer().batches().to_vec();
    let mut rng = Rng::new(3);
    for _ in 0..10 {
        let block = blocks[rng.below(N_BATCHES)];
        // A byte that cannot be read, and metadata that is no message.
        let at = block.position() + rng.below(block.n_bytes() as usize) as u64;
        let source = FailingSource { bytes: bytes.clone().into(), at: Some(at), is_short: false };
        check(&source);
        check(&FailingSource { is_short: true, ..source });
        let mut damaged = bytes.clone();
        damaged[block.position() as usize + 8..][..8].fill(0xff);
        assert_eq!(
            check(&FailingSource { bytes: damaged.into(), at: None, is_short: false }),
            12,
            "one in each way"
        );
    }
}

#[test]
fn errors_of_a_source_name_the_range() {
    let bytes = Buffer::from(file());
    let block = FileReader::try_from_buffer(bytes.clone()).unwrap().footer().batches()[3];
    // In the last column; padding comes after it.
    let at = block.position() + block.n_bytes() - 40;
    let reader = open(&FailingSource { bytes, at: Some(at), is_short: false }, ReadOptions::new());
    for error in [reader.batch(3).unwrap_err(), reader.rows(900..1_200).unwrap().next().unwrap().unwrap_err()]
    {
        let IpcErrorKind::Fetch { start, end, error: cause } = error.kind() else { panic!("{error}") };
        assert!((*start..*end).contains(&at) && *start >= block.position(), "{error}");
        assert_eq!(
            (error.class(), cause.to_string()),
            (ErrorClass::Io, "the disk is broken here".to_owned())
        );
        assert_eq!(error.location().byte_offset, Some(block.position()));
    }
}

#[test]
fn prefetched_rows_are_the_same() {
    let source = FailingSource { bytes: file().into(), at: None, is_short: false };
    let one_by_one: Vec<_> = open(&source, ReadOptions::new().with_prefetch_bytes(0))
        .batches()
        .flat_map(|batch| rows(&batch.unwrap()))
        .collect();
    let mut rng = Rng::new(5);
    for prefetch_bytes in [1, 9_000, 30_000, 1 << 20] {
        let reader = open(&source, ReadOptions::new().with_prefetch_bytes(prefetch_bytes));
        for _ in 0..20 {
            let start = rng.below(one_by_one.len() + 1);
            let end = start + rng.below(one_by_one.len() + 1 - start);
            let found = reader.rows(start as u64..end as u64).unwrap().map(Result::unwrap);
            assert!(
                found.flat_map(|batch| rows(&batch)).eq(one_by_one[start..end].iter().cloned()),
                "{start}..{end}"
            );
        }
    }
}

#[test]
fn both_ends_and_leaps_give_the_same_batches() {
    let source = FailingSource { bytes: file().into(), at: None, is_short: false };
    let one_by_one: Vec<_> =
        open(&source, ReadOptions::new().with_prefetch_bytes(0)).batches().map(outcome).collect();
    let mut rng = Rng::new(9);
    for prefetch_bytes in [9_000, 30_000, 1 << 20] {
        for _ in 0..20 {
            let reader = open(&source, ReadOptions::new().with_prefetch_bytes(prefetch_bytes));
            let (mut found, mut expected) = (reader.batches(), one_by_one.iter());
            loop {
                let (found, expected) = match rng.below(3) {
                    0 => (found.next(), expected.next()),
                    1 => (found.next_back(), expected.next_back()),
                    _ => {
                        let n = rng.below(4);
                        (found.nth(n), expected.nth(n))
                    }
                };
                assert_eq!(found.map(outcome).as_ref(), expected);
                if expected.is_none() {
                    break;
                }
            }
        }
    }
}

#[test]
fn what_a_budget_does_not_allow_together_is_read_one_by_one() {
    let source = FailingSource { bytes: file().into(), at: None, is_short: false };
    let budget = MemoryBudget::new(20_000);
    let options = ReadOptions::new().with_memory_budget(budget.clone()).with_prefetch_bytes(1 << 20);
    let reader = open(&source, options);
    let n_rows: usize = reader.batches().map(|batch| batch.unwrap().n_rows()).sum();
    assert_eq!(n_rows, N_BATCHES * N_ROWS);
    drop(reader);
    assert_eq!(budget.n_bytes_allocated(), 0);
    // Of this, not even one batch fits.
    let budget = MemoryBudget::new(6_000);
    let reader = open(&source, ReadOptions::new().with_memory_budget(budget).with_prefetch_bytes(1 << 20));
    let error = reader.batches().next().unwrap().unwrap_err();
    assert_eq!(error.class(), ErrorClass::LimitExceeded);
}

/// The batches that a source gives without I/O, with what is requested before the first is taken.
fn drive(prefetcher: &mut BatchPrefetcher, source: &Buffer) -> (Vec<usize>, Vec<Range<u64>>) {
    let (mut found, mut requested) = (Vec::new(), Vec::new());
    while prefetcher.n_left() > 0 {
        while let Some(range) = prefetcher.next_request(|_| true) {
            let bytes = source.fetch(range.clone()).unwrap();
            prefetcher.provide(range.clone(), bytes).unwrap();
            if found.is_empty() {
                requested.push(range);
            }
        }
        found.extend(iter::from_fn(|| prefetcher.take_next()).map(|fetched| fetched.batch_idx()));
    }
    (found, requested)
}

#[test]
fn only_batches_of_the_file_are_prefetched() {
    let bytes = Buffer::from(file());
    let reader = open(&FailingSource { bytes: bytes.clone(), at: None, is_short: false }, ReadOptions::new());
    #[allow(clippy::reversed_empty_ranges)] // That is one of them.
    let ranges = [0..N_BATCHES + 1, N_BATCHES..N_BATCHES + 1, 0..usize::MAX, 0..0, 4..2, 3..7, 11..12];
    for range in ranges {
        let found = drive(&mut reader.decoder().prefetcher(range.clone()), &bytes).0;
        assert!(found.into_iter().eq(range.start..range.end.min(N_BATCHES)), "{range:?}");
    }
}

/// Answers come in any order, and some requests fail: the batches are those that are read one by one, each once.
#[test]
fn answers_come_in_any_order() {
    let bytes = Buffer::from(file());
    let mut rng = Rng::new(17);
    for round in 0..60 {
        let columns = if round % 2 == 0 { Projection::All } else { Projection::Positions(vec![0, 2]) };
        let max_bytes = [1, 9_000, 30_000, 1 << 20][round % 4];
        let options = ReadOptions::new().with_prefetch_bytes(max_bytes).with_projection(columns);
        let reader = open(&FailingSource { bytes: bytes.clone(), at: None, is_short: false }, options);
        let one_by_one: Vec<_> = (0..N_BATCHES).map(|idx| outcome(reader.batch(idx))).collect();
        let mut prefetcher = reader.decoder().prefetcher(0..N_BATCHES);
        let (mut under_way, mut found) = (Vec::new(), Vec::from_iter((0..N_BATCHES).map(|_| None)));
        let is_ordered = rng.below(2) == 0;
        while prefetcher.n_left() > 0 {
            under_way.extend(prefetcher.next_request(|_| rng.below(3) > 0));
            if !under_way.is_empty() && rng.below(3) > 0 {
                let range: Range<u64> = under_way.swap_remove(rng.below(under_way.len()));
                match rng.below(10) {
                    0 => prefetcher.fail(IpcErrorKind::AlreadyFailed { what: "source" }),
                    _ => prefetcher.provide(range.clone(), bytes.fetch(range).unwrap()).unwrap(),
                }
            }
            let taken = if is_ordered { prefetcher.take_next() } else { prefetcher.take_any() };
            let Some(fetched) = taken else { continue };
            let batch_idx = fetched.batch_idx();
            let read = fetched.decode();
            // What failed alone has its error; all else is there.
            if read.is_err() && prefetcher.put_back(batch_idx) {
                panic!("only what is read alone fails");
            }
            if rng.below(10) == 0 && prefetcher.put_back(batch_idx) {
                continue;
            }
            assert!(found[batch_idx].replace(read.map(|read| outcome(Ok(read.batch)))).is_none());
        }
        for (batch_idx, found) in found.into_iter().enumerate() {
            match found.unwrap() {
                Ok(found) => assert_eq!(found, one_by_one[batch_idx], "{round}"),
                Err(error) => assert!(matches!(error.kind(), IpcErrorKind::AlreadyFailed { .. }), "{error}"),
            }
        }
    }
}

/// The most bytes that were requested at once, and how often more were than it gives.
#[derive(Debug)]
struct LimitedSource {
    bytes: Buffer,
    n_bytes: AtomicU64,
    max_bytes: u64,
    n_refused: AtomicU64,
}

impl LimitedSource {
    fn new(bytes: Vec<u8>, max_bytes: u64) -> LimitedSource {
        LimitedSource {
            bytes: bytes.into(),
            n_bytes: AtomicU64::new(0),
            max_bytes,
            n_refused: AtomicU64::new(0),
        }
    }
}

impl Source for &LimitedSource {
    fn n_bytes(&self) -> io::Result<u64> {
        self.bytes.n_bytes()
    }

    fn fetch(&self, range: Range<u64>) -> io::Result<Buffer> {
        let n_bytes = range.end - range.start;
        self.n_bytes.fetch_max(n_bytes, Ordering::Relaxed);
        if n_bytes > self.max_bytes {
            self.n_refused.fetch_add(1, Ordering::Relaxed);
            return Err(io::Error::other("that is too long"));
        }
        self.bytes.fetch(range)
    }
}

/// The file with other blocks in its footer.
fn with_blocks(replaced: &[(usize, Vec<u8>)]) -> Vec<u8> {
    let mut bytes = file();
    let blocks =
        FileReader::try_from_buffer(Buffer::from(bytes.clone())).unwrap().footer().batches().to_vec();
    let offset = |idx: &usize| {
        let wire = wire(&blocks[*idx]);
        bytes.windows(24).rposition(|found| found == wire).expect("a block of the footer")
    };
    let offsets: Vec<usize> = replaced.iter().map(|(idx, _)| offset(idx)).collect();
    for (offset, (_, block)) in offsets.into_iter().zip(replaced) {
        bytes[offset..offset + 24].copy_from_slice(block);
    }
    bytes
}

/// Requests are joined in the order of the file: a footer of another order must not make them longer than what is prefetched.
#[test]
fn blocks_out_of_order_do_not_join_what_is_between_them() {
    let blocks = FileReader::try_from_buffer(Buffer::from(file())).unwrap().footer().batches().to_vec();
    let prefetch_bytes = 2 * blocks[0].n_bytes() + 100;
    for (one, other) in [(0, 11), (1, 11), (0, 6), (3, 9)] {
        let bytes = with_blocks(&[(one, wire(&blocks[other])), (other, wire(&blocks[one]))]);
        let source = LimitedSource::new(bytes, u64::MAX);
        let options = ReadOptions::new()
            .with_fetch_cost(FetchCost::OBJECT_STORE)
            .with_tail_bytes(0)
            .with_prefetch_bytes(prefetch_bytes);
        let reader = FileReader::try_new_with(&source, options).unwrap();
        let first_numbers: Vec<i64> = reader
            .batches()
            .map(|batch| {
                Int64Array::try_from(batch.unwrap().column("c0").unwrap().clone()).unwrap().values()[0]
            })
            .collect();
        let mut order: Vec<i64> = (0..12).map(|idx| idx * 1_000).collect();
        order.swap(one, other);
        assert_eq!(first_numbers, order);
        let longest = source.n_bytes.load(Ordering::Relaxed);
        assert!(longest <= prefetch_bytes, "{longest} bytes at once, {one} and {other} swapped");
    }
}

/// Each batch takes memory of its own, so the number of short batches that are read together is limited.
#[test]
fn the_shortest_blocks_are_not_all_read_together() {
    let batch = |n| RecordBatch::try_from_columns([("n", Int64Array::from_iter([n]).into())]).unwrap();
    let batches: Vec<RecordBatch> = (0..300).map(batch).collect();
    let bytes = FileWriter::write_to_buffer(batches[0].schema(), &batches).unwrap();
    for (prefetch_bytes, n_together) in [(100_000, 64), (200 * 2_048, 200)] {
        let source = FailingSource { bytes: bytes.clone(), at: None, is_short: false };
        let reader = open(&source, ReadOptions::new().with_prefetch_bytes(prefetch_bytes));
        let blocks = reader.footer().batches();
        let (found, requested) = drive(&mut reader.decoder().prefetcher(0..300), &bytes);
        let n_requested: u64 = requested.iter().map(|range| range.end - range.start).sum();
        let last = &blocks[n_together - 1];
        assert_eq!(found.len(), 300);
        assert_eq!(n_requested, last.position() + last.n_bytes() - blocks[0].position());
    }
}

/// A batch that is given can be decoded, whichever is first: the first one and the dictionaries are larger than what is prefetched.
#[test]
fn no_batch_is_given_before_its_dictionaries() {
    let schema: Schema = "d: dictionary<int32, utf8>\nx: int64".parse().unwrap();
    let batches = Generator::new(1).batches(&schema, &[3_000, 2, 3, 4]);
    let options = WriteOptions::new().with_dictionaries(DictionaryPolicy::Delta);
    let bytes = FileWriter::write_to_buffer_with(batches[0].schema(), &batches, options).unwrap();
    let source = FailingSource { bytes, at: None, is_short: false };
    for max_batch_bytes in [0, 2_000, 16_000, u64::MAX] {
        for prefetch_bytes in [2_000, 16_000, 1 << 20] {
            let reader = open(&source, ReadOptions::new().with_prefetch_bytes(prefetch_bytes));
            let mut prefetcher = reader.prefetcher().with_max_batch_bytes(max_batch_bytes);
            let mut given: Vec<_> = (0..4).map(|batch_idx| prefetcher.next_of(batch_idx..4)).collect();
            while let Some(next) = given.pop() {
                let batch_idx = next.batch_idx();
                assert_eq!(rows(&next.read().unwrap().batch), rows(&batches[batch_idx]), "{max_batch_bytes}");
            }
        }
    }
}

/// If reading ahead fails each time, it is tried ever less often.
#[test]
fn what_fails_together_is_not_tried_with_each_batch() {
    let n_block_bytes =
        FileReader::try_from_buffer(Buffer::from(file())).unwrap().footer().batches()[0].n_bytes();
    let source = LimitedSource::new(file(), n_block_bytes);
    let options = ReadOptions::new()
        .with_fetch_cost(FetchCost::OBJECT_STORE)
        .with_tail_bytes(0)
        .with_prefetch_bytes(4 * n_block_bytes);
    let reader = FileReader::try_new_with(&source, options).unwrap();
    let before = source.n_refused.load(Ordering::Relaxed);
    assert_eq!(reader.batches().filter(Result::is_ok).count(), N_BATCHES);
    // With batches 0, 1, 3, 7; each also asks for less.
    let n_refused = source.n_refused.load(Ordering::Relaxed) - before;
    assert!((1..=4).contains(&n_refused), "{n_refused}");
}
