//! Divides CSV into parts of whole records, which several threads can read at the same time.

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
    available,
    cells::CellOrder,
    csv::{CsvReader, record_error},
    error::RowError,
    parts::{PartText, Parts},
    reader::DigitsOfColumns,
    records::RecordSplitter,
};
use crate::csv_options::CsvOptions;

/// Divides CSV into parts of whole records, in their order. Each part has its own [`CsvReader`], so several threads can read
/// one text. Dividing takes little time compared with reading.
///
/// The batches of all parts in order, up to the first error, have the same rows as the batches of a [`CsvReader`] of the whole
/// text. The error is the same, too. Each reader counts only its own nulls, so the caller must enforce the limit on nulls for
/// the whole text with [`NullBytes`](crate::NullBytes). A part has up to 65,536 records, and ends after 8 MiB of text. No
/// batch spans two parts.
///
/// `CsvParts` needs memory for one part and for three records of the maximum length.
///
/// ```
/// use arrow_schema::Schema;
/// use arrow_text::CsvParts;
///
/// let schema: Schema = "id: int64\nname: utf8".parse()?;
/// let text = "name,id\nada,1\n\"Hopper, Grace\",2\n";
/// let mut n_rows = 0;
/// for part in CsvParts::try_new(text.as_bytes(), schema)? {
///     for batch in part?.reader()? {
///         n_rows += batch?.n_rows();
///     }
/// }
/// assert_eq!(n_rows, 2);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct CsvParts<R> {
    whole: CsvReader<R>,
    parts: Parts,
    /// Finds the ends of records, and maps cells to columns. `None` until the line of names has been read.
    cutting: Option<(RecordSplitter, CellOrder)>,
}

/// A part of a CSV text: whole records, without the line of names.
pub struct CsvPart {
    text: PartText,
    order: CellOrder,
    options: CsvOptions,
}

impl<R: BufRead> CsvParts<R> {
    /// Makes an iterator over the parts of `input`.
    ///
    /// # Errors
    /// If types of the schema are nested more than 64 levels deep. If a column is nested and the feature `json` is off.
    pub fn try_new(input: R, schema: impl Into<Arc<Schema>>) -> Result<CsvParts<R>, RowError> {
        CsvParts::try_new_with(input, schema, CsvOptions::new())
    }

    /// Like [`try_new`](CsvParts::try_new), with options.
    ///
    /// # Errors
    /// The errors of [`try_new`](CsvParts::try_new).
    pub fn try_new_with(
        input: R,
        schema: impl Into<Arc<Schema>>,
        options: CsvOptions,
    ) -> Result<CsvParts<R>, RowError> {
        let whole = CsvReader::try_new_with(input, schema, options)?;
        let parts = Parts::new(&whole.batches);
        Ok(CsvParts { whole, parts, cutting: None })
    }

    /// Sets the maximum number of records of a part, at least 1.
    #[must_use]
    pub fn with_part_records(mut self, n_records: usize) -> CsvParts<R> {
        self.parts.limits.n_records = n_records as u64;
        self
    }

    /// Sets the maximum length of a record. Default: 16 MiB.
    #[must_use]
    pub fn with_max_record_bytes(mut self, n_bytes: usize) -> CsvParts<R> {
        self.whole = self.whole.with_max_record_bytes(n_bytes);
        self.parts.limits.record_bytes = n_bytes;
        self
    }

    /// Sets the limit on nulls for the readers; see [`CsvReader::with_max_null_bytes`]. Each reader counts the nulls of its
    /// part only.
    #[must_use]
    pub fn with_max_null_bytes(mut self, n_bytes: u64) -> CsvParts<R> {
        self.parts.null_bytes = n_bytes;
        self
    }

    /// Works like [`CsvReader::with_exact_numbers`], except for the columns with these indices, whose types were given and not
    /// inferred.
    #[must_use]
    pub fn with_exact_numbers_except(mut self, columns: &[usize]) -> CsvParts<R> {
        self.parts.digits = DigitsOfColumns::all_but(columns);
        self
    }

    /// The schema of all batches, as it was passed to the constructor.
    pub fn schema(&self) -> &Arc<Schema> {
        self.whole.schema()
    }
}

/// Cuts the next part from the input.
fn cut<R: BufRead>(
    whole: &mut CsvReader<R>,
    cutting: &mut Option<(RecordSplitter, CellOrder)>,
    parts: &mut Parts,
) -> Result<Option<CsvPart>, RowError> {
    let options = whole.text.options;
    let (cutter, order) = match cutting {
        Some(cutting) => cutting,
        None => {
            let Some(order) = whole.order()? else { return Ok(None) };
            let records = &mut whole.text.records;
            records.begin().map_err(|error| record_error(records, error))?;
            cutting.insert((records.cutter(parts.limits), order))
        }
    };
    cutter.begin();
    let mut text = Vec::new();
    let first_line = cutter.line();
    let filled = fill(whole.text.records.input(), cutter, &mut text);
    let failed = filled.err().map(|error| (error, cutter.line(), cutter.n_whole_bytes()));
    let text = parts.part(text, first_line, failed)?;
    Ok(text.map(|text| CsvPart { text, order: order.clone(), options }))
}

/// Moves input to `text`, up to the end of the part or of the input.
fn fill(input: &mut impl BufRead, cutter: &mut RecordSplitter, text: &mut Vec<u8>) -> io::Result<()> {
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
        let CsvParts { whole, parts, cutting } = self;
        parts.next(|parts| cut(whole, cutting, parts))
    }
}

impl<R: BufRead> FusedIterator for CsvParts<R> {}

impl CsvPart {
    /// Makes a reader of the rows of the part. Line numbers in errors count from the start of the whole text. If the reader
    /// returns an error, ignore later parts: their start depends on the quotes of this part.
    ///
    /// # Errors
    /// The errors of [`CsvParts::try_new`] only.
    pub fn reader(self) -> Result<CsvReader<Cursor<Vec<u8>>>, RowError> {
        let CsvPart { mut text, order, options } = self;
        let reader = CsvReader::try_new_with(text.take(), Arc::clone(&text.schema), options)?;
        Ok(reader.with_max_record_bytes(text.record_bytes).with_part(order, &text))
    }
}

impl<R> fmt::Debug for CsvParts<R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("CsvParts").field("whole", &self.whole).finish_non_exhaustive()
    }
}

impl fmt::Debug for CsvPart {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.text.debug(f, "CsvPart")
    }
}
