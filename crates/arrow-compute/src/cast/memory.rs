//! Charges memory before it is filled, and cuts text for errors. An array of a few bytes can have any number of slots, and
//! slots can share long values.

use std::fmt::{self, Write};

use arrow_array::AnyArray;
use arrow_buffer::{BudgetError, Buffer, BufferMut, Charge, MemoryBudget};
use arrow_data::{ChildLen, DataError, DataErrorKind, layout};
use arrow_schema::DataType;
use arrow_select::Selector;

use super::error::CastResult;

/// Makes an empty buffer with memory for `n_bytes` bytes, which are charged until the buffer is dropped.
///
/// # Errors
/// If the budget or the system refuses memory.
pub(super) fn bytes(n_bytes: u128, budget: &MemoryBudget) -> CastResult<BufferMut> {
    let n_bytes = usize::try_from(n_bytes).unwrap_or(usize::MAX);
    BufferMut::try_with_capacity_in(n_bytes, Some(budget)).map_err(|error| DataError::from(error).into())
}

/// Makes an empty vector with memory for `n_values` values. The caller must keep the charge as long as the vector.
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

/// Appends a number to a list that grows.
///
/// # Errors
/// If the budget or the system refuses more memory.
pub(super) fn push(numbers: &mut BufferMut, number: u64) -> CastResult<()> {
    if numbers.capacity() - numbers.len() < size_of::<u64>() {
        numbers.try_reserve(numbers.len().max(64)).map_err(DataError::from)?;
    }
    numbers.push(number);
    Ok(())
}

/// The numbers that [`push`] has appended.
///
/// # Errors
/// None in practice, since buffers of this crate are aligned.
pub(super) fn numbers(list: &Buffer) -> CastResult<&[u64]> {
    let misaligned = DataErrorKind::Misaligned { needed: align_of::<u64>() };
    list.view().map_err(|_| DataError::from(misaligned).into())
}

/// Charges memory that will be allocated.
///
/// # Errors
/// If the budget refuses the memory.
pub(super) fn charge(n_bytes: u128, budget: &MemoryBudget) -> CastResult<Charge> {
    let charged = budget.try_charge(u64::try_from(n_bytes).unwrap_or(u64::MAX));
    charged.map_err(|error| DataError::from(error).into())
}

/// The bytes that a null of a type takes, including the slots of its children.
pub(super) fn null_bytes(data_type: &DataType) -> u128 {
    let layout = layout(data_type);
    let n_bits: u128 = layout.data_buffers().iter().map(|buffer| u128::from(buffer.bits)).sum();
    let child_bytes = || -> u128 {
        let children = data_type.children().iter().map(|child| null_bytes(child.data_type()));
        children.fold(0, u128::saturating_add)
    };
    let inside = match layout.child_len() {
        ChildLen::NoChildren => 0,
        ChildLen::SameAsParent | ChildLen::Runs => child_bytes(),
        ChildLen::Times(n_items) => child_bytes().saturating_mul(n_items.into()),
        // A null list has no items. A slot of a union has a slot in one child; this counts the slots of all.
        ChildLen::FromData if data_type.is_union() => child_bytes(),
        ChildLen::FromData => 0,
    };
    n_bits.div_ceil(8).saturating_add(inside)
}

/// The bytes that a selection allocates for each slot or range before it copies. The result is charged separately.
pub(super) const PLANNED_BYTES: u128 = 28;

/// Makes a selector that charges its result to `budget`.
pub(super) fn selector(budget: &MemoryBudget) -> Selector {
    Selector::new().with_memory_budget(budget.clone())
}

/// The start of a value as text, for an error. The whole text may exceed memory.
pub(super) fn start_of(array: &AnyArray, slot: usize) -> String {
    let mut start = BoundedText(String::new());
    match write!(start, "{}", array.display(slot)) {
        Ok(()) => start.0,
        Err(_) => start.0 + "…",
    }
}

/// The maximum length of a value in an error message, in bytes.
const START_BYTES: usize = 200;

/// A text that is cut at the maximum length.
struct BoundedText(String);

impl fmt::Write for BoundedText {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        let end = arrow_buffer::floor_char_boundary(text, START_BYTES.saturating_sub(self.0.len()));
        let (start, rest) = text.split_at(end);
        self.0.push_str(start);
        if rest.is_empty() { Ok(()) } else { Err(fmt::Error) }
    }
}
