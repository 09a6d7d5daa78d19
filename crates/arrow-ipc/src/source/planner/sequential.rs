//! Long sequential reads.

use std::ops::Range;

use super::{FetchCost, RangePlanner};
use arrow_ipc_format::length_of;

/// The last range that was fetched. Ranges that continue it are fetched in longer and longer requests.
#[derive(Debug, Default)]
pub(super) struct SequentialWindow {
    /// The end of the last fetched range.
    end: u64,
    /// The length of the last fetched range.
    n_bytes: u64,
}

impl SequentialWindow {
    /// The range to fetch for a short range that is not in memory. If it continues the last range, with at most a
    /// small gap, the fetched range is twice as long as the last fetched range, up to 64 MiB.
    pub(super) fn read_on(
        &mut self,
        range: &Range<u64>,
        cost: &FetchCost,
        n_source_bytes: u64,
    ) -> Range<u64> {
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
