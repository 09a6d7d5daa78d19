//! The scan of a query: its tasks, which threads claim one after the other, and the rows of each.

use std::{
    num::NonZero,
    ops::Range,
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    thread, vec,
};

use arrow_array::Int64Array;
use arrow_c_data::{ArrowArray, ArrowSchema};
use arrow_compute::Predicate;
use arrow_data::{ArrayData, RecordBatch};
use arrow_ipc_dataset::{Dataset, DatasetError, ReadTask, RowSelection, TaskBatches, TaskFile};
use arrow_schema::{DataType, Field, Schema};

use crate::{
    bind::{Bound, BoundColumn, FILE_ROW_NUMBER, text_of},
    capi::{
        Chunk, ChunkRef, Connection, ConvertedSchema, TableInit, TableScan, Value, converting_connection,
        max_rows,
    },
    fit::FittedColumn,
    location,
    slots::{CoveredSlots, SlotBudget, TooManySlots, n_slots},
};

/// The smallest and largest number of bytes of a task, including columns that are not read.
const TASK_BYTES: (u64, u64) = (8 << 20, 128 << 20);

/// The tasks for each thread if files are large, so that threads end at about the same time.
const TASKS_PER_THREAD: u64 = 8;

/// What all threads of a scan share.
pub(crate) struct Scan {
    /// All rows and columns of the files.
    all: Dataset,
    condition: Option<Predicate>,
    tasks: Vec<ReadTask>,
    next: AtomicUsize,
    columns: Vec<ScanColumn>,
    slots: SlotBudget,
}

/// A column that a query reads.
#[derive(Clone)]
enum ScanColumn {
    /// The next column of the batches.
    Data(Arc<FittedColumn>),
    Filename,
    /// The position of the row in its file.
    RowNumber,
    /// A column that only counts rows.
    Rows,
}

/// # Errors
/// The text of an error.
pub(crate) fn init(call: &mut TableInit) -> Result<(), String> {
    let bound: &Bound = call.bound().ok_or("the call has no data")?;
    let mut names = Vec::new();
    let mut columns = Vec::new();
    for position in call.columns() {
        columns.push(match position.and_then(|position| bound.columns.get(position)) {
            Some(BoundColumn::Data(fitted)) => {
                names.push(fitted.field().name().to_owned());
                ScanColumn::Data(Arc::clone(fitted))
            }
            Some(BoundColumn::Filename) => ScanColumn::Filename,
            Some(BoundColumn::RowNumber) => ScanColumn::RowNumber,
            None => ScanColumn::Rows,
        });
    }
    let set = bound.set.clone().with_columns(names).map_err(|error| error.to_string())?;
    let n_threads = thread::available_parallelism().map_or(1, NonZero::get);
    let split = |target_bytes| set.split(target_bytes).map_err(|error| text_of(&error));
    let n_bytes: u64 = split(u64::MAX)?.iter().map(ReadTask::n_bytes).fold(0, u64::saturating_add);
    let wanted = n_bytes / TASKS_PER_THREAD.saturating_mul(n_threads as u64).max(1);
    let tasks = split(wanted.clamp(TASK_BYTES.0, TASK_BYTES.1))?;
    call.set_max_threads(tasks.len().max(1));
    let (all, condition) = (bound.all.clone(), bound.condition.clone());
    let slots = SlotBudget::new(bound.max_slots_without_bytes);
    call.store(Scan { all, condition, tasks, next: AtomicUsize::new(0), columns, slots });
    Ok(())
}

/// What a thread reads.
pub(crate) struct ScanThread {
    reading: Option<Reading>,
    rows: Option<Rows>,
    /// Those of the file that is read.
    covered: CoveredSlots,
    /// The fields of the last rows, and what DuckDB makes of them.
    known: Option<(Arc<Schema>, ConvertedSchema)>,
    /// Dropped after what it has made.
    connection: Connection,
}

/// A task, one file after the other.
struct Reading {
    task: ReadTask,
    files: vec::IntoIter<TaskFile>,
    /// The file that is read.
    batches: Option<(TaskBatches, Arc<FileOfTask>)>,
    /// How many rows of the file were read.
    n_rows: u64,
}

