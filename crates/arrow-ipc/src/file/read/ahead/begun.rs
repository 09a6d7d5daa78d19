//! The state of batches in progress, and the ranges that batches and dictionaries need.

use std::{collections::VecDeque, ops::Range, sync::Arc};

use super::request::WantedBy;
use crate::{
    error::Result,
    file::read::{
        batch::ReadBatch, decoder::FileDecoder, outlook::Outlook, provided::Provided, ranges::NeededRanges,
    },
    frame::Body,
};
use arrow_ipc_format::{BatchView, length_of};

/// A batch for which ranges have been requested or fetched.
#[derive(Debug)]
pub(super) struct Begun {
    pub(super) batch: ReadBatch,
    pub(super) asked: AskedBytes,
    pub(super) state: BegunState,
    pub(super) is_alone: bool,
}

/// The bytes that were provided for a batch or for the dictionaries, and counts of the bytes that were requested.
#[derive(Debug)]
pub(super) struct AskedBytes {
    pub(super) bytes: Provided,
    /// The number of requested ranges that have not arrived.
    pub(super) n_missing: usize,
    pub(super) n_planned_bytes: u64,
    pub(super) n_held_bytes: u64,
}

#[derive(Debug)]
pub(super) enum BegunState {
    Fetching,
    Fetched(Result<(Arc<BatchView>, Body)>),
    Left,
}

impl AskedBytes {
    pub(super) fn nothing(decoder: &FileDecoder) -> AskedBytes {
        AskedBytes { bytes: decoder.provided(), n_missing: 0, n_planned_bytes: 0, n_held_bytes: 0 }
    }
}

impl Begun {
    pub(super) fn batch_idx(&self) -> usize {
        self.batch.batch_idx
    }

    pub(super) fn owner(&self) -> WantedBy {
        WantedBy::Batch(self.batch_idx())
    }

    pub(super) fn is_fetching(&self) -> bool {
        matches!(self.state, BegunState::Fetching)
    }

    /// Whether the batch can be handed out.
    #[expect(clippy::fn_params_excessive_bools, reason = "one fact about the file, named where it is passed")]
    pub(super) fn is_ready(&self, has_dictionaries: bool) -> bool {
        match self.state {
            BegunState::Fetching => false,
            BegunState::Fetched(_) => has_dictionaries || self.is_alone,
            BegunState::Left => true,
        }
    }

    /// Whether the caller must read the batch. This is known before ranges are requested.
    pub(super) fn is_left(&self, max_bytes: u64) -> bool {
        let is_whole = self.batch.decoder.message_decoder.selection().is_all();
        self.is_alone || is_whole && self.batch.block.n_bytes() > max_bytes
    }

    /// The range of the whole block, if the metadata of the batch is not in memory and the whole block is cheaper than
    /// the needed ranges.
    pub(super) fn whole(&self, outlook: &mut Option<Outlook>) -> Option<Range<u64>> {
        let (file, block) = (&self.batch.decoder.file, &self.batch.block);
        let is_known = self.is_alone
            || file.kept_batch(self.batch_idx()).is_some()
            || self.asked.bytes.find(&block.metadata_range()).is_some();
        if is_known {
            return None;
        }
        let outlook = outlook.get_or_insert_with(|| Outlook::of(&self.batch.decoder, self.batch_idx()));
        outlook.is_whole(block).then(|| block.range())
    }

    pub(super) fn read(&mut self, outlook: &mut Option<Outlook>) -> Result<Option<(Arc<BatchView>, Body)>> {
        let bytes = &mut self.asked.bytes;
        bytes.check_start()?;
        let fetched = self.batch.fetch_whole(bytes, outlook)?;
        let is_loaded = !self.is_alone || self.batch.load_dictionaries(bytes)?;
        Ok(fetched.filter(|_| is_loaded))
    }
}

pub(super) fn n_bytes_of(needed: &NeededRanges) -> u64 {
    needed.required().iter().chain(needed.useful()).map(length_of).fold(0, u64::saturating_add)
}

pub(super) fn position_of(begun: &VecDeque<Begun>, batch_idx: usize) -> Option<usize> {
    // In most cases, all batches from the first begun batch to this batch are begun.
    let place = batch_idx.checked_sub(begun.front()?.batch_idx())?;
    match begun.get(place) {
        Some(found) if found.batch_idx() == batch_idx => Some(place),
        Some(_) | None => begun.binary_search_by_key(&batch_idx, Begun::batch_idx).ok(),
    }
}
