//! The batches of a file, one after the other.

use std::{fs::File, ops::Range};

use arrow_data::RecordBatch;

use super::{ahead::ReadAhead, reader::FileReader};
use crate::{error::Result, source::Source};

/// The batches of a file; see [`FileReader::batches`]. Shares the file with its reader.
#[derive(Debug)]
pub struct Batches<S = File> {
    range: Range<usize>,
    ahead: ReadAhead<S>,
}

impl<S: Source> Batches<S> {
    pub(super) fn new(reader: FileReader<S>) -> Batches<S> {
        let (range, max_bytes) = (0..reader.n_batches(), reader.decoder().options().read_ahead_bytes());
        Batches::of_range(reader, range, max_bytes)
    }

    /// Some of the batches. At most this many of their bytes are read ahead.
    pub(super) fn of_range(reader: FileReader<S>, range: Range<usize>, max_bytes: u64) -> Batches<S> {
        Batches { range, ahead: ReadAhead::new(reader, max_bytes) }
    }

    /// The batch that was taken from the front of the range.
    fn next_batch(&mut self, batch_idx: usize) -> Result<RecordBatch> {
        let end = self.range.end.max(batch_idx.saturating_add(1));
        Ok(self.ahead.next_of(batch_idx..end).read()?.batch)
    }
}

impl<S: Source> IntoIterator for FileReader<S> {
    type Item = Result<RecordBatch>;
    type IntoIter = Batches<S>;

    fn into_iter(self) -> Batches<S> {
        self.batches()
    }
}

impl<S: Source> IntoIterator for &FileReader<S> {
    type Item = Result<RecordBatch>;
    type IntoIter = Batches<S>;

    fn into_iter(self) -> Batches<S> {
        self.batches()
    }
}

impl<S: Source> Iterator for Batches<S> {
    type Item = Result<RecordBatch>;

    fn next(&mut self) -> Option<Result<RecordBatch>> {
        self.range.next().map(|batch_idx| self.next_batch(batch_idx))
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        self.range.size_hint()
    }

    fn nth(&mut self, n: usize) -> Option<Result<RecordBatch>> {
        self.range.nth(n).map(|batch_idx| self.next_batch(batch_idx))
    }
}

impl<S: Source> DoubleEndedIterator for Batches<S> {
    fn next_back(&mut self) -> Option<Result<RecordBatch>> {
        let batch_idx = self.range.next_back()?;
        Some(self.ahead.pop_back(batch_idx).read().map(|read| read.batch))
    }
}

impl<S: Source> ExactSizeIterator for Batches<S> {}

impl<S: Source> std::iter::FusedIterator for Batches<S> {}
