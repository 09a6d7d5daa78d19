//! Formats numbers and text from outside, as errors and notes show them.
//!
//! All texts of the program write counts as `2,000 batches`. Positions, indices and ids have no commas, because people copy them
//! and search for them. Names, paths and values from outside may be long, and may contain characters that control a terminal.

use std::fmt::{self, Write as _};

use arrow_schema::{HiddenChars, write_escape, write_json_escape};

/// Formats a number with commas: `2,000`.
#[derive(Debug, Clone, Copy)]
pub struct Grouped(pub u64);

impl fmt::Display for Grouped {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let thousands = self.0 / 1000;
        let rest = self.0 % 1000;
        f.pad(&if thousands == 0 { rest.to_string() } else { format!("{},{rest:03}", Grouped(thousands)) })
    }
}

/// Formats a number and what it counts: `1 batch`, `2,000 batches`.
#[derive(Debug, Clone, Copy)]
pub struct Counted(pub u64, pub &'static str);

impl fmt::Display for Counted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Counted(n, noun) = *self;
        let end = match (n, noun.ends_with("ch")) {
            (1, _) => "",
            (_, true) => "es",
            (_, false) => "s",
        };
        write!(f, "{} {noun}{end}", Grouped(n))
    }
}

/// Formats text on one line. Line ends, [invisible characters](HiddenChars), and characters that change how other
/// characters are displayed become escapes, such as `\n` or `\u{9b}`.
#[derive(Debug, Clone, Copy)]
pub struct Escaped<'a>(pub &'a str);

impl fmt::Display for Escaped<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Fast path: most text has only printable ASCII characters, which need no escapes.
        if self.0.bytes().all(|byte| (b' '..=b'~').contains(&byte)) {
            return f.write_str(self.0);
        }
        let mut hidden = HiddenChars::new();
        for char in self.0.chars() {
            if hidden.is_next(char) { write_escape(char, f)? } else { f.write_char(char)? }
        }
        Ok(())
    }
}

/// Formats JSON values, each on its own line. Escapes characters in their strings that could control a terminal.
#[derive(Debug, Clone, Copy)]
pub struct EscapedJson<'a>(pub &'a str);

impl fmt::Display for EscapedJson<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut hidden = HiddenChars::new();
        self.0.chars().try_for_each(|char| match char {
            char if hidden.is_next(char) && char != '\n' => write_json_escape(char, f),
            char => f.write_char(char),
        })
    }
}

/// The first `n_chars` characters of a text, with an ellipsis if the text is longer.
pub fn first_chars(mut text: String, n_chars: usize) -> String {
    if let Some((end, _)) = text.char_indices().nth(n_chars) {
        text.truncate(end);
        text.push('…');
    }
    text
}

/// The start of a text, up to a number of bytes. Formatting stops when there are enough, so that the text of a large
/// value is never made as a whole.
///
/// ```
/// use arrow_text::format::LimitedText;
///
/// let text = LimitedText::from_value("a long text", 6);
/// assert_eq!((text.as_str(), text.is_whole()), ("a long", false));
/// assert_eq!(text.shortened(2, 3).to_string(), "…lon…");
/// ```
#[derive(Debug, Clone)]
pub struct LimitedText {
    text: String,
    max_bytes: usize,
    is_whole: bool,
}

impl LimitedText {
    /// An empty text, to which at most `max_bytes` are written. Writing more is an error.
    pub fn new(max_bytes: usize) -> LimitedText {
        LimitedText { text: String::new(), max_bytes, is_whole: true }
    }

    /// The first `max_bytes` of the text of `value`. A character is not split.
    pub fn from_value(value: impl fmt::Display, max_bytes: usize) -> LimitedText {
        let mut limited = LimitedText::new(max_bytes);
        // An error only means that the text is long enough.
        let _ = write!(limited, "{value}");
        limited
    }

    /// The start of the text.
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// The start of the text.
    pub fn into_string(self) -> String {
        self.text
    }

    /// Whether nothing was cut.
    pub fn is_whole(&self) -> bool {
        self.is_whole
    }

    /// Formats at most `max_chars` characters after the first `n_skipped`. `…` stands where something is left out.
    pub fn shortened(&self, n_skipped: usize, max_chars: usize) -> impl fmt::Display {
        ShortenedText { text: self, n_skipped, max_chars }
    }
}

struct ShortenedText<'a> {
    text: &'a LimitedText,
    n_skipped: usize,
    max_chars: usize,
}

impl fmt::Display for ShortenedText<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut chars = self.text.text.chars();
        if self.n_skipped > 0 {
            f.write_str("…")?;
            chars.by_ref().take(self.n_skipped).for_each(drop);
        }
        chars.by_ref().take(self.max_chars).try_for_each(|char| f.write_char(char))?;
        if chars.next().is_some() || !self.text.is_whole { f.write_str("…") } else { Ok(()) }
    }
}

impl fmt::Write for LimitedText {
    /// Returns an error when the text is long enough.
    fn write_str(&mut self, text: &str) -> fmt::Result {
        let remaining = self.max_bytes.saturating_sub(self.text.len());
        let (shown, rest) = text.split_at(arrow_buffer::floor_char_boundary(text, remaining));
        self.text.push_str(shown);
        self.is_whole = rest.is_empty();
        if self.is_whole { Ok(()) } else { Err(fmt::Error) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn thousands_are_separated() {
        let cases = [
            (0, "0"),
            (12, "12"),
            (999, "999"),
            (1_000, "1,000"),
            (20_000_000, "20,000,000"),
            (u64::MAX, "18,446,744,073,709,551,615"),
        ];
        for (number, text) in cases {
            assert_eq!(Grouped(number).to_string(), text);
        }
        assert_eq!(Counted(1, "batch").to_string(), "1 batch");
        assert_eq!(Counted(0, "batch").to_string(), "0 batches");
    }

    #[test]
    fn control_characters_are_escaped() {
        let cases = [
            ("plain – ünïcode", "plain – ünïcode"),
            ("\u{1b}[31mred\u{7f}\u{9b}", "\\u{1b}[31mred\\u{7f}\\u{9b}"),
            ("a\tb\r\nc", "a\\tb\\r\\nc"),
            ("\u{202e}abc\u{2028}", "\\u{202e}abc\\u{2028}"),
            ("a\u{feff}\u{e0041}\u{200d} 👩\u{200d}🚀", "a\\u{feff}\\u{e0041}\\u{200d} 👩\u{200d}🚀"),
        ];
        for (text, expected) in cases {
            assert_eq!(Escaped(text).to_string(), expected);
        }
        assert_eq!(EscapedJson("\"\u{1b}é\u{202e}\"\n").to_string(), "\"\\u001bé\\u202e\"\n");
        assert_eq!(EscapedJson("\"\u{e0041}\"").to_string(), "\"\\udb40\\udc41\"");
    }
}
