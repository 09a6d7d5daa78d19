//! The declared number of nulls against the bitmap.

use crate::{
    array::ArrayData,
    error::{DataError, DataErrorKind as Kind},
    layout::Role,
};

/// What was declared must be what is counted; from then on only the count is kept.
pub(super) fn check(array: &mut ArrayData) -> Result<(), DataError> {
    if let Some(declared) = array.null_count.declared() {
        let found = array.null_count();
        if declared != found {
            let kind = Kind::NullCount { declared: declared as u64, found: found as u64 };
            return Err(DataError::from(kind).in_role(Role::Validity));
        }
        array.null_count.settle();
    }
    Ok(())
}
