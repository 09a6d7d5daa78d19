//! Wide integers as decimal text, nineteen digits at a time.

use std::fmt;

/// Ten to the nineteenth: the largest power of ten in a word. Its highest bit is set, which division relies on.
const CHUNK: u64 = 10_000_000_000_000_000_000;
const DIGITS_PER_CHUNK: usize = 19;

/// `(2^128 - 1) / CHUNK - 2^64`, which turns division by it into multiplication.
const CHUNK_RECIPROCAL: u64 = (u128::MAX / CHUNK as u128 - (1 << 64)) as u64;

/// The most digits that 256 bits make, in whole chunks.
const MAX_DIGITS: usize = 5 * DIGITS_PER_CHUNK;

/// Why text is not an integer of the asked type.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum ParseIntegerError {
    /// There is no digit.
    #[error("there are no digits")]
    Empty,
    /// Something other than a digit, or than a sign in front, at this byte.
    #[error("byte {at} is not a digit")]
    InvalidDigit {
        /// The position of the byte in the text.
        at: usize,
    },
    /// The number is smaller or larger than the type holds.
    #[error("the number does not fit into {n_bits} bits")]
    Overflow {
        /// How wide the type is.
        n_bits: u32,
    },
}

/// Writes the number whose magnitude is `words`, least significant first, as an integer.
pub(super) fn write<const N: usize>(words: [u64; N], sign: Sign, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    let mut words = words;
    let mut digits = [b'0'; MAX_DIGITS];
    let mut n_words = significant(&words);
    // The chunks are as many as there can be, so the last of them leaves nothing.
    let (chunks, _) = digits.as_chunks_mut::<DIGITS_PER_CHUNK>();
    for room in chunks.iter_mut().rev() {
        write_chunk(divide_by_chunk(&mut words[..n_words]), room);
        n_words = significant(&words[..n_words]);
        if n_words == 0 {
            break;
        }
    }
    let first = digits.iter().position(|&digit| digit != b'0').unwrap_or(MAX_DIGITS - 1);
    let text = str::from_utf8(&digits[first..]).map_err(|_| fmt::Error)?;
    f.pad_integral(sign == Sign::Positive, "", text)
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Sign {
    Positive,
    Negative,
}

/// How many words there are without the zeros at the end.
fn significant(words: &[u64]) -> usize {
    words.iter().rposition(|&word| word != 0).map_or(0, |last| last + 1)
}

/// Divides in place and returns the remainder, after Möller and Granlund, "Improved division by invariant integers".
fn divide_by_chunk(words: &mut [u64]) -> u64 {
    let mut remainder = 0_u64;
    for word in words.iter_mut().rev() {
        let product = u128::from(remainder) * u128::from(CHUNK_RECIPROCAL);
        let sum = product.wrapping_add(u128::from(remainder) << 64 | u128::from(*word));
        let (mut quotient, low) = (((sum >> 64) as u64).wrapping_add(1), sum as u64);
        let mut rest = word.wrapping_sub(quotient.wrapping_mul(CHUNK));
        // As likely as not, so without a branch.
        let excess = u64::from(rest > low);
        quotient = quotient.wrapping_sub(excess);
        rest = rest.wrapping_add(CHUNK & excess.wrapping_neg());
        if rest >= CHUNK {
            quotient = quotient.wrapping_add(1);
            rest -= CHUNK;
        }
        (*word, remainder) = (quotient, rest);
    }
    remainder
}

/// Writes all nineteen digits of `chunk`, in parts that do not wait for each other.
fn write_chunk(chunk: u64, room: &mut [u8; DIGITS_PER_CHUNK]) {
    const EIGHT: u64 = 100_000_000;
    let (first, rest) = (chunk / (EIGHT * EIGHT), chunk % (EIGHT * EIGHT));
    let [a, b, c] = [first / 100, first / 10 % 10, first % 10].map(|digit| b'0' + digit as u8);
    let (head, tail) = room.split_at_mut(3);
    head.copy_from_slice(&[a, b, c]);
    for (eight, room) in [rest / EIGHT, rest % EIGHT].into_iter().zip(tail.chunks_exact_mut(8)) {
        let eight = eight as u32;
        for (four, room) in [eight / 10_000, eight % 10_000].into_iter().zip(room.chunks_exact_mut(4)) {
            let (high, low) = (four / 100, four % 100);
            room.copy_from_slice(&[high / 10, high % 10, low / 10, low % 10].map(|digit| b'0' + digit as u8));
        }
    }
}

/// Reads a sign and a magnitude, least significant word first.
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

/// `words * factor + addend` in place; what does not fit is returned.
pub(super) fn multiply_add(words: &mut [u64], factor: u64, addend: u64) -> u64 {
    words.iter_mut().fold(addend, |carry, word| {
        let sum = u128::from(*word) * u128::from(factor) + u128::from(carry);
        *word = sum as u64;
        (sum >> 64) as u64
    })
}
