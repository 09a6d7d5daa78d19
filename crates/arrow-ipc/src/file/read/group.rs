//! Fetches several batches together: first the metadata of all, then the selected parts of their bodies.

use std::{ops::Range, sync::Arc};

use super::{
    batch::ReadBatch,
    decoder::FileDecoder,
    dictionaries,
    plan::Work,
    provided::Provided,
    ranges::{LaterRanges, merged_for},
};
use crate::{
    alignment::{length_of, share_of},
    body::Body,
    error::Result,
    fetch_cost::FetchCost,
    file::footer::Block,
    message::OpenBatch,
    stream::BatchWithMetadata,
};

/// One of several batches whose bytes have been fetched together: see
/// [`FileDecoder::fetch_batches`](crate::FileDecoder::fetch_batches). It waits to be decoded, here or by another thread.
#[derive(Debug)]
pub struct FetchedBatch {
    pub(super) batch: ReadBatch,
    pub(super) fetched: Result<(Arc<OpenBatch>, Body)>,
}

impl FetchedBatch {
    /// Its position in the footer.
    pub fn batch_idx(&self) -> usize {
        self.batch.batch_idx
    }

    /// The batch, decompressed, decoded and checked.
    ///
    /// # Errors
    /// If it is malformed, unsupported or over a limit.
    pub fn decode(self) -> Result<BatchWithMetadata> {
        let FetchedBatch { batch, fetched } = self;
        let decode = || {
            let (message, body) = fetched?;
            batch.decode(&message, &body, None)
        };
        batch.located(decode())
    }
}

/// At most one batch is fetched for each this many bytes to read ahead, even if batches are shorter: each takes memory of
/// its own.
const LEAST_BATCH_BYTES: u64 = 256;

/// Fetches the first of some batches, as many as fit.
#[derive(Debug)]
pub(super) struct FetchBatches {
    pub(super) decoder: FileDecoder,
    pub(super) batches: Range<usize>,
    pub(super) fit: Fit,
}

/// How many batches are fetched together.
#[derive(Debug, Clone, Copy)]
pub(super) struct Fit {
    /// At most this many bytes are needed for all of them.
    pub(super) max_bytes: u64,
    /// At most this many bytes are needed for each.
    pub(super) max_batch_bytes: u64,
    /// Whether the first batch is fetched even if it does not fit.
    pub(super) at_least_one: bool,
}

impl FetchBatches {
    fn batch(&self, batch_idx: usize) -> Option<ReadBatch> {
        let block = self.decoder.file.footer.batch(batch_idx)?;
        Some(ReadBatch { decoder: self.decoder.clone(), batch_idx, block })
    }

    /// The first batches that fit.
    fn first(&self, share_of: impl Fn(&ReadBatch) -> Share) -> Vec<ReadBatch> {
        let (cost, fit) = (&self.decoder.session.options().known_fetch_cost(), self.fit);
        let (mut n_bytes, mut before) = (0u64, None);
        let fits = |batch: &ReadBatch| {
            let Share { n_bytes: n_batch_bytes, first, last } = share_of(batch);
            // What lies between two batches is fetched along with both if these are one request.
            let gap_bytes = before.as_ref().filter(|before| cost.is_one_request(before, &first));
            let gap_bytes = gap_bytes.map_or(0, |before| first.start.saturating_sub(before.end));
            // Requests are joined in the order of the file; of blocks that are listed in another, gaps would not count.
            let follows = before.as_ref().is_none_or(|before| before.end <= first.start);
            before = Some(last);
            n_bytes = n_bytes.saturating_add(n_batch_bytes.max(LEAST_BATCH_BYTES)).saturating_add(gap_bytes);
            let fits = n_bytes <= fit.max_bytes && n_batch_bytes <= fit.max_batch_bytes && follows;
            fits || fit.at_least_one && batch.batch_idx == self.batches.start
        };
        self.batches.clone().map_while(|batch_idx| self.batch(batch_idx)).take_while(fits).collect()
    }
}

