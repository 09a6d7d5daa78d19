//! Removes items and values that no valid slot refers to, before a batch is written.

use std::sync::Arc;

use arrow_data::{ArrayData, RecordBatch};

use crate::{
    error::{Context, Result},
    unused::UnusedData,
};
use arrow_ipc_format::columns::Columns;

/// Removes unused items and values. Returns `None` if there is nothing to remove.
///
/// # Errors
/// If the content of a column is invalid. Content that has been checked is not checked again.
pub(crate) fn trim(
    columns: &Columns,
    batch: &RecordBatch,
    unused: UnusedData,
) -> Result<Option<RecordBatch>> {
    if unused.is_kept() || batch.n_columns() == 0 {
        return Ok(None);
    }
    let arrays = batch.columns().iter().zip(columns.roots());
    let trimmed = arrays.map(|(array, root)| unused.left_out_of(array).in_field(|| columns.path(*root)));
    let trimmed = trimmed.collect::<Result<Vec<ArrayData>>>()?;
    Ok(Some(RecordBatch::try_new(Arc::clone(batch.schema()), trimmed)?))
}
