//! What dividing CSV into parts and dividing JSON into parts have in common.

use std::{fmt, io, sync::Arc};

use arrow_schema::Schema;

use super::{
    batches::BatchGatherer,
    error::{RowError, RowErrorKind},
    reader::DigitsOfColumns,
    records::PartLimits,
};

/// The state of dividing a text into parts.
pub(super) struct Parts {
    pub(super) schema: Arc<Schema>,
    pub(super) limits: PartLimits,
    pub(super) digits: DigitsOfColumns,
    pub(super) null_bytes: u64,
    /// The number of bytes of earlier parts.
    n_bytes: u64,
    /// An error to return after the part with the text before it.
    error: Option<RowError>,
    is_over: bool,
}

/// The text of a part, and the settings of its reader.
pub(super) struct PartText {
    pub(super) text: Vec<u8>,
    pub(super) first_line: u64,
    pub(super) schema: Arc<Schema>,
    pub(super) record_bytes: usize,
    digits: DigitsOfColumns,
    null_bytes: u64,
    n_bytes_before: u64,
}

impl Parts {
    /// Makes parts whose readers have the settings of `batches`.
    pub(super) fn new(batches: &BatchGatherer) -> Parts {
        let record_bytes = batches.limits.line_bytes;
        Parts {
            schema: Arc::clone(&batches.schema),
            limits: PartLimits { n_records: 1 << 16, n_bytes: 8 << 20, record_bytes },
            digits: DigitsOfColumns::None,
            null_bytes: batches.limits.null_bytes,
            n_bytes: 0,
            error: None,
            is_over: false,
        }
    }

    /// Returns the part that `cut` returns. `None` after the last part.
    pub(super) fn next<P>(
        &mut self,
        cut: impl FnOnce(&mut Parts) -> Result<Option<P>, RowError>,
    ) -> Option<Result<P, RowError>> {
        if self.is_over {
            return None;
        }
        let part = self.error.take().map_or_else(|| cut(self), Err).transpose();
        self.is_over = !matches!(part, Some(Ok(_)));
        part
    }

    /// Makes a part of this text. If the input has failed inside a line, the bytes of this line are dropped, and the error is
    /// returned after the part. `None` if no text remains.
    pub(super) fn part(
        &mut self,
        mut text: Vec<u8>,
        first_line: u64,
        failed: Option<(io::Error, u64, usize)>,
    ) -> Result<Option<PartText>, RowError> {
        if let Some((error, line, n_whole_bytes)) = failed {
            self.error = Some(RowError::new(line, RowErrorKind::Io(error)));
            text.truncate(n_whole_bytes);
        }
        if text.is_empty() {
            return self.error.take().map_or(Ok(None), Err);
        }
        let n_bytes_before = self.n_bytes;
        self.n_bytes = n_bytes_before.saturating_add(text.len() as u64);
        Ok(Some(PartText {
            text,
            first_line,
            schema: Arc::clone(&self.schema),
            record_bytes: self.limits.record_bytes,
            digits: self.digits.clone(),
            null_bytes: self.null_bytes,
            n_bytes_before,
        }))
    }
}

impl PartText {
    /// Takes the text out of the part.
    pub(super) fn take(&mut self) -> io::Cursor<Vec<u8>> {
        io::Cursor::new(std::mem::take(&mut self.text))
    }

    /// Passes the settings of the part to its reader.
    pub(super) fn set_up(&self, batches: &mut BatchGatherer) {
        batches.limits.null_bytes = self.null_bytes;
        batches.set_digits(&self.digits);
        // Another reader counts the nulls in the earlier text.
        batches.nulls.n_text_bytes = self.n_bytes_before;
    }

    pub(super) fn debug(&self, f: &mut fmt::Formatter<'_>, name: &str) -> fmt::Result {
        f.debug_struct(name)
            .field("first_line", &self.first_line)
            .field("n_bytes", &self.text.len())
            .finish_non_exhaustive()
    }
}
