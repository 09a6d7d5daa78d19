//! Reads many files as one sequence of rows.

use std::{
    collections::{BTreeMap, HashSet},
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
    file::{BatchExtent, DatasetFile},
    listing::list_files,
    partition::{PartitionValue, type_of},
    row_selection::{RowSelection, first_position, with_first_position},
    store::{FileStore, LocalFiles, OpenFiles},
    task::{ReadTask, TaskBatches, TaskFile, with_partition},
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
    /// [`full_schema`](Dataset::schema_of_all) has the column with the type of the first file that has it.
    #[must_use]
    pub fn without_conflicting_columns(self) -> DatasetOptions {
        DatasetOptions { leaves_out_conflicts: true, ..self }
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
/// Opening reads the footer of each file, and the metadata of the messages of each stream. If a footer has no row counts, it also reads the metadata of the batches.
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
/// let tasks = some.split(64 << 20);
/// assert_eq!(tasks.len(), 1); // The folders show that the first file has no such row.
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
    /// For each batch of all files, whether it is selected; `None` if all batches are selected.
    wanted_batches: Option<Arc<[bool]>>,
    /// Whether each file, with its partition columns, has the schema of the data set. Tasks then need no schema of
    /// their own.
    has_same: bool,
    n_threads: usize,
    store: Arc<dyn FileStore>,
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
        let mut found = Vec::new();
        let store: Arc<dyn FileStore> = match &options.store {
            Some(store) => Arc::new(OpenFiles::new(Arc::clone(store))),
            None => Arc::new(LocalFiles::new().with_limits(options.limits.clone())),
        };
        let n_threads = options.n_threads.unwrap_or(store.n_waiting().max(N_THREADS));
        for input in inputs {
            let input = input.as_ref();
            found.extend(if options.store.is_some() { vec![input.to_owned()] } else { list_files(input)? });
        }
        if found.is_empty() {
            return Err(Kind::NoFiles.into());
        }
        let (trusts_statistics, ignores_folders) = (options.trusts_statistics, options.ignores_folders);
        let alone = if store.n_waiting() == 0 { ALONE } else { Duration::ZERO };
        let read = |path| DatasetFile::read(&*store, path, trusts_statistics, ignores_folders);
        let mut files = in_parallel(n_threads, alone, found, read)?;
        share_schemas(&mut files);
        let mut n_batches = 0usize;
        for file in &mut files {
            file.n_batches_before = n_batches;
            n_batches = n_batches.saturating_add(file.n_batches());
        }
        let DatasetOptions { schema: given, types, .. } = &options;
        let given = given.as_deref().map(|given| with_types(given, types));
        let given = given.as_deref();
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
        let mut seen = HashSet::new();
        let mut has_same = true;
        for file in &files {
            let is_new = seen.insert(Arc::as_ptr(&file.schema));
            let made = if is_new {
                has_same &= with_partition(&file.schema, &file.partition) == *schema;
                FileColumns::try_new(&wanted.read, &file.schema, &file.partition).map(drop)
            } else if given.is_some() || !types.is_empty() {
                // Checks that values in names of folders fit the types in the options. Inferred types always fit.
                file.partition.iter().try_for_each(|value| value.to_scalar().map(drop))
            } else {
                Ok(())
            };
            made.map_err(|kind| DatasetError::at(&file.path, kind))?;
        }
        let files = files.into();
        Ok(Dataset {
            files,
            wanted,
            columns,
            predicate: None,
            conflicts: conflicts.into(),
            wanted_batches: None,
            has_same,
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

    /// Keeps only those selected batches whose indices are in `batches`. Indices count the batches of all files.
    #[must_use]
    pub fn with_batches(self, batches: impl IntoIterator<Item = usize>) -> Dataset {
        let n_batches = self.files.iter().map(DatasetFile::n_batches).sum();
        let mut wanted = vec![false; n_batches];
        for batch_idx in batches {
            if let Some(wanted) = wanted.get_mut(batch_idx) {
                *wanted =
                    self.wanted_batches.as_ref().is_none_or(|before| before.get(batch_idx) == Some(&true));
            }
        }
        Dataset { wanted_batches: Some(wanted.into()), ..self }
    }

    /// The bounds of a column in each batch of all files. Reads no batches: the bounds come from names of folders,
    /// from columns that a file lacks, and from trusted statistics.
    ///
    /// # Errors
    /// If not exactly one column has this name.
    pub fn bounds(&self, column: &str) -> Result<Vec<ColumnBounds>, DatasetError> {
        let position = self.wanted.all.index_of(column).map_err(Kind::from)?;
        let path = with_first_position(position, &FieldPath::default().child(0, column));
        let Some(column) = self.wanted.all.field(position) else { return Ok(Vec::new()) };
        let batches = self.files.iter().flat_map(|file| (0..file.n_batches()).map(move |idx| (file, idx)));
        Ok(batches.map(|(file, idx)| file.bounds(idx, column, &path)).collect())
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

    /// The store that opens the files. It keeps files of a store that was given in the options open, so tasks should be
    /// [read from](ReadTask::read_from) it in the process that has the data set.
    pub fn store(&self) -> &Arc<dyn FileStore> {
        &self.store
    }

    /// The number of rows in all files, according to metadata. Ignores predicates.
    pub fn n_rows(&self) -> u64 {
        self.files.iter().map(DatasetFile::n_rows).fold(0, u64::saturating_add)
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
        let tasks = self.split_by(THREAD_BYTES, OPENING_BYTES, &mut |batch, found| {
            n_rows = n_rows.saturating_add(if found == Matches::All { batch.n_rows } else { 0 });
            found != Matches::All
        });
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
    /// which no row can match according to names of folders or trusted statistics.
    pub fn split(&self, target_bytes: u64) -> Vec<ReadTask> {
        self.split_by(target_bytes, OPENING_BYTES, &mut |_, _| true)
    }

    /// Like [`split`](Dataset::split), but skips batches for which `is_read` returns `false`. A file counts like its bytes
    /// and `opening_bytes` more, unless it is the first of its task.
    fn split_by(&self, target_bytes: u64, opening_bytes: u64, is_read: ExtentFilter<'_>) -> Vec<ReadTask> {
        let mut tasks = Vec::new();
        let mut files = Vec::new();
        let mut n_task_bytes = 0u64;
        for file in self.files.iter() {
            let mut n_opening_bytes = opening_bytes;
            for (idx, batch, _) in self.matching(file).filter(|(_, batch, found)| is_read(*batch, *found)) {
                let n_bytes = batch.n_bytes.saturating_add(std::mem::take(&mut n_opening_bytes));
                n_task_bytes = n_task_bytes.saturating_add(n_bytes);
                if n_task_bytes > target_bytes && !files.is_empty() {
                    tasks.push(self.task(std::mem::take(&mut files)));
                }
                if files.is_empty() {
                    n_task_bytes = batch.n_bytes;
                }
                file.add(idx, &mut files);
            }
        }
        tasks.extend(Some(files).filter(|files| !files.is_empty()).map(|files| self.task(files)));
        tasks
    }

    /// Reads the selection, file by file, in the calling thread.
    ///
    /// # Errors
    /// If the first file cannot be opened.
    pub fn read(&self) -> Result<TaskBatches, DatasetError> {
        let task = self.split(u64::MAX).pop().unwrap_or_else(|| self.task(Vec::new()));
        ReadTask { schema: Some(Arc::clone(&self.wanted.all)), ..task }.read_from(&self.store)
    }

    /// Like [`read`](Dataset::read), with several threads. Returns the batches in the same order.
    pub fn read_by_threads(&self, n_threads: usize) -> DatasetBatches {
        let schema = Arc::clone(self.schema());
        let store = Arc::clone(&self.store);
        let n_waiting = store.n_waiting();
        if n_waiting == 0 {
            return DatasetBatches::from_store(store, schema, self.split(THREAD_BYTES), n_threads);
        }
        // If a store has a high latency, more than `n_threads` threads may wait for it, as long as their batches take
        // little memory. Each thread reads a file, or some batches of a large file.
        let n_columns = self.wanted.positions().len().max(1) as u64;
        let n_unread = (self.full_schema().fields().len() as u64) / n_columns;
        let target_bytes = THREAD_BYTES.saturating_mul(n_unread.max(1));
        let batches = self.files.iter().flat_map(|file| &file.batches).map(|batch| batch.n_bytes);
        let batch_bytes = batches.max().unwrap_or_default() / n_unread.max(1);
        let n_fitting = usize::try_from(WAITING_BYTES / batch_bytes.max(1)).unwrap_or(usize::MAX);
        let tasks = self.split_by(target_bytes, target_bytes, &mut |_, _| true);
        DatasetBatches::from_store(store, schema, tasks, n_fitting.min(n_waiting).max(n_threads))
    }

    fn task(&self, files: Vec<TaskFile>) -> ReadTask {
        let schema = (!self.has_same).then(|| Arc::clone(&self.wanted.all));
        ReadTask { files, columns: self.columns.clone(), predicate: self.predicate.clone(), schema }
    }

    /// The batches of a file in which rows may match.
    fn matching<'a>(
        &'a self,
        file: &'a DatasetFile,
    ) -> impl Iterator<Item = (usize, BatchExtent, Matches)> + 'a {
        // Without statistics, the result is the same for all batches of the file.
        let file_matches = file.statistics.is_none().then(|| self.matches(file, 0));
        let wanted = move |idx: usize| {
            let position = file.n_batches_before.saturating_add(idx);
            self.wanted_batches.as_ref().is_none_or(|wanted| wanted.get(position).is_some_and(|is| *is))
        };
        let selected = file.batches.iter().enumerate().filter(move |(idx, _)| wanted(*idx));
        let batches = selected
            .map(move |(idx, batch)| (idx, *batch, file_matches.unwrap_or_else(|| self.matches(file, idx))));
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

/// Replaces equal schemas by one shared schema, to save memory.
fn share_schemas(files: &mut [DatasetFile]) {
    let mut known: HashSet<Arc<Schema>> = HashSet::new();
    for file in files {
        match known.get(&file.schema) {
            Some(schema) => file.schema = Arc::clone(schema),
            None => drop(known.insert(Arc::clone(&file.schema))),
        }
    }
}

/// The maximal number of partition columns, because each file stores a value for each.
const MAX_FOLDER_COLUMNS: usize = 256;

/// Sets the partition columns of all files. Their types come from `types` or `given`, or are inferred from all values.
fn set_partitions(
    files: &mut [DatasetFile],
    given: Option<&Schema>,
    types: &BTreeMap<String, DataType>,
) -> Result<(), DatasetError> {
    let mut names: Vec<Arc<str>> = Vec::new();
    let mut known = HashSet::new();
    for file in files.iter() {
        let new =
            file.partition.iter().map(|value| &value.name).filter(|name| known.insert(Arc::clone(name)));
        names.extend(new.cloned());
        if names.len() > MAX_FOLDER_COLUMNS {
            let kind = Kind::FolderColumns { max: MAX_FOLDER_COLUMNS };
            return Err(DatasetError::at(&file.path, kind));
        }
    }
    let mut settled: Vec<PartitionValue> = Vec::with_capacity(names.len());
    for name in names {
        let has = |file: &&DatasetFile| file.schema.fields().iter().any(|field| field.name() == &*name);
        let n_have = files.iter().filter(has).count();
        if n_have == files.len() {
            continue;
        }
        if let Some(file) = files.iter().find(has) {
            return Err(DatasetError::at(&file.path, Kind::PartitionInFiles(name.to_string())));
        }
        let values = files.iter().flat_map(|file| file.partition.iter()).filter(|value| value.name == name);
        let field = given.and_then(|schema| schema.field(schema.index_of(&name).ok()?));
        let data_type = match types.get(&*name).or(field.map(Field::data_type)) {
            Some(data_type) => data_type.clone(),
            None => type_of(values.filter_map(|value| value.text.as_deref())),
        };
        settled.push(PartitionValue { name, data_type, text: None });
    }
    for file in files {
        let text = |name: &Arc<str>| file.partition.iter().find(|own| own.name == *name)?.text.clone();
        let values = settled.iter().map(|value| PartitionValue { text: text(&value.name), ..value.clone() });
        file.partition = values.collect();
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
    let distinct = files.iter().filter(|file| seen.insert(Arc::as_ptr(&file.schema))).collect::<Vec<_>>();
    let mut found: Vec<(String, PathBuf, MergeError)> = Vec::new();
    let mut types = types.clone();
    let merged = loop {
        if let Some(schema) = given {
            break schema.clone();
        }
        let error = match common_schema(distinct.iter().map(|file| with_types(&file.schema, &types))) {
            Ok(merged) => break merged,
            Err(error) => error,
        };
        let path = distinct.get(error.schema_idx()).map(|file| file.path.clone()).unwrap_or_default();
        let error = DatasetError::at(path.clone(), Kind::Merge(error));
        let first_type = |name: &str| {
            let own = distinct.iter().find_map(|file| file.schema.field(file.schema.index_of(name).ok()?));
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
    let partition = files.first().map(|file| &*file.partition).unwrap_or_default();
    let is_new = |value: &&PartitionValue| merged.index_of(&value.name).is_err();
    let new: Vec<PartitionValue> = partition.iter().filter(is_new).cloned().collect();
    let found = found.into_iter().map(|(name, path, error)| {
        Ok(ColumnConflict { position: merged.index_of(&name).map_err(Kind::Column)?, path, error })
    });
    let mut found = found.collect::<Result<Vec<ColumnConflict>, Kind>>()?;
    found.sort_unstable_by_key(|conflict| conflict.position);
    Ok((with_partition(&merged, &new), found))
}
