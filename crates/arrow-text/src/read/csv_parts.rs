//! Cuts CSV into parts of whole records, which threads can read side by side.

#[cfg(test)]
mod tests;

use std::{
    fmt,
    io::{self, BufRead, Cursor},
    iter::FusedIterator,
    sync::Arc,
};

use arrow_schema::Schema;

use super::{
    available::available,
    cells::CellOrder,
    csv::{CsvReader, record_error},
    error::{RowError, RowErrorKind},
    leaf::DigitsOfColumns,
    records::{Cutter, PartLimits},
};
use crate::csv_options::CsvOptions;

/// Cuts CSV into parts of whole records, in their order. Each part has a [`CsvReader`] of its own, so that several threads can
/// read a text. Cutting takes little time compared with reading.
///
/// The batches of all parts in order, up to the first error, have the rows that a [`CsvReader`] of the whole text
/// returns. The error is the same, too. The caller must enforce the limit on nulls, with [`NullBytes`](crate::NullBytes), since
/// each reader counts only its own nulls. A part has up to 65,536 records, and ends after 8 MiB of text; no batch spans two
/// parts.
///
/// Needs the memory of a part, and three times that of the longest allowed record.
///
/// ```
/// use arrow_schema::Schema;
/// use arrow_text::{CsvOptions, CsvParts};
///
/// let schema: Schema = "id: int64\nname: utf8".parse()?;
/// let text = "name,id\nada,1\n\"Hopper, Grace\",2\n";
/// let mut n_rows = 0;
/// for part in CsvParts::try_new(text.as_bytes(), schema, CsvOptions::new())? {
///     for batch in part?.reader()? {
///         n_rows += batch?.n_rows();
///     }
/// }
/// assert_eq!(n_rows, 2);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct CsvParts<R> {
    whole: CsvReader<R>,
    limits: PartLimits,
    digits: DigitsOfColumns,
    null_bytes: u64,
    /// The bytes of all earlier parts.
    n_bytes: u64,
    /// `None` until the line of names has been read.
    cutting: Option<(Cutter, CellOrder)>,
    /// The error that comes after the records before it.
    error: Option<RowError>,
    is_over: bool,
}

/// Whole records of CSV, without the line of names.
pub struct CsvPart {
    text: Vec<u8>,
    first_line: u64,
    schema: Arc<Schema>,
    order: CellOrder,
    options: CsvOptions,
    record_bytes: usize,
    digits: DigitsOfColumns,
    null_bytes: u64,
    n_bytes_before: u64,
}

impl<R: BufRead> CsvParts<R> {
    /// Cuts `input` into parts.
    ///
    /// # Errors
    /// If types of the schema are nested more than 64 levels deep. If a column is nested and the feature `json` is off.
    pub fn try_new(
        input: R,
        schema: impl Into<Arc<Schema>>,
        options: CsvOptions,
    ) -> Result<CsvParts<R>, RowError> {
        let whole = CsvReader::try_new(input, schema)?.with_options(options);
        let limits = PartLimits { n_records: 1 << 16, n_bytes: 8 << 20, record_bytes: whole.record_bytes() };
        let null_bytes = whole.max_null_bytes();
        Ok(CsvParts {
            whole,
            limits,
            digits: DigitsOfColumns::None,
            null_bytes,
            n_bytes: 0,
            cutting: None,
            error: None,
            is_over: false,
        })
    }

    /// Sets the most records of a part, at least 1.
    #[must_use]
    pub fn with_part_records(self, n_records: usize) -> CsvParts<R> {
        CsvParts { limits: PartLimits { n_records, ..self.limits }, ..self }
    }

    /// Sets the most bytes of a record. Default: 16 MiB.
    #[must_use]
    pub fn with_max_record_bytes(self, n_bytes: usize) -> CsvParts<R> {
        let limits = PartLimits { record_bytes: n_bytes, ..self.limits };
        CsvParts { whole: self.whole.with_max_record_bytes(n_bytes), limits, ..self }
    }

    /// Sets the limit on nulls for the readers, as [`CsvReader::with_max_null_bytes`]. A reader treats the text before its part
    /// as if that had no nulls.
    #[must_use]
    pub fn with_max_null_bytes(self, n_bytes: u64) -> CsvParts<R> {
        CsvParts { null_bytes: n_bytes, ..self }
    }

