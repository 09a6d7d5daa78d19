//! Reads many files as one sequence of rows.

use std::{
    collections::{BTreeMap, HashSet},
    iter,
    path::{Path, PathBuf},
    sync::Arc,
    time::Duration,
};

use arrow_compute::{ColumnBounds, Matches, Predicate};
use arrow_ipc::Limits;
use arrow_schema::{DataType, Field, FieldPath, MergeError, Schema};
use arrow_threads::{ResultSink, in_order, in_parallel};

use crate::{
    columns::FileColumns,
    common_schema::{common_schema, with_types},
    dataset_batches::DatasetBatches,
    error::{DatasetError, DatasetErrorKind as Kind},
    file::{BatchExtent, DatasetFile, FileContents, FileOpening},
    listing::list_files,
    partition::{PartitionValue, type_of},
    row_selection::{RowSelection, first_position, with_first_position},
    store::{FileStore, LocalFiles, OpenFiles},
    task::{ReadTask, ScanContext, TaskBatches, TaskFile, with_partition},
};

/// The number of bytes that can be read while a file is opened. Limits the number of small files in a task.
const OPENING_BYTES: u64 = 64 << 10;

/// The approximate number of bytes that each thread reads at once, if several threads read a data set.
const THREAD_BYTES: u64 = 8 << 20;
type ExtentFilter<'a> = &'a mut dyn FnMut(BatchExtent, Matches) -> bool;

/// The default number of threads that read footers.
const N_THREADS: usize = 8;

/// How long one thread reads footers of local files before others are started. Takes less time than a thread saves if files are on a
/// slow disk, and is enough for some tens of files in memory.
const ALONE: Duration = Duration::from_millis(1);

/// The maximum size of all batches that wait in memory, in bytes, over all threads. Only for stores with a high
/// latency.
const WAITING_BYTES: u64 = 256 << 20;

/// Options for [`Dataset::open_with`].
#[derive(Debug, Clone, Default)]
pub struct DatasetOptions {
    schema: Option<Arc<Schema>>,
    types: BTreeMap<String, DataType>,
    n_threads: Option<usize>,
    trusts_statistics: bool,
    ignores_folders: bool,
    leaves_out_conflicts: bool,
    store: Option<Arc<dyn FileStore>>,
    limits: Limits,
    pruning: Option<Predicate>,
}

/// A column of which files have types without a common one.
#[derive(Debug)]
struct ColumnConflict {
    position: usize,
    /// The file at fault.
    path: PathBuf,
    error: MergeError,
}

impl ColumnConflict {
    fn error(&self) -> DatasetError {
        DatasetError::at(&self.path, Kind::Merge(self.error.clone()))
    }
}

impl DatasetOptions {
    /// Reads files of the file system, merges their schemas, and reads footers with eight threads.
    pub fn new() -> DatasetOptions {
        DatasetOptions::default()
    }

    /// Sets the columns and their types. By default, the schemas of the files determine them. Columns of files are
    /// [cast](arrow_compute::cast()) to these types; it is an error if a value would change. Partition columns
    /// (`day=1`) that the schema lacks are added at the end.
    ///
    /// Files are then opened when they are read: at first none, or one if names of folders may be columns. A file that does not fit the
    /// schema is an error of reading it.
    #[must_use]
    pub fn with_schema(self, schema: impl Into<Arc<Schema>>) -> DatasetOptions {
        DatasetOptions { schema: Some(schema.into()), ..self }
    }

    /// Sets the types of the columns with these names. Columns of files are cast to them, whatever their types are; it is an error if
    /// a value would change, and if no file or folder has the column. Use this for columns of which files have types without a
    /// common one.
    #[must_use]
    pub fn with_types<N: Into<String>>(
        self,
        types: impl IntoIterator<Item = (N, DataType)>,
    ) -> DatasetOptions {
        let types = types.into_iter().map(|(name, data_type)| (name.into(), data_type)).collect();
        DatasetOptions { types, ..self }
    }

    /// Trusts the [statistics in footers](arrow_ipc_statistics::FileStatistics). If they say that no row of a batch
    /// can match, the batch is not read. If they are wrong, matching rows are missing from the result, or counts are
    /// wrong. By default, statistics are ignored.
    #[must_use]
    pub fn with_trusted_statistics(self) -> DatasetOptions {
        DatasetOptions { trusts_statistics: true, ..self }
    }

    /// Ignores the names of folders: they add no columns, may have any form, and contradict nothing. Columns of files are read also if
    /// folders have their names. A predicate on a column that only folders have is an error.
    #[must_use]
    pub fn without_partition_columns(self) -> DatasetOptions {
        DatasetOptions { ignores_folders: true, ..self }
    }

