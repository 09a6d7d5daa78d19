//! Buffers that are charged to a budget.

use std::sync::Arc;

use crate::budget::{BudgetError, Charge, MemoryBudget};
use crate::buffer::Buffer;
use crate::buffer::mutable::BufferMut;
use crate::buffer::owner::Owner;

impl Buffer {
    /// Copies `bytes` to memory that starts at a multiple of 64. The memory is charged to the budget as long as a
    /// buffer refers to it. Without a budget, only the system can refuse the memory.
    ///
    /// # Errors
    ///
    /// If the budget or the system refuses the memory.
    pub fn try_copy_in(bytes: &[u8], budget: Option<&MemoryBudget>) -> Result<Buffer, BudgetError> {
        let mut copy = BufferMut::try_with_capacity_in(bytes.len(), budget)?;
        copy.extend_from_slice(bytes);
        Ok(copy.freeze())
    }

    /// A buffer of `n_bytes` zeros. The memory is charged to the budget as long as a buffer refers to it. Without a
    /// budget, only the system can refuse the memory.
    ///
    /// ```
    /// use arrow_buffer::Buffer;
    ///
    /// assert_eq!(*Buffer::try_zeroed_in(3, None)?, [0, 0, 0]);
    /// assert!(Buffer::try_zeroed_in(usize::MAX, None).is_err());
    /// # Ok::<(), arrow_buffer::BudgetError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// If the budget or the system refuses the memory.
    pub fn try_zeroed_in(n_bytes: usize, budget: Option<&MemoryBudget>) -> Result<Buffer, BudgetError> {
        let mut zeros = BufferMut::try_with_capacity_in(n_bytes, budget)?;
        zeros.extend_zeros(n_bytes);
        Ok(zeros.freeze())
    }

    /// Like [`to_aligned`](Buffer::to_aligned), but a copy is charged to a budget as long as a buffer refers to it.
    ///
    /// # Errors
    ///
    /// If the budget or the system refuses the copy.
    ///
    /// # Panics
    ///
    /// Like [`to_aligned`](Buffer::to_aligned).
    pub fn try_to_aligned_in(
        &self,
        n_bytes: usize,
        budget: Option<&MemoryBudget>,
    ) -> Result<Buffer, BudgetError> {
        if self.is_aligned_to(n_bytes) {
            return Ok(self.clone());
        }
        assert!(64_usize.is_multiple_of(n_bytes), "copies are aligned to 64 bytes, not to {n_bytes}");
        Buffer::try_copy_in(self, budget)
    }

    /// Attaches a charge to the buffer. The charge is dropped with the last clone or slice of the buffer. Use it for
    /// memory that was not allocated under a budget, for example the memory of a vector. Earlier clones and slices of
    /// the buffer do not keep the charge.
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
