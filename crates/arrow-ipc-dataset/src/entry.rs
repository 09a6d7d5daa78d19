//! Compares a file with its manifest entry.

use std::{
    path::{Path, PathBuf},
    sync::Arc,
};

use arrow_compute::ColumnBounds;
use arrow_ipc::file::{Block, Footer};
use arrow_ipc_statistics::{FileStatistics, StatisticsCheck, WrongStatistics};
use arrow_schema::{DataType, Schema, SchemaDifference};

use crate::{
    error::DatasetErrorKind,
    file::{DatasetFile, KnownBounds},
    manifest::Manifest,
    partition::PartitionValue,
    version::{FileStamp, id_text, part_id},
};

/// The entry of a file in a manifest: see [`parts_of`](crate::parts_of).
///
/// Readers trust the row counts in a manifest, and its bounds if they trust statistics.
/// [`check`](ManifestEntry::check) compares an entry with the footer of its file, and
/// [`begin_check`](ManifestEntry::begin_check) with the rows.
#[derive(Debug, Clone)]
pub struct ManifestEntry {
    manifest: PathBuf,
    /// The names and types of the partition columns.
    folder_columns: Arc<[(Arc<str>, DataType)]>,
    file: DatasetFile,
}

/// How a file differs from its manifest entry.
#[derive(thiserror::Error)]
#[non_exhaustive]
pub enum WrongPart {
    /// The file is an Arrow stream, but parts are Arrow files.
    #[error("the part is a file, but a stream was found")]
    Stream,
    /// A length, or a number of rows or batches, differs.
    #[error("{} has {manifest} {what}, but {found} were found", .batch_idx.map_or("the part".to_owned(), |batch_idx| format!("batch {batch_idx}")))]
    Count {
        /// The index of the batch; `None` if the number is about the whole file.
        batch_idx: Option<usize>,
        /// What was counted: "bytes", "rows" or "batches".
        what: &'static str,
        /// The number in the manifest.
        manifest: u64,
        /// The number in the file.
        found: u64,
    },
    /// The file is not the one that was committed: its random number is not the one in the manifest.
    #[error("the part has {}; the file has {}", shown(.manifest), shown(.found))]
    Id {
        /// The random number in the manifest.
        manifest: Option<u64>,
        /// The random number in the footer.
        found: Option<u64>,
    },
    /// The columns differ from the columns in the manifest.
    #[error("the part has other columns than the file: {0}")]
    Columns(SchemaDifference),
    /// The names of the folders lack a value of a partition column, or have an invalid one.
    #[error("{0}")]
    Folder(DatasetErrorKind),
    /// A value is outside of the bounds in the manifest, or the number of nulls differs.
    #[error("{0}")]
    Statistics(WrongStatistics),
}

arrow_buffer::debug_as_display!(WrongPart);

fn shown(id: &Option<u64>) -> String {
    id.map_or("no id".to_owned(), |id| format!("the id {}", id_text(id)))
}

impl ManifestEntry {
    pub(crate) fn new(manifest: &Manifest, path: &Path, file: &DatasetFile) -> ManifestEntry {
        let named = manifest.folder_columns().iter();
        let folder_columns = named.map(|field| (field.to_shared_name(), field.data_type().clone())).collect();
        ManifestEntry { manifest: path.to_owned(), folder_columns, file: file.clone() }
    }

    /// The path of the manifest.
    pub fn manifest(&self) -> &Path {
        &self.manifest
    }

    /// Compares the length of the file, its footer, and the row count of each batch with the entry.
    ///
    /// # Errors
    /// If the length, a number of rows or batches, the id, or the columns differ. If the names of folders have no
    /// valid value for a partition column.
    pub fn check(&self, n_bytes: u64, footer: &Footer, n_rows: &[u64]) -> Result<(), WrongPart> {
        let same = |batch_idx, what, manifest, found| match manifest == found {
            true => Ok(()),
            false => Err(WrongPart::Count { batch_idx, what, manifest, found }),
        };
        let DatasetFile { version, batches, schema, partition, .. } = &self.file;
        same(None, "bytes", version.n_bytes, n_bytes)?;
        let (manifest, found) = match version.stamp {
            FileStamp::Part(id) => (Some(id), part_id(footer)),
            FileStamp::Batches(_) | FileStamp::Modified(_) | FileStamp::Tag(_) => (None, part_id(footer)),
        };
        if manifest != found {
            return Err(WrongPart::Id { manifest, found });
        }
        same(None, "batches", batches.len() as u64, footer.n_batches() as u64)?;
        let of_blocks = footer.batches().iter().map(Block::n_bytes).zip(n_rows);
        for ((batch_idx, manifest), (n_bytes, n_rows)) in batches.iter().enumerate().zip(of_blocks) {
            same(Some(batch_idx), "bytes", manifest.n_bytes, n_bytes)?;
            same(Some(batch_idx), "rows", manifest.n_rows, *n_rows)?;
        }
        let found: &Schema = footer.schema().schema();
        schema.check_same_columns(found).map_err(WrongPart::Columns)?;
        for (name, data_type) in self.folder_columns.iter() {
            let text = partition.iter().find(|own| own.name == *name).and_then(|own| own.text.clone());
            let value = PartitionValue { name: Arc::clone(name), data_type: data_type.clone(), text };
            value.to_scalar().map_err(WrongPart::Folder)?;
        }
        Ok(())
    }

    /// Begins to compare the bounds in the manifest with the rows of the file. Skips bounds that follow from the
    /// statistics in the footer, so the caller must also compare these statistics with the rows.
    pub fn begin_check(&self, footer: Option<&FileStatistics>) -> StatisticsCheck<'_> {
        let n_rows = self.file.n_rows();
        let KnownBounds::OfPart(bounds) = &self.file.known else {
            return StatisticsCheck::new(Some(n_rows), []);
        };
        let mut columns: Vec<_> = bounds.table.columns.values().map(|column| &column.path).collect();
        columns.sort_by(|left, right| left.positions().cmp(right.positions()));
        let stated = columns.into_iter().map(|path| (path, bounds.bounds(path, n_rows)));
        let follows = |path, known: &ColumnBounds| {
            footer.map(|footer| footer.bounds_of_all(path)).is_some_and(|found| {
                known.encloses(&found)
                    && (known.min.is_none() || found.min.is_some())
                    && (known.max.is_none() || found.max.is_some())
                    && (known.n_nulls.is_none() || known.n_nulls == found.n_nulls)
            })
        };
        StatisticsCheck::new(Some(n_rows), stated.filter(|(path, known)| !follows(path, known)))
    }
}
