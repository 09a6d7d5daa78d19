//! Totals of an inspection: batches by their state, and the buffers of each field.

mod fields;
mod span;

use arrow_ipc::MessageKind;
use arrow_ipc_tools::inspect::{Listing, MessageView};

pub(crate) use self::{
    fields::{BufferFields, FieldTotals},
    span::{BufferSpan, SpanRole},
};

/// The numbers of record batches in an input, by their state.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct BatchTotals {
    /// The number of complete batches, whose values are not checked.
    pub(crate) n_complete: u64,
    /// The number of rows in complete batches.
    pub(crate) n_rows: u64,
    /// The number of batches whose body is cut by the end of the input or by the footer.
    pub(crate) n_truncated: u64,
    /// The number of batches that have all bytes, but are inconsistent or contradict the schema.
    pub(crate) n_unreadable: u64,
}

impl BatchTotals {
    /// Counts a record batch. Ignores other messages, and batches that the footer does not list.
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
