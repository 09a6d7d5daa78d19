//! Checks that dates in milliseconds are whole days, and that times are within a day.

use arrow_buffer::NativeType;

use super::valid_values;
use crate::{
    array::ArrayData,
    error::{DataError, DataErrorKind as Kind},
    positions::inside,
    validate::elements,
};

/// Checks that values are whole multiples of `unit`.
pub(super) fn check_multiples(array: &ArrayData, unit: i64) -> Result<(), DataError> {
    check_width::<i64>(
        array,
        |value| value.checked_rem(unit) == Some(0),
        |value| Kind::NotMultiple { value, unit },
    )
}

/// Checks that values are at least zero and below `per_day`.
pub(super) fn check_below(array: &ArrayData, per_day: i64) -> Result<(), DataError> {
    let is_good = |value| (0..per_day).contains(&value);
    let kind = |value| Kind::OutsideDay { value, per_day };
    // Only times have this rule, so there are no other widths.
    match inside(array.layout().data_buffers().first())?.bits {
        32 => check_width::<i32>(array, is_good, kind),
        _ => check_width::<i64>(array, is_good, kind),
    }
}

fn check_width<T: NativeType + Into<i64>>(
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
