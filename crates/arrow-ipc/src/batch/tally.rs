//! What rows that were read some after others have together, and whether that is all of their columns.

use arrow_data::{ArrayData, Level, RecordBatch};

use super::{
    decode::BatchDecoder,
    rows::CompressedBuffers,
    select::{Selected, Selection},
};
use crate::error::Result;

/// What rows of some columns have together.
#[derive(Debug, Default)]
pub(crate) struct Tally {
    /// Of each column, those below others included, in their order.
    columns: Vec<Counted>,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
struct Counted {
    n_slots: u64,
    n_nulls: u64,
}

impl Tally {
    /// Adds the next rows. How many bytes their buffers have, without those of dictionaries.
    pub(crate) fn add(&mut self, batch: &RecordBatch) -> u64 {
        let mut counts = self.columns.iter_mut();
        let mut new = Vec::new();
        let mut n_bytes: u64 = 0;
        for column in batch.columns() {
            walk(column, &mut |array| {
                let found = Counted { n_slots: array.len() as u64, n_nulls: array.null_count() as u64 };
                match counts.next() {
                    Some(counted) => {
                        counted.n_slots = counted.n_slots.saturating_add(found.n_slots);
                        counted.n_nulls = counted.n_nulls.saturating_add(found.n_nulls);
                    }
                    None => new.push(found),
                }
                let validity = array.validity().map_or(0, |validity| validity.buffer().len());
                for n in [validity, array.buffer(0).len(), array.buffer(1).len()] {
                    n_bytes = n_bytes.saturating_add(n as u64);
                }
            });
        }
        self.columns.append(&mut new);
        n_bytes
    }
}

/// An array and those below it, in pre-order.
fn walk(array: &ArrayData, visit: &mut impl FnMut(&ArrayData)) {
    visit(array);
    array.children().iter().for_each(|child| walk(child, visit));
}

impl BatchDecoder<'_> {
    /// Whether all has been checked of the selected columns that is checked when they are read at once: each slot of each column,
    /// also of those below others; the number of nulls; and each compressed buffer.
    ///
    /// # Errors
    /// If the lists of the header are malformed.
    pub(crate) fn is_all(
        &self,
        tally: &Tally,
        (selection, level): (&Selection, Level),
        compressed: &CompressedBuffers,
    ) -> Result<bool> {
        let mut counts = tally.columns.iter();
        for columns in selection.ranges(self.columns) {
            for position in columns.clone() {
                let node = self.lists.node(self.node_in_lists(position))?;
                let Some(counted) = counts.next() else { return Ok(false) };
                let declared = node.n_nulls().filter(|_| level >= Level::Content);
                if counted.n_slots != node.n_slots() || declared.is_some_and(|n| n != counted.n_nulls) {
                    return Ok(false);
                }
            }
            if self.lists.compression().is_none() {
                continue;
            }
            for buffer_idx in self.buffers_of(columns)? {
                let is_begun = compressed.get(&buffer_idx).is_some_and(|buffer| buffer.is_begun());
                if !is_begun && self.lists.buffer(buffer_idx)?.n_bytes() > 0 {
                    return Ok(false);
                }
            }
        }
        Ok(counts.next().is_none())
    }

    /// How many bytes the buffers of a column have when they are decompressed; of compressed text and binary, more than most have.
    ///
    /// # Errors
    /// If the lists of the header are malformed.
    pub(crate) fn n_likely_bytes(&self, root: &Selected) -> Result<u64> {
        const TEXT_TIMES: u64 = 64;
        let ranges = root.ranges(self.columns);
        let n_body_bytes = self.ranges_of(ranges.iter().cloned())?;
        let n_body_bytes = n_body_bytes.iter().fold(0, |sum: u64, range| sum.saturating_add(range.n_bytes()));
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

    /// Whether each row of a column has items and bytes of its own.
    pub(crate) fn has_own_items(&self, root: &Selected) -> bool {
        let mut positions = root.ranges(self.columns).into_iter().flatten();
        positions.all(|position| self.columns.at(position).layout.has_own_items())
    }
}
