//! Counts the slots and nulls of rows that were read in several steps.

use std::{collections::BTreeMap, ops::Range};

use arrow_data::ArrayData;

/// For some columns, the numbers of slots and nulls that were read.
#[derive(Debug, Clone, Default)]
pub(crate) struct RowTally {
    /// The counts of each column and child, by its position.
    pub(super) columns: BTreeMap<usize, PrecedingSlots>,
    /// Whether all rows were read in one step, which makes all checks.
    pub(super) is_of_all: bool,
}

/// The counts of the slots of a column before `end`. `has_gap` means that some of these slots were skipped.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct PrecedingSlots {
    pub(super) end: u64,
    pub(super) null_count: u64,
    pub(super) has_gap: bool,
}

impl RowTally {
    /// The tally of a batch whose rows are all read in one step.
    pub(crate) fn for_all() -> RowTally {
        RowTally { is_of_all: true, ..RowTally::default() }
    }

    /// Adds the next slots of a column. Slots that were counted before are not counted again.
    pub(crate) fn add(&mut self, position: usize, window: &Range<u64>, array: &ArrayData) {
        let counted = self.columns.entry(position).or_default();
        counted.has_gap |= window.start > counted.end;
        if window.end <= counted.end {
            return;
        }
        let n_known = usize::try_from(counted.end.saturating_sub(window.start)).unwrap_or(usize::MAX);
        let n_known = n_known.min(array.len());
        let null_count = match n_known {
            0 => array.null_count(),
            _ => array.slice(n_known, array.len() - n_known).null_count(),
        };
        counted.null_count = counted.null_count.saturating_add(null_count as u64);
        counted.end = window.end;
    }

    /// The position after the last counted slot of a column; 0 if there is none.
    pub(crate) fn end_of(&self, position: usize) -> u64 {
        self.columns.get(&position).map_or(0, |counted| counted.end)
    }
}
