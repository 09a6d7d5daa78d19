//! Fetches several batches of a file together.

use std::{fs::File, iter, ops::Range};

use super::{fetched_batch::FetchedBatch, prefetch::BatchPrefetcher, reader::FileReader};
use crate::{batch::BatchWithMetadata, error::Result, source::Source};

/// Fetches several batches of a file together; see [`FileReader::prefetcher`]. Shares the source of its reader.
#[derive(Debug)]
pub struct FilePrefetcher<S = File> {
    reader: FileReader<S>,
    prefetch: BatchPrefetcher,
}

/// The next batch to read, possibly with its fetched bytes. Any thread can read it.
#[derive(Debug)]
pub struct NextBatch<S = File> {
    reader: FileReader<S>,
    batch_idx: usize,
    fetched: Option<Box<FetchedBatch>>,
}

impl<S: Source> FilePrefetcher<S> {
    pub(super) fn new(reader: FileReader<S>, max_bytes: u64) -> FilePrefetcher<S> {
        let prefetch = reader.decoder().prefetcher(0..0).at_once(max_bytes, max_bytes);
        FilePrefetcher { reader, prefetch }
    }

    /// Does not fetch batches that need more than `max_batch_bytes`. Returns such batches without their bytes, for
    /// callers that read large batches in [parts](FileReader::parts_of).
    #[must_use]
    pub fn with_max_batch_bytes(self, max_batch_bytes: u64) -> FilePrefetcher<S> {
        let max_bytes = self.prefetch.max_bytes();
        FilePrefetcher { prefetch: self.prefetch.at_once(max_bytes, max_batch_bytes), ..self }
    }

    /// The reader of the file.
    pub fn reader(&self) -> &FileReader<S> {
        &self.reader
    }

    /// Takes the first batch of the range. If it has not been fetched, fetches it together with other batches of the
    /// range. Drops batches before the range.
    ///
    /// If fetching several batches fails, fetches only the first batch again, so that it does not return the error of
    /// another batch.
    pub fn next_of(&mut self, batches: Range<usize>) -> NextBatch<S> {
        let batch_idx = batches.start;
        self.prefetch.set_batches(batches.clone());
        if !batches.is_empty() && (!self.prefetch.is_empty() || !self.is_read_alone(batches)) {
            self.fetch();
        }
        let fetched = self.prefetch.take_front(batch_idx).map(Box::new);
        NextBatch { reader: self.reader.clone(), batch_idx, fetched }
    }

    /// The batch with this index, with its bytes if it is the last fetched batch.
    pub(super) fn pop_back(&mut self, batch_idx: usize) -> NextBatch<S> {
        let fetched = self.prefetch.take_back(batch_idx).map(Box::new);
        NextBatch { reader: self.reader.clone(), batch_idx, fetched }
    }

    /// Whether fetching the first batch alone is as cheap as fetching it together with other batches.
    fn is_read_alone(&self, batches: Range<usize>) -> bool {
        let decoder = self.reader.decoder();
        let max_bytes = self.prefetch.max_bytes();
        let first_two = batches.take(2).filter_map(|batch_idx| self.reader.footer().batch(batch_idx));
        // No overflow: all blocks together are no longer than the file.
        let n_bytes: u64 = first_two.map(|block| block.n_bytes()).sum();
        let is_one = decoder.message_decoder.selects_all() && n_bytes > max_bytes;
        is_one || max_bytes == 0 || decoder.is_in_memory()
    }

    /// Fetches until the next batch is in memory, together with batches after it. After an error, which may come from any
    /// of these batches or from a lack of memory, the next batch is read alone.
    fn fetch(&mut self) {
        while !self.prefetch.has_next() {
            let ranges: Vec<Range<u64>> = iter::from_fn(|| self.prefetch.next_request(|_| true)).collect();
            if ranges.is_empty() {
                return;
            }
            if let Err(error) = self.reader.fetch_for(&ranges, &mut self.prefetch) {
                self.prefetch.fail(error);
            }
        }
    }
}

impl<S: Source> NextBatch<S> {
    /// The index of the batch in the footer.
    pub fn batch_idx(&self) -> usize {
        self.batch_idx
    }

    /// The reader of the file.
    pub fn reader(&self) -> &FileReader<S> {
        &self.reader
    }

    /// Whether the bytes of the batch have been fetched. If not, [`read`](NextBatch::read) fetches them, unless the file
    /// is in memory.
    pub fn is_fetched(&self) -> bool {
        self.fetched.is_some()
    }

    /// Reads the batch: fetches its bytes if necessary, and decompresses, decodes and checks them.
    ///
    /// # Errors
    /// The errors of [`FileReader::batch`].
    pub fn read(self) -> Result<BatchWithMetadata> {
        match self.fetched {
            Some(fetched) => fetched.decode(),
            None => self.reader.batch_with_metadata(self.batch_idx),
        }
    }

    /// Fetches the bytes of the batch, unless they have been fetched. See [`FileReader::fetch`].
    ///
    /// # Errors
    /// The errors of [`FileReader::fetch`].
    pub fn fetch(self) -> Result<FetchedBatch> {
        self.fetched.map_or_else(|| self.reader.fetch(self.batch_idx), |fetched| Ok(*fetched))
    }
}
