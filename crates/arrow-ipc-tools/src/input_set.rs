//! A data set as an input: a stream of its rows, which another thread makes as it is read.

use std::{
    io::Write,
    path::{Path, PathBuf},
};

use arrow_ipc::{IpcError, IpcSchema, Projection, StreamWriter, Threads, WriteOptions};
use arrow_ipc_dataset::{Dataset, DatasetError, DatasetErrorKind, DatasetOptions, files_of, is_set};

use crate::{
    columns::{RowQuery, first_of},
    count::RowCount,
    error::{ToolError, ToolErrorKind},
    import::stream_of,
    input::Input,
    name::InputName,
};

/// The rows of all files that a folder or a pattern names.
///
/// ```no_run
/// use arrow_ipc_tools::{InputSet, RowQuery, Rows};
///
/// let query = RowQuery::new().with_condition("id > 5".parse::<arrow_compute::Predicate>()?);
/// if let Some(set) = InputSet::open("data/**/*.arrow".as_ref(), &query) {
///     println!("{}", Rows::open(set?.into_input()?)?.schema());
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct InputSet {
    name: InputName,
    set: Dataset,
}

impl InputSet {
    /// Whether a path is that of a folder, or a pattern that is no name of anything.
    pub fn is_named(path: &Path) -> bool {
        is_set(path)
    }

    /// The files of a folder or a pattern; `None` for the path of anything else.
    ///
    /// # Errors
    /// If there are none, or a folder cannot be read.
    pub fn files_of(path: &Path) -> Option<Result<Vec<PathBuf>, ToolError>> {
        is_set(path).then(|| files_of(path).map_err(|error| ToolError::of_set(path.into(), error)))
    }

    /// What a query needs of a folder or a pattern; `None` for the path of anything else. Reads the footers of the files.
    ///
    /// # Errors
    /// If a file cannot be read, the files do not have one schema, or the query does not fit the columns.
    pub fn open(path: &Path, query: &RowQuery) -> Option<Result<InputSet, ToolError>> {
        // Threads that read footers mostly wait for the disk.
        let n_threads = match Threads::n_available() {
            1 => 1,
            n_threads => n_threads.max(8),
        };
        let options = DatasetOptions::new().with_threads(n_threads);
        let options = if query.trusts_statistics() { options.trusting_statistics() } else { options };
        let open = || match Dataset::open_with([path], &options) {
            Ok(set) => InputSet { name: path.into(), set }.selected(query),
            Err(error) => Err(ToolError::of_set(path.into(), error)),
        };
        is_set(path).then(open)
    }

    /// Counts rows that match. Batches of which all do are not read.
    ///
    /// # Errors
    /// If a file cannot be read.
    pub fn count(self) -> Result<RowCount, ToolError> {
        let InputSet { name, set } = self;
        let n_batches = set.files().iter().map(|file| file.n_batches() as u64).sum();
        let n_rows = set.count().map_err(|error| ToolError::of_set(name, error))?;
        Ok(RowCount { n_rows, n_batches, n_tensors: 0, trailing_bytes: None })
    }

    /// The rows that match, with the columns that are wanted and those of the condition, as a stream.
    ///
    /// # Errors
    /// If the first file cannot be read.
    pub fn into_input(self) -> Result<Input, ToolError> {
        let InputSet { name, set } = self;
        let of_set = name.clone();
        let failed = move |error| ToolError::of_set(of_set.clone(), error);
        let (batches, schema) = (set.read_by_threads(Threads::n_available()), set.schema().clone());
        let write = move |sink: &mut dyn Write| {
            let of_output = |error: IpcError| failed(error.into());
            let mut writer = StreamWriter::try_new(sink, &schema, WriteOptions::new()).map_err(of_output)?;
            for batch in batches {
                writer.write(&batch.map_err(&failed)?).map_err(of_output)?;
            }
            writer.finish().map(drop).map_err(of_output)
        };
        match stream_of(Box::new(write)) {
            Ok(stream) => Input::try_from_reader(name, stream),
            Err(error) => Err(ToolError::new(name, ToolErrorKind::Spool(error))),
        }
    }

    /// What a query needs, in the order of the data set.
    fn selected(self, query: &RowQuery) -> Result<InputSet, ToolError> {
        let InputSet { name, set } = self;
        let schema = set.schema().clone();
        let selection = query.select(&IpcSchema::from(&schema));
        let selection = selection.map_err(|kind| ToolError::new(name.clone(), kind))?;
        let mut positions: Option<Vec<usize>> = None;
        if let Projection::Positions(read) = selection.projection() {
            positions = Some(read.clone());
        } else if let Projection::FieldPaths(paths) = selection.projection() {
            positions = Some(paths.iter().filter_map(first_of).collect());
        }
        let narrow = || {
            let set = match query.condition() {
                Some(condition) => set.with_predicate(condition.clone())?,
                None => set,
            };
            let Some(mut positions) = positions else { return Ok(set) };
            positions.sort_unstable();
            positions.dedup();
            let fields = positions.into_iter().filter_map(|position| schema.field(position));
            set.with_columns(fields.map(|field| field.name()))
        };
        match narrow() {
            Ok(set) => Ok(InputSet { name, set }),
            Err(error) => Err(ToolError::of_set(name, error)),
        }
    }
}

impl ToolError {
    /// The error of a data set, about the file that it names.
    pub fn of_set(name: InputName, error: DatasetError) -> ToolError {
        let name = error.path().map_or(name, InputName::from);
        let kind = match error.into_kind() {
            DatasetErrorKind::Io(error) => ToolErrorKind::Read(error),
            DatasetErrorKind::Ipc(error) => ToolErrorKind::Input(error),
            DatasetErrorKind::Predicate(error) => ToolErrorKind::Condition(error),
            DatasetErrorKind::Cast { column, error } => ToolErrorKind::Cast { column, error },
            DatasetErrorKind::Value(error) => ToolErrorKind::Values(error),
            DatasetErrorKind::Batch(error) => ToolErrorKind::Values(error.into()),
            kind @ (DatasetErrorKind::NoFiles
            | DatasetErrorKind::NoFile
            | DatasetErrorKind::Changed { .. }
            | DatasetErrorKind::Batches { .. }
            | DatasetErrorKind::Rows { .. }
            | DatasetErrorKind::MountPoint
            | DatasetErrorKind::InsideSet(_)
            | DatasetErrorKind::Merge(_)
            | DatasetErrorKind::Schema(_)
            | DatasetErrorKind::MissingColumn(_)
            | DatasetErrorKind::PartitionInFiles(_)
            | DatasetErrorKind::RepeatedPartition(_)
            | DatasetErrorKind::FolderColumns { .. }
            | DatasetErrorKind::PartitionName(_)
            | DatasetErrorKind::PartitionValue { .. }
            | DatasetErrorKind::NoManifest { .. }
            | DatasetErrorKind::ManifestColumn(_)
            | DatasetErrorKind::ManifestRow { .. }
            | DatasetErrorKind::RepeatedPart(_)
            | DatasetErrorKind::PartPath(_)
            | DatasetErrorKind::Conflict { .. }
            | DatasetErrorKind::Committed
            | DatasetErrorKind::NotEmpty
            | DatasetErrorKind::PartSchema(_)
            | DatasetErrorKind::Statistics(_)
            | DatasetErrorKind::Column(_)) => ToolErrorKind::Set(kind),
        };
        ToolError::new(name, kind)
    }
}
