//! Joins small files of a data set.

use std::{collections::HashMap, path::Path, sync::Arc};

use arrow_data::{ArrayData, RecordBatch};
use arrow_ipc::{DictionaryPolicy, IpcSchema, WriteOptions, dictionary::DictionaryUnifier};
use arrow_schema::Schema;

use crate::{
    dataset::Dataset,
    error::{DatasetError, DatasetErrorKind as Kind},
    file::DatasetFile,
    listing::check_outside,
    manifest::{Manifest, part_path},
    task::ReadTask,
    threads::in_parallel,
    write::{DatasetWriter, WriteMode},
};

/// Batches are joined until they have this many bytes, or a little more.
const BATCH_BYTES: u64 = 8 << 20;

/// Options for joining parts.
#[derive(Debug, Clone)]
pub struct CompactOptions {
    /// About how many bytes a joined part has. Parts of more than half of this do not change.
    pub target_bytes: u64,
    /// How new parts are written.
    pub writing: WriteOptions,
    /// How many parts are written at the same time.
    pub n_threads: usize,
}

impl Default for CompactOptions {
    /// 256 MiB, one part after the other.
    fn default() -> CompactOptions {
        CompactOptions { target_bytes: 256 << 20, writing: WriteOptions::new(), n_threads: 1 }
    }
}

/// The result of joining parts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Compaction {
    /// How many parts there were.
    pub n_before: usize,
    /// How many parts there are now.
    pub n_after: usize,
    /// The version of the data set.
    pub version: u64,
    /// How many batches and footers had metadata that the joined parts do not have.
    pub n_lost_metadata: u64,
}

/// Joins small consecutive parts of a folder into one, and commits the result. The rows of each folder keep their order. The
/// files of the old parts stay, for readers of older manifests: see [`expire`](crate::expire). Files in a folder without a
/// manifest become parts first.
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
/// If a part cannot be read or written, if the folder is in another data set, if files without a manifest have different columns, or if another commit came first, with
/// [`Conflict`](Kind::Conflict). After an error, the set has not changed.
pub fn compact(root: &Path, options: &CompactOptions) -> Result<Compaction, DatasetError> {
    check_outside(root)?;
    let unchanged = |n, version| Compaction { n_before: n, n_after: n, version, n_lost_metadata: 0 };
    let latest = match Manifest::latest(root)? {
        Some(latest) => latest,
        None => {
            let set = Dataset::open([root])?;
            // A first manifest hides later files that it does not name.
            if small_runs(set.files(), options.target_bytes).is_empty() {
                return Ok(unchanged(set.files().len(), 0));
            }
            // It names all files that are there.
            let schema = set.files().first().map(|file| Arc::clone(file.schema())).unwrap_or_default();
            DatasetWriter::begin(root, schema, WriteMode::Append)?.commit([])?
        }
    };
    let n_before = latest.files().len();
    let groups = small_runs(latest.files(), options.target_bytes);
    if groups.is_empty() {
        return Ok(unchanged(n_before, latest.version()));
    }
    let writer = DatasetWriter::begin(root, latest.file_schema(), WriteMode::Replace)?;
    if writer.base != latest.version() {
        let kind = Kind::Conflict { base: latest.version(), found: writer.base };
        return Err(DatasetError::at(root, kind));
    }
    let mut n_lost_metadata = 0u64;
    let join = |(task, group): (u64, &Vec<usize>)| {
        let files = group.iter().filter_map(|idx| latest.files().get(*idx)).collect::<Vec<_>>();
        joined(&writer, task, &files, options)
    };
    let written = in_parallel(options.n_threads, (0..).zip(&groups).collect(), join).and_then(|joined| {
        let mut files: Vec<_> = latest.files().iter().cloned().map(Some).collect();
        for (group, (file, n_metadata)) in groups.iter().zip(joined) {
            n_lost_metadata = n_metadata.saturating_add(n_lost_metadata);
            // It takes the place of the first one of the group.
            let mut file = Some(file);
            for idx in group {
                files.get_mut(*idx).into_iter().for_each(|place| *place = file.take());
            }
        }
        writer.publish(files.into_iter().flatten().collect(), latest.version(), Some(latest.schema()))
    });
    let manifest = written.inspect_err(|_| writer.abort())?;
    Ok(Compaction { n_before, n_after: manifest.files().len(), version: manifest.version(), n_lost_metadata })
}

/// The groups of files that become one file: consecutive files of a folder with up to half of the target length each, as many
/// as together do not exceed the target length.
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
    // The order of a hash map is random, so the groups are sorted.
    runs.sort_unstable();
    runs
}

/// Writes one part with the rows of several, in the folder of the first. Counts the batches and footers whose metadata it does not have.
fn joined(
    writer: &DatasetWriter,
    task: u64,
    files: &[&DatasetFile],
    options: &CompactOptions,
) -> Result<(DatasetFile, u64), DatasetError> {
    let mut of_files = Vec::new();
    for file in files {
        (0..file.n_batches()).for_each(|batch_idx| file.add(batch_idx, &mut of_files));
        // A part does not have the columns that folders name.
        of_files.iter_mut().for_each(|file| file.partition = Arc::default());
    }
    let schema = Arc::clone(&writer.schema);
    let rows = ReadTask { files: of_files, columns: None, predicate: None, schema: Some(schema) };
    let mut writing = options.writing.clone();
    if !IpcSchema::from(&writer.schema).dictionary_ids().is_empty() {
        writing = writing.with_dictionaries(unified(&rows, &writer.schema)?);
    }
    let place = files.first().map(|file| part_path(&writer.root, file.path())).transpose();
    let place = place.map_err(|kind| DatasetError::at(&writer.root, kind))?.unwrap_or_default();
    let folder = place.rsplit_once('/').map_or("", |(folder, _)| folder);
    let mut part = writer.part(task, folder, writing)?;
    let (mut batches, mut n_bytes) = (Vec::new(), 0u64);
    let mut read = rows.read()?;
    let mut rows = read.by_ref().peekable();
    while let Some(batch) = rows.next().transpose()? {
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

/// The unified dictionaries of the rows.
fn unified(rows: &ReadTask, schema: &Arc<Schema>) -> Result<DictionaryPolicy, DatasetError> {
    let mut unifier = DictionaryUnifier::try_new(schema).map_err(Kind::from)?;
    for batch in rows.read()? {
        unifier.look_at(&batch?).map_err(Kind::from)?;
    }
    Ok(DictionaryPolicy::Unify(unifier.finish().map_err(Kind::from)?))
}
