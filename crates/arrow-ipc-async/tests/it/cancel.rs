//! Drops futures wherever they wait: no batch is lost or returned twice.

use std::sync::{Arc, atomic::Ordering};

use arrow_ipc::{Step, StreamReader, WriteOptions};
use arrow_ipc_async::{AsyncFileReader, AsyncFileWriter, AsyncSource, AsyncStreamReader, AsyncStreamWriter};
use arrow_schema::{Metadata, Schema};
use testing_support::{Generator, rows, schema_of_all_types};

use crate::{
    drop_until_ready,
    support::{
        Outcome, SlowStream, Store, apart, drive, file_of, file_options, next_item, outcome, poll_once,
    },
    writers,
};

const SCHEMA: &str = "a: int32\nb: dictionary<int32, utf8>\nc: utf8";

fn streams() -> Vec<u8> {
    let schema = Arc::new(SCHEMA.parse::<Schema>().unwrap());
    let batches = Generator::new(5).batches(&schema, &[30, 0, 7]);
    [1, 2].map(|_| writers::stream_of(&schema, &batches, WriteOptions::new())).concat()
}

#[test]
fn a_stream_goes_on_where_it_was() {
    let bytes = streams();
    for max_bytes in [1, 100, usize::MAX] {
        let mut expected = Some(StreamReader::try_new(&*bytes).unwrap());
        let mut reader = drive(AsyncStreamReader::try_new(SlowStream::new(&*bytes, max_bytes))).unwrap();
        let n_opened_bytes = reader.n_bytes_consumed() as usize;
        let mut n_dropped = 0;
        while let Some(mut stream) = expected {
            assert_eq!(reader.schema(), stream.schema());
            // Reads one batch by its steps, and all others as batches.
            for is_step in [true, true, false, false, false] {
                let next = stream.next_step().unwrap();
                let (found, n) = if is_step {
                    drop_until_ready!(async { reader.next_step().await.unwrap() })
                } else {
                    let (batch, n) = drop_until_ready!(reader.next_batch());
                    let batch = batch.unwrap().map(Step::Batch);
                    (batch.unwrap_or(Step::End), n)
                };
                n_dropped += n;
                match (&found, &next) {
                    (Step::Batch(found), Step::Batch(next)) => {
                        assert_eq!(rows(&found.batch), rows(&next.batch))
                    }
                    (Step::Dictionary { id, .. }, Step::Dictionary { id: expected, .. }) => {
                        assert_eq!(id, expected)
                    }
                    (Step::End, Step::End) => {}
                    _ => {
                        // `next_batch` skips this step.
                        let Step::Dictionary { .. } = next else { panic!("{found:?}, not {next:?}") };
                        let Step::Batch(next) = stream.next_step().unwrap() else { panic!() };
                        let Step::Batch(found) = found else { panic!() };
                        assert_eq!(rows(&found.batch), rows(&next.batch));
                    }
                }
            }
            expected = stream.next_stream().unwrap();
            let (has_next, n) = drop_until_ready!(reader.next_stream());
            assert_eq!(has_next.unwrap(), expected.is_some());
            n_dropped += n;
        }
        assert!(n_dropped >= 1, "{n_dropped}");
        if max_bytes == 1 {
            // The open reader waited once for each byte and for the end.
            assert_eq!(n_dropped, bytes.len() - n_opened_bytes + 1);
        }
    }
}

#[test]
fn a_writer_writes_each_byte_once() {
    let schema = Arc::new(schema_of_all_types());
    let batches = writers::batches(&schema);
    let (stream, file) =
        (writers::stream_of(&schema, &batches, WriteOptions::new()), writers::file_of(&schema, &batches));
    for max_bytes in [1, 64, 1_000, usize::MAX] {
        let mut n_dropped = 0;
        let sink = SlowStream::new(Vec::new(), max_bytes);
        let mut writer = AsyncStreamWriter::try_new(sink, &schema).unwrap();
        for batch in &batches {
            let (written, n) = drop_until_ready!(writer.write(batch));
            written.unwrap();
            n_dropped += n;
        }
        for _ in 0..2 {
            let (flushed, n) = drop_until_ready!(writer.flush());
            flushed.unwrap();
            n_dropped += n;
        }
        let (finished, n) = drop_until_ready!(writer.write_end());
        finished.unwrap();
        assert!(writer.into_inner().inner == stream, "{max_bytes}");
        // If a batch was accepted, its future is ready even if the sink is not. So it is not dropped.
        assert!(n_dropped + n + 10 > stream.len() / max_bytes, "{n_dropped}");

        let sink = SlowStream::new(Vec::new(), max_bytes);
        let mut writer = AsyncFileWriter::try_new_with(sink, &schema, file_options()).unwrap();
        for batch in &batches {
            drop_until_ready!(writer.write_with_metadata(batch, &Metadata::new())).0.unwrap();
        }
        drop_until_ready!(writer.write_end()).0.unwrap();
        assert!(writer.into_inner().inner == file, "{max_bytes}");
    }
}

