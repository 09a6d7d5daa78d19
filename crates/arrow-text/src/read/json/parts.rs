//! Divides JSON lines into parts, which several threads can read at the same time.

#[cfg(test)]
mod tests;

use std::{
    fmt,
    io::{self, BufRead, Cursor},
    iter::FusedIterator,
    sync::Arc,
};

use arrow_schema::Schema;

use super::JsonReader;
use crate::read::{
    MARK, available,
    error::RowError,
    parts::{PartText, Parts},
    reader::DigitsOfColumns,
    records::PartLimits,
};

/// Divides lines of JSON into parts of whole lines, in their order. Each part has its own [`JsonReader`], so several threads
/// can read one text. Dividing takes little time compared with reading.
///
/// The batches of all parts in order, up to the first error, have the same rows as the batches of a [`JsonReader`] of the whole
/// text. The error is the same, too. Each reader counts only its own nulls, so the caller must enforce the limit on nulls for
/// the whole text with [`NullBytes`](crate::NullBytes). A part has up to 65,536 lines, and ends with the line that makes it 8
/// MiB long. No batch spans two parts.
///
/// `JsonParts` needs memory for one part and for one line of the maximum length.
///
/// ```
/// use arrow_schema::Schema;
/// use arrow_text::JsonParts;
///
/// let schema: Schema = "id: int64".parse()?;
/// let text = "{\"id\":1}\n{\"id\":2}\n";
/// let mut n_rows = 0;
/// for part in JsonParts::try_new(text.as_bytes(), schema)? {
///     for batch in part?.reader()? {
///         n_rows += batch?.n_rows();
///     }
/// }
/// assert_eq!(n_rows, 2);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct JsonParts<R> {
    input: R,
    parts: Parts,
    /// The number of lines before the next part.
    n_lines: u64,
}

/// A part of a text of JSON lines. Contains whole lines.
pub struct JsonPart(PartText);

impl<R: BufRead> JsonParts<R> {
    /// Makes an iterator over the parts of `input`.
    ///
    /// # Errors
    /// If types of the schema are nested more than 64 levels deep.
    pub fn try_new(input: R, schema: impl Into<Arc<Schema>>) -> Result<JsonParts<R>, RowError> {
        let none = JsonReader::try_new(io::empty(), schema)?;
        Ok(JsonParts { input, parts: Parts::new(&none.batches), n_lines: 0 })
    }

    /// Sets the maximum number of lines of a part, at least 1.
    #[must_use]
    pub fn with_part_lines(mut self, n_lines: u64) -> JsonParts<R> {
        self.parts.limits.n_records = n_lines;
        self
    }

    /// Sets the maximum length of a line. Default: 16 MiB.
    #[must_use]
    pub fn with_max_line_bytes(mut self, n_bytes: usize) -> JsonParts<R> {
        self.parts.limits.record_bytes = n_bytes;
        self
    }

    /// Sets the limit on nulls for the readers; see [`JsonReader::with_max_null_bytes`]. Each reader counts the nulls of its
    /// part only.
    #[must_use]
    pub fn with_max_null_bytes(mut self, n_bytes: u64) -> JsonParts<R> {
        self.parts.null_bytes = n_bytes;
        self
    }

    /// Works like [`JsonReader::with_exact_numbers`], except for the columns with these indices, whose types were given and not
    /// inferred. In these columns, a string may contain a number or boolean, and a utf8 column accepts numbers and booleans, as
    /// in cells of CSV.
    #[must_use]
    pub fn with_exact_numbers_except(mut self, columns: &[usize]) -> JsonParts<R> {
        self.parts.digits = DigitsOfColumns::all_but(columns);
        self
    }

    /// The schema of all batches, as it was passed to the constructor.
    pub fn schema(&self) -> &Arc<Schema> {
        &self.parts.schema
    }
}

/// Cuts the next part from the input.
fn cut(input: &mut impl BufRead, n_lines: &mut u64, parts: &mut Parts) -> Result<Option<JsonPart>, RowError> {
    let mut taken = PartBytes::default();
    let first_line = n_lines.saturating_add(1);
    let filled = fill(input, parts.limits, &mut taken);
    *n_lines = n_lines.saturating_add(taken.n_lines);
    // The line with the error is incomplete, so it follows the complete ones.
    let failed = filled.err().map(|error| (error, n_lines.saturating_add(1), taken.n_whole_bytes));
    let text = parts.part(taken.text, first_line, failed)?;
    Ok(text.map(JsonPart))
}

