//! Writes floating-point numbers as the shortest text that reads back as the same number.
//!
//! Follows "The Schubfach way to render doubles" by Raffaele Giulietti. A binary number and its two neighbours have midpoints
//! between them. The algorithm finds the shortest decimal number between the midpoints, with three products by one power of
//! ten.

use std::fmt;

use super::{AsciiText, POWERS, n_digits, powers::power};

/// A floating-point number of 32 or 64 bits.
pub(crate) trait Float: Copy + fmt::Debug {
    /// Splits a finite number that is not zero. `None` for other numbers.
    fn binary(self) -> Option<BinaryFloat>;
}

/// The number `significand` times two to the power of `exponent`, with a sign.
#[derive(Debug, Clone, Copy)]
pub(crate) struct BinaryFloat {
    is_negative: bool,
    significand: u64,
    exponent: i32,
    /// Whether the number is a power of two. Its lower neighbour is then nearer than its upper neighbour.
    is_power: bool,
}

macro_rules! float {
    ($($float:ty: $n_fraction_bits:literal, $max_exponent:literal;)*) => {$(
        impl Float for $float {
            #[inline]
            fn binary(self) -> Option<BinaryFloat> {
                const HIDDEN: u64 = 1 << $n_fraction_bits;
                if self == 0.0 || !self.is_finite() {
                    return None;
                }
                let bits = u64::from(self.abs().to_bits());
                let fraction = bits & (HIDDEN - 1);
                let biased = (bits >> $n_fraction_bits) as i32;
                let significand = if biased == 0 { fraction } else { fraction | HIDDEN };
                Some(BinaryFloat {
                    is_negative: self.is_sign_negative(),
                    significand,
                    exponent: biased.max(1) - $max_exponent - $n_fraction_bits,
                    is_power: fraction == 0 && biased > 1,
                })
            }
        }
    )*};
}

float! {
    f32: 23, 127;
    f64: 52, 1023;
}

impl AsciiText {
    /// Appends the shortest text. A finite number has a point or an exponent. The text is the same as that of `Debug`,
    /// which is slower, except where two texts are equally near.
    pub(crate) fn push_float(&mut self, value: impl Float) -> fmt::Result {
        let Some(binary) = value.binary() else { return self.push_debug(value) };
        if binary.is_negative {
            self.push("-")?;
        }
        let (digits, exponent) = without_zeros(binary.shortest());
        let n_digits = n_digits(digits) as i32;
        // The number of digits before the point.
        let n_whole = n_digits + exponent;
        match n_whole {
            ..-3 | 17.. => {
                let unit = POWERS[n_digits as usize - 1];
                self.push_unsigned(digits / unit)?;
                if n_digits > 1 {
                    self.push(".")?;
                    self.push_padded(digits % unit, n_digits as usize - 1)?;
                }
                self.push("e")?;
                self.push_integer(i64::from(n_whole) - 1)
            }
            -3..=0 => {
                self.push("0.")?;
                self.push_padded(digits, (n_digits - n_whole) as usize)
            }
            1..17 if exponent < 0 => {
                let unit = POWERS[exponent.unsigned_abs() as usize];
                self.push_unsigned(digits / unit)?;
                self.push(".")?;
                self.push_padded(digits % unit, exponent.unsigned_abs() as usize)
            }
            1..17 => {
                self.push_unsigned(digits * POWERS[exponent.unsigned_abs() as usize])?;
                self.push(".0")
            }
        }
    }
}

impl BinaryFloat {
    /// Returns an integer, and the exponent of its power of ten. Of several shortest results, returns the nearest; of two
    /// equally near, the even one, as most languages do. The integer may end with zeros.
    fn shortest(self) -> (u64, i32) {
        let BinaryFloat { significand, exponent, is_power, is_negative: _ } = self;
        if (-52..=0).contains(&exponent) && significand.trailing_zeros() >= exponent.unsigned_abs() {
            return (significand >> -exponent, 0);
        }
        // The exponent of the largest power of ten that is not greater than the distance of the two midpoints. So a
        // multiple of this power lies between the midpoints. The exponent is log₁₀ of 2^exponent, or of three quarters
        // of it, rounded down.
        let exponent_10 = (exponent * 1_262_611 - if is_power { 524_031 } else { 0 }) >> 22;
        // `-exponent_10 * 1_741_647 >> 19` is log₂ of that power of ten, rounded down.
        let shift = exponent + ((-exponent_10 * 1_741_647) >> 19) + 1;
        let power = power(-exponent_10);
        // The following numbers are in quarters of that power of ten. If the significand is even, a decimal on a bound reads
        // back as this number, too, so the bounds are included.
        let is_odd = significand & 1;
        let quarters = |number: u64| product(power, number << shift);
        let lower = quarters(4 * significand - if is_power { 1 } else { 2 }) + is_odd;
        let upper = quarters(4 * significand + 2) - is_odd;
        let value = quarters(4 * significand);
        let below = value / 4;
        if below >= 10
            && let Some(shorter) = only_inside(below / 10, 40, lower..=upper)
        {
            return (shorter, exponent_10 + 1);
        }
        let is_odd = below & 1;
        let nearest = below + u64::from(value + is_odd > 4 * below + 2);
        (only_inside(below, 4, lower..=upper).unwrap_or(nearest), exponent_10)
    }
}

