//! Writes data sets. Several processes may write files, and one commit adds all of these files to the data set.

use std::{
    collections::HashSet,
    fs::{self, File, OpenOptions},
    io,
    path::{Path, PathBuf},
    sync::Arc,
};

use arrow_buffer::Buffer;
use arrow_data::RecordBatch;
use arrow_ipc::{FileReader, FileWriter, IpcError, WriteOptions};
use arrow_ipc_statistics::StatisticsBuilder;
use arrow_schema::{Field, Metadata, Schema};

use crate::{
    dataset::{Dataset, partition_schema, settle_partitions},
    error::{DatasetError, DatasetErrorKind as Kind},
    file::DatasetFile,
    listing::{check_outside, files_below, folders_root, list, place_of, set_around},
    manifest::{Manifest, encode, manifests_of, name_of, part_path, path_below, versions_in, writer_of},
    partition::{PartitionValue, values_of},
    store::{LocalFiles, StoreNames},
    threads::in_parallel,
    unfinished::{AttemptName, create_folders, random_id, sync_folder, unfinished},
    unnamed::check_there,
    version::{FileStamp, FileVersion, PART_KEY, id_text},
};

/// The number of threads that read the footers of new parts.
const N_THREADS: usize = 8;

/// What happens to the files that a data set already has.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum WriteMode {
    /// The data set must be new: if the folder has a manifest or Arrow files, this is an error.
    Create,
    /// New parts come after the existing parts. In a folder without a manifest, all Arrow files become parts.
    Append,
    /// New parts replace the existing parts, whose files stay in the folder for readers of older manifests: see
    /// [`expire`](crate::expire). In a folder without a manifest, Arrow files also stay, but no longer belong to the
    /// data set.
    Replace,
}

/// Writes a data set in parts, from any number of threads, processes and machines that share a folder. A writer is
/// plain data, and can be sent to other processes.
///
/// 1. Each task calls [`part`](DatasetWriter::part) with its own number, writes batches to the [`PartAttempt`], and
///    finishes it. The part is then on the disk, but readers ignore it. If a task runs twice, the first attempt that
///    finishes creates the part, and the other attempt returns the same part.
/// 2. One process passes all parts to [`commit`](DatasetWriter::commit), which publishes a [`Manifest`]. Readers see
///    the old version before the commit, and all new parts after it.
/// 3. If the parts are not needed, the process instead calls [`abort`](DatasetWriter::abort), which removes all files
///    of the writer.
///
/// ```
/// # use arrow_array::Int64Array;
/// # use arrow_data::RecordBatch;
/// use arrow_ipc::WriteOptions;
/// use arrow_ipc_dataset::{Dataset, DatasetWriter, WriteMode};
///
/// # let folder = tempfile::tempdir()?;
/// # let root = folder.path().join("data");
/// # let batch = RecordBatch::try_from_columns([("id", Int64Array::from_iter(0..5).into())])?;
/// let writer = DatasetWriter::begin(&root, batch.schema().clone(), WriteMode::Create)?;
/// let mut parts = Vec::new();
/// for task in 0..2 {
///     let mut part = writer.part(task, "", WriteOptions::new())?;
///     part.write(&batch)?;
///     parts.push(part.finish()?);
/// }
/// assert_eq!(writer.commit(parts)?.version(), 1);
/// assert_eq!(Dataset::open([&root])?.count()?, 10);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # What survives
///
/// A part is written in the folder of manifests (`_data.manifests` beside `data`) under a temporary name, and synced.
/// Then it is linked to its name in the folder of the data, which is synced too. After all parts, a manifest is
/// written and synced under a temporary name, and then linked to its final name. A link does not replace a file. If
/// two processes commit at the same time, one succeeds, and the other fails with [`Conflict`](Kind::Conflict). If a
/// process is killed, readers see the old version, or the complete new version. Both folders must be on one file
/// system, which must have hard links.
#[derive(Debug, Clone, PartialEq)]
pub struct DatasetWriter {
    /// The folder of the data set, which contains the parts.
    pub root: PathBuf,
    /// The schema of each part, without the partition columns.
    pub schema: Arc<Schema>,
    /// A random number, which the names of all parts of this writer contain.
    pub id: u64,
    /// What happens to the files that the data set already had.
    pub mode: WriteMode,
    /// The newest version of the data set when the writer was created; 0 if there was no version.
    pub base: u64,
}

