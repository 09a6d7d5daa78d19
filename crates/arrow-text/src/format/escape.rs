//! Escapes and cuts names, paths and values, which may be long, and may contain characters that control a terminal.

use std::fmt::{self, Write as _};

use arrow_schema::{HiddenChars, write_escape, write_json_escape};

/// Formats text on one line. Line ends, [invisible characters](HiddenChars), and characters that change how other
/// characters are displayed become escapes, such as `\n` or `\u{9b}`.
#[derive(Debug, Clone, Copy)]
pub struct Escaped<'a>(pub &'a str);

impl fmt::Display for Escaped<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Fast path: most text has only printable ASCII characters, which need no escapes.
        if self.0.bytes().all(|byte| (b' '..=b'~').contains(&byte)) {
            return f.write_str(self.0);
        }
        let mut hidden = HiddenChars::new();
        for char in self.0.chars() {
            if hidden.is_next(char) { write_escape(char, f)? } else { f.write_char(char)? }
        }
        Ok(())
    }
}

/// Formats JSON values, each on its own line. Escapes characters in their strings that could control a terminal.
#[derive(Debug, Clone, Copy)]
pub struct EscapedJson<'a>(pub &'a str);

impl fmt::Display for EscapedJson<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut hidden = HiddenChars::new();
        self.0.chars().try_for_each(|char| match char {
            char if hidden.is_next(char) && char != '\n' => write_json_escape(char, f),
            char => f.write_char(char),
        })
    }
}

/// The first `n_chars` characters of a text, with an ellipsis if the text is longer.
pub fn first_chars(mut text: String, n_chars: usize) -> String {
    if let Some((end, _)) = text.char_indices().nth(n_chars) {
        text.truncate(end);
        text.push('…');
    }
    text
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
            ("a\u{feff}\u{e0041}\u{200d} 👩\u{200d}🚀", "a\\u{feff}\\u{e0041}\\u{200d} 👩\u{200d}🚀"),
        ];
        for (text, expected) in cases {
            assert_eq!(Escaped(text).to_string(), expected);
        }
        assert_eq!(EscapedJson("\"\u{1b}é\u{202e}\"\n").to_string(), "\"\\u001bé\\u202e\"\n");
        assert_eq!(EscapedJson("\"\u{e0041}\"").to_string(), "\"\\udb40\\udc41\"");
    }
}
