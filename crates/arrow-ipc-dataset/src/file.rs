//! A file of a data set, with what is known before its batches are read.

use std::{
    collections::HashSet,
    path::{Path, PathBuf},
    sync::{Arc, OnceLock},
};

use arrow_array::Scalar;
use arrow_compute::{ColumnBounds, Digits, cast, wider_type};
use arrow_ipc::{
    Container,
    file::{Block, UnreferencedBytes},
};
use arrow_ipc_statistics::FileStatistics;
use arrow_schema::{DataType, Field, FieldPath, LookupError, Schema};

use crate::{
    error::{DatasetError, DatasetErrorKind as Kind},
    padding::check_end,
    partition::{PartitionValue, constant_bounds, values_of},
    row_selection::with_first_position,
    store::{OpenFile, OpenFiles},
    task::TaskFile,
    version::FileVersion,
};

/// The size of a batch, as far as it is known.
#[derive(Debug, Clone, Copy)]
pub(crate) struct BatchExtent {
    /// `None` if the footer does not state the number of rows, and the metadata of the batch was not read.
    pub(crate) n_rows: Option<u64>,
    pub(crate) n_bytes: u64,
}

/// A file of a data set: its path, and the values of its partition columns. The file is opened when its
/// [`contents`](DatasetFile::contents) are first needed, and not at all if these values show that none of its rows match.
#[derive(Debug, Clone)]
pub struct DatasetFile {
    pub(crate) path: PathBuf,
    /// The values in the names of its folders, with the type utf8.
    pub(crate) folders: Arc<[PartitionValue]>,
    /// Those of `folders` that are columns, with their types, and nulls for such columns of other files. `None` while this is not
    /// decided.
    pub(crate) partition: Option<Arc<[PartitionValue]>>,
    opening: FileOpening,
    contents: OnceLock<FileContents>,
}

/// How files of a data set are opened.
#[derive(Debug, Clone)]
pub(crate) struct FileOpening {
    pub(crate) files: OpenFiles,
    pub(crate) trusts_statistics: bool,
    pub(crate) ignores_folders: bool,
}

/// What the footer of a file says, or the messages of a stream.
#[derive(Debug, Clone)]
pub struct FileContents {
    version: FileVersion,
    schema: Arc<Schema>,
    n_bytes_of_each: Vec<u64>,
    n_rows_of_each: OnceLock<Arc<[u64]>>,
    unreferenced: Option<UnreferencedBytes>,
    has_text_not_utf8: bool,
    /// The bounds of each batch, from the footer, if they are trusted.
    statistics: Option<Arc<FileStatistics>>,
}

impl FileContents {
    /// The version of the file when it was opened.
    pub fn version(&self) -> FileVersion {
        self.version
    }

    /// The schema in the footer of the file or at the start of the stream, without partition columns.
    pub fn schema(&self) -> &Arc<Schema> {
        &self.schema
    }

    /// The number of batches, from the footer or the messages of a stream.
    pub fn n_batches(&self) -> usize {
        self.n_bytes_of_each.len()
    }

    /// The bytes before the footer that none of its blocks has. See
    /// [`FileReader::unreferenced_bytes`](arrow_ipc::FileReader::unreferenced_bytes).
    pub fn unreferenced_bytes(&self) -> Option<&UnreferencedBytes> {
        self.unreferenced.as_ref()
    }

    /// Whether a name, a time zone or custom metadata of the schema or the footer is not UTF-8. It was
    /// [escaped](arrow_schema::decode_text).
    pub fn has_text_not_utf8(&self) -> bool {
        self.has_text_not_utf8
    }

    pub(crate) fn has_statistics(&self) -> bool {
        self.statistics.is_some()
    }

    /// The extents of all batches.
    pub(crate) fn extents(&self) -> impl Iterator<Item = BatchExtent> {
        self.n_bytes_of_each.iter().enumerate().map(|(batch_idx, n_bytes)| {
            let stated = || Some(*self.n_rows_of_each.get()?.get(batch_idx)?);
            let from_statistics = || self.statistics.as_ref()?.n_rows(batch_idx);
            BatchExtent { n_rows: stated().or_else(from_statistics), n_bytes: *n_bytes }
        })
    }

