//! Which bytes of a file a plan needs.

use std::ops::Range;

/// The ranges of a file that a [`ReadPlan`](crate::ReadPlan) asks for, each list in order and without overlaps.
///
/// ```
/// use arrow_ipc::{FileDecoder, PlanStep, ReadOptions};
///
/// let options = ReadOptions::new().with_tail_bytes(1_024);
/// let mut plan = FileDecoder::open(1_000_000, options);
/// let PlanStep::Need(ranges) = plan.step()? else { unreachable!("no bytes have been provided") };
/// // The magic, and the end of the file, which says how long the footer is.
/// assert_eq!(ranges.required(), [0..8, 999_990..1_000_000]);
/// // What comes before it: most likely the footer.
/// assert_eq!(ranges.useful(), [998_976..999_990]);
/// // Both in two requests, and over small gaps.
/// assert_eq!(ranges.merged(4_096), [0..8, 998_976..1_000_000]);
/// # Ok::<(), arrow_ipc::IpcError>(())
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct NeededRanges {
    required: Vec<Range<u64>>,
    useful: Vec<Range<u64>>,
}

impl NeededRanges {
    /// Without them the plan cannot go on.
    pub fn required(&self) -> &[Range<u64>] {
        &self.required
    }

    /// The plan will most likely ask for these next. To provide them along with the required ones saves a round trip;
    /// none of them overlaps a required one.
    pub fn useful(&self) -> &[Range<u64>] {
        &self.useful
    }

    /// The required and the useful ranges, joined where the gap between two of them is at most this many bytes.
    pub fn merged(&self, max_gap_bytes: u64) -> Vec<Range<u64>> {
        join(self.required.iter().chain(&self.useful).cloned().collect(), max_gap_bytes)
    }

    pub(super) fn require(&mut self, range: Range<u64>) {
        self.required.push(range);
    }

    pub(super) fn hint(&mut self, range: Range<u64>) {
        self.useful.push(range);
    }

    pub(super) fn is_empty(&self) -> bool {
        self.required.is_empty()
    }

    /// Puts both lists in order.
    pub(super) fn settled(self) -> NeededRanges {
        let required = join(self.required, 0);
        let useful = join(self.useful, 0).into_iter().flat_map(|range| without(range, &required));
        NeededRanges { useful: useful.collect(), required }
    }
}

fn join(mut ranges: Vec<Range<u64>>, max_gap_bytes: u64) -> Vec<Range<u64>> {
    ranges.retain(|range| !range.is_empty());
    ranges.sort_unstable_by_key(|range| range.start);
    let mut joined: Vec<Range<u64>> = Vec::with_capacity(ranges.len());
    for range in ranges {
        match joined.last_mut() {
            Some(last) if range.start <= last.end.saturating_add(max_gap_bytes) => {
                last.end = last.end.max(range.end);
            }
            _ => joined.push(range),
        }
    }
    joined
}

/// What is left of a range without some others, which are in order.
fn without(mut range: Range<u64>, others: &[Range<u64>]) -> Vec<Range<u64>> {
    let mut left = Vec::new();
    for other in others {
        if other.start > range.start && other.start < range.end {
            left.push(range.start..other.start);
        }
        if other.start < range.end {
            range.start = range.start.max(other.end);
        }
    }
    left.push(range);
    left.retain(|range| !range.is_empty());
    left
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_are_joined_and_subtracted() {
        let ranges = vec![20..30, 0..5, 5..6, 8..8, 28..40, 43..44];
        assert_eq!(join(ranges.clone(), 0), [0..6, 20..40, 43..44]);
        assert_eq!(join(ranges.clone(), 3), [0..6, 20..44]);
        assert_eq!(join(ranges, u64::MAX), std::slice::from_ref(&(0..44)));
        let others = [2..4, 6..7, 9..20];
        assert_eq!(without(0..10, &others), [0..2, 4..6, 7..9]);
        assert_eq!(without(3..5, &others), std::slice::from_ref(&(4..5)));
        assert_eq!(without(10..12, &others), []);
        assert_eq!(without(30..32, &others), std::slice::from_ref(&(30..32)));
    }
}