/// A complete part. It belongs to the data set after a commit. This is plain data, and can be sent to other processes.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct WrittenPart {
    /// The path of the part relative to the data set, with `/` between names.
    pub path: String,
    /// The random number in the footer of the part.
    pub id: u64,
    /// The length of the file in bytes.
    pub n_bytes: u64,
    /// The number of rows of the part.
    pub n_rows: u64,
}

impl DatasetWriter {
    /// Begins to write a data set. Creates the folder if it does not exist.
    ///
    /// # Errors
    /// If the data set exists, but must not, or if it has another schema. If two columns of the schema have the same
    /// name. If the folder is inside another data set, or is a mount point, into which parts cannot be linked.
    pub fn begin(
        root: impl Into<PathBuf>,
        schema: impl Into<Arc<Schema>>,
        mode: WriteMode,
    ) -> Result<DatasetWriter, DatasetError> {
        let (root, schema) = (root.into(), schema.into());
        let mut names = HashSet::new();
        if let Some(repeated) = schema.fields().iter().find(|field| !names.insert(field.name())) {
            schema.index_of(repeated.name()).map_err(|error| DatasetError::at(&root, error))?;
        }
        check_outside(&root)?;
        let is_mounted = fs::create_dir_all(&root).and_then(|()| is_mount_point(&root));
        if is_mounted.map_err(|error| DatasetError::at(&root, error))? {
            return Err(DatasetError::at(root, Kind::MountPoint));
        }
        let latest = Manifest::latest(&root)?;
        let is_new = latest.is_none() && list(&root)?.is_empty();
        match (mode, &latest) {
            (WriteMode::Create, _) if !is_new => return Err(DatasetError::at(root, Kind::NotEmpty)),
            (WriteMode::Append, Some(latest)) => check_schema(&root, &latest.file_schema(), &schema)?,
            (WriteMode::Create | WriteMode::Replace, _) | (WriteMode::Append, None) => {}
        }
        let base = latest.as_ref().map_or(0, Manifest::version);
        Ok(DatasetWriter { root, schema, id: random_id(), mode, base })
    }

    /// Makes a writer that appends to the data set in this folder, or around this folder. The folder need not exist.
    /// Also returns the path of the folder relative to the data set.
    ///
    /// # Errors
    /// The errors of [`begin`](DatasetWriter::begin). If the data set has no files, or if the path lacks a value of a
    /// partition column. If there are partition columns but no manifest, because only a manifest shows which folder
    /// is the root.
    pub fn appending_to(folder: &Path) -> Result<(DatasetWriter, String), DatasetError> {
        let at_folder = |error: io::Error| DatasetError::at(folder, error);
        let (root, below) = match set_around(folder)? {
            Some(root) => {
                let place = place_of(folder).map_err(at_folder)?;
                let below = place.strip_prefix(&root).unwrap_or(&place).to_owned();
                (root, below)
            }
            None => (folder.to_owned(), PathBuf::new()),
        };
        let latest = Manifest::latest(&root)?;
        // Without a manifest, any of the folders above may be the root of the data set.
        let check_known = |files: &[DatasetFile]| match latest {
            Some(_) => Ok(()),
            None => match folders_root(&root, files).map_err(at_folder)? {
                Some(root) => Err(DatasetError::at(folder, Kind::NoManifestYet(root))),
                None => Ok(()),
            },
        };
        check_known(&[])?;
        let set = Dataset::open([&root])?;
        check_known(set.files())?;
        set.files().iter().try_for_each(DatasetFile::check_is_file)?;
        check_there(set.files())?;
        let schema = match &latest {
            Some(latest) => latest.file_schema(),
            None => set.files().first().map(|file| Schema::clone(file.schema())).unwrap_or_default(),
        };
        let is_own = |name: &str| schema.fields().iter().any(|field| field.name() == name);
        let mut columns = set.schema().fields().iter().filter(|field| !is_own(field.name()));
        let name = part_path(Path::new(""), &below.join("_.arrow"));
        let name = name.map_err(|kind| DatasetError::at(folder, kind))?;
        // The path of the data set itself may also have names like `name=value`.
        let named =
            values_of(&root.join(&name), StoreNames::Plain).map_err(|kind| DatasetError::at(folder, kind))?;
        if let Some(column) = columns.find(|column| !named.iter().any(|own| *own.name == *column.name())) {
            return Err(DatasetError::at(folder, Kind::NoFolder(column.name().to_owned())));
        }
        // Detects errors that a commit would return for this folder, before anything is written.
        for value in named.iter().filter(|value| !is_own(&value.name)) {
            let valid = match set.schema().fields().iter().find(|field| field.name() == &*value.name) {
                Some(field) => {
                    let data_type = field.data_type().clone();
                    PartitionValue { data_type, ..value.clone() }.to_scalar().map(drop)
                }
                None => Err(Kind::OtherFolder(value.name.to_string())),
            };
            valid.map_err(|kind| DatasetError::at(folder, kind))?;
        }
        let below = name.rsplit_once('/').map_or("", |(below, _)| below).to_owned();
        Ok((DatasetWriter::begin(root, schema, WriteMode::Append)?, below))
    }

