//! Parses numbers with a point and an exponent.

use std::cmp::Ordering;

/// A number as the digits of its text, not rounded and of any size.
///
/// ```
/// use arrow_buffer::Notation;
///
/// let number = Notation::parse("-0.0120e5").expect("this is a number");
/// let (digits, power) = number.significant().expect("it is not zero");
/// assert_eq!((number.is_negative(), digits.collect::<Vec<_>>(), power), (true, b"12".to_vec(), 3));
/// assert_eq!(Notation::parse("1,5"), None);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Notation<'a> {
    is_negative: bool,
    whole: &'a [u8],
    fraction: &'a [u8],
    /// The exponent, clamped to 64 bits. A number with a clamped exponent is zero or out of the range of every type.
    exponent: i64,
}

impl<'a> Notation<'a> {
    /// Parses an optional sign, digits with an optional point, and an optional exponent. `None` if the text has no digit, or is
    /// not a number.
    pub fn parse(text: &'a str) -> Option<Notation<'a>> {
        let (is_negative, rest) = sign(text.as_bytes());
        let (whole, rest) = digits(rest);
        let (fraction, rest) = match rest.split_first() {
            Some((b'.', rest)) => digits(rest),
            _ => (&[][..], rest),
        };
        if whole.is_empty() && fraction.is_empty() {
            return None;
        }
        let exponent = match rest.split_first() {
            None => 0,
            Some((b'e' | b'E', rest)) => exponent(rest)?,
            Some(_) => return None,
        };
        Some(Notation { is_negative, whole, fraction, exponent })
    }

    /// Whether the number has a minus sign, which zero may have, too.
    pub fn is_negative(&self) -> bool {
        self.is_negative
    }

    /// The digits from the first nonzero digit to the last nonzero digit, and the power of ten of the first. `None` for
    /// zero.
    pub fn significant(&self) -> Option<(impl ExactSizeIterator<Item = u8> + Clone + use<'a>, i128)> {
        let (whole, fraction) = (self.whole, self.fraction);
        let n_digits = whole.len() + fraction.len();
        let digit = move |idx: usize| match idx.checked_sub(whole.len()) {
            None => whole[idx],
            Some(idx) => fraction[idx],
        };
        let first = (0..n_digits).find(|idx| digit(*idx) != b'0')?;
        let last = (first..n_digits).rfind(|idx| digit(*idx) != b'0')?;
        let power = whole.len() as i128 - 1 - first as i128 + i128::from(self.exponent);
        Some(((first..last + 1).map(digit), power))
    }

    /// Compares the numbers without their signs.
    pub(super) fn cmp_magnitude(&self, other: &Notation<'_>) -> Ordering {
        match (self.significant(), other.significant()) {
            (Some((digits, power)), Some((other_digits, other_power))) => {
                // Digits do not end with zeros, so a number that begins with all digits of the other number is larger.
                power.cmp(&other_power).then_with(|| digits.cmp(other_digits))
            }
            (digits, other_digits) => digits.is_some().cmp(&other_digits.is_some()),
        }
    }
}

/// Splits off an optional sign. Returns whether it is a minus, and the remaining text.
fn sign(text: &[u8]) -> (bool, &[u8]) {
    match text.split_first() {
        Some((b'-', rest)) => (true, rest),
        Some((b'+', rest)) => (false, rest),
        _ => (false, text),
    }
}

fn digits(text: &[u8]) -> (&[u8], &[u8]) {
    let n_digits = text.iter().take_while(|byte| byte.is_ascii_digit()).count();
    text.split_at(n_digits)
}

fn exponent(text: &[u8]) -> Option<i64> {
    let (is_negative, rest) = sign(text);
    let (digits, after) = digits(rest);
    if digits.is_empty() || !after.is_empty() {
        return None;
    }
    let magnitude = digits
        .iter()
        .fold(0_i64, |sum, digit| sum.saturating_mul(10).saturating_add(i64::from(digit - b'0')));
    Some(if is_negative { -magnitude } else { magnitude })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_taken_apart() {
        let cases: &[(&str, &str, i128)] = &[
            ("1", "1", 0),
            ("-120.50", "1205", 2),
            ("+.5", "5", -1),
            ("5.", "5", 0),
            ("000.00030e2", "3", -2),
            ("1E+2", "1", 2),
            ("9e-1001", "9", -1001),
            ("9e99999999999999999999", "9", i64::MAX as i128),
            ("9e-99999999999999999999", "9", -i64::MAX as i128),
        ];
        for (text, digits, power) in cases {
            let notation = Notation::parse(text).expect(text);
            let (found, found_power) = notation.significant().expect(text);
            let found: Vec<u8> = found.collect();
            assert_eq!((str::from_utf8(&found), found_power), (Ok(*digits), *power), "{text}");
            assert_eq!(notation.is_negative, text.starts_with('-'));
        }
        for text in ["0", "-0.00", "0e9"] {
            assert!(Notation::parse(text).is_some_and(|notation| notation.significant().is_none()), "{text}");
        }
        for text in
            ["", "-", ".", "e1", "1e", "1e+", "1.2.3", "1 ", " 1", "inf", "NaN", "0x1", "1e1.0", "--1", "١"]
        {
            assert_eq!(Notation::parse(text), None, "{text}");
        }
    }

    #[test]
    fn magnitudes_are_compared() {
        let rising = [
            "0",
            "1e-9",
            "0.1",
            "0.10000001",
            "0.2",
            "1",
            "1.01",
            "9",
            "10",
            "1e20",
            "1e99999999999999999999",
        ];
        for (position, low) in rising.iter().enumerate() {
            for (other_position, high) in rising.iter().enumerate() {
                let [low, high] = [low, high].map(|text| Notation::parse(text).expect(text));
                assert_eq!(low.cmp_magnitude(&high), position.cmp(&other_position), "{low:?} {high:?}");
            }
        }
        let [a, b] = ["-100.0", "1e2"].map(|text| Notation::parse(text).expect(text));
        assert_eq!(a.cmp_magnitude(&b), Ordering::Equal);
    }
}
