//! Finds constants and names that lack quotes.

/// What an error expects between a number and a keyword.
pub(super) const SPACE: &str = "a space between a number and a word";

/// Quotes of other languages, which predicates do not use.
pub(super) const OTHER_QUOTES: &str = "“”„‘’`´«»[]";

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

/// The start of a text that is probably one constant: the characters before the next operator, `and` or `or`. `None` if other
/// text follows, such as the arguments of a function.
pub(super) fn constant_without_quotes(text: &str) -> Option<&str> {
    let end = text.find(|c: char| ends_constant(c) && !c.is_whitespace()).unwrap_or(text.len());
    if text.get(end..)?.starts_with(['(', '\'', '"']) {
        return None;
    }
    let is_joining =
        |word: &&str| ["and", "or"].iter().any(|joining| word.trim_end().eq_ignore_ascii_case(joining));
    let words = text.get(..end)?.split_inclusive(char::is_whitespace).take_while(|word| !is_joining(word));
    let constant = text.get(..words.map(str::len).sum())?.trim_end();
    Some(constant).filter(|constant| !constant.is_empty())
}

/// The length of the word for null with which a text begins, as SQL, Python or pandas writes it. `None` if it begins otherwise.
pub(super) fn null_len(text: &str) -> Option<usize> {
    const MISSING: &str = "<NA>";
    if text.starts_with(MISSING) {
        return Some(MISSING.len());
    }
    let word = text.get(..text.find(ends_constant).unwrap_or(text.len()))?;
    // Other constants may begin with such a word, which is no keyword.
    let is_alone = constant_without_quotes(text) == Some(word);
    let is_null = ["none", "nil", "nat"].iter().any(|null| is_alone && word.eq_ignore_ascii_case(null));
    (is_null || word.eq_ignore_ascii_case("null")).then_some(word.len())
}

/// The start of a text that is probably the name of a column: words and signs before a comparison.
pub(super) fn name_without_quotes(text: &str) -> Option<&str> {
    let sign = text.find(['<', '>', '=', '!', '≠']);
    let words = text.get(..sign.unwrap_or(text.len()))?.split_inclusive(char::is_whitespace);
    let mut n_bytes = 0_usize;
    let mut has_comparison = sign.is_some();
    for word in words {
        let name = word.trim_end();
        if is_keyword(name) {
            has_comparison = ["is", "in", "like", "between", "not"]
                .iter()
                .any(|keyword| name.eq_ignore_ascii_case(keyword));
            break;
        }
        let is_of_name = |c: char| c.is_alphanumeric() || "_-./#:".contains(c);
        let is_statement =
            n_bytes == 0 && ["where", "select"].iter().any(|word| name.eq_ignore_ascii_case(word));
        if is_statement || !name.starts_with(char::is_alphanumeric) || !name.chars().all(is_of_name) {
            return None;
        }
        n_bytes = n_bytes.saturating_add(word.len());
    }
    text.get(..n_bytes).filter(|_| has_comparison).map(str::trim_end)
}

/// Removes quotes of other languages around a text.
pub(super) fn without_other_quotes(text: &str) -> &str {
    text.trim_matches(|c| OTHER_QUOTES.contains(c))
}
