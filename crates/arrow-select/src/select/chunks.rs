//! Makes one array of the chunks of a column, and one batch of a table.

use std::sync::Arc;

use arrow_data::{ArrayData, ChunkedArray, RecordBatch, Table, Validation};

use super::concat;
use crate::{columns, error::SelectError};

/// Copies all slots into one array. If only one chunk has slots, returns this chunk without a copy. The content of the
/// result is checked.
///
/// # Errors
/// The errors of [`concat`](crate::concat()), if a chunk is invalid or the slots do not fit one array of the type.
///
/// ```
/// use arrow_data::{ArrayData, ChunkedArray};
/// use arrow_schema::DataType;
/// use arrow_select::combine_chunks;
///
/// let column = ChunkedArray::from(ArrayData::new_empty(&DataType::Int32));
/// assert_eq!(combine_chunks(&column)?.len(), 0);
/// # Ok::<(), arrow_select::SelectError>(())
/// ```
pub fn combine_chunks(column: &ChunkedArray) -> Result<ArrayData, SelectError> {
    let chunks: Vec<ArrayData> = column.chunks().iter().filter(|chunk| !chunk.is_empty()).cloned().collect();
    if chunks.is_empty() {
        return Ok(ArrayData::new_empty(column.data_type()).validate(Validation::Content)?);
    }
    concat(&chunks)
}

/// All rows of a table in one batch. Copies the columns that have several chunks. The content of the result is checked.
///
/// # Errors
/// The errors of [`combine_chunks`]; the error names the column.
pub fn combine_table(table: &Table) -> Result<RecordBatch, SelectError> {
    let columns = columns::each(table.schema(), table.columns(), |_, column| combine_chunks(column));
    let columns = columns.collect::<Result<Vec<ArrayData>, SelectError>>()?;
    Ok(RecordBatch::try_new_with_rows(Arc::clone(table.schema()), columns, table.n_rows())?)
}
