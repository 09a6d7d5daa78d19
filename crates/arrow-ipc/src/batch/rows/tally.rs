//! Counts rows that were read in several steps, and tells whether they are all rows of their columns.

use std::{collections::BTreeMap, ops::Range};

use arrow_data::{ArrayData, Level, Strict};

use super::{
    super::{
        decode::BatchDecoder,
        select::{ProjectedSchema, SelectedColumn},
    },
    frames::CompressedBuffers,
};
use crate::error::Result;

/// The counts of rows of some columns.
#[derive(Debug, Clone, Default)]
pub(crate) struct RowTally {
    /// The counts of each column with slots that were read, by its position; children included.
    columns: BTreeMap<usize, SlotsBefore>,
}

/// The slots of a column before this one, if none was skipped.
#[derive(Debug, Clone, Copy, Default)]
struct SlotsBefore {
    end: u64,
    n_nulls: u64,
    has_gap: bool,
}

impl RowTally {
    /// Adds the next slots of a column. Slots that were read before are not counted again.
    pub(crate) fn add(&mut self, position: usize, window: &Range<u64>, array: &ArrayData) {
        let counted = self.columns.entry(position).or_default();
        counted.has_gap |= window.start > counted.end;
        if window.end <= counted.end {
            return;
        }
        let n_known = usize::try_from(counted.end.saturating_sub(window.start)).unwrap_or(usize::MAX);
        let n_known = n_known.min(array.len());
        let n_nulls = match n_known {
            0 => array.null_count(),
            _ => array.slice(n_known, array.len().saturating_sub(n_known)).null_count(),
        };
        counted.n_nulls = counted.n_nulls.saturating_add(n_nulls as u64);
        counted.end = window.end;
    }

    /// Notes the end of the slots of a column.
    pub(crate) fn end_of(&self, position: usize) -> u64 {
        self.columns.get(&position).map_or(0, |counted| counted.end)
    }
}

impl BatchDecoder<'_> {
    /// Whether everything has been checked that reading the selected columns at once checks: each slot of each column and
    /// child, the number of nulls, and each compressed buffer.
    ///
    /// # Errors
    /// If the lists of the header are malformed.
    pub(crate) fn is_all(
        &self,
        tally: &RowTally,
        selection: &ProjectedSchema,
        level: Level,
        compressed: &CompressedBuffers,
    ) -> Result<bool> {
        for columns in selection.ranges(self.columns) {
            for position in columns.clone() {
                let node = self.lists.node(self.node_in_lists(position))?;
                let counted = tally.columns.get(&position).copied().unwrap_or_default();
                let declared = node.n_nulls().filter(|_| level >= Level::Content);
                let is_other = declared.is_some_and(|n_nulls| n_nulls != counted.n_nulls);
                if counted.has_gap || counted.end != node.n_slots() || is_other {
                    return Ok(false);
                }
            }
            if self.lists.compression().is_none() {
                continue;
            }
            for buffer_idx in self.buffers_of(columns)? {
                if !compressed.is_begun(buffer_idx) && self.lists.buffer(buffer_idx)?.n_bytes() > 0 {
                    return Ok(false);
                }
            }
        }
        Ok(true)
    }

    /// About how many bytes the buffers of a column have, decompressed. For compressed utf8 and binary it is more than
    /// most have.
    ///
    /// # Errors
    /// If the lists of the header are malformed.
    pub(crate) fn n_likely_bytes(&self, root: &SelectedColumn) -> Result<u64> {
        const TEXT_TIMES: u64 = 64;
        let ranges = root.ranges(self.columns);
        let n_body_bytes = self.n_body_bytes(root)?;
        if self.lists.compression().is_none() {
            return Ok(n_body_bytes);
        }
        let (mut n_bytes, mut n_times) = (0u64, 1);
        for position in ranges.into_iter().flatten() {
            let n_slots = self.lists.node(self.node_in_lists(position))?.n_slots();
            let layout = &self.columns.at(position).layout;
            for spec in layout.buffers() {
                match spec.min_bytes(n_slots) {
                    Some(needed) if spec.count != arrow_data::Count::FromData => {
                        n_bytes = n_bytes.saturating_add(needed);
                    }
                    Some(_) | None => n_times = TEXT_TIMES,
                }
            }
            if layout.is_variadic() {
                n_times = TEXT_TIMES;
            }
        }
        Ok(n_bytes.max(n_body_bytes.saturating_mul(n_times)))
    }

    /// The length of the buffers of a column in the body.
    ///
    /// # Errors
    /// If the lists of the header are malformed.
    pub(crate) fn n_body_bytes(&self, root: &SelectedColumn) -> Result<u64> {
        let ranges = self.ranges_of(root.ranges(self.columns))?;
        Ok(ranges.iter().fold(0, |sum: u64, range| sum.saturating_add(range.n_bytes())))
    }

    /// Whether reading the rows of a column in several steps checks everything. It does not for dense unions, whose order
    /// concerns all rows, and for unions with a validity buffer, which gives nulls to their children.
    pub(crate) fn is_checked_in_parts(&self, root: &SelectedColumn, level: Level) -> bool {
        let mut positions = root.ranges(self.columns).into_iter().flatten();
        positions.all(|position| {
            let column = self.columns.at(position);
            let is_of_all_rows = column.layout.strict() == Strict::DenseOrder && level >= Level::Strict;
            !is_of_all_rows && !column.has_legacy_validity(self.version)
        })
    }
}
