//! Stores the error of a row. The errors of the parser only contain text.

use arrow_array::parse::{Expectation, ValueError, ValueParser};
use arrow_schema::{FieldPath, PathStep};
use serde_core::de::Error;

use crate::read::{
    error::{RowError, RowErrorKind},
    node::NullRule,
    nulls::NullBudget,
};

/// What all values of a row share while the row is read.
pub(super) struct RowContext<'a> {
    line: Line<'a>,
    /// Whether members that are not in the schema are skipped. Otherwise they are errors, as by default.
    pub(super) ignores_unknown: bool,
    /// Limits the memory of nulls.
    pub(super) budget: &'a mut NullBudget,
    pub(super) values: &'a mut ValueParser,
    failure: Option<Box<RowFailure>>,
}

/// The text that is parsed, for finding the position of an error.
#[derive(Debug, Clone, Copy)]
pub(super) enum Line<'a> {
    /// A line of JSON.
    Whole(&'a str),
    /// A cell of CSV, whose position in the line is not known.
    Cell(&'a str),
}

struct RowFailure {
    /// The byte of the line, from 0. `None` if not known.
    byte: Option<usize>,
    path: FieldPath,
    cause: Cause,
}

enum Cause {
    Known(RowErrorKind),
    /// The parser has failed. If it has found valid JSON of another kind, the error says what was expected, which depends on
    /// whether nulls are allowed.
    OfParser(Expectation, NullRule),
}

impl<'a> RowContext<'a> {
    pub(super) fn new(
        line: Line<'a>,
        budget: &'a mut NullBudget,
        values: &'a mut ValueParser,
    ) -> RowContext<'a> {
        RowContext { line, ignores_unknown: false, budget, values, failure: None }
    }

    /// Stores an error with its cause. The returned error only makes the parser stop.
    #[cold]
    pub(super) fn fail<E: Error>(&mut self, kind: impl Into<RowErrorKind>) -> E {
        self.store(Cause::Known(kind.into()));
        E::custom("")
    }

    fn store(&mut self, cause: Cause) {
        let failure = || Box::new(RowFailure { byte: None, path: FieldPath::root(), cause });
        self.failure.get_or_insert_with(failure);
    }

    /// Like [`fail`](RowContext::fail), for an error in `piece`, which is a slice of the line.
    #[cold]
    pub(super) fn fail_at<E: Error>(&mut self, piece: &str, kind: impl Into<RowErrorKind>) -> E {
        let error = self.fail(kind);
        let byte = piece.as_ptr().addr().checked_sub(self.text().as_ptr().addr());
        if let Some(failure) = &mut self.failure {
            failure.byte = failure.byte.or(byte);
        }
        error
    }

    /// Like [`fail`](RowContext::fail), for an error in a field.
    #[cold]
    pub(super) fn fail_in<E: Error>(&mut self, step: &PathStep, kind: impl Into<RowErrorKind>) -> E {
        let error = self.fail(kind);
        self.at(step);
        error
    }

    /// Stores which kind of value is expected next, and whether it may be null, in case the parser fails.
    #[cold]
    pub(super) fn note(&mut self, expected: Expectation, nulls: NullRule) {
        self.store(Cause::OfParser(expected, nulls));
    }

    /// Prepends a step to the path of the error.
    #[cold]
    pub(super) fn at(&mut self, step: &PathStep) {
        if let Some(failure) = &mut self.failure {
            failure.path.prepend(step.clone());
        }
    }

    fn text(&self) -> &'a str {
        match self.line {
            Line::Whole(text) | Line::Cell(text) => text,
        }
    }

    /// Converts an error of the parser to the error of the row.
    #[cold]
    pub(super) fn error(&mut self, error: &serde_json::Error) -> RowError {
        let end = offset(self.text(), error);
        let (byte, path, kind) = match self.failure.take().map(|failure| *failure) {
            Some(RowFailure { byte, path, cause: Cause::Known(kind) }) => {
                (byte.or(end.checked_sub(1)), path, kind)
            }
            Some(RowFailure { byte: _, path, cause: Cause::OfParser(expected, nulls) })
                if error.is_data() =>
            {
                let (byte, token) = token_at(self.text(), end);
                let kind = match (nulls, token, self.line) {
                    (NullRule::Refuse, "null", _) => RowErrorKind::Null,
                    (_, _, Line::Whole(_)) if path.is_root() && expected == Expectation::Object => {
                        RowErrorKind::NotAnObject { found: name_of(token) }
                    }
                    _ => ValueError::new(expected, token).into(),
                };
                (Some(byte), path, kind)
            }
            failure => {
                let path = failure.map_or_else(FieldPath::root, |failure| failure.path);
                let kind = match self.line {
                    Line::Whole(_) if error.is_eof() => RowErrorKind::Unfinished,
                    Line::Whole(_) | Line::Cell(_) => not_json(self.text(), error),
                };
                (end.checked_sub(1), path, kind)
            }
        };
        let byte = match self.line {
            Line::Whole(_) => byte.map(|byte| byte + 1),
            Line::Cell(_) => None,
        };
        RowError::new(0, kind).at_byte(byte).in_path(path)
    }
}

