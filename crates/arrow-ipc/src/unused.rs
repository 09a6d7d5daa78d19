//! What is left out of arrays before they are written, because no valid slot refers to it.

use std::sync::Arc;

use arrow_data::{ArrayData, RecordBatch, Validation};
use arrow_select::{Select, UnusedValues};

use crate::error::{Context, Result};
use arrow_ipc_format::columns::Columns;

/// What a writer does with items and dictionary values that no valid slot refers to, before it encodes a batch.
#[derive(Debug, Clone, Copy)]
pub(crate) struct UnusedData {
    items: UnusedValues,
    values: UnusedValues,
}

impl UnusedData {
    pub(crate) const KEEP: UnusedData = UnusedData { items: UnusedValues::Keep, values: UnusedValues::Keep };

    pub(crate) fn new(items: UnusedValues, values: UnusedValues) -> UnusedData {
        // `Bounded` needs no work before a batch is encoded, since the walk over the arrays bounds unused items.
        let items = match items {
            UnusedValues::Keep | UnusedValues::Bounded => UnusedValues::Keep,
            UnusedValues::Remove => UnusedValues::Remove,
        };
        UnusedData { items, values }
    }

    /// Whether all of them stay.
    pub(crate) fn keeps_all(self) -> bool {
        (self.items, self.values) == (UnusedValues::Keep, UnusedValues::Keep)
    }

    /// The array without these items and values.
    ///
    /// # Errors
    /// If the content of the array is invalid. Content that has been checked is not checked again.
    pub(crate) fn remove_from(self, array: &ArrayData) -> Result<ArrayData> {
        // Items are removed first, since only the removed items may use some of the values.
        let used = array.clone().validate(Validation::Content)?.with_used_items(self.items)?;
        Ok(used.with_used_values(self.values)?)
    }

    /// Removes unused items and values. Returns `None` if there is nothing to remove.
    ///
    /// # Errors
    /// If the content of a column is invalid. Content that has been checked is not checked again.
    pub(crate) fn trim(self, columns: &Columns, batch: &RecordBatch) -> Result<Option<RecordBatch>> {
        if self.keeps_all() || batch.n_columns() == 0 {
            return Ok(None);
        }
        let arrays = batch.columns().iter().zip(columns.roots());
        let trimmed = arrays.map(|(array, root)| self.remove_from(array).in_field(|| columns.path(*root)));
        let trimmed = trimmed.collect::<Result<Vec<ArrayData>>>()?;
        Ok(Some(RecordBatch::try_new(Arc::clone(batch.schema()), trimmed)?))
    }
}
