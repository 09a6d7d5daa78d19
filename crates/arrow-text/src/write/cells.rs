//! The cells of CSV: quoted where they have to be, and written as they come.

use std::fmt;

/// Writes the cells of lines. What is written is handed on in large pieces, the last one by [`finish`](Cells::finish).
pub(super) struct Cells<'a> {
    delimiter: u8,
    out: &'a mut dyn fmt::Write,
    /// What has not been handed on. A cell begins in it as if it needed no quotes.
    text: String,
}

/// A cell that is longer is quoted in any case, so that no more of it has to be gathered.
const MAX_PLAIN_BYTES: usize = 16 << 10;

/// Text is handed on when it is as long, but for a cell that may need quotes.
const PIECE_BYTES: usize = 32 << 10;

impl<'a> Cells<'a> {
    pub(super) fn new(delimiter: u8, out: &'a mut dyn fmt::Write) -> Cells<'a> {
        Cells { delimiter, out, text: String::new() }
    }

    /// Begins the cell at `position` of a line. If nothing is written in it, it is empty.
    pub(super) fn begin(&mut self, position: usize) -> fmt::Result {
        if position > 0 {
            self.text.push(self.delimiter.into());
        }
        self.hand_on(PIECE_BYTES)
    }

    pub(super) fn end_line(&mut self, line_end: &str) -> fmt::Result {
        self.text.push_str(line_end);
        self.hand_on(PIECE_BYTES)
    }

    /// Writes the cell; a pair of quotes if `write` writes nothing.
    pub(super) fn write(&mut self, write: impl FnOnce(&mut dyn fmt::Write) -> fmt::Result) -> fmt::Result {
        let start = self.text.len();
        let mut cell = Cell { cells: self, start, is_quoted: false };
        write(&mut cell)?;
        match cell.is_quoted {
            true => self.text.push('"'),
            false if self.text.len() == start => self.text.push_str("\"\""),
            false => {}
        }
        Ok(())
    }

    /// Hands on what is left.
    pub(super) fn finish(mut self) -> fmt::Result {
        self.hand_on(0)
    }

    /// Hands the text on if it has so many bytes.
    fn hand_on(&mut self, n_bytes: usize) -> fmt::Result {
        if self.text.len() < n_bytes {
            return Ok(());
        }
        let written = self.out.write_str(&self.text);
        self.text.clear();
        written
    }

    /// Adds text of a cell that has quotes.
    fn push_quoted(&mut self, text: &str) -> fmt::Result {
        if text.len() < PIECE_BYTES {
            self.text.push_str(text);
            return self.hand_on(PIECE_BYTES);
        }
        self.hand_on(0)?;
        self.out.write_str(text)
    }
}

struct Cell<'a, 'b> {
    cells: &'a mut Cells<'b>,
    /// Where in the text it begins, while it has no quotes.
    start: usize,
    is_quoted: bool,
}

impl Cell<'_, '_> {
    fn can_be_plain(&self, text: &str) -> bool {
        let delimiter = self.cells.delimiter;
        // Without a way out of the loop the compiler looks at many bytes at once.
        let needs_quotes = text
            .bytes()
            .fold(false, |found, byte| found | matches!(byte, b'"' | b'\r' | b'\n') | (byte == delimiter));
        let n_bytes = self.cells.text.len().saturating_sub(self.start);
        // At the front of a file, many readers take this character for a mark of the encoding and drop it.
        let is_mark = n_bytes == 0 && text.starts_with('\u{feff}');
        !needs_quotes && !is_mark && n_bytes.saturating_add(text.len()) <= MAX_PLAIN_BYTES
    }
}

impl fmt::Write for Cell<'_, '_> {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        if !self.is_quoted {
            if self.can_be_plain(text) {
                self.cells.text.push_str(text);
                return Ok(());
            }
            self.is_quoted = true;
            self.cells.text.insert(self.start, '"');
        }
        for part in text.split_inclusive('"') {
            self.cells.push_quoted(part)?;
            if part.ends_with('"') {
                self.cells.text.push('"');
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cell(delimiter: u8, pieces: &[&str]) -> String {
        let mut out = String::new();
        let mut cells = Cells::new(delimiter, &mut out);
        cells.write(|out| pieces.iter().try_for_each(|piece| out.write_str(piece))).unwrap();
        cells.finish().unwrap();
        out
    }

    #[test]
    fn cells_by_hand() {
        let cases: &[(u8, &[&str], &str)] = &[
            (b',', &[], "\"\""),
            (b',', &["", ""], "\"\""),
            (b',', &["a b;c\t'"], "a b;c\t'"),
            (b',', &["a", ",b"], "\"a,b\""),
            (b';', &["a,b"], "a,b"),
            (b';', &["a;b"], "\"a;b\""),
            (b'1', &["2", "1"], "\"21\""),
            (b',', &["\""], "\"\"\"\""),
            (b',', &["a\"\"", "b\"c"], "\"a\"\"\"\"b\"\"c\""),
            (b',', &["a\nb"], "\"a\nb\""),
            (b',', &["a\rb"], "\"a\rb\""),
            (b',', &["=1+2"], "=1+2"),
            (b',', &["\u{feff}a"], "\"\u{feff}a\""),
            (b',', &["a", "\u{feff}"], "a\u{feff}"),
            (b',', &["\\", "é東🦀\u{2028}\0"], "\\é東🦀\u{2028}\0"),
        ];
        for (delimiter, pieces, expected) in cases {
            assert_eq!(cell(*delimiter, pieces), *expected, "{pieces:?}");
        }
    }

    #[test]
    fn only_long_cells_are_quoted_without_need() {
        for n_pieces in [1, 2, 7] {
            for n_bytes in [MAX_PLAIN_BYTES - 7, MAX_PLAIN_BYTES, MAX_PLAIN_BYTES + 1, 1 << 20] {
                let text = "x".repeat(n_bytes);
                let pieces: Vec<&str> = (0..n_pieces)
                    .map(|k| &text[k * n_bytes / n_pieces..(k + 1) * n_bytes / n_pieces])
                    .collect();
                let quote = if n_bytes > MAX_PLAIN_BYTES { "\"" } else { "" };
                assert_eq!(cell(b',', &pieces), format!("{quote}{text}{quote}"));
            }
        }
    }
}
