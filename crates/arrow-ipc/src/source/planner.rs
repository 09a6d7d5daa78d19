//! Decides which ranges of a source are requested, for all that is not a whole batch: metadata of messages, gaps, parts
//! of large batches, and long sequential reads. [`BatchPrefetcher`](crate::file::BatchPrefetcher) requests batches that are read one
//! after the other.
//!
//! | what is known of the next ranges | who decides |
//! |---|---|
//! | all of them, in order | [`RangeQueue`]: as many as memory allows, at once |
//! | that they are the metadata of messages | [`MetadataWindows`]: several short messages, or predicted positions |
//! | that the last ones followed each other | [`PrefetchSource`]: longer and longer ones |
//! | nothing | each range alone |
//!
//! [`FetchCost`] decides which of them are one request. [`RangePlanner`] holds the bytes until they are read.

mod cache;
mod metadata_windows;
mod prefetch_source;
mod queue;

use std::{iter, ops::Range};

use arrow_buffer::Buffer;

use self::cache::RangeCache;
use super::FetchCost;
use arrow_ipc_format::length_of;

pub(crate) use self::prefetch_source::fetch_requests;
pub use self::{
    metadata_windows::{METADATA_REQUEST_BYTES, MetadataWindows},
    prefetch_source::PrefetchSource,
    queue::RangeQueue,
};

/// The maximum length of a joined request. Longer requests save no time.
const FULL_REQUEST_BYTES: u64 = 4 << 20;

/// Decides, without I/O, which requests fetch some ranges, and holds the bytes of the newest ranges: at most
/// [`MAX_BYTES`](RangePlanner::MAX_BYTES), in requests that have at most twice as many. A longer range is not held.
///
/// ```
/// use arrow_ipc::{FetchCost, planner::RangePlanner};
///
/// let file: Vec<u8> = (0..100_000).map(|n| n as u8).collect();
/// let mut planner = RangePlanner::default();
/// // Two ranges that are near each other are one request.
/// let groups = planner.requests(vec![0..8, 1_000..1_008], &FetchCost::OBJECT_STORE);
/// let requests: Vec<_> = groups.iter().flatten().collect();
/// assert_eq!(requests.iter().map(|request| request.range()).collect::<Vec<_>>(), [0..1_008]);
/// planner.provide(requests[0], &file[..1_008].to_vec().into());
/// assert_eq!(planner.find(&(1_000..1_004)).as_deref(), Some(&file[1_000..1_004]));
/// // Bytes between the ranges are not held.
/// assert!(planner.find(&(500..504)).is_none());
/// ```
#[derive(Debug, Default)]
pub struct RangePlanner {
    cache: RangeCache,
    sequential: SequentialWindow,
}

/// A request, and the ranges inside it that are needed, in the order of their starts.
#[derive(Debug)]
pub struct PlannedRequest {
    range: Range<u64>,
    needed: Vec<Range<u64>>,
}

impl PlannedRequest {
    /// The range to request.
    pub fn range(&self) -> Range<u64> {
        self.range.clone()
    }
}

impl RangePlanner {
    /// The maximum number of bytes in memory, and of bytes that are requested at once: 64 MiB.
    pub const MAX_BYTES: u64 = 64 << 20;

    /// The maximum number of ranges that are requested at once, because each takes additional memory: 65,536.
    pub const MAX_RANGES: usize = 1 << 16;

    /// The bytes of a range; `None` if they are not in memory.
    pub fn find(&self, range: &Range<u64>) -> Option<Buffer> {
        self.cache.find(range)
    }

    /// The number of bytes in memory.
    pub fn n_bytes(&self) -> u64 {
        self.cache.n_bytes()
    }

    /// The number of ranges in memory.
    pub fn n_ranges(&self) -> usize {
        self.cache.n_pieces()
    }

