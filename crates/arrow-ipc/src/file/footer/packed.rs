//! Encodes bytes as text for custom metadata: `1:`, then base64 of RFC 4648, section 4, without padding.

const VERSION: &str = "1:";

const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

pub(crate) fn pack(bytes: &[u8]) -> String {
    format!("{VERSION}{}", encode(bytes))
}

/// Decodes the output of [`pack`]. Returns `None` for other text.
pub(super) fn unpack(value: &str) -> Option<Vec<u8>> {
    decode(value.strip_prefix(VERSION)?)
}

fn encode(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for group in bytes.chunks(3) {
        let byte = |idx: usize| u32::from(group.get(idx).copied().unwrap_or(0));
        let bits = byte(0) << 16 | byte(1) << 8 | byte(2);
        for digit_idx in 0..=group.len() {
            let digit = (bits >> (18 - 6 * digit_idx)) & 63;
            text.push(char::from(DIGITS[digit as usize]));
        }
    }
    text
}

/// Decodes the output of [`encode`]. Returns `None` for other text.
fn decode(text: &str) -> Option<Vec<u8>> {
    let mut bytes = Vec::with_capacity(text.len() / 4 * 3 + 2);
    for group in text.as_bytes().chunks(4) {
        let mut bits = 0u32;
        for digit in group {
            let value = match digit {
                b'A'..=b'Z' => digit - b'A',
                b'a'..=b'z' => digit - b'a' + 26,
                b'0'..=b'9' => digit - b'0' + 52,
                b'+' => 62,
                b'/' => 63,
                _ => return None,
            };
            bits = bits << 6 | u32::from(value);
        }
        let n_bytes = group.len().checked_sub(1).filter(|n_bytes| *n_bytes > 0)?;
        let bits = bits << (6 * (4 - group.len()));
        let [_, first, second, third] = bits.to_be_bytes();
        // The bits after the last byte must be zero.
        if bits & ((1 << (24 - 8 * n_bytes)) - 1) != 0 {
            return None;
        }
        bytes.extend_from_slice([first, second, third].get(..n_bytes)?);
    }
    Some(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_examples_of_the_rfc() {
        for (bytes, text) in [
            ("", ""),
            ("f", "Zg"),
            ("fo", "Zm8"),
            ("foo", "Zm9v"),
            ("foob", "Zm9vYg"),
            ("foobar", "Zm9vYmFy"),
        ] {
            assert_eq!(encode(bytes.as_bytes()), text);
            assert_eq!(decode(text).as_deref(), Some(bytes.as_bytes()));
        }
        let all: Vec<u8> = (0..=255).collect();
        for n_bytes in 0..=all.len() {
            assert_eq!(decode(&encode(&all[..n_bytes])).as_deref(), Some(&all[..n_bytes]));
        }
        for wrong in ["Z", "Zg==", "Zh", "Zm9", "Zm9vY", "Zm 9v", "Zm9_", "é"] {
            assert_eq!(decode(wrong), None, "{wrong}");
        }
    }
}
