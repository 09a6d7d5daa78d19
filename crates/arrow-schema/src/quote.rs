//! Quotes and escapes text from outside, so that the text is not read as syntax and does not control a terminal.

use std::fmt::{self, Write as _};

use crate::hidden::{HiddenChars, write_json_escape};

/// Writes text in double quotes, as a JSON string.
///
/// Writes a backslash before quotes and backslashes. [Characters that cannot be seen](HiddenChars), or that change how
/// other characters are shown, become `\n`, `\r`, `\t` or `\uXXXX`. Characters of this kind above U+FFFF become two escapes, a
/// surrogate pair. All other characters are unchanged.
///
/// ```
/// use arrow_schema::QuotedText;
///
/// assert_eq!(QuotedText("say \"hi\"\n").to_string(), r#""say \"hi\"\n""#);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct QuotedText<'a>(pub &'a str);

/// Writes a name without quotes if it is an ASCII identifier, and as [`QuotedText`] otherwise.
///
/// An identifier is a letter or `_`, then letters, digits and `_`.
///
/// ```
/// use arrow_schema::QuotedName;
///
/// assert_eq!(QuotedName("first_name").to_string(), "first_name");
/// assert_eq!(QuotedName("first name").to_string(), "\"first name\"");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct QuotedName<'a>(pub &'a str);

/// Writes text as [`QuotedText`], and absent text as `null`.
///
/// ```
/// use arrow_schema::QuotedOrNull;
///
/// assert_eq!(QuotedOrNull(Some("null")).to_string(), "\"null\"");
/// assert_eq!(QuotedOrNull(None).to_string(), "null");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct QuotedOrNull<'a>(pub Option<&'a str>);

impl fmt::Display for QuotedText<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_char('"')?;
        let mut hidden = HiddenChars::new();
        let mut plain = 0;
        for (at, c) in self.0.char_indices() {
            let is_hidden = hidden.is_next(c);
            if !is_hidden && c != '"' && c != '\\' {
                continue;
            }
            f.write_str(self.0.get(plain..at).unwrap_or_default())?;
            plain = at.saturating_add(c.len_utf8());
            if is_hidden { write_json_escape(c, f)? } else { write!(f, "\\{c}")? }
        }
        f.write_str(self.0.get(plain..).unwrap_or_default())?;
        f.write_char('"')
    }
}

impl fmt::Display for QuotedName<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if is_identifier(self.0) { f.write_str(self.0) } else { QuotedText(self.0).fmt(f) }
    }
}

impl fmt::Display for QuotedOrNull<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            Some(text) => QuotedText(text).fmt(f),
            None => f.write_str("null"),
        }
    }
}

/// Whether a name is written without quotes.
pub(crate) fn is_identifier(name: &str) -> bool {
    let mut bytes = name.bytes();
    bytes.next().is_some_and(|first| first.is_ascii_alphabetic() || first == b'_')
        && bytes.all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
}
