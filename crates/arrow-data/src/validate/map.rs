//! Checks maps: their offsets, and that neither the entries nor the keys of a valid slot are null.

use super::{live::live_ranges, offsets};
use crate::{
    array::ArrayData,
    error::{DataError, DataErrorKind as Kind},
    layout::Role,
    positions::inside,
};

/// Checks the offsets, then the nulls of entries and keys.
pub(super) fn check(array: &ArrayData) -> Result<(), DataError> {
    offsets::check(array)?;
    let entries = inside(array.children().first())?;
    let keys = inside(entries.children().first())?;
    if entries.null_count() == 0 && keys.null_count() == 0 {
        return Ok(());
    }
    for range in live_ranges(array, 0)? {
        for slot in range? {
            if !entries.is_valid(slot) {
                return Err(null(Kind::NullMapEntry, slot).in_child(array.data_type(), 0));
            }
            if !keys.is_valid(slot) {
                let error = null(Kind::NullMapKey, slot).in_child(entries.data_type(), 0);
                return Err(error.in_child(array.data_type(), 0));
            }
        }
    }
    Ok(())
}

fn null(kind: Kind, slot: usize) -> DataError {
    DataError::from(kind).in_role(Role::Validity).at_slot(slot)
}
