//! Writes numbers as ASCII text into a buffer on the stack.

mod float;
mod powers;

use std::fmt;

/// The length of the buffer. The longest text of a date, a time, or a number without a scale is that of an integer of
/// 256 bits, with 78 characters.
const CAPACITY: usize = 96;

/// The number of bytes that are copied at once. Most texts are shorter.
const SHORT: usize = 32;

/// A text of ASCII characters on the stack. A text that does not fit is an error: that of a decimal with a large scale may be.
pub(crate) struct AsciiText {
    bytes: [u8; CAPACITY],
    len: usize,
}

impl AsciiText {
    #[inline]
    pub(crate) fn new() -> AsciiText {
        AsciiText { bytes: [0; CAPACITY], len: 0 }
    }

    pub(crate) fn as_str(&self) -> &str {
        self.bytes.get(..self.len).and_then(|bytes| str::from_utf8(bytes).ok()).unwrap_or_default()
    }

    #[inline]
    pub(crate) fn append_to(&self, out: &mut Vec<u8>) {
        let end = out.len().saturating_add(self.len);
        // A copy of a fixed number of bytes needs no function call.
        match self.bytes.first_chunk::<SHORT>() {
            Some(bytes) if self.len <= SHORT => out.extend_from_slice(bytes),
            _ => out.extend_from_slice(&self.bytes),
        }
        out.truncate(end);
    }

    /// Appends the digits, after `-` if the number is negative.
    #[inline]
    pub(crate) fn push_integer(&mut self, number: i64) -> fmt::Result {
        if number < 0 {
            self.push("-")?;
        }
        self.push_unsigned(number.unsigned_abs())
    }

    #[inline]
    pub(crate) fn push_unsigned(&mut self, number: u64) -> fmt::Result {
        self.push_padded(number, 1)
    }

    /// Appends the digits, after zeros that fill up to `n` digits.
    #[inline]
    pub(crate) fn push_padded(&mut self, number: u64, n: usize) -> fmt::Result {
        let digits = self.reserve(n_digits(number).max(n))?;
        let mut left = number;
        let mut pairs = digits.rchunks_exact_mut(2);
        for pair in &mut pairs {
            pair.copy_from_slice(&two_digits(left % 100));
            left /= 100;
        }
        if let [first] = pairs.into_remainder() {
            *first = b'0' + left as u8;
        }
        Ok(())
    }

    #[inline]
    pub(crate) fn push(&mut self, ascii: &str) -> fmt::Result {
        // Most of these texts are empty or a single quote character.
        match ascii.as_bytes() {
            [] => Ok(()),
            [byte] => self.push_bytes(&[*byte]),
            bytes => self.push_bytes(bytes),
        }
    }

    pub(crate) fn push_display(&mut self, value: impl fmt::Display) -> fmt::Result {
        fmt::Write::write_fmt(self, format_args!("{value}"))
    }

    pub(crate) fn push_debug(&mut self, value: impl fmt::Debug) -> fmt::Result {
        fmt::Write::write_fmt(self, format_args!("{value:?}"))
    }

    #[inline]
    pub(crate) fn push_bytes(&mut self, bytes: &[u8]) -> fmt::Result {
        self.reserve(bytes.len())?.copy_from_slice(bytes);
        Ok(())
    }

    /// The memory for the next `n_bytes` bytes of the text.
    #[inline]
    fn reserve(&mut self, n_bytes: usize) -> Result<&mut [u8], fmt::Error> {
        let start = self.len;
        let end = start + n_bytes;
        let target = self.bytes.get_mut(start..end).ok_or(fmt::Error)?;
        self.len = end;
        Ok(target)
    }
}

impl fmt::Write for AsciiText {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        self.push(text)
    }
}

/// The number of decimal digits of an integer; 1 for zero.
#[inline]
fn n_digits(number: u64) -> usize {
    // 1,233 / 4,096 is slightly more than log₁₀ of 2, so the result is exact or one too small.
    let n_bits = 64 - (number | 1).leading_zeros() as usize;
    let at_least = (n_bits * 1_233) >> 12;
    at_least + usize::from(number | 1 >= POWERS[at_least])
}

/// All powers of ten that fit into 64 bits.
static POWERS: [u64; 20] = {
    let mut powers = [1; 20];
    let mut exponent = 1;
    while exponent < 20 {
        powers[exponent] = powers[exponent - 1] * 10;
        exponent += 1;
    }
    powers
};

/// The ASCII digits of a number below 100.
#[inline]
pub(crate) fn two_digits(number: u64) -> [u8; 2] {
    PAIRS[(number % 100) as usize]
}

static PAIRS: [[u8; 2]; 100] = {
    let mut pairs = [[0; 2]; 100];
    let mut number = 0;
    while number < 100 {
        pairs[number] = [b'0' + (number / 10) as u8, b'0' + (number % 10) as u8];
        number += 1;
    }
    pairs
};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn writes_what_the_standard_library_writes() {
        let numbers = [0, 1, 9, 10, 99, 100, 1234567890, i64::MAX, -1, -10, i64::MIN];
        for number in numbers {
            let mut digits = AsciiText::new();
            digits.push_integer(number).unwrap();
            assert_eq!(digits.as_str(), number.to_string());
        }
        for (number, n_digits) in [(0, 1), (0, 2), (7, 2), (7, 9), (123, 2), (u64::MAX, 3)] {
            let mut digits = AsciiText::new();
            digits.push_padded(number, n_digits).unwrap();
            assert_eq!(digits.as_str(), format!("{number:0n_digits$}"));
        }
        for number in 0..100 {
            assert_eq!(two_digits(number), format!("{number:02}").as_bytes());
        }
        let powers = (0..20).map(|exponent| 10_u64.pow(exponent));
        for number in powers.flat_map(|power| [power - 1, power, power + 1]) {
            let mut digits = AsciiText::new();
            digits.push_unsigned(number).unwrap();
            assert_eq!(digits.as_str(), number.to_string());
        }
    }

    #[test]
    fn refuses_what_does_not_fit() {
        let mut digits = AsciiText::new();
        digits.push(&"x".repeat(CAPACITY)).unwrap();
        assert!(digits.push("y").is_err());
        assert_eq!(digits.as_str().len(), CAPACITY);
    }

    #[test]
    fn texts_of_any_length_are_appended() {
        for n_bytes in 0..=CAPACITY {
            let text = "x".repeat(n_bytes);
            let mut digits = AsciiText::new();
            let mut out = b"before".to_vec();
            digits.push(&text).unwrap();
            digits.append_to(&mut out);
            assert_eq!(out, format!("before{text}").as_bytes());
        }
    }
}
