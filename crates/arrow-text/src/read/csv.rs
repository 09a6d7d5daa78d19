//! Reads rows from CSV.

use std::{fmt, io::BufRead, iter::FusedIterator, sync::Arc};

use arrow_data::RecordBatch;
use arrow_schema::Schema;

use super::{
    batches::{AfterError, BatchGatherer, RowOutcome, RowTarget, SkippedRows},
    cells::{CellOrder, append_rows, check, is_row},
    error::{RowError, RowErrorKind},
    leaf::DigitsOfColumns,
    node::Members,
    nulls::NullBytes,
    parts::PartText,
    records::{RecordError, Records},
};
use crate::csv_options::CsvOptions;

/// Reads rows from CSV by a schema, and returns them in batches. It reads the output of [`CsvRows`](crate::CsvRows),
/// and values in other notations. `docs/CSV.md` has the details.
///
/// The first line has the names of the columns, in any order, unless the options say otherwise. It must have the name of
/// each column of the schema, and no other names. An empty cell is null, a pair of quotes is an empty text. Cells of
/// lists, structs, maps and unions are JSON; reading them needs the feature `json`.
///
/// All values of a failed row are dropped. By default, the reader then returns the batch of the rows before it, then
/// the error, and then ends. With [`skipping_errors`](CsvReader::skipping_errors), reading continues after the error.
///
/// Memory is bounded by the longest record and by the size of a batch. Cells that belong to no column are counted, but
/// not stored.
///
/// ```
/// use arrow_schema::{DataType, Field, Schema};
/// use arrow_text::CsvReader;
///
/// let schema = Schema::new([
///     Field::new("id", DataType::Int64).required(),
///     Field::new("name", DataType::Utf8),
/// ]);
/// let text = "name,id\n\"Lovelace, Ada\",1\n,2\ngrace,x\n";
/// let mut batches = CsvReader::try_new(text.as_bytes(), schema)?;
/// let batch = batches.next().expect("rows come before the error that follows them")?;
/// assert_eq!((batch.n_rows(), batch.column("name")?.null_count()), (2, 1));
/// let error = batches.next().expect("the last row is wrong").unwrap_err();
/// assert_eq!((error.line(), error.path().to_string().as_str()), (4, "id"));
/// assert!(batches.next().is_none());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct CsvReader<R> {
    records: Records<R>,
    batches: BatchGatherer,
    options: CsvOptions,
    /// The column of each cell; `None` until the line of names has been read.
    order: Option<CellOrder>,
}

impl<R: BufRead> CsvReader<R> {
    /// A reader of the rows of `input`. Wrap an unbuffered input in a [`BufReader`](std::io::BufReader).
    ///
    /// # Errors
    /// If types of the schema are nested more than 64 levels deep. If a column is nested and the feature `json` is off.
    pub fn try_new(input: R, schema: impl Into<Arc<Schema>>) -> Result<CsvReader<R>, RowError> {
        let batches = BatchGatherer::try_new(schema.into())?;
        check(batches.columns())?;
        let options = CsvOptions::new();
        let mut records = Records::new(input, &options, batches.limits.line_bytes);
        // Cells beyond the number of columns are not kept, except the first of them, which is an error in the line of names.
        records.keep_cells(batches.columns().nodes.len().saturating_add(1));
        Ok(CsvReader { records, batches, options, order: None })
    }

    /// Sets the options of the CSV. All kinds of line ends are recognised.
    #[must_use]
    pub fn with_options(mut self, options: CsvOptions) -> CsvReader<R> {
        self.options = options;
        self.records.follow(&options);
        self
    }

    /// Sets the most rows of a batch, at least 1. Default: 65,536.
    #[must_use]
    pub fn with_batch_rows(mut self, n_rows: usize) -> CsvReader<R> {
        self.batches.limits.n_rows = n_rows;
        self
    }

    /// Ends a batch when its rows have `n_bytes` bytes of text. Default: 16 MiB.
    ///
    /// The memory of nulls counts like bytes of text.
    #[must_use]
    pub fn with_batch_bytes(mut self, n_bytes: u64) -> CsvReader<R> {
        self.batches.limits.batch_bytes = n_bytes;
        self
    }

    /// Sets the most bytes of a record. Default: 16 MiB.
    #[must_use]
    pub fn with_max_record_bytes(mut self, n_bytes: usize) -> CsvReader<R> {
        self.batches.limits.line_bytes = n_bytes;
        self.records.limit(n_bytes);
        self
    }

