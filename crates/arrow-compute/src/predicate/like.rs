//! Patterns of `like`.

use std::collections::HashMap;

use arrow_schema::visit as work;

use super::LetterCase;

/// A pattern, split at each `%`. A text matches if it begins with the first piece, ends with the last piece, and contains the
/// other pieces between them in order.
///
/// A match takes time in proportion to the text. If a piece in the middle has `_` between other characters, the time is also in
/// proportion to the words of 64 bits that have a bit for each character of the piece: [`MAX_SEARCHED_CHARS`] limits them.
pub(super) struct Pattern {
    first: PatternPiece,
    /// The pieces in the middle that are not empty.
    middle: Vec<SearchedPiece>,
    /// `None` if the pattern has no `%`.
    last: Option<PatternPiece>,
    case: LetterCase,
}

/// A character of a pattern; `None` stands for any character.
type PatternChar = Option<char>;

/// A piece at the start or the end of a pattern.
struct PatternPiece {
    chars: Vec<PatternChar>,
    /// The piece as text. `None` if it contains `_`.
    text: Option<String>,
}

/// The greatest number of characters from the first to the last character other than `_`, in a piece between two `%` with `_`
/// among these characters.
pub(super) const MAX_SEARCHED_CHARS: usize = 1024;

/// Splits a pattern at each `%`. There is at least one piece. A piece may be empty.
fn pieces_of(pattern: &str) -> Vec<Vec<PatternChar>> {
    let mut pieces = Vec::new();
    let mut piece = Vec::new();
    let mut chars = pattern.chars();
    while let Some(c) = chars.next() {
        match c {
            '%' => pieces.push(std::mem::take(&mut piece)),
            '_' => piece.push(None),
            '\\' => piece.push(Some(chars.next().unwrap_or('\\'))),
            c => piece.push(Some(c)),
        }
    }
    pieces.push(piece);
    pieces
}

/// The lower case of a letter, if it is one character.
fn folded(c: char) -> char {
    let mut lower = c.to_lowercase();
    lower.next().filter(|_| lower.next().is_none()).unwrap_or(c)
}

/// The pattern of all texts that contain `text`.
pub(super) fn containing(text: &str) -> String {
    format!("%{}%", escaped(text))
}

/// The pattern of a text itself.
pub(super) fn escaped(text: &str) -> String {
    text.replace('\\', r"\\").replace('%', r"\%").replace('_', r"\_")
}

/// The text with which each text begins that matches a pattern.
pub(super) fn prefix_of(pattern: &str) -> String {
    pieces_of(pattern).into_iter().take(1).flatten().map_while(|c| c).collect()
}

/// The number of characters of the longest piece that has to be searched with `_` between other characters.
pub(super) fn n_searched_chars(pattern: &str) -> usize {
    let pieces = pieces_of(pattern);
    let n_middle = pieces.len().saturating_sub(2);
    let searched = pieces.iter().skip(1).take(n_middle).map(|piece| core_of(piece));
    searched.filter(|core| core.contains(&None)).map(<[_]>::len).max().unwrap_or(0)
}

/// The characters of a piece without any `_` at its start and end.
fn core_of(piece: &[PatternChar]) -> &[PatternChar] {
    let start = piece.iter().take_while(|c| c.is_none()).count();
    let n_after = piece.iter().rev().take_while(|c| c.is_none()).count();
    piece.get(start..piece.len().saturating_sub(n_after)).unwrap_or_default()
}

impl Pattern {
    /// Prepares a pattern whose [`n_searched_chars`] do not exceed the limit.
    pub(super) fn new(pattern: &str, case: LetterCase) -> Pattern {
        let folded = |piece: Vec<PatternChar>| match case {
            LetterCase::Sensitive => piece,
            LetterCase::Insensitive => piece.into_iter().map(|c| c.map(folded)).collect(),
        };
        let mut pieces = pieces_of(pattern).into_iter().map(folded);
        let first = PatternPiece::new(pieces.next().unwrap_or_default());
        let last = pieces.next_back().map(PatternPiece::new);
        let middle = pieces.filter(|piece| !piece.is_empty()).map(|piece| SearchedPiece::new(&piece));
        Pattern { first, middle: middle.collect(), last, case }
    }

    /// Whether a text matches. It must be UTF-8.
    #[inline]
    pub(super) fn matches(&self, text: &[u8]) -> bool {
        match self.case {
            LetterCase::Sensitive => self.matches_folded(text),
            LetterCase::Insensitive => str::from_utf8(text).is_ok_and(|text| {
                let text: String = text.chars().map(folded).collect();
                self.matches_folded(text.as_bytes())
            }),
        }
    }

