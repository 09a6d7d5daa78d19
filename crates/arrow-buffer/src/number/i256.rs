//! Integers of 256 bits.

use std::cmp::Ordering;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::ops::Neg;
use std::str::FromStr;

use crate::number::decimal::{self, ParseIntegerError, Sign};

/// A signed integer of 256 bits, as two's complement in the byte order of this machine.
///
/// It can be stored, compared, printed and parsed, but has no arithmetic.
///
/// ```
/// use arrow_buffer::I256;
///
/// let text = "-57896044618658097711785492504343953926634992332820282019728792003956564819968";
/// assert_eq!(text.parse(), Ok(I256::MIN));
/// assert_eq!(I256::MIN.to_string(), text);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Default)]
#[repr(C, align(8))]
pub struct I256(pub(crate) [u64; 4]);

impl I256 {
    /// Zero.
    pub const ZERO: I256 = I256([0; 4]);
    /// The smallest value.
    pub const MIN: I256 = I256::from_words([0, 0, 0, 1 << 63]);
    /// The largest value.
    pub const MAX: I256 = I256::from_words([u64::MAX, u64::MAX, u64::MAX, u64::MAX >> 1]);

    /// The integer with these words of its two's complement, the least significant first.
    pub const fn from_words(words: [u64; 4]) -> I256 {
        let [a, b, c, d] = words;
        I256(if cfg!(target_endian = "little") { words } else { [d, c, b, a] })
    }

    /// The words of the number's two's complement, the least significant first.
    pub const fn to_words(self) -> [u64; 4] {
        let [a, b, c, d] = self.0;
        if cfg!(target_endian = "little") { self.0 } else { [d, c, b, a] }
    }

    /// Ten to the power of `exponent`; `None` if `exponent` is more than 76.
    pub fn checked_pow10(exponent: u32) -> Option<I256> {
        let mut words = [1, 0, 0, 0];
        for _ in 0..exponent {
            if decimal::multiply_add(&mut words, 10, 0) != 0 {
                return None;
            }
        }
        I256::from_magnitude(words, Sign::Positive)
    }

    /// Whether the number is less than zero.
    pub const fn is_negative(self) -> bool {
        self.to_words()[3] >> 63 == 1
    }

    /// The absolute value, as words, the least significant first.
    pub const fn unsigned_abs(self) -> [u64; 4] {
        if self.is_negative() { self.wrapping_neg().to_words() } else { self.to_words() }
    }

    /// The number with the other sign. The negative of [`I256::MIN`] does not fit, so `MIN` stays unchanged.
    pub const fn wrapping_neg(self) -> I256 {
        let [a, b, c, d] = self.to_words();
        let (a, carry) = (!a).overflowing_add(1);
        let (b, carry) = (!b).overflowing_add(carry as u64);
        let (c, carry) = (!c).overflowing_add(carry as u64);
        I256::from_words([a, b, c, (!d).wrapping_add(carry as u64)])
    }

    /// The number with the other sign; `None` for [`I256::MIN`], whose negation does not fit.
    pub fn checked_neg(self) -> Option<I256> {
        (self != I256::MIN).then(|| self.wrapping_neg())
    }

    /// The number with the absolute value `words` and this sign; `None` if it does not fit.
    fn from_magnitude(words: [u64; 4], sign: Sign) -> Option<I256> {
        let positive = I256::from_words(words);
        match sign {
            Sign::Positive => (!positive.is_negative()).then_some(positive),
            Sign::Negative => {
                let negative = positive.wrapping_neg();
                (negative.is_negative() || negative == I256::ZERO).then_some(negative)
            }
        }
    }
}

impl Neg for I256 {
    type Output = I256;

    /// # Panics
    ///
    /// If the number is [`I256::MIN`], whose negation does not fit into 256 bits.
    fn neg(self) -> I256 {
        self.checked_neg().expect("the negation of I256::MIN does not fit into 256 bits")
    }
}

impl PartialOrd for I256 {
    fn partial_cmp(&self, other: &I256) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for I256 {
    fn cmp(&self, other: &I256) -> Ordering {
        let key = |number: I256| {
            let [a, b, c, d] = number.to_words();
            // With the sign bit flipped, negative numbers come before the others.
            [d ^ 1 << 63, c, b, a]
        };
        key(*self).cmp(&key(*other))
    }
}

impl Hash for I256 {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.0.hash(state);
    }
}

impl From<i128> for I256 {
    fn from(value: i128) -> I256 {
        let extension = (value >> 127) as u64;
        I256::from_words([value as u64, (value >> 64) as u64, extension, extension])
    }
}

impl From<i64> for I256 {
    fn from(value: i64) -> I256 {
        I256::from(i128::from(value))
    }
}