    /// Reads the footer of a file, or the metadata of all messages of a stream, which must be complete.
    fn read(path: &Path, opening: &FileOpening) -> Result<FileContents, Kind> {
        let OpenFile { version, reader } = opening.files.open(path, None, None)?;
        check_end(&reader)?;
        let footer = reader.footer();
        let is_file = reader.container() == Container::File;
        let stated = if is_file {
            (0..reader.n_batches()).map(|batch_idx| footer.n_rows_of(batch_idx)).collect()
        } else {
            // Opening has read all metadata.
            Some(reader.n_rows_of_each(0..reader.n_batches())?)
        };
        let trusted = opening.trusts_statistics && is_file;
        Ok(FileContents {
            version,
            schema: Arc::clone(reader.schema()),
            n_bytes_of_each: footer.batches().iter().map(Block::n_bytes).collect(),
            n_rows_of_each: stated
                .map(|stated: Vec<u64>| Arc::from(stated))
                .map_or_else(OnceLock::new, OnceLock::from),
            unreferenced: reader.unreferenced_bytes()?,
            has_text_not_utf8: reader.stats().has_text_not_utf8,
            statistics: trusted.then(|| FileStatistics::from_footer(footer)).flatten().map(Arc::new),
        })
    }
}

impl DatasetFile {
    /// A file that is not open yet.
    pub(crate) fn new(path: PathBuf, opening: FileOpening) -> Result<DatasetFile, DatasetError> {
        let folders: Arc<[PartitionValue]> = if opening.ignores_folders {
            Arc::default()
        } else {
            let values = values_of(&path, opening.files.store().names(&path));
            values.map_err(|kind| DatasetError::at(&path, kind))?.into()
        };
        Ok(DatasetFile { path, folders, partition: None, opening, contents: OnceLock::new() })
    }

    /// The path of the file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The values of partition columns, from the names of the folders of the file.
    pub fn partition(&self) -> &[PartitionValue] {
        self.partition.as_deref().unwrap_or_default()
    }

    /// What the footer of the file says, or the messages of a stream. Opens the file if it is not open.
    ///
    /// # Errors
    /// If the file cannot be read.
    pub fn contents(&self) -> Result<&FileContents, DatasetError> {
        if let Some(contents) = self.contents.get() {
            return Ok(contents);
        }
        let read = || -> Result<FileContents, Kind> {
            let contents = FileContents::read(&self.path, &self.opening)?;
            self.check_partition(contents.schema()).map(|()| contents)
        };
        let contents = read().map_err(|kind| self.error(kind))?;
        Ok(self.contents.get_or_init(|| contents))
    }

    /// Checks that a file that is opened after the partition columns were decided agrees: it lacks these columns, and has the other
    /// columns in names of folders.
    fn check_partition(&self, schema: &Schema) -> Result<(), Kind> {
        let Some(partition) = &self.partition else { return Ok(()) };
        let has = |name: &str| schema.fields().iter().any(|field| field.name() == name);
        let is_column = |name: &str| partition.iter().any(|column| *column.name == *name);
        let in_file = partition.iter().find(|column| has(&column.name));
        let in_other_files =
            || self.folders.iter().find(|folder| !is_column(&folder.name) && !has(&folder.name));
        match in_file.or_else(in_other_files) {
            Some(column) => Err(Kind::PartitionInFiles(column.name.to_string())),
            None => Ok(()),
        }
    }

    /// The contents, if the file was opened.
    pub fn known_contents(&self) -> Option<&FileContents> {
        self.contents.get()
    }

    pub(crate) fn known_schema(&self) -> Option<&Arc<Schema>> {
        self.known_contents().map(FileContents::schema)
    }

    /// Replaces the schema by an equal one, to save memory.
    pub(crate) fn share_schema(&mut self, known: &mut HashSet<Arc<Schema>>) {
        let Some(contents) = self.contents.get_mut() else { return };
        match known.get(&contents.schema) {
            Some(schema) => contents.schema = Arc::clone(schema),
            None => drop(known.insert(Arc::clone(&contents.schema))),
        }
    }

    /// The number of rows in all batches. Like [`n_rows_of_each`](DatasetFile::n_rows_of_each).
    ///
    /// # Errors
    /// The errors of [`n_rows_of_each`](DatasetFile::n_rows_of_each).
    pub fn n_rows(&self) -> Result<u64, DatasetError> {
        Ok(self.n_rows_of_each()?.iter().copied().fold(0, u64::saturating_add))
    }

