//! A position in a text that only moves forward.

use std::{ops::RangeInclusive, str::FromStr};

use crate::parse::{Excerpt, ExpectedText, ParseError, ParseErrorKind};

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

    /// Moves to the start of `rest`, which is a suffix of the remaining text.
    pub(super) fn skip_to(&mut self, rest: &'a str) {
        self.rest = rest;
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
