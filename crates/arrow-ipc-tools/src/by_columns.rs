//! Large batches of files, some columns after others, so that no more is in memory.

use arrow_data::RecordBatch;
use arrow_ipc::{BatchColumns, FileReader, IpcError, Source};

use crate::windows::WINDOW_BYTES;

/// Columns that have so many bytes together are read at once.
const COLUMNS_BYTES: u64 = 8 << 20;

/// All columns of a batch, in their order: of a large one some after others, as batches of all rows.
///
/// If some columns cannot be read or are invalid, the batch is read whole, and decides: an error is always that of the batch.
pub(crate) struct ColumnsOf<'a, S> {
    reader: &'a FileReader<S>,
    batch_idx: usize,
    n_given: usize,
    left: Left<S>,
}

enum Left<S> {
    Parts(BatchColumns<S>),
    /// All columns after those that were given, at once.
    Rest,
    Nothing,
}

impl<'a, S: Source> ColumnsOf<'a, S> {
    pub(crate) fn new(reader: &'a FileReader<S>, batch_idx: usize) -> ColumnsOf<'a, S> {
        let block = reader.footer().batch(batch_idx).filter(|block| block.n_body_bytes() > WINDOW_BYTES);
        let parts = block.and_then(|_| reader.columns_of(batch_idx, COLUMNS_BYTES).ok());
        ColumnsOf { reader, batch_idx, n_given: 0, left: parts.map_or(Left::Rest, Left::Parts) }
    }

    fn rest(&self) -> Result<RecordBatch, IpcError> {
        let whole = self.reader.batch(self.batch_idx)?;
        let rest: Vec<usize> = (self.n_given..whole.n_columns()).collect();
        Ok(if self.n_given == 0 { whole } else { whole.project(&rest)? })
    }
}

impl<S: Source> Iterator for ColumnsOf<'_, S> {
    type Item = Result<RecordBatch, IpcError>;

    fn next(&mut self) -> Option<Result<RecordBatch, IpcError>> {
        match std::mem::replace(&mut self.left, Left::Nothing) {
            Left::Nothing => None,
            Left::Rest => Some(self.rest()),
            Left::Parts(mut parts) => match parts.next()? {
                Err(_) => Some(self.rest()),
                Ok(columns) => {
                    self.n_given = self.n_given.saturating_add(columns.n_columns());
                    self.left = Left::Parts(parts);
                    Some(Ok(columns))
                }
            },
        }
    }
}
