//! Divides and joins rows into batches of equal length.

use std::{num::NonZero, sync::Arc};

use arrow_data::RecordBatch;
use arrow_schema::{Metadata, Schema};

use super::losses::is_metadata_lost;
use crate::{
    error::{InputContext, ToolError, ToolErrorKind, name::InputName},
    rows::{
        accumulator::{BatchAccumulator, CutLimit, waiting},
        row_window::RowWindow,
    },
};

/// A batch of the output, and the custom metadata of its message.
pub(crate) type OutputBatch = (RecordBatch, Metadata);

/// A batch of an input, or some of its rows, with the columns of the output.
pub(crate) struct CastRows {
    pub(crate) rows: OutputBatch,
    /// Whether `rows` has the last rows of the input batch.
    pub(crate) is_last: bool,
}

impl CastRows {
    /// Drops rows that are not selected; `None` if no row is left.
    pub(crate) fn selected_by(self, selected: &mut RowWindow) -> Option<CastRows> {
        let CastRows { rows: (batch, metadata), is_last } = self;
        let batch = selected.take(batch).filter(|batch| batch.n_rows() > 0)?;
        Some(CastRows { rows: (batch, metadata), is_last })
    }
}

/// Divides and joins the rows of batches that have the schema `schema`.
pub(crate) struct BatchJoiner {
    schema: Arc<Schema>,
    /// The number of rows of each output batch; `None` if each output batch has the rows of one input batch.
    n_batch_rows: Option<NonZero<usize>>,
    pieces: CutLimit,
    /// Rows that wait to become the next output batch.
    pending: BatchAccumulator,
    /// Whether an output batch has the metadata of the current input batch. Set after some rows of the input batch
    /// were added.
    has_metadata: bool,
}

impl BatchJoiner {
    pub(crate) fn new(schema: Arc<Schema>, n_batch_rows: Option<NonZero<u64>>) -> BatchJoiner {
        let n_batch_rows = n_batch_rows.map(|n_rows| n_rows.try_into().unwrap_or(NonZero::<usize>::MAX));
        let pieces = CutLimit::new();
        let pending = BatchAccumulator::default();
        BatchJoiner { schema, n_batch_rows, pieces, pending, has_metadata: false }
    }

    /// Raises the memory limit for joined rows, because `n_bytes` of the input have been read.
    pub(crate) fn has_read(&mut self, n_bytes: u64) {
        self.pending.memory.has_read(n_bytes);
    }

    /// Restarts the count of input bytes, because the next rows belong to another input.
    pub(crate) fn end_input(&mut self) {
        self.pending.memory.end_input();
    }

    /// Whether some rows wait to be joined with later rows.
    pub(crate) fn has_pending(&self) -> bool {
        !self.pending.is_empty()
    }

    /// The number of bytes of the rows that wait, without dictionaries.
    pub(crate) fn n_waiting_bytes(&self) -> u64 {
        self.pending.n_bytes()
    }

    /// Whether the next batch, if it has `n_rows` rows, becomes an output batch unchanged.
    pub(crate) fn keeps_whole(&self, n_rows: u64) -> bool {
        self.n_batch_rows.is_none_or(|each| self.pending.is_empty() && each.get() as u64 == n_rows)
    }

    /// Adds rows, and calls `put` with each output batch as soon as it is complete. An output batch gets the metadata
    /// of the input batch with its first row. After the last rows of an input batch, returns whether its metadata is
    /// lost.
    ///
    /// # Errors
    /// If rows cannot be joined. The first error of `put`.
    pub(crate) fn take(
        &mut self,
        name: &InputName,
        CastRows { rows: (batch, metadata), is_last }: CastRows,
        mut put: impl FnMut(OutputBatch) -> Result<(), ToolError>,
    ) -> Result<bool, ToolError> {
        let Some(n_batch_rows) = self.n_batch_rows else {
            put((batch, metadata))?;
            return Ok(false);
        };
        let n_rows = batch.n_rows();
        self.pieces.take(&batch, n_rows as u64, n_batch_rows.get() as u64).in_input(name)?;
        self.has_metadata |= !is_metadata_lost(&metadata, self.pending.metadata());
        let mut start = 0_usize;
        while start < n_rows {
            self.has_metadata |= self.pending.is_empty();
            let n_needed = n_batch_rows.get().saturating_sub(self.pending.n_rows());
            let n_taken = n_needed.min(n_rows.saturating_sub(start));
            let rows = batch.slice(start, n_taken);
            start = start.saturating_add(n_taken);
            if n_taken == n_batch_rows.get() {
                put((rows, metadata.clone()))?;
                continue;
            }
            waiting(&rows).and_then(|rows| self.pending.push(rows, &metadata)).in_input(name)?;
            if self.pending.n_rows() >= n_batch_rows.get() {
                self.rest().in_input(name)?.map_or(Ok(()), &mut put)?;
            }
        }
        Ok(is_last && !std::mem::take(&mut self.has_metadata))
    }

    /// The rows that still wait at the end, as a batch; `None` if there are none.
    ///
    /// # Errors
    /// If these rows have too many bytes together.
    pub(crate) fn rest(&mut self) -> Result<Option<OutputBatch>, ToolErrorKind> {
        self.pending.take(&self.schema)
    }
}
