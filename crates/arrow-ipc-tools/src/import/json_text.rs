//! Reads JSON in which rows are not lines: an array of rows, rows on several lines, and several rows on one line.

use super::rewriting::Rewrite;

/// Writes each row as one line. Rows are not collected in memory, so they may be of any length.
#[derive(Default)]
pub(super) struct LineRewriter {
    state: RowState,
    is_in_array: bool,
}

/// Where the next byte is: between rows, inside a row, or inside a string.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
enum RowState {
    /// Before the first row of the text or of an array.
    #[default]
    Start,
    AfterComma,
    AfterRow,
    /// Inside a number or a word.
    Word,
    /// In a row, outside of strings, inside this many objects and arrays.
    Inside(u64),
    /// In a string, inside this many objects and arrays.
    String(u64),
    /// After a backslash in a string, inside this many objects and arrays.
    Escaped(u64),
}

/// Whether JSON that begins with these bytes has rows that are not lines. A line that begins with two brackets is a
/// row in the form of an array of pairs.
pub(super) fn are_no_lines(start: &[u8]) -> bool {
    let start = start.strip_prefix(b"\xef\xbb\xbf").unwrap_or(start).trim_ascii_start();
    if let Some(array) = start.strip_prefix(b"[") {
        return array.trim_ascii_start().first() != Some(&b'[');
    }
    let mut state = RowState::Start;
    for (at, byte) in start.iter().enumerate() {
        match (state, byte) {
            (RowState::AfterRow, b'\n') => return false,
            (RowState::AfterRow, byte) if byte.is_ascii_whitespace() => {}
            // After a row, a brace on the same line begins another row. Any other byte is an error, which is reported
            // when the row is read.
            (RowState::AfterRow, byte) => return *byte == b'{',
            (RowState::Inside(_), b'\n') => return true,
            _ if at == 0 && *byte != b'{' => return false,
            _ => state = state.after(*byte),
        }
    }
    false
}

impl RowState {
    /// Where the next byte is, after the byte `byte` of a row. If `self` is outside of rows, `byte` begins a row.
    fn after(self, byte: u8) -> RowState {
        let closed = |depth: u64| if depth == 0 { RowState::AfterRow } else { RowState::Inside(depth) };
        match (self, byte) {
            (RowState::Inside(depth), b'"') => RowState::String(depth),
            (RowState::Inside(depth), b'{' | b'[') => RowState::Inside(depth.saturating_add(1)),
            (RowState::Inside(depth), b'}' | b']') => closed(depth.saturating_sub(1)),
            (RowState::Inside(depth), _) => RowState::Inside(depth),
            (RowState::String(depth), b'"') => closed(depth),
            (RowState::String(depth), b'\\') => RowState::Escaped(depth),
            (RowState::String(depth) | RowState::Escaped(depth), _) => RowState::String(depth),
            (_, b'{' | b'[') => RowState::Inside(1),
            (_, b'"') => RowState::String(0),
            (RowState::Start | RowState::AfterComma | RowState::AfterRow | RowState::Word, _) => {
                RowState::Word
            }
        }
    }
}

impl Rewrite for LineRewriter {
    fn byte(&mut self, byte: u8, at: u64, lines: &mut Vec<u8>) -> Result<(), &'static str> {
        if self.state == RowState::Word && (byte.is_ascii_whitespace() || matches!(byte, b',' | b']')) {
            lines.push(b'\n');
            self.state = RowState::AfterRow;
        }
        match self.state {
            RowState::Start | RowState::AfterComma | RowState::AfterRow => self.between(byte, at, lines),
            RowState::Word | RowState::String(_) | RowState::Escaped(_) | RowState::Inside(_) => {
                let is_line_end = matches!((self.state, byte), (RowState::Inside(_), b'\n' | b'\r'));
                lines.push(if is_line_end { b' ' } else { byte });
                self.state = self.state.after(byte);
                if self.state == RowState::AfterRow {
                    lines.push(b'\n');
                }
                Ok(())
            }
        }
    }

    fn end(&self) -> Result<(), &'static str> {
        if self.is_in_array { Err("the array of rows has no end") } else { Ok(()) }
    }
}

