//! The batches of a file, one after the other.

use std::{fs::File, ops::Range};

use arrow_data::RecordBatch;
#[cfg(feature = "rayon")]
use rayon::iter::{IndexedParallelIterator, IntoParallelIterator, ParallelIterator};

use super::reader::FileReader;
use crate::{error::Result, source::Source};

/// The batches of a file; see [`FileReader::batches`]. Shares the file with its reader.
#[derive(Debug)]
pub struct Batches<S = File> {
    reader: FileReader<S>,
    range: Range<usize>,
}

impl<S: Source> Batches<S> {
    pub(super) fn new(reader: FileReader<S>) -> Batches<S> {
        let range = 0..reader.n_batches();
        Batches { reader, range }
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
        self.range.next().map(|batch_idx| self.reader.batch(batch_idx))
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        self.range.size_hint()
    }

    fn nth(&mut self, n: usize) -> Option<Result<RecordBatch>> {
        self.range.nth(n).map(|batch_idx| self.reader.batch(batch_idx))
    }
}

impl<S: Source> DoubleEndedIterator for Batches<S> {
    fn next_back(&mut self) -> Option<Result<RecordBatch>> {
        self.range.next_back().map(|batch_idx| self.reader.batch(batch_idx))
    }
}

impl<S: Source> ExactSizeIterator for Batches<S> {}

impl<S: Source> std::iter::FusedIterator for Batches<S> {}
