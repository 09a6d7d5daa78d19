//! Collects rows into batches, and removes the values of rows that fail.

use std::{fmt, sync::Arc};

use arrow_array::parse::ValueParser;
use arrow_array::{AnyBuilder, ArrayError, StructBuilder};
use arrow_data::RecordBatch;
use arrow_schema::Schema;

use super::{
    error::{RowError, RowErrorKind},
    node::Members,
    nulls::{NullBudget, NullBytes},
    reader::DigitsOfColumns,
    records::{BlockExtent, BlockLimits},
};

/// The maximum depth of nested types in a schema. Reading a value recurses once for each level.
pub(super) const MAX_DEPTH: usize = 64;

#[derive(Debug, Clone, Copy)]
pub(super) struct RowLimits {
    /// The maximum number of rows of a batch.
    pub(super) n_rows: usize,
    /// The maximum number of rows that the run ends of columns can count.
    max_rows: usize,
    /// The number of bytes at which a batch ends. Counts text and the memory of null slots.
    pub(super) batch_bytes: u64,
    /// The maximum length of a line or record in bytes.
    pub(super) line_bytes: usize,
    /// The maximum memory of the null slots of a row. All rows together may take as much, or 256 times the length of their text
    /// if that is more.
    pub(super) null_bytes: u64,
}

/// Counts the rows of CSV that were skipped because they have more or fewer cells than there are columns.
///
/// ```
/// use arrow_schema::Schema;
/// use arrow_text::{CsvOptions, CsvReader, RaggedRows};
///
/// let options = CsvOptions::new().with_ragged_rows(RaggedRows::Skip);
/// let schema = "a: int8\nb: int8".parse::<Schema>()?;
/// let mut reader = CsvReader::try_new_with("a,b\n1\n1,2\n1,2,3\n".as_bytes(), schema, options)?;
/// assert_eq!(reader.next().expect("rows")?.n_rows(), 1);
/// assert_eq!(reader.skipped_rows().to_string(), "2 rows with another number of cells are skipped, on lines 2 and 4");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct SkippedRows {
    n_rows: u64,
    /// The lines on which the first skipped rows begin.
    lines: [u64; MAX_LINES],
}

/// The maximum number of lines that are stored.
const MAX_LINES: usize = 5;

impl SkippedRows {
    /// The number of rows that were skipped.
    pub fn n_rows(&self) -> u64 {
        self.n_rows
    }

    /// The lines on which the first skipped rows begin, at most 5.
    pub fn lines(&self) -> &[u64] {
        let n_lines = usize::try_from(self.n_rows).unwrap_or(MAX_LINES).min(MAX_LINES);
        self.lines.get(..n_lines).unwrap_or_default()
    }

    /// Adds the rows that were skipped in the next part of the text.
    pub fn append(&mut self, next: &SkippedRows) {
        next.lines().iter().for_each(|line| self.add(*line));
        self.n_rows = self.n_rows.saturating_add(next.n_rows.saturating_sub(next.lines().len() as u64));
    }

    pub(super) fn add(&mut self, line: u64) {
        if let Some(stored) = usize::try_from(self.n_rows).ok().and_then(|n_rows| self.lines.get_mut(n_rows))
        {
            *stored = line;
        }
        self.n_rows = self.n_rows.saturating_add(1);
    }
}

impl fmt::Display for SkippedRows {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (rows, lines) = if self.n_rows == 1 { ("row", "is") } else { ("rows", "are") };
        write!(f, "{} {rows} with another number of cells {lines} skipped", self.n_rows)?;
        let mut shown: Vec<String> = self.lines().iter().map(u64::to_string).collect();
        if self.n_rows > shown.len() as u64 {
            shown.push("others".to_owned());
        }
        let on = if self.n_rows == 1 { "line" } else { "lines" };
        match &shown[..] {
            [] => Ok(()),
            [line] => write!(f, ", on {on} {line}"),
            [first @ .., last] => write!(f, ", on {on} {} and {last}", first.join(", ")),
        }
    }
}

