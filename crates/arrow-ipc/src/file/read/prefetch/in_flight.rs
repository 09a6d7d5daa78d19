//! The state of batches in progress, and the ranges that batches and dictionaries need.

use std::{collections::VecDeque, ops::Range, sync::Arc};

use super::request::RangeOwner;
use crate::{
    error::Result,
    file::read::{
        batch::ReadBatch, decoder::FileDecoder, estimate::BodyEstimate, provided_ranges::ProvidedRanges,
        ranges::NeededRanges,
    },
    frame::Body,
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
