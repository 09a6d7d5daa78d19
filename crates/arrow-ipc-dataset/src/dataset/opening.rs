//! Opens the files of a data set: which of them, on which threads, and what columns they have together.

use std::{
    collections::{BTreeMap, HashSet},
    path::PathBuf,
    sync::Arc,
    time::Duration,
};

use arrow_compute::{ColumnBounds, Matches};
use arrow_schema::{DataType, Field, FieldPath, MergeError, Schema};
use arrow_threads::in_parallel;

use super::options::DatasetOptions;
use crate::{
    columns::FileColumns,
    common_schema::{common_schema, with_types},
    error::{DatasetError, DatasetErrorKind as Kind},
    file::{DatasetFile, FileContents, has_value},
    partition::{PartitionValue, type_of},
    row_selection::first_position,
    store::OpenFiles,
    task::with_partition,
};

/// How long one thread reads footers of local files before others are started. Takes less time than a thread saves if files are on a
/// slow disk, and is enough for some tens of files in memory.
const ALONE: Duration = Duration::from_millis(1);

/// A column of which files have types without a common one.
#[derive(Debug)]
pub(super) struct ColumnConflict {
    pub(super) position: usize,
    /// The file at fault.
    path: PathBuf,
    error: MergeError,
}

impl ColumnConflict {
    pub(super) fn error(&self) -> DatasetError {
        DatasetError::at(&self.path, Kind::Merge(self.error.clone()))
    }
}

/// How long one thread works alone before others are started.
pub(super) fn time_of_one_thread(store: &OpenFiles) -> Duration {
    if store.is_far() { Duration::ZERO } else { ALONE }
}

/// Opens files, with several threads.
pub(super) fn contents_of<'a>(
    files: impl Iterator<Item = &'a DatasetFile>,
    n_threads: usize,
) -> Result<Vec<&'a FileContents>, DatasetError> {
    let files: Vec<&DatasetFile> = files.collect();
    let unknown: Vec<&DatasetFile> =
        files.iter().filter(|file| file.known_contents().is_none()).copied().collect();
    if let Some(first) = unknown.first() {
        in_parallel(n_threads, time_of_one_thread(first.store()), unknown, |file| file.contents().map(drop))?;
    }
    files.into_iter().map(DatasetFile::contents).collect()
}

/// Opens the files whose schemas determine the columns. Without a schema, these are all files of which rows can match the condition
/// according to names of folders, but at least one. With a schema, it is one file if there are names of folders: they are no columns if the
/// files have these columns.
pub(super) fn open_first(
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
            // A file outside of such folders may have the column itself.
            let typed = value.filter(|value| has_value(&file.folders, &value.name));
            let typed = typed.map(|value| value.with_text_of(&file.folders));
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
pub(super) fn check_files(
    files: &[DatasetFile],
    read: &Arc<Schema>,
    checks_folders: bool,
) -> Result<(), DatasetError> {
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
pub(super) fn set_partitions(
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
pub(super) fn schema_of(
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
