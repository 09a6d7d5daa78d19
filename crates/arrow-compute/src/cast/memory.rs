//! Memory that is asked for before it is filled, and text that is cut: a few bytes can claim any number of slots, and share
//! long values.

use std::fmt::{self, Write};

use arrow_array::AnyArray;
use arrow_buffer::{BudgetError, MemoryBudget};
use arrow_data::{ArrayData, ChildLen, DataError, Selector, layout};
use arrow_schema::DataType;

use super::CastError;

/// An empty list with room for so many values.
///
/// # Errors
/// If the system refuses.
pub(super) fn room<T>(n_values: usize) -> Result<Vec<T>, CastError> {
    let mut values = Vec::new();
    let reserved = values.try_reserve_exact(n_values);
    reserved.map_err(|_| refused(n_values as u128 * size_of::<T>() as u128))?;
    Ok(values)
}

/// Adds a value to a list that nobody knows the length of.
///
/// # Errors
/// If the system refuses to make it longer.
pub(super) fn push<T>(values: &mut Vec<T>, value: T) -> Result<(), CastError> {
    if values.len() == values.capacity() {
        let reserved = values.try_reserve(1);
        reserved.map_err(|_| refused(values.len() as u128 * 2 * size_of::<T>() as u128))?;
    }
    values.push(value);
    Ok(())
}

/// Whether the system has so many bytes. For what aborts where it has not: an allocation that is dropped at once asks before.
///
/// # Errors
/// If the system refuses.
pub(super) fn check_room(n_bytes: u128) -> Result<(), CastError> {
    let n_whole = usize::try_from(n_bytes).map_err(|_| refused(n_bytes))?;
    room::<u8>(n_whole).map(drop)
}

/// What the values of an array may unfold to, if nobody says otherwise: as reading allows what buffers decompress to.
pub(super) fn default_budget(array: &ArrayData) -> MemoryBudget {
    const LEAST: u64 = 256 << 20;
    const PER_BYTE: u64 = 1024;
    MemoryBudget::new(array.n_bytes().saturating_mul(PER_BYTE).max(LEAST))
}

/// Whether a budget has so many bytes left, before they are taken.
///
/// # Errors
/// If it has not.
pub(super) fn check_budget(budget: &MemoryBudget, n_bytes: u128) -> Result<(), CastError> {
    let charged = budget.try_charge(u64::try_from(n_bytes).unwrap_or(u64::MAX));
    charged.map(drop).map_err(|error| DataError::from(error).into())
}

/// What a null of a type takes, with the slots of its children.
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
        // A null list has no items; a slot of a union has one of a child.
        ChildLen::FromData if data_type.is_union() => of_children(),
        ChildLen::FromData => 0,
    };
    n_bits.div_ceil(8).saturating_add(inside)
}

/// Selects slots under a budget.
pub(super) fn selector(budget: &MemoryBudget) -> Selector {
    Selector::new().with_memory_budget(budget.clone())
}

/// The start of a value, as text for an error: all of it may be more than memory holds.
pub(super) fn start_of(array: &AnyArray, slot: usize) -> String {
    let mut start = Start(String::new());
    match write!(start, "{}", array.display(slot)) {
        Ok(()) => start.0,
        Err(_) => start.0 + "…",
    }
}

/// So many bytes of a value are in an error.
const START_BYTES: usize = 200;

/// Text that ends where it is too long.
struct Start(String);

impl fmt::Write for Start {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        let end = text.floor_char_boundary(START_BYTES.saturating_sub(self.0.len()));
        let (start, rest) = text.split_at(end);
        self.0.push_str(start);
        if rest.is_empty() { Ok(()) } else { Err(fmt::Error) }
    }
}

fn refused(n_bytes: u128) -> CastError {
    let requested = u64::try_from(n_bytes).unwrap_or(u64::MAX);
    DataError::from(BudgetError::OutOfMemory { requested }).into()
}
