//! Escapes for text from outside that people will see: names, paths and values may hold what controls a terminal.

use std::fmt::{self, Write as _};

/// Text from outside on one line: escapes control characters, line ends and characters that change the direction of text,
/// as `\n` or `\u{9b}`.
#[derive(Debug, Clone, Copy)]
pub struct Escaped<'a>(pub &'a str);

impl fmt::Display for Escaped<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // As nearly all text is.
        if self.0.bytes().all(|byte| (b' '..=b'~').contains(&byte)) {
            return f.write_str(self.0);
        }
        for char in self.0.chars() {
            match char {
                '\n' => f.write_str("\\n")?,
                '\r' => f.write_str("\\r")?,
                '\t' => f.write_str("\\t")?,
                char if is_unsafe(char) => write!(f, "\\u{{{:x}}}", u32::from(char))?,
                char => f.write_char(char)?,
            }
        }
        Ok(())
    }
}

/// JSON on its way to a terminal, one value on a line: outside of strings it has no characters that need an escape.
#[derive(Debug, Clone, Copy)]
pub struct EscapedJson<'a>(pub &'a str);

impl fmt::Display for EscapedJson<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.chars().try_for_each(|char| match char {
            char if char != '\n' && is_unsafe(char) => {
                char.encode_utf16(&mut [0; 2]).iter().try_for_each(|unit| write!(f, "\\u{unit:04x}"))
            }
            char => f.write_char(char),
        })
    }
}

/// Whether a character may control a terminal, or change the direction of text.
fn is_unsafe(char: char) -> bool {
    char.is_control()
        || matches!(char,
            '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}'
            | '\u{2028}' | '\u{2029}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn control_characters_are_escaped() {
        let cases = [
            ("plain – ünïcode", "plain – ünïcode"),
            ("\u{1b}[31mred\u{7f}\u{9b}", "\\u{1b}[31mred\\u{7f}\\u{9b}"),
            ("a\tb\r\nc", "a\\tb\\r\\nc"),
            ("\u{202e}abc\u{2028}", "\\u{202e}abc\\u{2028}"),
        ];
        for (text, expected) in cases {
            assert_eq!(Escaped(text).to_string(), expected);
        }
        assert_eq!(EscapedJson("\"\u{1b}é\u{202e}\"\n").to_string(), "\"\\u001bé\\u202e\"\n");
    }
}
