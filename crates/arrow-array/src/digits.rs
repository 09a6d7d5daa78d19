//! Numbers as ASCII text on the stack.

use std::fmt;

/// Room for the text of one number, date or time: the longest, an integer of 256 bits, has 78 characters.
const CAPACITY: usize = 96;

/// ASCII text that is put together from numbers. What does not fit is an error; the texts of all callers fit.
pub(crate) struct Digits {
    bytes: [u8; CAPACITY],
    len: usize,
}

impl Digits {
    pub(crate) fn new() -> Digits {
        Digits { bytes: [0; CAPACITY], len: 0 }
    }

    pub(crate) fn as_str(&self) -> &str {
        self.bytes.get(..self.len).and_then(|bytes| str::from_utf8(bytes).ok()).unwrap_or_default()
    }

    /// A sign where there is one, then the digits.
    pub(crate) fn push_integer(&mut self, number: i64) -> fmt::Result {
        if number < 0 {
            self.push("-")?;
        }
        self.push_unsigned(number.unsigned_abs())
    }

    pub(crate) fn push_unsigned(&mut self, number: u64) -> fmt::Result {
        self.push_padded(number, 1)
    }

    /// At least `n_digits` digits, zeros in front.
    pub(crate) fn push_padded(&mut self, number: u64, n_digits: usize) -> fmt::Result {
        let mut digits = [b'0'; 20];
        let mut start = digits.len();
        let mut left = number;
        while left > 0 {
            start -= 1;
            // Twenty digits are enough for all 64 bits, so `start` stays in range.
            digits[start] = b'0' + (left % 10) as u8;
            left /= 10;
        }
        let start = start.min(digits.len().saturating_sub(n_digits));
        self.push_bytes(&digits[start..])
    }

    /// The last two digits, a zero in front where there is only one.
    pub(crate) fn push_two(&mut self, number: u64) -> fmt::Result {
        let [tens, ones] = [number / 10 % 10, number % 10].map(|digit| b'0' + digit as u8);
        self.push_bytes(&[tens, ones])
    }

    pub(crate) fn push(&mut self, ascii: &str) -> fmt::Result {
        self.push_bytes(ascii.as_bytes())
    }

    pub(crate) fn push_display(&mut self, value: impl fmt::Display) -> fmt::Result {
        fmt::Write::write_fmt(self, format_args!("{value}"))
    }

    fn push_bytes(&mut self, bytes: &[u8]) -> fmt::Result {
        let end = self.len + bytes.len();
        self.bytes.get_mut(self.len..end).ok_or(fmt::Error)?.copy_from_slice(bytes);
        self.len = end;
        Ok(())
    }
}

impl fmt::Write for Digits {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        self.push(text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn writes_what_the_standard_library_writes() {
        let numbers = [0, 1, 9, 10, 99, 100, 1234567890, i64::MAX, -1, -10, i64::MIN];
        for number in numbers {
            let mut digits = Digits::new();
            digits.push_integer(number).unwrap();
            assert_eq!(digits.as_str(), number.to_string());
        }
        for (number, n_digits) in [(0, 1), (0, 2), (7, 2), (7, 9), (123, 2), (u64::MAX, 3)] {
            let mut digits = Digits::new();
            digits.push_padded(number, n_digits).unwrap();
            assert_eq!(digits.as_str(), format!("{number:0n_digits$}"));
        }
        for number in 0..100 {
            let mut digits = Digits::new();
            digits.push_two(number).unwrap();
            assert_eq!(digits.as_str(), format!("{number:02}"));
        }
    }

    #[test]
    fn refuses_what_does_not_fit() {
        let mut digits = Digits::new();
        digits.push(&"x".repeat(CAPACITY)).unwrap();
        assert!(digits.push("y").is_err());
        assert_eq!(digits.as_str().len(), CAPACITY);
    }
}
