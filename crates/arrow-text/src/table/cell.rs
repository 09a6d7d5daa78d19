//! Makes the text of one cell safe for a terminal, measures it, and cuts it if it is too long.

use std::fmt;

use arrow_schema::{HiddenChars, write_escape};
use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

/// Marks columns and rows that are not printed.
pub(super) const MORE: &str = "…";

/// Marks where text was cut. One character wide.
const CUT: &str = "…";

/// The text of one cell, in memory that is reused. Values may be very long, so little more than the visible part is stored.
///
/// [Hidden characters](HiddenChars), and characters that change how others are displayed, are escaped.
pub(super) struct CellText {
    text: String,
    /// The width at which writing stops.
    limit: usize,
    /// An upper bound of the width of the text so far.
    width_so_far: usize,
    /// What escaping must know about the last character.
    hidden: HiddenChars,
}

impl CellText {
    pub(super) fn new() -> CellText {
        CellText { text: String::new(), limit: 0, width_so_far: 0, hidden: HiddenChars::new() }
    }

    /// Sets the text to the output of `write`, cut to the width `limit`. Stops `write` when its output is no longer visible.
    pub(super) fn set(&mut self, limit: usize, write: impl FnOnce(&mut dyn fmt::Write) -> fmt::Result) {
        if !self.set_beginning(limit, write) {
            self.cut(limit);
        }
    }

    /// Sets the text to the output of `write`, or to a prefix that is wider than `limit`. Returns whether the whole output
    /// fits.
    fn set_beginning(
        &mut self,
        limit: usize,
        write: impl FnOnce(&mut dyn fmt::Write) -> fmt::Result,
    ) -> bool {
        self.clear(limit);
        write(self).is_ok() && self.width() <= limit
    }

    /// Writes the whole output of `write` as a cell. If the output is wider than the column, writes it to `out` directly and
    /// does not align it.
    pub(super) fn write_whole(
        &mut self,
        layout: CellLayout,
        out: &mut dyn fmt::Write,
        write: impl FnOnce(&mut dyn fmt::Write) -> fmt::Result,
    ) -> fmt::Result {
        self.clear(layout.width);
        let mut through = WideCell { cell: self, out, is_overflowing: false };
        write(&mut through)?;
        if through.is_overflowing { out.write_str(&self.text) } else { self.pad(layout, out) }
    }

    fn clear(&mut self, limit: usize) {
        self.text.clear();
        self.hidden = HiddenChars::new();
        self.limit = limit;
        self.width_so_far = 0;
    }

    pub(super) fn text(&self) -> &str {
        &self.text
    }

    pub(super) fn width(&self) -> usize {
        self.text.width()
    }

    /// Writes the text, aligned in its cell. The last cell of a line has no spaces after it.
    pub(super) fn pad(&self, layout: CellLayout, out: &mut dyn fmt::Write) -> fmt::Result {
        let n_spaces = layout.width.saturating_sub(self.width());
        match (layout.align, layout.is_last) {
            (Align::Right, _) => {
                spaces(n_spaces, out)?;
                out.write_str(&self.text)
            }
            (Align::Left, true) => out.write_str(&self.text),
            (Align::Left, false) => {
                out.write_str(&self.text)?;
                spaces(n_spaces, out)
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

    /// Whether more text would not be visible. Overestimates the width: a sequence of characters may be narrower than the sum
    /// of its characters.
    fn is_full(&self) -> bool {
        self.width_so_far > self.limit.saturating_mul(4).saturating_add(64)
            || self.text.len() > self.limit.saturating_mul(32).saturating_add(1_024)
    }

    fn push(&mut self, char: char) -> fmt::Result {
        if self.hidden.is_next(char) {
            self.width_so_far = self.width_so_far.saturating_add(2);
            write_escape(char, &mut self.text)
        } else {
            self.width_so_far = self.width_so_far.saturating_add(width(char));
            self.text.push(char);
            Ok(())
        }
    }
}

impl fmt::Write for CellText {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        for char in text.chars() {
            if self.is_full() {
                return Err(fmt::Error);
            }
            self.push(char)?;
        }
        Ok(())
    }
}

/// Cuts a name to the width `limit` by leaving out its middle, since long names often differ at their ends.
pub(super) fn shortened(name: &str, limit: usize) -> String {
    let mut cell = CellText::new();
    if cell.set_beginning(limit, |out| out.write_str(name)) {
        return cell.text;
    }
    let mut n_left = limit.saturating_sub(1) / 2;
    let mut tail = name.len();
    for (at, char) in name.char_indices().rev() {
        let before = name.get(..at).and_then(|before| before.chars().next_back());
        let is_hidden = is_hidden(char, before);
        match n_left.checked_sub(if is_hidden { char.escape_default().count() } else { width(char) }) {
            Some(rest) => (n_left, tail) = (rest, at),
            None => break,
        }
    }
    cell.cut(limit.saturating_sub(limit.saturating_sub(1) / 2));
    // A joining character would be hidden after the mark, so the end does not begin with one.
    let is_joint = |char| is_hidden(char, None) && !is_hidden(char, Some('❤'));
    let tail = name.get(tail..).unwrap_or_default().trim_start_matches(is_joint);
    cell.hidden = HiddenChars::new();
    for char in tail.chars() {
        // Writing to a `String` does not fail.
        let _ = cell.push(char);
    }
    cell.text
}

/// Passes text on without alignment, once it is wider than its column.
struct WideCell<'a> {
    cell: &'a mut CellText,
    out: &'a mut dyn fmt::Write,
    is_overflowing: bool,
}

/// How many bytes are passed on at a time, approximately.
const PIECE_BYTES: usize = 1 << 10;

impl fmt::Write for WideCell<'_> {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        for char in text.chars() {
            let is_due =
                if self.is_overflowing { self.cell.text.len() >= PIECE_BYTES } else { self.cell.is_full() };
            if is_due {
                self.is_overflowing = true;
                self.out.write_str(&self.cell.text)?;
                self.cell.text.clear();
            }
            self.cell.push(char)?;
        }
        Ok(())
    }
}