    /// The number of rows of each batch, from the footer or the messages of a stream. If the footer of a file does not state them, reads
    /// the metadata of the batches, once.
    ///
    /// # Errors
    /// If the file cannot be read, or has changed since it was opened.
    pub fn n_rows_of_each(&self) -> Result<&[u64], DatasetError> {
        let contents = self.contents()?;
        if let Some(n_rows) = contents.n_rows_of_each.get() {
            return Ok(n_rows);
        }
        let read = || -> Result<Vec<u64>, Kind> {
            let OpenFile { reader, .. } =
                self.opening.files.open(&self.path, Some(contents.version), None)?;
            Ok(reader.n_rows_of_each(0..contents.n_batches())?)
        };
        let n_rows = read().map_err(|kind| self.error(kind))?;
        Ok(contents.n_rows_of_each.get_or_init(|| n_rows.into()))
    }

    pub(crate) fn error(&self, kind: Kind) -> DatasetError {
        DatasetError::at(&self.path, kind)
    }

    /// Whether a task reads batches of this file there.
    pub(crate) fn reads(&self, file: &TaskFile) -> bool {
        file.has_path(&self.path)
    }

    /// Adds a batch of the opened file to the files of a task. `files` must end with the batches before this one.
    pub(crate) fn add(&self, batch_idx: usize, batch: BatchExtent, files: &mut Vec<TaskFile>) {
        let Some(contents) = self.known_contents() else { return };
        let BatchExtent { n_rows, n_bytes } = batch;
        match files.last_mut() {
            Some(last) if self.reads(last) && last.batches.end == batch_idx => {
                last.batches.end = batch_idx + 1;
                last.n_rows = last.n_rows.zip(n_rows).map(|(before, n_rows)| before.saturating_add(n_rows));
                last.n_bytes = last.n_bytes.saturating_add(n_bytes);
            }
            Some(_) | None => files.push(TaskFile {
                path: self.path.clone(),
                version: contents.version,
                batches: batch_idx..batch_idx + 1,
                partition: self.partition.clone().unwrap_or_default(),
                n_rows,
                n_bytes,
            }),
        }
    }

    /// The bounds of a partition column. `None` if the column is no partition column. Nothing is known of a file outside of such folders
    /// before it is opened: it may have the column itself, which is an error then.
    pub(crate) fn partition_bounds(&self, column: &str) -> Option<ColumnBounds> {
        let is_decided = self.known_contents().is_some() || has_value(&self.folders, column);
        if !is_decided {
            return None;
        }
        self.partition().iter().find(|value| *value.name == *column).map(PartitionValue::bounds)
    }

    pub(crate) fn store(&self) -> &OpenFiles {
        &self.opening.files
    }

    /// The bounds of a field in a batch, as far as they are known without reading the batch or opening the file. `path` begins with the
    /// position of the column in the data set.
    pub(crate) fn bounds(&self, batch_idx: usize, column: &Field, path: &FieldPath) -> ColumnBounds {
        if let Some(bounds) = self.partition_bounds(column.name()) {
            return bounds;
        }
        let Some(FileContents { schema, statistics, .. }) = self.known_contents() else {
            return ColumnBounds::default();
        };
        let position = match schema.index_of(column.name()) {
            Err(LookupError::Missing { .. }) => return constant_bounds(None),
            Err(_) => return ColumnBounds::default(),
            Ok(position) => position,
        };
        let (Some(known), Some(own)) = (statistics, schema.field(position)) else {
            return ColumnBounds::default();
        };
        let (own, to) = (own.data_type(), column.data_type());
        let bounds = || known.bounds(batch_idx, &with_first_position(position, path));
        if own.same_values(to) {
            return bounds();
        }
        // A wider type has each value, and the values have the same order. Any other cast may be an error, or have another order.
        let is_wider = wider_type(to, own).is_some_and(|wider| wider.same_values(to));
        if is_wider && path.steps().len() == 1 { cast_bounds(bounds(), to) } else { ColumnBounds::default() }
    }
}

/// Whether one of the folders has a value for the column.
pub(crate) fn has_value(folders: &[PartitionValue], column: &str) -> bool {
    folders.iter().any(|value| *value.name == *column)
}

/// The bounds of values that are cast to a wider type.
fn cast_bounds(bounds: ColumnBounds, to: &DataType) -> ColumnBounds {
    let ColumnBounds { n_rows, null_count, min, max, is_min_exact, is_max_exact } = bounds;
    let wide = |bound: Scalar| {
        let array = bound.to_array(1).ok()?.into_data();
        let array = cast(&array, &to.to_decoded(), Digits::Keep).ok()?;
        Scalar::try_from_slot(&array, 0).ok()
    };
    let (min, max) = (min.and_then(wide), max.and_then(wide));
    ColumnBounds {
        n_rows,
        null_count,
        is_min_exact: is_min_exact && min.is_some(),
        is_max_exact: is_max_exact && max.is_some(),
        min,
        max,
    }
}
