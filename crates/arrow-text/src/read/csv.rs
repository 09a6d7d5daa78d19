//! Reads rows from CSV.

use std::{fmt, io::BufRead, sync::Arc};

use arrow_data::RecordBatch;
use arrow_schema::Schema;

use super::{
    batches::{BatchGatherer, RowOutcome, RowTarget},
    cells::{CellOrder, append_rows, check, is_row},
    error::{MAX_NAMES, RowError, RowErrorKind},
    node::Members,
    parts::PartText,
    reader::{RowText, TextReader},
    records::Records,
};
use crate::csv_options::CsvOptions;

/// Reads rows of a given schema from CSV, and returns them in batches. Reads the output of [`CsvRows`](crate::CsvRows), and
/// values in other notations; see `NOTATION.md`.
///
/// By default, the first line has the names of the columns, in any order. It must have the name of each column of the schema,
/// and no other names. An empty cell is null, and a pair of quotes is an empty text. Cells of lists, structs, maps and unions
/// contain JSON, and need the feature `json`.
///
/// If a row fails, all its values are dropped. By default, the reader then returns the batch of the rows before it, then the
/// error, and then ends. With [`with_skipped_errors`](CsvReader::with_skipped_errors), reading continues after the error.
///
/// Memory is bounded by the longest record and by the size of a batch. Cells beyond the number of columns are counted, but not
/// stored.
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
pub type CsvReader<R> = TextReader<CsvText<R>>;

/// The records of CSV, and the order of their cells.
pub struct CsvText<R> {
    pub(super) records: Records<R>,
    pub(super) options: CsvOptions,
    /// The column of each cell. `None` until the line of names has been read.
    order: Option<CellOrder>,
}

impl<R: BufRead> CsvReader<R> {
    /// Makes a reader. Wrap an unbuffered input in a [`BufReader`](std::io::BufReader).
    ///
    /// # Errors
    /// If types of the schema are nested more than 64 levels deep. If a column is nested and the feature `json` is off.
    pub fn try_new(input: R, schema: impl Into<Arc<Schema>>) -> Result<CsvReader<R>, RowError> {
        CsvReader::try_new_with(input, schema, CsvOptions::new())
    }

    /// Like [`try_new`](CsvReader::try_new), with options. The reader accepts all kinds of line ends.
    ///
    /// # Errors
    /// The errors of [`try_new`](CsvReader::try_new).
    pub fn try_new_with(
        input: R,
        schema: impl Into<Arc<Schema>>,
        options: CsvOptions,
    ) -> Result<CsvReader<R>, RowError> {
        let batches = BatchGatherer::try_new(schema.into())?;
        let columns = &batches.target.members;
        check(columns)?;
        let mut records = Records::new(input, &options, batches.limits.line_bytes);
        // Additional names are an error, which lists the first of them, so a line may store more cells than there are columns.
        records.keep_cells(columns.nodes.len().saturating_add(MAX_NAMES + 1));
        Ok(TextReader { text: CsvText { records, options, order: None }, batches })
    }

    /// Sets the maximum length of a record. Default: 16 MiB.
    #[must_use]
    pub fn with_max_record_bytes(mut self, n_bytes: usize) -> CsvReader<R> {
        self.batches.limits.line_bytes = n_bytes;
        self.text.records.limit(n_bytes);
        self
    }

    /// The column of each cell. Reads the line of names, if there is one. `None` if the line of names is required but the text
    /// is empty.
    pub(super) fn order(&mut self) -> Result<Option<CellOrder>, RowError> {
        let members = &self.batches.target.members;
        if self.text.options.has_header() {
            names(&mut self.text.records, members)
        } else {
            Ok(Some(CellOrder::from_schema(members)))
        }
    }

    /// Makes the reader read a part of a text. The part has no line of names.
    pub(super) fn with_part(mut self, order: CellOrder, part: &PartText) -> CsvReader<R> {
        self.text.order = Some(order);
        self.text.records.continue_on(part.first_line);
        part.set_up(&mut self.batches);
        self
    }
}