    /// Limits the memory of the nulls of a row to `n_bytes`. The same limit applies to the nulls of all rows together,
    /// unless 256 times the bytes of their text are more. Default: 256 MiB.
    #[must_use]
    pub fn with_max_null_bytes(mut self, n_bytes: u64) -> CsvReader<R> {
        self.batches.limits.null_bytes = n_bytes;
        self
    }

    /// Returns an error for whole numbers that float64 would round, and for numbers with a plus sign or leading zeros.
    /// Use this with a schema that was [inferred](crate::infer_csv) from the first rows: inference would have chosen
    /// another type for these numbers.
    #[must_use]
    pub fn keeping_digits(mut self) -> CsvReader<R> {
        self.batches.set_digits(&DigitsOfColumns::All);
        self
    }

    /// Continues with the next record after a row that fails. The error is returned before the batch that contains the
    /// rows around it. Errors of the input, of quotes, of names, and of records that are too long still end reading:
    /// after them, the start of the next row or the order of the columns is unknown.
    #[must_use]
    pub fn skipping_errors(mut self) -> CsvReader<R> {
        self.batches.after_error = AfterError::GoOn;
        self
    }

    /// The memory of the nulls of all rows so far.
    pub fn null_bytes(&self) -> NullBytes {
        self.batches.nulls
    }

    /// The rows that have been skipped because they have more or fewer cells than there are columns.
    pub fn skipped_rows(&self) -> SkippedRows {
        self.batches.skipped()
    }

    /// The schema of all batches.
    pub fn schema(&self) -> &Arc<Schema> {
        &self.batches.schema
    }

    pub(super) fn options(&self) -> CsvOptions {
        self.options
    }

    pub(super) fn batches(&self) -> &BatchGatherer {
        &self.batches
    }

    /// Reads records one by one. The reader also does this near invalid records.
    #[cfg(test)]
    pub(super) fn one_by_one(mut self) -> CsvReader<R> {
        self.batches.target.n_single_rows = usize::MAX;
        self
    }

    #[cfg(test)]
    pub(super) fn n_block_rows(&self) -> usize {
        self.batches.target.n_block_rows
    }

    pub(super) fn records_mut(&mut self) -> &mut Records<R> {
        &mut self.records
    }

    /// The column of each cell. Reads the line of names, if there is one. `None` if a line of names is required, but
    /// the text is empty.
    pub(super) fn order(&mut self) -> Result<Option<CellOrder>, RowError> {
        let members = self.batches.columns();
        if self.options.has_header() {
            names(&mut self.records, members)
        } else {
            Ok(Some(CellOrder::of_schema(members)))
        }
    }

    /// Makes the reader read a part of a text without a line of names.
    pub(super) fn continuing(mut self, order: CellOrder, part: &PartText) -> CsvReader<R> {
        self.order = Some(order);
        self.records.continue_on(part.first_line);
        part.set_up(&mut self.batches);
        self
    }
}

impl<'a> CsvReader<&'a [u8]> {
    /// The rows of a text, with the default options, as one batch.
    ///
    /// ```
    /// use arrow_array::{Date32Array, TypedBatch};
    /// use arrow_text::CsvReader;
    /// use arrow_schema::{DataType, Field, Schema};
    ///
    /// let schema = Schema::new([Field::new("day", DataType::Date32), Field::new("n", DataType::UInt8)]);
    /// let batch = CsvReader::read_batch("day,n\n1970-01-02,1\n,2\n", schema)?;
    /// let days = batch.column_as::<Date32Array>("day")?;
    /// assert_eq!((days.get(0), days.get(1)), (Some(1), None));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// The error of the first row that fails.
    pub fn read_batch(text: &'a str, schema: impl Into<Arc<Schema>>) -> Result<RecordBatch, RowError> {
        let mut reader = CsvReader::try_new(text.as_bytes(), schema)?.with_max_record_bytes(usize::MAX);
        let CsvReader { records, batches, options, order } = &mut reader;
        batches.rest(|target| row(records, *options, order, target))
    }
}

impl<R: BufRead> Iterator for CsvReader<R> {
    type Item = Result<RecordBatch, RowError>;

    fn next(&mut self) -> Option<Result<RecordBatch, RowError>> {
        let CsvReader { records, batches, options, order } = self;
        batches.next(|target| row(records, *options, order, target))
    }
}