impl Default for RowLimits {
    fn default() -> RowLimits {
        let batch_bytes = 16 << 20;
        let line_bytes = 16 << 20;
        RowLimits { n_rows: 1 << 16, max_rows: usize::MAX, batch_bytes, line_bytes, null_bytes: 256 << 20 }
    }
}

/// The builders of the columns, and memory that is reused from row to row.
#[derive(Debug)]
pub struct RowTarget {
    pub(super) members: Members,
    pub(super) rows: StructBuilder<Vec<AnyBuilder>>,
    pub(super) budget: NullBudget,
    pub(super) parser: ValueParser,
    pub(super) skipped: SkippedRows,
    /// Whether the next call must read the last row again.
    pub(super) again: bool,
    /// How many rows and bytes the current batch can still take.
    pub(super) remaining: RemainingBatch,
    /// The number of rows to read one by one, before blocks are tried again.
    pub(super) n_single_rows: usize,
    #[cfg(test)]
    pub(super) n_block_rows: usize,
    /// Memory for the cells of a block, which is reused.
    #[cfg(feature = "json")]
    pub(super) cells: Vec<super::records::Cell>,
}

impl RowTarget {
    /// The limits for the next block of rows. `None` if the next row must be read on its own.
    pub(super) fn block_limits(&mut self, n_cells: Option<usize>) -> Option<BlockLimits> {
        /// The maximum number of rows in a block. The cells of a column then have a few kilobytes, and stay in the cache of the
        /// processor.
        const MAX_ROWS: usize = 512;
        if self.remaining.n_rows < 2 || self.again {
            return None;
        }
        self.n_single_rows = self.n_single_rows.saturating_sub(1);
        let n_bytes = usize::try_from(self.remaining.n_bytes).unwrap_or(usize::MAX);
        let n_records = self.remaining.n_rows.min(MAX_ROWS);
        (self.n_single_rows == 0).then_some(BlockLimits { n_records, n_bytes, n_cells })
    }

    /// Appends the rows of a block and returns `true`. If a row is invalid, or the batch may end inside the block, appends
    /// nothing and returns `false`. The rows of the block are then read one by one.
    pub(super) fn append_block<E>(
        &mut self,
        extent: BlockExtent,
        append: impl FnOnce(&mut RowTarget) -> Result<(), E>,
    ) -> bool {
        let n_before = self.rows.len();
        let n_bytes_left = self.remaining.n_bytes.saturating_sub(extent.n_bytes as u64);
        let budget = self.budget;
        self.budget = budget.limited(n_bytes_left);
        let result = append(self);
        self.budget = budget.after(self.budget);
        let n_bytes = (extent.n_bytes as u64).saturating_add(self.budget.n_bytes());
        let is_valid = result.is_ok() && n_bytes < self.remaining.n_bytes && self.rows.error().is_none();
        #[cfg(test)]
        {
            self.n_block_rows += if is_valid { extent.n_records } else { 0 };
        }
        if !is_valid {
            self.rows.truncate(n_before);
            self.budget = self.budget.with_spent(0);
            // The next rows are read one by one.
            self.n_single_rows = extent.n_records.saturating_add(1);
        }
        is_valid
    }
}

/// How many rows, and how many bytes of text and nulls, the current batch can still take.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct RemainingBatch {
    pub(super) n_rows: usize,
    pub(super) n_bytes: u64,
}

/// The result of reading a row.
pub enum RowOutcome {
    /// One or more rows were appended. `line` is the first line of the last row, and `n_bytes` the length of the text of all
    /// these rows.
    Row {
        line: u64,
        n_bytes: usize,
    },
    /// The row failed. The caller must remove the values that were appended for it.
    Failed {
        error: RowError,
        goes_on: bool,
    },
    End,
}