    /// Does not select columns of which files have types without a common one: the other columns can be read. To select such a
    /// column, or to use it in a predicate, is the error that opening the files is without this option.
    /// [`full_schema`](Dataset::full_schema) has the column with the type of the first file that has it.
    #[must_use]
    pub fn without_conflicting_columns(self) -> DatasetOptions {
        DatasetOptions { leaves_out_conflicts: true, ..self }
    }

    /// Opens only files of which rows can match a predicate, according to the names of folders, but at least one. The schema is that of
    /// the opened files. This selects no rows: pass the predicate to [`Dataset::with_predicate`], too. Files that are needed after all
    /// are opened then.
    #[must_use]
    pub fn with_pruning(self, predicate: Predicate) -> DatasetOptions {
        DatasetOptions { pruning: Some(predicate), ..self }
    }

    /// Sets the number of threads that read footers and count matching rows.
    #[must_use]
    pub fn with_n_threads(self, n_threads: usize) -> DatasetOptions {
        DatasetOptions { n_threads: Some(n_threads), ..self }
    }

    /// Sets the limits of reading files. They have no effect with a store, whose files have their own options.
    #[must_use]
    pub fn with_limits(self, limits: Limits) -> DatasetOptions {
        DatasetOptions { limits, ..self }
    }

    /// Opens files with a store. Each input must then be a file, because folders and patterns are not searched in stores. Inputs
    /// that differ in any byte are different files.
    #[must_use]
    pub fn with_store(self, store: Arc<dyn FileStore>) -> DatasetOptions {
        DatasetOptions { store: Some(store), ..self }
    }
}

/// The rows of many files, in the order of their paths.
///
/// Opening reads the footer of each file, and the metadata of the messages of each stream, unless the
/// [schema](DatasetOptions::with_schema) is given, or names of folders show that a file has no [matching
/// rows](DatasetOptions::with_pruning). Files that are not opened at first are opened when they are needed.
/// After columns and rows have been selected, [`split`](Dataset::split) divides the selection into tasks, and
/// [`read`](Dataset::read) reads all of it.
///
/// ```
/// # use arrow_array::Int64Array;
/// # use arrow_data::RecordBatch;
/// # use arrow_ipc::FileWriter;
/// use arrow_ipc_dataset::Dataset;
///
/// # let folder = tempfile::tempdir()?;
/// # let root = folder.path();
/// # for (day, ids) in [(1, 0..5), (2, 5..9)] {
/// #     std::fs::create_dir(root.join(format!("day={day}")))?;
/// #     let batch = RecordBatch::try_from_columns([("id", Int64Array::from_iter(ids).into())])?;
/// #     let file = FileWriter::write_to_buffer(batch.schema(), &[batch.clone()])?;
/// #     std::fs::write(root.join(format!("day={day}/part.arrow")), &file[..])?;
/// # }
/// // Two files: day=1/part.arrow and day=2/part.arrow.
/// let set = Dataset::open([root])?;
/// assert_eq!(set.schema().to_string(), "id: int64\nday: int64");
/// assert_eq!(set.count()?, 9);
///
/// let some = set.with_predicate("day = 2 and id > 6".parse()?)?.with_columns(["id"])?;
/// let tasks = some.split(64 << 20)?;
/// assert_eq!(tasks.len(), 1); // The folders tell that the first file has no such row.
/// for batch in tasks[0].read()? {
///     assert_eq!(batch?.n_rows(), 2);
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone)]
pub struct Dataset {
    files: Arc<[DatasetFile]>,
    wanted: RowSelection,
    columns: Option<Vec<String>>,
    predicate: Option<Predicate>,
    conflicts: Arc<[ColumnConflict]>,
    /// For each file, whether each of its batches is selected; `None` if all batches are selected.
    selected_batches: Option<Arc<[Vec<bool>]>>,
    n_threads: usize,
    store: OpenFiles,
}

impl Dataset {
    /// Opens files by paths, folders and patterns.
    ///
    /// - A *pattern* has `*`, `?` or `[a-z]` in names, and `**` for any number of folders. A folder that matches
    ///   counts as an input, too.
    /// - A *file* is a file or a stream of Arrow IPC, whatever its name is. A stream has no footer, so opening it reads the
    ///   metadata of all its messages, as does each task that reads some of its batches.
    /// - A *folder* means all files below the folder whose names end in `.arrow`, `.arrows`, `.feather` or `.ipc`. Links to
    ///   folders are not followed.
    /// - Files and folders whose names begin with `.` or `_` are ignored, unless the input is exactly this path, or a
    ///   pattern that begins with the same character.
    /// - A folder with a name of the form `name=value`, anywhere in the path, adds the *partition column* `name` to
    ///   all files below the folder. The type is int64 if all values are integers, date32 if all values are dates,
    ///   and otherwise utf8. Values of three or more digits with leading zeros, such as `007`, are text, but
    ///   `month=01` is a number. The value `__HIVE_DEFAULT_PARTITION__` is null; `%` with two hexadecimal digits is a
    ///   byte. If the files have a column of this name, the column is read from the files. To ignore the names of
    ///   folders, use [`without_partition_columns`](DatasetOptions::without_partition_columns).
    /// - Each input counts: a file that several inputs select is read as often.
    ///
    /// The schema is the [common schema](crate::common_schema()) of all files. If files have a column in several types, its type is the first of
    /// them that has the values of all, or a wider type, and the columns of the other files are [cast](arrow_compute::cast()): utf8_view
    /// becomes the utf8 of the first file, and int32 the int64 of a later one. Each value stays the same: it is an error if the wider
    /// type does not have it, such as float64 a very large integer.
    ///
    /// # Errors
    /// If no file is found for an input, if a file cannot be read, or if a column has types without a wider type: see
    /// [`with_types`](DatasetOptions::with_types).
    pub fn open<P: AsRef<Path>>(inputs: impl IntoIterator<Item = P>) -> Result<Dataset, DatasetError> {
        Dataset::open_with(inputs, DatasetOptions::new())
    }

