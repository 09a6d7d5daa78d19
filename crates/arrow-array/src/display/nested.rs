//! Appends the text of nested values if it is short.

use super::{AppendedText, NULL, SHORT_BYTES};

/// Calls `append`. If the text becomes too long, removes what `append` has appended.
pub(super) fn append_nested(
    out: &mut Vec<u8>,
    append: impl FnOnce(&mut NestedText<'_>) -> Option<()>,
) -> AppendedText<'static> {
    let start = out.len();
    match append(&mut NestedText { out, start }) {
        Some(()) => AppendedText::Short,
        None => {
            out.truncate(start);
            AppendedText::Long
        }
    }
}

/// The JSON text of one value, up to the maximum length. Methods that append return `None` if the text is too long.
pub(super) struct NestedText<'a> {
    out: &'a mut Vec<u8>,
    start: usize,
}

impl NestedText<'_> {
    pub(super) fn push(&mut self, text: &str) -> Option<()> {
        let n_bytes = self.out.len().checked_sub(self.start)?.checked_add(text.len())?;
        if n_bytes > SHORT_BYTES {
            return None;
        }
        self.out.extend_from_slice(text.as_bytes());
        Some(())
    }

    /// Appends the value that `append` appends as JSON.
    pub(super) fn value<'a>(&mut self, append: impl FnOnce(&mut Vec<u8>) -> AppendedText<'a>) -> Option<()> {
        match append(self.out) {
            AppendedText::Null => self.push(NULL),
            AppendedText::Plain | AppendedText::Short => self.push(""),
            // `Text` does not occur for JSON, since JSON text has quotes.
            AppendedText::Text(_) | AppendedText::Long => None,
        }
    }
}