/// The bytes of a part that have been read.
#[derive(Default)]
struct PartBytes {
    text: Vec<u8>,
    n_lines: u64,
    /// The number of bytes up to the end of the last whole line.
    n_whole_bytes: usize,
}

/// Moves input to `taken`, up to the end of the part or of the input.
fn fill(input: &mut impl BufRead, limits: PartLimits, taken: &mut PartBytes) -> io::Result<()> {
    // Adds capacity for the line end, and for the byte order mark before the first line.
    let max_bytes = limits.record_bytes.saturating_add(2 + MARK.len());
    loop {
        let available = available(input)?;
        if available.is_empty() {
            return Ok(());
        }
        let (n_used, is_full) = taken.take(available, limits);
        input.consume(n_used);
        if is_full || taken.text.len().saturating_sub(taken.n_whole_bytes) > max_bytes {
            return Ok(());
        }
    }
}

impl PartBytes {
    /// Appends `bytes`, up to the end of the line that fills the part. Returns how many bytes were appended, and whether the
    /// part is full.
    fn take(&mut self, bytes: &[u8], limits: PartLimits) -> (usize, bool) {
        let n_ends = n_line_ends(bytes);
        let n_before = self.text.len();
        let is_full = |n_lines: u64, n_bytes: usize| {
            n_lines >= limits.n_records.max(1) || n_before.saturating_add(n_bytes) >= limits.n_bytes
        };
        let mut n_used = bytes.len();
        let mut n_lines = n_ends;
        let mut full = false;
        if n_ends > 0 && is_full(self.n_lines.saturating_add(n_ends), bytes.len()) {
            let ends = bytes.iter().enumerate().filter(|(_, byte)| **byte == b'\n');
            let mut ends = (1u64..).zip(ends.map(|(position, _)| position.saturating_add(1)));
            if let Some((n, end)) = ends.find(|(n, end)| is_full(self.n_lines.saturating_add(*n), *end)) {
                n_lines = n;
                n_used = end;
                full = true;
            }
        }
        let used = bytes.get(..n_used).unwrap_or(bytes);
        self.text.extend_from_slice(used);
        self.n_lines = self.n_lines.saturating_add(n_lines);
        if let Some(last) = used.iter().rposition(|byte| *byte == b'\n') {
            self.n_whole_bytes = n_before.saturating_add(last).saturating_add(1);
        }
        (n_used, full)
    }
}

/// Counts line ends. The sum over a block of 128 bytes is a `u8`, so vector instructions can count many bytes at once.
fn n_line_ends(bytes: &[u8]) -> u64 {
    let (blocks, rest) = bytes.as_chunks::<128>();
    let line_ends = |block: &[u8]| block.iter().map(|byte| u8::from(*byte == b'\n')).sum::<u8>();
    blocks.iter().map(|block| u64::from(line_ends(block))).sum::<u64>() + u64::from(line_ends(rest))
}

impl<R: BufRead> Iterator for JsonParts<R> {
    type Item = Result<JsonPart, RowError>;

    fn next(&mut self) -> Option<Result<JsonPart, RowError>> {
        let JsonParts { input, parts, n_lines } = self;
        parts.next(|parts| cut(input, n_lines, parts))
    }
}

impl<R: BufRead> FusedIterator for JsonParts<R> {}

impl JsonPart {
    /// Makes a reader of the rows of the part. Line numbers in errors count from the start of the whole text. If the reader
    /// returns an error, ignore later parts: one of them may begin inside a line that is too long.
    ///
    /// # Errors
    /// The errors of [`JsonParts::try_new`] only.
    pub fn reader(self) -> Result<JsonReader<Cursor<Vec<u8>>>, RowError> {
        let JsonPart(mut text) = self;
        let reader = JsonReader::try_new(text.take(), Arc::clone(&text.schema))?;
        let mut reader = reader.with_max_line_bytes(text.record_bytes);
        reader.text.lines.continue_after(text.first_line.saturating_sub(1));
        text.set_up(&mut reader.batches);
        Ok(reader)
    }
}

impl<R> fmt::Debug for JsonParts<R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("JsonParts")
            .field("schema", &self.parts.schema)
            .field("n_lines", &self.n_lines)
            .finish_non_exhaustive()
    }
}

impl fmt::Debug for JsonPart {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.debug(f, "JsonPart")
    }
}
