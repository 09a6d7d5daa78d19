//! JSON on one line, without characters that can control a terminal.

use std::{fmt, io};

use arrow_schema::{HiddenChars, write_json_escape};
use serde_core::Serialize;
use serde_json::ser::{CharEscape, CompactFormatter, Formatter, Serializer};

/// Formats a value as JSON on one line. Strings have escapes instead of [hidden characters](HiddenChars).
#[derive(Debug, Clone, Copy)]
pub struct JsonLine<T>(pub T);

impl<T: Serialize> fmt::Display for JsonLine<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut line = Vec::new();
        write(&mut line, &self.0).map_err(|_| fmt::Error)?;
        f.write_str(str::from_utf8(&line).map_err(|_| fmt::Error)?)
    }
}

/// Writes a value like [`JsonLine`], and ends the line. Nothing is gathered in memory.
pub(crate) fn write_line(out: &mut dyn io::Write, value: &impl Serialize) -> io::Result<()> {
    write(out, value)?;
    out.write_all(b"\n")
}

/// The output is behind a pointer, so that each type is compiled for one serializer.
fn write(out: &mut dyn io::Write, value: &impl Serialize) -> io::Result<()> {
    let mut serializer = Serializer::with_formatter(out, HiddenEscapes::default());
    Ok(value.serialize(&mut serializer)?)
}

/// Writes the hidden characters of strings as escapes.
#[derive(Default)]
struct HiddenEscapes {
    /// A string comes in fragments, and the character before a fragment may make its first one visible.
    hidden: HiddenChars,
}

impl Formatter for HiddenEscapes {
    fn begin_string<W: io::Write + ?Sized>(&mut self, out: &mut W) -> io::Result<()> {
        self.hidden = HiddenChars::new();
        CompactFormatter.begin_string(out)
    }

    fn write_string_fragment<W: io::Write + ?Sized>(&mut self, out: &mut W, text: &str) -> io::Result<()> {
        let mut start = 0;
        for (idx, char) in text.char_indices() {
            if self.hidden.is_next(char) {
                out.write_all(&text.as_bytes()[start..idx])?;
                out.write_all(escape(char).as_bytes())?;
                start = idx + char.len_utf8();
            }
        }
        out.write_all(&text.as_bytes()[start..])
    }

    fn write_char_escape<W: io::Write + ?Sized>(&mut self, out: &mut W, char: CharEscape) -> io::Result<()> {
        self.hidden = HiddenChars::new();
        CompactFormatter.write_char_escape(out, char)
    }
}

#[cold]
fn escape(char: char) -> String {
    let mut escape = String::new();
    // Writing to a `String` cannot fail.
    let _ = write_json_escape(char, &mut escape);
    escape
}

#[cfg(test)]
mod tests {
    use arrow_text::format::EscapedJson;
    use serde_json::{Value, json};

    use super::*;
    use crate::json::AsText;

    #[test]
    fn members_keep_their_order_and_control_characters_are_escaped() {
        let value = json!({
            "text": "a\"\\\u{7}\u{9b}é\u{202e}", "list": [null, true, u64::MAX, -1], "empty": {}
        });
        let text = JsonLine(&value).to_string();
        assert_eq!(
            text,
            "{\"text\":\"a\\\"\\\\\\u0007\\u009bé\\u202e\",\"list\":[null,true,18446744073709551615,-1],\"empty\":{}}"
        );
        assert_eq!(serde_json::from_str::<Value>(&text).unwrap(), value);
    }

    /// However a string is cut into fragments, the line is what the escapes of a whole text give.
    #[test]
    fn fragments_are_escaped_like_whole_text() {
        let texts = [
            "❤\u{fe0f}\u{200d}🔥",
            "a\u{fe0f}\u{200d}b",
            "\u{200d}",
            "क्\u{200d}ष",
            "🚀\n\u{200d}",
            "🚀\"\u{200d}\u{e0041}\u{7f}",
        ];
        for text in texts {
            let expected = EscapedJson(&json!([text, {text: text}]).to_string()).to_string();
            assert_eq!(JsonLine(json!([text, {text: text}])).to_string(), expected);
            let chars = JsonLine(AsText(Chars(text))).to_string();
            assert_eq!(chars, EscapedJson(&json!(text).to_string()).to_string());
        }
    }

    /// Writes each character alone.
    struct Chars(&'static str);

    impl fmt::Display for Chars {
        fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            self.0.chars().try_for_each(|char| fmt::Write::write_char(f, char))
        }
    }
}
