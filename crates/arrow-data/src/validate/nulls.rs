//! The declared number of nulls against the bitmap.

use crate::{
    array::ArrayData,
    error::{DataError, DataErrorKind as Kind},
    layout::Role,
};

/// What was declared must be what is counted.
pub(super) fn check(array: &ArrayData) -> Result<(), DataError> {
    let Some(declared) = array.declared_null_count() else { return Ok(()) };
    let found = array.null_count();
    if declared == found {
        return Ok(());
    }
    let kind = Kind::NullCount { declared: declared as u64, found: found as u64 };
    Err(DataError::from(kind).in_role(Role::Validity))
}
