//! Finds the ends of CSV records without storing cells.

use arrow_buffer::find_all;

use super::{
    machine::{Machine, is_line_end},
    record::{BlockExtent, Record},
};

/// Divides a text, which may arrive in pieces of any length, into parts of whole records. Errors in records are left to the
/// readers of the parts.
#[derive(Debug)]
pub(crate) struct RecordSplitter {
    /// Finds the ends of records, and stores no cells.
    machine: Machine,
    limits: PartLimits,
    /// The number of records in the part so far.
    n_records: u64,
    n_bytes: usize,
    /// The number of bytes up to the end of the last whole line of the part.
    n_whole_bytes: usize,
}

/// The limits at which a part or a record ends.
#[derive(Debug, Clone, Copy)]
pub(crate) struct PartLimits {
    pub(crate) n_records: u64,
    pub(crate) n_bytes: usize,
    /// The maximum length of a record in bytes. If a record is longer, the part ends, and its reader returns an error.
    pub(crate) record_bytes: usize,
}

impl RecordSplitter {
    /// Makes a cutter that starts where `machine` has stopped.
    pub(super) fn new(mut machine: Machine, limits: PartLimits) -> RecordSplitter {
        machine.keep_cells(0);
        RecordSplitter { machine, limits, n_records: 0, n_bytes: 0, n_whole_bytes: 0 }
    }

    pub(crate) fn line(&self) -> u64 {
        self.machine.line()
    }

    /// The number of bytes up to the end of the last whole line of the part.
    pub(crate) fn n_whole_bytes(&self) -> usize {
        self.n_whole_bytes
    }

    /// Starts the next part.
    pub(crate) fn begin(&mut self) {
        self.n_records = 0;
        self.n_bytes = 0;
        self.n_whole_bytes = 0;
        self.machine.begin(&mut Record::default());
    }

    /// Whether the next byte is a line feed that completes the line end before this part. Such a byte belongs to no part.
    pub(crate) fn leaves_out(&mut self, byte: Option<&u8>) -> bool {
        let is_rest = self.n_bytes == 0 && self.machine.is_rest_of_line_end(byte);
        if is_rest {
            self.machine.begin_line();
        }
        is_rest
    }

    /// Reads bytes into the part. Returns how many of them belong to the part, and whether the part is then complete.
    // This is a separate function, so that it is compiled in this crate, which is optimised for speed. Its caller is generic,
    // and is compiled in the crate that calls it.
    #[inline(never)]
    pub(crate) fn take(&mut self, bytes: &[u8]) -> (usize, bool) {
        let max_step = self.limits.record_bytes.min(self.limits.n_bytes).saturating_add(1);
        let mut rest = bytes;
        while !rest.is_empty() {
            let (n_used, is_record) = match self.take_line(rest) {
                Some(n_used) => (n_used, true),
                None => match self.machine.take(rest.get(..max_step).unwrap_or(rest)) {
                    Ok(taken) => taken,
                    // The reader of the part finds the same error.
                    Err(_) => return (bytes.len(), true),
                },
            };
            rest = rest.get(n_used..).unwrap_or_default();
            self.n_bytes = self.n_bytes.saturating_add(n_used);
            let is_too_long = self.machine.n_bytes() > self.limits.record_bytes;
            if is_record {
                self.n_records = self.n_records.saturating_add(1);
                self.machine.begin(&mut Record::default());
            }
            let is_full = self.n_records >= self.limits.n_records || self.n_bytes >= self.limits.n_bytes;
            let is_whole = self.machine.is_after_line();
            if is_whole {
                self.n_whole_bytes = self.n_bytes;
            }
            if is_whole && is_full || is_too_long {
                return (bytes.len().saturating_sub(rest.len()), true);
            }
        }
        (bytes.len(), false)
    }

    /// Skips to the end of the record without parsing cells, and returns the length. Returns `None` and changes nothing if the
    /// record is not a single line, has not arrived completely, or is too long.
    fn take_line(&mut self, bytes: &[u8]) -> Option<usize> {
        let is_start = self.machine.is_after_line() && !self.machine.is_rest_of_line_end(bytes.first());
        let Machine { delimiter, quote, comment, .. } = self.machine;
        if !is_start || comment.is_some() && comment == bytes.first().copied() {
            return None;
        }
        let mut is_quoted = false;
        for at in find_all(bytes, [quote.unwrap_or(b'\n'), b'\r', b'\n']) {
            match *bytes.get(at)? {
                byte if quote == Some(byte) && is_quoted => is_quoted = false,
                byte if quote == Some(byte) => {
                    let before = at.checked_sub(1).map_or(Some(&b'\n'), |before| bytes.get(before))?;
                    // The second of two quotes also begins a quoted cell.
                    is_quoted = *before == delimiter || is_line_end(*before);
                    if !is_quoted {
                        return None;
                    }
                }
                line_end if !is_quoted && at > 0 && at < self.limits.record_bytes => {
                    let extent = BlockExtent { n_records: 1, n_bytes: at, n_text_bytes: at, line_end };
                    self.machine.take_block(extent);
                    return Some(at.saturating_add(1));
                }
                _ => return None,
            }
        }
        None
    }
}