/// Batches of a file.
struct FileOfTask {
    file: TaskFile,
    path: String,
    /// The position of the first row of the batches in the file, if a query reads it.
    first_row: u64,
}

/// The rest of a batch.
struct Rows {
    batch: RecordBatch,
    start: usize,
    of: Arc<FileOfTask>,
    /// How many rows of the file were read before the batch.
    n_before: u64,
}

/// # Errors
/// If there is no connection.
pub(crate) fn init_thread(call: &mut TableInit) -> Result<(), String> {
    let connection = converting_connection()?;
    let covered = CoveredSlots::default();
    call.store(ScanThread { reading: None, rows: None, covered, known: None, connection });
    Ok(())
}

/// Fills a chunk with the next rows; with none after the last.
///
/// # Errors
/// The text of an error in the files.
pub(crate) fn scan(call: &mut TableScan, chunk: &ChunkRef) -> Result<(), String> {
    let (scan, thread): (&Scan, &mut ScanThread) = call.data().ok_or("the call has no data")?;
    thread.fill(scan, chunk)
}

impl ScanThread {
    fn fill(&mut self, scan: &Scan, chunk: &ChunkRef) -> Result<(), String> {
        loop {
            if let Some(rows) = &mut self.rows {
                let n_rows = rows.batch.n_rows().saturating_sub(rows.start).min(max_rows());
                if n_rows > 0 {
                    let part = rows.batch.slice(rows.start, n_rows);
                    let n_before = rows.n_before.saturating_add(rows.start as u64);
                    let of = Arc::clone(&rows.of);
                    rows.start = rows.start.saturating_add(n_rows);
                    return self.pass(scan, &part, (&of, n_before), chunk).map_err(|error| match error {
                        PassError::Slots(error) => {
                            format!("{}: {}{error}", of.path, scan.batch_prefix(&of.file, n_before))
                        }
                        PassError::Rows(error) => {
                            let row = |row| scan.row_in_file(&of.file, n_before.saturating_add(row));
                            format!("{}: {}", of.path, self.located(scan, &part, error, row))
                        }
                    });
                }
                self.rows = None;
            }
            match self.next_batch(scan)? {
                Some(rows) => self.rows = Some(rows),
                None => {
                    chunk.set_n_rows(0);
                    return Ok(());
                }
            }
        }
    }

    fn next_batch(&mut self, scan: &Scan) -> Result<Option<Rows>, String> {
        loop {
            let Some(reading) = &mut self.reading else {
                let Some(task) = scan.tasks.get(scan.next.fetch_add(1, Ordering::Relaxed)) else {
                    return Ok(None);
                };
                let task = task.clone();
                let files = task.files.clone().into_iter();
                self.reading = Some(Reading { task, files, batches: None, n_rows: 0 });
                continue;
            };
            if let Some((batches, of)) = &mut reading.batches {
                match batches.next() {
                    Some(batch) => {
                        let batch = batch.map_err(|error| text_of(&error))?;
                        let n_before = reading.n_rows;
                        reading.n_rows = n_before.saturating_add(batch.n_rows() as u64);
                        return Ok(Some(Rows { batch, start: 0, of: Arc::clone(of), n_before }));
                    }
                    None => reading.batches = None,
                }
            }
            match reading.files.next() {
                Some(file) => {
                    let path = file.path.to_string_lossy().into_owned();
                    self.covered = CoveredSlots::new(&file);
                    // The condition visits all rows, before DuckDB visits those that match.
                    if scan.condition.is_some() {
                        // Binding has loaded the row counts.
                        let n_rows = file.n_rows.unwrap_or(u64::MAX);
                        let spent = self.covered.spend(n_rows, &scan.slots);
                        spent.map_err(|error| format!("{path}: {error}"))?;
                    }
                    let part = ReadTask { files: vec![file.clone()], ..reading.task.clone() };
                    let batches = part.read_from(scan.all.store()).map_err(|error| text_of(&error))?;
                    let first_row = scan.first_row(&file).map_err(|error| text_of(&error))?;
                    reading.batches = Some((batches, Arc::new(FileOfTask { file, path, first_row })));
                    reading.n_rows = 0;
                }
                None => self.reading = None,
            }
        }
    }

