//! The start of long texts.

use std::fmt::{self, Write as _};

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
        ShortenedText { of: self, n_skipped, max_chars }
    }
}

struct ShortenedText<'a> {
    of: &'a LimitedText,
    n_skipped: usize,
    max_chars: usize,
}

impl fmt::Display for ShortenedText<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut chars = self.of.text.chars();
        if self.n_skipped > 0 {
            f.write_str("…")?;
            chars.by_ref().take(self.n_skipped).for_each(drop);
        }
        chars.by_ref().take(self.max_chars).try_for_each(|char| f.write_char(char))?;
        if chars.next().is_some() || !self.of.is_whole { f.write_str("…") } else { Ok(()) }
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
