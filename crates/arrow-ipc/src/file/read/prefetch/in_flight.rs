//! The state of batches in progress, the ranges that batches and dictionaries need, and requests for these ranges.

use std::{collections::VecDeque, ops::Range, sync::Arc};

use crate::{
    error::Result,
    file::read::{
        batch::ReadBatch, decoder::FileDecoder, estimate::BodyEstimate, provided_ranges::ProvidedRanges,
        ranges::NeededRanges,
    },
    frame::Body,
    source::PricedRange,
};
use arrow_ipc_format::{BatchView, length_of};

/// A batch for which ranges have been requested or fetched.
#[derive(Debug)]
pub(super) struct InFlightBatch {
    pub(super) batch: ReadBatch,
    pub(super) requested: RequestedBytes,
    pub(super) state: InFlightState,
    pub(super) is_isolated: bool,
}

/// The bytes that were provided for a batch or for the dictionaries, and counts of the bytes that were requested.
#[derive(Debug)]
pub(super) struct RequestedBytes {
    pub(super) bytes: ProvidedRanges,
    /// The number of requested ranges that have not arrived.
    pub(super) n_missing: usize,
    pub(super) n_planned_bytes: u64,
    pub(super) n_reserved_bytes: u64,
}

#[derive(Debug)]
pub(super) enum InFlightState {
    Fetching,
    Fetched(Result<(Arc<BatchView>, Body)>),
    LeftToCaller,
}

impl RequestedBytes {
    pub(super) fn new(decoder: &FileDecoder) -> RequestedBytes {
        RequestedBytes { bytes: decoder.provided(), n_missing: 0, n_planned_bytes: 0, n_reserved_bytes: 0 }
    }
}

impl InFlightBatch {
    pub(super) fn batch_idx(&self) -> usize {
        self.batch.batch_idx
    }

    pub(super) fn owner(&self) -> RangeOwner {
        RangeOwner::Batch(self.batch_idx())
    }

    pub(super) fn is_fetching(&self) -> bool {
        matches!(self.state, InFlightState::Fetching)
    }

    /// Whether the batch can be handed out.
    pub(super) fn is_ready(&self, has_dictionaries: bool) -> bool {
        match self.state {
            InFlightState::Fetching => false,
            InFlightState::Fetched(_) => has_dictionaries || self.is_isolated,
            InFlightState::LeftToCaller => true,
        }
    }

    /// Whether the caller must read the batch. This is known before ranges are requested.
    pub(super) fn is_left_to_caller(&self, max_bytes: u64) -> bool {
        let is_whole = self.batch.decoder.message_decoder.selects_all();
        self.is_isolated || is_whole && self.batch.block.n_bytes() > max_bytes
    }

    /// The range of the whole block, if the metadata of the batch is not in memory and the whole block is cheaper than
    /// the needed ranges.
    pub(super) fn whole(&self, estimate: &mut Option<BodyEstimate>) -> Option<Range<u64>> {
        let file = &self.batch.decoder.file;
        let block = &self.batch.block;
        let is_known = self.is_isolated
            || file.cached_batch(self.batch_idx()).is_some()
            || self.requested.bytes.find(&block.metadata_range()).is_some();
        if is_known {
            return None;
        }
        let estimate =
            estimate.get_or_insert_with(|| BodyEstimate::new(&self.batch.decoder, self.batch_idx()));
        estimate.is_whole(block).then(|| block.range())
    }

    pub(super) fn read(
        &mut self,
        estimate: &mut Option<BodyEstimate>,
    ) -> Result<Option<(Arc<BatchView>, Body)>> {
        let bytes = &mut self.requested.bytes;
        bytes.check_start()?;
        let fetched = self.batch.fetch_whole(bytes, estimate)?;
        let is_loaded = !self.is_isolated || self.batch.load_dictionaries(bytes)?;
        Ok(if is_loaded { fetched } else { None })
    }
}

pub(super) fn n_bytes_of(needed: &NeededRanges) -> u64 {
    needed.required().iter().chain(needed.useful()).map(length_of).fold(0, u64::saturating_add)
}

pub(super) fn position_of(in_flight: &VecDeque<InFlightBatch>, batch_idx: usize) -> Option<usize> {
    // In most cases, all batches from the first in flight to this batch are in flight.
    let idx = batch_idx.checked_sub(in_flight.front()?.batch_idx())?;
    match in_flight.get(idx) {
        Some(found) if found.batch_idx() == batch_idx => Some(idx),
        Some(_) | None => in_flight.binary_search_by_key(&batch_idx, InFlightBatch::batch_idx).ok(),
    }
}

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
