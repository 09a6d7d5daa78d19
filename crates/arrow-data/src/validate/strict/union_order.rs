//! Offsets of a dense union do not decrease within each of its children.

use crate::{
    array::ArrayData,
    error::{DataError, DataErrorKind as Kind},
    layout::Role,
    validate::elements,
};

/// Checks buffer 1 by the type ids in buffer 0.
pub(super) fn check(array: &ArrayData) -> Result<(), DataError> {
    let ids: &[i8] = elements(array, 0, array.len())?;
    let offsets: &[i32] = elements(array, 1, array.len())?;
    let mut highest = [0_i32; 256];
    for (slot, (id, offset)) in ids.iter().zip(offsets).enumerate() {
        let Some(previous) = highest.get_mut(usize::from(id.cast_unsigned())) else { continue };
        if *offset < *previous {
            let kind = Kind::UnionOffsetOrder { previous: *previous, offset: *offset };
            return Err(DataError::from(kind).in_role(Role::Offsets).at_slot(slot));
        }
        *previous = *offset;
    }
    Ok(())
}
