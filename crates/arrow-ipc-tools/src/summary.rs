//! Describes the columns of an input: statistics of their values, and their sizes.

mod sizes;

use std::{
    num::NonZero,
    sync::{Mutex, PoisonError},
};

use arrow_compute::{Statistics, StatisticsError, StatisticsLimits};
use arrow_data::{ArrayData, RecordBatch};
use arrow_schema::Field;

use self::sizes::sizes;
use crate::{
    columns::{ColumnNames, RowQuery, Selection},
    count::RowCount,
    cursor::{RowCursor, StoredBatch},
    error::{InputContext, ToolError, ToolErrorKind, name::InputName},
    input::Input,
    observer::{InputRemarks, Observer, Pass},
    rows::{
        Rows,
        parts::{PartError, each_by_threads, take_parts},
        row_window::RowWindow,
    },
};

/// Options for [`summarize`].
#[derive(Debug, Clone)]
pub struct SummaryOptions {
    /// The columns, and fields inside columns, to describe, and a condition on rows. [`rows`](SummaryOptions::rows)
    /// then counts only matching rows. The size of a column includes all rows.
    pub query: RowQuery,
    /// The range of rows to describe. The size of a column includes all rows. Batches of a file outside the range are
    /// not read; a stream is read up to the end of the range.
    pub rows: RowWindow,
    /// The number of threads that share the columns of a large batch. Each thread has some rows of the batch in memory.
    pub n_threads: NonZero<usize>,
}

impl SummaryOptions {
    /// Describes all columns and rows, with one thread.
    pub fn new() -> SummaryOptions {
        SummaryOptions { query: RowQuery::new(), rows: RowWindow::ALL, n_threads: NonZero::<usize>::MIN }
    }
}

impl Default for SummaryOptions {
    fn default() -> SummaryOptions {
        SummaryOptions::new()
    }
}

/// The size of an input, and a description of each column.
#[derive(Debug)]
pub struct Summary {
    /// The number of rows that were described.
    pub n_rows: u64,
    /// The number of batches with selected rows.
    pub n_batches: u64,
    /// The length of the input in bytes; `None` for a pipe.
    pub n_bytes: Option<u64>,
    /// The described columns, in the order of the query.
    pub columns: Vec<ColumnSummary>,
    /// What the input has beside the described rows.
    pub remarks: InputRemarks,
}

/// The statistics and the size of a column.
#[derive(Debug)]
pub struct ColumnSummary {
    /// The name and type of the column; a nested field has its path as name.
    pub field: Field,
    /// The statistics of the described rows.
    pub statistics: Statistics,
    /// The stored length of the buffers of the column in the whole input, with children and dictionaries, the prefixes of
    /// compressed buffers, and without padding. A dictionary of several columns counts for the first of them. `None` for
    /// a pipe, or if any column has an unknown type.
    pub n_bytes: Option<u64>,
    /// The decompressed length of these buffers, according to their prefixes; `None` if it is unknown.
    pub n_decompressed_bytes: Option<u64>,
}

/// The limit for the memory of distinct values, over all columns, in bytes. Up to 20 columns get the default limit
/// each.
const DISTINCT_BYTES: usize = 128 << 20;

/// A batch with fewer bytes is not shared by several threads.
const MUCH_BYTES: u64 = 1 << 20;

