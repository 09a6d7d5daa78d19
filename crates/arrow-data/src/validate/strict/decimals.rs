//! Checks that decimals fit their precision.

use arrow_buffer::{I128, I256, NativeType};

use super::valid_values;
use crate::{
    array::ArrayData,
    error::{DataError, DataErrorKind as Kind},
    positions::inside,
    validate::elements,
};

/// Checks the values of buffer 0, 32 to 256 bits wide.
pub(super) fn check(array: &ArrayData, precision: u8) -> Result<(), DataError> {
    // Only decimals have this rule, so there are no other widths.
    match inside(array.layout().data_buffers().first())?.bits {
        32 => check_width(array, precision, |value: i32| I256::from(i64::from(value))),
        64 => check_width(array, precision, |value: i64| I256::from(value)),
        128 => check_width(array, precision, |value: I128| I256::from(value.get())),
        _ => check_width(array, precision, |value: I256| value),
    }
}

fn check_width<T: NativeType>(
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