    fn matches_folded(&self, text: &[u8]) -> bool {
        let Some(text) = self.first.strip_from(text) else { return false };
        let Some(last) = &self.last else { return text.is_empty() };
        if self.middle.is_empty() {
            return last.ends(text);
        }
        let Ok(text) = str::from_utf8(text) else { return false };
        // Taking the leftmost match leaves the most text for the next pieces.
        let found = self.middle.iter().try_fold(text, |text, piece| piece.find_in(text));
        found.is_some_and(|text| last.ends(text.as_bytes()))
    }
}

impl PatternPiece {
    fn new(chars: Vec<PatternChar>) -> PatternPiece {
        PatternPiece { text: chars.iter().copied().collect(), chars }
    }

    /// The text after the piece, if `text` begins with the piece.
    fn strip_from<'a>(&self, text: &'a [u8]) -> Option<&'a [u8]> {
        if let Some(piece) = &self.text {
            return after(text, piece.as_bytes());
        }
        self.chars.iter().try_fold(text, |rest, expected| {
            work(1);
            let mut utf8 = [0; 4];
            match expected {
                Some(c) => rest.strip_prefix(c.encode_utf8(&mut utf8).as_bytes()),
                None => rest.get(first_char_len(rest)?..),
            }
        })
    }

    fn ends(&self, text: &[u8]) -> bool {
        if let Some(piece) = &self.text {
            let start = text.len().checked_sub(piece.len());
            return start.and_then(|start| after(text.get(start..)?, piece.as_bytes())).is_some();
        }
        let start = match self.chars.len().checked_sub(1) {
            Some(n_before) => starts_of_chars(text).nth_back(n_before),
            None => Some(text.len()),
        };
        let end = start.and_then(|start| self.strip_from(text.get(start..)?));
        end.is_some_and(<[u8]>::is_empty)
    }
}

/// A piece in the middle of a pattern, which is searched.
struct SearchedPiece {
    /// The number of `_` at the start and at the end of the piece.
    n_before: usize,
    core: SearchedCore,
    n_after: usize,
}

/// What is between the first and the last character of a piece that is not `_`.
enum SearchedCore {
    Text(String),
    Chars(Box<CharSearch>),
}

/// Texts up to this length are searched byte by byte, which is faster than making a searcher.
const MAX_SHORT_BYTES: usize = 64;

impl SearchedPiece {
    fn new(piece: &[PatternChar]) -> SearchedPiece {
        let core = core_of(piece);
        let n_before = piece.iter().take_while(|c| c.is_none()).count();
        let n_after = piece.len().saturating_sub(n_before).saturating_sub(core.len());
        let text: Option<String> = core.iter().copied().collect();
        let core =
            text.map_or_else(|| SearchedCore::Chars(Box::new(CharSearch::new(core))), SearchedCore::Text);
        SearchedPiece { n_before, core, n_after }
    }

    /// The text after the first match of the piece.
    fn find_in<'a>(&self, text: &'a str) -> Option<&'a str> {
        let text = after_chars(text, self.n_before)?;
        let rest = match &self.core {
            SearchedCore::Text(core) => {
                work(core.len());
                find_text(text, core)?
            }
            SearchedCore::Chars(core) => core.find_in(text)?,
        };
        after_chars(rest, self.n_after)
    }
}

/// The text after the first match of `piece`.
fn find_text<'a>(text: &'a str, piece: &str) -> Option<&'a str> {
    if text.len() > MAX_SHORT_BYTES {
        return text.split_once(piece).map(|(_, rest)| rest);
    }
    let bytes = text.as_bytes();
    let is_at =
        |start: &usize| bytes.get(*start..).is_some_and(|rest| after(rest, piece.as_bytes()).is_some());
    let start = (0..text.len().saturating_add(1)).find(is_at)?;
    text.get(start.saturating_add(piece.len())..)
}

/// The text after the first `n` characters.
fn after_chars(text: &str, n: usize) -> Option<&str> {
    work(n.min(text.len()));
    match n.checked_sub(1) {
        None => Some(text),
        Some(n_before) => {
            let (start, last) = text.char_indices().nth(n_before)?;
            text.get(start.saturating_add(last.len_utf8())..)
        }
    }
}

/// Searches characters with `_` among them. For each character of a text, one step finds all starts of the piece that still
/// match: a bit for each character of the piece, which are shifted by one.
struct CharSearch {
    /// For each byte of ASCII and each position of the piece, whether the character can be there.
    ascii: Vec<u64>,
    others: HashMap<char, Vec<u64>>,
    /// The positions of `_`, for all other characters.
    any: Vec<u64>,
    n_words: usize,
    /// The bit of the last position in the last word.
    last: u64,
}

