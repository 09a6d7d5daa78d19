//! Memory that is charged before it is filled, and text that is shortened. Both are limited, because an array of a few
//! bytes can have any number of slots, and slots can share long values.

use std::fmt::{self, Write};

use arrow_array::AnyArray;
use arrow_buffer::{BudgetError, Buffer, BufferMut, Charge, MemoryBudget};
use arrow_data::{ChildLen, DataError, DataErrorKind, Selector, layout};
use arrow_schema::DataType;

use super::error::CastResult;

/// An empty buffer with room for `n_bytes` bytes. The bytes are charged until the buffer is dropped.
///
/// # Errors
/// If the budget or the system refuses memory.
pub(super) fn bytes(n_bytes: u128, budget: &MemoryBudget) -> CastResult<BufferMut> {
    let n_bytes = usize::try_from(n_bytes).unwrap_or(usize::MAX);
    BufferMut::try_with_capacity_in(n_bytes, Some(budget)).map_err(|error| DataError::from(error).into())
}

/// An empty list with room for `n_values` values, and its charge. The caller must hold the charge as long as the list.
///
/// # Errors
/// If the budget or the system refuses memory.
pub(super) fn list<T>(n_values: usize, budget: &MemoryBudget) -> CastResult<(Vec<T>, Charge)> {
    let n_bytes = n_values as u128 * size_of::<T>() as u128;
    let charge = charge(n_bytes, budget)?;
    let mut values = Vec::new();
    let refused = BudgetError::OutOfMemory { requested: charge.n_bytes() };
    values.try_reserve_exact(n_values).map_err(|_| DataError::from(refused))?;
    Ok((values, charge))
}

/// Adds a number to a list whose length is not known in advance.
///
/// # Errors
/// If the budget or the system refuses to extend the list.
pub(super) fn push(numbers: &mut BufferMut, number: u64) -> CastResult<()> {
    if numbers.capacity() - numbers.len() < size_of::<u64>() {
        numbers.try_reserve(numbers.len().max(64)).map_err(DataError::from)?;
    }
    numbers.push(number);
    Ok(())
}

/// The numbers in a list that [`push`] has filled.
///
/// # Errors
/// This never fails, since memory of this crate is aligned.
pub(super) fn numbers(list: &Buffer) -> CastResult<&[u64]> {
    let misaligned = DataErrorKind::Misaligned { needed: align_of::<u64>() };
    list.view().map_err(|_| DataError::from(misaligned).into())
}

/// Charges bytes before they are allocated.
///
/// # Errors
/// If the budget refuses.
pub(super) fn charge(n_bytes: u128, budget: &MemoryBudget) -> CastResult<Charge> {
    let charged = budget.try_charge(u64::try_from(n_bytes).unwrap_or(u64::MAX));
    charged.map_err(|error| DataError::from(error).into())
}

/// The memory of a null of a type, including the slots of its children.
pub(super) fn null_bytes(data_type: &DataType) -> u128 {
    let layout = layout(data_type);
    let n_bits: u128 = layout.data_buffers().iter().map(|buffer| u128::from(buffer.bits)).sum();
    let of_children = || -> u128 {
        let children = data_type.children().iter().map(|child| null_bytes(child.data_type()));
        children.fold(0, u128::saturating_add)
    };
    let inside = match layout.child_len() {
        ChildLen::NoChildren => 0,
        ChildLen::SameAsParent | ChildLen::Runs => of_children(),
        ChildLen::Times(n_items) => of_children().saturating_mul(n_items.into()),
        // A null list has no items. A slot of a union has a slot in one child.
        ChildLen::FromData if data_type.is_union() => of_children(),
        ChildLen::FromData => 0,
    };
    n_bits.div_ceil(8).saturating_add(inside)
}

/// The bytes that a selection allocates for each slot or range while it is made. The result is charged separately.
pub(super) const PLANNED_BYTES: u128 = 28;

/// Selects slots under a budget.
pub(super) fn selector(budget: &MemoryBudget) -> Selector {
    Selector::new().with_memory_budget(budget.clone())
}

/// The start of a value, as text for an error. It is limited, since the whole text may exceed the memory.
pub(super) fn start_of(array: &AnyArray, slot: usize) -> String {
    let mut start = BoundedText(String::new());
    match write!(start, "{}", array.display(slot)) {
        Ok(()) => start.0,
        Err(_) => start.0 + "…",
    }
}

/// The greatest number of bytes of a value that an error message contains.
const START_BYTES: usize = 200;

/// Text that is shortened if it is too long.
struct BoundedText(String);

impl fmt::Write for BoundedText {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        let end = text.floor_char_boundary(START_BYTES.saturating_sub(self.0.len()));
        let (start, rest) = text.split_at(end);
        self.0.push_str(start);
        if rest.is_empty() { Ok(()) } else { Err(fmt::Error) }
    }
}