impl<'a> CsvReader<&'a [u8]> {
    /// Reads all rows of a text as one batch, with the default options.
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
    /// # Ok::<(), arrow_text::RowError>(())
    /// ```
    ///
    /// # Errors
    /// If a row fails, the error of the first such row.
    pub fn read_batch(text: &'a str, schema: impl Into<Arc<Schema>>) -> Result<RecordBatch, RowError> {
        CsvReader::try_new(text.as_bytes(), schema)?.with_max_record_bytes(usize::MAX).rest()
    }
}

impl<R: BufRead> RowText for CsvText<R> {
    /// Reads the next record. Reads the line of names before the first record.
    fn row(&mut self, target: &mut RowTarget) -> RowOutcome {
        let CsvText { records, options, order } = self;
        let order = match order {
            Some(order) => order,
            None if !options.has_header() => order.insert(CellOrder::from_schema(&target.members)),
            None => match names(records, &target.members) {
                Ok(Some(found)) => order.insert(found),
                Ok(None) => return RowOutcome::End,
                Err(error) => return RowOutcome::Failed { error, goes_on: false },
            },
        };
        match block(records, *options, order, target) {
            Ok(None) => {}
            Ok(Some(n_bytes)) => return RowOutcome::Row { line: records.first_line(), n_bytes },
            Err(error) => return RowOutcome::Failed { error: record_error(records, error), goes_on: false },
        }
        let result = loop {
            let next =
                if std::mem::take(&mut target.again) { Ok(Some(records.last())) } else { records.next() };
            let record = match next {
                Ok(None) => return RowOutcome::End,
                Ok(Some(record)) => record,
                Err(error) => {
                    let goes_on = matches!(error, RowErrorKind::CellNotUtf8 { .. });
                    return RowOutcome::Failed { error: record_error(records, error), goes_on };
                }
            };
            let line = record.line();
            match is_row(record, order.columns().len(), options) {
                Ok(false) => {
                    target.skipped.add(line);
                    continue;
                }
                Ok(true) => {}
                Err(kind) => break Err(RowError::new(line, kind)),
            }
            let result = append_rows(record.columns(), order, options, target);
            break result.map(|()| record.n_bytes()).map_err(|error| error.on_line(line));
        };
        match result {
            Ok(n_bytes) => RowOutcome::Row { line: records.first_line(), n_bytes },
            Err(error) => RowOutcome::Failed { error, goes_on: true },
        }
    }
}

/// Reads several records at once, if all of them are valid rows. Returns the length of their text in bytes.
fn block<R: BufRead>(
    records: &mut Records<R>,
    options: CsvOptions,
    order: &CellOrder,
    target: &mut RowTarget,
) -> Result<Option<usize>, RowErrorKind> {
    let n_columns = order.columns().len();
    let n_cells = n_columns.saturating_add(usize::from(options.has_end_delimiters));
    let Some(limits) = target.block_limits(Some(n_cells)) else { return Ok(None) };
    let Some(block) = records.block(limits)? else { return Ok(None) };
    let extent = block.extent;
    let is_appended = target.append_block(extent, |target| {
        let columns = block.columns().map_err(|_| RowError::new(0, RowErrorKind::NotUtf8))?;
        // Rows that end with a delimiter have one more cell, which must be empty. After any error, the rows are read one by
        // one.
        if options.has_end_delimiters && columns.column(n_columns).any(|(text, _)| !text.is_empty()) {
            return Err(RowError::new(0, RowErrorKind::Missing));
        }
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
        Ok(Some(record)) => match CellOrder::from_names(record, members) {
            Ok(order) => Ok(Some(order)),
            Err(error) => Err(error.on_line(record.line())),
        },
        Err(error) => Err(record_error(records, error)),
    }
}

pub(super) fn record_error<R: BufRead>(records: &Records<R>, error: RowErrorKind) -> RowError {
    let line = if matches!(error, RowErrorKind::Io(_)) {
        // `first_line` is not known before the first record.
        records.line()
    } else if matches!(error, RowErrorKind::TooFewLines { .. }) {
        0
    } else {
        records.first_line()
    };
    RowError::new(line, error)
}

impl<R> fmt::Debug for CsvReader<R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("CsvReader")
            .field("schema", &self.batches.schema)
            .field("options", &self.text.options)
            .finish_non_exhaustive()
    }
}
