//! Turns ranges into requests.

use std::ops::Range;

use super::{
    FetchCost,
    cheapest::{PricedRange, cheapest},
};
use arrow_ipc_format::length_of;

impl FetchCost {
    /// Joins ranges if one request is cheaper than two, like
    /// [`NeededRanges::merged_for`](crate::file::NeededRanges::merged_for). A request with `max_bytes` bytes or more is
    /// not joined with another range.
    ///
    /// ```
    /// use arrow_ipc::FetchCost;
    ///
    /// let ranges = vec![0..1_000, 2_000..3_000, 5_000_000..5_001_000];
    /// assert_eq!(FetchCost::OBJECT_STORE.joined(ranges, 1 << 20), [0..3_000, 5_000_000..5_001_000]);
    /// ```
    pub fn joined(&self, ranges: Vec<Range<u64>>, max_bytes: u64) -> Vec<Range<u64>> {
        let required = ranges.into_iter().map(|range| PricedRange { range, price_without: None });
        merge(required.collect(), self, max_bytes)
    }
}

/// Joins ranges to requests if that is cheaper, and leaves out ranges that are cheaper to request later. A request with
/// `max_bytes` bytes or more is not joined with another range.
pub(crate) fn merge(mut needed: Vec<PricedRange>, cost: &FetchCost, max_bytes: u64) -> Vec<Range<u64>> {
    needed.retain(|needed| !needed.range.is_empty());
    needed.sort_unstable_by_key(|needed| needed.range.start);
    // Without gaps, one request for all ranges is the cheapest.
    if let Some(all) = without_gaps(&needed)
        && (needed.len() == 1 || length_of(&all) <= max_bytes)
    {
        return vec![all];
    }
    let mut requests: Vec<Range<u64>> = Vec::with_capacity(needed.len());
    for group in cheapest(&needed, cost) {
        let together = needed.get(group).unwrap_or_default().iter().map(|needed| needed.range.clone());
        for range in join_up_to(together.collect(), u64::MAX, max_bytes) {
            match requests.last_mut() {
                // Ranges that were left out may overlap with requested ranges.
                Some(last) if range.start < last.end => last.end = last.end.max(range.end),
                Some(last) if length_of(last) < max_bytes && cost.is_one_request(last, &range) => {
                    last.end = range.end;
                }
                _ => requests.push(range),
            }
        }
    }
    requests
}

/// The range from the first to the last byte. `None` if there are gaps, or if some range need not be fetched.
fn without_gaps(needed: &[PricedRange]) -> Option<Range<u64>> {
    let start = needed.first()?.range.start;
    let end = needed.iter().try_fold(start, |end, PricedRange { range, price_without }| {
        (price_without.is_none() && range.start <= end).then_some(range.end.max(end))
    });
    Some(start..end?)
}

/// Joins ranges with gaps of at most `max_gap_bytes` between them.
#[cfg(feature = "file")]
pub(crate) fn join(ranges: Vec<Range<u64>>, max_gap_bytes: u64) -> Vec<Range<u64>> {
    join_up_to(ranges, max_gap_bytes, u64::MAX)
}

/// Joins ranges with short gaps between them. A range with `max_bytes` or more is joined only with ranges that overlap
/// it.
pub(crate) fn join_up_to(mut ranges: Vec<Range<u64>>, max_gap_bytes: u64, max_bytes: u64) -> Vec<Range<u64>> {
    ranges.retain(|range| !range.is_empty());
    ranges.sort_unstable_by_key(|range| range.start);
    ranges.dedup_by(|range, last| {
        let is_near = range.start <= last.end.saturating_add(max_gap_bytes) && length_of(last) < max_bytes;
        let is_joined = range.start < last.end || is_near;
        if is_joined {
            last.end = last.end.max(range.end);
        }
        is_joined
    });
    ranges
}
