//! Finds where records of CSV end, without parsing their cells.

use arrow_buffer::{find_all, find_any};

use crate::csv_options::CsvOptions;

/// Cuts text into parts of whole records, however its bytes arrive. A quote counts if it begins a cell, as for the reader of a
/// part. That reader reports errors in records.
#[derive(Debug)]
pub(super) struct Cutter {
    delimiter: u8,
    quote: Option<u8>,
    comment: Option<u8>,
    limits: PartLimits,
    state: QuoteState,
    /// The line that is being read, counted from 1.
    line: u64,
    /// The number of records in the part so far.
    n_records: usize,
    n_bytes: usize,
    /// The length of the part, up to the end of its last whole line.
    n_whole_bytes: usize,
    /// The length of the record so far, with its quotes.
    n_record_bytes: usize,
    n_record_quotes: usize,
}

/// When a part ends.
#[derive(Debug, Clone, Copy)]
pub(super) struct PartLimits {
    pub(super) n_records: usize,
    pub(super) n_bytes: usize,
    /// The most bytes of a record. A longer one is an error; it is cut as soon as this is certain.
    pub(super) record_bytes: usize,
}

/// The position of the next byte in relation to quotes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum QuoteState {
    /// Outside quotes, after this byte. At the start of a line it is a line feed or a carriage return.
    Plain(u8),
    Quoted,
    /// After a quote in a quoted cell.
    QuoteInQuoted,
    /// In a line that is skipped.
    Comment,
}

/// What a line end has ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum LineEnd {
    Record,
    /// A blank line.
    Blank,
}

impl Cutter {
    /// A cutter that begins on this line, after this byte, which ended the line before.
    pub(super) fn new(options: &CsvOptions, limits: PartLimits, line: u64, before: u8) -> Cutter {
        let state = QuoteState::Plain(before);
        Cutter {
            delimiter: options.delimiter,
            quote: options.quote,
            comment: options.comment,
            limits,
            state,
            line,
            n_records: 0,
            n_bytes: 0,
            n_whole_bytes: 0,
            n_record_bytes: 0,
            n_record_quotes: 0,
        }
    }

    /// The line that is being read.
    pub(super) fn line(&self) -> u64 {
        self.line
    }

    /// How many bytes of the part are whole lines.
    pub(super) fn n_whole_bytes(&self) -> usize {
        self.n_whole_bytes
    }

    /// Begins the next part at the end of the last one.
    pub(super) fn begin(&mut self) {
        (self.n_records, self.n_bytes, self.n_whole_bytes) = (0, 0, 0);
        (self.n_record_bytes, self.n_record_quotes) = (0, 0);
    }

    /// Whether the next byte may be a line feed that belongs to the end of the last record, before this part.
    pub(super) fn is_after_return(&self) -> bool {
        self.n_bytes == 0 && self.state == QuoteState::Plain(b'\r')
    }

    /// Skips the line feed of a line that has ended.
    pub(super) fn skip_feed(&mut self) {
        self.state = QuoteState::Plain(b'\n');
    }

    /// How many of these bytes belong to the part, and whether it ends there.
    // So it stays in this crate, whose code is optimised for speed. Its caller is generic, and becomes code of the crate that calls it.
    #[inline(never)]
    pub(super) fn take(&mut self, bytes: &[u8]) -> (usize, bool) {
        let mut rest = bytes;
        while !rest.is_empty() {
            let (n_used, end) = match self.line_of_record(rest) {
                Some(n_used) => (n_used, Some(LineEnd::Record)),
                None => self.step(rest),
            };
            rest = rest.get(n_used..).unwrap_or_default();
            self.n_bytes = self.n_bytes.saturating_add(n_used);
            self.n_record_bytes = self.n_record_bytes.saturating_add(n_used);
            if let Some(end) = end {
                self.n_records = self.n_records.saturating_add(usize::from(end == LineEnd::Record));
                self.n_whole_bytes = self.n_bytes;
                (self.n_record_bytes, self.n_record_quotes) = (0, 0);
            }
            let is_full = self.n_records >= self.limits.n_records || self.n_bytes >= self.limits.n_bytes;
            if end.is_some() && is_full || self.is_too_long() {
                return (bytes.len().saturating_sub(rest.len()), true);
            }
        }
        (bytes.len(), false)
    }

    /// Whether the record is longer than allowed. The quotes around a cell, and every second quote inside it, do not count as
    /// its text.
    fn is_too_long(&self) -> bool {
        let max_bytes = self.limits.record_bytes;
        self.n_record_bytes.saturating_sub(self.n_record_quotes) > max_bytes
            || self.n_record_bytes > max_bytes.saturating_mul(3)
    }

