//! Bytes before a footer that no block has: of files that were written one after the other, and others.

use std::{
    io,
    ops::Range,
    sync::atomic::{AtomicU64, Ordering},
};

use arrow_array::{Int64Array, Utf8Array};
use arrow_buffer::Buffer;
use arrow_data::RecordBatch;
use arrow_ipc::{
    FileAppender, FileReader, FileWriter, Limits, ReadOptions, Source, StreamWriter,
    file::{Footer, UnreferencedBytes, UnreferencedKind},
};

fn batch(n_rows: i64) -> RecordBatch {
    let names = (0..n_rows).map(|row| row.to_string());
    let columns = [
        ("id", Int64Array::from_iter(0..n_rows).into()),
        ("name", Utf8Array::try_from_iter(names).unwrap().into()),
    ];
    RecordBatch::try_from_columns(columns).unwrap()
}

fn file(n_batches: usize, n_rows: i64) -> Vec<u8> {
    let batch = batch(n_rows);
    let mut writer = FileWriter::try_new(Vec::new(), batch.schema()).unwrap();
    (0..n_batches).for_each(|_| writer.write(&batch).unwrap());
    writer.finish().unwrap()
}

fn unreferenced(bytes: Vec<u8>) -> Option<(UnreferencedKind, Range<u64>)> {
    let found = FileReader::try_from_buffer(Buffer::from(bytes)).unwrap().unreferenced_bytes().unwrap();
    found.map(|found| (found.kind, found.range))
}

fn second_file(bytes: Vec<u8>) -> Option<u64> {
    let (kind, range) = unreferenced(bytes.clone())?;
    let footer = Footer::read(&Buffer::from(bytes), &Limits::default()).unwrap();
    assert_eq!(range.end, footer.position());
    (kind == UnreferencedKind::SecondFile).then_some(range.start)
}

/// Whatever the numbers of batches are: the first file may have fewer batches than the last footer lists, if its bytes suffice.
#[test]
fn a_second_file_is_found_where_it_begins() {
    for first in [0, 1, 2, 100] {
        for second in [0, 1, 2] {
            for (long, short) in [(2, 2), (5_000, 2)] {
                let [a, b] = [file(first, long), file(second, short)];
                let bytes = [&a[..], &b].concat();
                // Blocks of the second file may be past what the first one has.
                let expected = Some(a.len() as u64);
                assert_eq!(second_file(bytes), expected, "{first} {second} {long}");
                assert_eq!(second_file(a), None, "{first} {long}");
            }
        }
    }
}

/// Copies into blocks of a device, for example, leave zeros between files.
#[test]
fn zeros_may_be_between_files() {
    let [a, b] = [file(2, 3), file(1, 3)];
    for n_zeros in [1, 16, 4_000] {
        let zeros = vec![0; n_zeros];
        let expected = Some((a.len() + n_zeros) as u64);
        assert_eq!(second_file([&a[..], &zeros, &b].concat()), expected, "{n_zeros}");
        assert_eq!(second_file([&a[..], &zeros, &a, &zeros, &b].concat()), expected, "{n_zeros}");
    }
}

/// Of several files, the second one is where the first one ends.
#[test]
fn the_first_end_counts_among_many_files() {
    let (a, b, c) = (file(3, 10), file(0, 1), file(2, 3));
    assert_eq!(second_file([&a[..], &b, &c, &a].concat()), Some(a.len() as u64));
    assert_eq!(second_file([&b[..], &b, &b].concat()), Some(b.len() as u64));
    // The search ends after some files.
    assert_eq!(second_file(b.repeat(100)), Some(b.len() as u64 * 36));
    assert_eq!(second_file(b.repeat(40)), Some(b.len() as u64));
}

/// Bytes before the footer of other kinds, and the boundary of two files among them.
#[test]
fn other_bytes_are_no_file() {
    let a = file(2, 3);
    let footer = Footer::read(&Buffer::from(a.clone()), &Limits::default()).unwrap();
    let (data, end) = a.split_at(usize::try_from(footer.position()).unwrap());
    let boundary = b"ARROW1ARROW1\0\0";
    for between in
        [&[0; 64][..], b"ARROW1", end, boundary, &boundary.repeat(99), &[0xff, 0xff, 0xff, 0xff, 0, 0, 0, 0]]
    {
        assert_eq!(second_file([data, between, end].concat()), None, "{between:?}");
    }
    let mut stream = StreamWriter::try_new(Vec::new(), batch(3).schema()).unwrap();
    stream.write(&batch(3)).unwrap();
    let stream = stream.finish().unwrap();
    assert_eq!(second_file([&stream[..], &stream].concat()), None);
}