    /// Like [`open`](Dataset::open), with options.
    ///
    /// # Errors
    /// The errors of [`open`](Dataset::open). It is also an error if files do not fit the schema in the options.
    pub fn open_with<P: AsRef<Path>>(
        inputs: impl IntoIterator<Item = P>,
        options: DatasetOptions,
    ) -> Result<Dataset, DatasetError> {
        let store = OpenFiles::new(match &options.store {
            Some(store) => Arc::clone(store),
            None => Arc::new(LocalFiles::new().with_limits(options.limits.clone())),
        });
        let n_threads = options.n_threads.unwrap_or(store.store().n_waiting().max(N_THREADS));
        let mut paths = Vec::new();
        for input in inputs {
            let input = input.as_ref();
            paths.extend(if options.store.is_some() { vec![input.to_owned()] } else { list_files(input)? });
        }
        if paths.is_empty() {
            return Err(Kind::NoFiles.into());
        }
        let opening = FileOpening {
            files: store.clone(),
            trusts_statistics: options.trusts_statistics,
            ignores_folders: options.ignores_folders,
        };
        let files = paths.into_iter().map(|path| DatasetFile::new(path, opening.clone()));
        let mut files = files.collect::<Result<Vec<DatasetFile>, DatasetError>>()?;
        let DatasetOptions { schema: given, types, .. } = &options;
        let given = given.as_deref().map(|given| with_types(given, types));
        let given = given.as_deref();
        open_first(&files, given, &options, n_threads)?;
        let mut known = HashSet::new();
        files.iter_mut().for_each(|file| file.share_schema(&mut known));
        set_partitions(&mut files, given, types)?;
        let (schema, conflicts) = schema_of(&files, given, types, options.leaves_out_conflicts)?;
        let schema = Arc::new(schema);
        if let Some(error) = types.keys().find_map(|name| schema.index_of(name).err()) {
            return Err(Kind::Column(error).into());
        }
        let columns = (!conflicts.is_empty()).then(|| {
            let positions = 0..schema.fields().len();
            let agreed = positions.filter(|position| conflicts.iter().all(|of| of.position != *position));
            let names = agreed.filter_map(|position| Some(schema.field(position)?.name().to_owned()));
            names.collect::<Vec<String>>()
        });
        let wanted = RowSelection::try_new(Arc::clone(&schema), columns.as_deref(), None)?;
        let checks_folders = given.is_some() || !types.is_empty();
        check_files(&files, &wanted.read, checks_folders)?;
        Ok(Dataset {
            files: files.into(),
            wanted,
            columns,
            predicate: None,
            conflicts: conflicts.into(),
            selected_batches: None,
            n_threads,
            store,
        })
    }

    /// Selects columns by their names. Batches have the columns in the order of the names.
    ///
    /// # Errors
    /// If there is not exactly one column with this name.
    pub fn with_columns<N: Into<String>>(
        self,
        columns: impl IntoIterator<Item = N>,
    ) -> Result<Dataset, DatasetError> {
        let columns = Some(columns.into_iter().map(Into::into).collect());
        Dataset { columns, ..self }.select()
    }

    /// Selects the rows that match, in addition to earlier predicates. The predicate may use columns that are not
    /// selected.
    ///
    /// # Errors
    /// If the predicate does not fit the schema.
    pub fn with_predicate(self, predicate: Predicate) -> Result<Dataset, DatasetError> {
        let predicate = match self.predicate.clone() {
            Some(before) => before.and(predicate),
            None => predicate,
        };
        Dataset { predicate: Some(predicate), ..self }.select()
    }

