//! Requests for the ranges of a file that several batches, and their dictionaries, need.

use std::{collections::VecDeque, ops::Range};

use crate::source::PricedRange;

/// The reader that needs a range. Waiting requests are sorted by the least of these values among their ranges.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum WantedBy {
    Dictionaries,
    Batch(usize),
}

#[derive(Debug)]
pub(super) struct WantedRange {
    pub(super) owner: WantedBy,
    pub(super) priced: PricedRange,
}

/// A request for at least one range. All ranges lie inside it; they may overlap.
#[derive(Debug)]
pub(super) struct AheadRequest {
    pub(super) range: Range<u64>,
    /// The least value of [`WantedBy`] among the ranges of the request.
    pub(super) first: WantedBy,
    /// The needed ranges, in the order of their starts.
    pub(super) parts: VecDeque<RequestPart>,
}

/// A range of a request that a batch or the dictionaries need.
#[derive(Debug)]
pub(super) struct RequestPart {
    pub(super) owner: WantedBy,
    pub(super) range: Range<u64>,
}

impl AheadRequest {
    /// A request for these ranges; `None` if there are none.
    pub(super) fn of(parts: VecDeque<RequestPart>) -> Option<AheadRequest> {
        let range = around(parts.iter())?;
        let first = parts.iter().map(|part| part.owner).min()?;
        Some(AheadRequest { range, first, parts })
    }

    /// Splits the request into one for the first `n_parts` ranges, and one for the rest.
    pub(super) fn split(mut self, n_parts: usize) -> (Option<AheadRequest>, Option<AheadRequest>) {
        let rest = self.parts.split_off(n_parts.min(self.parts.len()));
        (AheadRequest::of(self.parts), AheadRequest::of(rest))
    }
}

/// Adds a range to the ranges of a request. Adjacent ranges of one batch are joined.
pub(super) fn push_part(parts: &mut VecDeque<RequestPart>, WantedRange { owner, priced }: WantedRange) {
    let range = priced.range;
    match parts.back_mut() {
        Some(last) if last.owner == owner => last.range.end = last.range.end.max(range.end),
        Some(_) | None => parts.push_back(RequestPart { owner, range }),
    }
}

/// The range from the first start to the last end, which need not be the end of the last part.
pub(super) fn around<'a>(mut parts: impl Iterator<Item = &'a RequestPart>) -> Option<Range<u64>> {
    let first = parts.next()?;
    let end = parts.fold(first.range.end, |end, part| end.max(part.range.end));
    Some(first.range.start..end)
}
