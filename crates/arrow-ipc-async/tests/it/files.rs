//! Files: every result, including errors, equals the result of `FileReader`.

use std::{
    io,
    ops::Range,
    sync::atomic::{AtomicUsize, Ordering},
};

use arrow_buffer::Buffer;
use arrow_ipc::{
    FetchCost, FileDecoder, FileReader, IpcErrorKind, Limits, Projection, ReadOptions, Result, Source,
    StreamWriter, file::StreamEnd,
};
use arrow_ipc_async::AsyncFileReader;

use crate::support::{Outcome, Store, apart, corpus, drive, file_of, next_item, outcome};

/// Nothing is read ahead, so each read makes requests, and both readers find the same error first.
fn options() -> ReadOptions {
    apart(3)
}

/// Memory that is read by ranges like a file, so both readers find the same error first.
#[derive(Debug)]
struct Ranges(Buffer);

impl Source for Ranges {
    fn n_bytes(&self) -> io::Result<u64> {
        self.0.n_bytes()
    }

    fn fetch(&self, range: Range<u64>) -> io::Result<Buffer> {
        self.0.fetch(range)
    }
}

pub(crate) fn compare(name: &str, bytes: &Buffer) -> usize {
    let store = Store::new(bytes.clone());
    let expected = FileReader::try_new_with(Ranges(bytes.clone()), options());
    let found = drive(AsyncFileReader::try_new_with(store.clone(), options()));
    let (expected, found) = match (expected, found) {
        (Ok(expected), Ok(found)) => (expected, found),
        (Err(expected), Err(found)) => {
            assert_eq!(found.to_string(), expected.to_string(), "{name}");
            return 0;
        }
        (expected, found) => panic!("{name}: {:?}, not {:?}", found.map(drop), expected.map(drop)),
    };
    assert_eq!(found.schema(), expected.schema(), "{name}");
    assert_eq!(found.n_batches(), expected.n_batches(), "{name}");
    let text = |result: Result<u64>| result.map_err(|error| error.to_string());
    assert_eq!(text(drive(found.n_rows())), text(expected.n_rows()), "{name}");
    for batch_idx in 0..expected.n_batches().min(20) {
        let batch = outcome(drive(found.batch(batch_idx)));
        assert_eq!(batch, outcome(expected.batch(batch_idx)), "{name}");
        let n_rows = drive(found.n_rows_of(batch_idx)).unwrap_or(0);
        let some = n_rows / 3..n_rows;
        let batch = outcome(drive(found.batch_rows(batch_idx, some.clone())));
        assert_eq!(batch, outcome(expected.batch_rows(batch_idx, some)), "{name}");
    }
    let last = Projection::Positions(vec![expected.schema().fields().len().saturating_sub(1)]);
    if let (Ok(expected), Ok(found)) = (expected.project(&last), found.project(&last)) {
        for batch_idx in 0..expected.n_batches().min(20) {
            assert_eq!(outcome(drive(found.batch(batch_idx))), outcome(expected.batch(batch_idx)), "{name}");
        }
    }
    compare_batches(name, &expected, &found);
    expected.n_batches()
}

/// Reads all batches, in order and as they become complete. Each has the same error as when it is read alone.
fn compare_batches(name: &str, expected: &FileReader<Ranges>, found: &AsyncFileReader<Store>) {
    let expected: Vec<Outcome> = expected.batches().take(100).map(outcome).collect();
    let mut batches = found.batches();
    for expected in &expected {
        let batch = drive(batches.next_batch()).transpose().expect(name);
        assert_eq!(&outcome(batch), expected, "{name}");
    }
    let mut batches = found.batches().unordered();
    let mut unordered = Vec::new();
    while unordered.len() < 100
        && let Some((batch_idx, batch)) = drive(next_item(&mut batches))
    {
        unordered.push((batch_idx, outcome(batch)));
    }
    unordered.sort_by_key(|(batch_idx, _)| *batch_idx);
    if found.n_batches() <= 100 {
        assert_eq!(unordered, expected.into_iter().enumerate().collect::<Vec<_>>(), "{name}");
    }
}

#[test]
fn files_and_streams_of_others_read_as_without_waiting() {
    let mut n_batches = 0;
    for suffix in [".arrow", ".arrow_file", ".arrows", ".stream"] {
        for (path, bytes) in corpus(suffix).iter().filter(|(_, bytes)| bytes.len() < 100_000) {
            n_batches += compare(&path.display().to_string(), bytes);
        }
    }
    assert!(n_batches > 200, "{n_batches}");
}

#[test]
fn a_stream_is_opened_with_its_index_by_two_ranges() {
    let path = testing_support::corpus_dir().join("golden/pyarrow-26.0.1/dictionary-deltas.arrows");
    let bytes = Buffer::from(std::fs::read(path).unwrap());
    let walked = drive(AsyncFileReader::try_new(Store::new(bytes.clone()))).unwrap();
    let index = drive(walked.index()).unwrap();
    let store = Store::new(bytes);
    let options = ReadOptions::new().with_fetch_cost(FetchCost::FREE_REQUESTS);
    let indexed = drive(AsyncFileReader::try_new_indexed_with(store.clone(), &index, options)).unwrap();
    assert_eq!(store.take_requests().len(), 2);
    assert_eq!((indexed.n_batches(), indexed.stream_end()), (walked.n_batches(), walked.stream_end()));
    for batch_idx in 0..walked.n_batches() {
        assert_eq!(drive(indexed.batch(batch_idx)).unwrap(), drive(walked.batch(batch_idx)).unwrap());
    }
    let other =
        drive(AsyncFileReader::try_new_indexed(Store::new(Buffer::from_static(b"another stream")), &index));
    assert!(matches!(other.err().unwrap().kind(), IpcErrorKind::StreamIndex { .. }));
}

