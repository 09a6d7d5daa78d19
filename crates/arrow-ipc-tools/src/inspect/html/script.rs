//! Text and numbers as JSON inside of a script element of a page.

use std::fmt::{self, Write as _};

use crate::escape::Escaped;

/// Text from outside as a JSON string that does not end the script element: besides what JSON escapes, `<`, `>` and `&`. The page
/// shows [`Escaped`] text.
pub(super) struct ScriptText<'a>(pub(super) &'a str);

impl fmt::Display for ScriptText<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_char('"')?;
        for char in Escaped(self.0).to_string().chars() {
            match char {
                '"' | '\\' => write!(f, "\\{char}")?,
                '<' | '>' | '&' => write!(f, "\\u{:04x}", u32::from(char))?,
                char => f.write_char(char)?,
            }
        }
        f.write_char('"')
    }
}

/// A number; as text if it is too large for a number of JavaScript.
pub(super) struct ScriptNumber(pub(super) u64);

impl fmt::Display for ScriptNumber {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const MAX_SAFE: u64 = (1 << 53) - 1;
        if self.0 <= MAX_SAFE { self.0.fmt(f) } else { write!(f, "\"{}\"", self.0) }
    }
}

/// A value, or `null`.
pub(super) struct ScriptOption<T>(pub(super) Option<T>);

impl<T: fmt::Display> fmt::Display for ScriptOption<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            Some(value) => value.fmt(f),
            None => f.write_str("null"),
        }
    }
}

/// An array of values, which are made when it is written.
pub(super) struct ScriptList<I>(pub(super) I);

impl<I: Iterator<Item: fmt::Display> + Clone> fmt::Display for ScriptList<I> {
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
                "\"a\\\"\\\\\\\\n\\\\u{0}\\\\u{1b}\\\\u{9b}\\\\u{202e}\\\\u{2028}\"",
            ),
        ];
        for (text, expected) in cases {
            assert_eq!(ScriptText(text).to_string(), expected);
        }
    }

    #[test]
    fn numbers_keep_their_digits() {
        let numbers = [0, (1 << 53) - 1, 1 << 53, u64::MAX].map(ScriptNumber);
        let expected = "[0,9007199254740991,\"9007199254740992\",\"18446744073709551615\"]";
        assert_eq!(ScriptList(numbers.iter()).to_string(), expected);
        assert_eq!(ScriptList([ScriptOption(Some(1)), ScriptOption(None)].iter()).to_string(), "[1,null]");
    }
}
