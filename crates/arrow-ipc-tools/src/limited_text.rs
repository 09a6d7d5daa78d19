//! Text of values that is cut at a number of bytes.

use std::fmt::{self, Write as _};

/// The first bytes of the text of values. Formatting stops when there are enough.
pub(crate) struct LimitedText {
    pub(crate) text: String,
    max_bytes: usize,
    pub(crate) is_all: bool,
}

impl LimitedText {
    pub(crate) fn new(max_bytes: usize) -> LimitedText {
        LimitedText { text: String::new(), max_bytes, is_all: true }
    }

    pub(crate) fn of(what: impl fmt::Display, max_bytes: usize) -> LimitedText {
        let mut limited = LimitedText::new(max_bytes);
        // An error only means that the text is long enough.
        let _ = write!(limited, "{what}");
        limited
    }
}

impl fmt::Write for LimitedText {
    /// Returns an error when the text is long enough.
    fn write_str(&mut self, text: &str) -> fmt::Result {
        let room = self.max_bytes.saturating_sub(self.text.len());
        let (shown, rest) = text.split_at(arrow_buffer::floor_char_boundary(text, room));
        self.text.push_str(shown);
        self.is_all = rest.is_empty();
        if self.is_all { Ok(()) } else { Err(fmt::Error) }
    }
}
