//! Parses decimals without rounding.

use std::str::FromStr;

use crate::NativeDecimal;
use arrow_buffer::Notation;

use super::error::{Expectation, ValueError, ValueResult};

/// The maximum length of a stored integer in characters: the digits of the highest precision, and a sign.
const MAX_BYTES: usize = 77;

/// Returns the stored integer of a decimal such as `123.45`, `-5` or `9e-1001`. `text` has no quotes.
pub(super) fn decimal<N: NativeDecimal + FromStr>(text: &str, precision: u8, scale: i32) -> ValueResult<N> {
    let notation = Notation::parse(text).ok_or_else(|| ValueError::new(Expectation::Decimal, text))?;
    let Some((digits, power)) = notation.significant() else { return Ok(N::default()) };
    // The powers of ten of the first and the last digit of the stored integer.
    let first = power.saturating_add(i128::from(scale));
    let last = first.saturating_add(1).saturating_sub_unsigned(digits.len() as u128);
    if last < 0 {
        return Err(ValueError::new(Expectation::DecimalScale { scale }, text));
    }
    let too_long = || ValueError::new(Expectation::DecimalDigits { precision, scale }, text);
    if first >= i128::from(precision) {
        return Err(too_long());
    }
    let mut stored = [b'0'; MAX_BYTES];
    stored[0] = if notation.is_negative() { b'-' } else { b'+' };
    // `first` is at least zero and less than the precision, which is at most 76.
    let n_bytes = usize::try_from(first).ok().and_then(|first| first.checked_add(2));
    let stored = n_bytes.and_then(|n_bytes| stored.get_mut(..n_bytes)).ok_or_else(too_long)?;
    for (stored_digit, digit) in stored.iter_mut().skip(1).zip(digits) {
        *stored_digit = digit;
    }
    str::from_utf8(stored).ok().and_then(|stored| stored.parse().ok()).ok_or_else(too_long)
}

#[cfg(test)]
mod tests {
    use arrow_buffer::{I128, I256};

    use super::*;

    #[test]
    fn decimals_by_hand() {
        let cases: &[(&str, u8, i32, std::result::Result<i32, &str>)] = &[
            ("123.45", 9, 2, Ok(12345)),
            ("-0.05", 9, 2, Ok(-5)),
            ("+1", 9, 2, Ok(100)),
            (".5", 9, 2, Ok(50)),
            ("1.50000000000000000000000000", 3, 1, Ok(15)),
            ("00000000000000000000001.5", 2, 1, Ok(15)),
            ("0", 1, 5, Ok(0)),
            ("-0.00", 9, 0, Ok(0)),
            ("0e99999999999999999999", 9, 0, Ok(0)),
            ("1.5e1", 9, 0, Ok(15)),
            ("150e-1", 9, 0, Ok(15)),
            ("9e-1001", 9, 1001, Ok(9)),
            ("9e2147483647", 9, -i32::MAX, Ok(9)),
            ("9e2147483648", 9, i32::MIN, Ok(9)),
            ("500", 9, -2, Ok(5)),
            ("999999999", 9, 0, Ok(999_999_999)),
            ("-999999999", 9, 0, Ok(-999_999_999)),
            ("501", 9, -2, Err("a decimal number that is exact with the scale -2")),
            ("1.234", 9, 2, Err("a decimal number that is exact with the scale 2")),
            ("1e-99999999999999999999", 9, 2, Err("a decimal number that is exact with the scale 2")),
            ("1000000000", 9, 0, Err("a decimal number within precision 9 and scale 0")),
            ("10", 1, 0, Err("a decimal number within precision 1 and scale 0")),
            ("0.1", 1, 2, Err("a decimal number within precision 1 and scale 2")),
            ("1e99999999999999999999", 9, 0, Err("a decimal number within precision 9 and scale 0")),
            ("", 9, 0, Err("a decimal number")),
            ("NaN", 9, 0, Err("a decimal number")),
            ("1,5", 9, 0, Err("a decimal number")),
            ("\"1\"", 9, 0, Err("a decimal number")),
        ];
        for (text, precision, scale, expected) in cases {
            fn agree<N: NativeDecimal + FromStr>(
                text: &str,
                precision: u8,
                scale: i32,
            ) -> std::result::Result<String, String> {
                decimal::<N>(text, precision, scale)
                    .map(|number| number.to_string())
                    .map_err(|error| error.expected().to_string())
            }
            let expected = expected.map(|number| number.to_string()).map_err(str::to_owned);
            assert_eq!(agree::<i32>(text, *precision, *scale), expected, "{text}");
            assert_eq!(agree::<i64>(text, *precision, *scale), expected, "{text}");
            assert_eq!(agree::<I128>(text, *precision, *scale), expected, "{text}");
            assert_eq!(agree::<I256>(text, *precision, *scale), expected, "{text}");
        }
        let nines = "9".repeat(76);
        assert_eq!(decimal::<I256>(&nines, 76, 0).map(|number| number.to_string()), Ok(nines));
        let long = format!("0.{}1", "0".repeat(1_000_000));
        assert!(decimal::<I256>(&long, 76, 76).is_err());
    }
}
