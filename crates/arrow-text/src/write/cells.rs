//! The cells of CSV: quoted where they have to be, and written as they come.

use std::fmt;

/// Writes the cells of lines.
pub(super) struct Cells<'a> {
    delimiter: u8,
    out: &'a mut dyn fmt::Write,
    /// The cell so far, while it is not known whether it needs quotes.
    pending: String,
}

/// A cell that is longer is quoted in any case, so that no more of it has to be gathered.
const MAX_PENDING_BYTES: usize = 16 << 10;

impl<'a> Cells<'a> {
    pub(super) fn new(delimiter: u8, out: &'a mut dyn fmt::Write) -> Cells<'a> {
        Cells { delimiter, out, pending: String::new() }
    }

    /// Begins the cell at `position` of a line. If nothing is written in it, it is empty.
    pub(super) fn begin(&mut self, position: usize) -> fmt::Result {
        if position > 0 { self.out.write_char(self.delimiter.into()) } else { Ok(()) }
    }

    pub(super) fn end_line(&mut self, line_end: &str) -> fmt::Result {
        self.out.write_str(line_end)
    }

    /// Writes the cell; a pair of quotes if `write` writes nothing.
    pub(super) fn write(&mut self, write: impl FnOnce(&mut dyn fmt::Write) -> fmt::Result) -> fmt::Result {
        self.pending.clear();
        let mut cell = Cell { cells: self, is_quoted: false };
        write(&mut cell)?;
        let is_quoted = cell.is_quoted;
        self.out.write_str(match (is_quoted, self.pending.as_str()) {
            (true, _) => "\"",
            (false, "") => "\"\"",
            (false, plain) => plain,
        })
    }
}

struct Cell<'a, 'b> {
    cells: &'a mut Cells<'b>,
    is_quoted: bool,
}

impl Cell<'_, '_> {
    fn can_be_plain(&self, text: &str) -> bool {
        let Cells { delimiter, pending, .. } = &*self.cells;
        // Without a way out of the loop the compiler looks at many bytes at once.
        let needs_quotes = text
            .bytes()
            .fold(false, |found, byte| found | matches!(byte, b'"' | b'\r' | b'\n') | (byte == *delimiter));
        // At the front of a file, many readers take this character for a mark of the encoding and drop it.
        let is_mark = pending.is_empty() && text.starts_with('\u{feff}');
        !needs_quotes && !is_mark && pending.len().saturating_add(text.len()) <= MAX_PENDING_BYTES
    }
}

impl fmt::Write for Cell<'_, '_> {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        if !self.is_quoted {
            if self.can_be_plain(text) {
                self.cells.pending.push_str(text);
                return Ok(());
            }
            self.is_quoted = true;
            self.cells.out.write_str("\"")?;
            self.cells.out.write_str(&self.cells.pending)?;
        }
        for part in text.split_inclusive('"') {
            self.cells.out.write_str(part)?;
            if part.ends_with('"') {
                self.cells.out.write_str("\"")?;
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
            for n_bytes in [MAX_PENDING_BYTES - 7, MAX_PENDING_BYTES, MAX_PENDING_BYTES + 1, 1 << 20] {
                let text = "x".repeat(n_bytes);
                let pieces: Vec<&str> = (0..n_pieces)
                    .map(|k| &text[k * n_bytes / n_pieces..(k + 1) * n_bytes / n_pieces])
                    .collect();
                let quote = if n_bytes > MAX_PENDING_BYTES { "\"" } else { "" };
                assert_eq!(cell(b',', &pieces), format!("{quote}{text}{quote}"));
            }
        }
    }
}