const ASCII: usize = 128;

/// The index of a character of ASCII, below [`ASCII`].
fn ascii_idx(c: char) -> Option<usize> {
    u8::try_from(c).ok().filter(u8::is_ascii).map(usize::from)
}

impl CharSearch {
    fn new(piece: &[PatternChar]) -> CharSearch {
        let n_words = piece.len().div_ceil(64).max(1);
        let bit = |position: usize| (position / 64, 1_u64 << (position % 64));
        let mut any = vec![0; n_words];
        for (position, _) in piece.iter().enumerate().filter(|(_, c)| c.is_none()) {
            let (word, bit) = bit(position);
            any.get_mut(word).into_iter().for_each(|word| *word |= bit);
        }
        let mut ascii: Vec<u64> = any.iter().copied().cycle().take(ASCII * n_words).collect();
        let mut others: HashMap<char, Vec<u64>> = HashMap::new();
        for (position, c) in piece.iter().enumerate() {
            let Some(c) = c else { continue };
            let (word, bit) = bit(position);
            let word = match ascii_idx(*c) {
                Some(idx) => ascii.get_mut(idx * n_words + word),
                None => others.entry(*c).or_insert_with(|| any.clone()).get_mut(word),
            };
            word.into_iter().for_each(|word| *word |= bit);
        }
        let last = 1 << (piece.len().saturating_sub(1) % 64);
        CharSearch { ascii, others, any, n_words, last }
    }

    /// The text after the first match.
    fn find_in<'a>(&self, text: &'a str) -> Option<&'a str> {
        let mut few = [0; MAX_SEARCHED_CHARS / 64];
        let mut many = Vec::new();
        let matched: &mut [u64] = match few.get_mut(..self.n_words) {
            Some(few) => few,
            None => {
                many.resize(self.n_words, 0);
                &mut many
            }
        };
        for (start, c) in text.char_indices() {
            work(self.n_words);
            let bits = match ascii_idx(c) {
                Some(idx) => self.ascii.get(idx * self.n_words..(idx + 1) * self.n_words),
                None => Some(self.others.get(&c).unwrap_or(&self.any).as_slice()),
            };
            // A match can begin at each character.
            let mut carried = 1;
            for (word, bits) in matched.iter_mut().zip(bits.unwrap_or_default()) {
                let next = *word >> 63;
                *word = (*word << 1 | carried) & bits;
                carried = next;
            }
            if matched.last().is_some_and(|word| word & self.last != 0) {
                return text.get(start.saturating_add(c.len_utf8())..);
            }
        }
        None
    }
}

/// The text after `piece`, if `text` begins with it. Compares the first byte separately: it usually differs, and this is faster
/// than a call.
#[inline]
fn after<'a>(text: &'a [u8], piece: &[u8]) -> Option<&'a [u8]> {
    let Some((first, rest)) = piece.split_first() else { return Some(text) };
    let (found, text) = text.split_first()?;
    match rest {
        _ if found != first => None,
        [] => Some(text),
        rest => text.strip_prefix(rest),
    }
}

/// The offsets at which characters begin.
fn starts_of_chars(text: &[u8]) -> impl DoubleEndedIterator<Item = usize> + '_ {
    text.iter().enumerate().filter(|(_, byte)| !is_inside_char(**byte)).map(|(start, _)| start)
}

/// Whether a byte is in a character, but not its first byte.
fn is_inside_char(byte: u8) -> bool {
    byte & 0b1100_0000 == 0b1000_0000
}