    /// Moves to the end of the record, if it is a single line that has arrived whole and is short enough. Returns its length.
    /// `None` if nothing has changed.
    fn line_of_record(&mut self, bytes: &[u8]) -> Option<usize> {
        let QuoteState::Plain(b'\n') = self.state else { return None };
        if self.comment.is_some() && self.comment == bytes.first().copied() {
            return None;
        }
        let mut is_quoted = false;
        for at in find_all(bytes, [self.quote.unwrap_or(b'\n'), b'\r', b'\n']) {
            match *bytes.get(at)? {
                byte if self.quote == Some(byte) && is_quoted => is_quoted = false,
                byte if self.quote == Some(byte) => {
                    let before = at.checked_sub(1).map_or(Some(&b'\n'), |before| bytes.get(before))?;
                    // This includes the second of two quotes.
                    is_quoted = *before == self.delimiter || is_line_end(*before);
                    if !is_quoted {
                        return None;
                    }
                }
                b'\n' if !is_quoted && at > 0 && at < self.limits.record_bytes => {
                    self.line = self.line.saturating_add(1);
                    return Some(at.saturating_add(1));
                }
                _ => return None,
            }
        }
        None
    }

    /// Moves to the end of the line or to the next quote. Returns the number of bytes, and what ended.
    fn step(&mut self, bytes: &[u8]) -> (usize, Option<LineEnd>) {
        match self.state {
            QuoteState::Plain(before)
                if is_line_end(before)
                    && self.comment.is_some()
                    && self.comment == bytes.first().copied() =>
            {
                self.state = QuoteState::Comment;
                (0, None)
            }
            QuoteState::Comment => {
                let (text, end) = split_at(bytes, [b'\r', b'\n']);
                let Some(end) = end.first() else { return (text.len(), None) };
                self.end_line(b'#', *end);
                (text.len().saturating_add(1), Some(LineEnd::Blank))
            }
            QuoteState::Plain(before) => {
                let (text, special) = split_at(bytes, [b'\n', b'\r', self.quote.unwrap_or(b'\n')]);
                let before = text.last().copied().unwrap_or(before);
                match special.first() {
                    None => {
                        self.state = QuoteState::Plain(before);
                        (text.len(), None)
                    }
                    Some(&byte) if self.quote == Some(byte) => {
                        self.n_record_quotes = self.n_record_quotes.saturating_add(1);
                        let is_start = before == self.delimiter || is_line_end(before);
                        self.state = if is_start { QuoteState::Quoted } else { QuoteState::Plain(byte) };
                        (text.len().saturating_add(1), None)
                    }
                    Some(&end) => {
                        self.end_line(before, end);
                        let is_blank = is_line_end(before);
                        let end = if is_blank { LineEnd::Blank } else { LineEnd::Record };
                        (text.len().saturating_add(1), Some(end))
                    }
                }
            }
            QuoteState::Quoted => {
                let (text, quote) = split_at(bytes, [self.quote.unwrap_or(b'"')]);
                let n_lines = text.iter().filter(|byte| **byte == b'\n').count();
                self.line = self.line.saturating_add(n_lines as u64);
                if quote.is_empty() {
                    return (text.len(), None);
                }
                self.n_record_quotes = self.n_record_quotes.saturating_add(1);
                self.state = QuoteState::QuoteInQuoted;
                (text.len().saturating_add(1), None)
            }
            QuoteState::QuoteInQuoted => {
                let Some(&byte) = bytes.first() else { return (0, None) };
                if self.quote == Some(byte) {
                    self.n_record_quotes = self.n_record_quotes.saturating_add(1);
                    self.state = QuoteState::Quoted;
                    return (1, None);
                }
                // Anything but a delimiter or a line end is an error, which the reader of the part reports.
                self.state = QuoteState::Plain(byte);
                if is_line_end(byte) {
                    self.end_line(b'"', byte);
                }
                (1, is_line_end(byte).then_some(LineEnd::Record))
            }
        }
    }

    /// Ends a line. A line feed after a carriage return ends the same line.
    fn end_line(&mut self, before: u8, end: u8) {
        if (before, end) != (b'\r', b'\n') {
            self.line = self.line.saturating_add(1);
        }
        self.state = QuoteState::Plain(end);
    }
}

fn is_line_end(byte: u8) -> bool {
    matches!(byte, b'\n' | b'\r')
}

/// The bytes before the first special one, and the rest.
fn split_at<const N: usize>(bytes: &[u8], special: [u8; N]) -> (&[u8], &[u8]) {
    bytes.split_at(find_any(bytes, special).unwrap_or(bytes.len()))
}
