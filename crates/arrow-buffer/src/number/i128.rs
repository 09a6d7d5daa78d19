//! Integers of 128 bits.

use std::cmp::Ordering;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::str::FromStr;

use crate::number::decimal::{self, ParseIntegerError, Sign};

/// A signed integer of 128 bits. Unlike an `i128`, it may start at any multiple of 8 bytes.
///
/// It has the same bytes as an `i128` of this machine.
#[derive(Clone, Copy, PartialEq, Eq, Default)]
#[repr(C, align(8))]
pub struct I128(pub(crate) [u64; 2]);

impl I128 {
    /// The smallest value.
    pub const MIN: I128 = I128::new(i128::MIN);
    /// The largest value.
    pub const MAX: I128 = I128::new(i128::MAX);

    /// Makes an integer that can be stored in buffers.
    pub const fn new(value: i128) -> I128 {
        let (low, high) = (value as u64, (value >> 64) as u64);
        I128(if cfg!(target_endian = "little") { [low, high] } else { [high, low] })
    }

    /// The integer as an `i128`, for arithmetic.
    pub const fn get(self) -> i128 {
        let [low, high] = if cfg!(target_endian = "little") { self.0 } else { [self.0[1], self.0[0]] };
        (low as u128 | (high as u128) << 64) as i128
    }

    /// Whether the number is less than zero.
    pub const fn is_negative(self) -> bool {
        self.get() < 0
    }

    /// The absolute value.
    pub const fn unsigned_abs(self) -> u128 {
        self.get().unsigned_abs()
    }
}

impl PartialOrd for I128 {
    fn partial_cmp(&self, other: &I128) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for I128 {
    fn cmp(&self, other: &I128) -> Ordering {
        self.get().cmp(&other.get())
    }
}

impl Hash for I128 {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.get().hash(state);
    }
}

impl From<i128> for I128 {
    fn from(value: i128) -> I128 {
        I128::new(value)
    }
}

impl From<i64> for I128 {
    fn from(value: i64) -> I128 {
        I128::new(i128::from(value))
    }
}

impl From<I128> for i128 {
    fn from(value: I128) -> i128 {
        value.get()
    }
}

impl TryFrom<I128> for i64 {
    type Error = std::num::TryFromIntError;

    fn try_from(value: I128) -> Result<i64, Self::Error> {
        i64::try_from(value.get())
    }
}

impl FromStr for I128 {
    type Err = ParseIntegerError;

    fn from_str(text: &str) -> Result<I128, ParseIntegerError> {
        let ([low, high], sign) = decimal::parse::<2>(text)?;
        let magnitude = u128::from(low) | u128::from(high) << 64;
        let value = match sign {
            Sign::Positive => i128::try_from(magnitude).ok(),
            Sign::Negative => 0_i128.checked_sub_unsigned(magnitude),
        };
        value.map(I128::new).ok_or(ParseIntegerError::Overflow { n_bits: 128 })
    }
}

impl fmt::Display for I128 {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.get(), f)
    }
}

impl fmt::Debug for I128 {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::I128;
    use crate::ParseIntegerError;

    #[test]
    fn limits() {
        for value in [i128::MIN, i128::MIN + 1, -1, 0, 1, i128::MAX, 10_i128.pow(19), 10_i128.pow(38) - 1] {
            assert_eq!(I128::new(value).to_string(), value.to_string());
            assert_eq!(value.to_string().parse(), Ok(I128::new(value)));
            assert_eq!(bytemuck::bytes_of(&I128::new(value)), value.to_ne_bytes());
        }
        for (text, error) in [
            ("", ParseIntegerError::Empty),
            ("-", ParseIntegerError::Empty),
            ("1_0", ParseIntegerError::InvalidDigit { at: 1 }),
            ("--1", ParseIntegerError::InvalidDigit { at: 1 }),
            ("170141183460469231731687303715884105728", ParseIntegerError::Overflow { n_bits: 128 }),
            ("-170141183460469231731687303715884105729", ParseIntegerError::Overflow { n_bits: 128 }),
            ("999999999999999999999999999999999999999999", ParseIntegerError::Overflow { n_bits: 128 }),
        ] {
            assert_eq!(text.parse::<I128>(), Err(error), "{text}");
        }
        assert_eq!(
            format!("{:>6}|{:<6}|{:+}", I128::new(-7), I128::new(7), I128::new(7)),
            "    -7|7     |+7"
        );
    }

    proptest! {
        #[test]
        fn agrees_with_rust(a: i128, b: i128, shift in 0..128_u32) {
            let a = a >> shift;
            let (x, y) = (I128::new(a), I128::new(b));
            prop_assert_eq!(x.get(), a);
            prop_assert_eq!(x.cmp(&y), a.cmp(&b));
            prop_assert_eq!(x.to_string(), a.to_string());
            prop_assert_eq!(a.to_string().parse(), Ok(x));
            prop_assert_eq!(i64::try_from(x).ok(), i64::try_from(a).ok());
        }
    }
}
