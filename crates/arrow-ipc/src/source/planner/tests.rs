use std::{
    io,
    sync::{Arc, Mutex},
};

use super::*;
use crate::source::Source;

/// The ranges of each call of `fetch_many`.
type RequestedRanges = Arc<Mutex<Vec<Vec<Range<u64>>>>>;

/// A source that records the requested ranges, and fails at a position.
#[derive(Clone)]
struct RecordingSource {
    requested: RequestedRanges,
    fails_at: Option<u64>,
    cost: FetchCost,
}

const N_BYTES: u64 = 1 << 20;

fn bytes(range: &Range<u64>) -> Vec<u8> {
    (range.start..range.end).map(|at| (at / 7 % 251) as u8).collect()
}

impl Source for RecordingSource {
    fn n_bytes(&self) -> io::Result<u64> {
        Ok(N_BYTES)
    }

    fn fetch(&self, range: Range<u64>) -> io::Result<Buffer> {
        Ok(self.fetch_many(std::slice::from_ref(&range))?.remove(0))
    }

    fn fetch_many(&self, ranges: &[Range<u64>]) -> io::Result<Vec<Buffer>> {
        self.requested.lock().unwrap().push(ranges.to_vec());
        match self.fails_at {
            Some(at) if ranges.iter().any(|range| range.contains(&at)) => Err(io::Error::other("far")),
            _ => Ok(ranges.iter().map(|range| bytes(range).into()).collect()),
        }
    }

    fn fetch_cost(&self) -> FetchCost {
        self.cost
    }
}

fn recorded_source(
    fails_at: Option<u64>,
    cost: FetchCost,
) -> (PrefetchSource<RecordingSource>, RequestedRanges) {
    let requested = Arc::default();
    (PrefetchSource::new(RecordingSource { requested: Arc::clone(&requested), fails_at, cost }), requested)
}

#[test]
fn ranges_that_come_next_are_one_wait() {
    let ranges: Vec<Range<u64>> = (0..20).map(|idx| idx * 50_000..idx * 50_000 + 100).collect();
    let (source, requested) = recorded_source(None, FetchCost::OBJECT_STORE);
    let mut queue = RangeQueue::new(ranges.clone());
    for (idx, range) in ranges.iter().enumerate() {
        source.prefetch_next(&mut queue, idx..ranges.len());
        assert_eq!(*source.fetch(range.clone()).unwrap(), *bytes(range));
        let inside = range.start + 3..range.end - 4;
        assert_eq!(*source.fetch_many(&[inside.clone(), 7..9]).unwrap()[0], *bytes(&inside));
    }
    // Bytes 7 and 8 are inside the first range, so there is no new request.
    assert_eq!(requested.lock().unwrap().len(), 1);
    // Ranges that are near each other become one request. Only the bytes of the ranges stay in memory.
    let (source, requested) = recorded_source(None, FetchCost::OBJECT_STORE);
    source.prefetch(vec![0..8, 1_000..1_008, 30_000..30_008]);
    let all = 0..30_008;
    assert_eq!(*requested.lock().unwrap(), [[all]]);
    assert_eq!(*source.fetch(1_000..1_008).unwrap(), *bytes(&(1_000..1_008)));
    source.fetch(1_000..1_009).unwrap();
    assert_eq!(requested.lock().unwrap().len(), 2);
}

/// Reads the source from start to end, without announcing the ranges.
#[test]
fn ranges_that_go_on_are_fetched_in_longer_and_longer_ones() {
    let (source, requested) = recorded_source(None, FetchCost::OBJECT_STORE);
    for start in (8..N_BYTES).step_by(1_000) {
        let range = start..(start + 1_004).min(N_BYTES);
        assert_eq!(*source.fetch(range.clone()).unwrap(), *bytes(&range));
    }
    let ranges: Vec<Range<u64>> = requested.lock().unwrap().drain(..).flatten().collect();
    assert!(ranges.len() <= 12, "{ranges:?}");
    let n_bytes: u64 = ranges.iter().map(length_of).sum();
    assert!(n_bytes < N_BYTES + 12 * 6_000, "{n_bytes}");
    let (near, requested) = recorded_source(None, FetchCost::DISK);
    (0..9).for_each(|idx| drop(near.fetch(idx * 10..idx * 10 + 10)));
    assert!(requested.lock().unwrap().iter().flatten().all(|range| length_of(range) == 10));
}

#[test]
fn what_fails_together_is_requested_alone() {
    let ranges: Vec<Range<u64>> = (0..20).map(|idx| idx * 50_000..idx * 50_000 + 100).collect();
    let (source, _) = recorded_source(Some(250_050), FetchCost::OBJECT_STORE);
    let mut queue = RangeQueue::new(ranges.clone());
    for (idx, range) in ranges.iter().enumerate() {
        source.prefetch_next(&mut queue, idx..ranges.len());
        assert_eq!(source.fetch(range.clone()).is_err(), idx == 5);
    }
}

/// Three messages of one length: later metadata is requested with a prefix, and not again with the metadata after it.
#[test]
fn later_metadata_is_requested_once() {
    let mut windows = MetadataWindows::new(&FetchCost::OBJECT_STORE, 1 << 40);
    let n_bytes = 1 << 30;
    for idx in 0..3 {
        windows.passed(idx * n_bytes..(idx + 1) * n_bytes, idx * n_bytes + 100_000);
    }
    let next = 3 * n_bytes;
    let starts = |ranges: Vec<Range<u64>>| ranges.iter().map(|range| range.start).collect::<Vec<u64>>();
    assert_eq!(
        starts(windows.requests(next..next + 8).collect()),
        [next, next + n_bytes, next + 2 * n_bytes]
    );
    assert_eq!(starts(windows.requests(next + 8..next + 100_000).collect()), [next + 8]);
    windows.passed(next..next + n_bytes, next + 100_000);
    let next = next + n_bytes;
    assert_eq!(windows.requests(next..next + 8).count(), 5, "twice as many");
}
