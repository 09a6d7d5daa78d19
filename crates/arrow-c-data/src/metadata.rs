//! Metadata as one string of bytes: the number of pairs, then for each key and each value its length and its bytes.
//! Numbers are `int32` in the byte order of the machine.

use std::borrow::Cow;
use std::str;
use std::sync::Arc;

use arrow_schema::{Metadata, decode_text};

use crate::error::CDataErrorKind as Kind;

/// The number of bytes that all names, formats and metadata of a schema may have together.
const MAX_BYTES: u64 = 256 << 20;

/// Adds `n` to the number of bytes that were read so far.
///
/// # Errors
/// If there are more than [`MAX_BYTES`] bytes.
pub(crate) fn charge(n_bytes: &mut u64, n: usize) -> Result<(), Kind> {
    *n_bytes = n_bytes.saturating_add(n as u64);
    if *n_bytes > MAX_BYTES { Err(Kind::TextTooLong { limit: MAX_BYTES }) } else { Ok(()) }
}

/// Encodes metadata as bytes. `None` if there are no pairs. An absent key or value is written as an empty string.
///
/// # Errors
/// If the number of pairs or bytes does not fit the format.
pub(crate) fn encode(metadata: &Metadata) -> Result<Option<Vec<u8>>, Kind> {
    if metadata.is_empty() {
        return Ok(None);
    }
    let mut bytes = Vec::new();
    bytes.extend_from_slice(&count("pairs of metadata", metadata.len())?);
    for (key, value) in metadata {
        for text in [key, value] {
            let text = text.unwrap_or_default();
            bytes.extend_from_slice(&count("bytes of metadata", text.len())?);
            bytes.extend_from_slice(text.as_bytes());
        }
    }
    Ok(Some(bytes))
}

fn count(what: &'static str, n: usize) -> Result<[u8; 4], Kind> {
    let too_long = |_| Kind::TooLong { what, n: n as u64, limit: u64::from(i32::MAX.unsigned_abs()) };
    i32::try_from(n).map(i32::to_ne_bytes).map_err(too_long)
}

/// Decodes the pairs of metadata. `next(n)` returns the next `n` bytes: the 4 bytes of a number, or the bytes whose
/// length was the last number.
///
/// # Errors
/// If a number is negative, or if `next` returns an error.
pub(crate) fn decode<'a>(mut next: impl FnMut(usize) -> Result<&'a [u8], Kind>) -> Result<Metadata, Kind> {
    let n_pairs = next_count(&mut next, "number of pairs")?;
    let mut pairs = Vec::new();
    for _ in 0..n_pairs {
        let key = next_text(&mut next, "length of a key")?;
        let value = next_text(&mut next, "length of a value")?;
        pairs.push((Some(key), Some(value)));
    }
    Ok(Metadata::from_pairs(pairs))
}

fn next_count<'a>(
    next: &mut impl FnMut(usize) -> Result<&'a [u8], Kind>,
    what: &'static str,
) -> Result<usize, Kind> {
    let mut number = [0; 4];
    number.copy_from_slice(next(4)?);
    let found = i32::from_ne_bytes(number);
    usize::try_from(found).map_err(|_| Kind::Metadata { what, found })
}

fn next_text<'a>(
    next: &mut impl FnMut(usize) -> Result<&'a [u8], Kind>,
    length: &'static str,
) -> Result<Arc<str>, Kind> {
    let n = next_count(next, length)?;
    Ok(text_of(next(n)?).into())
}

/// The text of a name or of metadata. Bytes that are not UTF-8 are escaped, since no value needs them. UTF-8 stays as it is,
/// also if it is such escaped text: exports write it so, as libraries that import it need not expect other bytes.
pub(crate) fn text_of(bytes: &[u8]) -> Cow<'_, str> {
    str::from_utf8(bytes).map_or_else(|_| decode_text(bytes), Cow::Borrowed)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Decoding reads exactly the bytes that the numbers announce, and no byte more.
    #[test]
    fn decoding_asks_for_what_the_numbers_say() {
        let long = "v".repeat(300);
        let pairs: [&[(&str, &str)]; 5] =
            [&[], &[("", "")], &[("key", "")], &[("", "value")], &[("a", "ä"), ("long", &long), ("a", "")]];
        for pairs in pairs {
            let mut bytes = i32::try_from(pairs.len()).unwrap().to_ne_bytes().to_vec();
            for text in pairs.iter().flat_map(|(key, value)| [key, value]) {
                bytes.extend(i32::try_from(text.len()).unwrap().to_ne_bytes());
                bytes.extend(text.as_bytes());
            }
            let mut rest = &bytes[..];
            let metadata = decode(|n| {
                let (next, after) = rest.split_at_checked(n).expect("no more is asked for than is there");
                rest = after;
                Ok(next)
            });
            let pairs = pairs.iter().map(|(key, value)| (Some(Arc::from(*key)), Some(Arc::from(*value))));
            assert_eq!((metadata, rest), (Ok(Metadata::from_pairs(pairs.collect::<Vec<_>>())), &[][..]));
        }
    }

    /// Nothing is read after a negative number.
    #[test]
    fn negative_numbers_are_not_followed() {
        for numbers in [&[-1_i32][..], &[1, -1]] {
            let numbers: Vec<[u8; 4]> = numbers.iter().map(|number| number.to_ne_bytes()).collect();
            let mut next = numbers.iter();
            let error = decode(|n| {
                let next = next.next().expect("no more is asked for than is there");
                Ok(next.get(..n).expect("a number"))
            });
            assert!(matches!(error, Err(Kind::Metadata { found: -1, .. })), "{error:?}");
        }
    }
}