/// Reads all values once, and describes them: see [`Statistics`]. Adds up the sizes of columns from the metadata of
/// messages, if the input is read by position.
///
/// One batch is in memory at a time, or a few rows of a large batch if the offsets of its lists are in order. The
/// statistics of a column take some MiB. The statistics of all columns take at most 128 MiB, plus 40 KiB for each
/// column.
///
/// ```
/// use arrow_array::Int64Array;
/// use arrow_data::RecordBatch;
/// use arrow_ipc::FileWriter;
/// use arrow_ipc_tools::{Input, SummaryOptions, summarize};
///
/// let batch = RecordBatch::try_from_columns([("id", Int64Array::from_iter([Some(1), None]).into())])?;
/// let file = FileWriter::write_to_buffer(batch.schema(), &[batch.clone()])?;
/// let input = Input::try_from_buffer("file", file)?;
/// let summary = summarize(input, &SummaryOptions::new(), &mut ())?;
/// assert_eq!((summary.n_rows, summary.n_batches), (2, 1));
/// let column = &summary.columns[0];
/// assert_eq!((column.field.name(), column.statistics.null_count()), ("id", 1));
/// // A bitmap and two numbers.
/// assert_eq!(column.n_bytes, Some(17));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// If the input cannot be read, is malformed, unsupported or over a limit, has only tensors, or lacks a column or the
/// first selected row. If the observer stops the work.
pub fn summarize(
    input: Input,
    options: &SummaryOptions,
    observer: &mut dyn Observer,
) -> Result<Summary, ToolError> {
    let name = input.name().clone();
    let n_bytes = input.n_bytes();
    let (input, reopened) = if input.has_positions() {
        input.twice().map(|[input, reopened]| (input, Some(reopened)))?
    } else {
        (input, None)
    };
    let (rows, selection) = Rows::open_selected(input, &options.query)?;
    // An unknown type has an unknown number of buffers, so buffers cannot be assigned to columns.
    let reopened = if rows.ipc_schema().unsupported_columns().is_empty() { reopened } else { None };
    let sizes = match reopened {
        Some(reopened) => Some(sizes(reopened, rows.ipc_schema(), selection.shown())?),
        None => None,
    };
    let fields = selection.schema(rows.schema()).fields().to_vec();
    let limits = limits_for(fields.len());
    let statistics =
        fields.iter().map(|field| Mutex::new(Statistics::with_limits(field.data_type().clone(), limits)));
    let mut work = SummaryWork {
        name: &name,
        selection: &selection,
        statistics: statistics.collect(),
        n_rows: 0,
        n_batches: 0,
        window: options.rows,
        n_threads: options.n_threads,
    };
    // With a condition, the window counts matching rows, so it is applied after the condition.
    let window = if selection.has_condition() {
        work.window = options.rows.with_matches_as_unit();
        RowWindow::ALL
    } else {
        options.rows
    };
    let mut cursor = RowCursor::new(name.clone(), rows, selection.clone(), window);
    work.all(&mut cursor, observer)?;
    work.window.check_start(&name)?;
    let SummaryWork { statistics, n_rows, n_batches, .. } = work;
    let statistics = statistics.into_iter().map(|of| of.into_inner().unwrap_or_else(PoisonError::into_inner));
    let columns = fields.into_iter().zip(statistics).enumerate();
    let columns = columns.map(|(idx, (field, statistics))| {
        let size = sizes.as_ref().and_then(|sizes| sizes.get(idx)).copied();
        let n_bytes = size.map(|size| size.n_stored);
        let n_decompressed_bytes = size.and_then(|size| size.n_decompressed);
        ColumnSummary { field, statistics, n_bytes, n_decompressed_bytes }
    });
    let columns = columns.collect();
    let remarks = cursor.rows().remarks().in_input(cursor.name())?;
    Ok(Summary { n_rows, n_batches, n_bytes, columns, remarks })
}

impl RowCount {
    /// Counts the rows that match the condition of a query, and the batches that have such rows. Reads only the columns of the condition.
    ///
    /// # Errors
    /// The errors of [`summarize`].
    pub fn matching(
        input: Input,
        query: RowQuery,
        observer: &mut dyn Observer,
    ) -> Result<RowCount, ToolError> {
        let query = query.with_columns(ColumnNames::default());
        let Summary { n_rows, n_batches, remarks, .. } =
            summarize(input, &SummaryOptions { query, ..SummaryOptions::new() }, observer)?;
        Ok(RowCount { n_rows, n_batches, remarks })
    }
}