#[test]
fn the_end_of_a_file_comes_with_one_request() {
    let path = testing_support::corpus_dir().join("golden/pyarrow-26.0.1/fifty-columns.arrow");
    let store = Store::new(std::fs::read(path).unwrap());
    let n_bytes = store.bytes.len() as u64;
    let options = ReadOptions::new().with_tail_bytes(n_bytes - 100).with_fetch_cost(FetchCost::FREE_REQUESTS);
    let file = drive(AsyncFileReader::try_new_with(store.clone(), options)).unwrap();
    assert_eq!(store.take_requests(), std::slice::from_ref(&(100 - 63..n_bytes)));
    assert!(drive(file.batch(0)).is_ok());
    assert_eq!(file.stats().n_realigned_bytes, 0, "what is near the end of the file lies aligned in memory");
}

/// A file to which another process appends. It returns lengths of one version and bytes of the next, until the last
/// version is reached.
#[derive(Debug)]
struct GrowingFile {
    versions: Vec<Buffer>,
    n_calls: AtomicUsize,
}

impl GrowingFile {
    fn new(n_versions: usize) -> GrowingFile {
        let version = |n_batches: usize| Buffer::from(file_of("a: int64", &vec![3; n_batches]));
        GrowingFile { versions: (1..=n_versions).map(version).collect(), n_calls: AtomicUsize::new(0) }
    }

    fn tell(&self) -> u64 {
        let n_calls = self.n_calls.fetch_add(1, Ordering::Relaxed);
        self.versions[n_calls.min(self.versions.len() - 1)].len() as u64
    }

    fn bytes(&self) -> &Buffer {
        &self.versions[self.n_calls.load(Ordering::Relaxed).min(self.versions.len() - 1)]
    }
}

impl Source for &GrowingFile {
    fn n_bytes(&self) -> io::Result<u64> {
        Ok(self.tell())
    }

    fn fetch(&self, range: Range<u64>) -> io::Result<Buffer> {
        self.bytes().fetch(range)
    }
}

impl arrow_ipc_async::AsyncSource for GrowingFile {
    async fn n_bytes(&self) -> io::Result<u64> {
        Ok(self.tell())
    }

    async fn fetch(&self, range: Range<u64>) -> io::Result<Buffer> {
        Source::fetch(self.bytes(), range)
    }
}

#[test]
fn a_file_that_grows_while_it_is_opened_is_opened_at_its_new_length() {
    for n_versions in [1, 2, 5] {
        let blocking = FileReader::try_new(&GrowingFile::new(n_versions)).unwrap().n_batches();
        let found = drive(AsyncFileReader::try_new(GrowingFile::new(n_versions))).unwrap();
        assert_eq!((found.n_batches(), blocking), (n_versions, n_versions));
    }
    // The number of attempts is limited. An attempt requests the length twice.
    let growing = GrowingFile::new(2 * FileDecoder::MAX_ATTEMPTS as usize + 1);
    assert!(FileReader::try_new(&growing).is_err());
    assert!(drive(AsyncFileReader::try_new(GrowingFile::new(growing.versions.len()))).is_err());
}

/// A decoder was kept that had found two batches under a limit. With a greater limit there are three.
#[test]
fn a_stream_that_ended_at_a_limit_does_not_end_there_without_an_error() {
    let batch = |n_rows| testing_support::batch_of(testing_support::ints(vec![7; n_rows]));
    let mut writer = StreamWriter::try_new(Vec::new(), batch(0).schema()).unwrap();
    for n_rows in [3, 4, 5_000] {
        writer.write(&batch(n_rows)).unwrap();
    }
    let store = Store::new(writer.finish().unwrap());
    let low = options().with_limits(Limits::new().with_max_body_bytes(1_000));
    let opened = drive(AsyncFileReader::try_new_with(store.clone(), low)).unwrap();
    assert_eq!((opened.n_batches(), opened.stream_end()), (2, Some(StreamEnd::Incomplete)));
    let decoder = opened.decoder().without_tail().reopen_with(options()).unwrap();
    let file = AsyncFileReader::from_decoder(store, decoder);
    let mut batches = file.batches();
    let mut found = Vec::new();
    loop {
        match drive(batches.next_batch()) {
            Ok(Some(batch)) => found.push(Ok(batch.n_rows())),
            Ok(None) => break,
            Err(error) => found.push(Err(matches!(error.kind(), IpcErrorKind::StreamContinues))),
        }
    }
    assert_eq!(found, [Ok(3), Ok(4), Err(true)]);
    assert!(matches!(drive(file.n_rows()).unwrap_err().kind(), IpcErrorKind::StreamContinues));
    assert_eq!(drive(async { file.refresh().await?.n_rows().await }).unwrap(), 5_007);
}
