//! Selection under a memory budget.

use std::{ops::Range, sync::Arc};

use arrow_buffer::{Bitmap, MemoryBudget};
use arrow_data::{ArrayData, RecordBatch};
use arrow_schema::Schema;

use super::{
    SlotIndex,
    batch::{concat_batches_in, select_rows},
    concat_in, filter_in, masked, pick, ranged, slots,
};
use crate::error::SelectError;

/// Selects slots and rows like [`concat`](crate::concat()), [`Select::take`](crate::Select::take) and similar methods, but under a memory
/// budget.
///
/// Each copy is charged before it is made. The charge ends when the last buffer of the result is dropped. If the budget
/// refuses, the error is [`Memory`](arrow_data::DataErrorKind::Memory), and nothing stays charged. Two kinds of memory are
/// not charged: shared memory, and memory that is freed before the method returns (lists of slots, and tables for
/// merging dictionaries).
///
/// ```
/// use arrow_buffer::{Buffer, MemoryBudget};
/// use arrow_data::{ArrayData, ArrayParts};
/// use arrow_select::{Select, Selector};
/// use arrow_schema::DataType;
///
/// let numbers = ArrayData::try_new(ArrayParts {
///     buffers: [Buffer::from((0..100).collect::<Vec<i64>>()), Buffer::new()],
///     ..ArrayParts::new(DataType::Int64, 100)
/// })?;
/// let budget = MemoryBudget::new(2_000);
/// let selector = Selector::new().with_memory_budget(budget.clone());
/// let twice = selector.concat(&[numbers.clone(), numbers])?;
/// assert_eq!(budget.n_bytes_allocated(), 1_600);
/// let error = selector.take(&twice, &[7; 60]).unwrap_err();
/// assert_eq!(error.to_string(), "512 bytes exceed the memory budget: 1600 of 2000 bytes are used");
/// drop(twice);
/// assert_eq!(budget.n_bytes_allocated(), 0);
/// # Ok::<(), arrow_select::SelectError>(())
/// ```
/// use arrow_select::concat_batches;
#[derive(Debug, Clone, Default)]
pub struct Selector {
    budget: Option<MemoryBudget>,
}

impl Selector {
    /// A selector without a budget, which works like the methods of arrays and batches.
    pub const fn new() -> Selector {
        Selector { budget: None }
    }

    /// Charges copies to this budget.
    #[must_use]
    pub fn with_memory_budget(self, budget: MemoryBudget) -> Selector {
        Selector { budget: Some(budget) }
    }

    /// Does the same as [`concat`](crate::concat()), under the budget.
    ///
    /// # Errors
    /// The errors of [`concat`](crate::concat()), and an error if the budget refuses.
    pub fn concat(&self, arrays: &[ArrayData]) -> Result<ArrayData, SelectError> {
        concat_in(arrays, self.budget.as_ref())
    }

    /// Does the same as [`Select::take`](crate::Select::take), under the budget.
    ///
    /// # Errors
    /// The errors of [`Select::take`](crate::Select::take), and an error if the budget refuses.
    pub fn take<I: SlotIndex>(&self, array: &ArrayData, indices: &[I]) -> Result<ArrayData, SelectError> {
        pick(array, &slots(indices, array.len())?, self.budget.as_ref())
    }

    /// Does the same as [`Select::take_ranges`](crate::Select::take_ranges), under the budget.
    ///
    /// # Errors
    /// The errors of [`Select::take_ranges`](crate::Select::take_ranges), and an error if the budget refuses.
    pub fn take_ranges(&self, array: &ArrayData, ranges: &[Range<usize>]) -> Result<ArrayData, SelectError> {
        pick(array, &ranged(ranges, array.len())?, self.budget.as_ref())
    }

    /// Does the same as [`Select::filter`](crate::Select::filter), under the budget.
    ///
    /// # Errors
    /// The errors of [`Select::filter`](crate::Select::filter), and an error if the budget refuses.
    pub fn filter(&self, array: &ArrayData, mask: &Bitmap) -> Result<ArrayData, SelectError> {
        filter_in(array, mask, self.budget.as_ref())
    }

    /// Does the same as [`concat_batches`](crate::concat_batches), under the budget.
    ///
    /// # Errors
    /// The errors of [`concat_batches`](crate::concat_batches), and an error if the budget refuses. The error names the column.
    pub fn concat_batches(
        &self,
        schema: impl Into<Arc<Schema>>,
        batches: &[RecordBatch],
    ) -> Result<RecordBatch, SelectError> {
        concat_batches_in(schema.into(), batches, self.budget.as_ref())
    }

    /// Does the same as [`Select::take`](crate::Select::take), under the budget.
    ///
    /// # Errors
    /// The errors of [`Select::take`](crate::Select::take), and an error if the budget refuses. The error names the column.
    pub fn take_rows<I: SlotIndex>(
        &self,
        batch: &RecordBatch,
        indices: &[I],
    ) -> Result<RecordBatch, SelectError> {
        select_rows(batch, &slots(indices, batch.n_rows())?, self.budget.as_ref())
    }

    /// Does the same as [`Select::filter`](crate::Select::filter), under the budget.
    ///
    /// # Errors
    /// The errors of [`Select::filter`](crate::Select::filter), and an error if the budget refuses. The error names the column.
    pub fn filter_rows(&self, batch: &RecordBatch, mask: &Bitmap) -> Result<RecordBatch, SelectError> {
        select_rows(batch, &masked(mask, batch.n_rows())?, self.budget.as_ref())
    }
}