/// The kind of a value that is not an object, from its first character.
fn name_of(token: &str) -> &'static str {
    match token.bytes().next() {
        Some(b'"') => "a string",
        Some(b'n') => "null",
        Some(b't' | b'f') => "a boolean",
        _ => "a number",
    }
}

/// The message of the parser, without its line and column.
pub(in crate::read) fn reason(error: &serde_json::Error) -> Box<str> {
    let text = error.to_string();
    text.rsplit_once(" at line ").map_or(text.as_str(), |(reason, _)| reason).into()
}

/// The error for a text that is not JSON. For NaN and infinities, says that they must be strings.
pub(in crate::read) fn not_json(text: &str, error: &serde_json::Error) -> RowErrorKind {
    let (_, token) = token_at(text, offset(text, error));
    let mut reason = reason(error);
    let is_value = ["expected value", "invalid number"].contains(&&*reason);
    if is_value && ["NaN", "Infinity", "-Infinity"].contains(&token) {
        reason = format!("expected {token:?}, found {token}").into();
    }
    RowErrorKind::NotJson { reason }
}

/// The offset of the error in the text: the number of bytes read, including the byte at which the parser failed.
fn offset(text: &str, error: &serde_json::Error) -> usize {
    let n_before: usize = text.split_inclusive('\n').take(error.line().saturating_sub(1)).map(str::len).sum();
    n_before.saturating_add(error.column())
}

/// The token that contains the byte before `end`, and the offset of the token.
fn token_at(text: &str, end: usize) -> (usize, &str) {
    let is_end = |byte: u8| byte.is_ascii_whitespace() || b"[]{},:\"".contains(&byte);
    let mut start = 0;
    loop {
        let rest = text.as_bytes().get(start..).unwrap_or_default();
        let n_bytes = match rest {
            [] => return (start, ""),
            [b'"', inner @ ..] => n_bytes_of_string(inner) + 1,
            [byte, ..] if is_end(*byte) => 1,
            _ => rest.iter().position(|byte| is_end(*byte)).unwrap_or(rest.len()),
        };
        let end_of_token = start + n_bytes;
        if end_of_token >= end {
            return (start, text.get(start..end_of_token).unwrap_or_default());
        }
        start = end_of_token;
    }
}

/// The length of a string including its closing quote. `inner` begins after the opening quote.
pub(in crate::read) fn n_bytes_of_string(inner: &[u8]) -> usize {
    let mut is_escaped = false;
    for (at, byte) in inner.iter().enumerate() {
        match byte {
            _ if is_escaped => is_escaped = false,
            b'\\' => is_escaped = true,
            b'"' => return at + 1,
            _ => {}
        }
    }
    inner.len()
}
