//! Parses bytes in hexadecimal.

use super::error::{Expectation, ValueError, ValueResult};

/// Appends the bytes of a hexadecimal text to `out`. Appends nothing after an error.
pub(super) fn hex(text: &str, out: &mut Vec<u8>) -> ValueResult<()> {
    decode(text, out).ok_or_else(|| ValueError::new(Expectation::Hex, text))
}

/// Like [`hex`], for exactly `n_bytes` bytes. A text of 16 bytes may have the hyphens of a UUID.
pub(super) fn hex_of_width(text: &str, n_bytes: usize, out: &mut Vec<u8>) -> ValueResult<()> {
    let wrong = || ValueError::new(Expectation::HexOfWidth { n_digits: n_bytes.saturating_mul(2) }, text);
    let mut plain = String::new();
    let digits = match n_bytes {
        16 if text.len() == N_BYTES_OF_UUID => without_hyphens(text, &mut plain).ok_or_else(wrong)?,
        _ => text,
    };
    if digits.len() / 2 != n_bytes {
        return Err(wrong());
    }
    decode(digits, out).ok_or_else(wrong)
}

/// The number of characters of a UUID such as `f81d4fae-7dec-11d0-a765-00a0c91e6bf6`.
const N_BYTES_OF_UUID: usize = 36;

/// Removes the hyphens of a UUID. `None` if they are not where a UUID has them.
fn without_hyphens<'a>(text: &str, plain: &'a mut String) -> Option<&'a str> {
    let n_digits = text.split('-').map(str::len);
    if !n_digits.eq([8, 4, 4, 4, 12]) {
        return None;
    }
    plain.extend(text.split('-'));
    Some(plain)
}

fn decode(text: &str, out: &mut Vec<u8>) -> Option<()> {
    let (pairs, rest) = text.as_bytes().as_chunks::<2>();
    if !rest.is_empty() {
        return None;
    }
    let n_before = out.len();
    // Only characters that are not digits set the ninth bit.
    let mut found = 0;
    out.extend(pairs.iter().map(|[high, low]| {
        let byte = digit(*high) << 4 | digit(*low);
        found |= byte;
        byte as u8
    }));
    if found > 0xff {
        out.truncate(n_before);
        return None;
    }
    Some(())
}

/// The value of a hexadecimal digit. For other characters, more than a byte can store, even after a shift.
fn digit(byte: u8) -> u16 {
    match byte {
        b'0'..=b'9' => u16::from(byte - b'0'),
        b'a'..=b'f' => u16::from(byte - b'a') + 10,
        b'A'..=b'F' => u16::from(byte - b'A') + 10,
        _ => 0x100,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_by_hand() {
        let good: [(&str, &[u8]); 5] = [
            ("", b""),
            ("00", b"\x00"),
            ("00ff", b"\x00\xff"),
            ("DEADbeef", b"\xde\xad\xbe\xef"),
            ("0123456789abcdefABCDEF", b"\x01\x23\x45\x67\x89\xab\xcd\xef\xab\xcd\xef"),
        ];
        for (text, bytes) in good {
            let mut out = vec![7];
            assert_eq!(hex(text, &mut out), Ok(()), "{text}");
            assert_eq!(out, [&[7], bytes].concat(), "{text}");
            assert_eq!(hex_of_width(text, bytes.len(), &mut Vec::new()), Ok(()), "{text}");
            assert!(hex_of_width(text, bytes.len() + 1, &mut Vec::new()).is_err(), "{text}");
        }
        let mut out = vec![7];
        for text in ["0", "000", "0g", "g0", "0x", " 0", "é", "0:", "0/", "@0", "`0"] {
            assert!(hex(text, &mut out).is_err(), "{text}");
            assert!(hex_of_width(text, text.len() / 2, &mut out).is_err(), "{text}");
            assert_eq!(out, [7], "{text}");
        }
        let error = hex_of_width("00ff", 3, &mut out).expect_err("it is shorter");
        assert_eq!(error.to_string(), "expected 6 hexadecimal digits, found \"00ff\"");
    }

    #[test]
    fn every_pair_of_bytes() {
        for (high, low) in (0..128_u8).flat_map(|high| (0..128_u8).map(move |low| (high, low))) {
            let text = String::from_utf8(vec![high, low]).expect("it is ASCII");
            let mut out = Vec::new();
            let is_plain = text.bytes().all(|byte| byte.is_ascii_hexdigit());
            let expected = if is_plain { u8::from_str_radix(&text, 16).ok() } else { None };
            assert_eq!(hex(&text, &mut out).ok().map(|()| out[0]), expected, "{text:?}");
        }
    }
}
