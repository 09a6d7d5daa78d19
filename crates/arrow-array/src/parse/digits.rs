//! Counts the digits of numbers, and checks whether types can store them.

use arrow_buffer::Notation;

/// The number of digits before the decimal point and after it, when the number is written without exponent and needless zeros.
pub fn n_digits(text: &str) -> Option<[u32; 2]> {
    let notation = Notation::parse(text)?;
    let Some((digits, power)) = notation.significant() else { return Some([0, 0]) };
    let n_whole = power.saturating_add(1);
    let n_fraction = (digits.len() as i128).saturating_sub(n_whole);
    // If 32 bits cannot count the digits, the result is the maximum.
    Some([n_whole, n_fraction].map(|n_digits| u32::try_from(n_digits.max(0)).unwrap_or(u32::MAX)))
}

/// Whether a text consists of digits, after a minus sign if there is one.
pub fn is_whole(text: &str) -> bool {
    let digits = text.strip_prefix('-').unwrap_or(text);
    !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit())
}

/// Whether a number has a plus sign or leading zeros, such as 007 and 08.30. A number type would drop these. Zeros at the end
/// of a fraction do not count.
pub fn has_needless_digits(text: &str) -> bool {
    let digits = match text.as_bytes() {
        [b'-' | b'+', digits @ ..] | digits => digits,
    };
    let is_needless = text.starts_with('+') || matches!(digits, [b'0', b'0'..=b'9', ..]);
    is_needless && Notation::parse(text).is_some()
}

/// Whether float64 stores a whole number exactly. Also true for numbers that are not whole, which may be rounded.
pub(super) fn is_exact_in_float(text: &str) -> bool {
    /// Numbers with at most this many digits are exact.
    const CERTAIN: usize = 15;
    text.len() <= CERTAIN || !is_whole(text) || text.parse().is_ok_and(is_exact)
}

/// Whether float64 stores an integer exactly.
pub fn is_exact(number: i128) -> bool {
    // A number that is rounded up past the maximum becomes the maximum again, so it would look exact.
    number as f64 as i128 == number && number != i128::MAX
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digits_are_counted() {
        for (text, expected) in [
            ("0", [0, 0]),
            ("-0.00", [0, 0]),
            ("1", [1, 0]),
            ("-120", [3, 0]),
            ("120.50", [3, 1]),
            ("0.005", [0, 3]),
            ("1e3", [4, 0]),
            ("1.25e1", [2, 1]),
            ("-25e-4", [0, 4]),
            ("1e99999999999999999999", [u32::MAX, 0]),
            ("1e-99999999999999999999", [0, u32::MAX]),
        ] {
            assert_eq!(n_digits(text), Some(expected), "{text}");
        }
        assert_eq!(n_digits("NaN"), None);
    }

    #[test]
    fn floats_have_whole_numbers_or_have_not() {
        for text in [
            "1",
            "-9007199254740992",
            "9007199254740994",
            "18446744073709551616",
            "100000000000000000000",
            "0.1234567890123456789",
            "1e300",
            "NaN",
            "Infinity",
        ] {
            assert!(is_exact_in_float(text), "{text}");
        }
        let nines = "9".repeat(38);
        for text in
            ["9007199254740993", "-9007199254740993", "9223372036854775807", "100000000000000000001", &nines]
        {
            assert!(!is_exact_in_float(text), "{text}");
        }
        // The expected result is found from all digits of the number.
        for power in 0..100_u32 {
            for number in [2_i128.pow(power % 100), 10_i128.pow(power % 38), 3_i128.pow(power % 75)] {
                for number in [number - 1, number, number + 1, -number] {
                    let text = number.to_string();
                    let is_exact = format!("{:.0}", text.parse::<f64>().unwrap()) == text;
                    assert_eq!(is_exact_in_float(&text), is_exact || text == "0", "{text}");
                }
            }
        }
    }

    #[test]
    fn needless_digits_are_found() {
        for text in ["007", "+5", "-01", "00", "+0", "08.30", "+49.5", "00.5", "-08.3", "+.5", "01e5"] {
            assert!(has_needless_digits(text), "{text}");
        }
        for text in [
            "",
            "0",
            "-0",
            "7",
            "-7",
            "0.50",
            "-0.5",
            ".5",
            "0e5",
            "1e+05",
            "+",
            "-",
            "0x1",
            "00x1",
            "+inf",
            "2024-02-29",
            "08.30.12",
        ] {
            assert!(!has_needless_digits(text), "{text}");
        }
    }
}