/// Returns the one of `below` and `below + 1` that is inside `bounds`. `None` if both are inside, or neither is. `unit`
/// and `bounds` are in quarters.
fn only_inside(below: u64, unit: u64, bounds: std::ops::RangeInclusive<u64>) -> Option<u64> {
    let [is_below, is_above] = [below, below + 1].map(|number| bounds.contains(&(unit * number)));
    (is_below != is_above).then_some(below + u64::from(is_above))
}

/// The highest 64 bits of a product of 192 bits. Sets the lowest of these bits if the dropped bits are more than the rounding
/// error of the power.
fn product(power: u128, number: u64) -> u64 {
    let number = u128::from(number);
    let low = (power & u128::from(u64::MAX)) * number;
    let high = (power >> 64) * number + (low >> 64);
    (high >> 64) as u64 | u64::from(high as u64 > 1)
}

/// Removes trailing zeros of the integer, and increases the exponent for each. The integer is not zero and has at most 17
/// digits.
fn without_zeros((mut digits, mut exponent): (u64, i32)) -> (u64, i32) {
    for n_zeros in [8, 4, 2, 1, 1] {
        let unit = 10_u64.pow(n_zeros);
        if digits % unit == 0 {
            digits /= unit;
            exponent += n_zeros as i32;
        }
    }
    (digits, exponent)
}

#[cfg(test)]
mod tests {
    use std::str::FromStr;

    use testing_support::shortest_text;

    use super::*;

    fn check<F: Float + fmt::LowerExp + FromStr + PartialEq>(value: F) {
        let mut text = AsciiText::new();
        text.push_float(value).unwrap();
        assert_eq!(text.as_str(), shortest_text(value));
    }

    #[test]
    fn by_hand() {
        for (value, text) in [
            (0.0, "0.0"),
            (-0.0, "-0.0"),
            (1.0, "1.0"),
            (-12.5, "-12.5"),
            (0.1, "0.1"),
            (0.0001, "0.0001"),
            (0.00001234, "1.234e-5"),
            (123456.0, "123456.0"),
            (1e15, "1000000000000000.0"),
            (1e16, "1e16"),
            (-1.5e300, "-1.5e300"),
            (5e-324, "5e-324"),
            // These numbers are half way between two texts.
            ((1_u64 << 50) as f64 + 0.25, "1125899906842624.2"),
            ((1_u64 << 50) as f64 + 0.75, "1125899906842624.8"),
            (611_126_382_053_805.0 + 0.25, "611126382053805.2"),
            (f64::MAX, "1.7976931348623157e308"),
        ] {
            let mut digits = AsciiText::new();
            digits.push_float(value).unwrap();
            assert_eq!(digits.as_str(), text);
            check(value);
        }
        for value in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
            check(value);
        }
    }

    #[test]
    fn numbers_of_every_exponent() {
        for exponent in 0..2047_u64 {
            for fraction in [0, 1, 2, 3, 12_345, (1 << 51) - 1, 1 << 51, (1 << 52) - 2, (1 << 52) - 1] {
                check(f64::from_bits(exponent << 52 | fraction));
            }
        }
        for exponent in 0..255_u32 {
            for fraction in (0..1 << 23).step_by(104_729).chain([1, 1 << 22, (1 << 23) - 1]) {
                check(f32::from_bits(exponent << 23 | fraction));
            }
        }
    }

    #[test]
    fn numbers_that_people_write() {
        for power in -320..309 {
            for digits in [1, 2, 5, 9, 10, 99, 123, 4_567, 99_999, 1_234_567] {
                check(format!("{digits}e{power}").parse::<f64>().unwrap());
                check(format!("-{digits}e{power}").parse::<f64>().unwrap());
            }
        }
        for number in 0..20_000_u32 {
            check(f64::from(number) / 100.0);
            check(f64::from(number) * 0.1);
            check(number as f32 / 100.0);
            // Many numbers near powers of two are half way between two texts.
            check((1_u64 << 50) as f64 + f64::from(number) * 0.25);
            check((1_u64 << 44) as f64 + f64::from(number) / 256.0);
        }
    }

    #[test]
    fn numbers_of_any_bits() {
        let mut bits = 0x0139_408D_CBBF_7A44_u64;
        for _ in 0..50_000 {
            bits ^= bits << 13;
            bits ^= bits >> 7;
            bits ^= bits << 17;
            check(f64::from_bits(bits));
            check(f32::from_bits((bits >> 32) as u32));
        }
    }
}
