//! Tasks, which read some batches of a data set in any process.

use std::{
    fmt,
    iter::{self, FusedIterator},
    ops::Range,
    path::{Path, PathBuf},
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    vec,
};

use arrow_compute::Predicate;
use arrow_data::RecordBatch;
use arrow_ipc::{
    BatchWithMetadata, Projection, RecycledMemory,
    file::{Block, FilePrefetcher, Footer},
};
use arrow_schema::{Field, Schema};

use crate::{
    columns::FileColumns,
    common_schema::has_metadata_of,
    error::{DatasetError, DatasetErrorKind as Kind},
    padding::check_end,
    partition::PartitionValue,
    row_selection::RowSelection,
    store::{OpenFile, OpenFiles, StoredFile},
    version::{FileStamp, FileVersion},
};

/// Batches of one or several files, with the columns and rows to read. A task is plain data, and can be sent to
/// another process. Its files are opened when it is read.
#[derive(Debug, Clone, PartialEq)]
pub struct ReadTask {
    /// The files, with the batches of each, in the order of the rows.
    pub files: Vec<TaskFile>,
    /// The names of the columns to read; `None` for all columns.
    pub columns: Option<Vec<String>>,
    /// Selects the rows to read; `None` for all rows.
    pub predicate: Option<Predicate>,
    /// The schema of the data set. With `None`, the task has the columns of its first file, followed by the partition
    /// columns, and all files must have the same columns. A task without files needs a schema.
    pub schema: Option<Arc<Schema>>,
}

/// Consecutive batches of one file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TaskFile {
    /// The path of the file.
    pub path: PathBuf,
    /// The version of the file when the data set was opened. Reading fails if the file has another version.
    pub version: FileVersion,
    /// The range of batches, as indices in the footer.
    pub batches: Range<usize>,
    /// The values of partition columns, from the names of the folders of the file.
    pub partition: Arc<[PartitionValue]>,
    /// The number of rows in these batches. Reading fails if there are more or fewer. `None` if the footer does not state it, and it was
    /// not [counted](crate::Dataset::load_row_counts).
    pub n_rows: Option<u64>,
    /// The length of these batches in the file, in bytes, including columns that are not read.
    pub n_bytes: u64,
}

impl ReadTask {
    /// The number of rows in the batches of the task, including rows that do not match the predicate; `None` if it is unknown: see
    /// [`TaskFile::n_rows`].
    pub fn n_rows(&self) -> Option<u64> {
        self.files.iter().try_fold(0u64, |sum, file| Some(sum.saturating_add(file.n_rows?)))
    }

    /// The length of the batches of the task in bytes, including columns that are not read.
    pub fn n_bytes(&self) -> u64 {
        self.files.iter().map(|file| file.n_bytes).fold(0, u64::saturating_add)
    }

    /// Opens the first file, and returns an iterator over batches. It prefetches, as in [`FileReader::batches`](arrow_ipc::FileReader::batches), and
    /// skips batches without matching rows. If neither columns nor predicate need a column of a file, it reads only the
    /// footer of the file: batches have the numbers of rows that the footer states.
    ///
    /// # Errors
    /// If the file has changed after the task was created, or does not have a batch or column of the task.
    pub fn read(&self) -> Result<TaskBatches, DatasetError> {
        self.read_from(&OpenFiles::local())
    }

    /// Like [`read`](ReadTask::read), for files in a store.
    ///
    /// # Errors
    /// The errors of [`read`](ReadTask::read).
    pub fn read_from(&self, store: &OpenFiles) -> Result<TaskBatches, DatasetError> {
        let context = ScanContext::new(store.clone(), 1);
        SharingTask { task: self.clone(), first: None, last: None }.read(context)
    }
}

impl TaskFile {
    /// Whether this is the path of the file. Paths of which `Path` says that they are equal may be different files of a store.
    pub(crate) fn has_path(&self, path: &Path) -> bool {
        self.path.as_os_str() == path.as_os_str()
    }
}

/// The files of a scan, and the memory that their readers reuse: the system clears new memory, which takes longer
/// than filling it.
#[derive(Debug, Clone)]
pub(crate) struct ScanContext {
    files: Arc<ScanFiles>,
    recycled: RecycledMemory,
}

/// The files of a scan. At its end, open files retain no memory for further batches.
#[derive(Debug)]
struct ScanFiles(OpenFiles);

impl Drop for ScanFiles {
    fn drop(&mut self) {
        self.0.free_recycled();
    }
}

