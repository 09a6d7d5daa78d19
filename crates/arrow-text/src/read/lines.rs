//! Reads lines of text up to a maximum length.

use std::{
    io::{BufRead, Read as _},
    ops::Range,
};

use super::{
    MARK, available,
    error::{RowError, RowErrorKind},
    records::BlockExtent,
};

/// Iterates over the lines of UTF-8 text, which may begin with a byte order mark. A line ends with a line feed, which may
/// follow a carriage return, or with the end of the text. Memory is bounded by the longest allowed line.
pub(crate) struct Lines<R> {
    input: R,
    max_bytes: usize,
    line: Vec<u8>,
    /// The range of the last line in `buffer`, without its line end.
    text: Range<usize>,
    number: u64,
    reading: LineState,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum LineState {
    GoesOn,
    /// Inside a line that is too long, whose remaining bytes are skipped.
    IsInLine,
    IsOver,
}

impl<R> Lines<R> {
    pub(crate) fn new(input: R, max_bytes: usize) -> Lines<R> {
        Lines { input, max_bytes, line: Vec::new(), text: 0..0, number: 0, reading: LineState::GoesOn }
    }

    /// Sets the maximum length of lines from now on.
    pub(crate) fn limit(&mut self, max_bytes: usize) {
        self.max_bytes = max_bytes;
    }

    pub(crate) fn max_bytes(&self) -> usize {
        self.max_bytes
    }

    /// Adds `n_lines` to the numbers of all lines.
    pub(crate) fn continue_after(&mut self, n_lines: u64) {
        self.number = n_lines;
    }

    /// The number of the line that was last read or failed, from 1.
    pub(crate) fn number(&self) -> u64 {
        self.number
    }
}

impl<R: BufRead> Lines<R> {
    pub(crate) fn last(&self) -> Option<&str> {
        str::from_utf8(self.line.get(self.text.clone())?).ok()
    }

    /// The bytes that have arrived after the last line. They stay in the input: [`next`](Lines::next) returns their lines,
    /// unless [`take_block`](Lines::take_block) skips them. `None` before the first line, which may begin with a byte order
    /// mark, inside a line that is too long, and after the end.
    ///
    /// # Errors
    /// If the input cannot be read.
    pub(crate) fn arrived(&mut self) -> Result<Option<&[u8]>, RowError> {
        match self.reading {
            LineState::GoesOn if self.number > 0 => {
                let next = self.number.saturating_add(1);
                let failed = |error| RowError::new(next, RowErrorKind::Io(error));
                // An input that has ended is not read again.
                if available(&mut self.input).map_err(failed)?.is_empty() {
                    self.reading = LineState::IsOver;
                }
                available(&mut self.input).map(Some).map_err(failed)
            }
            LineState::GoesOn | LineState::IsInLine | LineState::IsOver => Ok(None),
        }
    }

    /// Skips the lines of a block.
    pub(crate) fn take_block(&mut self, extent: BlockExtent) {
        self.input.consume(extent.n_text_bytes.saturating_add(1));
        self.number = self.number.saturating_add(extent.n_records as u64);
    }

    /// Returns the next line without its line end. `None` at the end of the text, and after an error of the input. After other
    /// errors, reading continues with the next line.
    pub(crate) fn next(&mut self) -> Result<Option<&str>, RowError> {
        // The state is `IsOver` until a line is found.
        match std::mem::replace(&mut self.reading, LineState::IsOver) {
            LineState::IsOver => return Ok(None),
            LineState::IsInLine => {
                let skipped = self.input.skip_until(b'\n');
                skipped.map(drop).map_err(|error| RowError::new(self.number, error))?;
            }
            LineState::GoesOn => {}
        }
        self.line.clear();
        // The limit includes the line end and the byte order mark.
        let limit = (self.max_bytes as u64).saturating_add(2 + MARK.len() as u64);
        let result = self.input.by_ref().take(limit).read_until(b'\n', &mut self.line);
        self.number = self.number.saturating_add(1);
        if result.map_err(|error| RowError::new(self.number, error))? == 0 {
            return Ok(None);
        }
        let line = self.line.as_slice();
        let line = if self.number == 1 { line.strip_prefix(MARK).unwrap_or(line) } else { line };
        let (line, is_whole) = match line.strip_suffix(b"\n") {
            Some(line) => (line.strip_suffix(b"\r").unwrap_or(line), true),
            None => (line, false),
        };
        if line.len() > self.max_bytes {
            self.reading = if is_whole { LineState::GoesOn } else { LineState::IsInLine };
            return Err(RowError::new(self.number, RowErrorKind::TooLong { max_bytes: self.max_bytes }));
        }
        self.reading = LineState::GoesOn;
        let text = str::from_utf8(line).map_err(|error| {
            let at = error.valid_up_to().saturating_add(1);
            RowError::new(self.number, RowErrorKind::NotUtf8).at_byte(Some(at))
        })?;
        let start = text.as_ptr().addr().saturating_sub(self.line.as_ptr().addr());
        self.text = start..start.saturating_add(text.len());
        Ok(Some(text))
    }
}

#[cfg(test)]
mod tests {
    use std::io::{self, BufReader, Read};

