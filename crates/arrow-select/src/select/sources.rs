//! The sources of a selection, and the budget for its copies.

use std::ops::Deref;

use arrow_buffer::{BitmapBuilder, Buffer, BufferMut, Charge, MemoryBudget};
use arrow_data::ArrayData;

use crate::{error::SelectError, select::plan::with_capacity};

/// Arrays of one type, whose content has been checked.
#[derive(Clone, Copy)]
pub(super) struct Sources<'a> {
    arrays: &'a [&'a ArrayData],
    budget: Option<&'a MemoryBudget>,
    copies: bool,
}

/// The charge for memory that is about to be allocated.
pub(super) struct ChargedCapacity(Option<Charge>);

impl<'a> Sources<'a> {
    pub(super) fn new(arrays: &'a [&'a ArrayData], budget: Option<&'a MemoryBudget>) -> Sources<'a> {
        Sources { arrays, budget, copies: false }
    }

    /// Copies the data to which slots refer, and shares only dictionaries with the sources.
    pub(super) fn with_copies(self) -> Sources<'a> {
        Sources { copies: true, ..self }
    }

    /// Shares memory with the sources where that is possible, as by default.
    pub(super) fn without_copies(self) -> Sources<'a> {
        Sources { copies: false, ..self }
    }

    /// Whether the data to which slots refer is copied, except for dictionaries.
    pub(super) fn copies(&self) -> bool {
        self.copies
    }

    /// Other arrays, whose copies are charged to the same budget.
    pub(super) fn others<'b>(&self, arrays: &'b [&'b ArrayData]) -> Sources<'b>
    where
        'a: 'b,
    {
        Sources { arrays, ..*self }
    }

    /// An empty buffer with capacity for `n_bytes` bytes.
    pub(super) fn memory(&self, n_bytes: usize) -> Result<BufferMut, SelectError> {
        Ok(BufferMut::try_with_capacity_in(n_bytes, self.budget)?)
    }

    /// An empty bitmap with capacity for `n_bits` bits.
    pub(super) fn bits(&self, n_bits: usize) -> Result<BitmapBuilder, SelectError> {
        Ok(BitmapBuilder::try_with_capacity_in(n_bits, self.budget)?)
    }

    /// A vector that becomes a buffer, with capacity for `n_numbers` numbers.
    pub(super) fn numbers<T>(&self, n_numbers: usize) -> Result<(Vec<T>, ChargedCapacity), SelectError> {
        let n_bytes = n_numbers.saturating_mul(size_of::<T>()) as u64;
        let charge = self.budget.map(|budget| budget.try_charge(n_bytes)).transpose()?;
        Ok((with_capacity(n_numbers)?, ChargedCapacity(charge)))
    }

    pub(super) fn budget(&self) -> Option<&'a MemoryBudget> {
        self.budget
    }
}

impl ChargedCapacity {
    pub(super) fn hold(self, buffer: impl Into<Buffer>) -> Buffer {
        match self.0 {
            Some(charge) => buffer.into().with_charge(charge),
            None => buffer.into(),
        }
    }
}

impl<'a> Deref for Sources<'a> {
    type Target = [&'a ArrayData];

    fn deref(&self) -> &[&'a ArrayData] {
        self.arrays
    }
}
