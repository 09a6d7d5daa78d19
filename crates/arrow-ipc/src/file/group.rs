//! Several batches that are fetched together: the metadata of all of them first, then what is selected of their bodies.

use std::{ops::Range, sync::Arc};

use super::{
    batch::ReadBatch, block::Block, decoder::FileDecoder, dictionaries, plan::Work, provided::Provided,
    ranges::LaterRanges,
};
use crate::{
    body::Body,
    error::{BlockIndex, Context, Result},
    fetch_cost::FetchCost,
    message::BatchMessage,
    stream::BatchWithMetadata,
};

/// One of several batches whose bytes have been fetched together: see
/// [`FileDecoder::fetch_batches`](crate::FileDecoder::fetch_batches). It waits to be decoded, here or by another thread.
#[derive(Debug)]
pub struct FetchedBatch {
    pub(super) batch: ReadBatch,
    pub(super) fetched: Result<(Arc<BatchMessage>, Body)>,
}

impl FetchedBatch {
    /// Its place in the footer.
    pub fn batch_idx(&self) -> usize {
        self.batch.batch_idx
    }

    /// The batch, decompressed, decoded and checked.
    ///
    /// # Errors
    /// If it is malformed, not supported or over a limit.
    pub fn decode(self) -> Result<BatchWithMetadata> {
        let FetchedBatch { batch, fetched } = self;
        let decode = || {
            let (message, body) = fetched?;
            batch.decode(&message, &body)
        };
        decode().in_block(BlockIndex::RecordBatch(batch.batch_idx), batch.block.position())
    }
}

/// Fetches the first of some batches, as many as fit in a number of bytes.
#[derive(Debug)]
pub(super) struct FetchBatches {
    pub(super) decoder: FileDecoder,
    pub(super) batches: Range<usize>,
    pub(super) max_bytes: u64,
}

impl FetchBatches {
    fn batch(&self, batch_idx: usize) -> Option<ReadBatch> {
        let block = *self.decoder.file.footer.batches().get(batch_idx)?;
        Some(ReadBatch { decoder: self.decoder.clone(), batch_idx, block })
    }

    /// The first batches, and at least one, as long as all of them together have so many bytes.
    fn first(&self, n_bytes_of: impl Fn(&ReadBatch) -> u64) -> Vec<ReadBatch> {
        let mut n_bytes = 0u64;
        let fits = |batch: &ReadBatch| {
            n_bytes = n_bytes.saturating_add(n_bytes_of(batch));
            n_bytes <= self.max_bytes || batch.batch_idx == self.batches.start
        };
        self.batches.clone().map_while(|batch_idx| self.batch(batch_idx)).take_while(fits).collect()
    }
}

impl Work<Vec<FetchedBatch>> for FetchBatches {
    fn advance(&mut self, bytes: &mut Provided) -> Result<Option<Vec<FetchedBatch>>> {
        if self.batches.is_empty() {
            return Ok(Some(Vec::new()));
        }
        let FileDecoder { file, session } = &self.decoder;
        let outlook = Outlook::of(&self.decoder, self.batches.start);
        let likely = self.first(|batch| outlook.n_fetched_bytes(&batch.block, None));
        let mut messages = Vec::with_capacity(likely.len());
        for batch in &likely {
            match batch.message(bytes) {
                Ok(None) => outlook.tell(batch, bytes),
                found => messages.push(found),
            }
        }
        let has_dictionaries = dictionaries::load(file, session, bytes)?;
        if messages.len() < likely.len() {
            return Ok(None);
        }
        // Now it is known how much of each body is needed.
        let known = |batch: &ReadBatch| {
            let message = messages.get(batch.batch_idx.saturating_sub(self.batches.start));
            let n_needed_bytes = match message {
                Some(Ok(Some(message))) => batch.n_needed_bytes(message).ok(),
                Some(Ok(None) | Err(_)) | None => Some(0),
            };
            outlook.n_fetched_bytes(&batch.block, n_needed_bytes)
        };
        let n_batches = self.first(known).len();
        let mut fetched = Vec::with_capacity(n_batches);
        let mut is_complete = has_dictionaries;
        for (batch, message) in likely.into_iter().zip(messages).take(n_batches) {
            let body = message.and_then(|message| match message {
                Some(message) => {
                    let body = batch.fetch(&message, bytes)?;
                    is_complete &= body.is_some();
                    Ok(body.map(|body| (message, body)))
                }
                None => Ok(None),
            });
            fetched.extend(body.transpose().map(|fetched| FetchedBatch { batch, fetched }));
        }
        Ok(is_complete.then_some(fetched))
    }
}

