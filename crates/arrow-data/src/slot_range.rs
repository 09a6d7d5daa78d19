//! Checks ranges of slots.

use crate::error::{DataError, DataErrorKind as Kind};

/// Checks that `n` slots from `start` on are among `n_slots`.
///
/// # Errors
/// If they are not.
#[inline]
pub fn check_range(start: usize, n: usize, n_slots: usize) -> Result<(), DataError> {
    if start.checked_add(n).is_some_and(|end| end <= n_slots) {
        return Ok(());
    }
    let end = start as u128 + n as u128;
    Err(Kind::SliceOutOfRange { start: start as u64, end, n_slots: n_slots as u64 }.into())
}
