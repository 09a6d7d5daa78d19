//! Joins the small files of a data set.

use std::{
    collections::HashMap,
    io,
    path::Path,
    sync::{Arc, atomic},
};

use arrow_data::{ArrayData, RecordBatch};
use arrow_ipc::{DictionaryPolicy, IpcSchema, WriteOptions};
use arrow_schema::Schema;

use crate::{
    dataset::Dataset,
    error::{DatasetError, DatasetErrorKind as Kind},
    file::DatasetFile,
    listing::{check_outside, folders_root},
    manifest::{Manifest, part_path},
    store::LocalFiles,
    task::ReadTask,
    threads::in_parallel,
    unnamed::check_there,
    write::{DatasetWriter, WriteMode},
};

/// The minimal length of a joined batch, in bytes. Shorter batches are joined with the next ones.
const BATCH_BYTES: u64 = 8 << 20;

/// Options for [`compact`].
#[derive(Debug, Clone)]
pub struct CompactOptions {
    /// The approximate length of a joined part in bytes. Parts with more than half of this length stay unchanged.
    pub target_bytes: u64,
    /// The options for writing new parts.
    pub writing: WriteOptions,
    /// The number of parts that are written at the same time, each by one thread.
    pub n_threads: usize,
    /// If another thread sets this to `true`, [`compact`] ends with an error before the next batch, and the data set is
    /// unchanged. This has no effect after the commit has begun.
    pub stop: Option<Arc<atomic::AtomicBool>>,
}

impl Default for CompactOptions {
    /// Makes parts of about 256 MiB, one after the other.
    fn default() -> CompactOptions {
        CompactOptions { target_bytes: 256 << 20, writing: WriteOptions::new(), n_threads: 1, stop: None }
    }
}

impl CompactOptions {
    /// Checks whether to go on.
    ///
    /// # Errors
    /// If [`stop`](CompactOptions::stop) is set.
    pub fn check(&self) -> Result<(), DatasetError> {
        match self.stop.as_ref().is_some_and(|stop| stop.load(atomic::Ordering::Relaxed)) {
            true => Err(Kind::Io(io::ErrorKind::Interrupted.into()).into()),
            false => Ok(()),
        }
    }
}

/// What [`compact`] has done.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Compaction {
    /// The number of files in the data set before the call.
    pub n_before: usize,
    /// The number of files in the data set after the call.
    pub n_after: usize,
    /// The number of the newest version after the call.
    pub version: u64,
    /// Whether this call has written the first manifest. From then on, readers only read files that a manifest lists.
    pub is_first: bool,
    /// The number of batches, schemas and footers whose metadata was lost.
    pub n_lost_metadata: u64,
}

