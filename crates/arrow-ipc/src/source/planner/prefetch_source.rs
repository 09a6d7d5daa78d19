//! A source whose ranges are requested as a planner decides.

use std::{
    io,
    ops::Range,
    sync::{Mutex, MutexGuard, PoisonError},
};

use arrow_buffer::Buffer;

use super::{PlannedRequest, RangePlanner, RangeQueue};
use crate::source::{FetchCost, ReadAt, Source, SplitRanges};

/// A source that fetches ranges before they are read, if requests have a high latency. What was fetched together and
/// fails is fetched alone when it is read, so errors are those of reading range after range. Holds what a
/// [`RangePlanner`] holds.
#[derive(Debug)]
pub struct PrefetchSource<S: ?Sized> {
    planner: Mutex<RangePlanner>,
    source: S,
}

impl<S: Source> PrefetchSource<S> {
    /// Plans the requests to a source.
    pub fn new(source: S) -> PrefetchSource<S> {
        PrefetchSource { planner: Mutex::default(), source }
    }
}

impl<S: Source + ?Sized> PrefetchSource<S> {
    /// Whether requests that are planned save time: they have a high latency, and several can run at the same time.
    pub fn is_far(&self) -> bool {
        self.source.fetch_cost().requests_in_flight() > 1 && self.source.whole().is_none()
    }

    /// Fetches ranges together before they are read. The bytes stay in memory until later ranges need it. Errors are
    /// not reported: the reader fetches a missing range again, and gets the error.
    pub fn prefetch(&self, ranges: Vec<Range<u64>>) {
        if ranges.is_empty() {
            return;
        }
        let cost = self.source.fetch_cost();
        let groups = self.planner().requests(ranges, &cost);
        for requests in groups {
            let Ok(fetched) = fetch_requests(&self.source, &requests, &cost) else { return };
            let mut planner = self.planner();
            for (request, bytes) in requests.iter().zip(&fetched) {
                planner.provide(request, bytes);
            }
        }
    }

    /// Call this before you read the first of the ranges `next` of a queue. Fetches it and ranges after it together,
    /// unless they were fetched before.
    pub fn prefetch_next(&self, queue: &mut RangeQueue, next: Range<usize>) {
        self.prefetch(queue.next_in(next));
    }

    fn planner(&self) -> MutexGuard<'_, RangePlanner> {
        self.planner.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Fetches these requests at the same time. Long ones are divided into several.
pub(crate) fn fetch_requests(
    source: &(impl Source + ?Sized),
    requests: &[PlannedRequest],
    cost: &FetchCost,
) -> io::Result<Vec<Buffer>> {
    let ranges: Vec<Range<u64>> = requests.iter().map(PlannedRequest::range).collect();
    fetch_in_pieces(source, &ranges, cost)
}

fn fetch_in_pieces(
    source: &(impl Source + ?Sized),
    ranges: &[Range<u64>],
    cost: &FetchCost,
) -> io::Result<Vec<Buffer>> {
    let in_pieces = SplitRanges::new(ranges, cost);
    let fetched = source.fetch_many(in_pieces.pieces())?;
    let joined = in_pieces.join(fetched);
    joined.map(|joined| joined.map(|(_, bytes)| bytes).map_err(io::Error::other)).collect()
}

impl<S: Source + ?Sized> Source for PrefetchSource<S> {
    fn n_bytes(&self) -> io::Result<u64> {
        self.source.n_bytes()
    }

    fn fetch(&self, range: Range<u64>) -> io::Result<Buffer> {
        if let Some(bytes) = self.planner().find(&range) {
            return Ok(bytes);
        }
        let cost = self.source.fetch_cost();
        if self.is_far() {
            let n_bytes = self.n_bytes()?;
            let with_more = self.planner().read_on(&range, &cost, n_bytes);
            if with_more != range {
                self.prefetch(vec![with_more]);
                if let Some(bytes) = self.planner().find(&range) {
                    return Ok(bytes);
                }
            }
        }
        if cost.pieces_of(range.clone()).nth(1).is_some() {
            let fetched = fetch_in_pieces(&self.source, std::slice::from_ref(&range), &cost)?;
            return fetched.into_iter().next().ok_or_else(|| io::ErrorKind::UnexpectedEof.into());
        }
        self.source.fetch(range)
    }

    fn fetch_many(&self, ranges: &[Range<u64>]) -> io::Result<Vec<Buffer>> {
        let found: Vec<Option<Buffer>> = {
            let planner = self.planner();
            ranges.iter().map(|range| planner.find(range)).collect()
        };
        let missing = ranges.iter().zip(&found).filter(|(_, found)| found.is_none());
        let missing: Vec<Range<u64>> = missing.map(|(range, _)| range.clone()).collect();
        let fetched = if missing.is_empty() { Vec::new() } else { self.source.fetch_many(&missing)? };
        let mut fetched = fetched.into_iter();
        let mut all: Vec<Buffer> =
            found.into_iter().map_while(|found| found.or_else(|| fetched.next())).collect();
        // If the source returns too many buffers, all are returned, so that the caller detects the wrong number.
        all.extend(fetched);
        Ok(all)
    }

    fn fetch_cost(&self) -> FetchCost {
        self.source.fetch_cost()
    }

    fn whole(&self) -> Option<Buffer> {
        self.source.whole()
    }

    /// The bytes of a range that was [fetched before](PrefetchSource::prefetch) and is still in memory.
    fn cached(&self, range: &Range<u64>) -> Option<Buffer> {
        self.planner().find(range).or_else(|| self.source.cached(range))
    }

    fn read_at(&self) -> Option<&dyn ReadAt> {
        self.source.read_at()
    }
}
