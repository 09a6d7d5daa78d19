//! Unsupported columns in the lists of a batch. How many buffers they have there is unknown, so the columns before the
//! first of them are counted from the start of the lists, those after the last one from the end.

use super::Columns;
use crate::ipc_schema::IpcSchema;

/// The part of the lists from the first unsupported column to the last.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Gap {
    /// The position of the first column after the first unsupported one.
    start: usize,
    /// The position of the first column after the last unsupported one.
    end: usize,
    /// Nodes of the unsupported columns.
    pub(crate) n_nodes: u64,
}

/// Where a column's entries are counted from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum CountedFrom {
    /// The start of the lists.
    Start,
    /// Their end: there are unsupported columns before.
    End,
}

impl Gap {
    pub(super) fn of(schema: &IpcSchema, columns: &Columns) -> Option<Gap> {
        let unsupported = schema.unsupported_columns();
        let (first, last) = (unsupported.first()?, unsupported.last()?);
        let position = |n_before: usize| columns.roots.get(n_before).copied().unwrap_or(columns.all.len());
        let n_nodes = unsupported.iter().map(|column| column.n_nodes).fold(0, u64::saturating_add);
        Some(Gap { start: position(first.n_before), end: position(last.n_before), n_nodes })
    }
}

impl Columns {
    /// Where unsupported columns are.
    pub(crate) fn gap(&self) -> Option<&Gap> {
        self.gap.as_ref()
    }

    /// Where the entries of the column at a position are counted from.
    pub(crate) fn counted_from(&self, position: usize) -> CountedFrom {
        match &self.gap {
            Some(gap) if position >= gap.end => CountedFrom::End,
            Some(_) | None => CountedFrom::Start,
        }
    }

    /// Whether a column is between two unsupported ones, where its entries cannot be found.
    pub(crate) fn is_in_gap(&self, position: usize) -> bool {
        self.gap.is_some_and(|gap| (gap.start..gap.end).contains(&position))
    }
}
