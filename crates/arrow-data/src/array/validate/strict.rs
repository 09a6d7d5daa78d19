//! Checks rules of the format that some producers violate.
//!
//! Only `validate` at the strict level uses this module, so the code is written for clarity, not for speed. Null slots
//! may have any value.

use arrow_buffer::{I128, I256, NativeType};

use super::elements;
use crate::{
    array::{ArrayData, positions::inside},
    error::{DataError, DataErrorKind as Kind},
    layout::{Role, StrictRule},
};

pub(super) mod required;

/// Checks the rule of [`Layout::strict`](crate::Layout::strict), such as the digits of a decimal, and that fields
/// which are not nullable have no nulls.
pub(super) fn check(array: &ArrayData) -> Result<(), DataError> {
    match array.layout().strict() {
        StrictRule::Any => Ok(()),
        StrictRule::Precision(precision) => check_precision(array, precision),
        StrictRule::MultipleOf(unit) => check_multiples(array, unit),
        StrictRule::Below(per_day) => check_below(array, per_day),
        StrictRule::DenseOrder => dense_order(array),
    }
    .map_err(|error| error.in_role(Role::Values))?;
    required::check_children(array, |child| required::Nulls::from_array(child))
}

/// Checks that decimals of 32 to 256 bits fit their precision.
fn check_precision(array: &ArrayData, precision: u8) -> Result<(), DataError> {
    // Only decimals have this rule, so there are no other widths.
    match inside(array.layout().data_buffers().first())?.bits {
        32 => check_decimals(array, precision, |value: i32| I256::from(i64::from(value))),
        64 => check_decimals(array, precision, |value: i64| I256::from(value)),
        128 => check_decimals(array, precision, |value: I128| I256::from(value.get())),
        _ => check_decimals(array, precision, |value: I256| value),
    }
}

fn check_decimals<T: NativeType>(
    array: &ArrayData,
    precision: u8,
    widen: impl Fn(T) -> I256,
) -> Result<(), DataError> {
    let values: &[T] = elements(array, 0, array.len())?;
    // No overflow: 76 is the highest precision, and 10 to the power of 76 fits.
    let limit = inside(I256::checked_pow10(precision.into()))?;
    for (slot, value) in valid_values(array, values) {
        let value = widen(*value);
        if value >= limit || value <= -limit {
            return Err(DataError::from(Kind::DecimalPrecision { value, precision }).at_slot(slot));
        }
    }
    Ok(())
}

/// Checks that values, such as dates in milliseconds, are whole multiples of `unit`.
fn check_multiples(array: &ArrayData, unit: i64) -> Result<(), DataError> {
    check_times::<i64>(
        array,
        |value| value.checked_rem(unit) == Some(0),
        |value| Kind::NotMultiple { value, unit },
    )
}

/// Checks that times are within a day: at least zero and below `per_day`.
fn check_below(array: &ArrayData, per_day: i64) -> Result<(), DataError> {
    let is_good = |value| (0..per_day).contains(&value);
    let kind = |value| Kind::OutsideDay { value, per_day };
    // Only times have this rule, so there are no other widths.
    match inside(array.layout().data_buffers().first())?.bits {
        32 => check_times::<i32>(array, is_good, kind),
        _ => check_times::<i64>(array, is_good, kind),
    }
}

fn check_times<T: NativeType + Into<i64>>(
    array: &ArrayData,
    is_good: impl Fn(i64) -> bool,
    kind: impl Fn(i64) -> Kind,
) -> Result<(), DataError> {
    let values: &[T] = elements(array, 0, array.len())?;
    for (slot, value) in valid_values(array, values) {
        let value = (*value).into();
        if !is_good(value) {
            return Err(DataError::from(kind(value)).at_slot(slot));
        }
    }
    Ok(())
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