impl ScanContext {
    /// Retains as much memory as the readers of this number of threads would retain alone, but of 8 threads at most: more threads wait
    /// for a store most of the time.
    pub(crate) fn new(files: OpenFiles, n_threads: usize) -> ScanContext {
        const MAX_BYTES_OF_THREAD: usize = 64 << 20;
        let max_bytes = MAX_BYTES_OF_THREAD * n_threads.clamp(1, 8);
        let files = Arc::new(ScanFiles(files));
        ScanContext { files, recycled: RecycledMemory::with_max_bytes(max_bytes) }
    }
}

/// A task, and open files that it shares. The first file is shared with the previous task, and the last with the next
/// task, if these read the same file.
#[derive(Debug)]
pub(crate) struct SharingTask {
    task: ReadTask,
    first: Option<Arc<SharedFile>>,
    last: Option<Arc<SharedFile>>,
}

impl SharingTask {
    /// Makes consecutive tasks share a file if they read the same one. It is then opened once, and its dictionaries
    /// are read once.
    pub(crate) fn all(tasks: Vec<ReadTask>) -> Vec<SharingTask> {
        let mut made: Vec<SharingTask> = Vec::with_capacity(tasks.len());
        for task in tasks {
            let mut first = None;
            let own = task.files.first();
            if let Some(before) = made.last_mut()
                && before
                    .task
                    .files
                    .last()
                    .zip(own)
                    .is_some_and(|(last, own)| last.has_path(&own.path) && last.version == own.version)
            {
                first = Some(Arc::clone(before.last.get_or_insert_default()));
            }
            let last = if task.files.len() == 1 { first.clone() } else { None };
            made.push(SharingTask { task, first, last });
        }
        made
    }

    pub(crate) fn read(self, context: ScanContext) -> Result<TaskBatches, DatasetError> {
        let SharingTask { task, first: shared, last } = self;
        let mut files = task.files.into_iter();
        let shared = shared.or_else(|| if files.len() == 1 { last.clone() } else { None });
        let first = files.next().map(|file| PlannedFile::open(&context, file, shared)).transpose()?;
        let schema = match (&task.schema, &first) {
            (Some(schema), _) => Arc::clone(schema),
            (None, Some(first)) => Arc::new(first.own_schema()),
            (None, None) => Arc::default(),
        };
        let wanted = RowSelection::try_new(schema, task.columns.as_deref(), task.predicate.as_ref())?;
        let own_schema = task.schema.is_none().then(|| Arc::clone(&wanted.all));
        let reading = first.map(|first| first.begin(&wanted.read)).transpose()?;
        let files = FilesLeft(Box::new(files.map(Ok)));
        Ok(TaskBatches { context, files, last, wanted, own_schema, reading, n_metadata: 0 })
    }
}

/// The files that are not read yet. They may be found while they are read.
struct FilesLeft(BoxedFiles);

type BoxedFiles = Box<dyn Iterator<Item = Result<TaskFile, DatasetError>> + Send + Sync>;

impl FilesLeft {
    /// Whether it is certain that no file is left.
    fn is_empty(&self) -> bool {
        self.0.size_hint().1 == Some(0)
    }
}

impl fmt::Debug for FilesLeft {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("FilesLeft").field(&self.0.size_hint()).finish()
    }
}

/// Iterates over the batches of a [`ReadTask`]. After an error, the iterator ends.
#[derive(Debug)]
pub struct TaskBatches {
    context: ScanContext,
    files: FilesLeft,
    /// The last file, if the next task shares it.
    last: Option<Arc<SharedFile>>,
    wanted: RowSelection,
    /// If the task has no schema, the schema of its first file, which all other files must have.
    own_schema: Option<Arc<Schema>>,
    reading: Option<FileBatches>,
    /// The number of batches and footers whose metadata is not in the returned batches.
    pub(crate) n_metadata: u64,
}

impl TaskBatches {
    /// Begins to read the rows of files that are found while they are read. Opens the first.
    pub(crate) fn begin(
        context: ScanContext,
        mut files: BoxedFiles,
        wanted: RowSelection,
    ) -> Result<TaskBatches, DatasetError> {
        let first =
            files.next().transpose()?.map(|file| PlannedFile::open(&context, file, None)).transpose()?;
        let reading = first.map(|first| first.begin(&wanted.read)).transpose()?;
        let files = FilesLeft(files);
        Ok(TaskBatches { context, files, last: None, wanted, own_schema: None, reading, n_metadata: 0 })
    }

    /// The schema of the returned batches.
    pub fn schema(&self) -> &Arc<Schema> {
        &self.wanted.shown_schema
    }

