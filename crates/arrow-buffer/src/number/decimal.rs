//! Converts wide integers to decimal text and back, nineteen digits at a time.

use std::fmt;

/// Ten to the nineteenth: the largest power of ten in a word.
const CHUNK: u64 = 10_000_000_000_000_000_000;
const DIGITS_PER_CHUNK: usize = 19;

/// The greatest number of digits in 256 bits, rounded up to whole chunks.
const MAX_DIGITS: usize = 5 * DIGITS_PER_CHUNK;

/// The reason why a text is not an integer of the requested type.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum ParseIntegerError {
    /// There is no digit.
    Empty,
    /// A byte is neither a digit nor a sign at the start.
    InvalidDigit {
        /// The position of the byte in the text.
        at: usize,
    },
    /// The number is smaller or larger than the type allows.
    Overflow {
        /// The number of bits that the type has.
        n_bits: u32,
    },
}

arrow_error::debug_as_display!(ParseIntegerError);

impl fmt::Display for ParseIntegerError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ParseIntegerError::Empty => f.write_str("there are no digits"),
            ParseIntegerError::InvalidDigit { at } => write!(f, "byte {at} is not a digit"),
            ParseIntegerError::Overflow { n_bits } => write!(f, "the number does not fit into {n_bits} bits"),
        }
    }
}

impl std::error::Error for ParseIntegerError {}

/// Writes an integer. `words` is its magnitude, with the least significant word first.
pub(super) fn write<const N: usize>(words: [u64; N], sign: Sign, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    let mut words = words;
    let mut digits = [b'0'; MAX_DIGITS];
    let mut n_words = significant(&words);
    let mut n_digits = 0;
    // The buffer has room for the largest number of chunks, so the number is zero after the last chunk.
    let (chunks, _) = digits.as_chunks_mut::<DIGITS_PER_CHUNK>();
    for digits in chunks.iter_mut().rev() {
        let chunk = divide_by_chunk(&mut words[..n_words]);
        write_chunk(chunk, digits);
        n_words = significant(&words[..n_words]);
        if n_words == 0 {
            n_digits += chunk.checked_ilog10().map_or(1, |log| log as usize + 1);
            break;
        }
        n_digits += DIGITS_PER_CHUNK;
    }
    let first = MAX_DIGITS - n_digits;
    let text = str::from_utf8(&digits[first..]).map_err(|_| fmt::Error)?;
    f.pad_integral(sign == Sign::Positive, "", text)
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Sign {
    Positive,
    Negative,
}

/// The number of words, without the zeros at the end.
fn significant(words: &[u64]) -> usize {
    words.iter().rposition(|&word| word != 0).map_or(0, |last| last + 1)
}

/// Divides in place and returns the remainder.
fn divide_by_chunk(words: &mut [u64]) -> u64 {
    words.iter_mut().rev().fold(0, |remainder, word| {
        let value = u128::from(remainder) << 64 | u128::from(*word);
        // The quotient is less than 2^64, since the remainder is less than the divisor.
        let quotient = (value / u128::from(CHUNK)) as u64;
        let rest = word.wrapping_sub(quotient.wrapping_mul(CHUNK));
        *word = quotient;
        rest
    })
}

/// Writes all nineteen digits of `chunk`, in groups that the processor can compute at the same time.
fn write_chunk(chunk: u64, digits: &mut [u8; DIGITS_PER_CHUNK]) {
    const EIGHT: u64 = 100_000_000;
    let first = chunk / (EIGHT * EIGHT);
    let rest = chunk % (EIGHT * EIGHT);
    let (head, tail) = digits.split_at_mut(3);
    head.copy_from_slice(&[first / 100, first / 10 % 10, first % 10].map(|digit| b'0' + digit as u8));
    let (left, right) = tail.split_at_mut(8);
    left.copy_from_slice(&eight_digits((rest / EIGHT) as u32));
    right.copy_from_slice(&eight_digits((rest % EIGHT) as u32));
}

/// The digits of a number with up to eight digits. Each step divides every number in the word into two numbers with half as many digits.
fn eight_digits(number: u32) -> [u8; 8] {
    let (high, low) = (u64::from(number / 10_000), u64::from(number % 10_000));
    let fours = high | low << 32;
    // Each division by a constant is a multiplication that is exact for numbers of that many digits.
    let hundreds = ((fours * 10_486) >> 20) & 0x0000_007f_0000_007f;
    let twos = hundreds | (fours - hundreds * 100) << 16;
    let tens = ((twos * 103) >> 10) & 0x000f_000f_000f_000f;
    let ones = tens | (twos - tens * 10) << 8;
    (ones | 0x3030_3030_3030_3030).to_le_bytes()
}

/// Parses a sign and a magnitude. The first word is the least significant.
pub(super) fn parse<const N: usize>(text: &str) -> Result<([u64; N], Sign), ParseIntegerError> {
    let overflow = ParseIntegerError::Overflow { n_bits: N as u32 * 64 };
    let bytes = text.as_bytes();
    let (sign, n_skipped) = match bytes.first() {
        Some(b'-') => (Sign::Negative, 1),
        Some(b'+') => (Sign::Positive, 1),
        _ => (Sign::Positive, 0),
    };
    let digits = &bytes[n_skipped..];
    if digits.is_empty() {
        return Err(ParseIntegerError::Empty);
    }
    if let Some(at) = digits.iter().position(|byte| !byte.is_ascii_digit()) {
        return Err(ParseIntegerError::InvalidDigit { at: n_skipped + at });
    }
    let mut words = [0_u64; N];
    for chunk in digits.chunks(DIGITS_PER_CHUNK) {
        let value = chunk.iter().fold(0_u64, |value, digit| value * 10 + u64::from(digit - b'0'));
        let scale = 10_u64.pow(chunk.len() as u32);
        if multiply_add(&mut words, scale, value) != 0 {
            return Err(overflow);
        }
    }
    Ok((words, sign))
}

/// Computes `words * factor + addend` in place. Returns the carry.
pub(super) fn multiply_add(words: &mut [u64], factor: u64, addend: u64) -> u64 {
    words.iter_mut().fold(addend, |carry, word| {
        let sum = u128::from(*word) * u128::from(factor) + u128::from(carry);
        *word = sum as u64;
        (sum >> 64) as u64
    })
}

#[cfg(test)]
mod tests {
    use super::eight_digits;

    #[test]
    fn eight_digits_are_right() {
        let halves = (0..10_000).flat_map(|half| [half, half * 10_000, half * 10_000 + 9_999 - half]);
        for number in halves.chain((0..100_000_000).step_by(9_973)) {
            assert_eq!(eight_digits(number), format!("{number:08}").as_bytes());
        }
    }
}
