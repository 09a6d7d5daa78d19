//! Estimates which bytes of a batch will be needed, before its metadata has been read.

use super::{batch::ReadBatch, decoder::FileDecoder, provided_ranges::ProvidedRanges, ranges::LaterRanges};
use crate::file::footer::Block;
use arrow_ipc_format::{length_of, share_of};

/// An estimate of the bytes that the selected columns need from the body of a batch.
#[derive(Debug)]
pub(super) struct BodyEstimate {
    pub(super) is_all: bool,
    n_ranges: u64,
    /// The needed share of the bytes: needed bytes, and all bytes. They come from another batch, or from the types of the
    /// columns if no batch has been read.
    share: (u64, u64),
    is_known: bool,
    /// The number of bytes in a long request that cost as much as one more request.
    n_bytes_per_range: u64,
    /// The price of waiting for one more byte, and the price of receiving one.
    per_byte: (u64, u64),
}

impl BodyEstimate {
    /// Estimates from the previous batch, or from the first batch of the file, if its metadata is known.
    pub(super) fn new(decoder: &FileDecoder, batch_idx: usize) -> BodyEstimate {
        let FileDecoder { file, message_decoder, .. } = decoder;
        if message_decoder.selects_all() {
            let share = (1, 1);
            return BodyEstimate {
                is_all: true,
                n_ranges: 1,
                share,
                is_known: true,
                n_bytes_per_range: 0,
                per_byte: share,
            };
        }
        let (n_ranges, share) = message_decoder.selected_share();
        let known = [batch_idx.saturating_sub(1), 0].into_iter().find_map(|batch_idx| {
            let block = file.footer.batch(batch_idx)?;
            let batch = ReadBatch { decoder: decoder.clone(), batch_idx, block };
            let message = file.cached_batch(batch_idx)?;
            let ranges = batch.needed_ranges(&message).ok()?;
            let n_bytes = ranges.iter().map(length_of);
            Some((n_bytes.fold(0, u64::saturating_add), block.n_body_bytes()))
        });
        let cost = message_decoder.options().known_fetch_cost();
        let (waiting, receiving) =
            (u64::from(cost.requests_in_flight()), u64::from(cost.small_requests_in_flight()));
        BodyEstimate {
            is_all: false,
            n_ranges,
            share: known.unwrap_or(share),
            is_known: known.is_some(),
            n_bytes_per_range: share_of(cost.n_bytes_per_request(), waiting, receiving),
            per_byte: (waiting, receiving),
        }
    }

    fn n_likely_bytes(&self, block: &Block) -> u64 {
        let (part, all) = self.share;
        share_of(block.n_body_bytes(), part, all).min(block.n_body_bytes())
    }

    /// The estimated number of bytes to fetch for a batch. If the estimate is too low, fewer batches are fetched
    /// together.
    pub(super) fn n_fetched_bytes(&self, block: &Block) -> u64 {
        // Joining this block with the blocks before and after it saves two requests.
        if self.is_all || self.n_worth_bytes(block, 2) >= block.n_body_bytes() {
            return block.n_bytes();
        }
        // No overflow: the sum is at most the length of the block.
        block.n_metadata_bytes() + self.n_likely_bytes(block)
    }

    /// Whether fetching the whole block now is cheaper than fetching its metadata now and each needed range later.
    pub(super) fn is_whole(&self, block: &Block) -> bool {
        self.is_all || self.n_worth_bytes(block, 0) >= block.n_body_bytes()
    }

    /// The number of bytes in one long request that cost as much as a request for each needed range of a body and
    /// `n_more_requests` other requests.
    fn n_worth_bytes(&self, block: &Block, n_more_requests: u64) -> u64 {
        let (waiting, receiving) = self.per_byte;
        let n_expected = self.n_expected_bytes(block);
        let of_requests = |n_requests: u64| self.n_bytes_per_range.saturating_mul(n_requests);
        let parts =
            of_requests(self.n_ranges).saturating_add(n_expected / receiving * waiting).max(n_expected);
        parts.saturating_add(of_requests(n_more_requests))
    }

    /// The minimum number of bytes that the columns will need from a body. It is 0 if no batch has been read, since one
    /// column may have most of the bytes.
    fn n_expected_bytes(&self, block: &Block) -> u64 {
        if self.is_known { self.n_likely_bytes(block) } else { 0 }
    }

    /// Hints at the ranges that will be needed from the body of a batch.
    pub(super) fn request(&self, batch: &ReadBatch, bytes: &mut ProvidedRanges) {
        let block = &batch.block;
        if self.is_all {
            bytes.hint(block.body_range());
            return;
        }
        let n_bytes = self.n_expected_bytes(block);
        bytes.expect(LaterRanges { within: block.body_range(), n_ranges: self.n_ranges, n_bytes });
    }
}
