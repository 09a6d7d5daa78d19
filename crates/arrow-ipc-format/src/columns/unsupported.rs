//! Finds nodes and buffers in the lists of a batch with unsupported columns. A column of an unknown type has an unknown
//! number of buffers. So columns before the first such column are counted from the start of the lists, and columns after
//! the last one from the end. Integers of 128 bits are unsupported, too, but always have two buffers.

use crate::schema::UnsupportedColumn;

/// The positions and the numbers of nodes and buffers of the unsupported columns.
#[derive(Debug)]
pub(super) struct UnsupportedEntries {
    /// For each unsupported column, the position of the first supported column after it.
    positions: Vec<usize>,
    /// Element `i` counts the nodes and buffers of the first `i` unsupported columns; `None` if their number is unknown.
    before: Vec<Option<UnsupportedCounts>>,
    /// Element `i` counts the nodes and buffers of the unsupported columns from `i` on.
    after: Vec<Option<UnsupportedCounts>>,
    pub(super) n_nodes: u64,
    /// The number of buffers of all unsupported columns whose type is known. The other unsupported columns may have any
    /// number of buffers.
    pub(super) n_known_buffers: u64,
}

/// A wide integer has a validity bitmap and values.
const WIDE_BUFFERS: usize = 2;

/// The numbers of nodes and buffers of some unsupported columns.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct UnsupportedCounts {
    /// The number of nodes.
    pub n_nodes: usize,
    /// The number of buffers.
    pub n_buffers: usize,
}

/// From which end of the lists a column's node and buffers are counted. The value is the number of nodes and buffers of
/// unsupported columns between this end and the column.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EntryOrigin {
    /// Counted from the start.
    Start(UnsupportedCounts),
    /// Counted from the end, since columns of unknown types precede the column.
    End(UnsupportedCounts),
}

impl UnsupportedEntries {
    /// Counts the entries. `roots` are the positions of the top-level columns, and `end` is the end of the last one.
    pub(super) fn try_new(
        unsupported: &[UnsupportedColumn],
        roots: &[usize],
        end: usize,
    ) -> Option<Box<UnsupportedEntries>> {
        if unsupported.is_empty() {
            return None;
        }
        let position = |column: &UnsupportedColumn| roots.get(column.n_before).copied().unwrap_or(end);
        let n_nodes = unsupported.iter().map(|column| column.n_nodes).fold(0, u64::saturating_add);
        let known = unsupported.iter().filter(|column| column.has_known_entries());
        let n_known_buffers = known.map(|_| WIDE_BUFFERS as u64).sum();
        let mut after = sums(unsupported.iter().rev());
        after.reverse();
        let positions = unsupported.iter().map(position).collect();
        Some(Box::new(UnsupportedEntries {
            positions,
            before: sums(unsupported.iter()),
            after,
            n_nodes,
            n_known_buffers,
        }))
    }

    /// Whether the number of buffers of all unsupported columns is known.
    pub(super) fn is_known(&self) -> bool {
        self.before.last().copied().flatten().is_some()
    }

    /// From which end a column is counted. Returns `None` if columns of unknown types precede and follow the column,
    /// which makes its buffers unknown.
    pub(super) fn find(&self, position: usize) -> Option<EntryOrigin> {
        let n_before = self.positions.partition_point(|after| *after <= position);
        let from_start = self.before.get(n_before).copied().flatten().map(EntryOrigin::Start);
        from_start.or_else(|| self.after.get(n_before).copied().flatten().map(EntryOrigin::End))
    }
}

/// Running sums of the nodes and buffers. Element `i` is the sum for the first `i` columns.
fn sums<'a>(columns: impl Iterator<Item = &'a UnsupportedColumn>) -> Vec<Option<UnsupportedCounts>> {
    let mut sums = vec![Some(UnsupportedCounts::default())];
    sums.extend(columns.scan(Some(UnsupportedCounts::default()), |sum, column| {
        *sum = match *sum {
            Some(sum) if column.has_known_entries() => {
                Some(UnsupportedCounts { n_nodes: sum.n_nodes + 1, n_buffers: sum.n_buffers + WIDE_BUFFERS })
            }
            Some(_) | None => None,
        };
        Some(*sum)
    }));
    sums
}
