//! Reads the selected rows of a file batch by batch, and fetches the bytes of the next batches together.

mod batch_counts;
mod windows;

use std::{ops::Range, sync::Arc};

use arrow_ipc::{
    BatchWithMetadata, ErrorClass, FileReader, IpcError, Source, Threads,
    file::{DecompressedBatch, FilePrefetcher, NextBatch},
    planner::RangeQueue,
};

pub use self::batch_counts::BatchCounts;
pub(crate) use self::windows::{BatchWindows, bytes_at_once};
use crate::{columns::Selection, error::ToolErrorKind, rows::row_window::RowWindow, source::SharedSource};

/// The approximate number of decompressed bytes in a window. Batches with longer bodies are read in several windows.
/// If requests have a high latency, a window instead has as many bytes as the reader prefetches.
pub(crate) const WINDOW_BYTES: u64 = 8 << 20;

/// The limit for the bodies of all batches that are in memory at the same time, in bytes.
const MAX_LOOKAHEAD_BYTES: u64 = 64 << 20;

/// The number of threads that read batches of a file: all threads of the pool, or fewer if batches are large. 1 if
/// the calling thread belongs to a pool.
pub(crate) fn n_readers<S: Source>(reader: &FileReader<S>) -> usize {
    match n_batches_at_once(reader) {
        // A single batch needs no thread pool.
        ..2 => 1,
        n_batches => Threads::n_available().min(n_batches),
    }
}

fn n_batches_at_once<S: Source>(reader: &FileReader<S>) -> usize {
    let n_body_bytes = reader.footer().batches().iter().map(|block| block.n_body_bytes()).max();
    let Some(n_body_bytes) = n_body_bytes else { return 0 };
    // Besides the batches that are being read, one batch waits to be written.
    let n_in_memory = MAX_LOOKAHEAD_BYTES.checked_div(n_body_bytes).unwrap_or(u64::MAX).saturating_sub(1);
    reader.n_batches().min(usize::try_from(n_in_memory).unwrap_or(usize::MAX))
}

/// The batches of a file that have selected rows, in file order; see [`RowWindow::batches_in`].
#[derive(Debug)]
pub(crate) struct SelectedBatches {
    small: FilePrefetcher<SharedSource>,
    large: RangeQueue,
    window: RowWindow,
    counts: BatchCounts,
    batch_idx: usize,
    /// The end of the batches to read: batches from this index on have no selected rows.
    end: usize,
    /// All rows of the batches from `batch_idx` up to this index are selected.
    whole_end: usize,
    /// For each batch of the file: its number of rows if the batch is skipped, or `None` if it is read.
    skipped: Arc<[Option<u64>]>,
    n_rows_skipped: u64,
}

/// A batch of a file that has selected rows, not yet read. Any thread can read these rows.
#[derive(Debug)]
pub(crate) struct SelectedBatch {
    next: NextBatch<SharedSource>,
    /// The range of selected rows; `None` for all rows.
    rows: Option<Range<u64>>,
}

impl RowWindow {
    /// The batches of the file that contain rows of this window, in file order; if the window counts batches, the
    /// selected ones. Small batches are fetched together with the batches after them, as in
    /// [`FileReader::prefetcher`]. Large batches are read in parts or windows; if requests have a high latency, the
    /// bytes of all parts are fetched together first. If rows are counted, the metadata of all batches before the first
    /// selected batch is fetched together.
    pub(crate) fn batches_in(self, reader: &FileReader<SharedSource>) -> SelectedBatches {
        let end = if self.counts_batches() {
            usize::try_from(self.rest().range().end).unwrap_or(usize::MAX)
        } else {
            usize::MAX
        };
        // Whole blocks are fetched in advance only if all columns are read, because a few columns need fewer bytes.
        let large = if reader.schema().fields() == reader.ipc_schema().schema().fields() {
            reader.source().queue_of(reader.footer().batches().iter().collect(), |_, block| {
                if block.n_body_bytes() > WINDOW_BYTES { block.range() } else { 0..0 }
            })
        } else {
            RangeQueue::default()
        };
        SelectedBatches {
            small: reader.prefetcher().with_max_batch_bytes(WINDOW_BYTES),
            large,
            window: self,
            counts: BatchCounts::default(),
            batch_idx: 0,
            end: end.min(reader.n_batches()),
            whole_end: 0,
            skipped: Arc::default(),
            n_rows_skipped: 0,
        }
    }
}