/// The length of the first character in bytes.
fn first_char_len(text: &[u8]) -> Option<usize> {
    let rest = text.get(1..)?;
    Some(rest.iter().take_while(|byte| is_inside_char(**byte)).count().saturating_add(1))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Matches without optimisation: character by character, with all lengths of `%`.
    fn oracle(pattern: &[char], text: &[char]) -> bool {
        match pattern.split_first() {
            None => text.is_empty(),
            Some(('%', rest)) => (0..=text.len()).any(|start| oracle(rest, &text[start..])),
            Some(('\\', [c, rest @ ..])) => text.first() == Some(c) && oracle(rest, &text[1..]),
            Some(('_', rest)) => !text.is_empty() && oracle(rest, &text[1..]),
            Some((c, rest)) => text.first() == Some(c) && oracle(rest, &text[1..]),
        }
    }

    /// All words of these characters, with at most `max_len` characters.
    fn words(chars: &[char], max_len: u32) -> Vec<Vec<char>> {
        let mut words = vec![Vec::new()];
        let mut start = 0;
        for _ in 0..max_len {
            let end = words.len();
            for idx in start..end {
                for c in chars {
                    let mut word: Vec<char> = words[idx].clone();
                    word.push(*c);
                    words.push(word);
                }
            }
            start = end;
        }
        words
    }

    #[test]
    fn long_text_is_searched_too() {
        let text = format!("{}needle{}", "né".repeat(100), "x".repeat(100));
        assert!(Pattern::new("n%needle%x", LetterCase::Sensitive).matches(text.as_bytes()));
        assert!(Pattern::new("%_needlex%", LetterCase::Sensitive).matches(text.as_bytes()));
        assert!(!Pattern::new("%needle%needle%", LetterCase::Sensitive).matches(text.as_bytes()));
        // Pieces of more characters than a word has bits.
        for n_any in [0, 1, 50, 62, 63, 64, 65, 130, 300, 2000] {
            let text = format!("{}né{}é{}", "né".repeat(100), "x".repeat(n_any), "n".repeat(80));
            let piece = format!("né{}é", "_".repeat(n_any));
            for (before, after, is_true) in
                [("", "", true), ("_", "n_n", true), ("", "é", false), ("x", "", false)]
            {
                let pattern = format!("%{before}{piece}{after}%");
                assert_eq!(
                    Pattern::new(&pattern, LetterCase::Sensitive).matches(text.as_bytes()),
                    is_true,
                    "{pattern}"
                );
                let pattern = format!("%{before}{piece}{after}%nnn");
                assert_eq!(
                    Pattern::new(&pattern, LetterCase::Sensitive).matches(text.as_bytes()),
                    is_true,
                    "{pattern}"
                );
            }
        }
    }

    /// Time is in proportion to the text and the pattern, also if most of a long pattern matches everywhere.
    #[test]
    fn steps_are_in_proportion_to_text_and_pattern() {
        let n_searched = |n: usize| format!("%{}c%", "_a".repeat(n));
        let patterns: Vec<(String, u64)> = vec![
            (n_searched(MAX_SEARCHED_CHARS / 2 - 1), MAX_SEARCHED_CHARS as u64 / 64),
            (n_searched(20), 1),
            (format!("%{}c%", "_".repeat(50_000)), 1),
            (format!("{}c%", "_a".repeat(50_000)), 1),
            (format!("%{}c", "_a".repeat(50_000)), 1),
            ("%a".repeat(50_000), 1),
            (format!("{}c", "%".repeat(50_000)), 1),
            (format!("%{}", "_%".repeat(50_000)), 1),
            (format!("%{}%c", "a".repeat(50_000)), 1),
        ];
        for text in ["a".repeat(100_000), "é".repeat(100_000), format!("{}b", "ab".repeat(50_000))] {
            for (pattern, n_words) in &patterns {
                let compiled = Pattern::new(pattern, LetterCase::Sensitive);
                let before = arrow_schema::work_done();
                compiled.matches(text.as_bytes());
                let n_steps = arrow_schema::work_done() - before;
                let shown: String = pattern.chars().take(10).collect();
                assert!(
                    n_steps <= n_words * 2 * text.len() as u64 + 3 * pattern.len() as u64,
                    "{shown}: {n_steps}"
                );
            }
        }
        assert_eq!(n_searched_chars(&n_searched(5_000)), 10_000);
        for pattern in ["", "a_b", "%a_b", "a_b%", "%___ab__%", "%ab%"] {
            assert_eq!(n_searched_chars(pattern), 0, "{pattern}");
        }
        assert_eq!(n_searched_chars("a_b%_a_b_%_%ccccccc%"), 3);
    }

    #[test]
    fn patterns_agree_with_the_oracle() {
        let texts = words(&['a', 'é'], 5);
        let mut patterns = words(&['a', 'é', '%', '_', '\\'], 4);
        // In the middle, `_` is searched.
        let middle = words(&['a', 'é', '_'], 4);
        patterns.extend(middle.into_iter().map(|middle| [&['%'][..], &middle, &['%']].concat()));
        let mut n_matches = 0;
        for pattern in &patterns {
            let compiled = Pattern::new(&pattern.iter().collect::<String>(), LetterCase::Sensitive);
            let prefix = prefix_of(&pattern.iter().collect::<String>());
            for text in &texts {
                let word: String = text.iter().collect();
                assert_eq!(compiled.matches(word.as_bytes()), oracle(pattern, text), "{pattern:?} {word}");
                assert!(!compiled.matches(word.as_bytes()) || word.starts_with(&prefix));
                n_matches += usize::from(compiled.matches(word.as_bytes()));
            }
        }
        assert!(n_matches > 1000);
    }
}