impl<R: BufRead> FusedIterator for CsvReader<R> {}

/// Reads the next record. Before the first record, reads the line of names.
fn row<R: BufRead>(
    records: &mut Records<R>,
    options: CsvOptions,
    order: &mut Option<CellOrder>,
    target: &mut RowTarget,
) -> RowOutcome {
    let order = match order {
        Some(order) => order,
        None if !options.has_header() => order.insert(CellOrder::of_schema(&target.members)),
        None => match names(records, &target.members) {
            Ok(Some(found)) => order.insert(found),
            Ok(None) => return RowOutcome::End,
            Err(error) => return RowOutcome::Failed { error, goes_on: false },
        },
    };
    match block(records, options, order, target) {
        Ok(None) => {}
        Ok(Some(n_bytes)) => return RowOutcome::Row { line: records.first_line(), n_bytes },
        Err(error) => return RowOutcome::Failed { error: record_error(records, error), goes_on: false },
    }
    let result = loop {
        let next = if std::mem::take(&mut target.again) { Ok(Some(records.last())) } else { records.next() };
        let record = match next {
            Ok(None) => return RowOutcome::End,
            Ok(Some(record)) => record,
            Err(error) => {
                let goes_on = matches!(error, RecordError::NotUtf8 { .. });
                return RowOutcome::Failed { error: record_error(records, error), goes_on };
            }
        };
        let line = record.line();
        match is_row(record, order.columns().len(), options.ragged) {
            Ok(false) => {
                target.skipped.add(line);
                continue;
            }
            Ok(true) => {}
            Err(kind) => break Err(RowError::new(line, kind)),
        }
        let result = append_rows(record.columns(), order, &options, target);
        break result.map(|()| record.n_bytes()).map_err(|error| error.on_line(line));
    };
    match result {
        Ok(n_bytes) => RowOutcome::Row { line: records.first_line(), n_bytes },
        Err(error) => RowOutcome::Failed { error, goes_on: true },
    }
}

/// Reads several records at once, if they are rows and all of them are valid. Returns the bytes of their text.
fn block<R: BufRead>(
    records: &mut Records<R>,
    options: CsvOptions,
    order: &CellOrder,
    target: &mut RowTarget,
) -> Result<Option<usize>, RecordError> {
    let Some(limits) = target.block_limits(Some(order.columns().len())) else { return Ok(None) };
    let Some(block) = records.block(limits)? else { return Ok(None) };
    let extent = block.extent;
    let is_appended = target.append_block(extent, |target| {
        let columns = block.columns().map_err(|_| RowError::new(0, RowErrorKind::NotUtf8))?;
        append_rows(columns, order, &options, target)
    });
    if !is_appended {
        return Ok(None);
    }
    records.take_block(extent);
    Ok(Some(extent.n_bytes))
}

fn names<R: BufRead>(records: &mut Records<R>, members: &Members) -> Result<Option<CellOrder>, RowError> {
    match records.next() {
        Ok(None) => Ok(None),
        Ok(Some(record)) => match CellOrder::of_names(record, members) {
            Ok(order) => Ok(Some(order)),
            Err(error) => Err(error.on_line(record.line())),
        },
        Err(error) => Err(record_error(records, error)),
    }
}

pub(super) fn record_error<R: BufRead>(records: &Records<R>, error: RecordError) -> RowError {
    let kind = match error {
        // If no record has begun, only the reader knows the line.
        RecordError::Io(error) => return RowError::new(records.line(), RowErrorKind::Io(error)),
        RecordError::TooFewLines { n_lines, n_skipped } => {
            return RowError::new(0, RowErrorKind::TooFewLines { n_lines, n_skipped });
        }
        RecordError::TooLong { max_bytes } => RowErrorKind::TooLong { max_bytes },
        RecordError::AfterQuote { cell_idx } => RowErrorKind::AfterQuote { cell_idx },
        RecordError::OpenQuote { cell_idx } => RowErrorKind::OpenQuote { cell_idx },
        RecordError::NotUtf8 { cell_idx } => RowErrorKind::CellNotUtf8 { cell_idx },
    };
    RowError::new(records.first_line(), kind)
}

impl<R> fmt::Debug for CsvReader<R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("CsvReader")
            .field("schema", &self.batches.schema)
            .field("options", &self.options)
            .finish_non_exhaustive()
    }
}
