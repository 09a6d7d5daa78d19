//! Writes the cells of CSV, with quotes where they are needed.

use std::fmt;

use arrow_array::{AppendedText, ColumnText};
use arrow_buffer::any_byte;

use super::pieces::{PIECE_BYTES, as_text};
use crate::csv_options::{CsvOptions, NumberMarks, is_formula};

/// Writes the cells of lines. Passes text on in few large writes, and the rest in [`finish`](Cells::finish).
pub(super) struct Cells<'a> {
    options: &'a CsvOptions,
    /// Whether a reader with the options takes more than empty cells for nulls or comments.
    skips_values: bool,
    delimiter: u8,
    /// The character before the fraction of numbers.
    decimal: char,
    /// Whether numbers and words can be written unchanged: the delimiter does not occur in them, the decimal mark is a point,
    /// and they are neither comments nor nulls.
    is_usual: bool,
    escapes_formulas: bool,
    out: &'a mut dyn fmt::Write,
    /// UTF-8 that is not passed on yet. A cell is first written here without quotes.
    text: Vec<u8>,
    /// Reused memory for a cell that needs quotes.
    scratch: String,
}

/// The maximum length of a cell that is stored to decide about quotes. Longer cells are quoted.
const MAX_PLAIN_BYTES: usize = 16 << 10;

