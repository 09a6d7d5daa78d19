//! Buffers that are charged to a budget.

use std::sync::Arc;

use crate::budget::{BudgetError, Charge, MemoryBudget};
use crate::buffer::Buffer;
use crate::buffer::mutable::BufferMut;
use crate::buffer::owner::Owner;

impl Buffer {
    /// A copy of `bytes` that starts at a multiple of 64, charged to a budget as long as a buffer refers to it; if there is no
    /// budget, only the system can refuse.
    ///
    /// # Errors
    ///
    /// If the budget or the system refuses.
    pub fn try_copy_in(bytes: &[u8], budget: Option<&MemoryBudget>) -> Result<Buffer, BudgetError> {
        let mut copy = BufferMut::try_with_capacity_in(bytes.len(), budget)?;
        copy.extend_from_slice(bytes);
        Ok(copy.freeze())
    }

    /// The same bytes, with a charge that is given back when the last clone or slice of this buffer is dropped: for memory that
    /// was not made under a budget, such as a vector's. Buffers that were made of the memory before do not keep the
    /// charge.
    ///
    /// ```
    /// use arrow_buffer::{Buffer, MemoryBudget};
    ///
    /// let budget = MemoryBudget::new(100);
    /// let numbers = Buffer::from(vec![1_i64, 2, 3]);
    /// let charge = budget.try_charge(numbers.len() as u64)?;
    /// let slice = numbers.with_charge(charge).slice(8..);
    /// assert_eq!(budget.n_bytes_allocated(), 24);
    /// drop(slice);
    /// assert_eq!(budget.n_bytes_allocated(), 0);
    /// # Ok::<(), arrow_buffer::BudgetError>(())
    /// ```
    #[must_use]
    pub fn with_charge(self, charge: Charge) -> Buffer {
        let Buffer { owner, ptr, len } = self;
        Buffer { owner: Some(Arc::new(Owner::Charged((owner, charge)))), ptr, len }
    }
}
