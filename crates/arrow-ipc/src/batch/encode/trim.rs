//! Removes items and values that no valid slot refers to, before a batch is written.

use std::sync::Arc;

use arrow_data::{ArrayData, Level, RecordBatch, Unused};

use crate::{
    columns::Columns,
    error::{Context, Result},
    options::WriteOptions,
};

/// Removes items and values that the options leave out. Returns `None` if there is nothing to remove.
///
/// # Errors
/// If the content of a column is invalid. Content that has been checked is not checked again.
pub(crate) fn trim(
    columns: &Columns,
    batch: &RecordBatch,
    options: &WriteOptions,
) -> Result<Option<RecordBatch>> {
    // `Bounded` needs no work here, since the walk over the arrays bounds unused items.
    let items = match options.unused_items() {
        Unused::Kept | Unused::Bounded => Unused::Kept,
        Unused::LeftOut => Unused::LeftOut,
    };
    let values = options.unused_values();
    if (items, values) == (Unused::Kept, Unused::Kept) || batch.n_columns() == 0 {
        return Ok(None);
    }
    // Items are removed first, since only the removed items may use some of the values.
    let trim = |array: &ArrayData| -> Result<ArrayData> {
        let used = array.clone().validate(Level::Content)?.with_used_items(items)?;
        Ok(used.with_used_values(values)?)
    };
    let arrays = batch.columns().iter().zip(columns.roots());
    let trimmed = arrays.map(|(array, root)| trim(array).in_field(|| columns.path(*root)));
    let trimmed = trimmed.collect::<Result<Vec<ArrayData>>>()?;
    Ok(Some(RecordBatch::try_new(Arc::clone(batch.schema()), trimmed)?))
}
