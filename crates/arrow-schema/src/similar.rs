//! Names that people may have meant.

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