    /// Passes at most as many rows to DuckDB as a chunk may have. They are of a file, with so many rows of the same batches before them.
    fn pass(
        &mut self,
        scan: &Scan,
        rows: &RecordBatch,
        (of, n_before): (&FileOfTask, u64),
        chunk: &ChunkRef,
    ) -> Result<(), PassError> {
        let mut fitted = FittedRows::try_new(scan.data_columns().zip(rows.columns()))?;
        let n_slots = fitted.arrays.iter().map(n_slots).fold(0, u64::saturating_add);
        self.covered.spend(n_slots.max(rows.n_rows() as u64), &scan.slots)?;
        if scan.has_row_numbers() {
            fitted.push_numbers(of.first_row.saturating_add(n_before), rows.n_rows());
        }
        let shared = if fitted.arrays.is_empty() { None } else { Some(self.converted(fitted)?) };
        chunk.set_n_rows(rows.n_rows());
        let mut positions = 0..;
        for (position, column) in scan.columns.iter().enumerate() {
            match (column, &shared) {
                (ScanColumn::Data(_), Some(shared)) => {
                    chunk.share(position, shared, positions.next().unwrap_or_default());
                }
                (ScanColumn::RowNumber, Some(shared)) => chunk.share(position, shared, rows.n_columns()),
                (ScanColumn::Filename, _) => chunk.fill(position, &Value::text(&of.path)),
                (ScanColumn::Rows, _) | (ScanColumn::Data(_) | ScanColumn::RowNumber, None) => {
                    chunk.fill(position, &Value::null())
                }
            }
        }
        Ok(())
    }

    /// What DuckDB makes of columns.
    fn converted(&mut self, rows: FittedRows) -> Result<Chunk, String> {
        let FittedRows { fields, arrays } = rows;
        let known = self.known.take().filter(|(schema, _)| schema.fields() == fields);
        let known = match known {
            Some(known) => known,
            None => {
                let schema = Arc::new(Schema::new(fields));
                let exported = ArrowSchema::try_from_schema(&schema).map_err(|error| error.to_string())?;
                (schema, self.connection.converted(exported)?)
            }
        };
        let (schema, known) = self.known.insert(known);
        let batch = RecordBatch::try_new(Arc::clone(schema), arrays).map_err(|error| error.to_string())?;
        let batch = ArrowArray::try_from_batch(&batch).map_err(|error| error.to_string())?;
        self.connection.chunk(batch, known)
    }

    /// Says which column DuckDB cannot convert, and which row. `row_in_file` finds the row of the file.
    fn located(
        &mut self,
        scan: &Scan,
        rows: &RecordBatch,
        error: String,
        row_in_file: impl Fn(u64) -> Option<u64>,
    ) -> String {
        for (fitted, array) in scan.data_columns().zip(rows.columns()) {
            let mut convert =
                |array: &ArrayData| self.converted(FittedRows::try_new([(fitted, array)].into_iter())?);
            let Err(error) = convert(array) else { continue };
            let by_rows = |rows: Range<usize>| convert(&array.slice(rows.start, rows.len()));
            let (row, error) = match location::first_failing(array.len(), by_rows) {
                Some((row, error)) => (row_in_file(row as u64), error),
                None => (None, error),
            };
            return format!("{}{error}", location::prefix(fitted.field().name(), row));
        }
        error
    }
}

/// Columns as DuckDB reads them.
struct FittedRows {
    fields: Vec<Field>,
    arrays: Vec<ArrayData>,
}

impl FittedRows {
    /// # Errors
    /// The text of an error in a value.
    fn try_new<'a>(
        columns: impl Iterator<Item = (&'a FittedColumn, &'a ArrayData)>,
    ) -> Result<FittedRows, String> {
        let (mut fields, mut arrays) = (Vec::new(), Vec::new());
        for (fitted, array) in columns {
            let (array, field) = fitted.array(array).map_err(|error| error.to_string())?;
            fields.push(field.clone());
            arrays.push(array);
        }
        Ok(FittedRows { fields, arrays })
    }
}

