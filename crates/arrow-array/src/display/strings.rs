//! Writes columns of binary and utf8 values.

use std::fmt;

use arrow_buffer::{any_byte, floor_char_boundary};

use super::{AppendedText, NULL, SHORT_BYTES, TextStyle, WriteSlot};
use crate::array::{
    BinaryViewArray, FixedSizeBinaryArray, GenericBinaryArray, GenericUtf8Array, Utf8ViewArray, Width,
};

/// An array of binary values of any layout.
pub(super) trait ByteSlots: Send + Sync {
    fn bytes(&self, slot: usize) -> Option<&[u8]>;
}

/// An array of utf8 values of any layout.
pub(super) trait TextValues: Send + Sync {
    fn text(&self, slot: usize) -> Option<&str>;
}

impl<O: Width> ByteSlots for GenericBinaryArray<O> {
    fn bytes(&self, slot: usize) -> Option<&[u8]> {
        self.get(slot)
    }
}

impl ByteSlots for BinaryViewArray {
    fn bytes(&self, slot: usize) -> Option<&[u8]> {
        self.get(slot)
    }
}

impl ByteSlots for FixedSizeBinaryArray {
    fn bytes(&self, slot: usize) -> Option<&[u8]> {
        self.get(slot)
    }
}

impl<O: Width> TextValues for GenericUtf8Array<O> {
    fn text(&self, slot: usize) -> Option<&str> {
        self.get(slot)
    }
}

impl TextValues for Utf8ViewArray {
    fn text(&self, slot: usize) -> Option<&str> {
        self.get(slot)
    }
}

/// Writes bytes in hexadecimal.
pub(super) struct Hex<A> {
    pub(super) array: A,
    pub(super) style: TextStyle,
}

impl<A: ByteSlots> WriteSlot for Hex<A> {
    fn write(&self, slot: usize, out: &mut dyn fmt::Write) -> fmt::Result {
        let Some(bytes) = self.array.bytes(slot) else { return out.write_str(NULL) };
        out.write_str(self.style.quote())?;
        write_hex(bytes, out)?;
        out.write_str(self.style.quote())
    }

    fn is_null(&self, slot: usize) -> bool {
        self.array.bytes(slot).is_none()
    }
}

/// Writes text, unchanged or as JSON.
pub(super) struct TextColumn<A> {
    pub(super) array: A,
    pub(super) style: TextStyle,
}

impl<A: TextValues> WriteSlot for TextColumn<A> {
    fn write(&self, slot: usize, out: &mut dyn fmt::Write) -> fmt::Result {
        match (self.array.text(slot), self.style) {
            (None, _) => out.write_str(NULL),
            (Some(text), TextStyle::Cell | TextStyle::LocalCell(_))
                if text == NULL || text.starts_with('"') =>
            {
                write_json(text, out)
            }
            (Some(text), TextStyle::Plain | TextStyle::Cell | TextStyle::LocalCell(_)) => out.write_str(text),
            (Some(text), TextStyle::Json) => write_json(text, out),
        }
    }

    fn append(&self, slot: usize, out: &mut Vec<u8>) -> AppendedText<'_> {
        match (self.array.text(slot), self.style) {
            (None, _) => AppendedText::Null,
            (Some(text), TextStyle::Plain) => AppendedText::Text(text),
            (Some(text), TextStyle::Json) if append_json(text, out) => AppendedText::Short,
            (Some(_), TextStyle::Json | TextStyle::Cell | TextStyle::LocalCell(_)) => AppendedText::Long,
        }
    }

    fn is_null(&self, slot: usize) -> bool {
        self.array.text(slot).is_none()
    }
}

fn write_hex(bytes: &[u8], out: &mut dyn fmt::Write) -> fmt::Result {
    for chunk in bytes.chunks(32) {
        out.write_str(hex_digits(chunk, &mut [0; 64]).ok_or(fmt::Error)?)?;
    }
    Ok(())
}

/// The hexadecimal digits of up to 32 bytes. `None` for more bytes.
pub(super) fn hex_digits<'a>(bytes: &[u8], text: &'a mut [u8; 64]) -> Option<&'a str> {
    const DIGITS: &[u8; 16] = b"0123456789abcdef";
    for (byte, pair) in bytes.iter().zip(text.chunks_exact_mut(2)) {
        pair.copy_from_slice(&[DIGITS[usize::from(byte >> 4)], DIGITS[usize::from(byte & 15)]]);
    }
    text.get(..bytes.len().checked_mul(2)?).and_then(|text| str::from_utf8(text).ok())
}

