//! The batches of a file, one after the other.

use std::{collections::VecDeque, fs::File, ops::Range};

use arrow_data::RecordBatch;

use super::{group::FetchedBatch, reader::FileReader};
use crate::{error::Result, source::Source};

/// The batches of a file; see [`FileReader::batches`]. Shares the file with its reader.
#[derive(Debug)]
pub struct Batches<S = File> {
    reader: FileReader<S>,
    range: Range<usize>,
    ahead: ReadAhead,
}

/// What was fetched ahead, in the order of the file.
#[derive(Debug)]
pub(super) struct ReadAhead {
    /// So much is fetched at once.
    max_bytes: u64,
    fetched: VecDeque<FetchedBatch>,
    /// So many batches are read one by one, since reading ahead failed; then twice as many if it fails again.
    n_alone: usize,
    n_alone_left: usize,
}

impl ReadAhead {
    pub(super) fn new(max_bytes: u64) -> ReadAhead {
        ReadAhead { max_bytes, fetched: VecDeque::new(), n_alone: 0, n_alone_left: 0 }
    }

    /// A batch, with others before this end if nothing of it is there. Those before it are dropped.
    pub(super) fn next<S: Source>(
        &mut self,
        reader: &FileReader<S>,
        batch_idx: usize,
        end: usize,
    ) -> Result<RecordBatch> {
        while self.fetched.front().is_some_and(|fetched| fetched.batch_idx() < batch_idx) {
            self.fetched.pop_front();
        }
        if self.fetched.is_empty() && !reader.decoder().is_in_memory() {
            self.fetch(reader, batch_idx..end.max(batch_idx.saturating_add(1)));
        }
        match self.fetched.pop_front() {
            Some(fetched) => Ok(fetched.decode()?.batch),
            None => reader.batch(batch_idx),
        }
    }

    /// Fetches the first of these. An error may be of any of them, or there is not enough memory for so many: the first one by
    /// itself tells.
    fn fetch<S: Source>(&mut self, reader: &FileReader<S>, batches: Range<usize>) {
        if let Some(n_left) = self.n_alone_left.checked_sub(1) {
            self.n_alone_left = n_left;
            return;
        }
        match reader.fetch_ahead(batches, self.max_bytes) {
            Ok(fetched) => (self.fetched, self.n_alone) = (fetched.into(), 0),
            Err(_) => {
                // This one, and as many as before.
                self.n_alone_left = self.n_alone;
                self.n_alone = self.n_alone.saturating_mul(2).max(1);
            }
        }
    }

    /// A batch, if it is the last that is there.
    fn pop_back(&mut self, batch_idx: usize) -> Option<Result<RecordBatch>> {
        let fetched = self.fetched.pop_back_if(|fetched| fetched.batch_idx() == batch_idx)?;
        Some(fetched.decode().map(|fetched| fetched.batch))
    }
}

impl<S: Source> Batches<S> {
    pub(super) fn new(reader: FileReader<S>) -> Batches<S> {
        let (range, max_bytes) = (0..reader.n_batches(), reader.decoder().options().read_ahead_bytes());
        Batches::of_range(reader, range, max_bytes)
    }

    /// Some of the batches; at most this many of their bytes are read ahead.
    pub(super) fn of_range(reader: FileReader<S>, range: Range<usize>, max_bytes: u64) -> Batches<S> {
        Batches { reader, range, ahead: ReadAhead::new(max_bytes) }
    }

    /// A batch that was taken from the front of the range.
    fn next_batch(&mut self, batch_idx: usize) -> Result<RecordBatch> {
        self.ahead.next(&self.reader, batch_idx, self.range.end)
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
        self.ahead.pop_back(batch_idx).or_else(|| Some(self.reader.batch(batch_idx)))
    }
}

impl<S: Source> ExactSizeIterator for Batches<S> {}

impl<S: Source> std::iter::FusedIterator for Batches<S> {}
