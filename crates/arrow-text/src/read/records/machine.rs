//! Splits CSV into cells. The text may arrive in pieces of any length.

use std::mem;

use arrow_buffer::{find_all, find_any};

use super::record::{BlockExtent, BlockLimits, Cell, Record};
use crate::csv_options::CsvOptions;
use crate::read::error::RowErrorKind;

/// A state machine that collects the cells of one record after another.
#[derive(Debug, Clone)]
pub(super) struct Machine {
    pub(super) delimiter: u8,
    pub(super) quote: Option<u8>,
    /// The first byte of comment lines.
    pub(super) comment: Option<u8>,
    state: RecordState,
    /// The bytes of the stored cells. If the record was copied as a whole, also the bytes between the cells.
    bytes: Vec<u8>,
    n_between: usize,
    cells: Vec<Cell>,
    /// The maximum number of cells that are stored. The others are only counted.
    max_cells: usize,
    /// The number of cells in the record so far.
    n_cells: usize,
    /// The total length of the cells that are not stored, in bytes.
    n_left_out_bytes: usize,
    line: u64,
    /// The line on which the current record begins.
    first_line: u64,
}

/// What the last byte was.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum RecordState {
    /// A line end, or the start of the text.
    LineStart,
    /// A carriage return that ended a line. A line feed after it would belong to the same line end.
    CarriageReturn,
    /// A byte in a comment line.
    Comment,
    /// A delimiter, or the start of a line that is not blank.
    CellStart,
    /// A byte in a cell without quotes.
    Plain,
    /// A byte inside a quoted cell.
    Quoted,
    /// A carriage return inside a quoted cell. A line feed after it would belong to the same line end.
    QuotedReturn,
    /// A quote in a quoted cell: either the closing quote, or the first of two.
    QuoteInQuoted,
}

/// Which quotes of the current cell have been read.
#[derive(Debug, Clone, Copy)]
enum CellQuotes {
    No,
    /// The opening quote.
    Open,
    /// The closing quote, at this position.
    Closed(usize),
}

impl Machine {
    pub(super) fn new(options: &CsvOptions) -> Machine {
        Machine {
            delimiter: options.delimiter,
            quote: options.quote,
            comment: options.comment,
            state: RecordState::LineStart,
            bytes: Vec::new(),
            n_between: 0,
            cells: Vec::new(),
            max_cells: usize::MAX,
            n_cells: 0,
            n_left_out_bytes: 0,
            line: 1,
            first_line: 1,
        }
    }

    pub(super) fn keep_cells(&mut self, n_cells: usize) {
        self.max_cells = n_cells;
    }

    /// Skips a line, as far as it has arrived. Returns the number of skipped bytes, and whether they include the line end.
    pub(super) fn skip_line(&mut self, bytes: &[u8]) -> (usize, bool) {
        let is_rest = self.is_rest_of_line_end(bytes.first());
        self.state = RecordState::LineStart;
        if is_rest {
            return (1, false);
        }
        let (text, end) = split_at(bytes, [b'\r', b'\n']);
        let Some(byte) = end.first() else { return (bytes.len(), false) };
        self.end_line(*byte);
        (text.len().saturating_add(1), true)
    }

    /// Counts the last line of the text if it was skipped and has no line end.
    pub(super) fn end_skipped(&mut self) {
        self.line = self.line.saturating_add(1);
    }

    pub(super) fn line(&self) -> u64 {
        self.line
    }

    /// Sets the number of the current line.
    pub(super) fn continue_on(&mut self, line: u64) {
        self.line = line;
    }

    /// Whether the next byte is a line feed that completes the last line end.
    pub(super) fn is_rest_of_line_end(&self, next: Option<&u8>) -> bool {
        self.state == RecordState::CarriageReturn && next == Some(&b'\n')
    }

    /// Whether no byte of the next record has been read.
    pub(super) fn is_between_records(&self) -> bool {
        matches!(self.state, RecordState::LineStart | RecordState::CarriageReturn | RecordState::Comment)
    }

    pub(super) fn first_line(&self) -> u64 {
        self.first_line
    }

