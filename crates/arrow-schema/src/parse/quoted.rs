//! JSON strings: names and time zones in quotes, and metadata.

use std::borrow::Cow;

use crate::{
    hidden::is_refused,
    parse::{Cursor, Excerpt, ExpectedText, ParseError, ParseErrorKind},
};

impl<'a> Cursor<'a> {
    /// Reads a JSON string. Accepts all escapes of JSON. Characters that control a terminal must be escaped.
    pub(crate) fn quoted(&mut self) -> Result<Cow<'a, str>, ParseError> {
        self.quoted_unless(is_refused)
    }

    /// Reads a JSON string. Characters that `is_refused` accepts must be escaped in it.
    #[inline(never)]
    pub(super) fn quoted_unless(&mut self, is_refused: fn(char) -> bool) -> Result<Cow<'a, str>, ParseError> {
        let opening = self.clone();
        if !self.eat("\"") {
            return Err(self.unexpected(ExpectedText::Quoted));
        }
        let mut text = Cow::Borrowed("");
        loop {
            // `+=` with an empty text on the left borrows, so nothing is copied.
            text += self.take_while(|c| c != '"' && c != '\\' && !is_refused(c));
            let Some(special) = self.rest().chars().next() else {
                return Err(opening.error(ParseErrorKind::UnclosedQuotes));
            };
            if self.eat("\"") {
                return Ok(text);
            }
            if special != '\\' {
                return Err(self.error(ParseErrorKind::RawCharacter { found: special }));
            }
            text.to_mut().push(self.escape()?);
        }
    }

    fn escape(&mut self) -> Result<char, ParseError> {
        let backslash = self.clone();
        let unknown = |n_chars| {
            let found = Excerpt::from_chars(backslash.rest(), n_chars);
            backslash.error(ParseErrorKind::Escape { found })
        };
        for (escape, character) in ESCAPES {
            if self.eat(escape) {
                return Ok(character);
            }
        }
        let Some(first) = self.unicode_escape() else {
            return Err(unknown(if self.rest().starts_with("\\u") { 6 } else { 2 }));
        };
        let lone = || backslash.error(ParseErrorKind::LoneSurrogate { found: first });
        match first {
            0xd800..=0xdbff => match self.unicode_escape() {
                Some(second @ 0xdc00..=0xdfff) => {
                    char::decode_utf16([first, second]).next().and_then(Result::ok).ok_or_else(lone)
                }
                Some(_) | None => Err(lone()),
            },
            _ => char::from_u32(first.into()).ok_or_else(lone),
        }
    }

    /// Reads `\u` and four hexadecimal digits, if they come next.
    fn unicode_escape(&mut self) -> Option<u16> {
        let (digits, rest) = self.rest().strip_prefix("\\u")?.split_at_checked(4)?;
        if !digits.bytes().all(|digit| digit.is_ascii_hexdigit()) {
            return None;
        }
        let unit = u16::from_str_radix(digits, 16).ok()?;
        self.skip_to(rest);
        Some(unit)
    }
}

const ESCAPES: [(&str, char); 8] = [
    ("\\\"", '"'),
    ("\\\\", '\\'),
    ("\\/", '/'),
    ("\\b", '\u{8}'),
    ("\\f", '\u{c}'),
    ("\\n", '\n'),
    ("\\r", '\r'),
    ("\\t", '\t'),
];