    /// Keeps only those selected batches whose indices are in `batches`. Indices count the batches of all files, so this opens
    /// all.
    ///
    /// # Errors
    /// If a file cannot be read.
    pub fn with_batches(self, batches: impl IntoIterator<Item = usize>) -> Result<Dataset, DatasetError> {
        let contents = self.contents_of_all()?;
        let mut selected: Vec<Vec<bool>> =
            contents.iter().map(|contents| vec![false; contents.n_batches()]).collect();
        let mut by_idx: Vec<&mut bool> = selected.iter_mut().flatten().collect();
        for batch_idx in batches {
            if let Some(selected) = by_idx.get_mut(batch_idx) {
                **selected = true;
            }
        }
        if let Some(before) = &self.selected_batches {
            let before = before.iter().flatten();
            selected.iter_mut().flatten().zip(before).for_each(|(selected, before)| *selected &= before);
        }
        Ok(Dataset { selected_batches: Some(selected.into()), ..self })
    }

    /// The bounds of a column in each batch of all files. Opens all files, and reads no batches: the bounds come from names of folders,
    /// from columns that a file lacks, and from trusted statistics.
    ///
    /// # Errors
    /// If not exactly one column has this name. If a file cannot be read.
    pub fn bounds(&self, column: &str) -> Result<Vec<ColumnBounds>, DatasetError> {
        let position = self.wanted.all.index_of(column).map_err(Kind::from)?;
        let path = with_first_position(position, &FieldPath::default().child(0, column));
        let Some(column) = self.wanted.all.field(position) else { return Ok(Vec::new()) };
        let contents = self.contents_of_all()?;
        let batches = self.files.iter().zip(contents);
        let bounds = batches.flat_map(|(file, contents)| {
            (0..contents.n_batches()).map(|idx| file.bounds(idx, column, &path))
        });
        Ok(bounds.collect())
    }

