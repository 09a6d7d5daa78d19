//! Removes items and values that no valid slot refers to, before a batch is written.

use std::sync::Arc;

use arrow_data::{ArrayData, Level, RecordBatch, Unused};

use crate::{
    columns::Columns,
    error::{Context, Result},
    options::WriteOptions,
};

/// Which unused data is removed.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Trim {
    items: Unused,
    values: Unused,
}

impl Trim {
    pub(crate) fn new(options: &WriteOptions) -> Trim {
        // `Bounded` needs no work here, since the walk over the arrays bounds unused items.
        let items = match options.unused_items() {
            Unused::Kept | Unused::Bounded => Unused::Kept,
            Unused::LeftOut => Unused::LeftOut,
        };
        Trim { items, values: options.unused_values() }
    }

    /// Removes unused items and values from a batch. Returns `None` if there is nothing to remove.
    ///
    /// # Errors
    /// If the content of a column is invalid. Content that has been checked is not checked again.
    pub(crate) fn batch(self, columns: &Columns, batch: &RecordBatch) -> Result<Option<RecordBatch>> {
        if (self.items, self.values) == (Unused::Kept, Unused::Kept) || batch.n_columns() == 0 {
            return Ok(None);
        }
        let arrays = batch.columns().iter().zip(columns.roots());
        let trimmed = arrays.map(|(array, root)| self.array(array.clone()).in_field(|| columns.path(*root)));
        let trimmed = trimmed.collect::<Result<Vec<ArrayData>>>()?;
        Ok(Some(RecordBatch::try_new(Arc::clone(batch.schema()), trimmed)?))
    }

    /// Removes items first, since values may have no other user than the removed items.
    fn array(self, array: ArrayData) -> Result<ArrayData> {
        let used = array.validate(Level::Content)?.with_used_items(self.items)?;
        Ok(used.with_used_values(self.values)?)
    }
}
