//! Options for opening a data set.

use std::{collections::BTreeMap, sync::Arc};

use arrow_compute::Predicate;
use arrow_ipc::Limits;
use arrow_schema::{DataType, Schema};

use crate::store::FileStore;

/// Options for [`Dataset::open_with`](super::Dataset::open_with).
#[derive(Debug, Clone, Default)]
pub struct DatasetOptions {
    pub(super) schema: Option<Arc<Schema>>,
    pub(super) types: BTreeMap<String, DataType>,
    pub(super) n_threads: Option<usize>,
    pub(super) trusts_statistics: bool,
    pub(super) ignores_folders: bool,
    pub(super) leaves_out_conflicts: bool,
    pub(super) store: Option<Arc<dyn FileStore>>,
    pub(super) limits: Limits,
    pub(super) pruning: Option<Predicate>,
}

impl DatasetOptions {
    /// Reads files of the file system, merges their schemas, and reads footers with eight threads.
    pub fn new() -> DatasetOptions {
        DatasetOptions::default()
    }

    /// Sets the columns and their types. By default, the schemas of the files determine them. Columns of files are
    /// [cast](arrow_compute::cast()) to these types; it is an error if a value would change. Partition columns
    /// (`day=1`) that the schema lacks are added at the end.
    ///
    /// Files are then opened when they are read: at first none, or one if names of folders may be columns. A file that does not fit the
    /// schema is an error of reading it.
    #[must_use]
    pub fn with_schema(self, schema: impl Into<Arc<Schema>>) -> DatasetOptions {
        DatasetOptions { schema: Some(schema.into()), ..self }
    }

    /// Sets the types of the columns with these names. Columns of files are cast to them, whatever their types are; it is an error if
    /// a value would change, and if no file or folder has the column. Use this for columns of which files have types without a
    /// common one.
    #[must_use]
    pub fn with_types<N: Into<String>>(
        self,
        types: impl IntoIterator<Item = (N, DataType)>,
    ) -> DatasetOptions {
        let types = types.into_iter().map(|(name, data_type)| (name.into(), data_type)).collect();
        DatasetOptions { types, ..self }
    }

    /// Trusts the [statistics in footers](arrow_ipc_statistics::FileStatistics). If they say that no row of a batch
    /// can match, the batch is not read. If they are wrong, matching rows are missing from the result, or counts are
    /// wrong. By default, statistics are ignored.
    #[must_use]
    pub fn with_trusted_statistics(self) -> DatasetOptions {
        DatasetOptions { trusts_statistics: true, ..self }
    }

    /// Ignores the names of folders: they add no columns, may have any form, and contradict nothing. Columns of files are read also if
    /// folders have their names. A predicate on a column that only folders have is an error.
    #[must_use]
    pub fn without_partition_columns(self) -> DatasetOptions {
        DatasetOptions { ignores_folders: true, ..self }
    }

    /// Does not select columns of which files have types without a common one: the other columns can be read. To select such a
    /// column, or to use it in a predicate, is the error that opening the files is without this option.
    /// [`full_schema`](super::Dataset::full_schema) has the column with the type of the first file that has it.
    #[must_use]
    pub fn without_conflicting_columns(self) -> DatasetOptions {
        DatasetOptions { leaves_out_conflicts: true, ..self }
    }

    /// Opens only files of which rows can match a predicate, according to the names of folders, but at least one. The schema is that of
    /// the opened files. This selects no rows: pass the predicate to [`Dataset::with_predicate`](super::Dataset::with_predicate), too. Files that are needed after all
    /// are opened then.
    #[must_use]
    pub fn with_pruning(self, predicate: Predicate) -> DatasetOptions {
        DatasetOptions { pruning: Some(predicate), ..self }
    }

    /// Sets the number of threads that read footers and count matching rows.
    #[must_use]
    pub fn with_n_threads(self, n_threads: usize) -> DatasetOptions {
        DatasetOptions { n_threads: Some(n_threads), ..self }
    }

    /// Sets the limits of reading files. They have no effect with a store, whose files have their own options.
    #[must_use]
    pub fn with_limits(self, limits: Limits) -> DatasetOptions {
        DatasetOptions { limits, ..self }
    }

    /// Opens files with a store. Each input must then be a file, because folders and patterns are not searched in stores. Inputs
    /// that differ in any byte are different files.
    #[must_use]
    pub fn with_store(self, store: Arc<dyn FileStore>) -> DatasetOptions {
        DatasetOptions { store: Some(store), ..self }
    }
}
