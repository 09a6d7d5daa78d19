//! Finds the ends of records of CSV, without storing their cells.

use arrow_buffer::find_all;

use super::{
    machine::{Machine, is_line_end},
    record::{BlockExtent, Record},
};

/// Divides text into parts of whole records. Any number of bytes may arrive at a time. The readers of the parts
/// report the errors in records.
#[derive(Debug)]
pub(crate) struct Cutter {
    /// Finds the ends of records. It only counts cells.
    machine: Machine,
    limits: PartLimits,
    /// The number of records in the part so far.
    n_records: u64,
    n_bytes: usize,
    /// The length of the part, up to the end of its last whole line.
    n_whole_bytes: usize,
}

/// The limits at which a part ends.
#[derive(Debug, Clone, Copy)]
pub(crate) struct PartLimits {
    pub(crate) n_records: u64,
    pub(crate) n_bytes: usize,
    /// The most bytes of a record. A longer record is an error; the part ends as soon as the record is certainly too
    /// long.
    pub(crate) record_bytes: usize,
}

impl Cutter {
    /// A cutter that begins at the position of the machine.
    pub(super) fn new(mut machine: Machine, limits: PartLimits) -> Cutter {
        machine.keep_cells(0);
        Cutter { machine, limits, n_records: 0, n_bytes: 0, n_whole_bytes: 0 }
    }

    pub(crate) fn line(&self) -> u64 {
        self.machine.line()
    }

    /// The number of bytes of the part that are whole lines.
    pub(crate) fn n_whole_bytes(&self) -> usize {
        self.n_whole_bytes
    }

    /// Begins the next part at the end of the last one.
    pub(crate) fn begin(&mut self) {
        (self.n_records, self.n_bytes, self.n_whole_bytes) = (0, 0, 0);
        self.machine.begin(&mut Record::default());
    }

    /// Whether the next byte is a line feed that belongs to the line end before this part. This byte is not part of the
    /// text.
    pub(crate) fn leaves_out(&mut self, byte: Option<&u8>) -> bool {
        let is_rest = self.n_bytes == 0 && self.machine.is_rest_of_line_end(byte);
        if is_rest {
            self.machine.begin_line();
        }
        is_rest
    }

    /// The number of these bytes that belong to the part, and whether the part ends after them.
    // This is a separate function, so that its code stays in this crate, which is optimised for speed. Its caller is generic, and becomes
    // code of the crate that calls it.
    #[inline(never)]
    pub(crate) fn take(&mut self, bytes: &[u8]) -> (usize, bool) {
        let max_step = self.limits.record_bytes.min(self.limits.n_bytes).saturating_add(1);
        let mut rest = bytes;
        while !rest.is_empty() {
            let (n_used, is_record) = match self.take_line(rest) {
                Some(n_used) => (n_used, true),
                None => match self.machine.take(rest.get(..max_step).unwrap_or(rest)) {
                    Ok(taken) => taken,
                    // The error is ignored here, since the reader of the part finds it again.
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

    /// Moves to the end of the record without parsing its cells, if the record is a single line that has arrived whole
    /// and is short enough. Returns its length. `None` if the record is not such a line; then nothing changes.
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
                    // A quote also begins a quoted cell if it is the second of two quotes.
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