/// Joins consecutive small files of a folder into larger files, and commits the result. The order of rows in each
/// folder does not change. The old files stay in the folder, for readers of older manifests: see
/// [`expire`](crate::expire). In a folder without a manifest, all Arrow files first become parts. If there are
/// partition columns, the first manifest is written even if no files are joined.
///
/// ```
/// # use arrow_array::Int64Array;
/// # use arrow_data::RecordBatch;
/// # use arrow_ipc::{FileWriter, WriteOptions};
/// use arrow_ipc_dataset::{CompactOptions, Dataset, ExpireOptions, compact, expire};
///
/// # let folder = tempfile::tempdir()?;
/// # let root = folder.path().join("data");
/// # std::fs::create_dir(&root)?;
/// # for name in ["a", "b", "c"] {
/// #     let batch = RecordBatch::try_from_columns([("id", Int64Array::from_iter(0..5).into())])?;
/// #     let file = FileWriter::to_buffer(batch.schema(), &[batch.clone()], WriteOptions::default())?;
/// #     std::fs::write(root.join(format!("{name}.arrow")), &file[..])?;
/// # }
/// // Three small files.
/// let compaction = compact(&root, &CompactOptions::default())?;
/// assert_eq!((compaction.n_before, compaction.n_after), (3, 1));
/// assert_eq!(expire(&root, &ExpireOptions::default())?.n_files, 3);
/// assert_eq!(Dataset::open([&root])?.count()?, 15);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// If a part cannot be read or written. If the folder is inside another data set. If files without a manifest have
/// different columns. If another process committed first: [`Conflict`](Kind::Conflict). After an error, the rows of the
/// data set are unchanged, but there may be a first manifest.
pub fn compact(root: &Path, options: &CompactOptions) -> Result<Compaction, DatasetError> {
    check_outside(root)?;
    let latest = Manifest::latest(root)?;
    let set = if latest.is_none() { Some(Dataset::open([root])?) } else { None };
    let found = latest.as_ref().map(Manifest::files).or(set.as_ref().map(Dataset::files)).unwrap_or_default();
    check_there(found)?;
    let (n_before, base) = (found.len(), latest.as_ref().map_or(0, Manifest::version));
    // Without joined files, the first manifest is only written if there are partition columns, because only a
    // manifest shows which folder is the root of such a data set. In other folders, a manifest would hide files that
    // are added later without a commit.
    let is_known = || Ok(latest.is_some() || folders_root(root, found)?.is_none());
    if small_runs(found, options.target_bytes).is_empty()
        && is_known().map_err(|error: io::Error| DatasetError::at(root, error))?
    {
        let (n_after, version) = (n_before, base);
        return Ok(Compaction { n_before, n_after, version, is_first: false, n_lost_metadata: 0 });
    }
    let of_first = || found.first().map(|file| Schema::clone(file.schema())).unwrap_or_default();
    let schema = latest.as_ref().map_or_else(of_first, Manifest::file_schema);
    let writer = DatasetWriter::begin(root, schema, WriteMode::Replace)?;
    if writer.base != base {
        return Err(DatasetError::at(root, Kind::Conflict { base, found: writer.base }));
    }
    let found = if latest.is_some() { found.to_vec() } else { writer.found()? };
    let groups = small_runs(&found, options.target_bytes);
    let mut n_lost_metadata = 0u64;
    let is_unchanged = || match latest {
        Some(_) => Ok(()),
        None => check_unchanged(groups.iter().flatten().filter_map(|idx| found.get(*idx))),
    };
    let join = |(task, group): (u64, &Vec<usize>)| {
        let files = group.iter().filter_map(|idx| found.get(*idx)).collect::<Vec<_>>();
        joined(&writer, task, &files, options)
    };
    let written = in_parallel(options.n_threads, (0..).zip(&groups).collect(), join).and_then(|joined| {
        options.check()?;
        is_unchanged()?;
        // The first version lists the old files, so that they are removed when this version expires.
        let first = latest.is_none().then(|| writer.publish(found.clone(), 0, None)).transpose()?;
        // A file that is replaced after this check is newer than the first manifest. It is not removed when this
        // version expires.
        if let Some(first) = first.as_ref().filter(|_| groups.is_empty()) {
            return Ok(first.clone());
        }
        is_unchanged()?;
        let schema = latest.as_ref().or(first.as_ref()).map(|before| &**before.schema());
        let mut files: Vec<_> = found.iter().cloned().map(Some).collect();
        for (group, (file, n_metadata)) in groups.iter().zip(joined) {
            n_lost_metadata = n_metadata.saturating_add(n_lost_metadata);
            // The new file takes the place of the first file in its group.
            let mut file = Some(file);
            for idx in group {
                files.get_mut(*idx).into_iter().for_each(|place| *place = file.take());
            }
        }
        writer.publish(files.into_iter().flatten().collect(), base.max(u64::from(first.is_some())), schema)
    });
    let manifest = written.inspect_err(|_| writer.abort())?;
    writer.forget_unfinished();
    let (n_after, version) = (manifest.files().len(), manifest.version());
    Ok(Compaction { n_before, n_after, version, is_first: base == 0, n_lost_metadata })
}

/// Checks that the files have not been replaced.
///
/// # Errors
/// If a file was replaced after it was read.
fn check_unchanged<'a>(mut files: impl Iterator<Item = &'a DatasetFile>) -> Result<(), DatasetError> {
    files.try_for_each(|file| file.read_again(&LocalFiles).map(drop))
}