    /// For an inferred schema, as [`CsvReader::keeping_digits`], except for the columns at these positions, whose types were given.
    #[must_use]
    pub fn keeping_digits_except(self, columns: &[usize]) -> CsvParts<R> {
        CsvParts { digits: DigitsOfColumns::AllBut(columns.into()), ..self }
    }

    /// The schema of all batches.
    pub fn schema(&self) -> &Arc<Schema> {
        self.whole.schema()
    }

    /// The next part.
    fn cut(&mut self) -> Result<Option<CsvPart>, RowError> {
        let options = self.whole.options();
        if self.cutting.is_none() {
            let Some(order) = self.whole.order()? else { return Ok(None) };
            let records = self.whole.records_mut();
            records.begin().map_err(|error| record_error(records, error))?;
            self.cutting = Some((records.cutter(self.limits), order));
        }
        let Some((cutter, order)) = &mut self.cutting else { return Ok(None) };
        cutter.begin();
        let mut text = Vec::new();
        let first_line = cutter.line();
        let filled = fill(self.whole.records_mut().input(), cutter, &mut text);
        if let Err(error) = filled {
            self.error = Some(RowError::new(cutter.line(), RowErrorKind::Io(error)));
            text.truncate(cutter.n_whole_bytes());
        }
        if text.is_empty() {
            return self.error.take().map_or(Ok(None), Err);
        }
        let (schema, order) = (Arc::clone(self.whole.schema()), order.clone());
        let (record_bytes, digits, null_bytes) =
            (self.limits.record_bytes, self.digits.clone(), self.null_bytes);
        let n_bytes_before = self.n_bytes;
        self.n_bytes = n_bytes_before.saturating_add(text.len() as u64);
        Ok(Some(CsvPart {
            text,
            first_line,
            schema,
            order,
            options,
            record_bytes,
            digits,
            null_bytes,
            n_bytes_before,
        }))
    }
}

/// Takes the text of a part from the input, as far as it has arrived.
fn fill(input: &mut impl BufRead, cutter: &mut Cutter, text: &mut Vec<u8>) -> io::Result<()> {
    loop {
        let available = available(input)?;
        if available.is_empty() {
            return Ok(());
        }
        if cutter.leaves_out(available.first()) {
            input.consume(1);
            continue;
        }
        let (n_used, is_end) = cutter.take(available);
        text.extend_from_slice(available.get(..n_used).unwrap_or(available));
        input.consume(n_used);
        if is_end {
            return Ok(());
        }
    }
}

impl<R: BufRead> Iterator for CsvParts<R> {
    type Item = Result<CsvPart, RowError>;

    fn next(&mut self) -> Option<Result<CsvPart, RowError>> {
        if self.is_over {
            return None;
        }
        let part = self.error.take().map_or_else(|| self.cut(), Err).transpose();
        self.is_over = !matches!(part, Some(Ok(_)));
        part
    }
}

impl<R: BufRead> FusedIterator for CsvParts<R> {}

impl CsvPart {
    /// Reads the rows of the part. Line numbers in errors count from the start of the whole text. If the reader returns an
    /// error, ignore later parts: their start depends on the quotes of this part.
    ///
    /// # Errors
    /// Only the errors of [`CsvParts::try_new`].
    pub fn reader(self) -> Result<CsvReader<Cursor<Vec<u8>>>, RowError> {
        let CsvPart {
            text,
            first_line,
            schema,
            order,
            options,
            record_bytes,
            digits,
            null_bytes,
            n_bytes_before,
        } = self;
        let mut reader = CsvReader::try_new(Cursor::new(text), schema)?.with_options(options);
        reader.set_digits(&digits);
        reader.begin_after(n_bytes_before);
        let reader = reader.with_max_null_bytes(null_bytes);
        Ok(reader.with_max_record_bytes(record_bytes).continuing(order, first_line))
    }
}

impl<R> fmt::Debug for CsvParts<R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("CsvParts").field("whole", &self.whole).finish_non_exhaustive()
    }
}

impl fmt::Debug for CsvPart {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (first_line, n_bytes) = (self.first_line, self.text.len());
        f.debug_struct("CsvPart")
            .field("first_line", &first_line)
            .field("n_bytes", &n_bytes)
            .finish_non_exhaustive()
    }
}
