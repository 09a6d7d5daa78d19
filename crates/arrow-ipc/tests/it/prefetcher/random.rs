//! Random files, sizes, costs, budgets and answers: reading ahead always gives the results of serial reading, and
//! always ends.

use std::{
    io,
    ops::Range,
    sync::{
        Arc, Mutex,
        atomic::{AtomicUsize, Ordering},
    },
    thread,
    time::Duration,
};

use arrow_buffer::{Buffer, MemoryBudget};
use arrow_ipc::{
    DictionaryPolicy, FetchCost, FileReader, FileWriter, IpcError, IpcErrorKind, Projection, ReadOptions,
    Source, WriteOptions,
    file::{BatchPrefetcher, Block},
};
use arrow_schema::Schema;
use testing_support::{Generator, Hunt, Rng};

use super::{outcome, wire};

type Outcome = Result<Vec<String>, (arrow_ipc::ErrorClass, String)>;

const SCHEMAS: [&str; 5] = [
    "x: int64\ny: utf8",
    "d: dictionary<int32, utf8>\nx: int64",
    "d: dictionary<int32, utf8>\ne: dictionary<int32, int64>\nx: int64",
    "d: dictionary<int32, list<item: dictionary<int32, utf8>>>\nx: int64",
    "x: int64\nd: dictionary<int32, utf8>\ns: struct<e: dictionary<int32, binary>>",
];

/// A file with deltas after batches.
fn file(rng: &mut Rng) -> Vec<u8> {
    let schema: Schema = rng.pick(&SCHEMAS).parse().unwrap();
    let most_rows = *rng.pick(&[2, 30, 200]);
    let n_rows: Vec<usize> = (0..rng.below(14)).map(|_| rng.below(most_rows)).collect();
    let batches = Generator::new(rng.bits()).batches(&schema, &n_rows);
    let options = WriteOptions::new().with_dictionaries(DictionaryPolicy::Delta);
    let mut writer = FileWriter::try_new_with(Vec::new(), Arc::new(schema), options).unwrap();
    batches.iter().for_each(|batch| writer.write(batch).unwrap());
    writer.finish().unwrap()
}

fn blocks_of(bytes: &[u8]) -> Vec<Block> {
    let reader = FileReader::try_from_buffer(Buffer::copy_from(bytes)).unwrap();
    let footer = reader.footer();
    footer.dictionaries().iter().chain(footer.batches()).copied().collect()
}

/// Swaps, replaces or shifts blocks of the footer, or changes bytes.
fn damage(bytes: &mut [u8], rng: &mut Rng) {
    let blocks = blocks_of(bytes);
    let positions: Vec<usize> = blocks
        .iter()
        .map(|block| bytes.windows(24).rposition(|found| found == wire(block)).expect("in the footer"))
        .collect();
    for _ in 0..=rng.below(3) {
        if blocks.is_empty() || rng.one_in(4) {
            let at = rng.below(bytes.len());
            bytes[at] ^= 1 << rng.below(8);
            continue;
        }
        let (to, from) = (*rng.pick(&positions), *rng.pick(&positions));
        let was: [u8; 24] = bytes[to..to + 24].try_into().unwrap();
        match rng.below(4) {
            0 => bytes.copy_within(from..from + 24, to),
            1 => {
                bytes.copy_within(from..from + 24, to);
                bytes[from..from + 24].copy_from_slice(&was);
            }
            // The position, or the length of the body.
            kind => {
                let at = to + if kind == 2 { 0 } else { 16 };
                let number = u64::from_le_bytes(bytes[at..at + 8].try_into().unwrap());
                let by = 8 * rng.within(-100..=100);
                bytes[at..at + 8].copy_from_slice(&number.wrapping_add_signed(by).to_le_bytes());
            }
        }
    }
}

/// A file, and how it is read.
struct Case {
    bytes: Buffer,
    options: ReadOptions,
    prefetch_bytes: u64,
    is_damaged: bool,
    expected: Vec<Outcome>,
}

/// Never there as a whole. One request fails, or gives too few bytes.
#[derive(Debug, Clone)]
struct FailingOnce {
    bytes: Buffer,
    n_before: Arc<AtomicUsize>,
    is_short: bool,
}

impl Source for FailingOnce {
    fn n_bytes(&self) -> io::Result<u64> {
        self.bytes.n_bytes()
    }

    fn fetch(&self, range: Range<u64>) -> io::Result<Buffer> {
        // It wraps around after very many.
        match self.n_before.fetch_sub(1, Ordering::Relaxed) {
            0 if self.is_short => self.bytes.fetch(range.start..range.end - 1),
            0 => Err(io::Error::other("not this time")),
            _ => self.bytes.fetch(range),
        }
    }
}

