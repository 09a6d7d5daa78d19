//! Decimal numbers: an integer and a scale.

use std::{cmp::Ordering, fmt, hash::Hash, str::FromStr};

use arrow_buffer::{I128, I256, NativeType};

use crate::digits::AsciiText;

mod parse;

pub use self::parse::ParseDecimalError;

/// An integer that stores a decimal without its scale: `i32`, `i64`, [`I128`] or [`I256`]. The trait is sealed.
pub trait NativeDecimal: NativeType + Ord + Hash + fmt::Display + FromStr + sealed::Sealed {}

mod sealed {
    pub trait Sealed {}
}

macro_rules! decimal_native {
    ($($native:ty),*) => {$(
        impl sealed::Sealed for $native {}
        impl NativeDecimal for $native {}
    )*};
}

decimal_native!(i32, i64, I128, I256);

/// A decimal number: `unscaled` times ten to the power of minus `scale`.
///
/// A decimal prints without rounding: the scale is the number of digits after the decimal point, and a negative scale adds
/// zeros at the end. Scales beyond ±1,000, which are invalid in a schema, print as an exponent. Equality compares integer and
/// scale, so 1.0 and 1.00 differ, and there is no `Ord`. [`cmp_value`](Decimal::cmp_value) compares numeric values.
///
/// ```
/// use arrow_array::Decimal;
///
/// assert_eq!(Decimal::new(-5_i32, 2).to_string(), "-0.05");
/// assert_eq!(Decimal::new(5_i64, -2).to_string(), "500");
/// assert_eq!(Decimal::new(5_i64, 1_000_000).to_string(), "5e-1000000");
///
/// let price: Decimal<i64> = "19.90".parse()?;
/// assert_eq!((price.unscaled(), price.scale()), (1990, 2));
/// // What an array of scale 4 stores.
/// assert_eq!(Decimal::<i64>::parse_with_scale("19.9", 4)?.unscaled(), 199_000);
/// # Ok::<(), arrow_array::ParseDecimalError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Decimal<T> {
    unscaled: T,
    scale: i32,
}

/// The largest absolute scale that prints without an exponent.
const MAX_PLAIN_SCALE: u32 = 1_000;

impl<T: NativeDecimal> Decimal<T> {
    /// `unscaled` times ten to the power of minus `scale`.
    pub fn new(unscaled: T, scale: i32) -> Decimal<T> {
        Decimal { unscaled, scale }
    }

    /// The integer without its scale: 1250 for 12.50.
    pub fn unscaled(&self) -> T {
        self.unscaled
    }

    /// The number of digits after the decimal point. May be negative.
    pub fn scale(&self) -> i32 {
        self.scale
    }

    /// Compares numeric values, so 1.0 and 1.00 are equal.
    ///
    /// ```
    /// use std::cmp::Ordering;
    ///
    /// use arrow_array::Decimal;
    ///
    /// let (a, b) = (Decimal::new(15_i64, 1), Decimal::new(149_i64, 2));
    /// assert_eq!(a.cmp_value(&b), Ordering::Greater);
    /// assert_eq!(a.cmp_value(&Decimal::new(150, 2)), Ordering::Equal);
    /// ```
    pub fn cmp_value(&self, other: &Decimal<T>) -> Ordering {
        if self.scale() == other.scale() {
            return self.unscaled().cmp(&other.unscaled());
        }
        let zero = T::default();
        let (sign, other_sign) = (self.unscaled().cmp(&zero), other.unscaled().cmp(&zero));
        sign.cmp(&other_sign).then_with(|| match sign {
            Ordering::Greater => magnitude_cmp(self, other),
            Ordering::Equal => Ordering::Equal,
            Ordering::Less => magnitude_cmp(other, self),
        })
    }

    /// The nearest `f64`. Drops digits after about the sixteenth.
    ///
    /// ```
    /// use arrow_array::Decimal;
    ///
    /// assert_eq!(Decimal::new(-5_i32, 2).to_f64_lossy(), -0.05);
    /// assert_eq!(Decimal::new(5_i32, -400).to_f64_lossy(), f64::INFINITY);
    /// ```
    pub fn to_f64_lossy(&self) -> f64 {
        let exponent = -i64::from(self.scale());
        // Rust parses any text of this form, and rounds it to the nearest number.
        format!("{}e{exponent}", self.unscaled()).parse().unwrap_or(f64::NAN)
    }
}

/// The precision and the scale of a decimal type.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct DecimalParameters {
    /// The maximum number of decimal digits of a value. Reading does not check this.
    pub precision: u8,
    /// A value is the stored integer times ten to the power of minus `scale`.
    pub scale: i32,
}

macro_rules! from_integers {
    ($($integer:ty => $($native:ty),*;)*) => {$($(
        impl From<$integer> for Decimal<$native> {
            /// Makes a decimal with scale 0.
            fn from(integer: $integer) -> Decimal<$native> {
                Decimal::new(integer.into(), 0)
            }
        }
    )*)*};
}

from_integers! {
    i32 => i32, i64;
    i64 => i64, I128, I256;
    i128 => I128, I256;
}

impl<T: NativeDecimal> fmt::Display for Decimal<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write(self.unscaled, self.scale, f)
    }
}