/// The side to which text is aligned in a wider cell.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Align {
    Left,
    Right,
}

/// Where a cell is in its line, and how it is aligned.
#[derive(Debug, Clone, Copy)]
pub(super) struct CellLayout {
    pub(super) width: usize,
    pub(super) align: Align,
    pub(super) is_last: bool,
}

fn width(char: char) -> usize {
    char.width().unwrap_or(0)
}

/// Whether a character is hidden after the character `before`. Without `before`, joining characters are hidden.
fn is_hidden(char: char, before: Option<char>) -> bool {
    let mut hidden = HiddenChars::new();
    before.map(|before| hidden.is_next(before));
    hidden.is_next(char)
}

pub(super) fn spaces(n: usize, out: &mut dyn fmt::Write) -> fmt::Result {
    repeat("                                ", n, out)
}

/// Writes `pattern` repeatedly, up to `n` characters. Its characters have one byte each.
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
    fn names_lose_their_middle() {
        let cases = [
            ("", 3, ""),
            ("abcdef", 6, "abcdef"),
            ("abcdef", 5, "ab…ef"),
            ("abcdef", 4, "ab…f"),
            ("abcdef", 2, "a…"),
            ("abcdef", 1, "…"),
            ("abcdef", 0, ""),
            ("東京都庁", 7, "東…庁"),
            ("a\nbcdefgh\u{1b}", 13, "a\\nbcd…\\u{1b}"),
        ];
        for (name, limit, expected) in cases {
            let shown = shortened(name, limit);
            assert_eq!(shown, expected, "{name:?} in {limit}");
            assert!(shown.width() <= limit, "{shown}");
            assert_eq!(shortened(&shown, limit), shown);
        }
        let long = "\u{301}".repeat(1 << 20) + "end";
        assert!(shortened(&long, 10).ends_with("end"));
    }

    #[test]
    fn cells_are_escaped_measured_and_cut() {
        let cases: &[(&str, usize, &str, usize)] = &[
            ("", usize::MAX, "", 0),
            ("plain", usize::MAX, "plain", 5),
            ("plain", 5, "plain", 5),
            ("plain", 4, "pla…", 4),
            ("plain", 1, "…", 1),
            ("plain", 0, "", 0),
            ("a\nb\tc\r", usize::MAX, "a\\nb\\tc\\r", 9),
            ("\u{1b}[31mred\u{7f}\u{9b}", usize::MAX, "\\u{1b}[31mred\\u{7f}\\u{9b}", 25),
            ("\u{202e}abc\u{2066}", usize::MAX, "\\u{202e}abc\\u{2066}", 19),
            ("a\u{ad}b\u{180e}\u{200b}\u{2060}", usize::MAX, "a\\u{ad}b\\u{180e}\\u{200b}\\u{2060}", 32),
            ("\u{2064}\u{206f}\u{e0001}\u{e007f}", usize::MAX, "\\u{2064}\\u{206f}\\u{e0001}\\u{e007f}", 34),
            (
                "👩\u{200d}🚀 می\u{200c}خواهم ❤\u{fe0f}",
                usize::MAX,
                "👩\u{200d}🚀 می\u{200c}خواهم ❤\u{fe0f}",
                13,
            ),
            ("\u{2028}\u{feff}", usize::MAX, "\\u{2028}\\u{feff}", 16),
            ("東京", usize::MAX, "東京", 4),
            ("東京都", 5, "東京…", 5),
            ("東京都", 4, "東…", 3),
            ("é", 1, "é", 1),
            ("👩‍🔬 x", usize::MAX, "👩‍🔬 x", 4),
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
        cell.set(10, |out| {
            loop {
                n_pieces += 1;
                out.write_str("endless ")?;
            }
        });
        assert_eq!(cell.text, "endless e…");
        assert!(n_pieces < 100, "{n_pieces} pieces were written");
        // Writing also stops for an endless sequence of characters without width.
        cell.set(10, |out| {
            loop {
                out.write_str("\u{301}")?;
            }
        });
        assert!(cell.text.len() < 4_096, "{} bytes", cell.text.len());
    }

    #[test]
    fn whole_cells_are_let_through() {
        let cases: &[(&str, usize, Align, &str)] = &[
            ("ab", 4, Align::Left, "ab  |"),
            ("ab", 4, Align::Right, "  ab|"),
            ("東京", 6, Align::Left, "東京  |"),
            ("a\nb", 6, Align::Right, "  a\\nb|"),
            ("abcdef", 4, Align::Left, "abcdef|"),
            ("abcdef", 4, Align::Right, "abcdef|"),
        ];
        let mut cell = CellText::new();
        for (text, width, align, expected) in cases {
            let layout = CellLayout { width: *width, align: *align, is_last: false };
            let mut out = String::new();
            cell.write_whole(layout, &mut out, |out| out.write_str(text)).unwrap();
            assert_eq!(out + "|", *expected);
        }
        for n_bytes in [80, 81, 82, 1_000, 5_000, 100_000] {
            let text: String = ('a'..='z').cycle().take(n_bytes).collect();
            let layout = CellLayout { width: 4, align: Align::Right, is_last: false };
            let mut out = String::new();
            cell.write_whole(layout, &mut out, |out| out.write_str(&text)).unwrap();
            assert_eq!(out, text);
        }
        assert!(cell.text.capacity() < 4_096, "{} bytes", cell.text.capacity());
    }
}
