//! Ranges that are known before they are read.

use std::{iter, ops::Range};

use super::RangePlanner;
use arrow_ipc_format::length_of;

/// Ranges in the order in which they will be read. Several are requested together.
#[derive(Debug, Default)]
pub struct RangeQueue {
    ranges: Vec<Range<u64>>,
    n_requested: usize,
}

impl RangeQueue {
    /// A queue of these ranges.
    pub fn new(ranges: Vec<Range<u64>>) -> RangeQueue {
        RangeQueue { ranges, n_requested: 0 }
    }

    /// A queue of the ranges that are `needed` of some blocks, in their order. Empty if blocks overlap, because
    /// overlapping blocks may have more bytes in total than the source.
    pub fn from_blocks(
        blocks: Vec<Range<u64>>,
        needed: impl Fn(usize, Range<u64>) -> Range<u64>,
    ) -> RangeQueue {
        let mut in_order = blocks.clone();
        in_order.sort_unstable_by_key(|block| block.start);
        let overlaps = in_order.windows(2).any(|pair| match pair {
            [one, other] => other.start < one.end,
            _ => false,
        });
        if overlaps {
            return RangeQueue::default();
        }
        RangeQueue::new(blocks.into_iter().enumerate().map(|(idx, block)| needed(idx, block)).collect())
    }

    /// Adds `before` as the first range and `after` as the last, unless there are no ranges.
    #[must_use]
    pub fn between(self, before: Range<u64>, after: Range<u64>) -> RangeQueue {
        if self.ranges.is_empty() {
            return self;
        }
        let ranges = iter::once(before).chain(self.ranges).chain(iter::once(after));
        RangeQueue::new(ranges.collect())
    }

    /// What to request before the range `range_idx` is read: nothing if it was requested before, else the range and the
    /// ranges after it, up to half of the memory of a [`RangePlanner`].
    pub fn next(&mut self, range_idx: usize) -> Vec<Range<u64>> {
        self.next_in(range_idx..self.ranges.len())
    }

    /// Like [`next`](RangeQueue::next) for the first of `ranges`, but without the ranges after them.
    pub fn next_in(&mut self, ranges: Range<usize>) -> Vec<Range<u64>> {
        let range_idx = ranges.start;
        let end = ranges.end.min(self.ranges.len());
        if range_idx < self.n_requested || range_idx >= end {
            return Vec::new();
        }
        let mut n_bytes = 0u64;
        let next = self.ranges.get(range_idx..end).unwrap_or_default().iter().take(RangePlanner::MAX_RANGES);
        let group = next.take_while(|range| {
            let is_first = n_bytes == 0;
            n_bytes = n_bytes.saturating_add(length_of(range));
            n_bytes <= RangePlanner::MAX_BYTES / 2 || is_first && n_bytes <= RangePlanner::MAX_BYTES
        });
        let group: Vec<Range<u64>> = group.cloned().collect();
        // A range that is too long is fetched by its reader.
        self.n_requested = range_idx.saturating_add(group.len().max(1));
        group
    }

    /// Like [`next`](RangeQueue::next), for the first range that ends after `position`. The ranges must be in the order
    /// of their positions.
    pub fn next_at(&mut self, position: u64) -> Vec<Range<u64>> {
        let next = self.ranges.partition_point(|range| range.end <= position);
        self.next(next)
    }
}
