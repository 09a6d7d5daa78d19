//! A file of a data set, and what is known about it without reading its batches.

use std::{
    path::{Path, PathBuf},
    sync::Arc,
};

use arrow_array::Scalar;
use arrow_compute::ColumnBounds;
use arrow_ipc::{FileReader, file::Block};
use arrow_ipc_statistics::FileStatistics;
use arrow_schema::{Field, FieldPath, LookupError, Schema};

use crate::{
    bounds::{PartBounds, bounds_of_all},
    error::{DatasetError, DatasetErrorKind as Kind},
    partition::{PartitionValue, values_of},
    store::FileStore,
    task::{TaskFile, moved_to},
    version::{FileStamp, FileVersion, part_id},
};

/// A file of a data set.
#[derive(Debug, Clone)]
pub struct DatasetFile {
    pub(crate) path: PathBuf,
    pub(crate) version: FileVersion,
    pub(crate) schema: Arc<Schema>,
    pub(crate) partition: Arc<[PartitionValue]>,
    pub(crate) batches: Vec<BatchExtent>,
    /// The number of batches in all files before this one.
    pub(crate) n_batches_before: usize,
    pub(crate) known: KnownBounds,
}

#[derive(Debug, Clone, Copy)]
pub(crate) struct BatchExtent {
    pub(crate) n_rows: u64,
    pub(crate) n_bytes: u64,
}

/// What is known about the values of a file.
#[derive(Debug, Clone)]
pub(crate) enum KnownBounds {
    Nothing,
    /// From its footer, for each batch.
    OfBatches(Arc<FileStatistics>),
    /// From a manifest, for all its rows.
    OfPart(PartBounds),
}

/// Whether statistics in footers are read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Believes {
    Nothing,
    Footers,
}

impl DatasetFile {
    /// The path of the file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The version of the file that was seen.
    pub fn version(&self) -> FileVersion {
        self.version
    }

    /// The schema in its footer.
    pub fn schema(&self) -> &Arc<Schema> {
        &self.schema
    }

    /// The values that its folders name.
    pub fn partition(&self) -> &[PartitionValue] {
        &self.partition
    }

    /// The number of its batches.
    pub fn n_batches(&self) -> usize {
        self.batches.len()
    }

    /// The number of its rows.
    pub fn n_rows(&self) -> u64 {
        self.batches.iter().map(|batch| batch.n_rows).fold(0, u64::saturating_add)
    }

    /// Reads what is at the end of a file, and its number as a part. The types of its partition columns are not known yet.
    pub(crate) fn read(
        store: &dyn FileStore,
        path: PathBuf,
        believes: Believes,
    ) -> Result<(DatasetFile, Option<u64>), DatasetError> {
        let read = || -> Result<_, Kind> {
            let source = store.open(&path)?;
            let version = source.version()?;
            let options = source.options();
            let reader = FileReader::try_from_source(source, options)?;
            let n_rows = reader.n_rows_of_each(0..reader.n_batches())?;
            let n_bytes = reader.footer().batches().iter().map(Block::n_bytes);
            let batches = n_rows.into_iter().zip(n_bytes);
            let batches = batches.map(|(n_rows, n_bytes)| BatchExtent { n_rows, n_bytes }).collect();
            let known = match believes {
                Believes::Footers => FileStatistics::of_footer(reader.footer()).map(Arc::new),
                Believes::Nothing => None,
            };
            let known = known.map_or(KnownBounds::Nothing, KnownBounds::OfBatches);
            Ok((version, Arc::clone(reader.schema()), batches, known, part_id(reader.footer())))
        };
        let at_path = |kind| DatasetError::at(&path, kind);
        let (version, schema, batches, known, id) = read().map_err(at_path)?;
        let partition = values_of(&path, store.names(&path)).map_err(at_path)?.into();
        Ok((DatasetFile { path, version, schema, partition, batches, n_batches_before: 0, known }, id))
    }

    /// Reads a file with the statistics in its footer. Its version is that of a part, if it is one.
    pub(crate) fn read_part(store: &dyn FileStore, path: PathBuf) -> Result<DatasetFile, DatasetError> {
        let (mut file, id) = DatasetFile::read(store, path, Believes::Footers)?;
        file.version.stamp = id.map_or(file.version.stamp, FileStamp::Part);
        Ok(file)
    }

    /// The statistics of a part's batches in its footer; `None` if it has none.
    pub(crate) fn bounds_of_batches(
        &self,
        store: &dyn FileStore,
    ) -> Result<Option<KnownBounds>, DatasetError> {
        let found = DatasetFile::read_part(store, self.path.clone())?;
        let same = Kind::unless_same(self.version, found.version);
        same.map_err(|kind| DatasetError::at(&self.path, kind))?;
        let is_of_batches =
            matches!(found.known, KnownBounds::OfBatches(_)) && found.n_batches() == self.n_batches();
        Ok(is_of_batches.then_some(found.known))
    }

    /// Adds a batch to a task, after the earlier ones.
    pub(crate) fn add(&self, batch_idx: usize, files: &mut Vec<TaskFile>) {
        let Some(BatchExtent { n_rows, n_bytes }) = self.batches.get(batch_idx) else { return };
        match files.last_mut() {
            Some(last) if last.path == self.path && last.batches.end == batch_idx => {
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

    /// What is known about a field in a batch without reading it. Its path begins with this column of the data set.
    pub(crate) fn bounds(&self, batch_idx: usize, column: &Field, path: &FieldPath) -> ColumnBounds {
        // The value of a folder is the same in all rows.
        let constant = |value: Option<Scalar>| ColumnBounds {
            n_rows: Some(1),
            n_nulls: Some(u64::from(value.is_none())),
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
        // The bounds of values that are cast are not known.
        let is_same = self.schema.field(position).is_some_and(|own| own.data_type() == column.data_type());
        match &self.known {
            KnownBounds::OfBatches(known) if is_same => known.bounds(batch_idx, &moved_to(position, path)),
            KnownBounds::OfPart(known) if is_same => known.bounds(path, self.n_rows()),
            KnownBounds::OfBatches(_) | KnownBounds::OfPart(_) | KnownBounds::Nothing => {
                ColumnBounds::default()
            }
        }
    }

    /// What is known about a field in all rows. The path is in the file's own schema.
    pub(crate) fn bounds_of_all(&self, path: &FieldPath) -> ColumnBounds {
        match &self.known {
            KnownBounds::OfBatches(known) => bounds_of_all(known, path),
            KnownBounds::OfPart(known) => known.bounds(path, self.n_rows()),
            KnownBounds::Nothing => ColumnBounds::default(),
        }
    }
}
