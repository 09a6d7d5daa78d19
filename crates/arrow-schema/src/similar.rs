//! Names that people may have meant.

use std::collections::HashSet;

use crate::QuotedName;

/// At most so many names are suggested.
const MAX_SIMILAR: usize = 5;

/// The question whether other names were meant: those that differ only in case, or else those that are
/// [similar](is_similar_name), at most five, each once. `None` if there are none.
///
/// ```
/// use arrow_schema::did_you_mean;
///
/// let names = ["amount", "unit price", "Unit"];
/// assert_eq!(did_you_mean("amuont", names).as_deref(), Some("did you mean amount?"));
/// assert_eq!(did_you_mean("unit", names).as_deref(), Some("did you mean Unit?"));
/// assert_eq!(did_you_mean("un", names).as_deref(), Some("did you mean \"unit price\" or Unit?"));
/// assert_eq!(did_you_mean("city", names), None);
/// ```
pub fn did_you_mean<'a>(
    wanted: &str,
    names: impl IntoIterator<Item = &'a str, IntoIter: Clone>,
) -> Option<String> {
    let names = names.into_iter();
    let folded = wanted.to_lowercase();
    let in_other_case = names.clone().filter(|name| name.to_lowercase() == folded);
    let mut meant: Vec<&str> = in_other_case.take(MAX_SIMILAR).collect();
    if meant.is_empty() {
        meant = names.filter(|name| is_similar_name(wanted, name)).take(MAX_SIMILAR).collect();
    }
    let mut seen = HashSet::new();
    meant.retain(|name| seen.insert(*name));
    let quoted: Vec<String> = meant.iter().map(|name| QuotedName(name).to_string()).collect();
    match quoted.split_last()? {
        (only, []) => Some(format!("did you mean {only}?")),
        (last, first) => Some(format!("did you mean {} or {last}?", first.join(", "))),
    }
}

/// Whether `wanted`, a name that does not exist, may be a misspelling or the beginning of `other`.
///
/// ```
/// use arrow_schema::is_similar_name;
///
/// assert!(is_similar_name("amuont", "amount") && is_similar_name("AM", "amount"));
/// assert!(!is_similar_name("city", "amount"));
/// ```
pub fn is_similar_name(wanted: &str, other: &str) -> bool {
    let wanted = wanted.to_lowercase();
    let other = other.to_lowercase();
    if wanted == other || (!wanted.is_empty() && other.starts_with(&wanted)) {
        return true;
    }
    let (wanted, other): (Vec<char>, Vec<char>) = (wanted.chars().collect(), other.chars().collect());
    const MAX_CHARS: usize = 64;
    if wanted.len().max(other.len()) > MAX_CHARS || wanted.len().abs_diff(other.len()) > 2 {
        return false;
    }
    n_edits(&wanted, &other) <= wanted.len().max(other.len()).div_ceil(3).min(2)
}

/// The number of characters that must be inserted, removed or replaced to turn `from` into `to`.
fn n_edits(from: &[char], to: &[char]) -> usize {
    let mut row: Vec<usize> = (0..=to.len()).collect();
    for (n_before, a) in from.iter().enumerate() {
        let mut diagonal = n_before;
        let mut left = n_before + 1;
        if let Some(first) = row.first_mut() {
            *first = left;
        }
        for (b, cell) in to.iter().zip(row.iter_mut().skip(1)) {
            let replaced = diagonal + usize::from(a != b);
            diagonal = *cell;
            left = replaced.min(diagonal + 1).min(left + 1);
            *cell = left;
        }
    }
    row.last().copied().unwrap_or_default()
}
