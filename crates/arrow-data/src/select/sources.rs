//! The sources of a selection, and the budget for its copies.

use std::ops::Deref;

use arrow_buffer::{Buffer, BufferMut, Charge, MemoryBudget};

use crate::{array::ArrayData, error::DataError};

/// Arrays of one type, whose content has been checked.
#[derive(Clone, Copy)]
pub(super) struct Sources<'a> {
    arrays: &'a [&'a ArrayData],
    budget: Option<&'a MemoryBudget>,
    sharing: Sharing,
}

/// Whether a selection may share memory with its sources.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Sharing {
    Allowed,
    /// Only dictionaries are shared.
    Dictionaries,
}

/// Bytes that have been charged before memory is taken.
pub(super) struct Room(Option<Charge>);

impl<'a> Sources<'a> {
    pub(super) fn new(arrays: &'a [&'a ArrayData], budget: Option<&'a MemoryBudget>) -> Sources<'a> {
        Sources { arrays, budget, sharing: Sharing::Allowed }
    }

    /// The same, with another rule for what is shared.
    pub(super) fn sharing(self, sharing: Sharing) -> Sources<'a> {
        Sources { sharing, ..self }
    }

    /// Whether everything that slots refer to is copied.
    pub(super) fn copies(&self) -> bool {
        self.sharing == Sharing::Dictionaries
    }

    /// Other arrays, whose copies are charged to the same budget.
    pub(super) fn others<'b>(&self, arrays: &'b [&'b ArrayData]) -> Sources<'b>
    where
        'a: 'b,
    {
        Sources { arrays, ..*self }
    }

    pub(super) fn has_budget(&self) -> bool {
        self.budget.is_some()
    }

    /// Empty memory, with room for this many bytes.
    pub(super) fn memory(&self, n_bytes: usize) -> Result<BufferMut, DataError> {
        Ok(BufferMut::try_with_capacity_in(n_bytes, self.budget)?)
    }

    /// Room for this many numbers, in a vector that becomes a buffer.
    pub(super) fn room<T>(&self, n_numbers: usize) -> Result<Room, DataError> {
        let n_bytes = n_numbers.saturating_mul(size_of::<T>()) as u64;
        let charge = self.budget.map(|budget| budget.try_charge(n_bytes)).transpose()?;
        Ok(Room(charge))
    }
}

impl Room {
    /// The buffer of the vector.
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
