//! Data sets that are written: parts by anyone, and one commit that makes them the set.

use std::{
    collections::HashSet,
    fs::{self, File, OpenOptions},
    io,
    path::{Path, PathBuf},
    sync::Arc,
};

use arrow_buffer::Buffer;
use arrow_data::RecordBatch;
use arrow_ipc::{FileReader, FileWriter, WriteOptions};
use arrow_ipc_statistics::StatisticsBuilder;
use arrow_schema::Schema;

use crate::{
    dataset::{partition_schema, settle_partitions},
    error::{DatasetError, DatasetErrorKind as Kind},
    file::DatasetFile,
    listing::{check_outside, files_below, list},
    manifest::{Manifest, encode, manifests_of, name_of, part_path, path_below, versions_in, writer_of},
    partition::values_of,
    store::{LocalFiles, StoreNames},
    threads::in_parallel,
    unfinished::{AttemptName, create_folders, random_id, sync_folder, unfinished},
    version::{FileStamp, FileVersion, PART_KEY, id_text},
};

/// How many threads read the footers of new parts.
const N_THREADS: usize = 8;

/// What a commit makes of the parts that a data set has.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum WriteMode {
    /// There are none: a folder with a manifest or Arrow files is refused.
    Create,
    /// New parts follow them. Arrow files in a folder without a manifest become parts.
    Append,
    /// New parts take their place. Their files stay for readers of older manifests: see [`expire`](crate::expire). Arrow files in a
    /// folder without a manifest stay, too, and are no more of the set.
    Replace,
}

/// A data set that is written in parts, by any number of threads, processes and machines that see the same folder. It is plain data, to be
/// sent to all who write.
///
/// 1. Each task makes a [`PartAttempt`] by [`part`](DatasetWriter::part) with its own number, writes batches, and finishes. Then the part is
///    on the disk, and no reader takes it. If a task runs twice, the attempt that finishes first gives the part, and the other one returns
///    it, too.
/// 2. One process gives all parts to [`commit`](DatasetWriter::commit), which publishes a [`Manifest`]. Until then readers have the set as
///    it was, and after it they have all new parts.
/// 3. Or it gives up: [`abort`](DatasetWriter::abort) removes what was written.
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
/// A part is written in the folder of manifests (`_data.manifests` beside `data`) under a name of its attempt, synced, and then linked to its
/// name in the folder of the data, which is synced too. A manifest is written and synced under such a name, after all parts, and linked to
/// its own: links never replace a file, so of two commits at once one wins and the other fails with
/// [`Conflict`](Kind::Conflict). A process that is killed leaves a set that is as it was, or complete. It needs a file system with hard
/// links on which both folders are.
#[derive(Debug, Clone, PartialEq)]
pub struct DatasetWriter {
    /// The folder of the set.
    pub root: PathBuf,
    /// The schema of each part. Columns that folders name are not in it.
    pub schema: Arc<Schema>,
    /// The random number that the names of its parts have.
    pub id: u64,
    /// What becomes of the parts that the set has.
    pub mode: WriteMode,
    /// The newest version when it began; 0 if there was none.
    pub base: u64,
}

/// A part that is complete, and that a commit makes one of the set. It is plain data.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct WrittenPart {
    /// Its path below the folder of the set, with `/` between names.
    pub path: String,
    /// What its footer has.
    pub id: u64,
    /// The length of the file.
    pub n_bytes: u64,
    /// The number of its rows.
    pub n_rows: u64,
}

impl DatasetWriter {
    /// Makes the folder of the set, if there is none.
    ///
    /// # Errors
    /// If the set is not what the mode needs, or has another schema; if the schema names a column twice; if the folder is in another set, or
    /// a mount point, into which no file beside it can be linked.
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
        let is_mounted = fs::create_dir_all(&root).and_then(|()| is_mount_point(&root));
        if is_mounted.map_err(|error| DatasetError::at(&root, error))? {
            return Err(DatasetError::at(root, Kind::MountPoint));
        }
        check_outside(&root)?;
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