/// The groups of files to join. A group has consecutive files of one folder. Each file has at most half of the target
/// length, and a group has at most the target length.
fn small_runs(files: &[DatasetFile], target_bytes: u64) -> Vec<Vec<usize>> {
    let mut open: HashMap<Option<&Path>, (u64, Vec<usize>)> = HashMap::new();
    let mut runs = Vec::new();
    for (idx, file) in files.iter().enumerate() {
        let (n_bytes, run) = open.entry(file.path().parent()).or_default();
        let is_small = file.version().n_bytes <= target_bytes / 2;
        if !is_small || n_bytes.saturating_add(file.version().n_bytes) > target_bytes {
            *n_bytes = 0;
            runs.push(std::mem::take(run));
        }
        if is_small {
            *n_bytes = n_bytes.saturating_add(file.version().n_bytes);
            run.push(idx);
        }
    }
    runs.extend(open.into_values().map(|(_, run)| run));
    runs.retain(|run| run.len() > 1);
    // The order of the groups came from a hash map, so they are sorted.
    runs.sort_unstable();
    runs
}

/// Writes the rows of several files to one part, in the folder of the first file. Also returns the number of batches
/// and files whose metadata is not in the new part.
fn joined(
    writer: &DatasetWriter,
    task: u64,
    files: &[&DatasetFile],
    options: &CompactOptions,
) -> Result<(DatasetFile, u64), DatasetError> {
    let mut of_files = Vec::new();
    for file in files {
        (0..file.n_batches()).for_each(|batch_idx| file.add(batch_idx, &mut of_files));
        // Parts do not contain partition columns.
        of_files.iter_mut().for_each(|file| file.partition = Arc::default());
    }
    let schema = Arc::clone(&writer.schema);
    let rows = ReadTask { files: of_files, columns: None, predicate: None, schema: Some(schema) };
    let mut writing = options.writing.clone();
    if !IpcSchema::from(&writer.schema).dictionary_ids().is_empty() {
        let unified = unified(&rows, &writer.schema, &writing)?;
        writing = writing.with_dictionaries(unified);
    }
    let place = files.first().map(|file| part_path(&writer.root, file.path())).transpose();
    let place = place.map_err(|kind| DatasetError::at(&writer.root, kind))?.unwrap_or_default();
    let folder = place.rsplit_once('/').map_or("", |(folder, _)| folder);
    let mut part = writer.part(task, folder, writing)?;
    let (mut batches, mut n_bytes) = (Vec::new(), 0u64);
    let mut read = rows.read()?;
    let mut rows = read.by_ref().peekable();
    while let Some(batch) = rows.next().transpose()? {
        options.check()?;
        n_bytes = batch.columns().iter().map(ArrayData::n_bytes).fold(n_bytes, u64::saturating_add);
        batches.push(batch);
        if n_bytes >= BATCH_BYTES || rows.peek().is_none() {
            match &*std::mem::take(&mut batches) {
                [only] => part.write(only)?,
                all => part.write(&RecordBatch::concat(Arc::clone(&writer.schema), all)?)?,
            }
            n_bytes = 0;
        }
    }
    Ok((writer.checked(&part.finish()?)?, read.n_metadata))
}

/// A policy with dictionaries that have the values of all rows, except those that these options leave out.
fn unified(
    rows: &ReadTask,
    schema: &Arc<Schema>,
    writing: &WriteOptions,
) -> Result<DictionaryPolicy, DatasetError> {
    let mut unifier = writing.dictionary_unifier(schema).map_err(Kind::from)?;
    for batch in rows.read()? {
        unifier.look_at(&batch?).map_err(Kind::from)?;
    }
    Ok(DictionaryPolicy::Unify(unifier.finish().map_err(Kind::from)?))
}

#[cfg(test)]
mod tests {
    use std::fs;

    use arrow_array::Int64Array;
    use arrow_ipc::FileWriter;

    use super::*;

    #[test]
    fn files_that_are_replaced_while_parts_are_joined_are_found() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.arrow");
        let write = |id: i64| {
            let batch =
                RecordBatch::try_from_columns([("id", Int64Array::from_iter([id]).into_data())]).unwrap();
            let file = FileWriter::to_vec(batch.schema().clone(), &[batch], WriteOptions::new()).unwrap();
            fs::write(&path, file).unwrap();
        };
        write(1);
        let file = DatasetFile::read_part(&LocalFiles, path.clone()).unwrap();
        check_unchanged([&file].into_iter()).unwrap();
        write(2);
        let written = fs::metadata(&path).unwrap().modified().unwrap();
        let written = written + std::time::Duration::from_secs(1);
        fs::File::options().write(true).open(&path).unwrap().set_modified(written).unwrap();
        let error = check_unchanged([&file].into_iter()).unwrap_err();
        assert!(matches!(error.kind(), Kind::Changed { .. }), "{error}");
    }
}
