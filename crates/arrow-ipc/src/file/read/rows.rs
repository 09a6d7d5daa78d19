//! Rows counted over all batches of a file: their number, and the batches that have them.

use std::ops::Range;

use super::{batch::ReadRows, decoder::FileDecoder, plan::Work, provided::Provided};
use crate::{
    error::{BlockIndex, Context, IpcErrorKind, Result},
    limits::Limits,
    stream::BatchWithMetadata,
};

impl FileDecoder {
    /// The number of rows of a batch: from its metadata if that is there, else from the footer; `None` if neither has it,
    /// and the metadata has been asked for.
    fn known_rows(&self, batch_idx: usize, bytes: &mut Provided) -> Result<Option<u64>> {
        let FileDecoder { file, session } = self;
        let Some(block) = file.footer.batch(batch_idx) else { return Ok(Some(0)) };
        let is_here = file.kept_batch(batch_idx).is_some() || bytes.find(&block.metadata_range()).is_some();
        if !is_here && let Some(claimed) = file.footer.n_rows_of(batch_idx) {
            return Ok(Some(claimed));
        }
        let index = BlockIndex::RecordBatch(batch_idx);
        let message = file.record_batch(index, &block, bytes, session.options().limits());
        Ok(message.in_block(index, block.position())?.map(|message| message.n_rows()))
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
        let mut sum = 0u64;
        let is_complete = self.each(bytes, |batch_idx, n_rows| {
            sum = self.decoder.add_rows(sum, n_rows, batch_idx)?;
            Ok(())
        })?;
        Ok(is_complete.then_some(sum))
    }
}

impl Work<Vec<u64>> for CountRows {
    fn advance(&mut self, bytes: &mut Provided) -> Result<Option<Vec<u64>>> {
        let mut found = Vec::new();
        let is_complete = self.each(bytes, |_, n_rows| {
            found.push(n_rows);
            Ok(())
        })?;
        Ok(is_complete.then_some(found))
    }
}

impl CountRows {
    /// Calls `count` with the number of rows of each batch; returns whether all are known. Missing metadata is requested at
    /// once.
    fn each(&self, bytes: &mut Provided, mut count: impl FnMut(usize, u64) -> Result<()>) -> Result<bool> {
        let mut is_complete = true;
        for batch_idx in self.batches.clone() {
            match self.decoder.known_rows(batch_idx, bytes)? {
                Some(n_rows) => count(batch_idx, n_rows)?,
                None => is_complete = false,
            }
        }
        Ok(is_complete)
    }
}

impl FileDecoder {
    /// Adds rows up to the largest number that the format can express, also for several batches.
    fn add_rows(&self, sum: u64, n_rows: u64, batch_idx: usize) -> Result<u64> {
        // Larger sums are over the limit anyway.
        let sum = sum.saturating_add(n_rows);
        let position = self.file.footer.batch(batch_idx).map_or(0, |block| block.position());
        Limits::check("rows of several batches", sum, i64::MAX.unsigned_abs())
            .in_block(BlockIndex::RecordBatch(batch_idx), position)?;
        Ok(sum)
    }
}

/// Finds the batches that have the wanted rows.
#[derive(Debug)]
pub(super) struct LocateRows {
    pub(super) decoder: FileDecoder,
    pub(super) rows: Range<u64>,
}

impl Work<Vec<(usize, Range<u64>)>> for LocateRows {
    fn advance(&mut self, bytes: &mut Provided) -> Result<Option<Vec<(usize, Range<u64>)>>> {
        let Range { start, end } = self.rows;
        let (mut parts, mut n_rows, mut is_complete) = (Vec::new(), 0u64, true);
        for batch_idx in 0..self.decoder.n_batches() {
            if is_complete && n_rows >= end && start <= end {
                break;
            }
            let Some(n_batch_rows) = self.decoder.known_rows(batch_idx, bytes)? else {
                // All that may be needed is asked for at once.
                is_complete = false;
                continue;
            };
            let next = self.decoder.add_rows(n_rows, n_batch_rows, batch_idx)?;
            let rows = start.max(n_rows)..end.min(next);
            if !rows.is_empty() {
                parts.push((batch_idx, rows.start.saturating_sub(n_rows)..rows.end.saturating_sub(n_rows)));
            }
            n_rows = next;
        }
        if !is_complete {
            return Ok(None);
        }
        if start > end || end > n_rows {
            return Err(IpcErrorKind::NoSuchFileRows { start, end, n_rows }.into());
        }
        Ok(Some(parts))
    }
}

/// Reads rows of several batches, as many of the first as fit.
#[derive(Debug)]
pub(super) struct RowsOfEach {
    parts: Vec<(ReadRows, Option<BatchWithMetadata>)>,
    /// How many bytes are requested at once; perhaps more of the last part.
    max_bytes: u64,
}

impl RowsOfEach {
    pub(super) fn new(rows: Vec<ReadRows>, max_bytes: u64) -> RowsOfEach {
        RowsOfEach { parts: rows.into_iter().map(|rows| (rows, None)).collect(), max_bytes }
    }
}

impl Work<Vec<BatchWithMetadata>> for RowsOfEach {
    fn advance(&mut self, bytes: &mut Provided) -> Result<Option<Vec<BatchWithMetadata>>> {
        let mut n_parts = 0usize;
        for (rows, read) in &mut self.parts {
            if read.is_none() {
                *read = rows.advance(bytes)?;
            }
            n_parts = n_parts.saturating_add(1);
            if bytes.n_needed_bytes() > self.max_bytes {
                break;
            }
        }
        self.parts.truncate(n_parts);
        if self.parts.iter().any(|(_, read)| read.is_none()) {
            return Ok(None);
        }
        Ok(Some(self.parts.drain(..).filter_map(|(_, read)| read).collect()))
    }
}
