//! The wanted rows of a file, batch by batch: what is needed of the batches that come next is fetched together.

mod batch_counts;
mod windows;

use std::ops::Range;

use arrow_ipc::{BatchWithMetadata, FileReader, IpcError, NextBatch, ReadAhead, Source, Threads};

pub(crate) use self::windows::bytes_at_once;
pub use self::{
    batch_counts::BatchCounts,
    windows::{InWindows, WINDOW_BYTES},
};
use crate::{row_window::RowWindow, source::SharedSource, upcoming::Upcoming};

/// Bodies of so many bytes are in memory at the same time, if they are of several batches.
const AHEAD_BYTES: u64 = 64 << 20;

/// How many threads read batches of a file: as many as the pool has, and fewer if batches are large. Only one in a thread of a pool.
pub(crate) fn n_readers<S: Source>(reader: &FileReader<S>) -> usize {
    let n_body_bytes = reader.footer().batches().iter().map(|block| block.n_body_bytes()).max();
    let Some(n_body_bytes) = n_body_bytes else { return 1 };
    // One more waits to be written.
    let n_in_memory = AHEAD_BYTES.checked_div(n_body_bytes).unwrap_or(u64::MAX).saturating_sub(1);
    let n_batches = reader.n_batches().min(usize::try_from(n_in_memory).unwrap_or(usize::MAX));
    if n_batches < 2 { 1 } else { Threads::n_available().min(n_batches) }
}

/// Batches of a file that are read one after the other: small ones are fetched together, and of large ones, which are read in parts or
/// windows, the bytes are gathered where requests take long.
#[derive(Debug)]
pub(crate) struct BatchesAhead {
    small: ReadAhead<SharedSource>,
    large: Upcoming,
}

impl BatchesAhead {
    pub(crate) fn new(reader: &FileReader<SharedSource>) -> BatchesAhead {
        let small = reader.read_ahead().with_max_batch_bytes(WINDOW_BYTES);
        // Of few columns less is needed than all.
        let large = match reader.schema().fields() == reader.ipc_schema().schema().fields() {
            true => Upcoming::of_larger(reader.source(), reader.footer(), WINDOW_BYTES),
            false => Upcoming::default(),
        };
        BatchesAhead { small, large }
    }

    pub(crate) fn reader(&self) -> &FileReader<SharedSource> {
        self.small.reader()
    }

    /// The first of these batches, as [`ReadAhead::next_of`] gives it.
    pub(crate) fn next_of(&mut self, batches: Range<usize>) -> NextBatch<SharedSource> {
        self.large.reach_of(self.small.reader().source(), batches.clone());
        self.small.next_of(batches)
    }
}

/// The batches of a file that have wanted rows, in their order; see [`RowWindow::of_file`].
#[derive(Debug)]
pub struct WantedBatches {
    ahead: BatchesAhead,
    window: RowWindow,
    counts: BatchCounts,
    batch_idx: usize,
    /// All rows of the batches up to here are wanted, as far as is known.
    whole_end: usize,
}

/// A batch of a file, and which rows of it are wanted. They are read here, or by another thread.
#[derive(Debug)]
pub struct WantedBatch {
    next: NextBatch<SharedSource>,
    /// `None` if it is all of them.
    rows: Option<Range<u64>>,
}

impl RowWindow {
    /// The batches of a file that have these rows, in their order. Small ones are fetched together with those after them, as
    /// [`FileReader::read_ahead`] does it; the metadata of those before the first, too.
    pub fn of_file(self, reader: &FileReader<SharedSource>) -> WantedBatches {
        let (window, counts, ahead) = (self, BatchCounts::default(), BatchesAhead::new(reader));
        WantedBatches { ahead, window, counts, batch_idx: 0, whole_end: 0 }
    }
}

impl WantedBatches {
    /// The rows that are wanted after those batches that were given.
    pub fn window(&self) -> RowWindow {
        self.window
    }

    /// The number of batches that were given or passed over.
    pub fn n_done(&self) -> usize {
        self.batch_idx
    }

    /// A batch of which these rows are wanted. If it is all of them, it is fetched together with those after it.
    fn wanted(&mut self, batch_idx: usize, (rows, n_rows): (Range<u64>, u64)) -> WantedBatch {
        if rows != (0..n_rows) {
            return WantedBatch { next: self.ahead.next_of(batch_idx..batch_idx), rows: Some(rows) };
        }
        if self.whole_end <= batch_idx {
            let mut window = self.window;
            let is_whole = |n_rows: &u64| window.advance(*n_rows) == (0..*n_rows);
            let n_whole = self.counts.known_after(batch_idx).take_while(is_whole).count();
            self.whole_end = batch_idx.saturating_add(1).saturating_add(n_whole);
        }
        WantedBatch { next: self.ahead.next_of(batch_idx..self.whole_end), rows: None }
    }

