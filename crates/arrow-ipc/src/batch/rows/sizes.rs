//! Measures columns before their rows are read, and tells afterwards whether everything has been read.

use arrow_data::{Level, Strict};

use super::{
    super::{
        decode::{BatchDecoder, n_needed},
        select::{ProjectedSchema, SelectedColumn},
    },
    frames::RowState,
};
use crate::error::Result;

/// How large a column is.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ColumnSize {
    /// About how many bytes its buffers have, decompressed. For compressed utf8 and binary it is more than most have.
    pub(crate) n_likely_bytes: u64,
    /// The length of its buffers in the body.
    pub(crate) n_body_bytes: u64,
    /// Whether reading its rows in several steps checks everything. It does not for dense unions, whose order concerns
    /// all rows, and for unions with a validity buffer, which gives nulls to their children.
    pub(crate) is_checked_in_parts: bool,
}

impl BatchDecoder<'_> {
    /// Whether everything has been checked that reading the selected columns at once checks: each slot of each column and
    /// child, the number of nulls, and each compressed buffer.
    ///
    /// # Errors
    /// If the lists of the header are malformed.
    pub(crate) fn is_all(&self, selection: &ProjectedSchema, level: Level, state: &RowState) -> Result<bool> {
        if state.tally.is_of_all {
            return Ok(true);
        }
        for columns in selection.ranges(self.columns) {
            for position in columns.clone() {
                let node = self.lists.node(self.node_in_lists(position))?;
                let counted = state.tally.columns.get(&position).copied().unwrap_or_default();
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
                if !state.is_begun(buffer_idx) && self.lists.buffer(buffer_idx)?.n_bytes() > 0 {
                    return Ok(false);
                }
            }
        }
        Ok(true)
    }

    /// The size of a column, before anything of the body is read.
    ///
    /// # Errors
    /// If the lists of the header are malformed.
    pub(crate) fn size_of(&self, root: &SelectedColumn, level: Level) -> Result<ColumnSize> {
        const TEXT_TIMES: u64 = 64;
        let (mut n_bytes, mut n_times, mut is_checked_in_parts) = (0u64, 1, true);
        let ranges = root.ranges(self.columns);
        for position in ranges.iter().cloned().flatten() {
            let column = self.columns.at(position);
            let n_slots = self.lists.node(self.node_in_lists(position))?.n_slots();
            for spec in column.layout.buffers() {
                match n_needed(spec, n_slots) {
                    Some(needed) => n_bytes = n_bytes.saturating_add(needed),
                    None => n_times = TEXT_TIMES,
                }
            }
            if column.layout.is_variadic() {
                n_times = TEXT_TIMES;
            }
            let is_of_all_rows = column.layout.strict() == Strict::DenseOrder && level >= Level::Strict;
            is_checked_in_parts &= !is_of_all_rows && !column.has_legacy_validity(self.version);
        }
        let ranges = self.ranges_of(ranges)?;
        let n_body_bytes = ranges.iter().fold(0, |sum: u64, range| sum.saturating_add(range.n_bytes()));
        let n_likely_bytes = match self.lists.compression() {
            None => n_body_bytes,
            Some(_) => n_bytes.max(n_body_bytes.saturating_mul(n_times)),
        };
        Ok(ColumnSize { n_likely_bytes, n_body_bytes, is_checked_in_parts })
    }
}