impl SelectedBatches {
    /// Skips the batches that the selection skips. All rows or a range of batches must be selected.
    pub(crate) fn with_skipped(self, selection: &Selection) -> SelectedBatches {
        SelectedBatches { skipped: Arc::clone(selection.skipped()), ..self }
    }

    /// The number of rows of the batches that were skipped between the last two returned batches.
    pub(crate) fn n_rows_skipped(&self) -> u64 {
        self.n_rows_skipped
    }

    fn n_rows_if_skipped(&self, batch_idx: usize) -> Option<u64> {
        self.skipped.get(batch_idx).copied().flatten()
    }

    /// The part of the window after the batches that were returned.
    pub(crate) fn window(&self) -> RowWindow {
        self.window
    }

    /// The number of batches that were returned or skipped.
    pub(crate) fn n_done(&self) -> usize {
        self.batch_idx
    }

    /// Prepares to read the batches `batches` one after the other. Returns the first of them, with its selected rows
    /// `rows`; `None` for all rows.
    fn reach(&mut self, batches: Range<usize>, rows: Option<Range<u64>>) -> SelectedBatch {
        self.small.reader().source().prefetch_next(&mut self.large, batches.clone());
        SelectedBatch { next: self.small.next_of(batches), rows }
    }

    /// Prepares a batch for reading. A batch whose rows are all selected is fetched together with the next batches.
    fn selected(&mut self, batch_idx: usize, rows: Range<u64>, n_rows: u64) -> SelectedBatch {
        if rows != (0..n_rows) {
            return self.reach(batch_idx..batch_idx, Some(rows));
        }
        if self.whole_end <= batch_idx {
            let mut window = self.window;
            let is_whole = |n_rows: &u64| window.advance(*n_rows) == (0..*n_rows);
            let n_whole = self.counts.known_after(batch_idx).take_while(is_whole).count();
            self.whole_end = batch_idx.saturating_add(1).saturating_add(n_whole);
        }
        self.reach(batch_idx..self.whole_end, None)
    }

    fn uncounted(&mut self, batch_idx: usize) -> SelectedBatch {
        if self.whole_end <= batch_idx {
            let is_read = |later: &usize| self.n_rows_if_skipped(*later).is_none();
            let n_read = (batch_idx..self.end).take_while(is_read).count();
            self.whole_end = batch_idx.saturating_add(n_read);
        }
        self.reach(batch_idx..self.whole_end, None)
    }

    /// The batch at `batch_idx`; `None` if none of its rows are selected.
    fn next_of(&mut self, batch_idx: usize) -> Result<Option<SelectedBatch>, IpcError> {
        let reader = self.small.reader();
        let n_rows =
            self.counts.n_rows_of(reader, batch_idx..reader.n_batches(), self.window.rest().range().end)?;
        let n_body_bytes = reader.footer().batch(batch_idx).map_or(0, |block| block.n_body_bytes());
        if n_rows == 0 && n_body_bytes > WINDOW_BYTES {
            // A large batch that declares zero rows is still read, to find its errors.
            reader.batch(batch_idx)?;
        }
        let rows = self.window.advance(n_rows);
        Ok(if rows.is_empty() { None } else { Some(self.selected(batch_idx, rows, n_rows)) })
    }
}

impl Iterator for SelectedBatches {
    /// A batch, or an error with the index of the batch whose rows could not be counted.
    type Item = Result<SelectedBatch, ToolErrorKind>;