/// Writes a decimal as [`Decimal`] prints it.
pub(crate) fn write<T: NativeDecimal>(unscaled: T, scale: i32, out: &mut dyn fmt::Write) -> fmt::Result {
    let mut text = AsciiText::new();
    text.push_display(unscaled)?;
    let text = text.as_str();
    let (sign, digits) = text.strip_prefix('-').map_or(("", text), |digits| ("-", digits));
    out.write_str(sign)?;
    if scale.unsigned_abs() > MAX_PLAIN_SCALE {
        let exponent = -i64::from(scale);
        return write!(out, "{digits}e{exponent}");
    }
    let n_scale = scale.unsigned_abs() as usize;
    if scale <= 0 {
        out.write_str(digits)?;
        return if digits == "0" { Ok(()) } else { zeros(n_scale, out) };
    }
    match digits.len().checked_sub(n_scale).filter(|n_whole| *n_whole > 0) {
        Some(n_whole) => {
            let (whole, fraction) = digits.split_at(n_whole);
            out.write_str(whole)?;
            out.write_str(".")?;
            out.write_str(fraction)
        }
        None => {
            out.write_str("0.")?;
            zeros(n_scale - digits.len(), out)?;
            out.write_str(digits)
        }
    }
}

fn zeros(n: usize, out: &mut dyn fmt::Write) -> fmt::Result {
    const ZEROS: &str = "00000000000000000000000000000000";
    let mut n_left = n;
    while n_left > 0 {
        let chunk = n_left.min(ZEROS.len());
        out.write_str(&ZEROS[..chunk])?;
        n_left -= chunk;
    }
    Ok(())
}

/// Compares the absolute values of two decimals that are not zero and have the same sign.
fn magnitude_cmp<T: NativeDecimal>(left: &Decimal<T>, right: &Decimal<T>) -> Ordering {
    let (left_text, right_text) = (left.unscaled().to_string(), right.unscaled().to_string());
    let (left_digits, right_digits) = (left_text.trim_start_matches('-'), right_text.trim_start_matches('-'));
    // The number with more digits before the decimal point is larger.
    let whole = |digits: &str, decimal: &Decimal<T>| digits.len() as i64 - i64::from(decimal.scale());
    whole(left_digits, left)
        .cmp(&whole(right_digits, right))
        .then_with(|| left_digits.trim_end_matches('0').cmp(right_digits.trim_end_matches('0')))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn prints_exactly() {
        let cases: &[(i128, i32, &str)] = &[
            (12345, 2, "123.45"),
            (-5, 2, "-0.05"),
            (123, 0, "123"),
            (5, -2, "500"),
            (0, -2, "0"),
            (0, 2, "0.00"),
            (100, 2, "1.00"),
            (-100, 3, "-0.100"),
            (7, 40, "0.0000000000000000000000000000000000000007"),
            (i128::MAX, 0, "170141183460469231731687303715884105727"),
            (i128::MIN, 38, "-1.70141183460469231731687303715884105728"),
            (i128::MIN, 39, "-0.170141183460469231731687303715884105728"),
            (9, 1_001, "9e-1001"),
            (-9, -1_001, "-9e1001"),
            (1, i32::MIN, "1e2147483648"),
            (1, i32::MAX, "1e-2147483647"),
        ];
        for (unscaled, scale, text) in cases {
            assert_eq!(Decimal::new(I128::from(*unscaled), *scale).to_string(), *text);
            assert_eq!(Decimal::new(I256::from(*unscaled), *scale).to_string(), *text);
            if let Ok(unscaled) = i32::try_from(*unscaled) {
                assert_eq!(Decimal::new(unscaled, *scale).to_string(), *text);
                assert_eq!(Decimal::new(i64::from(unscaled), *scale).to_string(), *text);
            }
        }
        assert_eq!(Decimal::new(5_i32, -1_000).to_string().len(), 1_001);
        assert_eq!(Decimal::new(i32::MIN, 3).to_string(), "-2147483.648");
        assert_eq!(Decimal::new(i64::MIN, 3).to_string(), "-9223372036854775.808");
    }

    #[test]
    fn compares_as_multiplied_numbers_do() {
        let unscaled = [-1_000_i64, -999, -10, -1, 0, 1, 9, 10, 11, 99, 100, 1_000];
        let decimals: Vec<(i64, i32)> =
            unscaled.iter().flat_map(|unscaled| (-3..=3).map(|scale| (*unscaled, scale))).collect();
        for (a, a_scale) in &decimals {
            for (b, b_scale) in &decimals {
                let times = |scale: i32| 10_i64.pow(3_u32.saturating_add_signed(-scale));
                let expected = (a * times(*a_scale)).cmp(&(b * times(*b_scale)));
                let [left, right] =
                    [(a, a_scale), (b, b_scale)].map(|(n, scale)| Decimal::new(I128::from(*n), *scale));
                assert_eq!(left.cmp_value(&right), expected, "{left} and {right}");
            }
        }
        let large = Decimal::new(1_i32, i32::MIN);
        let small = Decimal::new(i32::MAX, i32::MAX);
        assert_eq!(large.cmp_value(&small), Ordering::Greater);
        assert_eq!(Decimal::new(i32::MIN, 0).cmp_value(&Decimal::new(i32::MIN, 1)), Ordering::Less);
    }
}
