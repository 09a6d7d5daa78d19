//! The ranges of a file that a plan needs.

use std::ops::Range;

use crate::source::{FetchCost, PricedRange, join, merge};

#[cfg(test)]
mod tests;

/// The ranges of a file that a [`ReadPlan`](crate::file::ReadPlan) asks for. Each list is in order and has no overlaps.
///
/// ```
/// use arrow_ipc::{FileDecoder, ReadOptions, file::PlanStep};
///
/// let options = ReadOptions::new().with_tail_bytes(1_024);
/// let mut plan = FileDecoder::open(1_000_000, options);
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
}

/// Ranges that a plan will ask for later. Their positions inside a block are not known yet, but their number is. A caller may fetch the
/// whole block now, which saves requests.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct LaterRanges {
    /// The range of the body that contains the ranges.
    pub within: Range<u64>,
    /// The plan will request at least this number of ranges.
    pub n_ranges: u64,
    /// The plan will request at least this number of bytes, as far as is known.
    pub n_bytes: u64,
}

impl NeededRanges {
    /// The ranges without which the plan cannot continue.
    pub fn required(&self) -> &[Range<u64>] {
        &self.required
    }

    /// The ranges for which the plan will most likely ask next. Providing them together with the required ranges saves
    /// a round trip. Useful ranges do not overlap required ranges.
    pub fn useful(&self) -> &[Range<u64>] {
        &self.useful
    }

    /// Ranges that will be required later, but whose positions are not known yet.
    pub fn later(&self) -> &[LaterRanges] {
        &self.later
    }

    /// The ranges to fetch according to a cost model: the required and the useful ranges, joined where that is cheaper.
    /// The whole body with [`later`](NeededRanges::later) ranges is included if separate requests for these ranges
    /// would cost more. The result is in order and does not overlap.
    ///
    /// By the model, the result costs at most 5 % more than any other way to join ranges, if the later ranges of a
    /// block have about the same length. If requests run in parallel, a very long range is not joined with others. A
    /// range is very long if it costs at least twenty times as much as a request.
    ///
    /// ```
    /// use arrow_ipc::{FetchCost, FileDecoder, ReadOptions, file::PlanStep};
    ///
    /// let mut plan = FileDecoder::open(1_000_000, ReadOptions::new());
    /// let PlanStep::Need(ranges) = plan.step()? else { unreachable!("no bytes have been provided") };
    /// assert_eq!(ranges.merged_for(&FetchCost::OBJECT_STORE), std::slice::from_ref(&(934_464..1_000_000)));
    /// # Ok::<(), arrow_ipc::IpcError>(())
    /// ```
    pub fn merged_for(&self, cost: &FetchCost) -> Vec<Range<u64>> {
        merge(self.priced_for(cost).collect(), cost, cost.n_full_request_bytes())
    }

    /// All ranges that may be requested, each with what leaving it out would cost.
    pub(super) fn priced_for(&self, cost: &FetchCost) -> impl Iterator<Item = PricedRange> {
        let needed = self.required.iter().chain(&self.useful);
        let needed = needed.map(|range| PricedRange { range: range.clone(), price_without: None });
        let later = self.later.iter().map(|later| PricedRange {
            range: later.within.clone(),
            price_without: Some(cost.price_of(later.n_ranges, later.n_bytes)),
        });
        needed.chain(later)
    }

    /// The required and the useful ranges. Two of them are joined if the gap between them has at most `max_gap_bytes`.
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

    pub(super) fn is_empty(&self) -> bool {
        self.required.is_empty()
    }

    /// Puts both lists in order.
    pub(super) fn settled(self) -> NeededRanges {
        let required = join(self.required, 0);
        let mut useful = Vec::with_capacity(self.useful.len());
        for range in join(self.useful, 0) {
            add_without(&mut useful, range, &required);
        }
        NeededRanges { useful, required, later: self.later }
    }
}

/// Adds the parts of `range` that lie outside the other ranges, which are in order and do not overlap.
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
