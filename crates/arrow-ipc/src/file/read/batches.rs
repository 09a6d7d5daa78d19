//! Iterators over the batches of a file, or over some of its rows.

use std::{fs::File, iter::FusedIterator, ops::Range, vec};

use arrow_data::RecordBatch;

use super::{file_prefetch::FilePrefetcher, reader::FileReader};
use crate::{error::Result, file::stream_index::StreamEnd, source::Source};

/// An iterator over the batches of a file; see [`FileReader::batches`]. Shares the source of its reader.
#[derive(Debug)]
pub struct Batches<S = File> {
    range: Range<usize>,
    prefetcher: FilePrefetcher<S>,
}

impl<S: Source> Batches<S> {
    /// Reads all batches. If a stream ends with a message that is cut or malformed, its error is the last item.
    pub(super) fn for_all(reader: FileReader<S>, max_bytes: u64) -> Batches<S> {
        let range = 0..n_items(&reader);
        Batches::for_range(reader, range, max_bytes)
    }

    /// Reads a range of the batches. Prefetches at most `max_bytes` bytes.
    pub(super) fn for_range(reader: FileReader<S>, range: Range<usize>, max_bytes: u64) -> Batches<S> {
        Batches { range, prefetcher: FilePrefetcher::new(reader, max_bytes) }
    }

    /// Reads a batch. `self.range` no longer has this batch.
    fn next_batch(&mut self, batch_idx: usize) -> Result<RecordBatch> {
        self.check_end_at(batch_idx)?;
        // No overflow: the batch was in `range`.
        let end = self.range.end.max(batch_idx + 1);
        Ok(self.prefetcher.next_of(batch_idx..end).read()?.batch)
    }

    /// Returns the error at which a stream ends, if the index is after the last batch.
    fn check_end_at(&self, batch_idx: usize) -> Result<()> {
        let reader = self.prefetcher.reader();
        if batch_idx < reader.n_batches() { Ok(()) } else { reader.check_end() }
    }
}

/// The number of batches, and one for the error at which a stream ends.
pub(super) fn n_items<S: Source>(reader: &FileReader<S>) -> usize {
    // No overflow: each batch takes memory.
    reader.n_batches() + usize::from(reader.stream_end() == Some(StreamEnd::Incomplete))
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
        if let Err(error) = self.check_end_at(batch_idx) {
            return Some(Err(error));
        }
        Some(self.prefetcher.pop_back(batch_idx).read().map(|read| read.batch))
    }
}

impl<S: Source> ExactSizeIterator for Batches<S> {}

impl<S: Source> FusedIterator for Batches<S> {}

/// An iterator over rows of a file, batch by batch; see [`FileReader::rows`]. Shares the source of its reader.
#[derive(Debug)]
pub struct FileRows<S = File> {
    pub(super) parts: vec::IntoIter<(usize, Range<u64>)>,
    pub(super) prefetcher: FilePrefetcher<S>,
}

impl<S: Source> FileRows<S> {
    /// Reads rows of one batch. All rows of the iterator are contiguous. So if the rows begin with the first row of the
    /// batch, and another batch follows, they are the whole batch.
    fn read(&mut self, batch_idx: usize, rows: Range<u64>) -> Result<RecordBatch> {
        match self.parts.as_slice().last() {
            Some((last, _)) if rows.start == 0 => {
                // No overflow: the file has this batch.
                let end = (*last).max(batch_idx + 1);
                Ok(self.prefetcher.next_of(batch_idx..end).read()?.batch)
            }
            Some(_) | None => self.prefetcher.reader().batch_rows(batch_idx, rows),
        }
    }
}

impl<S: Source> Iterator for FileRows<S> {
    type Item = Result<RecordBatch>;

    fn next(&mut self) -> Option<Result<RecordBatch>> {
        self.parts.next().map(|(batch_idx, rows)| self.read(batch_idx, rows))
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        self.parts.size_hint()
    }
}

impl<S: Source> ExactSizeIterator for FileRows<S> {}

impl<S: Source> FusedIterator for FileRows<S> {}
