//! What numbers and references of metadata are checked with before they become checked types.

use crate::error::{IpcErrorKind, Result};

/// What the format requires, and a flatbuffer may omit.
pub(crate) fn required<T>(value: Option<T>, what: &'static str) -> Result<T> {
    value.ok_or_else(|| IpcErrorKind::Missing { what }.into())
}

/// A length or count as the format declares it: signed.
pub(crate) fn not_negative(found: i64, what: &'static str) -> Result<u64> {
    u64::try_from(found).map_err(|_| IpcErrorKind::Negative { what, found }.into())
}
