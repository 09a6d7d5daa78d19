//! Text and numbers as JSON inside of a script element of a page.

use std::fmt::{self, Write as _};

/// Text from outside as a JSON string that neither ends the script element nor controls a terminal: besides what JSON escapes,
/// `<`, `>`, `&`, control characters and those that change the direction of text.
pub(super) struct Text<'a>(pub(super) &'a str);

impl fmt::Display for Text<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_char('"')?;
        for char in self.0.chars() {
            match char {
                '"' | '\\' => write!(f, "\\{char}")?,
                char if is_escaped(char) => {
                    char.encode_utf16(&mut [0; 2]).iter().try_for_each(|unit| write!(f, "\\u{unit:04x}"))?;
                }
                char => f.write_char(char)?,
            }
        }
        f.write_char('"')
    }
}

fn is_escaped(char: char) -> bool {
    char.is_control()
        || matches!(char,
            '<' | '>' | '&' | '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}'
            | '\u{2028}' | '\u{2029}' | '\u{2066}'..='\u{2069}')
}

/// A number; as text if it is too large for a number of JavaScript.
pub(super) struct Number(pub(super) u64);

impl fmt::Display for Number {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const MAX_SAFE: u64 = (1 << 53) - 1;
        if self.0 <= MAX_SAFE { self.0.fmt(f) } else { write!(f, "\"{}\"", self.0) }
    }
}

/// A value, or `null`.
pub(super) struct OrNull<T>(pub(super) Option<T>);

impl<T: fmt::Display> fmt::Display for OrNull<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            Some(value) => value.fmt(f),
            None => f.write_str("null"),
        }
    }
}

/// An array of values, which are made when it is written.
pub(super) struct List<I>(pub(super) I);

impl<I: Iterator<Item: fmt::Display> + Clone> fmt::Display for List<I> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_char('[')?;
        for (idx, value) in self.0.clone().enumerate() {
            if idx > 0 {
                f.write_char(',')?;
            }
            value.fmt(f)?;
        }
        f.write_char(']')
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_cannot_leave_its_element() {
        let cases = [
            ("plain – ünïcode 🦀", "\"plain – ünïcode 🦀\""),
            ("</script><script>alert(1)", "\"\\u003c/script\\u003e\\u003cscript\\u003ealert(1)\""),
            ("<!--&amp;", "\"\\u003c!--\\u0026amp;\""),
            (
                "a\"\\\n\u{0}\u{1b}\u{9b}\u{202e}\u{2028}",
                "\"a\\\"\\\\\\u000a\\u0000\\u001b\\u009b\\u202e\\u2028\"",
            ),
        ];
        for (text, expected) in cases {
            assert_eq!(Text(text).to_string(), expected);
        }
    }

    #[test]
    fn numbers_keep_their_digits() {
        let numbers = [0, (1 << 53) - 1, 1 << 53, u64::MAX].map(Number);
        let expected = "[0,9007199254740991,\"9007199254740992\",\"18446744073709551615\"]";
        assert_eq!(List(numbers.iter()).to_string(), expected);
        assert_eq!(List([OrNull(Some(1)), OrNull(None)].iter()).to_string(), "[1,null]");
    }
}
