//! Reads large batches in windows of some rows, to save memory.

use std::{iter::FusedIterator, ops::Range};

use arrow_data::RecordBatch;
use arrow_ipc::{FileReader, IpcError, file::BatchParts};

use super::WantedBatch;
use crate::source::SharedSource;

/// A longer body is read in windows with about this many bytes, decompressed. If requests take long, a window has as many
/// bytes as are read ahead.
pub(crate) const WINDOW_BYTES: u64 = 8 << 20;

/// How many bytes of a large batch are read at once. If requests take long, these are as many as keep all connections
/// busy.
pub(crate) fn bytes_at_once(reader: &FileReader<SharedSource>, n_bytes: u64) -> u64 {
    n_bytes.max(reader.decoder().options().read_ahead_bytes())
}

/// The rows of a batch: at once, or in windows if it is large.
#[derive(Debug)]
pub(crate) struct InWindows {
    left: LeftOfBatch,
}

#[derive(Debug)]
enum LeftOfBatch {
    AtOnce(Box<WantedBatch>),
    Windows {
        windows: BatchParts<SharedSource>,
        reader: FileReader<SharedSource>,
        batch_idx: usize,
        is_all: bool,
    },
    Nothing,
}

impl InWindows {
    pub(crate) fn at_once(batch: WantedBatch) -> InWindows {
        InWindows { left: LeftOfBatch::AtOnce(Box::new(batch)) }
    }

    /// These rows of a large batch, or all rows; `None` if it is not large, or if only reading it at once can find its
    /// error.
    pub(crate) fn of_large(
        reader: &FileReader<SharedSource>,
        batch_idx: usize,
        rows: Option<Range<u64>>,
    ) -> Option<InWindows> {
        let block = reader.footer().batch(batch_idx)?;
        if block.n_body_bytes() <= WINDOW_BYTES {
            return None;
        }
        let is_all = rows.is_none();
        let rows = match rows {
            Some(rows) => rows,
            None => 0..reader.n_rows_of(batch_idx).ok()?,
        };
        let windows = reader.parts_of(batch_idx, rows, bytes_at_once(reader, WINDOW_BYTES)).ok()?;
        let reader = reader.clone();
        // A batch without rows is read for its errors.
        (windows.n_rows_left() > 0)
            .then_some(InWindows { left: LeftOfBatch::Windows { windows, reader, batch_idx, is_all } })
    }

    /// How many rows of a large batch have not been read.
    pub(crate) fn n_rows_left(&self) -> u64 {
        match &self.left {
            LeftOfBatch::Windows { windows, .. } => windows.n_rows_left(),
            LeftOfBatch::AtOnce(_) | LeftOfBatch::Nothing => 0,
        }
    }
}

impl Iterator for InWindows {
    type Item = Result<RecordBatch, IpcError>;

    fn next(&mut self) -> Option<Result<RecordBatch, IpcError>> {
        match std::mem::replace(&mut self.left, LeftOfBatch::Nothing) {
            LeftOfBatch::Nothing => None,
            LeftOfBatch::AtOnce(batch) => Some(batch.read().map(|read| read.batch)),
            LeftOfBatch::Windows { mut windows, reader, batch_idx, is_all } => match windows.next()? {
                Ok(rows) => {
                    self.left = LeftOfBatch::Windows { windows, reader, batch_idx, is_all };
                    Some(Ok(rows))
                }
                // The batch decides.
                Err(error) if is_all => Some(Err(reader.batch(batch_idx).err().unwrap_or(error))),
                Err(error) => Some(Err(error)),
            },
        }
    }
}

impl FusedIterator for InWindows {}
