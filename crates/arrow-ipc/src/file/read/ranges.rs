//! The ranges of a file that a plan needs.

use std::ops::Range;

use crate::source::{FetchCost, PricedRange, join, merge};
use arrow_ipc_format::length_of;

#[cfg(test)]
mod tests;

/// A request costs at least as much as this number of bytes where a round trip takes long.
const FAR_REQUEST_BYTES: u64 = 64 << 10;

/// The ranges of a file that a [`ReadPlan`](crate::file::ReadPlan) requests. Each list is sorted and has no overlaps.
///
/// ```
/// use arrow_ipc::{FileDecoder, ReadOptions, file::PlanStep};
///
/// let options = ReadOptions::new().with_tail_bytes(1_024);
/// let mut plan = FileDecoder::plan_open_with(1_000_000, options);
/// let PlanStep::Need(ranges) = plan.step()? else { unreachable!("no bytes have been provided") };
/// // The end of the file, which says how long the footer is.
/// assert_eq!(ranges.required(), std::slice::from_ref(&(999_990..1_000_000)));
/// // What comes before it: most likely the footer.
/// assert_eq!(ranges.useful(), std::slice::from_ref(&(998_976..999_990)));
/// // Both in one request.
/// assert_eq!(ranges.merged(4_096), std::slice::from_ref(&(998_976..1_000_000)));
/// # Ok::<(), arrow_ipc::IpcError>(())
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct NeededRanges {
    required: Vec<Range<u64>>,
    useful: Vec<Range<u64>>,
    later: Vec<LaterRanges>,
    /// The length of the file, if later plans need no bytes once it was provided as a whole.
    whole_file: Option<u64>,
}

/// Ranges of one body that a plan will request later. Their positions are unknown, but their number is known. A caller
/// can save requests by fetching the whole body now.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct LaterRanges {
    /// The range of the body in the file. The later ranges lie inside it.
    pub within: Range<u64>,
    /// The minimum number of later ranges.
    pub n_ranges: u64,
    /// The minimum number of bytes in the later ranges; 0 if it is unknown.
    pub n_bytes: u64,
}

impl NeededRanges {
    /// The ranges without which the plan cannot continue.
    pub fn required(&self) -> &[Range<u64>] {
        &self.required
    }

    /// The ranges that the plan will probably request next. Providing them together with the required ranges saves a
    /// round trip. They do not overlap required ranges.
    pub fn useful(&self) -> &[Range<u64>] {
        &self.useful
    }

    /// Ranges that will be required later, but whose positions are unknown.
    pub fn later(&self) -> &[LaterRanges] {
        &self.later
    }

    /// The ranges to fetch according to a cost model: the required and the useful ranges, joined where this is cheaper.
    /// Includes a whole body with [`later`](NeededRanges::later) ranges if separate requests for these ranges would cost
    /// more. The result is sorted and has no overlaps.
    ///
    /// By the model, the result costs at most 5 % more than the cheapest result. This holds if the later ranges of a body
    /// have about the same length. If requests run in parallel, a range that costs at least as much as twenty requests is
    /// not joined with others.
    ///
    /// If several requests would fetch three quarters of a [short](crate::ReadOptions::with_whole_file_bytes) file, this is the range of
    /// the whole file. Once it was provided, it stays in memory, and no later plan of the file needs any bytes.
    ///
    /// ```
    /// use arrow_ipc::{FetchCost, FileDecoder, file::PlanStep};
    ///
    /// let mut plan = FileDecoder::plan_open(1_000_000);
    /// let PlanStep::Need(ranges) = plan.step()? else { unreachable!("no bytes have been provided") };
    /// assert_eq!(ranges.merged_for(&FetchCost::OBJECT_STORE), std::slice::from_ref(&(934_464..1_000_000)));
    /// # Ok::<(), arrow_ipc::IpcError>(())
    /// ```
    pub fn merged_for(&self, cost: &FetchCost) -> Vec<Range<u64>> {
        let merged = merge(self.priced_for(cost).collect(), cost, cost.n_full_request_bytes());
        let is_most = |file_bytes: &u64| {
            let n_bytes = merged.iter().map(length_of).fold(0, u64::saturating_add);
            n_bytes >= file_bytes - file_bytes / 4
        };
        let is_far = cost.n_bytes_per_request() >= FAR_REQUEST_BYTES;
        match self.whole_file.filter(|_| is_far && merged.len() > 1).filter(is_most) {
            Some(file_bytes) => std::iter::once(0..file_bytes).collect(),
            None => merged,
        }
    }

    /// All ranges that can be requested, each with the price of leaving it out.
    pub(super) fn priced_for(&self, cost: &FetchCost) -> impl Iterator<Item = PricedRange> {
        let needed = self.required.iter().chain(&self.useful);
        let needed = needed.map(|range| PricedRange { range: range.clone(), price_without: None });
        let later = self.later.iter().map(|later| PricedRange {
            range: later.within.clone(),
            price_without: Some(cost.price_of(later.n_ranges, later.n_bytes)),
        });
        needed.chain(later)
    }

    /// The required and the useful ranges. Joins two ranges if the gap between them has at most `max_gap_bytes`.
    pub fn merged(&self, max_gap_bytes: u64) -> Vec<Range<u64>> {
        join(self.required.iter().chain(&self.useful).cloned().collect(), max_gap_bytes)
    }

    pub(super) fn require(&mut self, range: Range<u64>) {
        self.required.push(range);
    }

    pub(super) fn hint(&mut self, range: Range<u64>) {
        self.useful.push(range);
    }

    pub(super) fn expect(&mut self, later: LaterRanges) {
        self.later.push(later);
    }

    pub(super) fn with_whole_file(self, file_bytes: Option<u64>) -> NeededRanges {
        NeededRanges { whole_file: file_bytes, ..self }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.required.is_empty()
    }

    pub(super) fn normalized(self) -> NeededRanges {
        let required = join(self.required, 0);
        let mut useful = Vec::with_capacity(self.useful.len());
        for range in join(self.useful, 0) {
            add_without(&mut useful, range, &required);
        }
        NeededRanges { useful, required, ..self }
    }
}

/// Adds the parts of `range` outside the other ranges, which are sorted and do not overlap.
fn add_without(left: &mut Vec<Range<u64>>, mut range: Range<u64>, others: &[Range<u64>]) {
    let first = others.partition_point(|other| other.end <= range.start);
    let end = range.end;
    for other in others.iter().skip(first).take_while(|other| other.start < end) {
        if other.start > range.start && other.start < range.end {
            left.push(range.start..other.start);
        }
        if other.start < range.end {
            range.start = range.start.max(other.end);
        }
    }
    if !range.is_empty() {
        left.push(range);
    }
}