    /// Opens files, with several threads.
    fn contents_of<'a>(
        &self,
        files: impl Iterator<Item = &'a DatasetFile>,
    ) -> Result<Vec<&'a FileContents>, DatasetError> {
        contents_of(files, self.n_threads)
    }

    fn contents_of_all(&self) -> Result<Vec<&FileContents>, DatasetError> {
        self.contents_of(self.files.iter())
    }

    fn select(self) -> Result<Dataset, DatasetError> {
        let all = Arc::clone(&self.wanted.all);
        // Constants may not fit the type that such a column has in one of the files.
        let predicate_columns = self.predicate.iter().flat_map(Predicate::columns);
        if let Some(error) = predicate_columns.filter_map(|column| self.conflict_of(column)).next() {
            return Err(error);
        }
        let wanted = RowSelection::try_new(all, self.columns.as_deref(), self.predicate.as_ref())?;
        match self.conflicts.iter().find(|conflict| wanted.positions().contains(&conflict.position)) {
            Some(conflict) => Err(conflict.error()),
            None => Ok(Dataset { wanted, ..self }),
        }
    }

    /// The names of the columns that the options
    /// [do not select](DatasetOptions::without_conflicting_columns), in the order of all columns.
    pub fn conflicting_columns(&self) -> impl Iterator<Item = &str> {
        self.conflicts.iter().filter_map(|conflict| Some(self.wanted.all.field(conflict.position)?.name()))
    }

    /// The error of reading a column, by its name or a path inside it, if it is a
    /// [conflicting column](Dataset::conflicting_columns).
    pub fn conflict_of(&self, column: &str) -> Option<DatasetError> {
        let all = &self.wanted.all;
        let path_position = || all.path(column).ok().as_ref().and_then(first_position);
        let position = all.index_of(column).ok().or_else(path_position)?;
        self.conflicts.iter().find(|conflict| conflict.position == position).map(ColumnConflict::error)
    }

    /// The schema of the selected columns, in the order in which they were selected.
    pub fn schema(&self) -> &Arc<Schema> {
        &self.wanted.shown_schema
    }

    /// The schema of all columns, selected or not.
    pub fn full_schema(&self) -> &Arc<Schema> {
        &self.wanted.all
    }

    /// All files, in the order in which their rows are read.
    pub fn files(&self) -> &[DatasetFile] {
        &self.files
    }

    /// The open files of the data set. In the process that has the data set, tasks should be
    /// [read from](ReadTask::read_from) them: a file of a store then stays open.
    pub fn store(&self) -> &OpenFiles {
        &self.store
    }

    /// The number of rows in all files, according to metadata. Ignores predicates. Opens all files, and reads the metadata of batches of
    /// files without row counts.
    ///
    /// # Errors
    /// If a file cannot be read.
    pub fn n_rows(&self) -> Result<u64, DatasetError> {
        let counts = self.in_parallel(self.files.iter(), DatasetFile::n_rows)?;
        Ok(counts.into_iter().fold(0, u64::saturating_add))
    }

    /// Reads the row counts of all files that may have selected rows, once. Tasks that are [split](Dataset::split) afterwards have them,
    /// and reading these compares them with the rows that are read.
    ///
    /// # Errors
    /// If a file cannot be read.
    pub fn load_row_counts(&self) -> Result<(), DatasetError> {
        let count = |file: &DatasetFile| file.n_rows_of_each().map(|_| ());
        self.in_parallel(self.files_that_match(), count).map(drop)
    }

    fn in_parallel<'a, T: Send>(
        &self,
        files: impl Iterator<Item = &'a DatasetFile>,
        work: impl Fn(&'a DatasetFile) -> Result<T, DatasetError> + Sync,
    ) -> Result<Vec<T>, DatasetError> {
        in_parallel(self.n_threads, alone(&self.store), files.collect(), work)
    }

    /// Counts the rows that match. Skips a batch if names of folders or trusted statistics show that all or none of
    /// its rows match.
    ///
    /// # Errors
    /// If a file cannot be read.
    pub fn count(&self) -> Result<u64, DatasetError> {
        self.count_while(|_| true)
    }

    /// Like [`count`](Dataset::count), with a callback. Calls `goes_on` repeatedly with the number of batches that
    /// have been read. If `goes_on` returns `false`, stops, and returns the number of rows up to then.
    ///
    /// # Errors
    /// If a file cannot be read.
    pub fn count_while(&self, mut goes_on: impl FnMut(u64) -> bool) -> Result<u64, DatasetError> {
        let mut n_rows = 0u64;
        let mut n_batches = 0u64;
        // A task without columns reads the row counts that are not known yet.
        let tasks = self.split_by(THREAD_BYTES, OPENING_BYTES, &mut |batch, found| {
            let known = batch.n_rows.filter(|_| found == Matches::All);
            n_rows = n_rows.saturating_add(known.unwrap_or(0));
            known.is_none()
        })?;
        // A task has a single result, so no thread has to wait for an earlier task.
        let count = |task: ReadTask, give: ResultSink<'_, Result<(u64, u64), DatasetError>>| {
            let n_batches = task.files.iter().map(|file| file.batches.len() as u64).sum();
            let columns = Some(Vec::new());
            let schema = Some(Arc::clone(&self.wanted.all));
            let task = ReadTask { columns, schema, ..task }.read_from(&self.store);
            let counted = task.and_then(|batches| batches.map(|batch| Ok(batch?.n_rows() as u64)).sum());
            give(counted.map(|n_rows: u64| (n_rows, n_batches)));
        };
        let counted = in_order(self.n_threads.min(tasks.len()), 0, tasks.into_iter(), count, |found| {
            let (rows, batches) = found.map_err(Some)?;
            n_rows = n_rows.saturating_add(rows);
            n_batches += batches;
            if goes_on(n_batches) { Ok(()) } else { Err(None) }
        });
        counted.or_else(|failure| failure.map_or(Ok(()), Err)).map(|()| n_rows)
    }

    /// Divides the selection into tasks of about `target_bytes` bytes. A task has several small files, or some
    /// batches of a large file. The tasks together return each matching row once, in order. They skip batches in
    /// which no row can match according to names of folders or trusted statistics. Opens the files that may have matching rows.
    ///
    /// # Errors
    /// If a file cannot be read.
    pub fn split(&self, target_bytes: u64) -> Result<Vec<ReadTask>, DatasetError> {
        self.split_by(target_bytes, OPENING_BYTES, &mut |_, _| true)
    }

    /// Like [`split`](Dataset::split), but skips batches for which `is_read` returns `false`. A file counts like its bytes
    /// and `opening_bytes` more, unless it is the first of its task.
    fn split_by(
        &self,
        target_bytes: u64,
        opening_bytes: u64,
        is_read: ExtentFilter<'_>,
    ) -> Result<Vec<ReadTask>, DatasetError> {
        self.contents_of(self.files_that_match())?;
        let schema = (!self.have_same_schema()).then(|| Arc::clone(&self.wanted.all));
        let task = |files| self.task(files, schema.clone());
        let mut tasks = Vec::new();
        let mut files = Vec::new();
        let mut n_task_bytes = 0u64;
        for (file_idx, file) in self.files.iter().enumerate().filter(|(_, file)| self.may_match(file)) {
            let mut n_opening_bytes = opening_bytes;
            let batches = self.matching(file_idx, file, file.contents()?);
            for (idx, batch, _) in batches.filter(|(_, batch, found)| is_read(*batch, *found)) {
                let n_bytes = batch.n_bytes.saturating_add(std::mem::take(&mut n_opening_bytes));
                n_task_bytes = n_task_bytes.saturating_add(n_bytes);
                if n_task_bytes > target_bytes && !files.is_empty() {
                    tasks.push(task(std::mem::take(&mut files)));
                }
                if files.is_empty() {
                    n_task_bytes = batch.n_bytes;
                }
                file.add(idx, batch, &mut files);
            }
        }
        tasks.extend(Some(files).filter(|files| !files.is_empty()).map(task));
        Ok(tasks)
    }

    /// Reads the selection, file by file, in the calling thread. Opens a file when its rows are needed.
    ///
    /// # Errors
    /// If the first file with selected batches cannot be opened.
    pub fn read(&self) -> Result<TaskBatches, DatasetError> {
        let set = self.clone();
        let mut left = 0..self.files.len();
        let mut current = Vec::new().into_iter();
        let files = iter::from_fn(move || {
            loop {
                if let Some(file) = current.next() {
                    return Some(Ok(file));
                }
                match set.selected_of(left.next()?) {
                    Ok(files) => current = files.into_iter(),
                    Err(error) => return Some(Err(error)),
                }
            }
        });
        let context = ScanContext::new(self.store.clone(), 1);
        TaskBatches::begin(context, Box::new(files), self.wanted.clone())
    }

    /// The selected batches of a file.
    fn selected_of(&self, file_idx: usize) -> Result<Vec<TaskFile>, DatasetError> {
        let mut files = Vec::new();
        if let Some(file) = self.files.get(file_idx).filter(|file| self.may_match(file)) {
            let batches = self.matching(file_idx, file, file.contents()?);
            batches.for_each(|(idx, batch, _)| file.add(idx, batch, &mut files));
        }
        Ok(files)
    }

    /// Like [`read`](Dataset::read), with several threads. Returns the batches in the same order. Opens the files that may have
    /// matching rows at once.
    ///
    /// # Errors
    /// If a file cannot be read.
    pub fn read_by_threads(&self, n_threads: usize) -> Result<DatasetBatches, DatasetError> {
        let schema = Arc::clone(self.schema());
        let store = self.store.clone();
        if !store.is_far() {
            return Ok(DatasetBatches::from_store(store, schema, self.split(THREAD_BYTES)?, n_threads));
        }
        let n_waiting = store.store().n_waiting();
        // If a store has a high latency, more than `n_threads` threads may wait for it, as long as their batches take
        // little memory. Each thread reads a file, or some batches of a large file.
        let n_columns = self.wanted.positions().len().max(1) as u64;
        let n_unread = (self.full_schema().fields().len() as u64) / n_columns;
        let target_bytes = THREAD_BYTES.saturating_mul(n_unread.max(1));
        let mut batch_bytes = 0;
        let tasks = self.split_by(target_bytes, target_bytes, &mut |batch, _| {
            batch_bytes = batch_bytes.max(batch.n_bytes);
            true
        })?;
        let n_fitting = usize::try_from(WAITING_BYTES / (batch_bytes / n_unread.max(1)).max(1));
        let n_threads = n_fitting.unwrap_or(usize::MAX).min(n_waiting).max(n_threads);
        Ok(DatasetBatches::from_store(store, schema, tasks, n_threads))
    }

    fn task(&self, files: Vec<TaskFile>, schema: Option<Arc<Schema>>) -> ReadTask {
        ReadTask { files, columns: self.columns.clone(), predicate: self.predicate.clone(), schema }
    }

    /// Whether each file that may match is open, and has the schema of the data set, with its partition columns. Tasks then need no schema
    /// of their own.
    fn have_same_schema(&self) -> bool {
        let mut seen = HashSet::new();
        self.files_that_match().all(|file| {
            file.known_schema().is_some_and(|own| {
                !seen.insert(Arc::as_ptr(own)) || with_partition(own, file.partition()) == *self.wanted.all
            })
        })
    }

    /// Whether rows of a file can match, according to the names of its folders.
    fn may_match(&self, file: &DatasetFile) -> bool {
        let Some(condition) = &self.wanted.bound else { return true };
        let matches = condition.can_match(|path: &FieldPath| {
            let column = first_position(path).and_then(|position| self.wanted.all.field(position));
            column.and_then(|column| file.partition_bounds(column.name())).unwrap_or_default()
        });
        matches != Matches::None
    }

    /// The files that may have selected rows, according to the names of their folders and, if they are open, to trusted statistics. Opens
    /// none.
    pub fn files_that_match(&self) -> impl Iterator<Item = &DatasetFile> {
        let may_match = |(file_idx, file): &(usize, &DatasetFile)| {
            self.may_match(file)
                && file.known_contents().is_none_or(|contents| {
                    contents.n_batches() == 0 || self.matching(*file_idx, file, contents).next().is_some()
                })
        };
        self.files.iter().enumerate().filter(may_match).map(|(_, file)| file)
    }

    /// The selected batches of a file in which rows may match.
    fn matching<'a>(
        &'a self,
        file_idx: usize,
        file: &'a DatasetFile,
        contents: &'a FileContents,
    ) -> impl Iterator<Item = (usize, BatchExtent, Matches)> + 'a {
        // Without statistics, the result is the same for all batches of the file.
        let file_matches = (!contents.has_statistics()).then(|| self.matches(file, 0));
        let selected = self.selected_batches.as_ref().map(|batches| batches.get(file_idx));
        let is_selected = move |idx: usize| {
            selected.is_none_or(|batches| batches.and_then(|batches| batches.get(idx)) == Some(&true))
        };
        let batches =
            contents.extents().enumerate().filter(move |(idx, _)| is_selected(*idx)).map(
                move |(idx, batch)| (idx, batch, file_matches.unwrap_or_else(|| self.matches(file, idx))),
            );
        batches.filter(|(.., found)| *found != Matches::None)
    }

    /// Whether all, some or no rows of a batch can match, according to names of folders, columns that the file lacks,
    /// and trusted statistics.
    fn matches(&self, file: &DatasetFile, batch_idx: usize) -> Matches {
        let Some(condition) = &self.wanted.bound else { return Matches::All };
        condition.can_match(|path: &FieldPath| {
            let column = first_position(path).and_then(|position| self.wanted.all.field(position));
            column.map_or_else(ColumnBounds::default, |column| file.bounds(batch_idx, column, path))
        })
    }
}