    /// The length of the current record, without its quotes and line end.
    pub(super) fn n_bytes(&self) -> usize {
        self.n_stored_bytes().saturating_add(self.n_left_out_bytes)
    }

    fn n_stored_bytes(&self) -> usize {
        self.bytes.len().saturating_sub(self.n_between).saturating_add(self.n_cells)
    }

    /// Starts a record, and reuses the memory of the previous one.
    pub(super) fn begin(&mut self, record: &mut Record) {
        self.bytes = mem::take(&mut record.text).into_bytes();
        self.cells = mem::take(&mut record.cells);
        self.bytes.clear();
        self.cells.clear();
        self.n_cells = 0;
        self.n_between = 0;
        self.n_left_out_bytes = 0;
    }

    /// Moves the finished record to `record`. An error if a cell is not UTF-8.
    pub(super) fn finish(&mut self, record: &mut Record) -> Result<(), RowErrorKind> {
        let n_bytes = self.n_stored_bytes();
        let cells = mem::take(&mut self.cells);
        let cell_at = |at: usize| cells.iter().take_while(|cell| cell.end <= at).count();
        let text = String::from_utf8(mem::take(&mut self.bytes)).map_err(|error| {
            RowErrorKind::CellNotUtf8 { cell_idx: cell_at(error.utf8_error().valid_up_to()) }
        })?;
        // If a cell ends inside a character, it is invalid, even if the bytes of all cells together are UTF-8.
        if let Some(cell_idx) = cells.iter().position(|cell| !text.is_char_boundary(cell.end)) {
            return Err(RowErrorKind::CellNotUtf8 { cell_idx });
        }
        let n_cells = self.n_cells;
        let n_left_out_bytes = self.n_left_out_bytes;
        let line = self.first_line;
        *record = Record { text, cells, n_cells, n_bytes, n_left_out_bytes, line };
        Ok(())
    }

    /// Reads bytes, at least one, into the record. Returns how many belong to the record, and whether it is then complete.
    pub(super) fn take(&mut self, bytes: &[u8]) -> Result<(usize, bool), RowErrorKind> {
        let mut rest = bytes;
        if self.n_cells == 0 && matches!(self.state, RecordState::LineStart | RecordState::CarriageReturn) {
            // So far, only bytes of comments have been counted here.
            self.n_left_out_bytes = 0;
        }
        while let Some((&byte, after)) = rest.split_first() {
            match self.state {
                RecordState::CarriageReturn => {
                    self.state = RecordState::LineStart;
                    rest = if byte == b'\n' { after } else { rest };
                }
                RecordState::LineStart if is_line_end(byte) => {
                    self.end_line(byte);
                    rest = after;
                }
                RecordState::LineStart if self.comment == Some(byte) => {
                    self.first_line = self.line;
                    self.state = RecordState::Comment;
                }
                RecordState::Comment => {
                    let (text, end) = split_at(rest, [b'\r', b'\n']);
                    // Comments and records have the same maximum length.
                    self.n_left_out_bytes = self.n_left_out_bytes.saturating_add(text.len());
                    let Some((&end, after)) = end.split_first() else { return Ok((bytes.len(), false)) };
                    self.end_line(end);
                    return Ok((bytes.len() - after.len(), false));
                }
                RecordState::LineStart => {
                    self.first_line = self.line;
                    if let Some(n_used) = self.take_line(rest) {
                        return Ok((bytes.len() - rest.len() + n_used, true));
                    }
                    self.state = RecordState::CellStart;
                }
                RecordState::CellStart if self.quote == Some(byte) => {
                    self.state = RecordState::Quoted;
                    rest = after;
                }
                RecordState::CellStart => self.state = RecordState::Plain,
                RecordState::Plain => {
                    let (text, special) = split_at(rest, [self.delimiter, b'\r', b'\n']);
                    self.push_text(text);
                    let Some((&byte, after)) = special.split_first() else {
                        return Ok((bytes.len(), false));
                    };
                    rest = after;
                    if self.end_cell(byte) {
                        return Ok((bytes.len() - rest.len(), true));
                    }
                }
                RecordState::Quoted | RecordState::QuotedReturn => {
                    let (text, quote) = split_at(rest, [self.quote.unwrap_or(b'"')]);
                    self.push_text(text);
                    self.line += n_line_ends(text, self.state);
                    rest = quote.get(1..).unwrap_or_default();
                    self.state = match text.last() {
                        _ if !quote.is_empty() => RecordState::QuoteInQuoted,
                        Some(b'\r') => RecordState::QuotedReturn,
                        Some(_) | None => RecordState::Quoted,
                    };
                }
                RecordState::QuoteInQuoted if self.quote == Some(byte) => {
                    self.push_text(&[byte]);
                    self.state = RecordState::Quoted;
                    rest = after;
                }
                RecordState::QuoteInQuoted if byte == self.delimiter || is_line_end(byte) => {
                    rest = after;
                    if self.end_cell(byte) {
                        return Ok((bytes.len() - rest.len(), true));
                    }
                }
                RecordState::QuoteInQuoted => {
                    return Err(RowErrorKind::AfterQuote { cell_idx: self.n_cells });
                }
            }
        }
        Ok((bytes.len(), false))
    }

