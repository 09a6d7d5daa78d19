//! Patterns of `like`.

/// A pattern, split at each `%`. A text matches if it begins with the first piece, ends with the last piece, and contains the
/// other pieces between them in order.
pub(super) struct Pattern {
    /// The pieces between `%`: at least one. A piece may be empty.
    pieces: Vec<PatternPiece>,
}

/// The characters of a piece; `None` stands for any character.
struct PatternPiece {
    chars: Vec<Option<char>>,
    /// The piece as text. `None` if it contains `_`.
    text: Option<String>,
}

impl Pattern {
    pub(super) fn new(pattern: &str) -> Pattern {
        let mut pieces = vec![Vec::new()];
        let mut chars = pattern.chars();
        while let Some(c) = chars.next() {
            let next = match c {
                '%' => {
                    pieces.push(Vec::new());
                    continue;
                }
                '_' => None,
                '\\' => Some(chars.next().unwrap_or('\\')),
                c => Some(c),
            };
            if let Some(piece) = pieces.last_mut() {
                piece.push(next);
            }
        }
        Pattern { pieces: pieces.into_iter().map(PatternPiece::new).collect() }
    }

    /// The text with which each matching text begins.
    pub(super) fn prefix(&self) -> String {
        let first = self.pieces.first().map_or(&[][..], |piece| &piece.chars);
        first.iter().map_while(|c| *c).collect()
    }

    /// Whether a text matches. It must be UTF-8.
    pub(super) fn matches(&self, text: &[u8]) -> bool {
        let Some((first, rest)) = self.pieces.split_first() else { return false };
        let Some(text) = first.strip_from(text) else { return false };
        let Some((last, middle)) = rest.split_last() else { return text.is_empty() };
        // Taking the leftmost match leaves the most text for the next pieces.
        let found = middle.iter().try_fold(text, |text, piece| piece.find_in(text));
        found.is_some_and(|text| last.ends(text))
    }
}

/// Texts up to this length are searched byte by byte, which is faster than making a searcher.
const MAX_SHORT_BYTES: usize = 64;

impl PatternPiece {
    fn new(chars: Vec<Option<char>>) -> PatternPiece {
        PatternPiece { text: chars.iter().copied().collect(), chars }
    }

    /// The text after the piece, if `text` begins with the piece.
    fn strip_from<'a>(&self, text: &'a [u8]) -> Option<&'a [u8]> {
        if let Some(piece) = &self.text {
            return after(text, piece.as_bytes());
        }
        self.chars.iter().try_fold(text, |rest, expected| {
            let mut utf8 = [0; 4];
            match expected {
                Some(c) => rest.strip_prefix(c.encode_utf8(&mut utf8).as_bytes()),
                None => rest.get(first_char_len(rest)?..),
            }
        })
    }

    /// The text after the first match of the piece.
    fn find_in<'a>(&self, text: &'a [u8]) -> Option<&'a [u8]> {
        match &self.text {
            Some(piece) if piece.is_empty() => Some(text),
            Some(piece) if text.len() > MAX_SHORT_BYTES => {
                let (_, rest) = str::from_utf8(text).ok()?.split_once(piece.as_str())?;
                Some(rest.as_bytes())
            }
            Some(piece) => (0..text.len()).find_map(|start| after(text.get(start..)?, piece.as_bytes())),
            None => starts_of_chars(text).find_map(|start| self.strip_from(text.get(start..)?)),
        }
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
        assert!(Pattern::new("n%needle%x").matches(text.as_bytes()));
        assert!(Pattern::new("%_needlex%").matches(text.as_bytes()));
        assert!(!Pattern::new("%needle%needle%").matches(text.as_bytes()));
    }

    #[test]
    fn patterns_agree_with_the_oracle() {
        let texts = words(&['a', 'é'], 5);
        let patterns = words(&['a', 'é', '%', '_', '\\'], 4);
        let mut n_matches = 0;
        for pattern in &patterns {
            let compiled = Pattern::new(&pattern.iter().collect::<String>());
            for text in &texts {
                let word: String = text.iter().collect();
                assert_eq!(compiled.matches(word.as_bytes()), oracle(pattern, text), "{pattern:?} {word}");
                assert!(!compiled.matches(word.as_bytes()) || word.starts_with(&compiled.prefix()));
                n_matches += usize::from(compiled.matches(word.as_bytes()));
            }
        }
        assert!(n_matches > 1000);
    }
}