impl Case {
    /// A random case; `None` if the file cannot be opened.
    fn random(rng: &mut Rng) -> Option<Case> {
        let mut bytes = file(rng);
        let is_damaged = rng.one_in(2);
        if is_damaged {
            damage(&mut bytes, rng);
        }
        let bytes = Buffer::from(bytes);
        let few = FetchCost::new(Duration::from_millis(1), 1_000_000).with_requests_in_flight(3);
        let cost = *rng.pick(&[FetchCost::OBJECT_STORE, FetchCost::DISK, FetchCost::FREE_REQUESTS, few]);
        let columns = if rng.one_in(3) { Projection::Positions(vec![0]) } else { Projection::All };
        let options = ReadOptions::new().with_fetch_cost(cost).with_tail_bytes(0).with_projection(columns);
        let prefetch_bytes = *rng.pick(&[0, 300, 1_000, 2_000, 4_000, 16_000, 1 << 20]);
        let mut case = Case { bytes, options, prefetch_bytes, is_damaged, expected: Vec::new() };
        let serial = case.options.clone().with_prefetch_bytes(0);
        let serial = FileReader::try_new_with(case.source(usize::MAX), serial).ok()?;
        case.expected = serial.batches().map(outcome).collect();
        Some(case)
    }

    fn source(&self, n_before: usize) -> FailingOnce {
        let n_before = Arc::new(AtomicUsize::new(n_before));
        FailingOnce { bytes: self.bytes.clone(), n_before, is_short: false }
    }

    /// With more memory than the file needs, mostly.
    fn reader(&self, source: FailingOnce, rng: &mut Rng) -> (FileReader<FailingOnce>, MemoryBudget) {
        let budget = MemoryBudget::new(*rng.pick(&[u64::MAX, u64::MAX, 1 << 22]));
        let options = self.options.clone().with_prefetch_bytes(self.prefetch_bytes);
        let reader = FileReader::try_new_with(source, options.with_memory_budget(budget.clone()));
        (reader.unwrap(), budget)
    }

    /// Compares all batches with the batches of serial reading, except for the given failures of the source.
    fn check(&self, found: Vec<Option<arrow_ipc::Result<arrow_data::RecordBatch>>>, n_failures: usize) {
        assert_eq!(found.len(), self.expected.len());
        let mut n_failed = 0;
        for (batch_idx, (found, expected)) in found.into_iter().zip(&self.expected).enumerate() {
            let found = found.unwrap_or_else(|| panic!("batch {batch_idx} was not given"));
            if matches!(&found, Err(error) if is_of_source(error)) {
                n_failed += 1;
            } else {
                match (outcome(found), expected) {
                    // Of several errors, that of what has been read already is found first.
                    (Err(_), Err(_)) if self.is_damaged => {}
                    (found, expected) => assert_eq!(&found, expected, "batch {batch_idx}"),
                }
            }
        }
        assert!(n_failed <= n_failures, "{n_failed} batches have an error of {n_failures} failures");
    }
}

fn is_of_source(error: &IpcError) -> bool {
    matches!(
        error.kind(),
        IpcErrorKind::AlreadyFailed { .. } | IpcErrorKind::Fetch { .. } | IpcErrorKind::ProvidedRange { .. }
    )
}

fn cases(base: u64, mut check: impl FnMut(&Case, &mut Rng)) {
    let (hunt, mut n_opened) = (Hunt::from_env(), 0);
    for case in 0..hunt.count(400, 20_000) {
        let mut rng = hunt.rng(base + case as u64);
        let Some(random) = Case::random(&mut rng) else { continue };
        let _named = CaseName(base + case as u64);
        check(&random, &mut rng);
        n_opened += 1;
    }
    assert!(n_opened > 200, "{n_opened}");
}

/// Says which case panics.
struct CaseName(u64);

impl Drop for CaseName {
    fn drop(&mut self) {
        if std::thread::panicking() {
            eprintln!("case {}", self.0);
        }
    }
}

/// Answers in any order, late, failing, or too short.
struct Answers<'a> {
    case: &'a Case,
    under_way: Vec<Range<u64>>,
    max_failures: usize,
    n_failures: usize,
}