/// An integer that is too large for the type into which it was converted.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct NarrowError {
    /// The number of bits of the type into which the integer was converted.
    pub n_bits: u32,
}

arrow_error::debug_as_display!(NarrowError);

impl fmt::Display for NarrowError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let NarrowError { n_bits } = self;
        write!(f, "the number does not fit into an integer of {n_bits} bits")
    }
}

impl std::error::Error for NarrowError {}

impl TryFrom<I256> for i128 {
    type Error = NarrowError;

    fn try_from(value: I256) -> Result<i128, NarrowError> {
        let [a, b, ..] = value.to_words();
        let narrow = (u128::from(a) | u128::from(b) << 64) as i128;
        if I256::from(narrow) == value { Ok(narrow) } else { Err(NarrowError { n_bits: 128 }) }
    }
}

impl TryFrom<I256> for i64 {
    type Error = NarrowError;

    fn try_from(value: I256) -> Result<i64, NarrowError> {
        let too_wide = NarrowError { n_bits: 64 };
        i128::try_from(value).ok().and_then(|value| i64::try_from(value).ok()).ok_or(too_wide)
    }
}

impl FromStr for I256 {
    type Err = ParseIntegerError;

    fn from_str(text: &str) -> Result<I256, ParseIntegerError> {
        let (words, sign) = decimal::parse::<4>(text)?;
        I256::from_magnitude(words, sign).ok_or(ParseIntegerError::Overflow { n_bits: 256 })
    }
}

impl fmt::Display for I256 {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sign = if self.is_negative() { Sign::Negative } else { Sign::Positive };
        decimal::write(self.unsigned_abs(), sign, f)
    }
}

impl fmt::Debug for I256 {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::I256;
    use crate::ParseIntegerError;

    /// Long division by ten, digit by digit.
    fn naive_text(number: I256) -> String {
        let mut words = number.unsigned_abs();
        let mut digits = Vec::new();
        while digits.is_empty() || words != [0; 4] {
            let mut rest = 0_u128;
            for word in words.iter_mut().rev() {
                let value = rest << 64 | u128::from(*word);
                (*word, rest) = ((value / 10) as u64, value % 10);
            }
            digits.push(char::from(b'0' + rest as u8));
        }
        digits.extend(number.is_negative().then_some('-'));
        digits.iter().rev().collect()
    }

    #[test]
    fn limits() {
        for number in [I256::MIN, I256::MAX, I256::ZERO, I256::from(-1_i64), I256::from(i128::MIN)] {
            assert_eq!(number.to_string(), naive_text(number));
            assert_eq!(number.to_string().parse(), Ok(number));
        }
        let above = "57896044618658097711785492504343953926634992332820282019728792003956564819968";
        let below = "-57896044618658097711785492504343953926634992332820282019728792003956564819969";
        let overflow = Err(ParseIntegerError::Overflow { n_bits: 256 });
        assert_eq!(above.parse::<I256>(), overflow);
        assert_eq!(below.parse::<I256>(), overflow);
        assert_eq!("9".repeat(100).parse::<I256>(), overflow);
        assert_eq!("-0".parse(), Ok(I256::ZERO));
        assert_eq!(I256::MIN.checked_neg(), None);
        assert_eq!(-I256::MAX, I256::from_words([1, 0, 0, 1 << 63]));
        assert_eq!(
            I256::checked_pow10(76).map(|power| power.to_string()),
            Some(format!("1{}", "0".repeat(76)))
        );
        assert_eq!(I256::checked_pow10(77), None);
        assert_eq!(I256::checked_pow10(0), Some(I256::from(1_i64)));
    }

    proptest! {
        #[test]
        fn agrees_with_the_obvious(words: [u64; 4], n_zeroed in 0..4_usize, a: i128, b: i128) {
            let mut words = words;
            words[4 - n_zeroed..].fill(0);
            let number = I256::from_words(words);
            for number in [number, number.wrapping_neg()] {
                prop_assert_eq!(number.to_string(), naive_text(number));
                prop_assert_eq!(number.to_string().parse(), Ok(number));
                prop_assert_eq!(number.wrapping_neg().wrapping_neg(), number);
                prop_assert_eq!(number.cmp(&I256::ZERO), number.cmp(&number.wrapping_neg()));
            }
            prop_assert_eq!(I256::from(a).cmp(&I256::from(b)), a.cmp(&b));
            prop_assert_eq!(I256::from(a).to_string(), a.to_string());
            prop_assert_eq!(i128::try_from(I256::from(a)), Ok(a));
            prop_assert_eq!(i128::try_from(number).is_ok(), words[2..] == [words[1] >> 63; 2].map(|bit| 0_u64.wrapping_sub(bit)));
            prop_assert_eq!(i64::try_from(I256::from(a)).ok(), i64::try_from(a).ok());
        }
    }
}
