//! Counts the rows of batches. The metadata of several batches is read together.

use std::ops::Range;

use arrow_ipc::{FileReader, IpcError, Source};

/// The limit for the metadata that is read at once for several batches, in bytes.
const MAX_BYTES: u64 = 16 << 20;

/// The numbers of rows of batches, for callers that need one number after the other.
#[derive(Debug, Clone, Default)]
pub struct BatchCounts {
    first: usize,
    known: Vec<u64>,
    /// The total number of rows in the batches that were counted.
    n_rows: u64,
    n_batches: u64,
    /// Batches before this index are read one by one, because reading them together failed.
    alone_end: usize,
}

impl BatchCounts {
    /// The number of rows in the first batch of `batches`. If the number is not yet known, reads the metadata of
    /// batches until they have about `n_requested` rows in total.
    ///
    /// # Errors
    /// If the metadata of the first batch cannot be read.
    pub fn n_rows_of<S: Source>(
        &mut self,
        reader: &FileReader<S>,
        batches: Range<usize>,
        n_requested: u64,
    ) -> Result<u64, IpcError> {
        let batch_idx = batches.start;
        if let Some(n_rows) = batch_idx.checked_sub(self.first).and_then(|idx| self.known.get(idx)) {
            return Ok(*n_rows);
        }
        // If requests have a low latency, only the metadata of this batch is read.
        let is_far =
            reader.decoder().options().fetch_cost().is_some_and(|cost| cost.requests_in_flight() > 1);
        let end = if is_far && batch_idx >= self.alone_end {
            self.end_of_group(reader, batches, n_requested)
        } else {
            batch_idx
        };
        let together = match end.saturating_sub(batch_idx) {
            0 | 1 => None,
            _ => reader.n_rows_of_each(batch_idx..end).ok(),
        };
        if together.is_none() {
            // After an error, the batches are read one by one, so that the error is returned for the batch that causes
            // it.
            self.alone_end = self.alone_end.max(end);
        }
        self.known = match together {
            Some(known) => known,
            None => vec![reader.n_rows_of(batch_idx)?],
        };
        self.first = batch_idx;
        self.n_batches = self.n_batches.saturating_add(self.known.len() as u64);
        self.n_rows = self.known.iter().fold(self.n_rows, |sum, n_rows| sum.saturating_add(*n_rows));
        Ok(self.known.first().copied().unwrap_or(0))
    }

    /// The numbers of rows of the batches after `batch_idx`, as far as they have been read.
    pub(crate) fn known_after(&self, batch_idx: usize) -> impl Iterator<Item = u64> {
        let n_before = batch_idx.saturating_add(1).saturating_sub(self.first);
        self.known.iter().skip(n_before).copied()
    }

    fn end_of_group<S: Source>(
        &self,
        reader: &FileReader<S>,
        batches: Range<usize>,
        n_requested: u64,
    ) -> usize {
        let n_likely = match self.n_rows.checked_div(self.n_batches) {
            // Before the first number is read, the number of rows per batch cannot be estimated, so one batch is read.
            None => 1,
            Some(n_rows_each) => n_requested.div_ceil(n_rows_each.max(1)),
        };
        let n_likely = usize::try_from(n_likely).unwrap_or(usize::MAX).min(batches.len());
        let blocks = reader.footer().batches().get(batches.start..).unwrap_or_default();
        let mut n_bytes = 0u64;
        let fitting = blocks.iter().take(n_likely).take_while(|block| {
            n_bytes = n_bytes.saturating_add(block.n_metadata_bytes());
            n_bytes <= MAX_BYTES
        });
        batches.start.saturating_add(fitting.count())
    }
}
