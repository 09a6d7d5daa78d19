//! What the format asks of values, but real producers are known to violate.
//!
//! Only `validate` at the strict level comes here; clarity goes before speed. Null slots may hold anything.

use arrow_schema::Field;

use super::live::live_slots;
use crate::{
    array::ArrayData,
    error::{DataError, DataErrorKind as Kind},
    layout::{Role, Strict},
};

mod decimals;
mod times;
mod union_order;

/// Checks the strict rule of the layout, and that fields which are not nullable hold no nulls.
pub(super) fn check(array: &ArrayData) -> Result<(), DataError> {
    match array.layout().strict() {
        Strict::Any => Ok(()),
        Strict::Precision(precision) => decimals::check(array, precision),
        Strict::MultipleOf(unit) => times::check_multiples(array, unit),
        Strict::Below(per_day) => times::check_below(array, per_day),
        Strict::DenseOrder => union_order::check(array),
    }
    .map_err(|error| error.in_role(Role::Values))?;
    required_children(array, |_| true)
}

/// Checks that children which are judged and not nullable hold no nulls in slots of valid parents.
pub(super) fn required_children(
    array: &ArrayData,
    is_judged: impl Fn(&ArrayData) -> bool,
) -> Result<(), DataError> {
    for (position, (field, child)) in array.data_type().children().iter().zip(array.children()).enumerate() {
        if !field.is_nullable() && child.null_count() > 0 && is_judged(child) {
            required(field, child, live_slots(array, position)?)
                .map_err(|error| error.in_child(array.data_type(), position))?;
        }
    }
    Ok(())
}

/// Checks that a field which is not nullable has no null in these slots.
pub(super) fn required(
    field: &Field,
    array: &ArrayData,
    slots: impl IntoIterator<Item = usize>,
) -> Result<(), DataError> {
    if field.is_nullable() || array.null_count() == 0 {
        return Ok(());
    }
    match slots.into_iter().find(|slot| !array.is_valid(*slot)) {
        Some(slot) => Err(DataError::from(Kind::NullInRequired).in_role(Role::Validity).at_slot(slot)),
        None => Ok(()),
    }
}

/// The valid slots.
fn valid_slots(array: &ArrayData) -> impl Iterator<Item = usize> {
    (0..array.len()).filter(|slot| array.is_valid(*slot))
}