    /// Begins an attempt to write the part of a task, in a folder below the data set, such as `day=1/city=Oslo`. If
    /// `folder` is empty, the part is in the root. All attempts with the same task and folder write the same part.
    ///
    /// # Errors
    /// If the path leads out of the folder of the data set, or the file cannot be created.
    pub fn part(&self, task: u64, folder: &str, options: WriteOptions) -> Result<PartAttempt, DatasetError> {
        let name = format!("part-{}-{task:08}.arrow", id_text(self.id));
        let path = if folder.is_empty() { name } else { format!("{folder}/{name}") };
        if path_below(&path).is_none() {
            return Err(DatasetError::at(&self.root, Kind::PartPath(path)));
        }
        let attempt = AttemptName::create(&self.root, self.id)?;
        attempt.mark(self.id)?;
        let id = random_id();
        let metadata = options.footer_metadata().with(PART_KEY, id_text(id));
        let options = options.with_footer_metadata(metadata);
        let begin = || -> Result<_, Kind> {
            let file = OpenOptions::new().write(true).create_new(true).open(&attempt.path)?;
            Ok(FileWriter::try_new(file, Arc::clone(&self.schema), options)?)
        };
        let writer = begin().map_err(|kind| DatasetError::at(&attempt.path, kind))?;
        let statistics = StatisticsBuilder::new(&self.schema);
        Ok(PartAttempt { set: self.clone(), writer, statistics, attempt, path, id, n_rows: 0 })
    }

    /// Publishes a manifest with these parts, in this order. If the writer appends, they come after the existing
    /// parts. Removes unfinished attempts of this writer. A commit can be repeated: parts that a manifest already
    /// lists are not added again. If all parts are listed, nothing happens.
    ///
    /// # Errors
    /// If a part does not exist, is not the file that was written, or has another schema. If a part has other partition
    /// columns than the data set. If another process committed first: [`Conflict`](Kind::Conflict); a writer that
    /// appends tries again, up to 100 times. After an error, nothing is published, and the parts stay.
    pub fn commit(&self, parts: impl IntoIterator<Item = WrittenPart>) -> Result<Manifest, DatasetError> {
        let parts: Vec<WrittenPart> = parts.into_iter().collect();
        let is_again = |error: &DatasetError| {
            self.mode == WriteMode::Append && matches!(error.kind(), Kind::Conflict { .. })
        };
        let mut attempts = (1..100).map(|_| self.commit_once(&parts));
        let done = attempts.find(|done| !matches!(done, Err(error) if is_again(error)));
        done.unwrap_or_else(|| self.commit_once(&parts))
    }

