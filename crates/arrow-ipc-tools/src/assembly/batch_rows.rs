//! The rows of a batch that is cut, in order. A large batch of a file is read in pieces.

use std::ops::Range;

use arrow_data::RecordBatch;
use arrow_ipc::{FileReader, IpcError};

use crate::{
    ahead::{InWindows, WINDOW_BYTES},
    convert::ReadInPieces,
    error::ToolErrorKind,
    pieces::CutLimit,
    source::SharedSource,
};

/// Some rows, and the source of the next ones.
pub(super) struct RowsToCut {
    start: u64,
    rows: RecordBatch,
    /// How many of them are selected and have not been counted as pieces.
    n_uncounted: u64,
    rest: Option<InWindows>,
}

impl RowsToCut {
    /// All rows of a batch, some of which are selected.
    pub(super) fn all(batch: RecordBatch, wanted: &Range<u64>) -> RowsToCut {
        let n_uncounted = wanted.end.saturating_sub(wanted.start);
        RowsToCut { start: 0, rows: batch, n_uncounted, rest: None }
    }

    /// The selected rows of a batch of a file; at once if it is not read in pieces. `None` if it is not large.
    ///
    /// # Errors
    /// If the first of them cannot be read.
    pub(super) fn of_large(
        (reader, batch_idx): (&FileReader<SharedSource>, usize),
        (wanted, n_rows): (&Range<u64>, u64),
        pieces: ReadInPieces,
    ) -> Result<Option<RowsToCut>, IpcError> {
        let block = reader.footer().batch(batch_idx);
        if pieces == ReadInPieces::None && block.is_some_and(|block| block.n_body_bytes() > WINDOW_BYTES) {
            let rows = reader.batch_rows(batch_idx, wanted.clone())?;
            let n_uncounted = rows.n_rows() as u64;
            return Ok(Some(RowsToCut { start: wanted.start, rows, n_uncounted, rest: None }));
        }
        let some = (*wanted != (0..n_rows)).then(|| wanted.clone());
        let Some(mut rest) = InWindows::of_large(reader, batch_idx, some) else { return Ok(None) };
        let rows = rest.next().transpose()?;
        Ok(rows.map(|rows| {
            let n_uncounted = rows.n_rows() as u64;
            RowsToCut { start: wanted.start, rows, n_uncounted, rest: Some(rest) }
        }))
    }

    /// The next rows of this number; `None` if none are left.
    ///
    /// # Errors
    /// If they cannot be read.
    pub(super) fn take(&mut self, wanted: &mut Range<u64>) -> Result<Option<RecordBatch>, IpcError> {
        while !wanted.is_empty() {
            let end = self.start.saturating_add(self.rows.n_rows() as u64);
            if wanted.start < end {
                // Both are at most the number of rows that are there.
                let first = wanted.start.saturating_sub(self.start) as usize;
                let n_rows = wanted.end.min(end).saturating_sub(wanted.start);
                wanted.start = wanted.start.saturating_add(n_rows);
                return Ok(Some(self.rows.slice(first, n_rows as usize)));
            }
            let Some(rows) = self.rest.as_mut().and_then(Iterator::next).transpose()? else { break };
            (self.start, self.n_uncounted) = (end, rows.n_rows() as u64);
            self.rows = rows;
        }
        Ok(None)
    }

    /// Counts the pieces that are made of the current rows.
    ///
    /// # Errors
    /// If they are too many.
    pub(super) fn count(&mut self, pieces: &mut CutLimit, n_rows_each: u64) -> Result<(), ToolErrorKind> {
        match std::mem::take(&mut self.n_uncounted) {
            0 => Ok(()),
            n_rows => pieces.take(&self.rows, n_rows, n_rows_each),
        }
    }
}