/// How long one thread works alone before others are started.
fn alone(store: &OpenFiles) -> Duration {
    if store.is_far() { Duration::ZERO } else { ALONE }
}

/// Opens files, with several threads.
fn contents_of<'a>(
    files: impl Iterator<Item = &'a DatasetFile>,
    n_threads: usize,
) -> Result<Vec<&'a FileContents>, DatasetError> {
    let files: Vec<&DatasetFile> = files.collect();
    let unknown: Vec<&DatasetFile> =
        files.iter().filter(|file| file.known_contents().is_none()).copied().collect();
    if let Some(first) = unknown.first() {
        in_parallel(n_threads, alone(first.store()), unknown, |file| file.contents().map(drop))?;
    }
    files.into_iter().map(DatasetFile::contents).collect()
}

/// Opens the files whose schemas determine the columns. Without a schema, these are all files of which rows can match the condition
/// according to names of folders, but at least one. With a schema, it is one file if there are names of folders: they are no columns if the
/// files have these columns.
fn open_first(
    files: &[DatasetFile],
    given: Option<&Schema>,
    options: &DatasetOptions,
    n_threads: usize,
) -> Result<(), DatasetError> {
    let first = || files.iter().take(1);
    let Some(predicate) = options.pruning.as_ref().filter(|_| files.iter().any(has_folders)) else {
        let opened = files.iter().filter(|file| given.is_none() || has_folders(file));
        contents_of(opened.take(if given.is_none() { files.len() } else { 1 }), n_threads)?;
        return Ok(());
    };
    let folders = folder_columns(files, given, &options.types)?;
    let fields = folders.iter().map(|value| Field::new(Arc::clone(&value.name), value.data_type.clone()));
    let schema = Schema::new(fields.collect::<Vec<Field>>());
    let may_match = |file: &&DatasetFile| {
        let known = |path: &FieldPath| {
            let value = first_position(path).and_then(|position| folders.get(position));
            let typed = value.map(|value| value.with_text_of(&file.folders));
            typed.map_or_else(ColumnBounds::default, |value| value.bounds())
        };
        predicate.can_match(&schema, known) != Matches::None
    };
    let mut matching = files.iter().filter(may_match).peekable();
    let opened = match matching.peek() {
        None => contents_of(first(), n_threads)?,
        Some(_) if given.is_some() => contents_of(matching.take(1), n_threads)?,
        Some(_) => contents_of(matching, n_threads)?,
    };
    // A column that the files have is read from them, so the names of folders decide nothing.
    let has_folder_column = folders.iter().any(|folder| {
        opened
            .iter()
            .any(|contents| contents.schema().fields().iter().any(|field| field.name() == &*folder.name))
    });
    if has_folder_column && given.is_none() {
        contents_of(files.iter(), n_threads)?;
    }
    Ok(())
}