/// Zeros up to 4 KiB, end markers and older footers are expected before the footer, with and without blocks.
#[test]
fn bytes_that_no_block_has_are_found() {
    const MARKER: &[u8] = &[0xff, 0xff, 0xff, 0xff, 0, 0, 0, 0];
    for n_batches in [0, 1, 40] {
        let a = file(n_batches, 3);
        let footer = Footer::read(&Buffer::from(a.clone()), &Limits::default()).unwrap();
        let (data, end) = a.split_at(usize::try_from(footer.position()).unwrap());
        let blocks_end = data.len() - MARKER.len();
        assert!(data.ends_with(MARKER));
        let older = [end, MARKER, end].concat();
        let cases: [(&[u8], bool); 13] = [
            (&[], false),
            (&[0; 64], false),
            (&[0; 4_000], false),
            (&[0; 5_000], true),
            (&[0; 50_000], true),
            (MARKER, false),
            (end, false),
            (&older, false),
            (&end[1..], true),
            (b"x", true),
            (&[7; 100], true),
            (&[7; 50_000], true),
            (&[&[0; 4_000][..], b"x"].concat(), true),
        ];
        for (idx, (between, is_found)) in cases.into_iter().enumerate() {
            let bytes = [data, between, end].concat();
            let range = blocks_end as u64..(data.len() + between.len()) as u64;
            let expected = is_found.then_some((UnreferencedKind::AfterLastBlock, range));
            assert_eq!(unreferenced(bytes), expected, "{n_batches} {idx}");
        }
    }
}

/// Writers pad in their own ways.
#[test]
fn files_of_other_writers_have_no_such_bytes() {
    let golden = testing_support::corpus_dir().join("golden");
    let mut n_files = 0;
    for path in testing_support::files_below(&golden, ".arrow") {
        let reader = FileReader::open(&path).unwrap();
        assert_eq!(reader.unreferenced_bytes().unwrap(), None, "{}", path.display());
        n_files += 1;
    }
    assert!(n_files > 50, "{n_files}");
}

/// An appender moves the footer before it writes, and the file is complete all the time.
#[test]
fn bytes_of_an_appender_are_no_loss() {
    let path = std::env::temp_dir().join(format!("arrow-ipc-unreferenced-{}.arrow", std::process::id()));
    std::fs::write(&path, file(1, 3)).unwrap();
    let found = || FileReader::open(&path).unwrap().unreferenced_bytes().unwrap();
    let mut appender = FileAppender::open(&path).unwrap();
    for _ in 0..3 {
        assert_eq!(found(), None);
        appender.write(&batch(50_000)).unwrap();
        let unflushed = std::fs::read(&path).unwrap();
        assert_eq!(found(), None, "not flushed");
        appender.flush().unwrap();
        assert_eq!(found(), None, "flushed");
        assert!(unflushed.len() > 500_000);
    }
    appender.finish().unwrap();
    assert_eq!(found(), None);
    std::fs::remove_file(&path).unwrap();
}

/// A file of which each fetch is counted.
struct CountingSource {
    bytes: Buffer,
    n_fetches: AtomicU64,
    n_fetched: AtomicU64,
}

impl Source for CountingSource {
    fn n_bytes(&self) -> io::Result<u64> {
        self.bytes.n_bytes()
    }

    fn fetch(&self, range: Range<u64>) -> io::Result<Buffer> {
        self.n_fetches.fetch_add(1, Ordering::Relaxed);
        self.n_fetched.fetch_add(range.end - range.start, Ordering::Relaxed);
        self.bytes.fetch(range)
    }
}

/// The batches of the first file are not read, however many they are.
#[test]
fn few_bytes_are_fetched() {
    let [a, b] = [file(2_000, 100), file(1, 1)];
    for (bytes, expected) in [([&a[..], &b].concat(), Some(a.len() as u64)), (a.clone(), None)] {
        let (bytes, n_fetches, n_fetched) = (Buffer::from(bytes), AtomicU64::new(0), AtomicU64::new(0));
        let source = CountingSource { bytes, n_fetches, n_fetched };
        let reader = FileReader::try_new_with(source, ReadOptions::new().with_tail_bytes(64)).unwrap();
        let counts = || {
            let CountingSource { n_fetches, n_fetched, .. } = reader.source();
            [n_fetches, n_fetched].map(|counter| counter.load(Ordering::Relaxed))
        };
        let [n_fetches, n_fetched] = counts();
        let found: Option<UnreferencedBytes> = reader.unreferenced_bytes().unwrap();
        assert_eq!(found.map(|found| found.range.start), expected);
        let [n_fetches, n_fetched] = [counts()[0] - n_fetches, counts()[1] - n_fetched];
        match expected {
            Some(_) => assert!(n_fetches <= 3 && n_fetched < 60_000, "{n_fetches} {n_fetched}"),
            None => assert_eq!([n_fetches, n_fetched], [0, 0]),
        }
    }
}
