//! Fetches each batch of a file together with those after it.

use std::{collections::VecDeque, fs::File, ops::Range};

use super::{
    group::{FetchBatches, FetchedBatch, Fit},
    reader::FileReader,
};
use crate::{error::Result, source::Source, stream::BatchWithMetadata};

/// Fetches batches of a file several at a time; see [`FileReader::read_ahead`]. Shares the file with its reader.
#[derive(Debug)]
pub struct ReadAhead<S = File> {
    reader: FileReader<S>,
    /// At most this many bytes are fetched at once. A batch that needs more is not fetched.
    max_bytes: u64,
    max_batch_bytes: u64,
    /// In the order of the file.
    fetched: VecDeque<FetchedBatch>,
    /// How many batches are read one by one after reading ahead failed. The number doubles if it fails again.
    n_alone: usize,
    n_alone_left: usize,
}

/// The next batch to be read, by this thread or another. Its bytes may have been fetched already.
#[derive(Debug)]
pub struct NextBatch<S = File> {
    reader: FileReader<S>,
    batch_idx: usize,
    fetched: Option<Box<FetchedBatch>>,
}

impl<S: Source> ReadAhead<S> {
    pub(super) fn new(reader: FileReader<S>, max_bytes: u64) -> ReadAhead<S> {
        let (max_batch_bytes, fetched) = (u64::MAX, VecDeque::new());
        ReadAhead { reader, max_bytes, max_batch_bytes, fetched, n_alone: 0, n_alone_left: 0 }
    }

    /// Does not fetch a batch that needs more bytes than this. It is returned without its bytes, for callers that read
    /// large batches in [parts](FileReader::parts_of).
    #[must_use]
    pub fn with_max_batch_bytes(self, max_batch_bytes: u64) -> ReadAhead<S> {
        ReadAhead { max_batch_bytes, ..self }
    }

    /// The reader of the file.
    pub fn reader(&self) -> &FileReader<S> {
        &self.reader
    }

    /// The first of these batches. If it has not been fetched, it is fetched together with others of these. Fetched
    /// batches before it are dropped.
    ///
    /// If several batches cannot be fetched together, this one is read alone, so an error belongs to it.
    pub fn next_of(&mut self, batches: Range<usize>) -> NextBatch<S> {
        let batch_idx = batches.start;
        while self.fetched.front().is_some_and(|fetched| fetched.batch_idx() < batch_idx) {
            self.fetched.pop_front();
        }
        if self.fetched.is_empty() && !batches.is_empty() && !self.reader.decoder().is_in_memory() {
            self.fetch(batches);
        }
        let fetched = self.fetched.pop_front_if(|fetched| fetched.batch_idx() == batch_idx).map(Box::new);
        NextBatch { reader: self.reader.clone(), batch_idx, fetched }
    }

    /// The batch at this position, with its bytes if it is the last fetched one.
    pub(super) fn pop_back(&mut self, batch_idx: usize) -> NextBatch<S> {
        let fetched = self.fetched.pop_back_if(|fetched| fetched.batch_idx() == batch_idx).map(Box::new);
        NextBatch { reader: self.reader.clone(), batch_idx, fetched }
    }

    /// Fetches the first of these batches together. An error may belong to any of them, or mean that memory is short.
    /// Reading the first one alone tells.
    fn fetch(&mut self, batches: Range<usize>) {
        if let Some(n_left) = self.n_alone_left.checked_sub(1) {
            self.n_alone_left = n_left;
            return;
        }
        match self.fetch_ahead(batches) {
            Ok(fetched) => (self.fetched, self.n_alone) = (fetched.into(), 0),
            Err(_) => {
                // This one, and as many as before.
                self.n_alone_left = self.n_alone;
                self.n_alone = self.n_alone.saturating_mul(2).max(1);
            }
        }
    }

    /// Fetches the first of these batches that fit; none if fetching several at once saves nothing for the first.
    fn fetch_ahead(&self, batches: Range<usize>) -> Result<Vec<FetchedBatch>> {
        let ReadAhead { reader, max_bytes, max_batch_bytes, .. } = self;
        let (max_bytes, max_batch_bytes, decoder) = (*max_bytes, *max_batch_bytes, reader.decoder());
        let first_two = batches.clone().take(2).filter_map(|batch_idx| reader.footer().batch(batch_idx));
        let n_bytes = first_two.fold(0, |n_bytes: u64, block| n_bytes.saturating_add(block.n_bytes()));
        let is_one = decoder.session.selection().is_all() && n_bytes > max_bytes;
        if is_one || max_bytes == 0 {
            return Ok(Vec::new());
        }
        let fit = Fit { max_bytes, max_batch_bytes, at_least_one: false };
        reader.run(decoder.plan(FetchBatches { decoder: decoder.clone(), batches, fit }))
    }
}

impl<S: Source> NextBatch<S> {
    /// Its position in the footer.
    pub fn batch_idx(&self) -> usize {
        self.batch_idx
    }

    /// The reader of the file.
    pub fn reader(&self) -> &FileReader<S> {
        &self.reader
    }

    /// Whether its bytes have been fetched. If not, [`read`](NextBatch::read) fetches them, or takes them from memory.
    pub fn is_fetched(&self) -> bool {
        self.fetched.is_some()
    }

    /// The batch, decompressed, decoded and checked.
    ///
    /// # Errors
    /// As [`FileReader::batch`].
    pub fn read(self) -> Result<BatchWithMetadata> {
        match self.fetched {
            Some(fetched) => fetched.decode(),
            None => self.reader.batch_with_metadata(self.batch_idx),
        }
    }

    /// The bytes of the batch, as from [`FileReader::fetch`].
    ///
    /// # Errors
    /// As [`FileReader::fetch`].
    pub fn fetch(self) -> Result<FetchedBatch> {
        self.fetched.map_or_else(|| self.reader.fetch(self.batch_idx), |fetched| Ok(*fetched))
    }
}