/// What the selected columns will need of a body whose metadata has not been read.
#[derive(Debug)]
pub(super) struct Outlook {
    is_all: bool,
    n_ranges: u64,
    /// Needed bytes of so many: of another batch, or columns of the schema if no batch has been read.
    share: (u64, u64),
    is_known: bool,
    n_bytes_per_request: u64,
}

impl Outlook {
    /// Looks at the batch before one, or else the first of the file, if its metadata is there.
    pub(super) fn of(decoder: &FileDecoder, batch_idx: usize) -> Outlook {
        let FileDecoder { file, session } = decoder;
        let (n_ranges, share) = session.selected_share();
        let known = [batch_idx.saturating_sub(1), 0].into_iter().find_map(|batch_idx| {
            let block = *file.footer.batches().get(batch_idx)?;
            let batch = ReadBatch { decoder: decoder.clone(), batch_idx, block };
            let n_bytes = match file.kept_batch(batch_idx) {
                Some(message) => batch.n_needed_bytes(&message),
                None => batch.n_needed_bytes(&file.likely_batch(batch_idx, session.options().limits())?),
            };
            Some((n_bytes.ok()?, block.n_body_bytes()))
        });
        Outlook {
            is_all: session.selection().is_all(),
            n_ranges,
            share: known.unwrap_or(share),
            is_known: known.is_some(),
            n_bytes_per_request: session
                .options()
                .fetch_cost
                .unwrap_or(FetchCost::DISK)
                .n_bytes_per_request(),
        }
    }

    fn n_likely_bytes(&self, block: &Block) -> u64 {
        let (part, all) = self.share;
        let n_bytes = u128::from(block.n_body_bytes()) * u128::from(part) / u128::from(all.max(1));
        u64::try_from(n_bytes).unwrap_or(u64::MAX).min(block.n_body_bytes())
    }

    /// How much of a block will be fetched, with what lies between the ranges.
    fn n_fetched_bytes(&self, block: &Block, n_needed_bytes: Option<u64>) -> u64 {
        if self.is_all {
            return block.n_bytes();
        }
        let n_needed_bytes = n_needed_bytes.unwrap_or_else(|| self.n_likely_bytes(block));
        let n_between = self.n_ranges.saturating_mul(self.n_bytes_per_request);
        let n_bytes = block.n_metadata_bytes().saturating_add(n_needed_bytes).saturating_add(n_between);
        n_bytes.min(block.n_bytes())
    }

    /// Says what will be needed of the body of a batch whose metadata has not been read.
    pub(super) fn tell(&self, batch: &ReadBatch, bytes: &mut Provided) {
        let block = &batch.block;
        if self.is_all {
            bytes.hint(block.body_range());
            return;
        }
        if let Some(ranges) = batch.likely_ranges() {
            ranges.into_iter().for_each(|range| bytes.hint(range));
            return;
        }
        // How much it is counts only if it has been seen: one column may have most of the bytes.
        let n_bytes = if self.is_known { self.n_likely_bytes(block) } else { 0 };
        bytes.expect(LaterRanges { within: block.body_range(), n_ranges: self.n_ranges, n_bytes });
    }
}