impl LineRewriter {
    /// Handles a byte between two rows.
    fn between(&mut self, byte: u8, at: u64, lines: &mut Vec<u8>) -> Result<(), &'static str> {
        let is_mark = at < 3 && matches!(byte, 0xef | 0xbb | 0xbf);
        self.state = match (byte, self.state) {
            _ if byte.is_ascii_whitespace() || is_mark => return Ok(()),
            (b'[', _) if !self.is_in_array => {
                self.is_in_array = true;
                RowState::Start
            }
            (b']', RowState::Start | RowState::AfterRow) if self.is_in_array => {
                self.is_in_array = false;
                RowState::AfterRow
            }
            (b',', RowState::AfterRow) if self.is_in_array => RowState::AfterComma,
            (b',' | b']', _) => return Err("malformed JSON: expected a row"),
            (_, RowState::AfterRow) if self.is_in_array => {
                return Err("malformed JSON: expected a comma or the end of the array of rows");
            }
            (_, state) => {
                lines.push(byte);
                state.after(byte)
            }
        };
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::io::{BufReader, Cursor, Read};

    use super::*;
    use crate::{compressed::ArrivingBytes, import::rewriting::RewritingReader};

    fn lines(text: &str) -> Result<String, String> {
        let bytes = text.as_bytes().to_vec();
        let bytewise = BufReader::with_capacity(1, Cursor::new(bytes.clone()));
        let mut found = Vec::new();
        for text in [Box::new(Cursor::new(bytes)) as ArrivingBytes, Box::new(bytewise)] {
            let mut all = String::new();
            let read = RewritingReader::new(text, LineRewriter::default()).read_to_string(&mut all);
            found.push(read.map(|_| all).map_err(|error| error.to_string()));
        }
        assert_eq!(found[0], found[1]);
        found.swap_remove(0)
    }

    #[test]
    fn rows_of_any_form_are_lines() {
        let cases: [(&str, Result<&str, &str>); 18] = [
            ("", Ok("")),
            ("[]", Ok("")),
            ("\u{feff} [ ] \n", Ok("")),
            (r#"[{"a":1},{"a":"],[{\"\\"}]"#, Ok("{\"a\":1}\n{\"a\":\"],[{\\\"\\\\\"}\n")),
            ("[\n  {\n    \"a\": [1,\r\n 2]\n  },\n  {}\n]\n", Ok("{     \"a\": [1,   2]   }\n{}\n")),
            ("{\"a\":\n1}\n{\"a\":2}{\"a\":3}", Ok("{\"a\": 1}\n{\"a\":2}\n{\"a\":3}\n")),
            ("[1, \"x\", null,[2]]", Ok("1\n\"x\"\nnull\n[2]\n")),
            ("[{}] [{}]\n{}", Ok("{}\n{}\n{}\n")),
            ("{\"a\":", Ok("{\"a\":")),
            ("{\"a\":\"x\ny\"}", Ok("{\"a\":\"x\ny\"}\n")),
            ("[{}", Err("the array of rows has no end, at byte 3")),
            ("[{\"a\":", Err("the array of rows has no end, at byte 6")),
            ("[", Err("the array of rows has no end, at byte 1")),
            ("[{} {}]", Err("malformed JSON: expected a comma or the end of the array of rows, at byte 4")),
            ("[{},]", Err("malformed JSON: expected a row, at byte 4")),
            ("[,{}]", Err("malformed JSON: expected a row, at byte 1")),
            ("{},{}", Err("malformed JSON: expected a row, at byte 2")),
            ("]", Err("malformed JSON: expected a row, at byte 0")),
        ];
        for (text, expected) in cases {
            assert_eq!(lines(text), expected.map(str::to_owned).map_err(str::to_owned), "{text}");
        }
        let deep = "[".repeat(100_000);
        assert!(lines(&deep).unwrap_err().contains("no end"));
    }

    #[test]
    fn the_first_line_tells_whether_rows_are_lines() {
        let cases = [
            ("", false),
            ("{\"a\":1}\n", false),
            ("{\"a\":1} \r\n{", false),
            ("{\"a\":1}", false),
            ("{\"a\":\"}{\"}\n", false),
            ("{\"a\":1,", false),
            ("{\n", true),
            ("{\"a\":\n", true),
            ("{\"a\":1}{\"a\":2}", true),
            ("{\"a\":1} {\"a\":2}\n", true),
            ("{\"a\":1}x\n", false),
            ("[", true),
            ("[{\"a\":1}]\n", true),
            ("[\n", true),
            ("[[\"id\",1],[\"id\",2]]\n", false),
            ("\u{feff}\n [\n{", true),
            ("7\n", false),
        ];
        for (text, expected) in cases {
            assert_eq!(are_no_lines(text.as_bytes()), expected, "{text:?}");
        }
    }
}
