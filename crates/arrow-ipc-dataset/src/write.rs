//! Writes a data set: tasks write parts into a hidden folder, and one commit publishes them as a new folder.

use std::{
    collections::HashSet,
    fs::{self, File},
    io,
    path::{Component, Path, PathBuf},
    sync::Arc,
};

use arrow_atomic_output::{
    AtomicFolder, marks_incomplete,
    staging::{self, UnfinishedFile},
};
use arrow_data::RecordBatch;
use arrow_ipc::{FileWriter, WriteOptions, split_by_encoded_bytes_with};
use arrow_ipc_statistics::StatisticsBuilder;
use arrow_schema::Schema;

use crate::{
    error::{DatasetError, DatasetErrorKind as Kind},
    listing::{hidden_prefix, is_in_set},
    partition::values_of,
    store::StoreNames,
};

/// The extension of parts.
const EXTENSION: &str = "arrow";

/// Writes the files of a new folder, called parts, from any number of threads, processes and machines that share a
/// file system. A writer is plain data, and can be sent to other processes.
///
/// 1. Each task calls [`part`](DatasetWriter::part), writes batches to the [`PartWriter`], and finishes it. Parts are
///    in a hidden folder beside the new one, so readers do not find them.
/// 2. One process passes the part of each task to [`commit`](DatasetWriter::commit), which gives all of them their
///    names at once. If a task ran twice, the part that is not passed is removed.
/// 3. If the parts are not needed, the process instead calls [`abort`](DatasetWriter::abort).
///
/// Readers find no part before the commit, and all parts after it, even if a process is killed; see
/// [`AtomicFolder`] for folders that exist already. If the process that commits is killed before that, the hidden
/// folder stays.
///
/// The new folder can be inside another one, to add its files to a data set. Then the hidden folder is not in the data set,
/// because some readers, such as polars, also read hidden folders: it is above all folders that have Arrow files, or
/// folders `name=value`, if it can be created there, and parts can be moved from there. A data set whose folders only
/// have folders with other names is not recognized.
///
/// ```
/// # use arrow_array::Int64Array;
/// # use arrow_data::RecordBatch;
/// use arrow_ipc::WriteOptions;
/// use arrow_ipc_dataset::{Dataset, DatasetWriter};
///
/// # let folder = tempfile::tempdir()?;
/// # let root = folder.path().join("data");
/// # let batch = RecordBatch::try_from_columns([("id", Int64Array::from_iter(0..5).into())])?;
/// let writer = DatasetWriter::create(&root, batch.schema().clone())?;
/// let mut parts = Vec::new();
/// for folder in ["day=1", "day=2"] {
///     let mut part = writer.part(folder, WriteOptions::new())?;
///     part.write(&batch)?;
///     parts.push(part.finish()?);
/// }
/// writer.commit(parts)?;
/// assert_eq!(Dataset::open([&root])?.count()?, 10);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct DatasetWriter {
    /// The folder that the commit creates, without links.
    pub root: PathBuf,
    /// The hidden folder beside it or above the data set, which has the parts before the commit.
    pub staging: PathBuf,
    /// The schema of each part, without the partition columns.
    pub schema: Arc<Schema>,
}

/// A complete part, to be passed to [`commit`](DatasetWriter::commit). This is plain data, and can be sent to other
/// processes.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct WrittenPart {
    /// The path of the part below the hidden folder, with `/` between names.
    pub path: String,
    /// The length of the file in bytes.
    pub n_bytes: u64,
    /// The number of rows of the part.
    pub n_rows: u64,
}

impl DatasetWriter {
    /// Creates the hidden folder, and missing folders above it.
    ///
    /// # Errors
    /// If `root` exists and is not an empty folder. If it is a mount point, into which parts cannot be moved. If two
    /// columns of the schema have the same name.
    pub fn create(root: &Path, schema: impl Into<Arc<Schema>>) -> Result<DatasetWriter, DatasetError> {
        let schema = schema.into();
        let mut names = HashSet::new();
        if let Some(repeated) = schema.fields().iter().find(|field| !names.insert(field.name())) {
            schema.index_of(repeated.name()).map_err(|error| DatasetError::at(root, error))?;
        }
        let create = || -> Result<_, Kind> {
            let root = staging::resolve_links(root)?;
            if !staging::is_free(&root)? {
                return Err(Kind::NotEmpty);
            }
            match staging::create_folder(&root, is_in_set) {
                Err(error) if error.kind() == io::ErrorKind::CrossesDevices => Err(Kind::MountPoint),
                created => Ok((root, created?)),
            }
        };
        let (root, staging) = create().map_err(|kind| DatasetError::at(root, kind))?;
        Ok(DatasetWriter { root, staging, schema })
    }