/// For each point at which a future waits: makes a new object, drops its future there, and runs a second future to the
/// end. Returns the number of such points.
macro_rules! drop_everywhere {
    ($new:expr, |$of:ident| $future:expr, |$result:ident| $check:expr) => {{
        let mut n_polls = 0;
        loop {
            n_polls += 1;
            let $of = $new;
            let mut future = Box::pin($future);
            let is_ready = (0..n_polls).any(|_| poll_once(future.as_mut()).is_some());
            drop(future);
            let $result = drive($future);
            $check;
            if is_ready {
                break n_polls - 1;
            }
        }
    }};
}

#[test]
fn a_file_gives_the_same_after_what_was_dropped() {
    let store = Store::new(file_of(SCHEMA, &[30, 0, 7]));
    let open = || AsyncFileReader::try_new_with(store.clone(), apart(10));
    let new = || drive(open()).unwrap();
    let expected: Vec<Outcome> = (0..3).map(|idx| outcome(drive(new().batch(idx)))).collect();
    let mut n_points = vec![
        drop_everywhere!((), |_unit| open(), |file| assert_eq!(file.unwrap().n_batches(), 3)),
        drop_everywhere!(new(), |file| file.n_rows(), |n_rows| assert_eq!(n_rows.unwrap(), 37)),
        drop_everywhere!(new(), |file| file.load_dictionaries(), |loaded| loaded.unwrap()),
        drop_everywhere!(new(), |file| file.check_dictionaries(), |checked| checked.unwrap()),
        drop_everywhere!(new(), |file| file.dictionaries(), |found| assert!(!found.unwrap().is_empty())),
        drop_everywhere!(new(), |file| file.schema_message_metadata(), |found| {
            assert_eq!(found.unwrap(), Some(Metadata::new()));
        }),
        drop_everywhere!(store.clone(), |store| store.n_bytes(), |found| assert!(found.is_ok())),
        drop_everywhere!(store.clone(), |store| store.fetch_tail(100), |tail| {
            assert_eq!(tail.unwrap().bytes.len(), 100);
        }),
    ];
    for idx in 0..3 {
        let n_rows = [30, 0, 7][idx];
        let rows = n_rows / 3..n_rows;
        n_points.extend([
            drop_everywhere!(new(), |file| file.batch(idx), |batch| assert_eq!(
                outcome(batch),
                expected[idx]
            )),
            drop_everywhere!(new(), |file| file.batch_with_metadata(idx), |read| {
                assert_eq!(outcome(read.map(|read| read.batch)), expected[idx]);
            }),
            drop_everywhere!(new(), |file| file.batch_rows(idx, rows.clone()), |batch| {
                let all = expected[idx].clone().unwrap();
                assert_eq!(outcome(batch).unwrap(), all[rows.start as usize..]);
            }),
            drop_everywhere!(new(), |file| file.n_rows_of(idx), |found| assert_eq!(found.unwrap(), n_rows)),
        ]);
    }
    assert!(n_points.iter().all(|n_points| *n_points > 0), "{n_points:?}");
    assert!(n_points.iter().sum::<usize>() > 80, "{n_points:?}");
    assert_eq!(store.counts.n_under_way.load(Ordering::Relaxed), 0, "all were cancelled");
}

#[test]
fn prefetched_batches_are_not_read_again() {
    let store = Store::new(file_of(SCHEMA, &[30; 20]));
    let open = |n_in_flight| drive(AsyncFileReader::try_new_with(store.clone(), apart(n_in_flight))).unwrap();
    let file = open(10);
    store.take_requests();
    let mut batches = file.batches();
    let mut expected = Vec::new();
    while let Some(batch) = drive(batches.next_batch()).transpose() {
        expected.push(outcome(batch));
    }
    let mut requests = store.take_requests();
    requests.sort_by_key(|range| range.start);
    for max_requests in [1, 3, 100] {
        let file = open(max_requests);
        store.take_requests();
        let mut batches = file.batches();
        let mut found = Vec::new();
        let mut n_dropped = 0;
        while let (Some(batch), n) = drop_until_ready!(next_item(&mut batches)) {
            found.push(outcome(batch));
            n_dropped += n;
        }
        assert_eq!(found, expected);
        assert!(n_dropped > 0);
        let mut again = store.take_requests();
        again.sort_by_key(|range| range.start);
        let n_bytes =
            |ranges: &[std::ops::Range<u64>]| ranges.iter().map(|range| range.end - range.start).sum::<u64>();
        assert_eq!(n_bytes(&again), n_bytes(&requests), "no byte comes twice");
        drop(file.batches());
        let mut unordered = open(10).batches().unordered();
        let mut n_batches = 0;
        while let (Some((batch_idx, batch)), _) = drop_until_ready!(next_item(&mut unordered)) {
            assert_eq!(outcome(batch), expected[batch_idx]);
            n_batches += 1;
        }
        assert_eq!(n_batches, 20);
    }
    let mut batches = open(10).batches();
    assert!(poll_once(batches.next_batch()).is_none());
    let n_under_way = || store.counts.n_under_way.load(Ordering::Relaxed);
    assert!(n_under_way() > 0);
    drop(batches);
    assert_eq!(n_under_way(), 0, "requests are dropped with the stream");
}
