//! The text of one cell: safe for a terminal, measured, and cut where it is too long.

use std::fmt::{self, Write as _};

use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

use super::Align;

/// What stands where text was cut; one column wide.
const CUT: &str = "…";

/// Text that is to stand in one cell. Reused from cell to cell, so that cells allocate nothing.
///
/// Line breaks, control characters and what turns the direction of text become escapes, so nothing of them
/// reaches a terminal as it is.
pub(super) struct CellText {
    text: String,
    /// The most columns that the text is to take.
    limit: Option<usize>,
    /// At least as wide as the text is.
    width_so_far: usize,
}

impl CellText {
    pub(super) fn new() -> CellText {
        CellText { text: String::new(), limit: None, width_so_far: 0 }
    }

    /// Sets the text to what `write` writes, in at most `limit` columns. Writing ends early when it is clear
    /// that the rest will not be seen.
    pub(super) fn set(
        &mut self,
        limit: Option<usize>,
        write: impl FnOnce(&mut dyn fmt::Write) -> fmt::Result,
    ) {
        self.text.clear();
        self.limit = limit;
        self.width_so_far = 0;
        let is_whole = write(self).is_ok();
        if let Some(limit) = limit
            && !(is_whole && self.width() <= limit)
        {
            self.cut(limit);
        }
    }

    pub(super) fn width(&self) -> usize {
        self.text.width()
    }

    /// Writes the text in a cell of this width; nothing is padded behind the last cell of a line.
    pub(super) fn pad(&self, place: Place, out: &mut dyn fmt::Write) -> fmt::Result {
        let n_blank = place.width.saturating_sub(self.width());
        match (place.align, place.is_last) {
            (Align::Right, _) => {
                spaces(n_blank, out)?;
                out.write_str(&self.text)
            }
            (Align::Left, true) => out.write_str(&self.text),
            (Align::Left, false) => {
                out.write_str(&self.text)?;
                spaces(n_blank, out)
            }
        }
    }

    fn cut(&mut self, limit: usize) {
        let mut n_left = limit.saturating_sub(1);
        let end = self.text.char_indices().find_map(|(at, char)| match n_left.checked_sub(width(char)) {
            Some(rest) => {
                n_left = rest;
                None
            }
            None => Some(at),
        });
        self.text.truncate(end.unwrap_or(self.text.len()));
        if limit > 0 {
            self.text.push_str(CUT);
        }
    }

    fn push_escape(&mut self, char: char) -> fmt::Result {
        match char {
            '\n' => self.text.push_str("\\n"),
            '\r' => self.text.push_str("\\r"),
            '\t' => self.text.push_str("\\t"),
            _ => write!(self.text, "\\u{{{:x}}}", u32::from(char))?,
        }
        Ok(())
    }

    /// Whether what follows cannot be seen any more. Wide of the mark on purpose: sequences of characters may
    /// be narrower than the characters alone.
    fn is_full(&self) -> bool {
        self.limit.is_some_and(|limit| {
            self.width_so_far > limit.saturating_mul(4).saturating_add(64)
                || self.text.len() > limit.saturating_mul(32).saturating_add(1_024)
        })
    }
}

impl fmt::Write for CellText {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        for char in text.chars() {
            if self.is_full() {
                return Err(fmt::Error);
            }
            if needs_escape(char) {
                self.push_escape(char)?;
                self.width_so_far += 2;
            } else {
                self.text.push(char);
                self.width_so_far += width(char);
            }
        }
        Ok(())
    }
}

/// Where a cell stands.
#[derive(Debug, Clone, Copy)]
pub(super) struct Place {
    pub(super) width: usize,
    pub(super) align: Align,
    pub(super) is_last: bool,
}

fn width(char: char) -> usize {
    char.width().unwrap_or(0)
}

/// Control characters, and what changes the direction of text, ends a line or cannot be seen at all.
fn needs_escape(char: char) -> bool {
    char.is_control()
        || matches!(char,
            '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}'
            | '\u{2028}' | '\u{2029}' | '\u{feff}' | '\u{fff9}'..='\u{fffb}')
}

pub(super) fn spaces(n: usize, out: &mut dyn fmt::Write) -> fmt::Result {
    repeat("                                ", n, out)
}

/// Writes `n` columns of a pattern of single-byte characters.
pub(super) fn repeat(pattern: &str, n: usize, out: &mut dyn fmt::Write) -> fmt::Result {
    let mut n_left = n;
    while n_left > 0 {
        let chunk = pattern.get(..n_left).unwrap_or(pattern);
        out.write_str(chunk)?;
        n_left -= chunk.len();
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_are_escaped_measured_and_cut() {
        let cases: &[(&str, Option<usize>, &str, usize)] = &[
            ("", None, "", 0),
            ("plain", None, "plain", 5),
            ("plain", Some(5), "plain", 5),
            ("plain", Some(4), "pla…", 4),
            ("plain", Some(1), "…", 1),
            ("plain", Some(0), "", 0),
            ("a\nb\tc\r", None, "a\\nb\\tc\\r", 9),
            ("\u{1b}[31mred\u{7f}\u{9b}", None, "\\u{1b}[31mred\\u{7f}\\u{9b}", 25),
            ("\u{202e}abc\u{2066}", None, "\\u{202e}abc\\u{2066}", 19),
            ("\u{2028}\u{feff}", None, "\\u{2028}\\u{feff}", 16),
            ("東京", None, "東京", 4),
            ("東京都", Some(5), "東京…", 5),
            ("東京都", Some(4), "東…", 3),
            ("é", Some(1), "é", 1),
            ("👩‍🔬 x", None, "👩‍🔬 x", 4),
        ];
        let mut cell = CellText::new();
        for (text, limit, expected, width) in cases {
            cell.set(*limit, |out| out.write_str(text));
            assert_eq!((cell.text.as_str(), cell.width()), (*expected, *width), "{text:?} in {limit:?}");
        }
    }

    #[test]
    fn a_long_cell_ends_early() {
        let mut n_pieces = 0;
        let mut cell = CellText::new();
        cell.set(Some(10), |out| {
            loop {
                n_pieces += 1;
                out.write_str("endless ")?;
            }
        });
        assert_eq!(cell.text, "endless e…");
        assert!(n_pieces < 100, "{n_pieces} pieces were written");
        // Characters without width end, too.
        cell.set(Some(10), |out| {
            loop {
                out.write_str("\u{301}")?;
            }
        });
        assert!(cell.text.len() < 4_096, "{} bytes", cell.text.len());
    }
}