    fn try_next(&mut self) -> Result<Option<RecordBatch>, DatasetError> {
        loop {
            let Some(reading) = &mut self.reading else {
                let Some(file) = self.files.0.next().transpose()? else { return Ok(None) };
                let shared = self.last.take_if(|_| self.files.is_empty());
                let opened = PlannedFile::open(&self.context, file, shared)?;
                if let Some(schema) = &self.own_schema {
                    let same = schema.check_same_columns(&opened.own_schema());
                    same.map_err(|error| DatasetError::at(&opened.file.path, Kind::Schema(error)))?;
                }
                self.reading = Some(opened.begin(&self.wanted.read)?);
                continue;
            };
            let Some(batch_idx) = reading.left.next() else {
                let failed = |kind| DatasetError::at(&reading.file.path, kind);
                reading.check_version().map_err(failed)?;
                reading.check_rows(|read, planned| read == planned).map_err(failed)?;
                let metadata = Footer::without_own_keys(reading.rows.reader().footer_metadata());
                let is_lost = !metadata.is_empty()
                    || !has_metadata_of(&self.wanted.read, reading.rows.reader().schema());
                self.n_metadata += u64::from(is_lost);
                self.reading = None;
                continue;
            };
            let next = reading.next_batch(batch_idx);
            let failed = |kind| DatasetError::at(&reading.file.path, kind);
            let (batch, n_metadata) = next.map_err(failed)?;
            // A store may have to make a request to know the version, so that is compared only once, after the last batch.
            if matches!(reading.opened.stamp, FileStamp::Modified(_)) {
                reading.check_version().map_err(failed)?;
            }
            self.n_metadata += n_metadata;
            reading.n_rows = reading.n_rows.saturating_add(batch.n_rows() as u64);
            reading.check_rows(|read, planned| read <= planned).map_err(failed)?;
            let block = reading.rows.reader().footer().batches().get(batch_idx);
            let n_stored_bytes = block.map_or(0, Block::n_bytes);
            let idx = u64::try_from(batch_idx).ok();
            let batch = reading.columns.batch(idx, &batch, n_stored_bytes).map_err(failed)?;
            if let Some(batch) = self.wanted.filter(batch).map_err(failed)? {
                reading.columns.check_nulls(idx, &batch).map_err(failed)?;
                return Ok(Some(batch));
            }
        }
    }
}

impl Iterator for TaskBatches {
    type Item = Result<RecordBatch, DatasetError>;

    fn next(&mut self) -> Option<Result<RecordBatch, DatasetError>> {
        let next = self.try_next();
        if next.is_err() {
            self.files = FilesLeft(Box::new(iter::empty()));
            self.reading = None;
        }
        next.transpose()
    }
}

impl FusedIterator for TaskBatches {}

/// An open file that several tasks share. The lock is held while a task opens the file or reads its
/// dictionaries.
type SharedFile = Mutex<Option<OpenFile>>;

/// A file of a task, after its version was checked.
struct PlannedFile {
    file: TaskFile,
    opened: OpenFile,
    /// Set if other tasks share the file.
    shared: Option<Arc<SharedFile>>,
}

/// The file that is currently read.
#[derive(Debug)]
struct FileBatches {
    file: TaskFile,
    opened: FileVersion,
    rows: Box<FilePrefetcher<Arc<dyn StoredFile>>>,
    left: Range<usize>,
    /// If no column of the file is needed, the numbers of rows of the batches in `left`. No batch is read then.
    counts: Option<vec::IntoIter<u64>>,
    /// The number of rows in the batches that were read.
    n_rows: u64,
    columns: FileColumns,
}

impl FileBatches {
    /// The needed columns of the file in a batch, and the number of batches whose metadata is lost: 1 or 0.
    fn next_batch(&mut self, batch_idx: usize) -> Result<(RecordBatch, u64), Kind> {
        if let Some(counts) = &mut self.counts {
            // There is a count for each batch.
            let n_rows = counts.next().unwrap_or_default();
            let n_rows = usize::try_from(n_rows)
                .map_err(|_| Kind::Rows { planned: self.file.n_rows.unwrap_or(0), found: n_rows })?;
            return Ok((RecordBatch::try_new_with_rows(Arc::default(), Vec::new(), n_rows)?, 0));
        }
        let read = self.rows.next_of(batch_idx..self.file.batches.end).read()?;
        let BatchWithMetadata { batch, metadata, .. } = read;
        Ok((batch, u64::from(!metadata.is_empty())))
    }

    /// If the file was overwritten after it was opened, the batches that were read may be of both versions.
    fn check_version(&self) -> Result<(), Kind> {
        Kind::check_same(self.opened, self.rows.reader().source().version()?)
    }

    /// Compares the number of rows with the planned number, if it is known:
    /// [`DatasetFile::n_rows`](crate::DatasetFile::n_rows) may already have returned it.
    fn check_rows(&self, fits: fn(u64, u64) -> bool) -> Result<(), Kind> {
        let found = self.n_rows;
        match self.file.n_rows {
            Some(planned) if !fits(found, planned) => Err(Kind::Rows { planned, found }),
            Some(_) | None => Ok(()),
        }
    }
}

