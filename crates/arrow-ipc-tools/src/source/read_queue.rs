//! Fetches ranges of a file that will be read soon together, if requests have a high latency.

use std::{iter, ops::Range};

use arrow_ipc::file::{Block, Footer};

use super::{
    SharedSource,
    gathering::{MAX_BYTES, MAX_RANGES, n_bytes_of},
};

/// Ranges in the order in which they will be read. Several are fetched together.
#[derive(Debug, Default)]
pub(crate) struct ReadQueue {
    ranges: Vec<Range<u64>>,
    n_gathered: usize,
}

impl ReadQueue {
    /// Makes a range for each of these blocks. Makes no ranges if requests have a low latency. Makes none if blocks
    /// overlap, because overlapping blocks may have more bytes in total than the source.
    pub(crate) fn of<'a>(
        source: &SharedSource,
        blocks: impl Iterator<Item = &'a Block>,
        range_of: impl Fn(usize, &Block) -> Range<u64>,
    ) -> ReadQueue {
        if !source.is_far() {
            return ReadQueue::default();
        }
        let blocks: Vec<&Block> = blocks.collect();
        let mut in_order = blocks.clone();
        in_order.sort_unstable_by_key(|block| block.position());
        let overlaps = in_order.windows(2).any(|pair| match pair {
            [one, other] => other.position() < one.range().end,
            _ => false,
        });
        if overlaps {
            return ReadQueue::default();
        }
        let ranges = blocks.into_iter().enumerate().map(|(idx, block)| range_of(idx, block));
        ReadQueue { ranges: ranges.collect(), n_gathered: 0 }
    }

    /// Makes a range for each batch in the footer: the whole block if its body has more than `n_body_bytes` bytes,
    /// otherwise an empty range.
    pub(crate) fn of_larger(source: &SharedSource, footer: &Footer, n_body_bytes: u64) -> ReadQueue {
        ReadQueue::of(source, footer.batches().iter(), |_, block| {
            if block.n_body_bytes() > n_body_bytes { block.range() } else { 0..0 }
        })
    }

    /// Adds `before` as the first range and `after` as the last, unless there are no ranges.
    pub(crate) fn around(self, before: Range<u64>, after: Range<u64>) -> ReadQueue {
        if self.ranges.is_empty() {
            return self;
        }
        let ranges = iter::once(before).chain(self.ranges).chain(iter::once(after));
        ReadQueue { ranges: ranges.collect(), n_gathered: 0 }
    }

    /// Call this before reading the range `range_idx`. If the range is not fetched yet, fetches it and the ranges
    /// after it, up to half of the memory of the source.
    pub(crate) fn reach(&mut self, source: &SharedSource, range_idx: usize) {
        self.reach_of(source, range_idx..self.ranges.len());
    }

    /// Like [`reach`](Upcoming::reach), but fetches no range after `ranges`. Call this before reading the first of
    /// `ranges`.
    pub(crate) fn reach_of(&mut self, source: &SharedSource, ranges: Range<usize>) {
        let range_idx = ranges.start;
        let end = ranges.end.min(self.ranges.len());
        if range_idx < self.n_gathered || range_idx >= end {
            return;
        }
        let mut n_bytes = 0u64;
        let next = self.ranges.get(range_idx..end).unwrap_or_default().iter().take(MAX_RANGES);
        let group = next.take_while(|range| {
            let is_first = n_bytes == 0;
            n_bytes = n_bytes.saturating_add(n_bytes_of(range));
            n_bytes <= MAX_BYTES / 2 || is_first && n_bytes <= MAX_BYTES
        });
        let group: Vec<Range<u64>> = group.cloned().collect();
        // A range that is too long is fetched by its reader.
        self.n_gathered = range_idx.saturating_add(group.len().max(1));
        source.gather(&group);
    }

    /// Like [`reach`](Upcoming::reach), for the first range that ends after `position`. The ranges must be in order
    /// of their positions.
    pub(crate) fn reach_position(&mut self, source: &SharedSource, position: u64) {
        let next = self.ranges.partition_point(|range| range.end <= position);
        if next < self.ranges.len() {
            self.reach(source, next);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::{
        io,
        sync::{Arc, Mutex},
    };

    use arrow_buffer::Buffer;
    use arrow_ipc::{FetchCost, Source};

    use super::*;

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

    fn recorded_source(fails_at: Option<u64>, cost: FetchCost) -> (SharedSource, RequestedRanges) {
        let requested = Arc::default();
        (SharedSource::new(RecordingSource { requested: Arc::clone(&requested), fails_at, cost }), requested)
    }

    #[test]
    fn ranges_that_come_next_are_one_wait() {
        let ranges: Vec<Range<u64>> = (0..20).map(|idx| idx * 50_000..idx * 50_000 + 100).collect();
        let (source, requested) = recorded_source(None, FetchCost::OBJECT_STORE);
        let mut upcoming = ReadQueue { ranges: ranges.clone(), n_gathered: 0 };
        for (idx, range) in ranges.iter().enumerate() {
            upcoming.reach(&source, idx);
            assert_eq!(*source.fetch(range.clone()).unwrap(), *bytes(range));
            let inside = range.start + 3..range.end - 4;
            assert_eq!(*source.fetch_many(&[inside.clone(), 7..9]).unwrap()[0], *bytes(&inside));
        }
        // Bytes 7 and 8 are inside the first range, so there is no new request.
        assert_eq!(requested.lock().unwrap().len(), 1);
        // Ranges that are near each other become one request. Only the bytes of the ranges stay in memory.
        let (source, requested) = recorded_source(None, FetchCost::OBJECT_STORE);
        source.gather(&[0..8, 1_000..1_008, 30_000..30_008]);
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
        let n_bytes: u64 = ranges.iter().map(n_bytes_of).sum();
        assert!(n_bytes < N_BYTES + 12 * 6_000, "{n_bytes}");
        let (near, requested) = recorded_source(None, FetchCost::DISK);
        (0..9).for_each(|idx| drop(near.fetch(idx * 10..idx * 10 + 10)));
        assert!(requested.lock().unwrap().iter().flatten().all(|range| n_bytes_of(range) == 10));
    }

    #[test]
    fn what_fails_together_is_asked_for_alone() {
        let ranges: Vec<Range<u64>> = (0..20).map(|idx| idx * 50_000..idx * 50_000 + 100).collect();
        let (source, _) = recorded_source(Some(250_050), FetchCost::OBJECT_STORE);
        let mut upcoming = ReadQueue { ranges: ranges.clone(), n_gathered: 0 };
        for (idx, range) in ranges.iter().enumerate() {
            upcoming.reach(&source, idx);
            assert_eq!(source.fetch(range.clone()).is_err(), idx == 5);
        }
    }
}