/// How many bytes a batch needs, and the first and the last request for them.
struct Share {
    n_bytes: u64,
    first: Range<u64>,
    last: Range<u64>,
}

impl Share {
    /// The share of a batch: its metadata and these ranges of its body, with the bytes between them that are fetched,
    /// too.
    fn of(batch: &ReadBatch, mut ranges: Vec<Range<u64>>) -> Share {
        let metadata = batch.block.metadata_range();
        ranges.push(metadata.clone());
        let requests = merged_for(ranges, &batch.decoder.session.options().known_fetch_cost());
        let n_bytes = requests.iter().map(length_of);
        Share {
            n_bytes: n_bytes.fold(0, u64::saturating_add),
            first: requests.first().unwrap_or(&metadata).clone(),
            last: requests.last().unwrap_or(&metadata).clone(),
        }
    }

    fn whole(block: &Block) -> Share {
        Share::some(block, block.n_bytes())
    }

    /// The share for this many bytes of a block.
    fn some(block: &Block, n_bytes: u64) -> Share {
        let around = block.metadata_range().start..block.body_range().end;
        Share { n_bytes, first: around.clone(), last: around }
    }
}

impl Work<Vec<FetchedBatch>> for FetchBatches {
    fn advance(&mut self, bytes: &mut Provided) -> Result<Option<Vec<FetchedBatch>>> {
        let FileDecoder { file, session } = &self.decoder;
        let outlook = Outlook::of(&self.decoder, self.batches.start);
        let likely = self.first(|batch| outlook.share_of(batch));
        if likely.is_empty() {
            return Ok(Some(Vec::new()));
        }
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
            if outlook.is_all || bytes.find(&batch.block.body_range()).is_some() {
                return Share::whole(&batch.block);
            }
            let message = messages.get(batch.batch_idx.saturating_sub(self.batches.start));
            let ranges = match message {
                Some(Ok(Some(message))) => batch.needed_ranges(message).unwrap_or_default(),
                Some(Ok(None) | Err(_)) | None => Vec::new(),
            };
            Share::of(batch, ranges)
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

/// The part of a body that the selected columns will probably need. Its metadata has not been read.
#[derive(Debug)]
struct Outlook {
    is_all: bool,
    n_ranges: u64,
    /// The needed bytes, and the bytes that they were part of: of another batch, or of the columns of the schema if no
    /// batch has been read.
    share: (u64, u64),
    is_known: bool,
    cost: FetchCost,
}

impl Outlook {
    /// Looks at the previous batch, or else the first of the file, if its metadata is there.
    fn of(decoder: &FileDecoder, batch_idx: usize) -> Outlook {
        let FileDecoder { file, session } = decoder;
        let (n_ranges, share) = session.selected_share();
        let known = [batch_idx.saturating_sub(1), 0].into_iter().find_map(|batch_idx| {
            let block = file.footer.batch(batch_idx)?;
            let batch = ReadBatch { decoder: decoder.clone(), batch_idx, block };
            let ranges = match file.kept_batch(batch_idx) {
                Some(message) => batch.needed_ranges(&message).ok()?,
                None => batch.likely_ranges()?,
            };
            let n_bytes = ranges.iter().map(length_of);
            Some((n_bytes.fold(0, u64::saturating_add), block.n_body_bytes()))
        });
        Outlook {
            is_all: session.selection().is_all(),
            n_ranges,
            share: known.unwrap_or(share),
            is_known: known.is_some(),
            cost: decoder.session.options().known_fetch_cost(),
        }
    }

    fn n_likely_bytes(&self, block: &Block) -> u64 {
        let (part, all) = self.share;
        share_of(block.n_body_bytes(), part, all).min(block.n_body_bytes())
    }

    /// The bytes that will be fetched for a batch whose metadata may not have been read.
    fn share_of(&self, batch: &ReadBatch) -> Share {
        let block = &batch.block;
        if self.is_all || self.may_be_whole(block) {
            return Share::whole(block);
        }
        match batch.likely_ranges() {
            Some(ranges) => Share::of(batch, ranges),
            // If it turns out to be more, fewer batches are fetched.
            None => Share::some(block, block.n_metadata_bytes().saturating_add(self.n_likely_bytes(block))),
        }
    }

    /// Whether fetching the whole block with its metadata may cost less than fetching the needed parts later. Its
    /// requests are joined with those of neighbouring batches.
    fn may_be_whole(&self, block: &Block) -> bool {
        let Outlook { cost, n_ranges, .. } = self;
        let (_, per_byte) = cost.prices_of_byte();
        let price = per_byte.saturating_mul(block.n_body_bytes().into());
        // Whatever is joined: a request less at both sides.
        let joined = cost.price_of_request().saturating_mul(2);
        price <= cost.price_of(*n_ranges, self.n_expected_bytes(block)).saturating_add(joined)
    }

    /// The least number of bytes that will be needed of a body. The share of the selected columns only counts if a batch
    /// has been read: one column may have most of the bytes.
    fn n_expected_bytes(&self, block: &Block) -> u64 {
        if self.is_known { self.n_likely_bytes(block) } else { 0 }
    }

    /// Hints at the ranges that will be needed from the body of a batch whose metadata has not been read.
    fn tell(&self, batch: &ReadBatch, bytes: &mut Provided) {
        let block = &batch.block;
        if self.is_all {
            bytes.hint(block.body_range());
            return;
        }
        if let Some(ranges) = batch.likely_ranges() {
            ranges.into_iter().for_each(|range| bytes.hint(range));
            return;
        }
        let n_bytes = self.n_expected_bytes(block);
        bytes.expect(LaterRanges { within: block.body_range(), n_ranges: self.n_ranges, n_bytes });
    }
}

impl ReadBatch {
    fn read(&self, bytes: &mut Provided) -> Result<Option<BatchWithMetadata>> {
        match self.message_or_outlook(bytes)? {
            Some(message) => self.read_body(&message, bytes),
            None => Ok(None),
        }
    }

    /// The message; if its metadata has not been provided, all that is likely to be needed is asked for.
    fn message_or_outlook(&self, bytes: &mut Provided) -> Result<Option<Arc<OpenBatch>>> {
        let FileDecoder { file, session } = &self.decoder;
        let message = self.message(bytes)?;
        if message.is_none() {
            Outlook::of(&self.decoder, self.batch_idx).tell(self, bytes);
            // What dictionaries need is asked for along with it.
            dictionaries::load(file, session, bytes)?;
        }
        Ok(message)
    }

    /// The message and the selected parts of the body, once the dictionaries are loaded, too.
    fn fetch_all(&self, bytes: &mut Provided) -> Result<Option<(Arc<OpenBatch>, Body)>> {
        let Some(message) = self.message_or_outlook(bytes)? else { return Ok(None) };
        let body = self.fetch(&message, bytes)?;
        let has_dictionaries = dictionaries::load(&self.decoder.file, &self.decoder.session, bytes)?;
        Ok(body.filter(|_| has_dictionaries).map(|body| (message, body)))
    }

    fn read_body(&self, message: &OpenBatch, bytes: &mut Provided) -> Result<Option<BatchWithMetadata>> {
        let read = self.read_charging(message, bytes, None)?;
        Ok(read.map(|(batch, _)| BatchWithMetadata { batch, metadata: message.custom_metadata().clone() }))
    }
}

impl Work<FetchedBatch> for ReadBatch {
    fn advance(&mut self, bytes: &mut Provided) -> Result<Option<FetchedBatch>> {
        let fetched = self.in_block(self.fetch_all(bytes))?;
        let batch = ReadBatch { decoder: self.decoder.clone(), ..*self };
        Ok(fetched.map(|fetched| FetchedBatch { batch, fetched: Ok(fetched) }))
    }
}

impl Work<BatchWithMetadata> for ReadBatch {
    fn advance(&mut self, bytes: &mut Provided) -> Result<Option<BatchWithMetadata>> {
        self.in_block(self.read(bytes))
    }
}
