//! Casts single numbers. A number that does not fit, or that would lose digits which must stay, is a [`CastFailure`].

use arrow_array::Decimal;
use arrow_buffer::{F16, I256};
use arrow_schema::DataType;

use super::{NumberKind, Ratio};
use crate::cast::{CastContext, Digits};

/// Why a number cannot be cast.
pub(super) enum CastFailure {
    Range,
    Digits,
    Part(&'static str),
    /// Clocks of the zone skip the local time, or show it twice.
    Local {
        is_repeated: bool,
    },
}

pub(super) fn scaled(
    casting: CastContext<'_>,
    number: i128,
    ratio: Ratio,
    new: NumberKind,
) -> Result<i128, CastFailure> {
    match ratio {
        Ratio::Times(factor) => number.checked_mul(factor).ok_or(CastFailure::Range),
        Ratio::By(1) => Ok(number),
        Ratio::By(divisor) => {
            let whole = number / divisor;
            let rest = number % divisor;
            if rest != 0 && !casting.cuts() {
                return Err(CastFailure::Digits);
            }
            // Rounds down, even before 1970, so that the text of the timestamp loses digits at its end.
            Ok(if let NumberKind::Instant { .. } = new { number.div_euclid(divisor) } else { whole })
        }
    }
}

/// Rounds a timestamp down to the start of its day, for a date. A time of day other than 00:00 is an error, unless digits
/// may be dropped.
pub(super) fn whole_day(casting: CastContext<'_>, milliseconds: i128) -> Result<i128, CastFailure> {
    const DAY: i128 = 86_400_000;
    match milliseconds.rem_euclid(DAY) {
        0 => Ok(milliseconds),
        _ if !casting.cuts() => Err(CastFailure::Digits),
        rest => milliseconds.checked_sub(rest).ok_or(CastFailure::Range),
    }
}

/// Checks that a whole number is exact as a floating-point number, unless digits may be dropped. Returns the same number.
pub(super) fn checked_rounded(
    casting: CastContext<'_>,
    number: i128,
    to: &DataType,
) -> Result<i128, CastFailure> {
    let float = rounded(number, to);
    if float.is_infinite() {
        return Err(CastFailure::Range);
    }
    let is_same = float as i128 == number;
    if is_same || casting.cuts() { Ok(number) } else { Err(CastFailure::Digits) }
}

/// Drops the fraction of a floating-point number. An error if there is one, unless digits may be dropped.
pub(super) fn whole(casting: CastContext<'_>, float: f64) -> Result<f64, CastFailure> {
    let whole = float.trunc();
    if !whole.is_finite() {
        return Err(CastFailure::Range);
    }
    if whole == float || casting.cuts() { Ok(whole) } else { Err(CastFailure::Digits) }
}

pub(super) fn float(casting: CastContext<'_>, float: f64, to: &DataType) -> Result<f64, CastFailure> {
    let cast = match to.byte_width() {
        Some(2) => f64::from(F16::from_f64(float).to_f32()),
        Some(4) => f64::from(float as f32),
        _ => float,
    };
    if cast.is_infinite() && !float.is_infinite() {
        return Err(CastFailure::Range);
    }
    let is_same = cast == float || float.is_nan();
    if is_same || casting.digits == Digits::RoundFloats || casting.cuts() {
        Ok(cast)
    } else {
        Err(CastFailure::Digits)
    }
}

/// The floating-point number of a type that is nearest to a whole number of 64 bits. Rounds only once.
pub(super) fn rounded(number: i128, to: &DataType) -> f64 {
    match to.byte_width() {
        // Up to the maximum of 16 bits, numbers of 64 bits are exact.
        Some(2) => f64::from(F16::from_f64(number as f64).to_f32()),
        Some(4) => f64::from(number as f32),
        _ => number as f64,
    }
}

/// Casts to and from decimals of 256 bits, and between decimals whose scales are far apart.
pub(super) fn wide(
    casting: CastContext<'_>,
    (number, scale): (I256, i32),
    to: &DataType,
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
