//! Reads large batches window by window, some rows at a time, to save memory.

use std::iter::FusedIterator;

use arrow_data::RecordBatch;
use arrow_ipc::{FileReader, IpcError, file::BatchParts};
use arrow_schema::Metadata;

use super::{SelectedBatch, WINDOW_BYTES};
use crate::source::SharedSource;

/// The number of bytes of a large batch that are read at once: at least `n_bytes`, or more if requests have a high
/// latency, to use all connections.
pub(crate) fn bytes_at_once(reader: &FileReader<SharedSource>, n_bytes: u64) -> u64 {
    n_bytes.max(reader.decoder().options().prefetch_bytes())
}

/// The rows of a batch. They are read together, or in windows if the batch is large.
#[derive(Debug)]
pub(crate) struct BatchWindows {
    /// The batch; `None` after all of its rows have been read together.
    batch: Option<Box<SelectedBatch>>,
    windows: Option<BatchParts<SharedSource>>,
    /// The custom metadata of the batch, if all rows have been read together.
    metadata: Metadata,
}

impl SelectedBatch {
    /// Reads the selected rows together, or in windows if the batch is large.
    pub(crate) fn in_windows(self) -> BatchWindows {
        self.if_large().unwrap_or_else(|batch| BatchWindows::new(batch, None))
    }

    /// Reads the selected rows of a large batch in windows.
    ///
    /// # Errors
    /// Returns the batch itself if it is not large, or if only reading the whole batch at once can find its error.
    pub(crate) fn if_large(self) -> Result<BatchWindows, Box<SelectedBatch>> {
        match self.windows() {
            None => Err(Box::new(self)),
            windows => Ok(BatchWindows::new(Box::new(self), windows)),
        }
    }

    fn windows(&self) -> Option<BatchParts<SharedSource>> {
        if !self.is_large() {
            return None;
        }
        let reader = self.reader();
        let batch_idx = self.batch_idx();
        let rows = match &self.rows {
            Some(rows) => rows.clone(),
            None => 0..reader.n_rows_of(batch_idx).ok()?,
        };
        let windows = reader.parts_of(batch_idx, rows, bytes_at_once(reader, WINDOW_BYTES)).ok();
        // A batch without rows is read as a whole, to find the errors in it.
        windows.filter(|windows| windows.n_rows_left() > 0)
    }
}

impl BatchWindows {
    fn new(batch: Box<SelectedBatch>, windows: Option<BatchParts<SharedSource>>) -> BatchWindows {
        BatchWindows { batch: Some(batch), windows, metadata: Metadata::new() }
    }

    /// The custom metadata of the message of the batch, after its first rows were read.
    ///
    /// # Errors
    /// If the metadata of a large batch, whose rows are read without it, cannot be read.
    #[cfg(feature = "text")]
    pub(crate) fn metadata(&self) -> Result<Metadata, IpcError> {
        match &self.batch {
            Some(large) => {
                let no_rows = large.reader().batch_rows_with_metadata(large.batch_idx(), 0..0)?;
                Ok(no_rows.metadata)
            }
            None => Ok(self.metadata.clone()),
        }
    }

    /// The number of rows of a large batch that are still to be read.
    pub(crate) fn n_rows_left(&self) -> u64 {
        self.windows.as_ref().map_or(0, BatchParts::n_rows_left)
    }
}

impl Iterator for BatchWindows {
    type Item = Result<RecordBatch, IpcError>;

    fn next(&mut self) -> Option<Result<RecordBatch, IpcError>> {
        let Some(windows) = &mut self.windows else {
            let read = self.batch.take()?.read();
            return Some(read.map(|read| {
                self.metadata = read.metadata;
                read.batch
            }));
        };
        let rows = windows.next()?;
        Some(rows.map_err(|error| match &self.batch {
            Some(batch) if batch.is_whole() => batch.error_of_whole(error),
            Some(_) | None => error,
        }))
    }
}

impl FusedIterator for BatchWindows {}