/// Collects rows into batches.
#[derive(Debug)]
pub(super) struct BatchGatherer {
    pub(super) schema: Arc<Schema>,
    pub(super) limits: RowLimits,
    /// Whether reading continues after a row has failed.
    pub(super) goes_on_after_errors: bool,
    pub(super) target: RowTarget,
    /// The rows of a finished batch, which could not take the next row.
    full: Option<StructBuilder<Vec<AnyBuilder>>>,
    /// Whether all rows become a single batch.
    is_whole: bool,
    /// The number of bytes of text and nulls in the current batch.
    n_bytes: u64,
    /// The memory of nulls in all rows so far.
    pub(super) nulls: NullBytes,
    /// An error to return after the batch of the rows before it.
    error: Option<RowError>,
    is_over: bool,
}

impl BatchGatherer {
    pub(super) fn try_new(schema: Arc<Schema>) -> Result<BatchGatherer, RowError> {
        let depth = schema.fields().iter().map(|field| field.data_type().depth()).max().unwrap_or(0);
        if depth > MAX_DEPTH {
            let kind = RowErrorKind::TooDeep { depth: depth as u64, max: MAX_DEPTH as u64 };
            return Err(RowError::new(0, kind));
        }
        let rows = StructBuilder::from_schema(&schema);
        let members = Members::from_fields(schema.fields());
        let runs = schema.fields().iter().filter_map(|field| field.data_type().as_run_end_encoded());
        let max_rows =
            runs.map(|runs| u64::MAX >> (65 - runs.run_end_type().n_bits())).min().unwrap_or(u64::MAX);
        let max_rows = usize::try_from(max_rows).unwrap_or(usize::MAX);
        let limits = RowLimits { max_rows, ..RowLimits::default() };
        let budget = NullBytes::default().budget(limits.null_bytes);
        let parser = ValueParser::default();
        let skipped = SkippedRows::default();
        let target = RowTarget {
            members,
            rows,
            budget,
            parser,
            skipped,
            again: false,
            remaining: RemainingBatch::default(),
            n_single_rows: 0,
            #[cfg(test)]
            n_block_rows: 0,
            #[cfg(feature = "json")]
            cells: Vec::new(),
        };
        Ok(BatchGatherer {
            schema,
            limits,
            goes_on_after_errors: false,
            target,
            full: None,
            is_whole: false,
            n_bytes: 0,
            nulls: NullBytes::default(),
            error: None,
            is_over: false,
        })
    }

    /// Sets whether digits that number types cannot represent are an error.
    pub(super) fn set_digits(&mut self, digits: &DigitsOfColumns) {
        for (column, node) in self.target.members.nodes.iter_mut().enumerate() {
            node.set_digits(digits.at(column));
        }
    }

    /// Returns the next batch. `read` is called for each row.
    pub(super) fn next(
        &mut self,
        mut read: impl FnMut(&mut RowTarget) -> RowOutcome,
    ) -> Option<Result<RecordBatch, RowError>> {
        loop {
            if let Some(mut full) = self.full.take() {
                let batch = batch_of(&self.schema, &mut full);
                return Some(self.checked(batch));
            }
            let n_rows = self.target.rows.len();
            let max_rows = self.limits.n_rows.clamp(1, self.limits.max_rows);
            let is_full = n_rows >= max_rows || self.n_bytes >= self.limits.batch_bytes;
            if n_rows > 0 && (is_full || self.is_over) {
                return Some(self.finish());
            }
            if self.is_over {
                return self.error.take().map(Err);
            }
            self.target.remaining = RemainingBatch {
                n_rows: max_rows.saturating_sub(n_rows),
                n_bytes: self.limits.batch_bytes.saturating_sub(self.n_bytes),
            };
            match self.row(&mut read) {
                Ok(true) => {}
                Ok(false) => self.is_over = true,
                Err((error, true)) => return Some(Err(error)),
                Err((error, false)) => {
                    self.is_over = true;
                    self.error = Some(error);
                }
            }
        }
    }

