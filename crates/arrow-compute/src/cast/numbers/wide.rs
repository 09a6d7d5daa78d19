//! Casts to and from decimals of 256 bits, and between decimals whose scales are far apart.

use arrow_array::Decimal;
use arrow_buffer::{BufferMut, I256};
use arrow_schema::DataType;

use super::CastFailure;
use crate::cast::CastContext;

/// Casts one number of 256 bits to a type.
pub(super) fn cast(
    (number, scale): (I256, i32),
    to: &DataType,
    casting: CastContext<'_>,
) -> Result<I256, CastFailure> {
    let (precision, new_scale) = to.as_decimal().unwrap_or((u8::MAX, 0));
    let number = Decimal::new(number, scale);
    let cast = number.rescaled(new_scale).or_else(|| cut(number, new_scale, casting));
    // A smaller scale cannot overflow, so the problem must be a lost digit.
    let problem = if new_scale < scale { CastFailure::Digits } else { CastFailure::Range };
    let cast = cast.map(|number| number.unscaled()).ok_or(problem)?;
    let fits = |max| cast < max && cast.checked_neg().is_some_and(|number| number < max);
    if I256::checked_pow10(precision.into()).is_none_or(fits) { Ok(cast) } else { Err(CastFailure::Range) }
}

/// Appends numbers in the width of a type. The error is the index of the first number that does not fit.
pub(super) fn append(data_type: &DataType, numbers: &[I256], to: &mut BufferMut) -> Result<(), usize> {
    if data_type.byte_width() == Some(32) {
        to.extend_values(numbers);
        return Ok(());
    }
    let narrow = |(slot, number): (usize, &I256)| i128::try_from(*number).map_err(|_| slot);
    let narrow: Vec<i128> = numbers.iter().enumerate().map(narrow).collect::<Result<_, _>>()?;
    super::append(data_type, &narrow, to)
}

/// Drops digits until the number has the scale `scale`, by cutting its text. `None` if digits may not be dropped.
fn cut(number: Decimal<I256>, scale: i32, casting: CastContext<'_>) -> Option<Decimal<I256>> {
    if scale >= number.scale() || !casting.cuts() {
        return None;
    }
    let n_cut = usize::try_from(number.scale().checked_sub(scale)?).ok()?;
    let text = number.unscaled().to_string();
    let remaining =
        text.len().checked_sub(n_cut).and_then(|n_remaining| text.get(..n_remaining)).unwrap_or_default();
    let remaining = if matches!(remaining, "" | "-") { "0" } else { remaining };
    Some(Decimal::new(remaining.parse().ok()?, scale))
}
