//! Finds entries around unsupported columns in the lists of a batch. Nobody knows how many buffers these columns have. So
//! columns before the first of them are counted from the start of the lists, and columns after the last one from the end.

use super::Columns;
use crate::ipc_schema::IpcSchema;

/// The entries from the first unsupported column to the last.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Gap {
    /// The position of the first column after the first unsupported one.
    start: usize,
    /// The position of the first column after the last unsupported one.
    end: usize,
    /// The nodes of the unsupported columns.
    pub(crate) n_nodes: u64,
}

/// Where the entries of a column are counted from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum CountedFrom {
    /// The start of the lists.
    Start,
    /// The end of the lists, since unsupported columns precede the column.
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
    /// The position of the unsupported columns.
    pub(crate) fn gap(&self) -> Option<&Gap> {
        self.gap.as_ref()
    }

    /// Where the entries of a column are counted from.
    pub(crate) fn counted_from(&self, position: usize) -> CountedFrom {
        match &self.gap {
            Some(gap) if position >= gap.end => CountedFrom::End,
            Some(_) | None => CountedFrom::Start,
        }
    }

    /// Whether a column lies between two unsupported ones, so that its entries cannot be found.
    pub(crate) fn is_in_gap(&self, position: usize) -> bool {
        self.gap.is_some_and(|gap| (gap.start..gap.end).contains(&position))
    }
}