    /// Reads a row. Returns whether there was a row, or its error and whether to continue. Removes the values of a failed row.
    fn row(&mut self, read: &mut impl FnMut(&mut RowTarget) -> RowOutcome) -> Result<bool, (RowError, bool)> {
        let n_before = self.target.rows.len();
        self.target.budget = self.nulls.budget(self.limits.null_bytes);
        let (error, goes_on) = match read(&mut self.target) {
            RowOutcome::End => return Ok(false),
            RowOutcome::Row { line, n_bytes } => match self.may_be_full().then(|| self.target.rows.error()) {
                None | Some(None) => {
                    self.count(line, n_bytes);
                    return Ok(true);
                }
                Some(Some(error)) => {
                    self.target.rows.truncate(n_before);
                    if n_before > 0 && !self.is_whole && self.begin_with_last(read) {
                        return Ok(true);
                    }
                    (RowError::new(line, error), true)
                }
            },
            RowOutcome::Failed { error, goes_on } => (error, goes_on),
        };
        self.target.rows.truncate(n_before);
        Err((error, goes_on && self.goes_on_after_errors))
    }

    /// Whether appended rows may have exceeded a limit of their batch. Dictionaries, runs and offsets have limits for each
    /// batch.
    fn may_be_full(&self) -> bool {
        let max_bytes = self.limits.batch_bytes.saturating_add(self.limits.line_bytes as u64);
        !self.target.members.is_flat || max_bytes > i32::MAX as u64
    }

    fn count(&mut self, line: u64, n_bytes: usize) {
        let n_null_bytes = self.target.budget.n_bytes();
        self.nulls.add_row(line, n_null_bytes, n_bytes as u64);
        self.n_bytes = self.n_bytes.saturating_add(n_bytes as u64).saturating_add(n_null_bytes);
    }

    /// Reads the last row again, into a new batch, where dictionaries and runs start empty. If the row does not
    /// fit into an empty batch either, changes nothing and returns `false`.
    #[cold]
    fn begin_with_last(&mut self, read: &mut impl FnMut(&mut RowTarget) -> RowOutcome) -> bool {
        let rows = StructBuilder::from_schema(&self.schema);
        let full = std::mem::replace(&mut self.target.rows, rows);
        self.target.budget = self.target.budget.with_spent(0);
        self.target.again = true;
        let step = read(&mut self.target);
        self.target.again = false;
        match step {
            RowOutcome::Row { line, n_bytes } if self.target.rows.error().is_none() => {
                self.full = Some(full);
                self.n_bytes = 0;
                self.count(line, n_bytes);
                true
            }
            RowOutcome::Row { .. } | RowOutcome::Failed { .. } | RowOutcome::End => {
                self.target.rows = full;
                false
            }
        }
    }

    fn finish(&mut self) -> Result<RecordBatch, RowError> {
        self.n_bytes = 0;
        let batch = batch_of(&self.schema, &mut self.target.rows);
        self.checked(batch)
    }

    fn checked(&mut self, batch: Result<RecordBatch, ArrayError>) -> Result<RecordBatch, RowError> {
        batch.map_err(|error| {
            // Each row fits on its own, but a limit of the batch is exceeded.
            self.is_over = true;
            self.error = None;
            error.into()
        })
    }

    /// Returns all remaining rows as one batch, which may be empty.
    pub(super) fn rest(
        &mut self,
        read: impl FnMut(&mut RowTarget) -> RowOutcome,
    ) -> Result<RecordBatch, RowError> {
        self.limits.n_rows = usize::MAX;
        self.limits.max_rows = usize::MAX;
        self.limits.batch_bytes = u64::MAX;
        self.is_whole = true;
        let batch = match self.next(read) {
            Some(batch) => batch?,
            None => self.finish()?,
        };
        // After an error, the rows before it are dropped.
        self.error.take().map_or(Ok(batch), Err)
    }
}

fn batch_of(
    schema: &Arc<Schema>,
    rows: &mut StructBuilder<Vec<AnyBuilder>>,
) -> Result<RecordBatch, ArrayError> {
    let batch = rows.finish_batch()?;
    let n_rows = batch.n_rows();
    let columns = batch.columns().to_vec();
    Ok(RecordBatch::try_new_with_rows(Arc::clone(schema), columns, n_rows)?)
}
