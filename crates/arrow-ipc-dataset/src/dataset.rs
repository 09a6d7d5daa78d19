//! Reads many files as one sequence of rows.

mod opening;
mod options;

use std::{collections::HashSet, iter, path::Path, sync::Arc};

use arrow_compute::{ColumnBounds, Matches, Predicate};
use arrow_schema::{FieldPath, Schema};
use arrow_threads::{ResultSink, in_order, in_parallel};

use self::opening::{
    ColumnConflict, check_files, contents_of, open_first, schema_of, set_partitions, time_of_one_thread,
};
pub use self::options::DatasetOptions;
use crate::{
    common_schema::with_types,
    dataset_batches::DatasetBatches,
    error::{DatasetError, DatasetErrorKind as Kind},
    file::{BatchExtent, DatasetFile, FileContents, FileOpening},
    listing::list_files,
    row_selection::{RowSelection, first_position, with_first_position},
    store::{LocalFiles, OpenFiles},
    task::{ReadTask, ScanContext, TaskBatches, TaskFile, with_partition},
};

/// The number of bytes that can be read while a file is opened. Limits the number of small files in a task.
const OPENING_BYTES: u64 = 64 << 10;

/// The approximate number of bytes that each thread reads at once, if several threads read a data set.
const THREAD_BYTES: u64 = 8 << 20;
type ExtentFilter<'a> = &'a mut dyn FnMut(BatchExtent, Matches) -> bool;

/// The default number of threads that read footers.
const N_THREADS: usize = 8;

/// The maximum size of all batches that wait in memory, in bytes, over all threads. Only for stores with a high
/// latency.
const WAITING_BYTES: u64 = 256 << 20;

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
        let settle = |files: &mut Vec<DatasetFile>| -> Result<_, DatasetError> {
            let mut known = HashSet::new();
            files.iter_mut().for_each(|file| file.share_schema(&mut known));
            set_partitions(files, given, types)?;
            schema_of(files, given, types, options.leaves_out_conflicts)
        };
        let (mut schema, mut conflicts) = settle(&mut files)?;
        let lacks_columns = |predicate: &Predicate| given.is_none() && predicate.bind(&schema).is_err();
        if options.pruning.as_ref().is_some_and(lacks_columns) {
            // Perhaps the files that were not opened have its columns.
            files.iter_mut().for_each(|file| file.partition = None);
            contents_of(files.iter(), n_threads)?;
            (schema, conflicts) = settle(&mut files)?;
        }
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
        in_parallel(self.n_threads, time_of_one_thread(&self.store), files.collect(), work)
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
