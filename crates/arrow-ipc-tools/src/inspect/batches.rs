//! Counts record batches, and how many of them are complete.

use arrow_ipc::MessageKind;

use super::{Listing, MessageView};

/// The record batches that an inspection found.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct BatchTotals {
    /// The number of complete batches, as far as their metadata shows.
    pub(crate) n_complete: u64,
    /// The number of rows in complete batches.
    pub(crate) n_rows: u64,
    /// The number of truncated batches. Before the end of such a batch, the input ends or its footer begins.
    pub(crate) n_truncated: u64,
    /// The number of batches that are present, but contradict themselves or the schema.
    pub(crate) n_unreadable: u64,
}

impl BatchTotals {
    /// Counts a message, if it is a record batch that readers return.
    pub(crate) fn add(&mut self, view: &MessageView<'_>) {
        if view.message.kind() != MessageKind::RecordBatch || view.listing == Listing::Missing {
            return;
        }
        if view.is_complete() {
            self.n_complete = self.n_complete.saturating_add(1);
            self.n_rows = self.n_rows.saturating_add(view.n_rows().unwrap_or_default());
            return;
        }
        let total = if view.is_readable() { &mut self.n_truncated } else { &mut self.n_unreadable };
        *total = total.saturating_add(1);
    }
}
