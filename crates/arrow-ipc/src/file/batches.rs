//! The batches of a file, one after the other.

use std::{collections::VecDeque, fs::File, ops::Range};

use arrow_data::RecordBatch;
#[cfg(feature = "rayon")]
use rayon::iter::{IndexedParallelIterator, IntoParallelIterator, ParallelIterator};

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
#[derive(Debug, Default)]
pub(super) struct ReadAhead(VecDeque<FetchedBatch>);

impl ReadAhead {
    /// A batch, with others before this end if nothing of it is there. Those before it are dropped.
    pub(super) fn next<S: Source>(
        &mut self,
        reader: &FileReader<S>,
        batch_idx: usize,
        end: usize,
    ) -> Result<RecordBatch> {
        while self.0.front().is_some_and(|fetched| fetched.batch_idx() < batch_idx) {
            self.0.pop_front();
        }
        if self.0.is_empty() {
            // An error may be of any of them, or there is not enough memory for so many; what follows tells.
            let fetched = reader.fetch_ahead(batch_idx..end.max(batch_idx.saturating_add(1)));
            self.0 = fetched.unwrap_or_default().into();
        }
        match self.0.pop_front() {
            Some(fetched) => Ok(fetched.decode()?.batch),
            None => reader.batch(batch_idx),
        }
    }

    /// A batch, if it is the last that is there.
    fn pop_back(&mut self, batch_idx: usize) -> Option<Result<RecordBatch>> {
        let fetched = self.0.pop_back_if(|fetched| fetched.batch_idx() == batch_idx)?;
        Some(fetched.decode().map(|fetched| fetched.batch))
    }
}

impl<S: Source> Batches<S> {
    pub(super) fn new(reader: FileReader<S>) -> Batches<S> {
        let range = 0..reader.n_batches();
        Batches { reader, range, ahead: ReadAhead::default() }
    }

    /// A batch that was taken from the front of the range.
    fn next_batch(&mut self, batch_idx: usize) -> Result<RecordBatch> {
        self.ahead.next(&self.reader, batch_idx, self.range.end)
    }
}

#[cfg(feature = "rayon")]
impl<S: Source> FileReader<S> {
    /// All batches, read, decompressed and checked by as many threads as `rayon` has; each is what
    /// [`batch`](FileReader::batch) gives. Collected, they are in the order of the footer. The dictionaries that the selected
    /// columns need are read at once.
    ///
    /// Needs the feature `rayon`.
    ///
    /// ```no_run
    /// use arrow_ipc::FileReader;
    /// use rayon::iter::ParallelIterator;
    ///
    /// let file = FileReader::open("people.arrow")?;
    /// let n_rows: Vec<usize> = file.par_batches().map(|batch| Ok(batch?.n_rows())).collect::<arrow_ipc::Result<_>>()?;
    /// # Ok::<(), arrow_ipc::IpcError>(())
    /// ```
    pub fn par_batches(&self) -> impl IndexedParallelIterator<Item = Result<RecordBatch>> + use<S>
    where
        S: 'static,
    {
        let reader = self.clone();
        // Or each thread would read them. Should this fail, the batches that need them say so.
        drop(reader.load_dictionaries());
        (0..self.n_batches()).into_par_iter().map(move |batch_idx| reader.batch(batch_idx))
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