    fn commit_once(&self, parts: &[WrittenPart]) -> Result<Manifest, DatasetError> {
        let latest = Manifest::latest(&self.root)?;
        let committed = self.named_after(self.base)?;
        let mut seen = HashSet::new();
        let mut parts: Vec<WrittenPart> =
            parts.iter().filter(|part| seen.insert((*part).clone())).cloned().collect();
        parts.retain(|part| !committed.contains(&(self.root.join(&part.path), FileStamp::Part(part.id))));
        if let Some(latest) = latest.as_ref().filter(|_| parts.is_empty() && !seen.is_empty()) {
            return Ok(latest.clone());
        }
        let new = in_parallel(N_THREADS, parts, |part| self.checked(&part))?;
        let found = latest.as_ref().map_or(0, Manifest::version);
        if self.mode != WriteMode::Append && found != self.base {
            return Err(DatasetError::at(&self.root, Kind::Conflict { base: self.base, found }));
        }
        let (mut files, given) = match (self.mode, &latest) {
            (WriteMode::Create | WriteMode::Replace, _) => (Vec::new(), None),
            (WriteMode::Append, Some(latest)) => {
                check_schema(&self.root, &latest.file_schema(), &self.schema)?;
                (latest.files().to_vec(), Some(Arc::clone(latest.schema())))
            }
            (WriteMode::Append, None) => (self.found()?, None),
        };
        self.check_folders(latest.as_ref(), &files, &new)?;
        files.extend(new);
        let manifest = self.publish(files, found, given.as_deref())?;
        self.forget_unfinished();
        Ok(manifest)
    }

    /// Checks that new parts have the partition columns of the data set. If the data set has no files, all parts must
    /// have the partition columns of the first part.
    fn check_folders(
        &self,
        latest: Option<&Manifest>,
        files: &[DatasetFile],
        new: &[DatasetFile],
    ) -> Result<(), DatasetError> {
        let named = |file: &DatasetFile| -> Result<HashSet<Arc<str>>, DatasetError> {
            let values = part_path(&self.root, &file.path)
                .and_then(|below| values_of(Path::new(&below), StoreNames::Plain))
                .map_err(|kind| DatasetError::at(&file.path, kind))?;
            let is_own = |name: &str| self.schema.fields().iter().any(|field| field.name() == name);
            Ok(values.into_iter().map(|value| value.name).filter(|name| !is_own(name)).collect())
        };
        let mut of_set = HashSet::new();
        match latest {
            _ if files.is_empty() => of_set.extend(new.first().map(named).transpose()?.into_iter().flatten()),
            Some(latest) => of_set.extend(latest.folder_columns().iter().map(Field::to_shared_name)),
            None => files.iter().try_for_each(|file| named(file).map(|names| of_set.extend(names)))?,
        }
        for file in new {
            let own = named(file)?;
            if let Some(name) = own.symmetric_difference(&of_set).min() {
                let name = name.to_string();
                let kind = if own.contains(&*name) { Kind::OtherFolder(name) } else { Kind::NoFolder(name) };
                return Err(DatasetError::at(&file.path, kind));
            }
        }
        Ok(())
    }

    /// The Arrow files in a folder without manifest, except uncommitted parts.
    pub(crate) fn found(&self) -> Result<Vec<DatasetFile>, DatasetError> {
        in_parallel(N_THREADS, list(&self.root)?, |path| self.read(path))
    }

    /// The files in the manifests of all versions after `base`.
    fn named_after(&self, base: u64) -> Result<HashSet<(PathBuf, FileStamp)>, DatasetError> {
        let mut named = HashSet::new();
        let Some(folder) = manifests_of(&self.root)? else { return Ok(named) };
        for version in versions_in(&folder)?.into_iter().filter(|version| *version > base) {
            // A manifest that has expired lists no files.
            let files = Manifest::numbered(&folder, &self.root, version)?.map(Manifest::into_files);
            named.extend(files.into_iter().flatten().map(|file| (file.path, file.version.stamp)));
        }
        Ok(named)
    }

