//! Corrects texts that are not predicates, if the intended predicate is clear.

use std::{ops::Range, str::FromStr};

use arrow_schema::Quoted;

use super::{
    Predicate, PredicateError, PredicateErrorKind as Kind,
    text::{GREATEST, LIST, parsed},
    unquoted::{OTHER_QUOTES, SPACE, without_other_quotes},
};

/// Operators of other languages. Each row has the end of the text before the error, the start of the text after it, and the
/// replacement for both.
const SIGNS: [(&str, &str, &str); 8] = [
    ("", "&&", "and"),
    ("", "&", "and"),
    ("", "||", "or"),
    ("", "|", "or"),
    ("==", "=", "="),
    ("=", ">", ">="),
    ("=", "<", "<="),
    ("", "!", "not"),
];

/// Parses the notation that [`Predicate`] describes.
impl FromStr for Predicate {
    type Err = PredicateError;

    fn from_str(text: &str) -> Result<Predicate, PredicateError> {
        parsed(text).map_err(|error| match corrected(text, &error) {
            Some(corrected) => error.with_corrected(corrected),
            None => error,
        })
    }
}

/// Corrects the errors of a text one after another. `None` if the result is not a predicate.
fn corrected(text: &str, error: &PredicateError) -> Option<String> {
    /// The maximum length of a text that is corrected. Each correction parses the text again.
    const MAX_BYTES: usize = 4096;
    const MAX_ERRORS: usize = 32;
    // An error shows some characters as escapes, which would be wrong in a corrected text.
    if text.len() > MAX_BYTES || Quoted(text).to_string().contains("\\u") {
        return None;
    }
    let (mut text, mut error) = (text.to_owned(), error.clone());
    for _ in 0..MAX_ERRORS {
        let (range, meant) = replacement(&text, &error)?;
        text = format!("{}{meant}{}", text.get(..range.start)?, text.get(range.end..)?);
        match parsed(&text) {
            Ok(_) => return Some(text.trim().to_owned()),
            Err(next) => error = next,
        }
    }
    None
}

/// The range of the text to replace because of an error, and the new text. `None` if the intended text is not clear.
fn replacement(text: &str, error: &PredicateError) -> Option<(Range<usize>, String)> {
    let range = error.range()?;
    let (before, rest) = text.split_at_checked(range.start)?;
    match error.kind() {
        Kind::Unquoted { quoted } | Kind::UnquotedName { quoted } => Some((range, quoted.clone())),
        Kind::Syntax { expected: SPACE, .. } => Some((range.start..range.start, " ".to_owned())),
        Kind::NullConstant => {
            const COMPARISONS: [(&str, &str); 5] = [
                ("!=", " is not null"),
                ("<>", " is not null"),
                ("≠", " is not null"),
                ("==", " is null"),
                ("=", " is null"),
            ];
            COMPARISONS.iter().find_map(|(sign, meant)| {
                let start = before.trim_end().strip_suffix(sign)?.trim_end().len();
                Some((start..range.end, (*meant).to_owned()))
            })
        }
        Kind::Syntax { .. } if rest.trim_end() == ";" => Some((range.start..text.len(), String::new())),
        Kind::Syntax { expected: LIST, .. }
            if rest.starts_with('[') || !rest.starts_with(|c| OTHER_QUOTES.contains(c)) =>
        {
            let inner =
                rest.strip_prefix('[').map(|rest| rest.split_once(']').map_or(rest, |(inner, _)| inner));
            let n_brackets = if inner.is_some() { 2 } else { 0 };
            let inner = inner.or_else(|| rest.get(..range.len()))?;
            let end = range.start.checked_add(inner.len())?.checked_add(n_brackets)?;
            Some((range.start..end, format!("({inner})")))
        }
        Kind::Syntax { .. } if rest.starts_with(|c| OTHER_QUOTES.contains(c)) => {
            let inner = without_other_quotes(rest);
            let inner = inner.get(..inner.find(|c| OTHER_QUOTES.contains(c))?)?;
            let end = rest.find(inner)?.checked_add(inner.len())?;
            let n_quote_bytes = rest.get(end..)?.chars().next()?.len_utf8();
            let end = range.start.checked_add(end)?.checked_add(n_quote_bytes)?;
            Some((range.start..end, Quoted(inner).to_string()))
        }
        Kind::Syntax { expected: GREATEST, .. } if rest.starts_with(',') => Some((range, " and".to_owned())),
        // A comma may be meant as a decimal point. Before three digits, it may also separate thousands.
        Kind::Syntax { .. } if rest.starts_with(',') && before.ends_with(|c: char| c.is_ascii_digit()) => {
            let n_digits = rest.bytes().skip(1).take_while(u8::is_ascii_digit).count();
            (n_digits > 0 && n_digits != 3).then(|| (range, ".".to_owned()))
        }
        // In SQL, a date may be `date '2024-01-01'`, and a condition follows `where`.
        Kind::Syntax { .. } => {
            let word = rest.get(..range.len())?;
            let is_type = ["date", "time", "timestamp"].iter().any(|name| word.eq_ignore_ascii_case(name));
            let follows = rest.get(range.len()..)?.trim_start();
            if is_type && follows.starts_with(['\'', '"']) {
                return Some((range.start..text.len().checked_sub(follows.len())?, String::new()));
            }
            if before.trim().eq_ignore_ascii_case("where") {
                return Some((0..range.start, String::new()));
            }
            SIGNS.iter().find_map(|(preceding, found, meant)| {
                let start = before.strip_suffix(preceding)?.trim_end().len();
                let end = text.len().checked_sub(rest.strip_prefix(found)?.trim_start().len())?;
                Some((start..end, format!(" {meant} ")))
            })
        }
        Kind::OpenQuote
        | Kind::TooDeep { .. }
        | Kind::Lookup(_)
        | Kind::Constant { .. }
        | Kind::OtherSort { .. }
        | Kind::ColumnAsText { .. }
        | Kind::NoComparison { .. }
        | Kind::NotAStruct { .. }
        | Kind::OtherType { .. }
        | Kind::LongPattern { .. }
        | Kind::Array(_) => None,
    }
}
