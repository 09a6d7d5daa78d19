//! Checks of single values that were read from metadata.

use super::{FormatErrorKind, Result};

/// The value of a field, or an error if the field is absent.
///
/// # Errors
/// If it is absent.
pub fn required<T>(value: Option<T>, what: &'static str) -> Result<T> {
    value.ok_or_else(|| FormatErrorKind::Missing { what }.into())
}

/// Converts a length or count, which the format stores as a signed number.
///
/// # Errors
/// If it is negative.
#[inline]
pub fn not_negative(found: i64, what: &'static str) -> Result<u64> {
    u64::try_from(found).map_err(|_| FormatErrorKind::Negative { what, found }.into())
}
