//! Bytes as hexadecimal digits.

const DIGITS: &[u8; 16] = b"0123456789ABCDEF";

/// Appends two upper-case digits for each byte.
pub(crate) fn write_hex(out: &mut String, bytes: &[u8]) {
    let digit = |half: u8| char::from(DIGITS[usize::from(half)]);
    out.extend(bytes.iter().flat_map(|byte| [digit(byte >> 4), digit(byte & 15)]));
}

/// The bytes of hexadecimal digits in either case.
pub(crate) fn read_hex(text: &str) -> Option<Vec<u8>> {
    let digit = |digit: u8| char::from(digit).to_digit(16).and_then(|value| u8::try_from(value).ok());
    let (pairs, []) = text.as_bytes().as_chunks::<2>() else { return None };
    pairs.iter().map(|[high, low]| Some(digit(*high)? << 4 | digit(*low)?)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_survive() {
        let all: Vec<u8> = (0..=255).collect();
        let mut text = String::new();
        write_hex(&mut text, &all);
        assert!(text.starts_with("000102") && text.ends_with("FDFEFF"), "{text}");
        assert_eq!(read_hex(&text.to_lowercase()), Some(all));
        for bad in ["0", "0g", "é", "+1"] {
            assert_eq!(read_hex(bad), None, "{bad}");
        }
    }
}
