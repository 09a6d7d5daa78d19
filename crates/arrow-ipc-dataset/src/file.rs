//! A file of a data set, with what is known before its batches are read.

use std::{
    path::{Path, PathBuf},
    sync::Arc,
};

use arrow_array::Scalar;
use arrow_compute::{ColumnBounds, Digits, cast, wider_type};
use arrow_ipc::{
    Container, FileReader,
    file::{Block, UnreferencedBytes},
};
use arrow_ipc_statistics::FileStatistics;
use arrow_schema::{DataType, Field, FieldPath, LookupError, Schema};

use crate::{
    error::{DatasetError, DatasetErrorKind as Kind},
    padding::check_end,
    partition::{PartitionValue, values_of},
    row_selection::with_first_position,
    store::FileStore,
    task::TaskFile,
    version::FileVersion,
};

/// The size of a batch, as its metadata states it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct BatchExtent {
    pub(crate) n_rows: u64,
    pub(crate) n_bytes: u64,
}

/// A file of a data set: its path, version, schema, and the rows and bytes of its batches.
#[derive(Debug, Clone)]
pub struct DatasetFile {
    pub(crate) path: PathBuf,
    pub(crate) version: FileVersion,
    pub(crate) schema: Arc<Schema>,
    pub(crate) partition: Arc<[PartitionValue]>,
    pub(crate) batches: Vec<BatchExtent>,
    pub(crate) unreferenced: Option<UnreferencedBytes>,
    pub(crate) has_text_not_utf8: bool,
    /// The number of batches in all files before this one.
    pub(crate) n_batches_before: usize,
    /// The bounds of each batch, from the footer, if they are trusted.
    pub(crate) statistics: Option<Arc<FileStatistics>>,
}

impl DatasetFile {
    /// The path of the file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The version of the file when the data set was opened.
    pub fn version(&self) -> FileVersion {
        self.version
    }

    /// The schema in the footer of the file or at the start of the stream, without partition columns.
    pub fn schema(&self) -> &Arc<Schema> {
        &self.schema
    }

    /// The values of partition columns, from the names of the folders of the file.
    pub fn partition(&self) -> &[PartitionValue] {
        &self.partition
    }

    /// The number of batches, from the footer or the messages of a stream.
    pub fn n_batches(&self) -> usize {
        self.batches.len()
    }

    /// The bytes before the footer that none of its blocks has. See [`FileReader::unreferenced_bytes`].
    pub fn unreferenced_bytes(&self) -> Option<&UnreferencedBytes> {
        self.unreferenced.as_ref()
    }

    /// Whether a name, a time zone or custom metadata of the schema or the footer is not UTF-8. It was
    /// [escaped](arrow_schema::decode_text).
    pub fn has_text_not_utf8(&self) -> bool {
        self.has_text_not_utf8
    }

    /// The number of rows in all batches, from the footer or the messages of a stream.
    pub fn n_rows(&self) -> u64 {
        self.n_rows_of_each().fold(0, u64::saturating_add)
    }

    /// The number of rows of each batch, from the footer or the messages of a stream.
    pub fn n_rows_of_each(&self) -> impl ExactSizeIterator<Item = u64> {
        self.batches.iter().map(|batch| batch.n_rows)
    }

    /// Reads the footer of a file, or the metadata of all messages of a stream, which must be complete. Partition columns have
    /// the type utf8 at first.
    pub(crate) fn read(
        store: &dyn FileStore,
        path: PathBuf,
        trusts_statistics: bool,
        ignores_folders: bool,
    ) -> Result<DatasetFile, DatasetError> {
        let read = || -> Result<_, Kind> {
            let source = store.open(&path)?;
            let version = source.version()?;
            // Only the end is read, and the metadata of messages.
            source.expect_random_access();
            let partition =
                if ignores_folders { Arc::default() } else { values_of(&path, store.names(&path))?.into() };
            let options = source.options();
            let reader = FileReader::try_new_with(source, options)?;
            check_end(&reader)?;
            let n_rows = reader.n_rows_of_each(0..reader.n_batches())?;
            let unreferenced = reader.unreferenced_bytes()?;
            let n_bytes = reader.footer().batches().iter().map(Block::n_bytes);
            let batches = n_rows.into_iter().zip(n_bytes);
            let batches = batches.map(|(n_rows, n_bytes)| BatchExtent { n_rows, n_bytes }).collect();
            let statistics = if trusts_statistics && reader.container() == Container::File {
                FileStatistics::from_footer(reader.footer())
            } else {
                None
            };
            Ok(DatasetFile {
                path: path.clone(),
                version,
                schema: Arc::clone(reader.schema()),
                partition,
                batches,
                unreferenced,
                has_text_not_utf8: reader.stats().has_text_not_utf8,
                n_batches_before: 0,
                statistics: statistics.map(Arc::new),
            })
        };
        read().map_err(|kind| DatasetError::at(&path, kind))
    }

    /// Whether a task reads batches of this file there.
    pub(crate) fn reads(&self, file: &TaskFile) -> bool {
        file.has_path(&self.path)
    }

    /// Adds a batch to the files of a task. `files` must end with the batches before this one.
    pub(crate) fn add(&self, batch_idx: usize, files: &mut Vec<TaskFile>) {
        let Some(BatchExtent { n_rows, n_bytes }) = self.batches.get(batch_idx) else { return };
        match files.last_mut() {
            Some(last) if self.reads(last) && last.batches.end == batch_idx => {
                last.batches.end = batch_idx + 1;
                last.n_rows = last.n_rows.saturating_add(*n_rows);
                last.n_bytes = last.n_bytes.saturating_add(*n_bytes);
            }
            Some(_) | None => files.push(TaskFile {
                path: self.path.clone(),
                version: self.version,
                batches: batch_idx..batch_idx + 1,
                partition: Arc::clone(&self.partition),
                n_rows: *n_rows,
                n_bytes: *n_bytes,
            }),
        }
    }

    /// The bounds of a field in a batch, as far as they are known without reading the batch. `path` begins with the
    /// position of the column in the data set.
    pub(crate) fn bounds(&self, batch_idx: usize, column: &Field, path: &FieldPath) -> ColumnBounds {
        // A partition column has the same value in all rows.
        let constant = |value: Option<Scalar>| ColumnBounds {
            n_rows: Some(1),
            null_count: Some(u64::from(value.is_none())),
            is_min_exact: true,
            is_max_exact: true,
            min: value.clone(),
            max: value,
        };
        if let Some(value) = self.partition.iter().find(|value| *value.name == *column.name()) {
            return match value.to_scalar() {
                Ok(scalar) => constant(value.text.is_some().then_some(scalar)),
                Err(_) => ColumnBounds::default(),
            };
        }
        let position = match self.schema.index_of(column.name()) {
            Err(LookupError::Missing { .. }) => return constant(None),
            Err(_) => return ColumnBounds::default(),
            Ok(position) => position,
        };
        let (Some(known), Some(own)) = (&self.statistics, self.schema.field(position)) else {
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