impl Answers<'_> {
    /// Requests as much as there is capacity for. Returns whether anything was.
    fn request(&mut self, prefetcher: &mut BatchPrefetcher, most: usize) -> bool {
        let n_before = self.under_way.len();
        while let Some(range) = prefetcher.next_request(|_| self.under_way.len() < most) {
            assert!(!range.is_empty() && range.end <= self.case.bytes.len() as u64, "{range:?}");
            self.under_way.push(range);
        }
        self.under_way.len() > n_before
    }

    fn answer(&mut self, prefetcher: &mut BatchPrefetcher, rng: &mut Rng) {
        let range = self.under_way.swap_remove(rng.below(self.under_way.len()));
        let kind = if self.n_failures < self.max_failures { rng.below(10) } else { 9 };
        let end = if kind == 1 { range.end - 1 } else { range.end };
        let provided = match kind {
            0 => Err(IpcErrorKind::AlreadyFailed { what: "source" }.into()),
            _ => prefetcher.provide(range.clone(), self.case.bytes.fetch(range.start..end).unwrap()),
        };
        assert_eq!(provided.is_err(), kind < 2, "{range:?}: {provided:?}");
        if let Err(error) = provided {
            prefetcher.fail(error);
            self.under_way.clear();
            self.n_failures += 1;
        }
    }
}

#[test]
fn the_machine_gives_what_serial_reading_gives() {
    cases(1_000_000, |case, rng| {
        let (reader, _budget) = case.reader(case.source(usize::MAX), rng);
        let n_batches = reader.n_batches();
        let mut prefetcher = reader.decoder().prefetcher(0..n_batches);
        let mut answers = Answers { case, under_way: Vec::new(), max_failures: rng.below(3), n_failures: 0 };
        let mut found = Vec::from_iter((0..n_batches).map(|_| None));
        let (is_ordered, most) = (rng.one_in(2), 1 + rng.below(6));
        let mut n_steps = 0;
        while prefetcher.n_left() > 0 {
            n_steps += 1;
            assert!(n_steps < 10_000, "it goes on for ever");
            let has_requested = answers.request(&mut prefetcher, most);
            let is_late = has_requested && rng.one_in(3);
            let has_answered = !answers.under_way.is_empty() && !is_late;
            if has_answered {
                answers.answer(&mut prefetcher, rng);
            }
            let taken = if is_ordered { prefetcher.take_next() } else { prefetcher.take_any() };
            assert!(
                has_requested || has_answered || taken.is_some(),
                "it stands still with {} left",
                prefetcher.n_left()
            );
            let Some(fetched) = taken else { continue };
            let batch_idx = fetched.batch_idx();
            // Decoded as soon as it is given, though others are under way.
            let read = fetched.decode().map(|read| read.batch);
            assert!(found[batch_idx].replace(read).is_none(), "batch {batch_idx} was given twice");
        }
        // If dictionaries are damaged, what is under way is no longer wanted.
        assert!(case.is_damaged || answers.under_way.is_empty(), "nobody waits for it");
        case.check(found, answers.n_failures);
    });
}

#[test]
fn files_give_what_serial_reading_gives_by_any_thread() {
    cases(2_000_000, |case, rng| {
        let source = FailingOnce { is_short: rng.one_in(2), ..case.source(usize::MAX) };
        let (reader, budget) = case.reader(source.clone(), rng);
        let n_failures = if rng.one_in(2) { 0 } else { 1 };
        source.n_before.store(if n_failures == 0 { usize::MAX } else { rng.below(12) }, Ordering::Relaxed);
        let n_batches = reader.n_batches();
        let max_batch_bytes = *rng.pick(&[u64::MAX, u64::MAX, 0, 500, 3_000]);
        let mut prefetcher = reader.prefetcher().with_max_batch_bytes(max_batch_bytes);
        let found = Mutex::new(Vec::from_iter((0..n_batches).map(|_| None)));
        let put = |batch_idx: usize, read| {
            assert!(found.lock().unwrap()[batch_idx].replace(read).is_none());
        };
        let is_all = rng.one_in(2);
        if rng.one_in(2) {
            // The last is decoded first.
            let mut next: Vec<_> =
                (0..n_batches).map(|batch_idx| prefetcher.next_of(batch_idx..n_batches)).collect();
            while let Some(next) = next.pop() {
                let batch_idx = next.batch_idx();
                let read = if is_all { next.read() } else { next.fetch().and_then(|it| it.decode()) };
                put(batch_idx, read.map(|read| read.batch));
            }
            drop(prefetcher);
        } else {
            let next = Mutex::new((prefetcher, 0..n_batches));
            thread::scope(|scope| {
                for _ in 0..3 {
                    scope.spawn(|| {
                        loop {
                            let mut locked = next.lock().unwrap();
                            let Some(batch_idx) = locked.1.next() else { break };
                            let next = locked.0.next_of(batch_idx..n_batches);
                            drop(locked);
                            put(batch_idx, next.read().map(|read| read.batch));
                        }
                    });
                }
            });
        }
        case.check(found.into_inner().unwrap(), n_failures);
        drop(reader);
        assert_eq!(budget.n_bytes_allocated(), 0);
    });
}
