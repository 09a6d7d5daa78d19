//! Text of bytes that should be UTF-8. What is not UTF-8 becomes text that says so, and the same bytes again when it is
//! written: no value of a column needs a name or metadata, so these refuse no file.

use std::{borrow::Cow, fmt::Write as _};

/// The start of the text of bytes that are not UTF-8.
pub const NOT_UTF8_MARK: &str = "not UTF-8: ";

/// Returns the text of bytes: names, time zones and metadata, as messages and structures of C contain them.
///
/// UTF-8 is returned as it is. Other bytes become text that begins with `not UTF-8: `, in which invalid bytes and control
/// characters are `\x` and two digits, and a backslash is two. UTF-8 that begins with these words is escaped in the same
/// way. So different bytes have different texts, and [`encode_text`] returns the bytes that were read. The text has at
/// most four bytes for each byte, and eleven more.
///
/// ```
/// use arrow_schema::{decode_text, encode_text};
///
/// assert_eq!(decode_text("café".as_bytes()), "café");
/// assert_eq!(decode_text(b"caf\xe9"), r"not UTF-8: caf\xe9");
/// assert_eq!(*encode_text(r"not UTF-8: caf\xe9"), *b"caf\xe9");
/// ```
pub fn decode_text(bytes: &[u8]) -> Cow<'_, str> {
    match std::str::from_utf8(bytes) {
        Ok(text) if !bytes.starts_with(NOT_UTF8_MARK.as_bytes()) => Cow::Borrowed(text),
        Ok(_) | Err(_) => Cow::Owned(escape(bytes)),
    }
}

/// Returns the bytes that have this text: the inverse of [`decode_text`]. Text that it does not return is returned as it
/// is.
pub fn encode_text(text: &str) -> Cow<'_, [u8]> {
    match text.strip_prefix(NOT_UTF8_MARK).and_then(unescape) {
        Some(bytes) if decode_text(&bytes) == text => Cow::Owned(bytes),
        Some(_) | None => Cow::Borrowed(text.as_bytes()),
    }
}

/// Whether the text stands for bytes that are not UTF-8.
///
/// ```
/// use arrow_schema::is_not_utf8;
///
/// assert!(is_not_utf8(r"not UTF-8: caf\xe9"));
/// assert!(!is_not_utf8("not UTF-8: this is"));
/// ```
pub fn is_not_utf8(text: &str) -> bool {
    std::str::from_utf8(&encode_text(text)).is_err()
}

fn escape(bytes: &[u8]) -> String {
    let mut text = NOT_UTF8_MARK.to_owned();
    let put_byte = |text: &mut String, byte: u8| {
        let _ = write!(text, "\\x{byte:02x}"); // writing to a string cannot fail
    };
    for chunk in bytes.utf8_chunks() {
        for c in chunk.valid().chars() {
            match u8::try_from(c) {
                Ok(b'\\') => text.push_str("\\\\"),
                Ok(byte) if byte.is_ascii_control() => put_byte(&mut text, byte),
                Ok(_) | Err(_) => text.push(c),
            }
        }
        chunk.invalid().iter().for_each(|byte| put_byte(&mut text, *byte));
    }
    text
}

/// The bytes of escaped text without its mark; `None` if it has another escape.
fn unescape(text: &str) -> Option<Vec<u8>> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let Some((byte, after)) = rest.split_first() {
        rest = match (byte, after) {
            (b'\\', [b'\\', after @ ..]) => {
                bytes.push(b'\\');
                after
            }
            (b'\\', [b'x', high, low, after @ ..]) => {
                let digit =
                    |digit: u8| char::from(digit).to_digit(16).and_then(|digit| u8::try_from(digit).ok());
                bytes.push(digit(*high)? << 4 | digit(*low)?);
                after
            }
            (b'\\', _) => return None,
            (byte, after) => {
                bytes.push(*byte);
                after
            }
        };
    }
    Some(bytes)
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use super::*;

    /// All bytes are written as they were read, and no two have the same text: short ones of a few bytes each, also after
    /// the words with which escaped text begins.
    #[test]
    fn no_bytes_are_lost_and_no_texts_collide() {
        let alphabet = [b'\\', b'x', b'0', b'f', b'F', 0, 0x7f, 0x80, 0xc3, 0xa9, 0xff];
        let mut all: Vec<Vec<u8>> = vec![Vec::new()];
        let mut last = all.clone();
        for _ in 0..3 {
            last =
                last.iter().flat_map(|bytes| alphabet.map(|byte| [&bytes[..], &[byte]].concat())).collect();
            all.extend(last.iter().cloned());
        }
        let mut known: HashMap<String, Vec<u8>> = HashMap::new();
        for bytes in all.iter().flat_map(|bytes| {
            let twice = decode_text(bytes).into_owned().into_bytes();
            [bytes.clone(), [NOT_UTF8_MARK.as_bytes(), bytes].concat(), twice]
        }) {
            let text = decode_text(&bytes).into_owned();
            assert_eq!(*encode_text(&text), *bytes, "{text}");
            assert!(text.len() <= 4 * bytes.len() + NOT_UTF8_MARK.len());
            assert_eq!(is_not_utf8(&text), str::from_utf8(&bytes).is_err(), "{text}");
            assert!(
                text == decode_text(&bytes) && !text.contains('\0') || str::from_utf8(&bytes) == Ok(&text)
            );
            let other = known.insert(text.clone(), bytes.clone());
            assert!(other.is_none_or(|other| other == bytes), "{text}");
        }
    }

    /// Text of an application that only looks escaped is written as it is.
    #[test]
    fn text_that_was_not_decoded_is_written_as_it_is() {
        for text in [
            "",
            "not UTF-8",
            "not UTF-8: ",
            r"not UTF-8: \",
            r"not UTF-8: \x",
            r"not UTF-8: \xg0",
            r"not UTF-8: \xFF",
            "not UTF-8: é",
        ] {
            assert_eq!(*encode_text(text), *text.as_bytes(), "{text}");
            assert!(!is_not_utf8(text));
        }
    }
}