    /// Begins a part in a folder of the data set, such as `day=1/city=Oslo`. If `folder` is empty, the part is in the
    /// root.
    ///
    /// # Errors
    /// If the path leads out of the folder of the data set. If readers ignore a folder of this name: write a column `_year` as
    /// `%5Fyear=2024`. If readers refuse the path: a column is named twice, or a name is not UTF-8. If the file cannot be
    /// created.
    pub fn part(&self, folder: &str, options: WriteOptions) -> Result<PartWriter, DatasetError> {
        let create = || -> Result<_, Kind> {
            let mut directory = self.staging.clone();
            let names = names_of(folder)?;
            values_of(&Path::new(folder).join(EXTENSION), StoreNames::Plain)?;
            for name in names {
                directory.push(name);
                // Only one level at a time, because a late task must not create the hidden folder again.
                match fs::create_dir(&directory) {
                    Err(error) if error.kind() != io::ErrorKind::AlreadyExists => {
                        return Err(self.staging_error(error));
                    }
                    Ok(()) | Err(_) => {}
                }
            }
            let name = format!("{}.{EXTENSION}", staging::random_name());
            let path = if folder.is_empty() { name.clone() } else { format!("{folder}/{name}") };
            let created = UnfinishedFile::create(directory.join(name));
            let (file, unfinished) = created.map_err(|error| self.staging_error(error))?;
            Ok((path, FileWriter::try_new_with(file, Arc::clone(&self.schema), options.clone())?, unfinished))
        };
        let (path, writer, unfinished) = create().map_err(|kind| DatasetError::at(&self.root, kind))?;
        let statistics = StatisticsBuilder::new(&self.schema);
        let root = self.root.clone();
        Ok(PartWriter { writer, options, statistics, unfinished, path, n_rows: 0, root })
    }

    /// Publishes these parts, and removes all others. The names of the files count the parts, so that rows are read in
    /// the order of `parts` in each folder. Ignores a part whose path was passed before.
    ///
    /// # Errors
    /// If a part does not exist, or is not the file that was written. If the folder exists and is not empty, for
    /// example because another writer committed first. If a part cannot be moved. After an error, no part is published,
    /// and all parts are where they were, so that they can be committed again. Only those that the file system refuses
    /// to move back are removed.
    pub fn commit(&self, parts: impl IntoIterator<Item = WrittenPart>) -> Result<(), DatasetError> {
        let mut paths = HashSet::new();
        let parts: Vec<WrittenPart> =
            parts.into_iter().filter(|part| paths.insert(part.path.clone())).collect();
        let at_root = |kind: Kind| DatasetError::at(&self.root, kind);
        fs::metadata(&self.staging).map_err(|error| at_root(self.staging_error(error)))?;
        for part in &parts {
            self.check(part).map_err(|kind| DatasetError::at(self.staging.join(&part.path), kind))?;
        }
        self.publish(&parts).map_err(|error| at_root(error.into()))?;
        self.abort();
        Ok(())
    }

    /// Moves the parts to a temporary folder, and renames it. After an error, moves them back.
    fn publish(&self, parts: &[WrittenPart]) -> io::Result<()> {
        let folder = AtomicFolder::create_outside(&self.root, is_in_set)?;
        let mut moved: Vec<(PathBuf, PathBuf)> = Vec::with_capacity(parts.len());
        let mut publish = || -> io::Result<()> {
            for (part_idx, part) in parts.iter().enumerate() {
                let below = part.path.rsplit_once('/').map_or("", |(below, _)| below);
                let source = self.staging.join(&part.path);
                let target =
                    folder.create_folder(below.as_ref())?.join(format!("part-{part_idx:08}.{EXTENSION}"));
                fs::rename(&source, &target)?;
                moved.push((source, target));
            }
            folder.publish(EXTENSION)
        };
        let published = publish();
        if published.is_err() {
            for (source, target) in moved {
                // The error that is returned is the first.
                let _ = fs::rename(target, source);
            }
        }
        published
    }