/// Writes a text as a JSON string. Escapes quotes, backslashes and control characters. Reads and writes the text in pieces, since a
/// writer that compares may want only its start.
pub(super) fn write_json(text: &str, out: &mut dyn fmt::Write) -> fmt::Result {
    out.write_str("\"")?;
    let mut rest = text;
    while !rest.is_empty() {
        let (piece, after) = rest.split_at(floor_char_boundary(rest, SHORT_BYTES));
        if any_byte(piece.as_bytes(), may_need_escape) {
            write_escaped(piece, out)?
        } else {
            out.write_str(piece)?
        }
        rest = after;
    }
    out.write_str("\"")
}

/// Appends the text that [`write_json`] writes. Returns `false` and appends nothing if the text may be long.
fn append_json(text: &str, out: &mut Vec<u8>) -> bool {
    if !any_byte(text.as_bytes(), may_need_escape) {
        if text.len() > SHORT_BYTES {
            return false;
        }
        out.push(b'"');
        out.extend_from_slice(text.as_bytes());
        out.push(b'"');
        return true;
    }
    // An escape has up to six times the length of its character.
    text.len() <= SHORT_BYTES / 8 && write_json(text, &mut ByteWriter(out)).is_ok()
}

/// Appends written text to a vector of bytes.
pub(super) struct ByteWriter<'a>(pub(super) &'a mut Vec<u8>);

impl fmt::Write for ByteWriter<'_> {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        self.0.extend_from_slice(text.as_bytes());
        Ok(())
    }
}

/// Whether a byte starts a character that may need an escape. U+0080 to U+009F start with C2.
#[inline]
fn may_need_escape(byte: u8) -> bool {
    (byte < b' ') | (byte == b'"') | (byte == b'\\') | (byte == 0x7F) | (byte == 0xC2)
}

fn write_escaped(text: &str, out: &mut dyn fmt::Write) -> fmt::Result {
    let mut rest = text;
    while let Some(at) = rest.find(|c: char| c == '"' || c == '\\' || c.is_control()) {
        let (plain, from_special) = rest.split_at(at);
        out.write_str(plain)?;
        let mut chars = from_special.chars();
        match chars.next() {
            Some('"') => out.write_str("\\\"")?,
            Some('\\') => out.write_str("\\\\")?,
            Some('\n') => out.write_str("\\n")?,
            Some('\r') => out.write_str("\\r")?,
            Some('\t') => out.write_str("\\t")?,
            Some(control) => write!(out, "\\u{:04x}", u32::from(control))?,
            None => {}
        }
        rest = chars.as_str();
    }
    out.write_str(rest)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn json_strings() {
        for (text, json) in [
            ("", r#""""#),
            ("plain", r#""plain""#),
            ("a\"b\\c", r#""a\"b\\c""#),
            ("line\nbreak\ttab", r#""line\nbreak\ttab""#),
            ("\0\u{1b}[31m\u{7f}", r#""\u0000\u001b[31m\u007f""#),
            ("\u{80}\u{9f}\u{a0}é", "\"\\u0080\\u009f\u{a0}é\""),
            ("grüße 東京 🦀", r#""grüße 東京 🦀""#),
            ("\u{2028}\u{202e}", "\"\u{2028}\u{202e}\""),
        ] {
            let mut out = String::new();
            write_json(text, &mut out).unwrap();
            assert_eq!(out, json);
        }
    }

    /// What compares text with what is written need not read all of it.
    #[test]
    fn long_json_strings_are_written_in_pieces() {
        struct Refusing(Option<usize>);
        impl fmt::Write for Refusing {
            fn write_str(&mut self, text: &str) -> fmt::Result {
                self.0 = self.0.max(Some(text.len()));
                if text == "\"" { Ok(()) } else { Err(fmt::Error) }
            }
        }
        for character in ["x", "é", "東", "🦀"] {
            let text = format!("y{}", character.repeat(1 << 16));
            let mut out = Refusing(None);
            write_json(&text, &mut out).unwrap_err();
            assert!(out.0 <= Some(SHORT_BYTES), "{out:?}", out = out.0);
            let mut written = String::new();
            write_json(&text, &mut written).unwrap();
            assert_eq!(written, format!("\"{text}\""));
            let text = format!("{text}\n{text}\"");
            written.clear();
            write_json(&text, &mut written).unwrap();
            assert_eq!(written, format!("\"{}\"", text.replace('"', "\\\"").replace('\n', "\\n")));
        }
    }

    #[test]
    fn hexadecimal_of_any_length() {
        for n_bytes in [0, 1, 31, 32, 33, 100] {
            let bytes: Vec<u8> = (0..n_bytes).map(|byte| 255 - byte).collect();
            let mut out = String::new();
            write_hex(&bytes, &mut out).unwrap();
            assert_eq!(out, bytes.iter().map(|byte| format!("{byte:02x}")).collect::<String>());
        }
    }
}