    /// Begins an attempt to write the part of a task, in a folder below that of the set: `day=1/city=Oslo`, or none. Equal numbers of
    /// tasks in equal folders are the same part.
    ///
    /// # Errors
    /// If the folder leads out of that of the set, or nothing can be written.
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

    /// Publishes a manifest with these parts, in this order, after all others if it appends. Attempts of this writer that have not
    /// finished are removed. Parts that a manifest since the writer began names are left out, and nothing is done if all are: a commit can be
    /// tried again.
    ///
    /// # Errors
    /// If a part is not there, is another one, or has another schema; if somebody else committed meanwhile, with
    /// [`Conflict`](Kind::Conflict). Then nothing is published, and the parts stay: a writer that appends can commit them again.
    pub fn commit(&self, parts: impl IntoIterator<Item = WrittenPart>) -> Result<Manifest, DatasetError> {
        let latest = Manifest::latest(&self.root)?;
        let committed = self.named_after(self.base)?;
        let mut seen = HashSet::new();
        let mut parts: Vec<WrittenPart> =
            parts.into_iter().filter(|part| seen.insert(part.clone())).collect();
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
            // Files as readers find them: parts that are not committed are none.
            (WriteMode::Append, None) => {
                (in_parallel(N_THREADS, list(&self.root)?, |path| self.read(path))?, None)
            }
        };
        files.extend(new);
        self.publish(files, found, given.as_deref())
    }

    /// The files that manifests after a version name.
    fn named_after(&self, base: u64) -> Result<HashSet<(PathBuf, FileStamp)>, DatasetError> {
        let mut named = HashSet::new();
        let Some(folder) = manifests_of(&self.root)? else { return Ok(named) };
        for version in versions_in(&folder)?.into_iter().filter(|version| *version > base) {
            // What expires meanwhile names nothing.
            let files = Manifest::numbered(&folder, &self.root, version)?.map(Manifest::into_files);
            named.extend(files.into_iter().flatten().map(|file| (file.path, file.version.stamp)));
        }
        Ok(named)
    }

    /// A file below the root, of the schema of the parts.
    fn read(&self, path: PathBuf) -> Result<DatasetFile, DatasetError> {
        let file = DatasetFile::read_part(&LocalFiles, path)?;
        check_schema(&file.path, &self.schema, &file.schema)?;
        Ok(file)
    }

    /// A part as its footer tells, if it is the one that was written.
    pub(crate) fn checked(&self, part: &WrittenPart) -> Result<DatasetFile, DatasetError> {
        let below = path_below(&part.path)
            .ok_or_else(|| DatasetError::at(&self.root, Kind::PartPath(part.path.clone())))?;
        let file = self.read(self.root.join(below))?;
        let planned = FileVersion { n_bytes: part.n_bytes, stamp: FileStamp::Part(part.id) };
        Kind::unless_same(planned, file.version).map_err(|kind| DatasetError::at(&file.path, kind))?;
        Ok(file)
    }

    /// # Errors
    /// If another commit has the next version.
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
        // What readers would refuse is not published.
        let published = FileReader::try_from_buffer(bytes.clone())
            .map_err(Kind::from)
            .and_then(|reader| Manifest::decode(&reader, &self.root, version, StoreNames::Plain))
            .map_err(|kind| DatasetError::at(&manifest, kind))?;
        // Numbers of expired versions stay taken for days. Who took longer sees what came meanwhile.
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
            Ok(()) => {
                self.forget_unfinished(&attempt.manifests);
                Ok(published)
            }
        }
    }

    /// Removes what was written and no manifest names, as far as possible. Nobody may write or commit parts of this writer meanwhile.
    pub fn abort(&self) {
        let Ok(named) = self.named_after(0) else { return };
        let mut is_left = false;
        for path in files_below(&self.root).unwrap_or_default() {
            if writer_of(&path) == Some(self.id) && !named.iter().any(|(named, _)| *named == path) {
                is_left |= fs::remove_file(&path).is_err();
            }
        }
        if let Ok(Some(manifests)) = manifests_of(&self.root).map(|found| found.filter(|_| !is_left)) {
            self.forget_unfinished(&manifests);
        }
    }

    /// Removes what this writer has beside the manifests, as far as possible.
    fn forget_unfinished(&self, manifests: &Path) {
        let own = unfinished(manifests).ok().and_then(|mut found| found.remove(&self.id));
        let _ = own.map(|own| own.remove());
    }
}

