//! Converts text in other encodings to UTF-8.

use std::{fmt, io::BufReader};

use super::rewriting::{Rewrite, RewritingReader};
use crate::byte_counter::BUFFER_BYTES;
use crate::compressed::ArrivingBytes;
use crate::error::foreign::is_utf16;

/// The encoding of text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TextEncoding {
    /// UTF-8.
    Utf8,
    /// UTF-16, little-endian.
    Utf16Little,
    /// UTF-16, big-endian.
    Utf16Big,
    /// ISO 8859-1: each byte is the code point of a character.
    Latin1,
    /// Windows-1252, the encoding of Windows in western Europe and America.
    Windows1252,
}

/// The characters of the bytes 0x80 to 0x9f in Windows-1252. NUL stands for the five bytes that encode no character.
const OF_WINDOWS: &str = "€\0‚ƒ„…†‡ˆ‰Š‹Œ\0Ž\0\0‘’“”•–—˜™š›œ\0žŸ";

impl fmt::Display for TextEncoding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl TextEncoding {
    /// The name in texts for people.
    pub(super) fn name(self) -> &'static str {
        match self {
            TextEncoding::Utf8 => "UTF-8",
            TextEncoding::Utf16Little => "UTF-16, little-endian",
            TextEncoding::Utf16Big => "UTF-16, big-endian",
            TextEncoding::Latin1 => "latin1",
            TextEncoding::Windows1252 => "windows-1252",
        }
    }

    /// The encoding that the first bytes indicate: a byte order mark, or four ASCII characters in UTF-16. Otherwise `None`.
    pub(super) fn from_byte_order_mark(start: &[u8]) -> Option<TextEncoding> {
        match start {
            [0xef, 0xbb, 0xbf, ..] => Some(TextEncoding::Utf8),
            [0xff, 0xfe, ..] => Some(TextEncoding::Utf16Little),
            [0xfe, 0xff, ..] => Some(TextEncoding::Utf16Big),
            [0, ..] if is_utf16(start) => Some(TextEncoding::Utf16Big),
            _ => is_utf16(start).then_some(TextEncoding::Utf16Little),
        }
    }

    /// Converts text to UTF-8. Reading fails at bytes that encode no character.
    pub(super) fn decoded(self, text: ArrivingBytes) -> ArrivingBytes {
        if self == TextEncoding::Utf8 {
            return text;
        }
        let decoder = UnitDecoder { encoding: self, first: None, high: None };
        Box::new(BufReader::with_capacity(BUFFER_BYTES, RewritingReader::new(text, decoder)))
    }
}

struct UnitDecoder {
    encoding: TextEncoding,
    /// The first byte of a UTF-16 code unit, until the second byte arrives.
    first: Option<u8>,
    /// A high surrogate, until the low surrogate arrives.
    high: Option<u16>,
}

impl Rewrite for UnitDecoder {
    fn byte(&mut self, byte: u8, _: u64, text: &mut Vec<u8>) -> Result<(), &'static str> {
        match (self.encoding, self.first.take()) {
            (TextEncoding::Utf16Little | TextEncoding::Utf16Big, None) => self.first = Some(byte),
            (TextEncoding::Utf16Little, Some(first)) => {
                self.unit(u16::from_le_bytes([first, byte]), text)?;
            }
            (TextEncoding::Utf16Big, Some(first)) => self.unit(u16::from_be_bytes([first, byte]), text)?,
            (TextEncoding::Windows1252, _) if matches!(byte, 0x80..=0x9f) => {
                let windows_char = OF_WINDOWS.chars().nth(usize::from(byte & 0x1f));
                let windows_char = windows_char.filter(|found| *found != '\0');
                push(text, windows_char.ok_or("a byte is no character of windows-1252")?);
            }
            (TextEncoding::Utf8 | TextEncoding::Latin1 | TextEncoding::Windows1252, _) => {
                push(text, char::from(byte));
            }
        }
        Ok(())
    }

    fn end(&self) -> Result<(), &'static str> {
        let is_inside = self.first.is_some() || self.high.is_some();
        if is_inside { Err("the text ends inside a character of UTF-16") } else { Ok(()) }
    }
}

impl UnitDecoder {
    fn unit(&mut self, unit: u16, text: &mut Vec<u8>) -> Result<(), &'static str> {
        let high = self.high.take();
        if high.is_none() && matches!(unit, 0xd800..=0xdbff) {
            self.high = Some(unit);
            return Ok(());
        }
        for decoded in char::decode_utf16(high.into_iter().chain([unit])) {
            push(text, decoded.map_err(|_| "half of a pair of surrogates is no character of UTF-16")?);
        }
        Ok(())
    }
}

fn push(text: &mut Vec<u8>, char: char) {
    text.extend_from_slice(char.encode_utf8(&mut [0; 4]).as_bytes());
}

#[cfg(test)]
mod tests {
    use std::io::{Cursor, Read};

    use super::*;

    fn decoded(encoding: TextEncoding, bytes: &[u8]) -> Result<String, String> {
        let bytewise = BufReader::with_capacity(1, Cursor::new(bytes.to_vec()));
        let mut found = Vec::new();
        for text in [Box::new(Cursor::new(bytes.to_vec())) as ArrivingBytes, Box::new(bytewise)] {
            let mut all = String::new();
            let read = encoding.decoded(text).read_to_string(&mut all);
            found.push(read.map(|_| all).map_err(|error| error.to_string()));
        }
        assert_eq!(found[0], found[1]);
        found.swap_remove(0)
    }

    #[test]
    fn encodings_are_read_as_utf_8() {
        use TextEncoding::{Latin1, Utf8, Utf16Big, Utf16Little, Windows1252};
        let cases: [(TextEncoding, &[u8], Result<&str, &str>); 13] = [
            (Utf16Big, b"\0a\xff\xfe", Ok("a\u{fffe}")),
            (Utf8, b"gr\xc3\xbcn", Ok("grün")),
            (Latin1, b"gr\xfcn \x80", Ok("grün \u{80}")),
            (Windows1252, b"5 \x80, gr\xfcn \x9f", Ok("5 €, grün Ÿ")),
            (Windows1252, b"ab\x81", Err("a byte is no character of windows-1252, at byte 2")),
            (Utf16Little, b"\xff\xfea\0\xfc\0\x3d\xd8\x00\xde", Ok("\u{feff}aü😀")),
            (Utf16Big, b"\xfe\xff\0a\0\xfc\xd8\x3d\xde\x00", Ok("\u{feff}aü😀")),
            (Utf16Little, b"", Ok("")),
            (Utf16Little, b"a\0b", Err("the text ends inside a character of UTF-16, at byte 3")),
            (Utf16Little, b"a\0\x3d\xd8", Err("the text ends inside a character of UTF-16, at byte 4")),
            (
                Utf16Little,
                b"\x3d\xd8a\0",
                Err("half of a pair of surrogates is no character of UTF-16, at byte 3"),
            ),
            (Utf16Big, b"\xde\x00", Err("half of a pair of surrogates is no character of UTF-16, at byte 1")),
            (
                Utf16Big,
                b"\xd8\x3d\xd8\x3d",
                Err("half of a pair of surrogates is no character of UTF-16, at byte 3"),
            ),
        ];
        for (encoding, bytes, expected) in cases {
            let expected = expected.map(str::to_owned).map_err(str::to_owned);
            assert_eq!(decoded(encoding, bytes), expected, "{encoding:?} {bytes:x?}");
        }
    }
}
