//! Selects rows of batches.

use std::sync::Arc;

use arrow_buffer::{Bitmap, MemoryBudget};
use arrow_schema::Schema;

use super::{SlotIndex, concat_in, masked, pick, plan::Picks, slots, used::Unused};
use crate::{
    array::ArrayData,
    batch::RecordBatch,
    columns,
    error::{DataError, DataErrorKind as Kind},
    positions::inside,
};

impl RecordBatch {
    /// The rows of all batches, one after the other, with this schema. If there are no batches, the result has no rows.
    ///
    /// # Errors
    /// If the names, types or nullability of a batch differ from the schema; metadata may differ. The other errors are
    /// those of [`concat`](crate::concat()).
    ///
    /// ```
    /// use arrow_data::{ArrayData, RecordBatch};
    /// use arrow_schema::DataType;
    ///
    /// let batch = RecordBatch::try_from_columns([("id", ArrayData::new_empty(&DataType::Int64))])?;
    /// let twice = RecordBatch::concat(batch.schema().clone(), &[batch.clone(), batch])?;
    /// assert_eq!(twice.n_rows(), 0);
    /// # Ok::<(), arrow_data::DataError>(())
    /// ```
    pub fn concat(schema: impl Into<Arc<Schema>>, batches: &[RecordBatch]) -> Result<RecordBatch, DataError> {
        RecordBatch::concat_in(schema.into(), batches, None)
    }

    pub(super) fn concat_in(
        schema: Arc<Schema>,
        batches: &[RecordBatch],
        budget: Option<&MemoryBudget>,
    ) -> Result<RecordBatch, DataError> {
        let mut n_rows = 0_usize;
        for batch in batches {
            schema.check_same_columns(batch.schema()).map_err(Kind::from)?;
            let sum = n_rows.checked_add(batch.n_rows());
            n_rows = sum.ok_or(Kind::SizeOverflow { n_slots: batch.n_rows() as u64 })?;
        }
        let columns = columns::each(&schema, 0.., |field, position| {
            if batches.is_empty() {
                return Ok(ArrayData::new_empty(field.data_type()));
            }
            let parts = batches.iter().map(|batch| inside(batch.column_at(position)).cloned());
            concat_in(&parts.collect::<Result<Vec<ArrayData>, DataError>>()?, budget)
        });
        let columns = columns.collect::<Result<Vec<ArrayData>, DataError>>()?;
        RecordBatch::try_new_with_rows(schema, columns, n_rows)
    }

    /// The rows that `indices` select, in the order of `indices`; a row may be selected many times. The columns share
    /// memory as after [`ArrayData::take`]; [`compact`](RecordBatch::compact) releases this memory.
    ///
    /// # Errors
    /// The errors of [`ArrayData::take`].
    pub fn take<I: SlotIndex>(&self, indices: &[I]) -> Result<RecordBatch, DataError> {
        self.select_rows(&slots(indices, self.n_rows())?, None)
    }

    /// The rows whose bit in `mask` is set. The columns share memory as after [`take`](RecordBatch::take).
    ///
    /// # Errors
    /// The errors of [`ArrayData::filter`].
    pub fn filter(&self, mask: &Bitmap) -> Result<RecordBatch, DataError> {
        self.select_rows(&masked(mask, self.n_rows())?, None)
    }

    /// The same rows, without items that no row refers to: see [`ArrayData::with_used_items`].
    ///
    /// # Errors
    /// The errors of [`ArrayData::with_used_items`]. The error names the column.
    pub fn with_used_items(&self, unused: Unused) -> Result<RecordBatch, DataError> {
        self.map_columns(self.n_rows(), |column| column.with_used_items(unused))
    }

    /// The same rows, without the values of dictionaries that no index refers to: see [`ArrayData::with_used_values`].
    ///
    /// # Errors
    /// The errors of [`ArrayData::with_used_values`]. The error names the column.
    pub fn with_used_values(&self, unused: Unused) -> Result<RecordBatch, DataError> {
        self.map_columns(self.n_rows(), |column| column.with_used_values(unused))
    }

    /// The same rows, copied to new memory: see [`ArrayData::compact`].
    ///
    /// # Errors
    /// The errors of [`ArrayData::compact`]. The error names the column.
    pub fn compact(&self) -> Result<RecordBatch, DataError> {
        self.map_columns(self.n_rows(), ArrayData::compact)
    }

    pub(super) fn select_rows(
        &self,
        picks: &Picks,
        budget: Option<&MemoryBudget>,
    ) -> Result<RecordBatch, DataError> {
        self.map_columns(picks.n_slots(), |column| pick(column, picks, budget))
    }
}