/// An attempt to write a part. Dropped before it is [finished](PartAttempt::finish), it removes what it has written.
#[derive(Debug)]
pub struct PartAttempt {
    set: DatasetWriter,
    writer: FileWriter<File>,
    statistics: StatisticsBuilder,
    attempt: AttemptName,
    /// The path below the root.
    path: String,
    id: u64,
    n_rows: u64,
}

impl PartAttempt {
    /// Writes a batch, which is one batch of the file, with its statistics.
    ///
    /// # Errors
    /// If the batch has another schema, or the file cannot be written.
    pub fn write(&mut self, batch: &RecordBatch) -> Result<(), DatasetError> {
        let mut write = || -> Result<(), Kind> {
            self.writer.schema().schema().check_same_columns(batch.schema()).map_err(Kind::PartSchema)?;
            // A batch that was not written has no statistics.
            self.writer.write(batch)?;
            self.n_rows = self.n_rows.saturating_add(batch.n_rows() as u64);
            Ok(self.statistics.add(batch)?)
        };
        write().map_err(|kind| DatasetError::at(&self.attempt.path, kind))
    }

    /// How many bytes have been written.
    pub fn n_bytes(&self) -> u64 {
        self.writer.position()
    }

    /// Completes the file, syncs it, and gives it its name. If another attempt of the same task was first, that one's part is
    /// returned, and this one is removed.
    ///
    /// # Errors
    /// If the file cannot be written, synced or named; if the other attempt's part has been committed, with
    /// [`Committed`](Kind::Committed): what this one wrote would not be in the set.
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
                // The other attempt may have been killed before it did so.
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

/// Whether a folder is on another file system than the one that it is in.
fn is_mount_point(root: &Path) -> io::Result<bool> {
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt;
        let root = root.canonicalize()?;
        let above = root.parent().map(fs::metadata).transpose()?;
        Ok(above.is_none_or(|above| root.metadata().map_or(true, |own| own.dev() != above.dev())))
    }
    // Elsewhere the first link tells.
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

    /// Others commit, and all that they follow expires.
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
            // Also if all this comes after the last look at what is there: no link can be made.
            let newest = versions_in(&manifests).unwrap().pop().unwrap();
            let path = |version| manifests.join(name_of(version));
            for version in 1..=newest {
                let linked = fs::hard_link(path(newest), path(version));
                assert_eq!(linked.unwrap_err().kind(), io::ErrorKind::AlreadyExists, "{version}");
            }
            let n_left = (1..=newest).filter(|version| !is_expired(&path(*version))).count();
            assert_eq!(n_left, n_kept);
        }
        // Those that expired long ago go.
        let old = File::options().write(true).open(manifests.join(name_of(2))).unwrap();
        old.set_modified(SystemTime::now() - Duration::from_hours(8 * 24)).unwrap();
        expire(&root, &ExpireOptions::default()).unwrap();
        assert_eq!(versions_in(&manifests).unwrap(), [1, 3, 4, 5]);
        assert_eq!(Manifest::latest(&root).unwrap().unwrap().version(), 5);
        // A newest one without bytes is damaged.
        fs::write(manifests.join(name_of(6)), b"").unwrap();
        assert!(Manifest::latest(&root).is_err() && expire(&root, &ExpireOptions::default()).is_err());
    }
}
