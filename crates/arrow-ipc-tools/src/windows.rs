//! Rows of large batches, some after others, so that no more is in memory.

use std::{iter::FusedIterator, ops::Range};

use arrow_data::RecordBatch;
use arrow_ipc::{BatchWindows, FileReader, IpcError, Source};

/// A longer body is read in windows of rows that have about so many bytes, decompressed.
pub const WINDOW_BYTES: u64 = 8 << 20;

/// Rows of a batch: all of them at once, or those of a large one some after others.
#[derive(Debug)]
pub struct InWindows<S> {
    left: Left<S>,
}

#[derive(Debug)]
enum Left<S> {
    AtOnce { reader: FileReader<S>, batch_idx: usize, rows: Option<Range<u64>> },
    Windows { windows: BatchWindows<S>, reader: FileReader<S>, batch_idx: usize, is_all: bool },
    Nothing,
}

impl<S: Source> InWindows<S> {
    /// These rows of a batch; all if none are given. Nothing is read of the rows yet.
    pub fn new(reader: &FileReader<S>, batch_idx: usize, rows: Option<Range<u64>>) -> InWindows<S> {
        let large = InWindows::of_large(reader, batch_idx, rows.clone());
        large.unwrap_or_else(|| InWindows { left: Left::AtOnce { reader: reader.clone(), batch_idx, rows } })
    }

    /// The same of a large batch; `None` if it is not large, or something is wrong with it that is found when it is read at once.
    pub(crate) fn of_large(
        reader: &FileReader<S>,
        batch_idx: usize,
        rows: Option<Range<u64>>,
    ) -> Option<InWindows<S>> {
        let block = reader.footer().batch(batch_idx)?;
        if block.n_body_bytes() <= WINDOW_BYTES {
            return None;
        }
        let is_all = rows.is_none();
        let rows = match rows {
            Some(rows) => rows,
            None => 0..reader.n_rows_of(batch_idx).ok()?,
        };
        let windows = reader.windows_of(batch_idx, rows, WINDOW_BYTES).ok()?;
        let reader = reader.clone();
        // A batch without rows is read for its errors.
        (windows.n_rows_left() > 0)
            .then_some(InWindows { left: Left::Windows { windows, reader, batch_idx, is_all } })
    }

    /// How many rows of a large batch are still to be read.
    pub fn n_rows_left(&self) -> u64 {
        match &self.left {
            Left::Windows { windows, .. } => windows.n_rows_left(),
            Left::AtOnce { .. } | Left::Nothing => 0,
        }
    }
}

impl<S: Source> Iterator for InWindows<S> {
    type Item = Result<RecordBatch, IpcError>;

    fn next(&mut self) -> Option<Result<RecordBatch, IpcError>> {
        match std::mem::replace(&mut self.left, Left::Nothing) {
            Left::Nothing => None,
            Left::AtOnce { reader, batch_idx, rows: None } => Some(reader.batch(batch_idx)),
            Left::AtOnce { reader, batch_idx, rows: Some(rows) } => Some(reader.batch_rows(batch_idx, rows)),
            Left::Windows { mut windows, reader, batch_idx, is_all } => match windows.next()? {
                Ok(rows) => {
                    self.left = Left::Windows { windows, reader, batch_idx, is_all };
                    Some(Ok(rows))
                }
                // The batch decides.
                Err(error) if is_all => Some(Err(reader.batch(batch_idx).err().unwrap_or(error))),
                Err(error) => Some(Err(error)),
            },
        }
    }
}

impl<S: Source> FusedIterator for InWindows<S> {}
