//! The tokens of predicates, and names of columns in their notation.

use std::ops::Range;

use arrow_schema::QuotedText;

use super::{ComparisonOperator, PredicateErrorKind as Kind};
use crate::cast::shown;

/// A word, an operator or a quoted text.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Token<'a> {
    /// A name, or several names with points between them. A name may be in double quotes.
    Word(&'a str),
    /// A text in single quotes, with these quotes.
    Text(&'a str),
    /// Bytes as hexadecimal digits in quotes of either kind, without `x`.
    Bytes(&'a str),
    Number(&'a str),
    Compare(ComparisonOperator),
    Open,
    Close,
    Comma,
    /// A character that is only allowed in quotes.
    Other(&'a str),
    End,
}

/// Whether a word is a keyword. A column of this name needs quotes.
pub(super) fn is_keyword(word: &str) -> bool {
    ["and", "or", "not", "in", "is", "like", "between", "null", "true", "false"]
        .iter()
        .any(|keyword| word.eq_ignore_ascii_case(keyword))
}

/// Whether a character ends a constant that lacks quotes.
pub(super) fn ends_constant(c: char) -> bool {
    c.is_whitespace() || ",;()<>=!≠'\"".contains(c)
}

/// The name or path of a column in the notation of predicates, with quotes if it needs them.
pub(super) fn quoted_if_needed(name: String) -> String {
    if is_column(&name) { name } else { QuotedText(&name).to_string() }
}

/// Whether the parser would read this text as a column.
fn is_column(text: &str) -> bool {
    let is_word = next_token(text) == Ok((Token::Word(text), text.len()));
    is_word && !is_keyword(text) && as_path(text) == text
}

/// A column in the notation of [`Schema::path`](arrow_schema::Schema::path), in which quotes inside a quoted name have a
/// backslash, and characters that cannot be seen are escapes.
pub(super) fn as_path(word: &str) -> String {
    let mut path = String::with_capacity(word.len());
    let mut is_quoted = false;
    let mut chars = word.chars().peekable();
    while let Some(c) = chars.next() {
        match c {
            '"' if is_quoted && chars.next_if_eq(&'"').is_some() => path.push_str("\\\""),
            '\\' => path.extend([Some(c), chars.next()].into_iter().flatten()),
            '"' => {
                is_quoted = !is_quoted;
                path.push(c);
            }
            _ => path.push_str(QuotedText(c.encode_utf8(&mut [0; 4])).to_string().trim_matches('"')),
        }
    }
    path
}

/// The token at the start of a text, and its length. The text must not begin with a space.
pub(super) fn next_token(text: &str) -> Result<(Token<'_>, usize), (Range<usize>, Kind)> {
    const SIGNS: [(&str, Token<'static>); 12] = [
        ("(", Token::Open),
        (")", Token::Close),
        (",", Token::Comma),
        ("<=", Token::Compare(ComparisonOperator::LessOrEqual)),
        ("<>", Token::Compare(ComparisonOperator::NotEqual)),
        ("<", Token::Compare(ComparisonOperator::Less)),
        (">=", Token::Compare(ComparisonOperator::GreaterOrEqual)),
        (">", Token::Compare(ComparisonOperator::Greater)),
        ("==", Token::Compare(ComparisonOperator::Equal)),
        ("=", Token::Compare(ComparisonOperator::Equal)),
        ("!=", Token::Compare(ComparisonOperator::NotEqual)),
        ("≠", Token::Compare(ComparisonOperator::NotEqual)),
    ];
    if let Some((sign, token)) = SIGNS.iter().find(|(sign, _)| text.starts_with(sign)) {
        return Ok((*token, sign.len()));
    }
    let Some(first) = text.chars().next() else { return Ok((Token::End, 0)) };
    let part = |n_bytes: usize| text.get(..n_bytes).unwrap_or(text);
    if first == '\'' {
        let n_bytes = quoted_len(text, '\'').ok_or((0..1, Kind::OpenQuote))?;
        return Ok((Token::Text(part(n_bytes)), n_bytes));
    }
    let quoted = text.strip_prefix(['x', 'X']).unwrap_or_default();
    if let Some(quote) = ['\'', '"'].into_iter().find(|quote| quoted.starts_with(*quote)) {
        let n_bytes = quoted_len(quoted, quote).ok_or((1..2, Kind::OpenQuote))?;
        return Ok((Token::Bytes(quoted.get(..n_bytes).unwrap_or_default()), n_bytes.saturating_add(1)));
    }
    if first.is_ascii_digit() || "+-.".contains(first) {
        let n_bytes = number_len(text);
        return Ok((Token::Number(part(n_bytes)), n_bytes));
    }
    let mut n_bytes = 0_usize;
    loop {
        let rest = text.get(n_bytes..).unwrap_or_default();
        let n_step = if rest.starts_with('"') {
            let whole = n_bytes..n_bytes.saturating_add(1);
            quoted_len(rest, '"').ok_or((whole, Kind::OpenQuote))?
        } else {
            rest.find(|c: char| !is_of_name(c)).unwrap_or(rest.len())
        };
        n_bytes = n_bytes.saturating_add(n_step);
        match text.get(n_bytes..).and_then(|rest| rest.chars().next()) {
            Some('.') if n_step > 0 => n_bytes = n_bytes.saturating_add(1),
            _ if n_step == 0 => {
                if n_bytes == 0 {
                    return Ok((Token::Other(part(first.len_utf8())), first.len_utf8()));
                }
                let end = n_bytes.saturating_add(rest.chars().next().map_or(0, char::len_utf8));
                let found = text.get(n_bytes..end).filter(|found| !found.is_empty());
                let found = found.map_or_else(|| "the end".to_owned(), shown);
                let expected = "a name after the point";
                return Err((n_bytes..end, Kind::Syntax { expected, found }));
            }
            _ => return Ok((Token::Word(part(n_bytes)), n_bytes)),
        }
    }
}

/// Whether a name without quotes may contain this character.
pub(super) fn is_of_name(c: char) -> bool {
    c.is_alphanumeric() && !is_escaped(c) || c == '_' || c == '$' || c == '@'
}

/// Whether [`as_path`] writes an escape for this character, as for letters that cannot be seen. It is only read in quotes.
fn is_escaped(c: char) -> bool {
    !c.is_ascii() && QuotedText(c.encode_utf8(&mut [0; 4])).to_string().contains('\\')
}

/// The length of a number and of the characters that directly follow it, so that an error shows the whole word.
fn number_len(text: &str) -> usize {
    let mut before = ' ';
    let is_end = |c: char| {
        let is_part = c.is_alphanumeric()
            || c == '.'
            || c == '_'
            || ("+-".contains(c) && (before == ' ' || before.eq_ignore_ascii_case(&'e')));
        before = c;
        !is_part
    };
    text.find(is_end).unwrap_or(text.len())
}

/// The length of the quoted text at the start of a text. `None` if the quote is not closed. A doubled quote stands
/// for one quote. In double quotes, a character after `\` stands for itself.
fn quoted_len(text: &str, quote: char) -> Option<usize> {
    let mut chars = text.char_indices().skip(1).peekable();
    while let Some((idx, c)) = chars.next() {
        if c == '\\' && quote == '"' {
            chars.next();
        } else if c == quote {
            match chars.peek() {
                Some((_, next)) if *next == quote => drop(chars.next()),
                _ => return idx.checked_add(1),
            }
        }
    }
    None
}

/// A date with the time of day that follows it after a space, or else the same constant.
pub(super) fn with_time<'a>(constant: &'a str, rest: &'a str) -> &'a str {
    let is_number = |text: &str, n: usize| text.len() == n && text.bytes().all(|byte| byte.is_ascii_digit());
    let parts = constant.split('-').zip([4, 2, 2]);
    let is_date = constant.len() == 10 && parts.filter(|(part, n)| is_number(part, *n)).count() == 3;
    let time = rest.get(constant.len()..).and_then(|after| after.strip_prefix(' '));
    let time = time.and_then(|time| time.split(ends_constant).next()).unwrap_or_default();
    let is_time = time.split(':').next().is_some_and(|hours| is_number(hours, 2)) && time.contains(':');
    let end = constant.len().saturating_add(1).saturating_add(time.len());
    if is_date && is_time { rest.get(..end).unwrap_or(constant) } else { constant }
}

/// The content of a text in single quotes.
pub(super) fn unquoted(text: &str) -> String {
    let inside = text.strip_prefix('\'').and_then(|text| text.strip_suffix('\''));
    inside.unwrap_or(text).replace("''", "'")
}

/// The content of a word that is a single text in double quotes, otherwise `None`. `\"` and `""` stand for a quote, and `\\`
/// for a backslash.
pub(super) fn only_quoted(word: &str) -> Option<String> {
    if quoted_len(word, '"') != Some(word.len()) {
        return None;
    }
    let inside = word.strip_prefix('"')?.strip_suffix('"')?;
    let mut text = String::with_capacity(inside.len());
    let mut chars = inside.chars().peekable();
    while let Some(c) = chars.next() {
        let escaped = chars.next_if(|next| matches!((c, next), ('\\' | '"', '"') | ('\\', '\\')));
        text.push(escaped.unwrap_or(c));
    }
    Some(text)
}
