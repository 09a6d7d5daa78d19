//! Reads CSV records up to a maximum length.

mod cutter;
mod machine;
mod record;

use std::io::{self, BufRead, Read as _};

pub(crate) use self::cutter::{PartLimits, RecordSplitter};
use self::machine::Machine;
pub(crate) use self::record::{BlockColumns, BlockExtent, BlockLimits, Cell, Record, RecordBlock};
use super::{MARK, available, error::RowErrorKind};
use crate::csv_options::CsvOptions;

/// Iterates over the records of UTF-8 CSV, which may begin with a byte order mark. Blank lines are not records.
///
/// This is not a library, since no library reports whether a cell was quoted. Only quotes distinguish an empty text from a
/// null.
pub(crate) struct Records<R> {
    /// The input, preceded by the bytes that were read to find the byte order mark.
    input: io::Chain<io::Cursor<Vec<u8>>, R>,
    machine: Machine,
    max_bytes: usize,
    /// The number of lines to skip at the start.
    n_skipped_lines: u64,
    /// After this many more bytes, no record begins. `None` if there is no limit.
    n_bytes_left: Option<u64>,
    record: Record,
    cells: Vec<Cell>,
    reading: RecordStage,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum RecordStage {
    NotStarted,
    Reading,
    Finished,
}

impl<R: BufRead> Records<R> {
    pub(crate) fn new(input: R, options: &CsvOptions, max_bytes: usize) -> Records<R> {
        Records {
            input: io::Cursor::new(Vec::new()).chain(input),
            machine: Machine::new(options),
            max_bytes,
            n_skipped_lines: options.n_skipped_lines(),
            n_bytes_left: None,
            record: Record::default(),
            cells: Vec::new(),
            reading: RecordStage::NotStarted,
        }
    }

    /// Sets the maximum length of records from now on.
    pub(crate) fn limit(&mut self, max_bytes: usize) {
        self.max_bytes = max_bytes;
    }

    /// Makes reading stop before the first record that begins after the next `n_bytes` bytes. The bytes of blank lines count.
    pub(crate) fn end_after(&mut self, n_bytes: u64) {
        self.n_bytes_left = Some(n_bytes);
    }

    /// Whether reading stopped at the limit of [`end_after`](Records::end_after), before the end of the text.
    pub(crate) fn is_cut(&self) -> bool {
        self.n_bytes_left == Some(0)
    }

    /// Stores at most `n_cells` cells of each record from now on, and only counts the others. A cell takes more memory than its
    /// text.
    pub(crate) fn keep_cells(&mut self, n_cells: usize) {
        self.machine.keep_cells(n_cells);
    }

    /// The line on which the last record begins.
    pub(crate) fn first_line(&self) -> u64 {
        self.machine.first_line()
    }

    /// The current line. After an error, the line of the error.
    pub(crate) fn line(&self) -> u64 {
        self.machine.line()
    }

    /// Sets the number of the next line, for a text whose start was read elsewhere.
    pub(crate) fn continue_on(&mut self, line: u64) {
        self.reading = RecordStage::Reading;
        self.machine.continue_on(line);
    }

    /// Skips the start of the text, if no record has been read.
    pub(crate) fn begin(&mut self) -> Result<(), RowErrorKind> {
        if std::mem::replace(&mut self.reading, RecordStage::Reading) == RecordStage::NotStarted {
            self.skip_start()?;
        }
        Ok(())
    }

    /// Makes a cutter that starts after the last record.
    pub(crate) fn cutter(&self, limits: PartLimits) -> RecordSplitter {
        RecordSplitter::new(self.machine.clone(), limits)
    }

    /// The input after the last record.
    pub(crate) fn input(&mut self) -> &mut impl BufRead {
        &mut self.input
    }

    pub(crate) fn last(&self) -> &Record {
        &self.record
    }

