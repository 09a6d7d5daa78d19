//! Memory that is asked for before it is filled: a few bytes can claim any number of slots, and share long values.

use arrow_buffer::{BudgetError, MemoryBudget};
use arrow_data::{DataError, Selector};

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

/// Whether the system has so many bytes. For what aborts where it has not: an allocation that is dropped at once asks before.
///
/// # Errors
/// If the system refuses.
pub(super) fn check_room(n_bytes: u128) -> Result<(), CastError> {
    let n_whole = usize::try_from(n_bytes).map_err(|_| refused(n_bytes))?;
    room::<u8>(n_whole).map(drop)
}

/// Selects slots; the error says if the system has no memory for them.
pub(super) fn selector() -> Selector {
    Selector::new().with_memory_budget(MemoryBudget::unlimited())
}

fn refused(n_bytes: u128) -> CastError {
    let requested = u64::try_from(n_bytes).unwrap_or(u64::MAX);
    DataError::from(BudgetError::OutOfMemory { requested }).into()
}