impl<'a> Cells<'a> {
    pub(super) fn new(options: &'a CsvOptions, out: &'a mut dyn fmt::Write) -> Cells<'a> {
        let CsvOptions { delimiter, escapes_formulas, numbers: NumberMarks { decimal, .. }, .. } = *options;
        let is_in_numbers = delimiter.is_ascii_alphanumeric() || b"+-.:".contains(&delimiter);
        let is_usual = !is_in_numbers && decimal == '.' && !options.skips_values();
        Cells {
            options,
            skips_values: options.skips_values(),
            delimiter,
            decimal,
            is_usual,
            escapes_formulas,
            out,
            text: Vec::new(),
            scratch: String::new(),
        }
    }

    /// Starts the cell at `position` of a line. Without further calls, the cell is empty.
    #[inline]
    pub(super) fn begin(&mut self, position: usize) -> fmt::Result {
        if position > 0 {
            self.text.push(self.delimiter);
        }
        self.flush(PIECE_BYTES)
    }

    pub(super) fn end_line(&mut self, line_end: &str) -> fmt::Result {
        self.text.extend_from_slice(line_end.as_bytes());
        self.flush(PIECE_BYTES)
    }

    /// Writes the value of a slot. Returns `false` and writes nothing if the slot is null.
    #[inline]
    pub(super) fn value(&mut self, column: &ColumnText, slot: usize) -> Result<bool, fmt::Error> {
        let start = self.text.len();
        match column.append(slot, &mut self.text) {
            AppendedText::Null => return Ok(false),
            AppendedText::Plain if self.is_usual => {}
            AppendedText::Plain => self.again(start, self.decimal)?,
            AppendedText::Short => self.again(start, '.')?,
            AppendedText::Text(text)
                if self.can_be_plain(text, 0)
                    && !self.is_skipped(text)
                    && !(self.escapes_formulas && is_formula(text)) =>
            {
                self.text.extend_from_slice(text.as_bytes());
            }
            AppendedText::Text(text) => self.write(|out| out.write_str(text))?,
            AppendedText::Long => self.write(move |out| column.write(slot, out))?,
        }
        Ok(true)
    }

    /// Writes the output of `write` as a cell. If there is no output, the cell is a pair of quotes.
    pub(super) fn write(&mut self, write: impl FnOnce(&mut dyn fmt::Write) -> fmt::Result) -> fmt::Result {
        self.write_as(self.escapes_formulas, write)
    }

    /// Like [`write`](Cells::write), but `escapes_formulas` says whether text that begins like a formula gets an apostrophe.
    fn write_as(
        &mut self,
        escapes_formulas: bool,
        write: impl FnOnce(&mut dyn fmt::Write) -> fmt::Result,
    ) -> fmt::Result {
        let start = self.text.len();
        let mut cell = OpenCell { cells: self, start, is_quoted: false, escapes_formulas };
        write(&mut cell)?;
        if !cell.is_quoted {
            let text = self.text.get(start..).unwrap_or_default();
            // As `is_skipped`, but the bytes are checked as text only if they have to be compared.
            let is_skipped = text.is_empty() || self.skips_values && self.is_null_or_comment(as_text(text)?);
            if !is_skipped {
                return Ok(());
            }
            self.text.insert(start, b'"');
        }
        self.text.push(b'"');
        Ok(())
    }

    /// Passes the remaining text on.
    pub(super) fn finish(mut self) -> fmt::Result {
        self.flush(0)
    }

    /// Writes the cell that starts at `start` again, with another decimal mark, and with quotes if it needs them.
    fn again(&mut self, start: usize, decimal: char) -> fmt::Result {
        let mut text = std::mem::take(&mut self.scratch);
        text.clear();
        text.push_str(as_text(self.text.get(start..).unwrap_or_default())?);
        self.text.truncate(start);
        // Times of day have colons, and keep their points.
        if decimal != '.' && !text.contains(':') {
            text = text.replace('.', decimal.encode_utf8(&mut [0; 4]));
        }
        // Numbers and JSON are not text, so they need no apostrophe.
        let escapes_formulas = false;
        self.write_as(escapes_formulas, |out| out.write_str(&text))?;
        self.scratch = text;
        Ok(())
    }

    /// Whether a text needs no quotes. `n_bytes_before` is the length of the preceding text of the same cell.
    #[inline]
    fn can_be_plain(&self, text: &str, n_bytes_before: usize) -> bool {
        let delimiter = self.delimiter;
        let needs_quotes = any_byte(text.as_bytes(), |byte| {
            (byte == b'"') | (byte == b'\r') | (byte == b'\n') | (byte == delimiter)
        });
        // At the start of a file, many readers drop this character as a byte order mark.
        let is_mark = n_bytes_before == 0 && text.starts_with('\u{feff}');
        // A spreadsheet program that splits cells at these characters would take the rest for a formula.
        let is_split_elsewhere = self.escapes_formulas && text.contains([',', ';', '\t', '|']);
        !needs_quotes
            && !is_split_elsewhere
            && !is_mark
            && n_bytes_before.saturating_add(text.len()) <= MAX_PLAIN_BYTES
    }

    /// Whether a reader with the same options would take a whole cell for a null or a comment, unless it is quoted.
    #[inline]
    fn is_skipped(&self, cell: &str) -> bool {
        cell.is_empty() || self.skips_values && self.is_null_or_comment(cell)
    }

    #[inline(never)]
    fn is_null_or_comment(&self, cell: &str) -> bool {
        self.options.is_null(cell)
            || self.options.comment.is_some_and(|comment| cell.as_bytes().first() == Some(&comment))
    }

    /// Passes the text on if it has at least `n_bytes` bytes.
    #[inline]
    fn flush(&mut self, n_bytes: usize) -> fmt::Result {
        if self.text.len() < n_bytes { Ok(()) } else { self.flush_all() }
    }

    #[inline(never)]
    fn flush_all(&mut self) -> fmt::Result {
        let written = self.out.write_str(as_text(&self.text)?);
        self.text.clear();
        written
    }

    fn push_quoted(&mut self, text: &str) -> fmt::Result {
        if text.len() < PIECE_BYTES {
            self.text.extend_from_slice(text.as_bytes());
            return self.flush(PIECE_BYTES);
        }
        self.flush(0)?;
        self.out.write_str(text)
    }
}

