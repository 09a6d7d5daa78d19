//! The text of one cell. It is made safe for a terminal, measured, and cut if it is too long.

use std::fmt::{self, Write as _};

use arrow_schema::HiddenChars;
use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

/// The mark for columns and rows that are left out.
pub(super) const MORE: &str = "…";

/// The mark for text that was cut. It is one character wide.
const CUT: &str = "…";

/// The text of one cell. The memory is reused for the next cell. It never holds much more than the visible part of a
/// value, since values may be very long.
///
/// [Characters that cannot be seen](HiddenChars), or that change the display of other characters, are escaped, so that
/// they do not reach a terminal.
pub(super) struct CellText {
    text: String,
    /// The width that the text may take.
    limit: usize,
    /// An upper bound of the width of the text that has been written.
    width_so_far: usize,
    /// The state of escaping after the last character.
    hidden: HiddenChars,
}

impl CellText {
    pub(super) fn new() -> CellText {
        CellText { text: String::new(), limit: 0, width_so_far: 0, hidden: HiddenChars::new() }
    }

    /// Sets the text to the output of `write`, cut to a width of `limit`. Writing stops when more text would not be
    /// visible.
    pub(super) fn set(&mut self, limit: usize, write: impl FnOnce(&mut dyn fmt::Write) -> fmt::Result) {
        if !self.set_beginning(limit, write) {
            self.cut(limit);
        }
    }

    /// Sets the text to the output of `write`, or to a prefix of it that is wider than `limit`. Returns whether the
    /// whole text fits.
    fn set_beginning(
        &mut self,
        limit: usize,
        write: impl FnOnce(&mut dyn fmt::Write) -> fmt::Result,
    ) -> bool {
        self.clear(limit);
        write(self).is_ok() && self.width() <= limit
    }

    /// Writes a cell with the whole output of `write`. The text is buffered, to align it. If it is wider than its column,
    /// it cannot be aligned, and is written to `out` directly.
    pub(super) fn write_whole(
        &mut self,
        place: CellLayout,
        out: &mut dyn fmt::Write,
        write: impl FnOnce(&mut dyn fmt::Write) -> fmt::Result,
    ) -> fmt::Result {
        self.clear(place.width);
        let mut through = Through { cell: self, out, has_begun: false };
        write(&mut through)?;
        if through.has_begun { out.write_str(&self.text) } else { self.pad(place, out) }
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

    /// Writes the text in a cell of this width. The last cell of a line is not padded on the right.
    pub(super) fn pad(&self, place: CellLayout, out: &mut dyn fmt::Write) -> fmt::Result {
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

    /// Whether more text would not be visible. The width is overestimated on purpose, since a sequence of characters
    /// may be narrower than the sum of its characters.
    fn is_full(&self) -> bool {
        self.width_so_far > self.limit.saturating_mul(4).saturating_add(64)
            || self.text.len() > self.limit.saturating_mul(32).saturating_add(1_024)
    }

    fn push(&mut self, char: char) -> fmt::Result {
        if self.hidden.is_next(char) {
            self.width_so_far = self.width_so_far.saturating_add(2);
            self.push_escape(char)
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

/// A name, cut to a width of `limit`. Its middle is left out, since long names often differ at their ends.
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
    // A joining character at the start of the end would be hidden, since it follows the mark.
    let is_joint = |char| is_hidden(char, None) && !is_hidden(char, Some('❤'));
    let tail = name.get(tail..).unwrap_or_default().trim_start_matches(is_joint);
    cell.hidden = HiddenChars::new();
    for char in tail.chars() {
        // This cannot fail: a `String` accepts all text.
        let _ = cell.push(char);
    }
    cell.text
}

/// Passes on the text of a cell that is too wide to be aligned.
struct Through<'a> {
    cell: &'a mut CellText,
    out: &'a mut dyn fmt::Write,
    has_begun: bool,
}

/// The approximate number of bytes that are passed on at a time.
const PIECE_BYTES: usize = 1 << 10;

impl fmt::Write for Through<'_> {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        for char in text.chars() {
            let is_due =
                if self.has_begun { self.cell.text.len() >= PIECE_BYTES } else { self.cell.is_full() };
            if is_due {
                self.has_begun = true;
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

/// The position of a cell in its line.
#[derive(Debug, Clone, Copy)]
pub(super) struct CellLayout {
    pub(super) width: usize,
    pub(super) align: Align,
    pub(super) is_last: bool,
}

fn width(char: char) -> usize {
    char.width().unwrap_or(0)
}

/// Whether a character is hidden. `before` is the character before it. If `before` is `None`, joining characters are
/// hidden.
fn is_hidden(char: char, before: Option<char>) -> bool {
    let mut hidden = HiddenChars::new();
    before.map(|before| hidden.is_next(before));
    hidden.is_next(char)
}

pub(super) fn spaces(n: usize, out: &mut dyn fmt::Write) -> fmt::Result {
    repeat("                                ", n, out)
}

/// Writes a pattern of single-byte characters repeatedly, to a width of `n`.
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
        // Writing also stops if there is no end of characters without width.
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
            let place = CellLayout { width: *width, align: *align, is_last: false };
            let mut out = String::new();
            cell.write_whole(place, &mut out, |out| out.write_str(text)).unwrap();
            assert_eq!(out + "|", *expected);
        }
        for n_bytes in [80, 81, 82, 1_000, 5_000, 100_000] {
            let text: String = ('a'..='z').cycle().take(n_bytes).collect();
            let place = CellLayout { width: 4, align: Align::Right, is_last: false };
            let mut out = String::new();
            cell.write_whole(place, &mut out, |out| out.write_str(&text)).unwrap();
            assert_eq!(out, text);
        }
        assert!(cell.text.capacity() < 4_096, "{} bytes", cell.text.capacity());
    }
}
