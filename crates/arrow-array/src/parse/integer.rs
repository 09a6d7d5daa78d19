//! Parses booleans and integers.

use std::str::FromStr;

use super::error::{Expectation, ValueError, ValueResult};

/// Parses `true` or `false`. The notations `True`, `TRUE`, `False` and `FALSE` are also allowed.
pub fn boolean(text: &str) -> ValueResult<bool> {
    match text {
        "true" | "True" | "TRUE" => Ok(true),
        "false" | "False" | "FALSE" => Ok(false),
        _ => Err(ValueError::new(Expectation::Boolean, text)),
    }
}

/// Parses `true` as 1, `false` as 0, or an integer.
pub(super) fn boolean_or_integer(text: &str) -> ValueResult<i8> {
    let flag = boolean(text).map(i8::from);
    flag.or_else(|_| integer(text)).map_err(|_| ValueError::new(Expectation::BooleanOrInteger, text))
}

/// An integer type of at most 64 bits, signed or unsigned.
pub(super) trait Integer: FromStr {
    const EXPECTED: Expectation;
}

macro_rules! integer {
    ($($integer:ty)*) => {$(
        impl Integer for $integer {
            const EXPECTED: Expectation =
                Expectation::Integer { min: <$integer>::MIN as i64, max: <$integer>::MAX as u64 };
        }
    )*};
}

integer!(i8 i16 i32 i64 u8 u16 u32 u64);

/// Parses an optional sign and digits. Zero may be negative in any type.
pub(super) fn integer<T: Integer>(text: &str) -> ValueResult<T> {
    let is_zero = |digits: &&str| digits.bytes().all(|digit| digit == b'0');
    let unsigned = text.strip_prefix('-').filter(is_zero).unwrap_or(text);
    unsigned.parse().map_err(|_| ValueError::new(T::EXPECTED, text))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn integers_keep_their_range() {
        let bad =
            ["", "-", "+", "1.0", "1e3", " 1", "1 ", "0x1", "1_000", "--1", "١", "99999999999999999999"];
        for text in bad {
            assert!(integer::<i8>(text).is_err() && integer::<u64>(text).is_err(), "{text:?}");
        }
        assert_eq!(
            [integer("-128"), integer("127"), integer("-0"), integer("+007")],
            [Ok(-128_i8), Ok(127), Ok(0), Ok(7)]
        );
        assert_eq!([integer("-0"), integer("-000")], [Ok(0_u8), Ok(0)]);
        assert!(integer::<i8>("128").is_err() && integer::<i8>("-129").is_err());
        assert!(integer::<u8>("-1").is_err() && integer::<u8>("256").is_err());
        assert_eq!(integer("18446744073709551615"), Ok(u64::MAX));
        assert!(integer::<u64>("18446744073709551616").is_err());
        assert_eq!(integer("-9223372036854775808"), Ok(i64::MIN));
        assert_eq!(
            <i64 as Integer>::EXPECTED.to_string(),
            "an integer from -9223372036854775808 to 9223372036854775807"
        );
        assert_eq!(<u64 as Integer>::EXPECTED.to_string(), "an integer from 0 to 18446744073709551615");
    }

    #[test]
    fn booleans_are_two_words() {
        for (text, expected) in [
            ("true", true),
            ("True", true),
            ("TRUE", true),
            ("false", false),
            ("False", false),
            ("FALSE", false),
        ] {
            assert_eq!(boolean(text), Ok(expected));
        }
        for text in ["", "tRUE", "1", "t", "T", "yes", "true "] {
            assert!(boolean(text).is_err(), "{text:?}");
        }
    }
}