    /// Reads the footer of a file below the root. The file must have the schema of the parts.
    fn read(&self, path: PathBuf) -> Result<DatasetFile, DatasetError> {
        let file = DatasetFile::read_part(&LocalFiles, path)?;
        check_schema(&file.path, &self.schema, &file.schema)?;
        Ok(file)
    }

    /// Reads the footer of a part, and checks that the file is the one that was written.
    pub(crate) fn checked(&self, part: &WrittenPart) -> Result<DatasetFile, DatasetError> {
        let below = path_below(&part.path)
            .ok_or_else(|| DatasetError::at(&self.root, Kind::PartPath(part.path.clone())))?;
        let file = self.read(self.root.join(below))?;
        let planned = FileVersion { n_bytes: part.n_bytes, stamp: FileStamp::Part(part.id) };
        Kind::unless_same(planned, file.version).map_err(|kind| DatasetError::at(&file.path, kind))?;
        Ok(file)
    }

    /// Publishes a manifest with these files as the version after `base`. It is an error if another process has already
    /// committed this version.
    pub(crate) fn publish(
        &self,
        mut files: Vec<DatasetFile>,
        base: u64,
        given: Option<&Schema>,
    ) -> Result<Manifest, DatasetError> {
        let at_root = |kind: Kind| DatasetError::at(&self.root, kind);
        for file in &mut files {
            let below = part_path(&self.root, &file.path).map_err(at_root)?;
            file.partition = values_of(Path::new(&below), StoreNames::Plain).map_err(at_root)?.into();
        }
        settle_partitions(&mut files, given)?;
        for file in &files {
            let valid = file.partition.iter().try_for_each(|value| value.to_scalar().map(drop));
            valid.map_err(|kind| DatasetError::at(&file.path, kind))?;
        }
        let (schema, n_folder_columns) = partition_schema(&self.schema, &files);
        let bytes = Buffer::from(encode(&self.root, &schema, n_folder_columns, &files).map_err(at_root)?);
        let version = base.checked_add(1).ok_or_else(|| at_root(Kind::Conflict { base, found: base }))?;
        let attempt = AttemptName::create(&self.root, self.id)?;
        let manifest = attempt.manifests.join(name_of(version));
        // Reads the manifest back before it is published, to detect an unreadable manifest.
        let published = FileReader::try_from_buffer(bytes.clone())
            .map_err(Kind::from)
            .and_then(|reader| Manifest::decode(&reader, &self.root, version, StoreNames::Plain))
            .map_err(|kind| DatasetError::at(&manifest, kind))?;
        // An empty file reserves the number of an expired version for days. If this commit takes even longer, it
        // finds a later version here.
        if let Some(found) = versions_in(&attempt.manifests)?.pop().filter(|found| *found > base) {
            return Err(at_root(Kind::Conflict { base, found }));
        }
        let publish = || -> io::Result<()> {
            fs::write(&attempt.path, &bytes)?;
            File::open(&attempt.path)?.sync_all()?;
            fs::hard_link(&attempt.path, &manifest)?;
            sync_folder(&attempt.manifests)
        };
        match publish() {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
                Err(at_root(Kind::Conflict { base, found: version }))
            }
            Err(error) => Err(DatasetError::at(manifest, error)),
            Ok(()) => Ok(published),
        }
    }

    /// Removes the files of this writer that no manifest lists, and ignores errors. No process may write or commit
    /// parts of this writer at the same time.
    pub fn abort(&self) {
        let Ok(named) = self.named_after(0) else { return };
        let mut is_left = false;
        for path in files_below(&self.root).unwrap_or_default() {
            if writer_of(&path) == Some(self.id) && !named.iter().any(|(named, _)| *named == path) {
                is_left |= fs::remove_file(&path).is_err();
            }
        }
        if !is_left {
            self.forget_unfinished();
        }
    }

    /// Removes the files of this writer in the folder of manifests, and ignores errors.
    pub(crate) fn forget_unfinished(&self) {
        let Ok(Some(manifests)) = manifests_of(&self.root) else { return };
        let own = unfinished(&manifests).ok().and_then(|mut found| found.remove(&self.id));
        let _ = own.map(|own| own.remove());
        // This fails if the folder has other files, so it stays.
        let _ = fs::remove_dir(manifests);
    }
}

