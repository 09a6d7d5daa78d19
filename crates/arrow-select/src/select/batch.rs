//! Selects rows of batches, and joins batches, tables and chunks.

use std::{ops::Range, sync::Arc};

use arrow_buffer::{Bitmap, MemoryBudget};
use arrow_data::{
    ArrayData, ChunkedArray, DataError, DataErrorKind as Kind, RecordBatch, Table, Validation,
    positions::inside,
};
use arrow_schema::{Field, Schema};

use super::{
    Select, SlotIndex, concat, concat_in, masked, pick, plan::Picks, ranged, slots, used::UnusedValues,
};
use crate::error::SelectError;

/// The rows of all batches, one after the other, with this schema. If there are no batches, the result has no rows.
///
/// # Errors
/// If the names, types or nullability of a batch differ from the schema; metadata may differ. The other errors are
/// those of [`concat`](crate::concat()).
///
/// ```
/// use arrow_data::{ArrayData, RecordBatch};
/// use arrow_schema::DataType;
/// use arrow_select::concat_batches;
///
/// let batch = RecordBatch::try_from_columns([("id", ArrayData::new_empty(&DataType::Int64))])?;
/// let twice = concat_batches(batch.schema().clone(), &[batch.clone(), batch])?;
/// assert_eq!(twice.n_rows(), 0);
/// # Ok::<(), arrow_select::SelectError>(())
/// ```
pub fn concat_batches(
    schema: impl Into<Arc<Schema>>,
    batches: &[RecordBatch],
) -> Result<RecordBatch, SelectError> {
    concat_batches_in(schema.into(), batches, None)
}

/// Like [`concat_batches`]. Copies are charged to the budget, if there is one.
pub(super) fn concat_batches_in(
    schema: Arc<Schema>,
    batches: &[RecordBatch],
    budget: Option<&MemoryBudget>,
) -> Result<RecordBatch, SelectError> {
    let mut n_rows = 0_usize;
    for batch in batches {
        schema.check_same_columns(batch.schema()).map_err(Kind::from)?;
        let sum = n_rows.checked_add(batch.n_rows());
        n_rows = sum.ok_or(Kind::SizeOverflow { n_slots: batch.n_rows() as u64 })?;
    }
    let columns = each_column(&schema, 0.., |field, position| {
        if batches.is_empty() {
            return Ok(ArrayData::new_empty(field.data_type()));
        }
        let parts = batches.iter().map(|batch| inside(batch.column_at(position)).cloned());
        concat_in(&parts.collect::<Result<Vec<ArrayData>, DataError>>()?, budget)
    });
    let columns = columns.collect::<Result<Vec<ArrayData>, SelectError>>()?;
    Ok(RecordBatch::try_new_with_rows(schema, columns, n_rows)?)
}

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
    let columns = each_column(table.schema(), table.columns(), |_, column| combine_chunks(column));
    let columns = columns.collect::<Result<Vec<ArrayData>, SelectError>>()?;
    Ok(RecordBatch::try_new_with_rows(Arc::clone(table.schema()), columns, table.n_rows())?)
}

impl Select for RecordBatch {
    fn take<I: SlotIndex>(&self, indices: &[I]) -> Result<RecordBatch, SelectError> {
        select_rows(self, &slots(indices, self.n_rows())?, None)
    }

    fn filter(&self, mask: &Bitmap) -> Result<RecordBatch, SelectError> {
        select_rows(self, &masked(mask, self.n_rows())?, None)
    }

    fn take_ranges(&self, ranges: &[Range<usize>]) -> Result<RecordBatch, SelectError> {
        select_rows(self, &ranged(ranges, self.n_rows())?, None)
    }

    fn with_used_items(&self, unused: UnusedValues) -> Result<RecordBatch, SelectError> {
        map_columns(self, self.n_rows(), |column| column.with_used_items(unused))
    }

    fn with_used_values(&self, unused: UnusedValues) -> Result<RecordBatch, SelectError> {
        map_columns(self, self.n_rows(), |column| column.with_used_values(unused))
    }

    fn with_zeroed_nulls(&self) -> Result<RecordBatch, SelectError> {
        map_columns(self, self.n_rows(), Select::with_zeroed_nulls)
    }

    fn with_unused_nulls(&self) -> Result<RecordBatch, SelectError> {
        map_columns(self, self.n_rows(), Select::with_unused_nulls)
    }

    fn compact(&self) -> Result<RecordBatch, SelectError> {
        map_columns(self, self.n_rows(), Select::compact)
    }
}

/// The rows that `picks` lists. Copies are charged to the budget, if there is one.
pub(super) fn select_rows(
    batch: &RecordBatch,
    picks: &Picks,
    budget: Option<&MemoryBudget>,
) -> Result<RecordBatch, SelectError> {
    map_columns(batch, picks.n_slots(), |column| pick(column, picks, budget))
}

/// A batch of `n_rows` rows from the results of `change` for each column.
fn map_columns(
    batch: &RecordBatch,
    n_rows: usize,
    change: impl Fn(&ArrayData) -> Result<ArrayData, SelectError>,
) -> Result<RecordBatch, SelectError> {
    let columns = each_column(batch.schema(), batch.columns(), |_, column| change(column));
    let columns = columns.collect::<Result<Vec<ArrayData>, SelectError>>()?;
    Ok(RecordBatch::try_new_with_rows(Arc::clone(batch.schema()), columns, n_rows)?)
}

/// Calls `apply` with each field and its column. Errors name the field.
pub(super) fn each_column<C, T>(
    schema: &Schema,
    columns: impl IntoIterator<Item = C>,
    mut apply: impl FnMut(&Field, C) -> Result<T, SelectError>,
) -> impl Iterator<Item = Result<T, SelectError>> {
    schema.fields().iter().zip(columns).enumerate().map(move |(position, (field, column))| {
        apply(field, column).map_err(|error| error.in_field(position, field.name()))
    })
}