    /// The requests for the ranges that are not in memory. Two ranges are joined if one request is cheaper than two.
    /// The requests of an inner list, of at most 64 MiB, are made at the same time.
    pub fn requests(&self, mut ranges: Vec<Range<u64>>, cost: &FetchCost) -> Vec<Vec<PlannedRequest>> {
        ranges.retain(|range| !range.is_empty() && self.find(range).is_none());
        ranges.sort_unstable_by_key(|range| range.start);
        let joined = cost.joined(ranges.clone(), FULL_REQUEST_BYTES);
        let mut ranges = ranges.into_iter().peekable();
        let requests = joined.into_iter().map(|range| {
            let needed = iter::from_fn(|| ranges.next_if(|needed| needed.start < range.end)).collect();
            PlannedRequest { range, needed }
        });
        let mut groups = Vec::<Vec<PlannedRequest>>::new();
        let mut n_group_bytes = 0u64;
        for request in requests {
            let n_bytes = length_of(&request.range);
            n_group_bytes = n_group_bytes.saturating_add(n_bytes);
            match groups.last_mut() {
                Some(group) if n_group_bytes <= RangePlanner::MAX_BYTES => group.push(request),
                Some(_) | None => {
                    n_group_bytes = n_bytes;
                    groups.push(vec![request]);
                }
            }
        }
        groups
    }

    /// The range to fetch for a range that is not in memory: more than the range if it continues the last one.
    pub(crate) fn read_on(
        &mut self,
        range: &Range<u64>,
        cost: &FetchCost,
        n_source_bytes: u64,
    ) -> Range<u64> {
        self.sequential.read_on(range, cost, n_source_bytes)
    }

    /// Stores the needed ranges of a request in memory, and drops the bytes between them. Stores nothing if `bytes` has
    /// not the length of the request: whoever reads a range then fetches it, and gets the error.
    pub fn provide(&mut self, request: &PlannedRequest, bytes: &Buffer) {
        let n_request_bytes = length_of(&request.range);
        if bytes.len() as u64 != n_request_bytes {
            return;
        }
        let n_needed = request.needed.iter().map(length_of).fold(0u64, u64::saturating_add);
        let is_sparse = n_needed < n_request_bytes / 2;
        for range in &request.needed {
            let at = range.start.saturating_sub(request.range.start);
            let Ok(piece) = bytes.try_slice(at, length_of(range)) else { continue };
            let piece = if is_sparse { Buffer::copy_from(&piece) } else { piece };
            self.cache.insert(range.start, piece);
        }
    }

    /// Stores the bytes from `start` on in memory.
    pub(crate) fn insert(&mut self, start: u64, bytes: Buffer) {
        self.cache.insert(start, bytes);
    }

    /// Drops bytes before a position, for a reader that does not go back.
    pub(crate) fn release_before(&mut self, position: u64) {
        self.cache.release_before(position);
    }
}

#[cfg(test)]
mod tests;

/// The last range that was fetched. Ranges that continue it are fetched in longer and longer requests.
#[derive(Debug, Default)]
struct SequentialWindow {
    /// The end of the last fetched range.
    end: u64,
    /// The length of the last fetched range.
    n_bytes: u64,
}

impl SequentialWindow {
    /// The range to fetch for a short range that is not in memory. If it continues the last range, with at most a
    /// small gap, the fetched range is twice as long as the last fetched range, up to 64 MiB.
    fn read_on(&mut self, range: &Range<u64>, cost: &FetchCost, n_source_bytes: u64) -> Range<u64> {
        const SHORT_BYTES: u64 = 1 << 20;
        /// The number of bytes before the range that are fetched with it, because readers may go back a little.
        const BEFORE_BYTES: u64 = 4 << 10;
        let n_bytes = length_of(range);
        let after = self.end..=self.end.saturating_add(cost.n_bytes_per_request());
        let continues = after.contains(&range.start) || (range.start..=range.end).contains(&self.end);
        if !continues || range.start == 0 || n_bytes > SHORT_BYTES {
            *self = SequentialWindow { end: range.end, n_bytes };
            return range.clone();
        }
        self.n_bytes = self.n_bytes.max(n_bytes).saturating_mul(2).min(RangePlanner::MAX_BYTES);
        let start = range.start.saturating_sub(BEFORE_BYTES);
        self.end = start.saturating_add(self.n_bytes).min(n_source_bytes).max(range.end);
        start..self.end
    }
}
