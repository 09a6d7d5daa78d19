//! Parses decimals.

use std::{fmt, str::FromStr};

use super::{Decimal, NativeDecimal};

/// Why a text is not a decimal, or does not fit an integer type or a scale.
#[derive(Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum ParseDecimalError {
    /// The text has no digits.
    Empty,
    /// The text has a byte that cannot occur in a number at this offset.
    Invalid {
        /// The offset of the byte in the text, from 0.
        at: usize,
    },
    /// The scale or the exponent does not fit into 32 bits.
    Scale,
    /// The digits do not fit into the integer type.
    Overflow {
        /// The width of the integer type in bits.
        n_bits: usize,
    },
    /// The text has digits after the decimal point that are not zero and that the scale cannot express.
    Inexact {
        /// The scale of the column.
        scale: i32,
    },
}

impl fmt::Display for ParseDecimalError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ParseDecimalError::Empty => f.write_str("there are no digits"),
            ParseDecimalError::Invalid { at } => write!(f, "byte {at} is not part of a decimal number"),
            ParseDecimalError::Scale => f.write_str("the scale of the number does not fit into 32 bits"),
            ParseDecimalError::Overflow { n_bits } => write!(f, "the digits do not fit into {n_bits} bits"),
            ParseDecimalError::Inexact { scale } => {
                write!(f, "the number has more digits after the decimal point than a scale of {scale} keeps")
            }
        }
    }
}

impl std::error::Error for ParseDecimalError {}

arrow_error::debug_as_display!(ParseDecimalError);

impl<T: NativeDecimal> Decimal<T> {
    /// Parses a number and converts it to `scale`, which may be that of a column. Nothing is rounded.
    ///
    /// ```
    /// use arrow_array::{Decimal, ParseDecimalError};
    ///
    /// assert_eq!(Decimal::<i32>::parse_with_scale("-1.5", 2), Ok(Decimal::new(-150, 2)));
    /// assert_eq!(Decimal::<i32>::parse_with_scale("1.500", 1), Ok(Decimal::new(15, 1)));
    /// assert_eq!(Decimal::<i32>::parse_with_scale("1.55", 1), Err(ParseDecimalError::Inexact { scale: 1 }));
    /// ```
    ///
    /// # Errors
    /// If the text is not a number, as for [`FromStr`]. If the digits do not fit into `T`. If the text has digits after the
    /// decimal point that are not zero and that `scale` cannot express.
    pub fn parse_with_scale(text: &str, scale: i32) -> Result<Decimal<T>, ParseDecimalError> {
        let number = WrittenNumber::read(text)?;
        number.unscaled(scale).map(|unscaled| Decimal::new(unscaled, scale))
    }

    /// Converts the number to another scale. `None` if it would be rounded, or if the digits do not fit into `T`.
    ///
    /// ```
    /// use arrow_array::Decimal;
    ///
    /// assert_eq!(Decimal::new(15, 1).rescaled(3), Some(Decimal::new(1500, 3)));
    /// assert_eq!(Decimal::new(15, 1).rescaled(0), None);
    /// ```
    pub fn rescaled(&self, scale: i32) -> Option<Decimal<T>> {
        let text = self.unscaled().to_string();
        let number = WrittenNumber { scale: self.scale().into(), ..WrittenNumber::read(&text).ok()? };
        number.unscaled(scale).ok().map(|unscaled| Decimal::new(unscaled, scale))
    }
}

impl<T: NativeDecimal> FromStr for Decimal<T> {
    type Err = ParseDecimalError;

    /// Parses a number such as `-12.50` or `5e-7`. The scale is the number of digits after the decimal point, minus the
    /// exponent.
    fn from_str(text: &str) -> Result<Decimal<T>, ParseDecimalError> {
        let number = WrittenNumber::read(text)?;
        let scale = i32::try_from(number.scale).map_err(|_| ParseDecimalError::Scale)?;
        number.unscaled(scale).map(|unscaled| Decimal::new(unscaled, scale))
    }
}

/// A parsed number.
struct WrittenNumber {
    /// The digits of the unscaled integer, without leading zeros; preceded by `-` if it is negative.
    digits: String,
    scale: i64,
}

impl WrittenNumber {
    fn read(text: &str) -> Result<WrittenNumber, ParseDecimalError> {
        let (number, exponent) = match text.find(['e', 'E']) {
            Some(at) => (&text[..at], read_exponent(text, at)?),
            None => (text, 0),
        };
        let mut digits = String::new();
        let mut n_after: Option<i64> = None;
        let mut n_digits = 0_usize;
        for (at, byte) in number.bytes().enumerate() {
            match byte {
                b'-' if at == 0 => digits.push('-'),
                b'+' if at == 0 => {}
                b'.' if n_after.is_none() => n_after = Some(0),
                b'0'..=b'9' => {
                    n_digits += 1;
                    n_after = n_after.map(|n| n.saturating_add(1));
                    if byte != b'0' || digits.ends_with(|last: char| last.is_ascii_digit()) {
                        digits.push(byte.into());
                    }
                }
                _ => return Err(ParseDecimalError::Invalid { at }),
            }
        }
        if n_digits == 0 {
            return Err(ParseDecimalError::Empty);
        }
        Ok(WrittenNumber { digits, scale: n_after.unwrap_or(0).saturating_sub(exponent) })
    }

