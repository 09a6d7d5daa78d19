//! Requests for ranges that several batches and the dictionaries need.

use std::{collections::VecDeque, ops::Range};

use crate::source::PricedRange;

/// The batch that needs a range, or the dictionaries. Requests wait in the order of their smallest value.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum RangeOwner {
    Dictionaries,
    Batch(usize),
}

#[derive(Debug)]
pub(super) struct RequiredRange {
    pub(super) owner: RangeOwner,
    pub(super) priced: PricedRange,
}

/// A request for one or more ranges, which may overlap.
#[derive(Debug)]
pub(super) struct PrefetchRequest {
    pub(super) range: Range<u64>,
    /// The smallest value among the needed ranges.
    pub(super) first: RangeOwner,
    /// The needed ranges, sorted by start.
    pub(super) parts: VecDeque<RequestPart>,
}

/// A range that a batch or the dictionaries need.
#[derive(Debug)]
pub(super) struct RequestPart {
    pub(super) owner: RangeOwner,
    pub(super) range: Range<u64>,
}

impl PrefetchRequest {
    /// Makes a request for these ranges. Returns `None` without ranges.
    pub(super) fn try_new(parts: VecDeque<RequestPart>) -> Option<PrefetchRequest> {
        let range = around(parts.iter())?;
        let first = parts.iter().map(|part| part.owner).min()?;
        Some(PrefetchRequest { range, first, parts })
    }

    /// Splits the request into a request for the first `n_parts` ranges, and a request for the other ranges.
    pub(super) fn split(mut self, n_parts: usize) -> (Option<PrefetchRequest>, Option<PrefetchRequest>) {
        let rest = self.parts.split_off(n_parts.min(self.parts.len()));
        (PrefetchRequest::try_new(self.parts), PrefetchRequest::try_new(rest))
    }
}

/// Appends a range. Joins adjacent ranges of the same batch.
pub(super) fn push_part(parts: &mut VecDeque<RequestPart>, RequiredRange { owner, priced }: RequiredRange) {
    let range = priced.range;
    match parts.back_mut() {
        Some(last) if last.owner == owner => last.range.end = last.range.end.max(range.end),
        Some(_) | None => parts.push_back(RequestPart { owner, range }),
    }
}

/// The range that contains all parts. The last part may end before other parts.
pub(super) fn around<'a>(mut parts: impl Iterator<Item = &'a RequestPart>) -> Option<Range<u64>> {
    let first = parts.next()?;
    let end = parts.fold(first.range.end, |end, part| end.max(part.range.end));
    Some(first.range.start..end)
}
