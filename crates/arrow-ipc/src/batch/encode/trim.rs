//! Removes items and values that no valid slot refers to, before a batch is written.

use std::sync::Arc;

use arrow_data::{ArrayData, Level, RecordBatch, Unused};

use crate::{
    columns::Columns,
    error::{Context, Result},
    options::WriteOptions,
};

/// The unused data that is removed.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Trim {
    items: Unused,
    values: Unused,
}

impl Trim {
    pub(crate) fn new(options: &WriteOptions) -> Trim {
        // Nothing to do if the walk over each array bounds unused data by itself.
        let items = match options.unused_items() {
            Unused::Kept | Unused::Bounded => Unused::Kept,
            Unused::LeftOut => Unused::LeftOut,
        };
        Trim { items, values: options.unused_values() }
    }

    /// The batch without unused items and values; `None` if it is written as it is.
    ///
    /// # Errors
    /// If the content of a column was unchecked and is invalid.
    pub(crate) fn batch(self, columns: &Columns, batch: &RecordBatch) -> Result<Option<RecordBatch>> {
        if (self.items, self.values) == (Unused::Kept, Unused::Kept) || batch.n_columns() == 0 {
            return Ok(None);
        }
        let arrays = batch.columns().iter().zip(columns.roots());
        let trimmed = arrays.map(|(array, root)| self.array(array.clone()).in_field(|| columns.path(*root)));
        let trimmed = trimmed.collect::<Result<Vec<ArrayData>>>()?;
        Ok(Some(RecordBatch::try_new(Arc::clone(batch.schema()), trimmed)?))
    }

    /// Removes items first, since removed items need no values.
    fn array(self, array: ArrayData) -> Result<ArrayData> {
        let used = array.validate(Level::Content)?.with_used_items(self.items)?;
        Ok(used.with_used_values(self.values)?)
    }
}