    fn is_zero(&self) -> bool {
        !self.digits.ends_with(|last: char| last.is_ascii_digit())
    }

    /// The integer that the number has with another `scale`.
    fn unscaled<T: NativeDecimal>(mut self, scale: i32) -> Result<T, ParseDecimalError> {
        let overflow = ParseDecimalError::Overflow { n_bits: size_of::<T>() * 8 };
        /// Integers with this number of digits do not fit into 256 bits.
        const TOO_MANY: i64 = 80;
        if self.is_zero() {
            return "0".parse().map_err(|_| overflow);
        }
        let n_more = i64::from(scale).saturating_sub(self.scale);
        match n_more {
            0..TOO_MANY => (0..n_more).for_each(|_| self.digits.push('0')),
            TOO_MANY.. => return Err(overflow),
            ..0 => {
                for _ in n_more..0 {
                    // Removing a digit that is not zero would round the number.
                    if self.digits.pop() != Some('0') {
                        return Err(ParseDecimalError::Inexact { scale });
                    }
                }
            }
        }
        self.digits.parse().map_err(|_| overflow)
    }
}

fn read_exponent(text: &str, e: usize) -> Result<i64, ParseDecimalError> {
    let written = text.get(e + 1..).unwrap_or_default();
    let digits = written.strip_prefix(['-', '+']).unwrap_or(written);
    if let Some(at) = digits.bytes().position(|byte| !byte.is_ascii_digit()) {
        return Err(ParseDecimalError::Invalid { at: text.len() - digits.len() + at });
    }
    if digits.is_empty() {
        return Err(ParseDecimalError::Empty);
    }
    written.parse().map_err(|_| ParseDecimalError::Scale)
}

#[cfg(test)]
mod tests {
    use arrow_buffer::{I128, I256};

    use super::*;

    #[test]
    fn what_prints_reads_again() {
        for (unscaled, scale) in [
            (0, 0),
            (0, 3),
            (7, 40),
            (-5, 2),
            (12345, 2),
            (i128::MAX, 0),
            (i128::MIN, 38),
            (9, 1_001),
            (1, i32::MAX),
        ] {
            let decimal = Decimal::new(I128::from(unscaled), scale);
            assert_eq!(decimal.to_string().parse(), Ok(decimal));
            let decimal = Decimal::new(I256::from(unscaled), scale);
            assert_eq!(decimal.to_string().parse(), Ok(decimal));
        }
        // A number with a negative scale prints with zeros, and parses as the same value with scale 0.
        assert_eq!(Decimal::new(5_i32, -2).to_string().parse(), Ok(Decimal::new(500_i32, 0)));
    }

    #[test]
    fn texts() {
        use ParseDecimalError::{Empty, Inexact, Invalid, Overflow, Scale};
        type Case<'a> = (&'a str, Result<(i32, i32), ParseDecimalError>);
        let cases: &[Case<'_>] = &[
            ("12.50", Ok((1250, 2))),
            ("+.5", Ok((5, 1))),
            ("5.", Ok((5, 0))),
            ("-0", Ok((0, 0))),
            ("000000000000000001", Ok((1, 0))),
            ("1e3", Ok((1, -3))),
            ("1.5E-7", Ok((15, 8))),
            ("-2147483648", Ok((i32::MIN, 0))),
            ("2147483648", Err(Overflow { n_bits: 32 })),
            ("", Err(Empty)),
            ("-", Err(Empty)),
            (".", Err(Empty)),
            ("1e", Err(Empty)),
            ("1e-", Err(Empty)),
            ("1.2.3", Err(Invalid { at: 3 })),
            ("1-", Err(Invalid { at: 1 })),
            (" 1", Err(Invalid { at: 0 })),
            ("1e+5x", Err(Invalid { at: 4 })),
            ("1e--5", Err(Invalid { at: 3 })),
            ("é", Err(Invalid { at: 0 })),
            ("1e9999999999", Err(Scale)),
            ("1e99999999999999999999", Err(Scale)),
        ];
        for (text, expected) in cases {
            let expected = expected.map(|(unscaled, scale)| Decimal::new(unscaled, scale));
            assert_eq!(text.parse::<Decimal<i32>>(), expected, "{text}");
        }
        let scaled: &[(&str, i32, Result<i64, ParseDecimalError>)] = &[
            ("1.5", 3, Ok(1500)),
            ("1500", -2, Ok(15)),
            ("1501", -2, Err(Inexact { scale: -2 })),
            ("0.0", 0, Ok(0)),
            ("0", i32::MIN, Ok(0)),
            ("1", i32::MAX, Err(Overflow { n_bits: 64 })),
            ("1", i32::MIN, Err(Inexact { scale: i32::MIN })),
            ("-10", -1, Ok(-1)),
            ("1", 19, Err(Overflow { n_bits: 64 })),
        ];
        for (text, scale, expected) in scaled {
            let expected = expected.map(|unscaled| Decimal::new(unscaled, *scale));
            assert_eq!(Decimal::<i64>::parse_with_scale(text, *scale), expected, "{text} with {scale}");
        }
    }
}