    use super::*;

    /// All lines, and how reading ended: with an error or at the end.
    fn lines(text: &[u8], max_bytes: usize) -> (Vec<String>, String) {
        let mut found = Vec::new();
        // The result must not depend on how many bytes arrive at a time.
        for capacity in [1, 2, 3, 7, 1 << 13] {
            let mut lines = Lines::new(BufReader::with_capacity(capacity, text), max_bytes);
            let mut these = Vec::new();
            let end = loop {
                match lines.next() {
                    Ok(Some(line)) => these.push(line.to_owned()),
                    Ok(None) => break "end".to_owned(),
                    Err(error) => break error.to_string(),
                }
                assert_eq!(lines.number(), these.len() as u64);
            };
            these.extend(lines.next().ok().flatten().map(|line| format!("then {line}")));
            found.push((these, end));
        }
        assert!(found.iter().all(|other| *other == found[0]), "{found:?}");
        found.swap_remove(0)
    }

    #[test]
    fn lines_by_hand() {
        let cases: &[(&[u8], &[&str], &str)] = &[
            (b"", &[], "end"),
            (b"\n", &[""], "end"),
            (b"a", &["a"], "end"),
            (b"a\nb\n", &["a", "b"], "end"),
            (b"a\r\n\r\nb", &["a", "", "b"], "end"),
            (b"a\rb\n", &["a\rb"], "end"),
            (b"a\r", &["a\r"], "end"),
            (b"\xef\xbb\xbf\xef\xbb\xbfa\n\xef\xbb\xbfb", &["\u{feff}a", "\u{feff}b"], "end"),
            (b"\xef\xbb\xbf", &[""], "end"),
            (b"12345678\n12345678\r\n", &["12345678", "12345678"], "end"),
            (b"\xef\xbb\xbf12345678", &["12345678"], "end"),
            (b"a\n123456789\nb", &["a", "then b"], "line 2: more than 8 bytes"),
            (b"a\n123456789", &["a"], "line 2: more than 8 bytes"),
            (b"123456789012345678901234567890", &[], "line 1: more than 8 bytes"),
            (b"a\n12345678901234567890\nb", &["a", "then b"], "line 2: more than 8 bytes"),
            (b"a\nb\xffc\nd", &["a", "then d"], "line 2, byte 2: not UTF-8"),
            (b"\xc3\n9", &["then 9"], "line 1, byte 1: not UTF-8"),
        ];
        for (text, expected, end) in cases {
            let (found, found_end) = lines(text, 8);
            assert_eq!((found_end.as_str(), found.len()), (*end, expected.len()), "{text:?}");
            assert!(found.iter().eq(expected.iter()), "{text:?}: {found:?}");
        }
    }

    #[test]
    fn memory_is_bounded() {
        let endless = io::repeat(b'x').take(1 << 40);
        let mut lines = Lines::new(BufReader::new(endless), 1 << 16);
        let error = lines.next().expect_err("it is too long");
        assert!(matches!(error.kind(), RowErrorKind::TooLong { .. }));
        assert!(lines.line.capacity() <= 1 << 18);
    }

    #[test]
    fn errors_of_the_input_are_passed_on() {
        struct FailingReader;
        impl Read for FailingReader {
            fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
                Err(io::ErrorKind::BrokenPipe.into())
            }
        }
        let mut lines = Lines::new(BufReader::new(b"a\nb".chain(FailingReader)), 8);
        assert!(matches!(lines.next(), Ok(Some("a"))));
        let error = lines.next().expect_err("the input is broken");
        assert!(matches!(error.kind(), RowErrorKind::Io(error) if error.kind() == io::ErrorKind::BrokenPipe));
        assert!(matches!(lines.next(), Ok(None)));
    }
}