/// An attempt to write a part. Dropping it before [`finish`](PartAttempt::finish) removes its files.
#[derive(Debug)]
pub struct PartAttempt {
    set: DatasetWriter,
    writer: FileWriter<File>,
    statistics: StatisticsBuilder,
    attempt: AttemptName,
    /// The path of the part relative to the root.
    path: String,
    id: u64,
    n_rows: u64,
}

impl PartAttempt {
    /// The writer of the file, for its position and schema.
    pub fn writer(&self) -> &FileWriter<File> {
        &self.writer
    }

    /// Writes a batch as a batch of the file, and adds it to the statistics.
    ///
    /// # Errors
    /// If the columns of the batch differ from the schema, or the file cannot be written.
    pub fn write(&mut self, batch: &RecordBatch) -> Result<(), DatasetError> {
        self.write_with_metadata(batch, &Metadata::new())
    }

    /// Like [`write`](PartAttempt::write), with custom metadata of the message.
    ///
    /// # Errors
    /// The errors of [`write`](PartAttempt::write).
    pub fn write_with_metadata(
        &mut self,
        batch: &RecordBatch,
        metadata: &Metadata,
    ) -> Result<(), DatasetError> {
        let mut write = || -> Result<(), Kind> {
            self.writer.schema().schema().check_same_columns(batch.schema()).map_err(Kind::PartSchema)?;
            // The statistics get the batch after it has been written without an error.
            self.writer.write_with_metadata(batch, metadata)?;
            self.n_rows = self.n_rows.saturating_add(batch.n_rows() as u64);
            Ok(self.statistics.add(batch)?)
        };
        write().map_err(|kind| DatasetError::at(&self.attempt.path, kind))
    }

    /// Sets the custom metadata of the next message of a dictionary. Returns the metadata of an earlier call if no
    /// message has been written since.
    ///
    /// # Errors
    /// If no dictionary of the schema has this id.
    pub fn set_dictionary_metadata(
        &mut self,
        id: i64,
        metadata: Metadata,
    ) -> Result<Option<Metadata>, IpcError> {
        self.writer.set_dictionary_metadata(id, metadata)
    }

    /// The number of rows in the written batches.
    pub fn n_rows(&self) -> u64 {
        self.n_rows
    }

    /// The length of the file up to now, in bytes.
    pub fn n_bytes(&self) -> u64 {
        self.writer.position()
    }

    /// Completes the file, syncs it, and gives it its name. If another attempt of the same task has finished first,
    /// returns the part of that attempt, and removes this file.
    ///
    /// # Errors
    /// If the file cannot be written, synced or named. If the part of another attempt is already committed:
    /// [`Committed`](Kind::Committed). The batches of this attempt are then not in the data set.
    pub fn finish(self) -> Result<WrittenPart, DatasetError> {
        let PartAttempt { set, mut writer, statistics, attempt, path, id, n_rows } = self;
        let target = set.root.join(&path);
        let complete = || -> Result<u64, Kind> {
            statistics.put_into(&mut writer)?;
            let file = writer.finish()?;
            file.sync_all()?;
            Ok(file.metadata()?.len())
        };
        let n_bytes = complete().map_err(|kind| DatasetError::at(&attempt.path, kind))?;
        let folder = target.parent().unwrap_or(&target);
        let name = || -> io::Result<()> {
            create_folders(folder)?;
            fs::hard_link(&attempt.path, &target)?;
            sync_folder(folder)
        };
        match name() {
            Ok(()) => Ok(WrittenPart { path, id, n_bytes, n_rows }),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
                // The other attempt may have been killed before it has synced the folder.
                sync_folder(folder).map_err(|error| DatasetError::at(folder, error))?;
                let found = DatasetFile::read_part(&LocalFiles, target.clone())?;
                let FileStamp::Part(id) = found.version.stamp else {
                    return Err(DatasetError::at(target, error));
                };
                let part = WrittenPart { path, id, n_bytes: found.version.n_bytes, n_rows: found.n_rows() };
                let is_committed = set.named_after(set.base)?.contains(&(found.path, found.version.stamp));
                if is_committed { Err(DatasetError::at(target, Kind::Committed)) } else { Ok(part) }
            }
            Err(error) => Err(DatasetError::at(target, error)),
        }
    }
}

