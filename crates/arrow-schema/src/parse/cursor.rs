//! A position in a text that only moves forward. Reads words, numbers, and names and time zones in quotes.

use std::{borrow::Cow, ops::RangeInclusive, str::FromStr};

use crate::{
    hidden::is_refused,
    parse::{Excerpt, ExpectedText, ParseError, ParseErrorKind},
};

/// The rest of a text, and its position in the text.
#[derive(Debug, Clone)]
pub(crate) struct Cursor<'a> {
    text: &'a str,
    // Always a suffix of `text`.
    rest: &'a str,
    /// Whether any number of spaces may follow a comma, colon or semicolon, and not one, as in printed types.
    has_any_spacing: bool,
}

/// The smallest and the largest number allowed.
pub(crate) type NumberRange = RangeInclusive<i64>;

impl<'a> Cursor<'a> {
    pub(crate) fn new(text: &'a str) -> Self {
        Self { text, rest: text, has_any_spacing: false }
    }

    pub(crate) fn with_any_spacing(self) -> Self {
        Self { has_any_spacing: true, ..self }
    }

    /// The number of bytes that have been read.
    pub(crate) fn position(&self) -> usize {
        self.text.len().saturating_sub(self.rest.len())
    }

    pub(crate) fn rest(&self) -> &'a str {
        self.rest
    }

    pub(crate) fn is_at_end(&self) -> bool {
        self.rest.is_empty()
    }

    /// Skips the token if the text continues with it.
    pub(crate) fn eat(&mut self, token: &str) -> bool {
        let after = if self.has_any_spacing {
            after_any_spaces(self.rest, token)
        } else {
            self.rest.strip_prefix(token)
        };
        self.rest = after.unwrap_or(self.rest);
        after.is_some()
    }

    pub(crate) fn expect(&mut self, token: &'static str) -> Result<(), ParseError> {
        if self.eat(token) { Ok(()) } else { Err(self.unexpected_token(&[token])) }
    }

    pub(crate) fn end(&self) -> Result<(), ParseError> {
        if self.is_at_end() { Ok(()) } else { Err(self.unexpected(ExpectedText::End)) }
    }

    /// Skips all characters that pass the test. There may be none.
    pub(crate) fn take_while(&mut self, is_wanted: impl Fn(char) -> bool) -> &'a str {
        let (taken, rest) = self.rest.split_at(self.rest.find(|c| !is_wanted(c)).unwrap_or(self.rest.len()));
        self.rest = rest;
        taken
    }

    /// Skips ASCII letters, digits and `_`.
    pub(crate) fn word(&mut self) -> &'a str {
        self.take_while(|c| c.is_ascii_alphanumeric() || c == '_')
    }

    /// Skips the next word and returns the value that `choices` has for it; an error if `choices` does not have the
    /// word.
    #[inline(never)]
    pub(crate) fn choice<T: Clone>(&mut self, choices: &[(&'static str, T)]) -> Result<T, ParseError> {
        let here = self.clone();
        let word = self.word();
        match choices.iter().find(|(name, _)| *name == word) {
            Some((_, value)) => Ok(value.clone()),
            None => {
                let names: Vec<&'static str> = choices.iter().map(|(name, _)| *name).collect();
                Err(here.unexpected_token(&names))
            }
        }
    }

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
        self.rest = rest;
        Some(unit)
    }

    /// Reads a whole number without leading zeros or a needless sign. Callers check its range; `what` and `legal` are for
    /// the message if the number does not fit `T`.
    #[inline(never)]
    pub(crate) fn number<T: FromStr>(
        &mut self,
        what: &'static str,
        legal: NumberRange,
    ) -> Result<T, ParseError> {
        let start = self.clone();
        let is_negative = self.eat("-");
        let digits = self.take_while(|c| c.is_ascii_digit());
        let number = self.since(&start);
        if digits.is_empty() {
            return Err(start.unexpected(ExpectedText::Number));
        }
        if digits.starts_with('0') && (is_negative || digits != "0") {
            return Err(start.error(ParseErrorKind::NumberForm { found: Excerpt::new(number) }));
        }
        number.parse().map_err(|_| start.out_of_range(what, number, legal))
    }

    /// The text from an earlier position to the current one.
    pub(crate) fn since(&self, start: &Self) -> &'a str {
        let n_bytes = self.position().saturating_sub(start.position());
        start.rest().get(..n_bytes).unwrap_or_default()
    }

    #[cold]
    pub(crate) fn out_of_range(&self, what: &'static str, number: &str, legal: NumberRange) -> ParseError {
        let (min, max) = legal.into_inner();
        self.error(ParseErrorKind::NumberOutOfRange { what, found: Excerpt::new(number), min, max })
    }

    #[cold]
    pub(crate) fn unexpected_token(&self, tokens: &[&'static str]) -> ParseError {
        self.unexpected(ExpectedText::AnyOf(tokens.into()))
    }

    #[cold]
    pub(crate) fn unexpected(&self, expected: ExpectedText) -> ParseError {
        self.error(ParseErrorKind::Unexpected { expected, found: Excerpt::new(self.rest) })
    }

    #[cold]
    pub(crate) fn error(&self, kind: impl Into<ParseErrorKind>) -> ParseError {
        ParseError::new(self.text, self.position(), kind.into())
    }
}

/// The rest of a text after a token; `None` if the text does not begin with the token. After punctuation, the text may
/// have any number of spaces.
fn after_any_spaces<'a>(text: &'a str, token: &str) -> Option<&'a str> {
    let mut rest = text;
    let mut is_after_sign = false;
    for wanted in token.chars() {
        rest = match wanted {
            ' ' if is_after_sign => rest.trim_start_matches(' '),
            _ => rest.strip_prefix(wanted)?,
        };
        is_after_sign = matches!(wanted, ',' | ':' | ';');
    }
    Some(rest)
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