    /// Reads a record that is a single line without doubled quotes, has arrived completely, and whose cells are all stored.
    /// Returns its length. Returns `None` and reads nothing if the record is different.
    fn take_line(&mut self, bytes: &[u8]) -> Option<usize> {
        let limits = BlockLimits { n_records: 1, n_bytes: usize::MAX, n_cells: None };
        let mut cells = mem::take(&mut self.cells);
        let extent = self.find_records(bytes, limits, &mut cells);
        self.cells = cells;
        let extent = extent?;
        let line = bytes.get(..extent.n_text_bytes)?;
        self.bytes.extend_from_slice(line);
        self.n_cells = self.cells.len();
        self.n_between = line.len().saturating_add(self.n_cells).saturating_sub(extent.n_bytes);
        self.end_line(extent.line_end);
        Some(line.len().saturating_add(1))
    }

    /// Finds the cells of the next records, up to the limits, as long as each is a single line without doubled quotes. `None`
    /// if the first record is not such a line.
    pub(super) fn find_records(
        &self,
        bytes: &[u8],
        limits: BlockLimits,
        cells: &mut Vec<Cell>,
    ) -> Option<BlockExtent> {
        cells.clear();
        let delimiter = self.delimiter;
        let quote = self.quote;
        let mut extent = BlockExtent::default();
        // The number of cells of all whole records, and the total length of all cells.
        let mut n_whole = 0;
        let mut n_bytes = 0;
        let mut start = 0;
        let mut quoted = CellQuotes::No;
        for at in find_all(bytes, [delimiter, quote.unwrap_or(delimiter), b'\r', b'\n']) {
            let Some(byte) = bytes.get(at).copied() else { break };
            let is_quote = quote == Some(byte);
            quoted = match (quoted, byte) {
                (CellQuotes::No, _) if is_quote && at == start => CellQuotes::Open,
                // In a cell without quotes, a quote is ordinary text.
                (CellQuotes::No, _) if is_quote => CellQuotes::No,
                (CellQuotes::Open, _) if is_quote => CellQuotes::Closed(at),
                (CellQuotes::Open, b'\r' | b'\n') => break,
                (CellQuotes::Open, _) => CellQuotes::Open,
                (CellQuotes::Closed(end), _) if is_quote || at != end + 1 => break,
                // The second byte of a line end.
                (CellQuotes::No, b'\n') if extent.line_end == b'\r' && at == extent.n_text_bytes + 1 => {
                    extent.line_end = byte;
                    extent.n_text_bytes = at;
                    start = at + 1;
                    CellQuotes::No
                }
                (CellQuotes::No | CellQuotes::Closed(_), _) => {
                    let is_first = cells.len() == n_whole;
                    let is_empty = is_first && at == start && byte != delimiter;
                    let is_comment =
                        is_first && self.comment.is_some_and(|byte| bytes.get(start) == Some(&byte));
                    if is_empty || is_comment || cells.len() - n_whole >= self.max_cells {
                        break;
                    }
                    let cell = match quoted {
                        CellQuotes::Closed(end) => Cell { start: start + 1, end, is_quoted: true },
                        CellQuotes::No | CellQuotes::Open => Cell { start, end: at, is_quoted: false },
                    };
                    cells.push(cell);
                    n_bytes += cell.end - cell.start + 1;
                    start = at + 1;
                    if byte != delimiter {
                        let n_cells = cells.len() - n_whole;
                        if limits.n_cells.is_some_and(|expected| n_cells != expected) || at >= limits.n_bytes
                        {
                            break;
                        }
                        n_whole = cells.len();
                        let n_records = extent.n_records + 1;
                        extent = BlockExtent { n_records, n_bytes, n_text_bytes: at, line_end: byte };
                        if n_records >= limits.n_records {
                            break;
                        }
                    }
                    CellQuotes::No
                }
            };
        }
        // Removes the cells of the last record, which is incomplete.
        cells.truncate(n_whole);
        (extent.n_records > 0).then_some(extent)
    }

