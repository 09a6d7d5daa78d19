//! Changes arrays before they are written: removes items and values that no valid slot refers to, and replaces the data of
//! null slots by zeros.

use std::sync::Arc;

use arrow_data::{ArrayData, RecordBatch};
use arrow_select::Select;

use crate::{
    error::{Context, Result},
    options::NullSlots,
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
    if unused.keeps_all() || batch.n_columns() == 0 {
        return Ok(None);
    }
    let arrays = batch.columns().iter().zip(columns.roots());
    let trimmed = arrays.map(|(array, root)| unused.remove_from(array).in_field(|| columns.path(*root)));
    let trimmed = trimmed.collect::<Result<Vec<ArrayData>>>()?;
    Ok(Some(RecordBatch::try_new(Arc::clone(batch.schema()), trimmed)?))
}

/// Replaces the data of null slots. Returns `None` if the null slots stay as they are.
///
/// # Errors
/// If numbers that refer to values are unchecked and invalid.
pub(crate) fn zero_nulls(
    columns: &Columns,
    arrays: &[ArrayData],
    null_slots: NullSlots,
) -> Result<Option<Vec<ArrayData>>> {
    match null_slots {
        NullSlots::Keep => Ok(None),
        NullSlots::Zeros => {
            let arrays = arrays.iter().zip(columns.roots());
            let zeroed =
                arrays.map(|(array, root)| array.with_zeroed_nulls().in_field(|| columns.path(*root)));
            zeroed.collect::<Result<Vec<ArrayData>>>().map(Some)
        }
    }
}