/// Whether a folder is on another file system than its parent.
fn is_mount_point(root: &Path) -> io::Result<bool> {
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt;
        let root = root.canonicalize()?;
        let above = root.parent().map(fs::metadata).transpose()?;
        Ok(above.is_none_or(|above| root.metadata().map_or(true, |own| own.dev() != above.dev())))
    }
    // Other systems do not check this here. There, the first link fails.
    #[cfg(not(unix))]
    Ok(root.parent().is_none())
}

fn check_schema(path: &Path, expected: &Schema, found: &Schema) -> Result<(), DatasetError> {
    let same = expected.check_same_columns(found);
    same.map_err(|error| DatasetError::at(path, Kind::PartSchema(error)))
}

#[cfg(test)]
mod tests {
    use std::time::{Duration, SystemTime};

    use arrow_array::Int64Array;

    use super::*;
    use crate::{
        expire::{ExpireOptions, expire},
        manifest::is_expired,
    };

    /// Other writers commit, and older versions expire. The numbers of expired versions are not used again.
    #[test]
    fn the_number_of_a_version_is_not_taken_again() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().join("data");
        let batch = RecordBatch::try_from_columns([("id", Int64Array::from_iter([5]).into_data())]).unwrap();
        let commit = |mode| {
            let writer = DatasetWriter::begin(&root, batch.schema().clone(), mode).unwrap();
            let mut part = writer.part(0, "", WriteOptions::new()).unwrap();
            part.write(&batch).unwrap();
            writer.commit([part.finish().unwrap()]).unwrap()
        };
        let first = commit(WriteMode::Create);
        let manifests = manifests_of(&root).unwrap().unwrap();
        let slow = DatasetWriter::begin(&root, batch.schema().clone(), WriteMode::Append).unwrap();
        for n_kept in [2, 1] {
            commit(WriteMode::Replace);
            commit(WriteMode::Replace);
            let options = ExpireOptions { n_versions: n_kept, unfinished_for: Duration::ZERO };
            expire(&root, &options).unwrap();
            let error = slow.publish(first.files().to_vec(), first.version(), None).unwrap_err();
            assert!(matches!(error.kind(), Kind::Conflict { .. }), "{error}");
            // A writer cannot use the number of an existing version, even if it looked for versions before.
            let newest = versions_in(&manifests).unwrap().pop().unwrap();
            let path = |version| manifests.join(name_of(version));
            for version in 1..=newest {
                let linked = fs::hard_link(path(newest), path(version));
                assert_eq!(linked.unwrap_err().kind(), io::ErrorKind::AlreadyExists, "{version}");
            }
            let n_left = (1..=newest).filter(|version| !is_expired(&path(*version))).count();
            assert_eq!(n_left, n_kept);
        }
        // Versions that expired long ago are removed.
        let old = File::options().write(true).open(manifests.join(name_of(2))).unwrap();
        old.set_modified(SystemTime::now() - Duration::from_hours(8 * 24)).unwrap();
        expire(&root, &ExpireOptions::default()).unwrap();
        assert_eq!(versions_in(&manifests).unwrap(), [1, 3, 4, 5]);
        assert_eq!(Manifest::latest(&root).unwrap().unwrap().version(), 5);
        // An empty newest manifest is damage.
        fs::write(manifests.join(name_of(6)), b"").unwrap();
        assert!(Manifest::latest(&root).is_err() && expire(&root, &ExpireOptions::default()).is_err());
    }
}
