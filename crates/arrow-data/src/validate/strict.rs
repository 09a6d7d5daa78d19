//! Checks rules of the format that some producers violate.
//!
//! Only `validate` at the strict level uses this module, so the code is written for clarity, not for speed. Null slots
//! may have any value.

use super::elements;
use crate::{
    array::ArrayData,
    error::{DataError, DataErrorKind as Kind},
    layout::{Role, StrictRule},
};

mod decimals;
pub(super) mod required;
mod times;

/// Checks the rule of [`Layout::strict`](crate::Layout::strict), such as the digits of a decimal, and that fields
/// which are not nullable have no nulls.
pub(super) fn check(array: &ArrayData) -> Result<(), DataError> {
    match array.layout().strict() {
        StrictRule::Any => Ok(()),
        StrictRule::Precision(precision) => decimals::check(array, precision),
        StrictRule::MultipleOf(unit) => times::check_multiples(array, unit),
        StrictRule::Below(per_day) => times::check_below(array, per_day),
        StrictRule::DenseOrder => dense_order(array),
    }
    .map_err(|error| error.in_role(Role::Values))?;
    required::check_children(array, |child| required::Nulls::from_array(child))
}

/// Checks that the offsets of each child of a dense union do not decrease.
fn dense_order(array: &ArrayData) -> Result<(), DataError> {
    let ids: &[i8] = elements(array, 0, array.len())?;
    let offsets: &[i32] = elements(array, 1, array.len())?;
    let mut highest = [0_i32; 256];
    for (slot, (id, offset)) in ids.iter().zip(offsets).enumerate() {
        let previous = &mut highest[usize::from(id.cast_unsigned())];
        if *offset < *previous {
            let kind = Kind::UnionOffsetOrder { previous: *previous, offset: *offset };
            return Err(DataError::from(kind).in_role(Role::Offsets).at_slot(slot));
        }
        *previous = *offset;
    }
    Ok(())
}

/// The positions of the valid slots, with their values.
fn valid_values<'a, T>(array: &'a ArrayData, values: &'a [T]) -> impl Iterator<Item = (usize, &'a T)> {
    values.iter().enumerate().filter(|(slot, _)| array.is_valid(*slot))
}