impl PlannedFile {
    fn open(
        context: &ScanContext,
        file: TaskFile,
        shared: Option<Arc<SharedFile>>,
    ) -> Result<PlannedFile, DatasetError> {
        let open = || -> Result<OpenFile, Kind> {
            let mut shared = shared.as_ref().map(|shared| locked(shared));
            if let Some(Some(opened)) = shared.as_deref() {
                return Ok(opened.clone());
            }
            let opened = context.files.0.open(&file.path, Some(file.version), Some(&context.recycled))?;
            if !context.files.0.is_far() {
                // A request for the first bytes alone would be a round trip. They are checked if a batch is read with them.
                opened.reader.check_start()?;
            }
            if let Some(shared) = &mut shared {
                **shared = Some(opened.clone());
            }
            Ok(opened)
        };
        let failed = |kind| DatasetError::at(&file.path, kind);
        let opened = open().map_err(failed)?;
        let wanted = file.batches.end;
        let found = opened.reader.n_batches();
        if wanted > found {
            check_end(&opened.reader).map_err(failed)?;
            return Err(failed(Kind::Batches { wanted, found }));
        }
        Ok(PlannedFile { file, opened, shared })
    }

    fn own_schema(&self) -> Schema {
        with_partition(self.opened.reader.schema(), &self.file.partition)
    }

    fn begin(self, schema: &Arc<Schema>) -> Result<FileBatches, DatasetError> {
        let PlannedFile { file, opened: OpenFile { version: opened, reader }, shared } = self;
        let begin = || -> Result<_, Kind> {
            let columns = FileColumns::try_new(schema, reader.schema(), &file.partition)?;
            // With most columns, the bytes that the system prefetches are needed.
            if columns.positions().len().saturating_mul(2) <= reader.schema().fields().len() {
                reader.source().expect_random_access();
            }
            let reader = reader.project(&Projection::Positions(columns.positions().to_vec()))?;
            if let Some(shared) = &shared {
                let _held = locked(shared);
                // Ignores the error of a damaged dictionary. Reading a batch that needs the dictionary returns it.
                let _ = reader.load_dictionaries();
            }
            let is_counted = columns.positions().is_empty();
            let counts = is_counted.then(|| reader.n_rows_of_each(file.batches.clone())).transpose()?;
            Ok((columns, counts.map(Vec::into_iter), Box::new(reader.prefetcher())))
        };
        let (columns, counts, rows) = begin().map_err(|kind| DatasetError::at(&file.path, kind))?;
        Ok(FileBatches { left: file.batches.clone(), file, opened, rows, counts, n_rows: 0, columns })
    }
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The schema of a file, followed by its partition columns.
pub(crate) fn with_partition(file: &Schema, partition: &[PartitionValue]) -> Schema {
    let named = partition.iter().map(|value| Field::new(Arc::clone(&value.name), value.data_type.clone()));
    let fields: Arc<[Field]> = file.fields().iter().cloned().chain(named).collect();
    Schema::new(fields).with_metadata(file.metadata().clone())
}

#[cfg(test)]
mod tests {
    use std::io;

    use arrow_buffer::{Buffer, MemoryBudget};
    use arrow_ipc::{ReadOptions, Source};

    use super::*;
    use crate::store::options_of;

    #[derive(Debug)]
    struct WithOptions(ReadOptions);

    impl Source for WithOptions {
        fn n_bytes(&self) -> io::Result<u64> {
            Ok(0)
        }

        fn fetch(&self, _: Range<u64>) -> io::Result<Buffer> {
            Ok(Buffer::default())
        }
    }

    impl StoredFile for WithOptions {
        fn version(&self) -> io::Result<FileVersion> {
            Err(io::ErrorKind::Unsupported.into())
        }

        fn options(&self) -> ReadOptions {
            self.0.clone()
        }
    }

    #[test]
    fn files_of_a_scan_hand_memory_on_unless_the_store_says_otherwise() {
        let shared = RecycledMemory::new();
        let options = |own| options_of(&WithOptions(own), Some(&shared));
        let has_memory = |own| options(own).recycled_memory().is_some();
        assert!(has_memory(ReadOptions::new()));
        assert!(!has_memory(ReadOptions::new().with_memory_budget(MemoryBudget::new(1))));
        let own = RecycledMemory::with_max_bytes(0);
        let options = options(ReadOptions::new().with_recycled_memory(own));
        assert!(format!("{options:?}").contains("max_bytes: 0"), "{options:?}");
    }
}