fn has_folders(file: &DatasetFile) -> bool {
    !file.folders.is_empty()
}

/// Checks that the opened files fit the columns of the data set. `checks_folders`: whether values in names of folders may not fit their
/// types.
fn check_files(files: &[DatasetFile], read: &Arc<Schema>, checks_folders: bool) -> Result<(), DatasetError> {
    let mut seen = HashSet::new();
    for file in files {
        let is_new = file.known_schema().filter(|schema| seen.insert(Arc::as_ptr(schema)));
        let checked = if let Some(own) = is_new {
            FileColumns::try_new(read, own, file.partition()).map(drop)
        } else if checks_folders {
            file.partition().iter().try_for_each(|value| value.to_scalar().map(drop))
        } else {
            // Inferred types always fit.
            Ok(())
        };
        checked.map_err(|kind| file.error(kind))?;
    }
    Ok(())
}

/// The maximal number of partition columns, because each file stores a value for each.
const MAX_FOLDER_COLUMNS: usize = 256;

/// The columns in names of folders, with their types: those in `types` or `given`, or inferred from all values.
fn folder_columns(
    files: &[DatasetFile],
    given: Option<&Schema>,
    types: &BTreeMap<String, DataType>,
) -> Result<Vec<PartitionValue>, DatasetError> {
    let mut names: Vec<Arc<str>> = Vec::new();
    let mut known = HashSet::new();
    for file in files {
        let new = file.folders.iter().map(|value| &value.name).filter(|name| known.insert(Arc::clone(name)));
        names.extend(new.cloned());
        if names.len() > MAX_FOLDER_COLUMNS {
            return Err(file.error(Kind::FolderColumns { max: MAX_FOLDER_COLUMNS }));
        }
    }
    let typed = names.into_iter().map(|name| {
        let values = files.iter().flat_map(|file| file.folders.iter()).filter(|value| value.name == name);
        let field = given.and_then(|schema| schema.field(schema.index_of(&name).ok()?));
        let data_type = match types.get(&*name).or(field.map(Field::data_type)) {
            Some(data_type) => data_type.clone(),
            None => type_of(values.filter_map(|value| value.text.as_deref())),
        };
        PartitionValue { name, data_type, text: None }
    });
    Ok(typed.collect())
}