impl FittedRows {
    /// Adds a column that numbers the rows.
    fn push_numbers(&mut self, first: u64, n_rows: usize) {
        let first = i64::try_from(first).unwrap_or(i64::MAX);
        self.fields.push(Field::new(FILE_ROW_NUMBER.to_string_lossy(), DataType::Int64));
        self.arrays.push(Int64Array::from_iter((first..).take(n_rows)).into_data());
    }
}

/// Why rows cannot be passed to DuckDB.
enum PassError {
    /// There are too many slots before them.
    Slots(TooManySlots),
    /// One of them is at fault.
    Rows(String),
}

impl From<TooManySlots> for PassError {
    fn from(error: TooManySlots) -> PassError {
        PassError::Slots(error)
    }
}

impl From<String> for PassError {
    fn from(error: String) -> PassError {
        PassError::Rows(error)
    }
}

impl Scan {
    /// The start of an error about a batch: its index in its file, of which so many rows of these batches were read. Empty with a
    /// condition, since rows that do not match were read, too.
    fn batch_prefix(&self, batches: &TaskFile, n_before: u64) -> String {
        if self.condition.is_some() {
            return String::new();
        }
        let file = self.all.files().iter().find(|file| file.path() == batches.path);
        let mut n_left = n_before;
        let batch_idx = file.and_then(|file| {
            let mut row_counts = file.n_rows_of_each().ok()?.iter().enumerate().skip(batches.batches.start);
            row_counts.find_map(|(batch_idx, n_rows)| match n_left.checked_sub(*n_rows) {
                Some(n_after) => {
                    n_left = n_after;
                    None
                }
                None => Some(batch_idx),
            })
        });
        batch_idx.map_or_else(String::new, |batch_idx| format!("batch {batch_idx}: "))
    }

    fn has_row_numbers(&self) -> bool {
        self.columns.iter().any(|column| matches!(column, ScanColumn::RowNumber))
    }

    /// The position of the first row of these batches in their file; 0 if no query reads it.
    fn first_row(&self, batches: &TaskFile) -> Result<u64, DatasetError> {
        let file = self.all.files().iter().find(|file| file.path() == batches.path);
        let Some(file) = file.filter(|_| self.has_row_numbers()) else { return Ok(0) };
        let row_counts = file.n_rows_of_each()?.iter().take(batches.batches.start);
        Ok(row_counts.copied().fold(0, u64::saturating_add))
    }

    fn data_columns(&self) -> impl Iterator<Item = &FittedColumn> {
        self.columns.iter().filter_map(|column| match column {
            ScanColumn::Data(fitted) => Some(&**fitted),
            ScanColumn::Filename | ScanColumn::RowNumber | ScanColumn::Rows => None,
        })
    }

    /// The position in its file of a row that a query reads: `n_before` rows of these batches of the file match before it. Reads the
    /// columns of a condition again; `None` if that fails.
    fn row_in_file(&self, batches: &TaskFile, n_before: u64) -> Option<u64> {
        let file = self.all.files().iter().find(|file| file.path() == batches.path)?;
        let row_counts = file.n_rows_of_each().ok()?;
        let first = row_counts.iter().take(batches.batches.start).copied().fold(0, u64::saturating_add);
        let Some(condition) = &self.condition else { return Some(first.saturating_add(n_before)) };
        let schema = self.all.schema();
        let selection = RowSelection::try_new(Arc::clone(schema), Some(&[]), Some(condition)).ok()?;
        let names = selection.positions().iter().filter_map(|position| schema.field(*position));
        let task = ReadTask {
            files: vec![batches.clone()],
            columns: Some(names.map(|field| field.name().to_owned()).collect()),
            predicate: None,
            schema: Some(Arc::clone(schema)),
        };
        let (mut row, mut n_left) = (first, usize::try_from(n_before).ok()?);
        for batch in task.read_from(self.all.store()).ok()? {
            let batch = batch.ok()?;
            let matching = selection.matching_rows(&batch).ok()??;
            if let Some(slot) = matching.iter_set().nth(n_left) {
                return Some(row.saturating_add(slot as u64));
            }
            n_left = n_left.saturating_sub(matching.count_set());
            row = row.saturating_add(batch.n_rows() as u64);
        }
        None
    }
}