    fn next(&mut self) -> Option<Self::Item> {
        self.n_rows_skipped = 0;
        while self.batch_idx < self.end && !self.window.is_done() {
            let batch_idx = self.batch_idx;
            self.batch_idx = batch_idx.saturating_add(1);
            let selected = match (self.window.advance_uncounted(), self.n_rows_if_skipped(batch_idx)) {
                (None, _) => self.next_of(batch_idx),
                (Some(false), _) => Ok(None),
                (Some(true), None) => Ok(Some(self.uncounted(batch_idx))),
                (Some(true), Some(n_rows)) => {
                    // These row counts come from the footer and may be wrong, but they are only used to number rows.
                    self.n_rows_skipped = self.n_rows_skipped.saturating_add(n_rows);
                    Ok(None)
                }
            };
            let failed = |error| ToolErrorKind::Batch { batch_idx, error };
            if let Some(selected) = selected.map_err(failed).transpose() {
                return Some(selected);
            }
        }
        None
    }
}

impl SelectedBatch {
    /// The rows `rows` of the batch; `None` for all rows. Reads nothing yet.
    pub(crate) fn new(
        reader: &FileReader<SharedSource>,
        batch_idx: usize,
        rows: Option<Range<u64>>,
    ) -> SelectedBatch {
        SelectedBatch { next: reader.prefetcher().next_of(batch_idx..batch_idx), rows }
    }

    /// The index of the batch in the footer.
    pub(crate) fn batch_idx(&self) -> usize {
        self.next.batch_idx()
    }

    pub(crate) fn reader(&self) -> &FileReader<SharedSource> {
        self.next.reader()
    }

    /// Whether the batch is read in parts or windows: it is large, and its bytes are not fetched yet.
    pub(crate) fn is_large(&self) -> bool {
        let block = self.reader().footer().batch(self.batch_idx());
        !self.next.is_fetched() && block.is_some_and(|block| block.n_body_bytes() > WINDOW_BYTES)
    }

    /// Whether all rows of the batch are selected.
    pub(crate) fn is_whole(&self) -> bool {
        self.rows.is_none()
    }

    /// Reads and decompresses the whole batch, without decoding it.
    ///
    /// # Errors
    /// The errors of [`FileReader::fetch`], and those of [`FetchedBatch::decompress`](arrow_ipc::file::FetchedBatch::decompress).
    pub(crate) fn decompress(self) -> Result<DecompressedBatch, IpcError> {
        self.next.fetch()?.decompress()
    }

    /// Reads all selected rows at once.
    ///
    /// # Errors
    /// The errors of [`FileReader::batch`].
    pub(crate) fn read(self) -> Result<BatchWithMetadata, IpcError> {
        match self.rows {
            None => self.next.read(),
            Some(ref rows) => {
                let read = self.reader().batch_rows_with_metadata(self.batch_idx(), rows.clone());
                read.map_err(|error| {
                    if self.is_large() || error.class() == ErrorClass::Io {
                        error
                    } else {
                        self.error_of_whole(error)
                    }
                })
            }
        }
    }

    /// The error to report after reading some rows or columns of the batch has failed with `error`. Reads the whole
    /// batch again, because only then the error names the slot, and is the same for all readers.
    pub(crate) fn error_of_whole(&self, error: IpcError) -> IpcError {
        self.reader().batch(self.batch_idx()).err().unwrap_or(error)
    }
}

#[cfg(test)]
mod tests {
    use arrow_data::RecordBatch;
    use arrow_ipc::FileWriter;

    use super::*;

    #[test]
    fn few_bytes_are_read_at_the_same_time() {
        for (n_rows, n_batches, n_expected) in [
            (10, 0, 0),
            (10, 1, 1),
            (10, 2, 2),
            (10, 1000, 1000),
            (1 << 21, 5, 3),
            (1 << 22, 2, 1),
            (0, 3, 3),
        ] {
            let column = arrow_array::Int64Array::from_iter(0..n_rows).into_data();
            let batch = RecordBatch::try_from_columns([("n", column)]).unwrap();
            let batches = vec![batch.clone(); n_batches];
            let file = FileWriter::write_to_buffer(batch.schema(), &batches).unwrap();
            let reader = FileReader::try_new(file).unwrap();
            assert_eq!(n_batches_at_once(&reader), n_expected, "{n_batches} batches of {n_rows} rows");
        }
    }
}