    /// Whether the last byte ended a line. After a carriage return, a line feed may still complete the line end.
    pub(super) fn is_after_line(&self) -> bool {
        matches!(self.state, RecordState::LineStart | RecordState::CarriageReturn)
    }

    /// Makes the next byte the first of a line.
    pub(super) fn begin_line(&mut self) {
        self.state = RecordState::LineStart;
    }

    /// Counts the lines of a block that has been skipped.
    pub(super) fn take_block(&mut self, extent: BlockExtent) {
        self.first_line = self.line + extent.n_records as u64 - 1;
        self.line = self.first_line;
        self.end_line(extent.line_end);
    }

    /// Handles the end of the text. Returns whether it completed a record.
    pub(super) fn end(&mut self) -> Result<bool, RowErrorKind> {
        let is_quoted = match mem::replace(&mut self.state, RecordState::LineStart) {
            RecordState::LineStart | RecordState::CarriageReturn | RecordState::Comment => return Ok(false),
            RecordState::Quoted | RecordState::QuotedReturn => {
                return Err(RowErrorKind::OpenQuote { cell_idx: self.n_cells });
            }
            RecordState::CellStart | RecordState::Plain => false,
            RecordState::QuoteInQuoted => true,
        };
        self.push_cell(is_quoted);
        Ok(true)
    }

    /// Ends the current cell at a delimiter or a line end. Returns whether this completed the record.
    fn end_cell(&mut self, byte: u8) -> bool {
        self.push_cell(self.state == RecordState::QuoteInQuoted);
        if byte == self.delimiter {
            self.state = RecordState::CellStart;
            return false;
        }
        self.end_line(byte);
        true
    }

    fn end_line(&mut self, byte: u8) {
        self.line += 1;
        self.state = if byte == b'\r' { RecordState::CarriageReturn } else { RecordState::LineStart };
    }

    fn push_text(&mut self, text: &[u8]) {
        if self.n_cells < self.max_cells {
            self.bytes.extend_from_slice(text);
        } else {
            self.n_left_out_bytes = self.n_left_out_bytes.saturating_add(text.len());
        }
    }

    fn push_cell(&mut self, is_quoted: bool) {
        if self.n_cells < self.max_cells {
            let start = self.cells.last().map_or(0, |before| before.end);
            self.cells.push(Cell { start, end: self.bytes.len(), is_quoted });
        }
        self.n_cells = self.n_cells.saturating_add(1);
    }
}

pub(super) fn is_line_end(byte: u8) -> bool {
    matches!(byte, b'\r' | b'\n')
}

/// The number of line ends in a text inside a quoted cell. `before` is the state before the text.
fn n_line_ends(text: &[u8], before: RecordState) -> u64 {
    let is_after_return = |at: usize| match at.checked_sub(1) {
        Some(at) => text.get(at) == Some(&b'\r'),
        None => before == RecordState::QuotedReturn,
    };
    let is_rest = |at: usize| text.get(at) == Some(&b'\n') && is_after_return(at);
    find_all(text, [b'\r', b'\n']).filter(|at| !is_rest(*at)).count() as u64
}

fn split_at<const N: usize>(bytes: &[u8], special: [u8; N]) -> (&[u8], &[u8]) {
    bytes.split_at(find_any(bytes, special).unwrap_or(bytes.len()))
}