    fn of_all(&mut self, batch_idx: usize) -> WantedBatch {
        let n_batches = self.ahead.reader().n_batches();
        WantedBatch { next: self.ahead.next_of(batch_idx..n_batches), rows: None }
    }

    /// The batch, if rows of it are wanted.
    fn next_of(&mut self, batch_idx: usize) -> Result<Option<WantedBatch>, IpcError> {
        let reader = self.ahead.reader();
        let n_rows =
            self.counts.n_rows_of(reader, batch_idx..reader.n_batches(), self.window.rest().range().end)?;
        let n_body_bytes = reader.footer().batch(batch_idx).map_or(0, |block| block.n_body_bytes());
        if n_rows == 0 && n_body_bytes > WINDOW_BYTES {
            // Rows that a large batch denies are not passed over in silence.
            reader.batch(batch_idx)?;
        }
        let rows = self.window.advance(n_rows);
        Ok(if rows.is_empty() { None } else { Some(self.wanted(batch_idx, (rows, n_rows))) })
    }
}

impl Iterator for WantedBatches {
    /// Or which batch does not tell its rows, and why.
    type Item = Result<WantedBatch, (usize, IpcError)>;

    fn next(&mut self) -> Option<Self::Item> {
        while self.batch_idx < self.ahead.reader().n_batches() && !self.window.is_done() {
            let batch_idx = self.batch_idx;
            self.batch_idx = batch_idx.saturating_add(1);
            if self.window.is_everything() {
                return Some(Ok(self.of_all(batch_idx)));
            }
            match self.next_of(batch_idx) {
                Ok(None) => {}
                Ok(Some(wanted)) => return Some(Ok(wanted)),
                Err(error) => return Some(Err((batch_idx, error))),
            }
        }
        None
    }
}

impl WantedBatch {
    /// All of a batch, or these rows of it. Nothing is read of it yet.
    pub fn new(reader: &FileReader<SharedSource>, batch_idx: usize, rows: Option<Range<u64>>) -> WantedBatch {
        WantedBatch { next: reader.read_ahead().next_of(batch_idx..batch_idx), rows }
    }

    /// All of a batch, which is read ahead.
    pub(crate) fn all(next: NextBatch<SharedSource>) -> WantedBatch {
        WantedBatch { next, rows: None }
    }

    /// Its place in the footer.
    pub fn batch_idx(&self) -> usize {
        self.next.batch_idx()
    }

    /// The reader of the file.
    pub(crate) fn reader(&self) -> &FileReader<SharedSource> {
        self.next.reader()
    }

    /// Whether it is read in parts or windows: it is large, and its bytes are not there.
    pub(crate) fn is_large(&self) -> bool {
        let block = self.reader().footer().batch(self.batch_idx());
        !self.next.is_fetched() && block.is_some_and(|block| block.n_body_bytes() > WINDOW_BYTES)
    }

    /// Whether all of its rows are wanted.
    pub(crate) fn is_whole(&self) -> bool {
        self.rows.is_none()
    }

    /// The wanted rows at once.
    ///
    /// # Errors
    /// As [`FileReader::batch`].
    pub fn read(self) -> Result<BatchWithMetadata, IpcError> {
        match self.rows {
            None => self.next.read(),
            Some(rows) => self.next.reader().batch_rows_with_metadata(self.next.batch_idx(), rows),
        }
    }

    /// The wanted rows: all of them at once, or those of a large batch some after others.
    pub fn in_windows(self) -> InWindows {
        self.if_large().unwrap_or_else(InWindows::at_once)
    }

    /// The wanted rows of a large batch, some after others.
    ///
    /// # Errors
    /// Itself, if it is not large, or something is wrong with it that is found when it is read at once.
    pub(crate) fn if_large(self) -> Result<InWindows, WantedBatch> {
        let large = match self.is_large() {
            true => InWindows::of_large(self.reader(), self.batch_idx(), self.rows.clone()),
            false => None,
        };
        large.ok_or(self)
    }
}

#[cfg(test)]
mod tests {
    use arrow_data::RecordBatch;
    use arrow_ipc::{FileWriter, ReadOptions, WriteOptions};

    use super::*;

    #[test]
    fn few_bytes_are_read_at_the_same_time() {
        let n_available = Threads::n_available();
        for (n_rows, n_batches, n_expected) in [
            (10, 0, 1),
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
            let file = FileWriter::to_buffer(batch.schema(), &batches, WriteOptions::new()).unwrap();
            let reader = FileReader::try_from_source(file, ReadOptions::new()).unwrap();
            assert_eq!(
                n_readers(&reader),
                n_available.min(n_expected),
                "{n_batches} batches of {n_rows} rows"
            );
        }
    }
}
