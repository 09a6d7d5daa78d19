//! The scan of a query: its tasks, which threads claim one after the other, and the rows of each.

use std::{
    num::NonZero,
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    thread, vec,
};

use arrow_c_data::{ArrowArray, ArrowSchema};
use arrow_data::{ArrayData, RecordBatch};
use arrow_ipc_dataset::{ReadTask, TaskBatches, TaskFile};
use arrow_schema::{Field, QuotedText, Schema};

use crate::{
    bind::{Bound, BoundColumn},
    capi::{
        Chunk, ChunkRef, Connection, ConvertedSchema, TableInit, TableScan, Value, converting_connection,
        max_rows,
    },
    fit::FittedColumn,
};

/// The smallest and largest number of bytes of a task, including columns that are not read.
const TASK_BYTES: (u64, u64) = (8 << 20, 128 << 20);

/// The tasks for each thread if files are large, so that threads end at about the same time.
const TASKS_PER_THREAD: u64 = 8;

/// What all threads of a scan share.
pub(crate) struct Scan {
    tasks: Vec<ReadTask>,
    next: AtomicUsize,
    columns: Vec<ScanColumn>,
}

/// A column that a query reads.
#[derive(Clone)]
enum ScanColumn {
    /// The next column of the batches.
    Data(Arc<FittedColumn>),
    Filename,
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
            None => ScanColumn::Rows,
        });
    }
    let set = bound.set.clone().with_columns(names).map_err(|error| error.to_string())?;
    let n_threads = thread::available_parallelism().map_or(1, NonZero::get);
    let n_bytes: u64 = set.split(u64::MAX).iter().map(ReadTask::n_bytes).fold(0, u64::saturating_add);
    let wanted = n_bytes / TASKS_PER_THREAD.saturating_mul(n_threads as u64).max(1);
    let tasks = set.split(wanted.clamp(TASK_BYTES.0, TASK_BYTES.1));
    call.set_max_threads(tasks.len().max(1));
    call.keep(Scan { tasks, next: AtomicUsize::new(0), columns });
    Ok(())
}

/// What a thread reads.
pub(crate) struct ScanThread {
    reading: Option<Reading>,
    rows: Option<Rows>,
    /// The fields of the last rows, and what DuckDB makes of them.
    known: Option<(Arc<Schema>, ConvertedSchema)>,
    /// Dropped after what it has made.
    connection: Connection,
}

/// A task, one file after the other.
struct Reading {
    task: ReadTask,
    files: vec::IntoIter<TaskFile>,
    /// The file that is read, and its path if a query asks for it.
    batches: Option<(TaskBatches, Arc<str>)>,
}

/// The rest of a batch.
struct Rows {
    batch: RecordBatch,
    start: usize,
    path: Arc<str>,
}

/// # Errors
/// If there is no connection.
pub(crate) fn init_thread(call: &mut TableInit) -> Result<(), String> {
    call.keep(ScanThread { reading: None, rows: None, known: None, connection: converting_connection()? });
    Ok(())
}

/// Fills a chunk with the next rows; with none after the last.
///
/// # Errors
/// The text of an error in the files.
pub(crate) fn scan(call: &mut TableScan, chunk: &ChunkRef) -> Result<(), String> {
    let (scan, thread): (&Scan, &mut ScanThread) = call.kept().ok_or("the call has no data")?;
    thread.fill(scan, chunk)
}

impl ScanThread {
    fn fill(&mut self, scan: &Scan, chunk: &ChunkRef) -> Result<(), String> {
        loop {
            if let Some(rows) = &mut self.rows {
                let n_rows = rows.batch.n_rows().saturating_sub(rows.start).min(max_rows());
                if n_rows > 0 {
                    let part = rows.batch.slice(rows.start, n_rows);
                    let path = Arc::clone(&rows.path);
                    rows.start = rows.start.saturating_add(n_rows);
                    let passed = self.pass(scan, &part, &path, chunk);
                    return passed.map_err(|error| format!("{path}: {error}"));
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
                self.reading = Some(Reading { task, files, batches: None });
                continue;
            };
            if let Some((batches, path)) = &mut reading.batches {
                match batches.next() {
                    Some(batch) => {
                        let batch = batch.map_err(|error| error.to_string())?;
                        return Ok(Some(Rows { batch, start: 0, path: Arc::clone(path) }));
                    }
                    None => reading.batches = None,
                }
            }
            match reading.files.next() {
                Some(file) => {
                    let path = Arc::from(file.path.to_string_lossy());
                    let part = ReadTask { files: vec![file], ..reading.task.clone() };
                    reading.batches = Some((part.read().map_err(|error| error.to_string())?, path));
                }
                None => self.reading = None,
            }
        }
    }

    /// Passes at most as many rows to DuckDB as a chunk may have.
    fn pass(&mut self, scan: &Scan, rows: &RecordBatch, path: &str, chunk: &ChunkRef) -> Result<(), String> {
        let mut fields: Vec<Field> = Vec::with_capacity(rows.n_columns());
        let mut arrays = Vec::with_capacity(rows.n_columns());
        for (fitted, array) in scan.data_columns().zip(rows.columns()) {
            let (array, field) =
                fitted.array(array).map_err(|error| in_column(fitted.field(), &error.to_string()))?;
            fields.push(field.clone());
            arrays.push(array);
        }
        let shared = if arrays.is_empty() {
            None
        } else {
            let shared = self.converted(fields.clone(), arrays.clone());
            Some(shared.map_err(|error| self.located(fields, arrays, error))?)
        };
        chunk.set_n_rows(rows.n_rows());
        let mut positions = 0..;
        for (position, column) in scan.columns.iter().enumerate() {
            match (column, &shared) {
                (ScanColumn::Data(_), Some(shared)) => {
                    chunk.share(position, shared, positions.next().unwrap_or_default());
                }
                (ScanColumn::Filename, _) => chunk.fill(position, &Value::text(path)),
                (ScanColumn::Rows, _) | (ScanColumn::Data(_), None) => chunk.fill(position, &Value::null()),
            }
        }
        Ok(())
    }

    /// What DuckDB makes of columns.
    fn converted(&mut self, fields: Vec<Field>, arrays: Vec<ArrayData>) -> Result<Chunk, String> {
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

    /// Says which column DuckDB cannot convert.
    fn located(&mut self, fields: Vec<Field>, arrays: Vec<ArrayData>, error: String) -> String {
        for (field, array) in fields.into_iter().zip(arrays) {
            if let Err(error) = self.converted(vec![field.clone()], vec![array]) {
                return in_column(&field, &error);
            }
        }
        error
    }
}

impl Scan {
    fn data_columns(&self) -> impl Iterator<Item = &FittedColumn> {
        self.columns.iter().filter_map(|column| match column {
            ScanColumn::Data(fitted) => Some(&**fitted),
            ScanColumn::Filename | ScanColumn::Rows => None,
        })
    }
}

fn in_column(field: &Field, error: &str) -> String {
    format!("column {}: {error}", QuotedText(field.name()))
}