struct OpenCell<'a, 'b> {
    cells: &'a mut Cells<'b>,
    /// The offset in the text at which the cell starts, as long as it has no quotes.
    start: usize,
    is_quoted: bool,
    /// Whether a formula at the start of the cell gets an apostrophe.
    escapes_formulas: bool,
}

impl fmt::Write for OpenCell<'_, '_> {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        if !text.is_empty() && std::mem::take(&mut self.escapes_formulas) && is_formula(text) {
            self.cells.text.push(b'\'');
        }
        if !self.is_quoted {
            let n_bytes = self.cells.text.len().saturating_sub(self.start);
            if self.cells.can_be_plain(text, n_bytes) {
                self.cells.text.extend_from_slice(text.as_bytes());
                return Ok(());
            }
            self.is_quoted = true;
            self.cells.text.insert(self.start, b'"');
        }
        for part in text.split_inclusive('"') {
            self.cells.push_quoted(part)?;
            if part.ends_with('"') {
                self.cells.text.push(b'"');
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cell(delimiter: u8, pieces: &[&str]) -> String {
        cell_with(CsvOptions::new(), delimiter, pieces)
    }

    fn cell_with(mut options: CsvOptions, delimiter: u8, pieces: &[&str]) -> String {
        let mut out = String::new();
        options.delimiter = delimiter;
        let mut cells = Cells::new(&options, &mut out);
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
    fn formulas_get_an_apostrophe_where_that_is_wanted() {
        let (unescaped, escaped) = (CsvOptions::new(), CsvOptions::new().with_escaped_formulas());
        for start in ["=", "+", "-", "@", "\t", "＝", "＋", "－", "＠"] {
            for pieces in [&[start, "1"][..], &["", start, start]] {
                let plain = pieces.concat();
                assert_eq!(cell_with(unescaped, b',', pieces), plain);
                let quote = if start == "\t" { "\"" } else { "" };
                assert_eq!(cell_with(escaped, b',', pieces), format!("{quote}'{plain}{quote}"));
                let quoted = [pieces, &[",\"x"]].concat();
                assert_eq!(cell_with(escaped, b',', &quoted), format!("\"'{plain},\"\"x\""));
            }
        }
        assert_eq!(cell_with(escaped, b',', &["\r1"]), "\"'\r1\"");
        // Spreadsheet programs also split cells at other delimiters.
        for text in ["x;=1", "x\t=1", "x|=1", "x,=1"] {
            assert_eq!(cell_with(escaped, b'#', &[text]), format!("\"{text}\""));
            assert_eq!(cell_with(unescaped, b'#', &[text]), text);
        }
        for text in ["1=2", " =1", "'=1", "a-b"] {
            assert_eq!(cell_with(escaped, b',', &[text]), text);
        }
        assert_eq!(cell_with(escaped, b',', &[]), "\"\"");
    }

    /// A cell may arrive in pieces, and may get an apostrophe.
    #[test]
    fn comments_and_nulls_are_quoted() {
        let options = CsvOptions::new().with_escaped_formulas().with_comment(b'\'').unwrap();
        let options = options.with_null_text("NA").unwrap().with_usual_nulls();
        let cases: [(&[&str], &str); 9] = [
            (&["NA"], "\"NA\""),
            (&["N", "", "A"], "\"NA\""),
            (&["N", "A", "N"], "NAN"),
            (&["null"], "\"null\""),
            (&["", "'x"], "\"'x\""),
            (&["=1"], "\"'=1\""),
            (&["'\""], "\"'\"\"\""),
            (&["x'"], "x'"),
            (&["", ""], "\"\""),
        ];
        for (pieces, expected) in cases {
            let mut out = String::new();
            let mut cells = Cells::new(&options, &mut out);
            cells.write(|out| pieces.iter().try_for_each(|piece| out.write_str(piece))).unwrap();
            cells.finish().unwrap();
            assert_eq!(out, expected, "{pieces:?}");
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