    /// Checks that a part is the file that was written.
    fn check(&self, part: &WrittenPart) -> Result<(), Kind> {
        names_of(&part.path)?;
        values_of(Path::new(&part.path), StoreNames::Plain)?;
        match fs::symlink_metadata(self.staging.join(&part.path)) {
            Ok(found) if found.is_file() && found.len() == part.n_bytes => Ok(()),
            Ok(_) => Err(Kind::MissingPart),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Err(Kind::MissingPart),
            Err(error) => Err(error.into()),
        }
    }

    /// Removes all parts that were not published, and ignores errors.
    pub fn abort(&self) {
        let _ = fs::remove_dir_all(&self.staging);
    }

    /// The error if the hidden folder no longer exists.
    fn staging_error(&self, error: io::Error) -> Kind {
        let is_gone = error.kind() == io::ErrorKind::NotFound && !self.staging.exists();
        if is_gone { Kind::Committed } else { error.into() }
    }
}

/// Writes a part. Dropping it before [`finish`](PartWriter::finish) removes the file, but not in a forked process.
#[derive(Debug)]
pub struct PartWriter {
    writer: FileWriter<File>,
    options: WriteOptions,
    statistics: StatisticsBuilder,
    unfinished: UnfinishedFile,
    /// The path of the part below the hidden folder.
    path: String,
    n_rows: u64,
    root: PathBuf,
}

impl PartWriter {
    /// Writes a batch, and adds it to the statistics in the footer. If the options limit the length of messages, it may
    /// become several batches.
    ///
    /// # Errors
    /// If the columns of the batch differ from the schema, or the file cannot be written. If it was split, some of its rows may
    /// then be in the part: drop the part.
    pub fn write(&mut self, batch: &RecordBatch) -> Result<(), DatasetError> {
        let mut write = || -> Result<(), Kind> {
            self.writer.schema().check_same_columns(batch.schema()).map_err(Kind::PartSchema)?;
            // The statistics need the batches of the file, so these are split here, not by the writer.
            let pieces = match self.options.max_message_bytes() {
                Some(max_bytes) => split_by_encoded_bytes_with(batch, max_bytes, self.options.clone())?,
                None => vec![batch.clone()],
            };
            for piece in pieces {
                // The statistics get the piece after it has been written without an error.
                self.writer.write(&piece)?;
                self.n_rows = self.n_rows.saturating_add(piece.n_rows() as u64);
                self.statistics.add(&piece)?;
            }
            Ok(())
        };
        write().map_err(|kind| DatasetError::at(&self.root, kind))
    }

    /// Completes the file, and stores it durably.
    ///
    /// # Errors
    /// If the file cannot be written. If the data set was committed or given up meanwhile:
    /// [`Committed`](Kind::Committed).
    pub fn finish(self) -> Result<WrittenPart, DatasetError> {
        let PartWriter { mut writer, statistics, unfinished, path, n_rows, root, .. } = self;
        let complete = || -> Result<u64, Kind> {
            statistics.put_into(&mut writer)?;
            let file = writer.finish()?;
            file.sync_all()?;
            if !unfinished.keep() {
                return Err(Kind::Committed);
            }
            Ok(file.metadata()?.len())
        };
        let n_bytes = complete().map_err(|kind| DatasetError::at(root, kind))?;
        Ok(WrittenPart { path, n_bytes, n_rows })
    }
}

/// The names on a path below the data set; none if it is empty.
///
/// # Errors
/// If the path leads out of the data set, or readers ignore or refuse a name.
fn names_of(path: &str) -> Result<Vec<&str>, Kind> {
    let is_name = |name: &str| {
        let mut components = Path::new(name).components();
        matches!(components.next(), Some(Component::Normal(own)) if own == name)
            && components.next().is_none()
            && !name.contains('\0')
            && hidden_prefix(name.as_ref()).is_none()
            && !marks_incomplete(name.as_ref())
    };
    let names: Vec<&str> = if path.is_empty() { Vec::new() } else { path.split('/').collect() };
    if names.iter().all(|name| is_name(name)) { Ok(names) } else { Err(Kind::PartPath(path.to_owned())) }
}