/// Sets the partition columns of all files: the columns in names of folders that the opened files lack.
fn set_partitions(
    files: &mut [DatasetFile],
    given: Option<&Schema>,
    types: &BTreeMap<String, DataType>,
) -> Result<(), DatasetError> {
    let mut columns = folder_columns(files, given, types)?;
    let n_opened = files.iter().filter(|file| file.known_contents().is_some()).count();
    let mut failed = None;
    columns.retain(|column| {
        let has = |file: &&DatasetFile| {
            let schema = file.known_schema();
            schema.is_some_and(|schema| schema.fields().iter().any(|field| field.name() == &*column.name))
        };
        let n_have = files.iter().filter(has).count();
        if let Some(file) = files.iter().find(has).filter(|_| n_have < n_opened) {
            failed.get_or_insert_with(|| file.error(Kind::PartitionInFiles(column.name.to_string())));
        }
        n_have == 0
    });
    if let Some(error) = failed {
        return Err(error);
    }
    for file in files {
        file.partition = Some(columns.iter().map(|column| column.with_text_of(&file.folders)).collect());
    }
    Ok(())
}

/// The schema `given`, or the common schema of all files with these types, followed by the partition columns. Also the conflicting
/// columns, if they are left out; each has its first type.
fn schema_of(
    files: &[DatasetFile],
    given: Option<&Schema>,
    types: &BTreeMap<String, DataType>,
    leaves_out_conflicts: bool,
) -> Result<(Schema, Vec<ColumnConflict>), DatasetError> {
    let mut seen = HashSet::new();
    let distinct = files.iter().filter_map(|file| Some((file.path(), file.known_schema()?)));
    let distinct: Vec<_> = distinct.filter(|(_, schema)| seen.insert(Arc::as_ptr(schema))).collect();
    let mut found: Vec<(String, PathBuf, MergeError)> = Vec::new();
    let mut types = types.clone();
    let merged = loop {
        if let Some(schema) = given {
            break schema.clone();
        }
        let error = match common_schema(distinct.iter().map(|(_, schema)| with_types(schema, &types))) {
            Ok(merged) => break merged,
            Err(error) => error,
        };
        let path = distinct.get(error.schema_idx()).map(|(path, _)| path.to_path_buf()).unwrap_or_default();
        let error = DatasetError::at(path.clone(), Kind::Merge(error));
        let first_type = |name: &str| {
            let own = distinct.iter().find_map(|(_, schema)| schema.field(schema.index_of(name).ok()?));
            own.map(|field| field.data_type().clone())
        };
        let column = error.conflicting_column().map(|(name, _)| name.to_owned());
        match (column.and_then(|name| Some((first_type(&name)?, name))), error.into_kind()) {
            (Some((data_type, name)), Kind::Merge(error))
                if leaves_out_conflicts && !types.contains_key(&name) =>
            {
                types.insert(name.clone(), data_type);
                found.push((name, path, error));
            }
            (_, kind) => return Err(DatasetError::at(path, kind)),
        }
    };
    let partition = files.first().map(DatasetFile::partition).unwrap_or_default();
    let is_new = |value: &&PartitionValue| merged.index_of(&value.name).is_err();
    let new: Vec<PartitionValue> = partition.iter().filter(is_new).cloned().collect();
    let found = found.into_iter().map(|(name, path, error)| {
        Ok(ColumnConflict { position: merged.index_of(&name).map_err(Kind::Column)?, path, error })
    });
    let mut found = found.collect::<Result<Vec<ColumnConflict>, Kind>>()?;
    found.sort_unstable_by_key(|conflict| conflict.position);
    Ok((with_partition(&merged, &new), found))
}