    /// Returns the next record. `None` at the end of the text, and after an error. Reading only continues after the error of a
    /// cell that is not UTF-8.
    pub(crate) fn next(&mut self) -> Result<Option<&Record>, RowErrorKind> {
        let before = self.reading;
        // The state is `Finished` until a valid record is found.
        self.reading = RecordStage::Finished;
        match before {
            RecordStage::Finished => return Ok(None),
            RecordStage::NotStarted => self.skip_start()?,
            RecordStage::Reading => {}
        }
        self.machine.begin(&mut self.record);
        if !self.read()? {
            return Ok(None);
        }
        // Reading continues after a record that is not UTF-8.
        self.reading = RecordStage::Reading;
        self.machine.finish(&mut self.record)?;
        Ok(Some(&self.record))
    }

    /// Returns the next records, as far as they have arrived, if each is a single line without doubled quotes. They stay in the
    /// input: [`next`](Records::next) returns them, unless [`take_block`](Records::take_block) skips them. `None` if the next
    /// record, if there is one, must be read on its own.
    pub(crate) fn block(&mut self, limits: BlockLimits) -> Result<Option<RecordBlock<'_>>, RowErrorKind> {
        let may_begin = self.reading == RecordStage::Reading && self.n_bytes_left.is_none();
        if !may_begin || !self.machine.is_after_line() {
            return Ok(None);
        }
        let is_rest = self.machine.is_rest_of_line_end(available(&mut self.input)?.first());
        self.input.consume(usize::from(is_rest));
        self.machine.begin_line();
        let bytes = available(&mut self.input)?;
        if bytes.is_empty() {
            // An input that has ended is not read again.
            self.reading = RecordStage::Finished;
            return Ok(None);
        }
        let limits = BlockLimits { n_bytes: limits.n_bytes.min(self.max_bytes), ..limits };
        let extent = self.machine.find_records(bytes, limits, &mut self.cells);
        Ok(extent.map(|extent| RecordBlock { bytes, cells: &self.cells, extent }))
    }

    /// Skips the records of a block.
    pub(crate) fn take_block(&mut self, extent: BlockExtent) {
        self.input.consume(extent.n_text_bytes.saturating_add(1));
        self.machine.take_block(extent);
    }

    /// Marks bytes of the input as read.
    fn consume(&mut self, n_used: usize) {
        self.input.consume(n_used);
        self.n_bytes_left = self.n_bytes_left.map(|n_left| n_left.saturating_sub(n_used as u64));
    }

    /// Skips the byte order mark and the lines that the options exclude.
    ///
    /// # Errors
    /// If the text has fewer lines than the options skip.
    fn skip_start(&mut self) -> Result<(), RowErrorKind> {
        let (mark, input) = self.input.get_mut();
        input.take(MARK.len() as u64).read_to_end(mark.get_mut())?;
        if mark.get_ref() == MARK {
            mark.get_mut().clear();
        }
        let n_skipped = self.n_skipped_lines;
        let mut is_inside = false;
        while self.n_skipped_lines > 0 && !self.is_cut() {
            let available = available(&mut self.input)?;
            let is_feed = self.machine.is_rest_of_line_end(available.first());
            let (n_used, is_whole) = self.machine.skip_line(available);
            if n_used == 0 {
                if is_inside {
                    self.machine.end_skipped();
                }
                let n_lines = self.machine.line().saturating_sub(1);
                return if n_lines < n_skipped {
                    Err(RowErrorKind::TooFewLines { n_lines, n_skipped })
                } else {
                    Ok(())
                };
            }
            is_inside = !is_whole && !is_feed;
            self.consume(n_used);
            self.n_skipped_lines = self.n_skipped_lines.saturating_sub(u64::from(is_whole));
        }
        Ok(())
    }

    /// Reads a record into the memory of the last one. Returns `false` at the end of the text.
    fn read(&mut self) -> Result<bool, RowErrorKind> {
        loop {
            let available = available(&mut self.input)?;
            if available.is_empty() {
                return self.machine.end();
            }
            if self.n_bytes_left == Some(0) && self.machine.is_between_records() {
                return Ok(false);
            }
            let (n_used, is_whole) = self.machine.take(available)?;
            self.consume(n_used);
            if self.machine.n_bytes() > self.max_bytes {
                return Err(RowErrorKind::TooLong { max_bytes: self.max_bytes });
            }
            if is_whole {
                return Ok(true);
            }
        }
    }
}

#[cfg(test)]
mod tests;
