//! Reads one record batch: its metadata, the dictionaries that it needs, and of its body what is selected.

use std::ops::Range;

use super::{
    block::Block, decoder::FileDecoder, dictionaries, metadata::record_batch, plan::Work, provided::Provided,
};
use crate::{
    batch::{BatchDecoder, DecompressedBuffers, RowSource},
    body::{Body, Part},
    error::{BlockIndex, Context, IpcError, Result},
    stream::BatchWithMetadata,
};

/// Reads a batch.
#[derive(Debug)]
pub(super) struct ReadBatch {
    pub(super) decoder: FileDecoder,
    pub(super) batch_idx: usize,
    pub(super) block: Block,
}

impl ReadBatch {
    fn read(&self, bytes: &mut Provided) -> Result<Option<BatchWithMetadata>> {
        let FileDecoder { file, session } = &self.decoder;
        let limits = session.options().limits();
        let index = BlockIndex::RecordBatch(self.batch_idx);
        let head = file.message((index, &self.block), bytes, limits)?;
        if head.is_none() && session.selection().is_all() {
            bytes.hint(self.block.body_range());
        }
        let Some(head) = head else {
            // What dictionaries need is asked for along with it.
            dictionaries::load(file, session, bytes)?;
            return Ok(None);
        };
        let batch = record_batch(&head, limits)?;
        let decoder = session.batch_decoder(batch.lists, batch.version)?;
        let body = self.body(&decoder, bytes)?;
        let has_dictionaries = dictionaries::load(file, session, bytes)?;
        let Some(body) = body.filter(|_| has_dictionaries) else { return Ok(None) };
        let metadata = batch.custom_metadata;
        let batch = session.record_batch(decoder, &body)?;
        Ok(Some(BatchWithMetadata { batch, metadata }))
    }

    /// What is selected of the body.
    fn body(&self, decoder: &BatchDecoder<'_>, bytes: &mut Provided) -> Result<Option<Body>> {
        let selection = self.decoder.session.selection();
        if selection.is_all() {
            return Ok(bytes.take(self.block.body_range()).map(Body::Whole));
        }
        if let Some(body) = bytes.find(&self.block.body_range()) {
            return Ok(Some(Body::Whole(body)));
        }
        let mut ranges = decoder.needed_ranges(selection)?;
        ranges.retain(|range| range.n_bytes() > 0);
        // Of those that begin together the longest is found by who looks for the last.
        ranges.sort_unstable_by_key(|range| (range.start(), range.n_bytes()));
        // No overflow: the ranges lie inside of the body, whose end the block's parser has computed.
        let position = self.block.body_position();
        let mut parts = Vec::with_capacity(ranges.len());
        for range in &ranges {
            let found = bytes.take(position + range.start()..position + range.end());
            parts.extend(found.map(|bytes| Part { start: range.start(), bytes }));
        }
        Ok(Some(parts).filter(|parts| parts.len() == ranges.len()).map(Body::Parts))
    }
}

impl Work<BatchWithMetadata> for ReadBatch {
    fn advance(&mut self, bytes: &mut Provided) -> Result<Option<BatchWithMetadata>> {
        let read = self.read(bytes);
        self.decoder.session.counters().gathered(bytes.n_gathered_bytes());
        read.in_block(BlockIndex::RecordBatch(self.batch_idx), self.block.position())
    }
}

/// Reads rows of a batch.
#[derive(Debug)]
pub(super) struct ReadRows {
    pub(super) batch: ReadBatch,
    pub(super) rows: Range<u64>,
    pub(super) decompressed: DecompressedBuffers,
}

/// What is asked for begins at multiples of this, so that values lie aligned in memory.
const ALIGNMENT: u64 = 8;

impl ReadRows {
    fn read(&mut self, bytes: &mut Provided) -> Result<Option<BatchWithMetadata>> {
        let ReadBatch { decoder: FileDecoder { file, session }, batch_idx, block } = &self.batch;
        let limits = session.options().limits();
        let head = file.message((BlockIndex::RecordBatch(*batch_idx), block), bytes, limits)?;
        let has_dictionaries = dictionaries::load(file, session, bytes)?;
        let Some(head) = head else { return Ok(None) };
        let batch = record_batch(&head, limits)?;
        if self.rows == (0..batch.lists.n_rows()) {
            return self.batch.read(bytes);
        }
        let position = block.body_position();
        let mut take = |range: Range<u64>| {
            // No overflow: the ranges lie inside of the body, whose end the block's parser has computed.
            let (start, end) = (position + range.start, position + range.end);
            let unused = start % ALIGNMENT;
            bytes.take(start - unused..end)?.try_slice(unused, end - start).ok()
        };
        let decompressed = &mut self.decompressed;
        let source = RowSource { take: &mut take, decompressed, has_dictionaries };
        let decoder = session.batch_decoder(batch.lists, batch.version)?;
        let metadata = batch.custom_metadata;
        let rows = session.rows(decoder, self.rows.clone(), source)?;
        Ok(rows.map(|batch| BatchWithMetadata { batch, metadata }))
    }
}

impl Work<BatchWithMetadata> for ReadRows {
    fn advance(&mut self, bytes: &mut Provided) -> Result<Option<BatchWithMetadata>> {
        let read = self.read(bytes);
        let ReadBatch { decoder, batch_idx, block } = &self.batch;
        decoder.session.counters().gathered(bytes.n_gathered_bytes());
        read.in_block(BlockIndex::RecordBatch(*batch_idx), block.position())
    }
}

/// Counts the rows of some batches.
#[derive(Debug)]
pub(super) struct CountRows {
    pub(super) decoder: FileDecoder,
    pub(super) batches: Range<usize>,
}

impl Work<u64> for CountRows {
    fn advance(&mut self, bytes: &mut Provided) -> Result<Option<u64>> {
        let FileDecoder { file, session } = &self.decoder;
        let limits = session.options().limits();
        let mut n_rows = Some(0u64);
        for batch_idx in self.batches.clone() {
            let Some(block) = file.footer.batches().get(batch_idx) else { continue };
            let index = BlockIndex::RecordBatch(batch_idx);
            let mut count = || {
                let head = file.message((index, block), bytes, limits)?;
                head.map(|head| Ok::<_, IpcError>(record_batch(&head, limits)?.lists.n_rows())).transpose()
            };
            let found = count().in_block(index, block.position())?;
            n_rows = n_rows.zip(found).map(|(sum, found)| sum.saturating_add(found));
        }
        Ok(n_rows)
    }
}