/// The limits for each of `n_columns` columns.
fn limits_for(n_columns: usize) -> StatisticsLimits {
    let StatisticsLimits { max_distinct, max_distinct_bytes } = StatisticsLimits::default();
    let n_bytes = DISTINCT_BYTES / n_columns.max(1);
    // Each value takes up to 32 bytes in addition to its own bytes. A hash table that grows needs additional memory.
    StatisticsLimits {
        max_distinct: max_distinct.min(n_bytes / 96),
        max_distinct_bytes: max_distinct_bytes.min(n_bytes / 2),
    }
}

struct SummaryWork<'a> {
    name: &'a InputName,
    selection: &'a Selection,
    /// The statistics of each column. Several threads may add to the statistics of different columns.
    statistics: Vec<Mutex<Statistics>>,
    n_rows: u64,
    n_batches: u64,
    /// The rows that are still to be described.
    window: RowWindow,
    n_threads: NonZero<usize>,
}

impl SummaryWork<'_> {
    fn all(&mut self, cursor: &mut RowCursor, observer: &mut dyn Observer) -> Result<(), ToolError> {
        let mut pass = Pass::begin(observer, self.name, cursor.rows().work())?;
        while !self.window.is_done() && cursor.next_batch()? {
            let mut n_rows = cursor.stored().map_or(Ok(None), |batch| self.in_parts(batch))?;
            if n_rows.is_none() {
                while let Some(rows) = cursor.next_read()? {
                    n_rows = Some(n_rows.unwrap_or(0).saturating_add(self.rows(rows)?));
                }
            }
            n_rows.map_or(Ok(()), |n_rows| self.count(n_rows))?;
            pass.set(cursor.n_done())?;
        }
        if !self.selection.has_condition() {
            self.window = cursor.window();
        }
        Ok(())
    }

    /// Adds a large batch in parts, and returns its number of rows. `None` if it must be read as a whole.
    fn in_parts(&self, batch: &StoredBatch) -> Result<Option<u64>, ToolError> {
        if self.selection.is_inside() || self.selection.has_condition() {
            return Ok(None);
        }
        let taken = take_parts(&batch.selected, self.n_threads, |first, part| {
            let mut columns = self.statistics.iter().skip(first).zip(part.columns());
            columns.try_for_each(|(statistics, column)| add(statistics, column))
        });
        taken.map_err(|error| match error {
            PartError::Read(error) => batch.failed(error),
            PartError::Taking(error) => ToolError::new(self.name, ToolErrorKind::Statistics(error)),
        })
    }

    /// Counts the rows of a batch. With a condition, these are its matching rows.
    ///
    /// # Errors
    /// If there are too many rows to count.
    fn count(&mut self, n_rows: u64) -> Result<(), ToolError> {
        self.n_rows = RowCount::add(self.n_rows, n_rows).in_input(self.name)?;
        let is_counted = n_rows > 0 || !self.selection.has_condition();
        self.n_batches = self.n_batches.saturating_add(u64::from(is_counted));
        Ok(())
    }

    /// Adds the matching rows of a batch. Returns the number of these rows.
    fn rows(&mut self, batch: RecordBatch) -> Result<u64, ToolError> {
        let mut batch = self.selection.apply(batch).in_input(self.name)?;
        if self.selection.has_condition() {
            batch = self.window.take(batch.clone()).unwrap_or_else(|| batch.slice(0, 0));
        }
        let columns = batch.columns();
        let n_threads =
            if n_bytes_of(columns) < MUCH_BYTES { 1 } else { self.n_threads.get().min(columns.len()) };
        let result =
            each_by_threads(n_threads, self.statistics.iter().zip(columns), |(statistics, column)| {
                add(statistics, column)
            });
        result.map_err(ToolErrorKind::Statistics).in_input(self.name)?;
        Ok(batch.n_rows() as u64)
    }
}

fn n_bytes_of(columns: &[ArrayData]) -> u64 {
    columns.iter().fold(0, |sum: u64, column| sum.saturating_add(column.n_bytes()))
}

fn add(statistics: &Mutex<Statistics>, column: &ArrayData) -> Result<(), StatisticsError> {
    statistics.lock().unwrap_or_else(PoisonError::into_inner).add(column)
}
