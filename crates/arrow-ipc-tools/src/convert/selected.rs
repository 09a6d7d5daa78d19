//! Tracks which selected rows or batches have not been written yet.

use std::ops::Range;

use arrow_data::RecordBatch;
use arrow_ipc::FileReader;

use crate::{
    ahead::WantedBatches, error::ToolError, name::InputName, row_window::RowWindow, source::SharedSource,
};

/// The rows or batches that are still to be written. Call [`advance`](Selected::advance) for each batch of the
/// inputs, in order.
#[derive(Debug, Clone)]
pub(crate) enum Selected {
    Rows(RowWindow),
    /// A window that counts batches instead of rows.
    Batches(RowWindow),
}

impl Selected {
    pub(crate) const ALL: Selected = Selected::Rows(RowWindow::ALL);

    /// Whether all rows are selected.
    pub(crate) fn is_all(&self) -> bool {
        matches!(self, Selected::Rows(rows) if rows.is_everything())
    }

    /// Whether no more batches are needed.
    pub(crate) fn is_done(&self) -> bool {
        match self {
            Selected::Rows(window) | Selected::Batches(window) => window.is_done(),
        }
    }

    /// The number of rows up to and including the last selected row. `None` if all rows or a range of batches are
    /// selected.
    pub(crate) fn n_rows_to_end(&self) -> Option<u64> {
        match self {
            Selected::Rows(window) => (!window.is_everything()).then(|| window.rest().range().end),
            Selected::Batches(_) => None,
        }
    }

    /// Moves past the next batch, which has `n_rows` rows, and returns its selected rows; `None` if the batch is
    /// skipped. A batch without rows is skipped, unless all rows are selected or its number is in the range of
    /// batches.
    pub(crate) fn advance(&mut self, n_rows: u64) -> Option<Range<u64>> {
        match self {
            Selected::Rows(window) => {
                let rows = window.advance(n_rows);
                (!rows.is_empty() || window.is_everything()).then_some(rows)
            }
            Selected::Batches(window) => (!window.advance(1).is_empty()).then_some(0..n_rows),
        }
    }

    /// Moves past `batch`, and returns its selected rows.
    pub(crate) fn take(&mut self, batch: RecordBatch) -> Option<RecordBatch> {
        match self {
            Selected::Rows(window) => window.take(batch),
            Selected::Batches(_) => self.advance(batch.n_rows() as u64).map(|_| batch),
        }
    }

    /// The batches of a file that have selected rows.
    pub(crate) fn of_file(&self, reader: &FileReader<SharedSource>) -> WantedBatches {
        match self {
            Selected::Rows(window) => window.of_file(reader),
            Selected::Batches(window) => {
                let wanted = window.rest().range();
                let idx = |number: u64| usize::try_from(number).unwrap_or(usize::MAX);
                WantedBatches::of_batches(reader, idx(wanted.start)..idx(wanted.end))
            }
        }
    }

    /// Moves past a file whose batches `taken` returned.
    pub(crate) fn after_file(&mut self, reader: &FileReader<SharedSource>, taken: &WantedBatches) {
        match self {
            Selected::Rows(window) => *window = taken.window(),
            Selected::Batches(window) => drop(window.advance(reader.n_batches() as u64)),
        }
    }

    /// Checks that the first selected row or batch exists, unless its number is 0. Call this after the last input.
    ///
    /// # Errors
    /// If that row or batch does not exist.
    pub(crate) fn check_start(&self, name: &InputName) -> Result<(), ToolError> {
        match self {
            Selected::Rows(window) => window.check_start(name),
            Selected::Batches(window) => window.check_start_of("batch", name),
        }
    }
}
