//! What all numbers of a field have in common, found from their texts.

use arrow_array::parse;
use arrow_schema::DataType;

/// What all numbers of a field so far have in common, for choosing a type that stores all whole numbers exactly.
#[derive(Debug, Clone, Copy)]
pub(super) struct NumbersSoFar {
    /// Whether all numbers are without a decimal point and an exponent.
    are_whole: bool,
    /// Whether all whole numbers fit into 64 bits, signed or unsigned.
    are_int64: bool,
    are_uint64: bool,
    /// Whether float64 stores all whole numbers exactly.
    are_exact: bool,
    /// The maximum number of digits before the decimal point, and after it. Both are `u32::MAX` if any value has no
    /// digits, such as NaN.
    n_digits: [u32; 2],
}

impl NumbersSoFar {
    /// The properties of one number. `None` if the text is not a number.
    pub(super) fn from_text(text: &str) -> Option<NumbersSoFar> {
        let is_whole = parse::is_whole(text);
        if is_whole && let Some(number) = text.parse().ok() {
            let whole = NumbersSoFar::from_integer(number);
            // Unsigned columns do not take `-0`.
            return Some(NumbersSoFar { are_uint64: whole.are_uint64 && !text.starts_with('-'), ..whole });
        }
        if !is_whole && !parse::is_float64(text) {
            return None;
        }
        Some(NumbersSoFar {
            are_whole: is_whole,
            are_int64: !is_whole,
            are_uint64: !is_whole,
            are_exact: !is_whole,
            n_digits: parse::n_digits(text).unwrap_or([u32::MAX; 2]),
        })
    }

    pub(super) fn from_integer(number: i128) -> NumbersSoFar {
        let n_whole = number.unsigned_abs().checked_ilog10().map_or(0, |power| power.saturating_add(1));
        NumbersSoFar {
            are_whole: true,
            are_int64: i64::try_from(number).is_ok(),
            are_uint64: u64::try_from(number).is_ok(),
            are_exact: parse::is_exact(number),
            n_digits: [n_whole, 0],
        }
    }

    /// The properties of both groups of numbers together.
    pub(super) fn and(self, other: NumbersSoFar) -> NumbersSoFar {
        let ([n_whole, n_fraction], [other_whole, other_fraction]) = (self.n_digits, other.n_digits);
        NumbersSoFar {
            are_whole: self.are_whole && other.are_whole,
            are_int64: self.are_int64 && other.are_int64,
            are_uint64: self.are_uint64 && other.are_uint64,
            are_exact: self.are_exact && other.are_exact,
            n_digits: [n_whole.max(other_whole), n_fraction.max(other_fraction)],
        }
    }

    /// The integer type of 64 bits that can store all numbers.
    pub(super) fn integers(self) -> Option<DataType> {
        match (self.are_whole, self.are_int64, self.are_uint64) {
            (true, true, _) => Some(DataType::Int64),
            (true, false, true) => Some(DataType::UInt64),
            (true, false, false) | (false, _, _) => None,
        }
    }

    /// The type for cells of CSV. Integers of more than 64 bits are probably codes, so their type is utf8.
    pub(super) fn cell_type(self) -> Option<DataType> {
        if self.are_whole { self.integers() } else { self.any() }
    }

    /// The first type that can store all numbers: integer, floating-point or decimal.
    pub(super) fn any(self) -> Option<DataType> {
        let floats = || self.are_exact.then_some(DataType::Float64);
        self.integers().or_else(floats).or_else(|| self.decimals())
    }

    fn decimals(self) -> Option<DataType> {
        let [n_whole, n_fraction] = self.n_digits;
        let scale = i32::try_from(n_fraction).ok()?;
        match n_whole.checked_add(n_fraction)? {
            0..=38 => DataType::decimal128(38, scale).ok(),
            39..=76 => DataType::decimal256(76, scale).ok(),
            _ => None,
        }
    }

    /// The maximum number of digits before the decimal point, and after it.
    pub(super) fn n_digits(self) -> [u32; 2] {
        self.n_digits
    }

    pub(super) fn name(self) -> &'static str {
        match (self.are_whole, self.are_int64, self.are_uint64) {
            (true, true, _) => "an integer",
            (true, false, true) => "an integer above 9223372036854775807",
            (true, false, false) | (false, _, _) => "a number",
        }
    }
}

/// Iterates over the texts of the numbers in a line of JSON. The parser returns numbers in binary form, which drops digits.
#[cfg(feature = "json")]
pub(super) struct NumberTexts<'a> {
    rest: &'a str,
    n_skipped: usize,
}

#[cfg(feature = "json")]
impl<'a> NumberTexts<'a> {
    pub(super) fn new(line: &'a str) -> NumberTexts<'a> {
        NumberTexts { rest: line, n_skipped: 0 }
    }

    pub(super) fn skip(&mut self) {
        self.n_skipped = self.n_skipped.saturating_add(1);
    }

    pub(super) fn skip_all(&mut self, value: &str) {
        let mut texts = NumberTexts::new(value);
        while texts.find().is_some() {
            self.skip();
        }
    }

    pub(super) fn next(&mut self) -> Option<&'a str> {
        for _ in 0..std::mem::take(&mut self.n_skipped) {
            self.find()?;
        }
        self.find()
    }

    /// Finds the next number. The parser has read up to this number, so the text before it is valid JSON.
    fn find(&mut self) -> Option<&'a str> {
        loop {
            let bytes = self.rest.as_bytes();
            let is_number =
                |byte: u8| byte.is_ascii_digit() || matches!(byte, b'-' | b'+' | b'.' | b'e' | b'E');
            let n_bytes = match bytes {
                [] => return None,
                [b'"', inner @ ..] => crate::read::json::n_bytes_of_string(inner).saturating_add(1),
                [b'-' | b'0'..=b'9', ..] => {
                    let n_bytes = bytes.iter().take_while(|byte| is_number(**byte)).count();
                    let (number, rest) = self.rest.split_at_checked(n_bytes)?;
                    self.rest = rest;
                    return Some(number);
                }
                _ => bytes.iter().take_while(|byte| !matches!(byte, b'"' | b'-' | b'0'..=b'9')).count(),
            };
            self.rest = self.rest.get(n_bytes..)?;
        }
    }
}

#[cfg(all(test, feature = "json"))]
mod tests {
    use super::*;

    #[test]
    fn numbers_of_a_line_are_found() {
        let mut texts = NumberTexts::new(r#" {"1":-1.5e+3,"a\"2":[true,20,"3",{"é":4e1}],"b":null,"c":50}"#);
        assert_eq!(texts.next(), Some("-1.5e+3"));
        texts.skip();
        assert_eq!((texts.next(), texts.next(), texts.next()), (Some("4e1"), Some("50"), None));
    }
}
