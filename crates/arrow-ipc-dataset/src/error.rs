//! The errors of opening, reading and writing data sets.

use std::{
    fmt, io,
    path::{Path, PathBuf},
};

use arrow_error::ErrorClass;

use arrow_array::ArrayError;
use arrow_atomic_output::INCOMPLETE_FOLDER;
use arrow_compute::{CastError, PredicateError, StatisticsError};
use arrow_data::DataError;
use arrow_ipc::{FormatError, IpcError};
use arrow_schema::{
    DataType, LookupError, MergeError, MergeErrorKind, PathStep, QuotedText, SchemaDifference,
};
use arrow_select::SelectError;

use crate::{common_schema::castable_type, version::FileVersion};

/// An error of a data set: its cause, and the path of the file or folder if it is known.
pub struct DatasetError(Box<(Option<PathBuf>, DatasetErrorKind)>);

/// The cause of a [`DatasetError`]. The enum is exhaustive, because programs map each kind to an exit status.
#[derive(Debug, thiserror::Error)]
pub enum DatasetErrorKind {
    /// No file was found.
    #[error(
        "no files: the name of a file must end in .arrow, .arrows, .feather or .ipc; files and folders whose names begin with `.` or `_` are left out"
    )]
    NoFiles,
    /// A file or folder cannot be opened or read.
    #[error(transparent)]
    Io(io::Error),
    /// A folder has the mark of an [`AtomicFolder`](crate::AtomicFolder) whose files do not all have their names yet.
    #[error("{INCOMPLETE_FOLDER}")]
    Incomplete,
    /// The path is neither a file nor a folder.
    #[error("neither a file nor a folder")]
    NoFile,
    /// A file is not an Arrow file, or cannot be read.
    #[error(transparent)]
    Ipc(IpcError),
    /// A file has changed after the data set was opened.
    #[error("the file has changed since it was planned: {}", .planned.difference(.found))]
    Changed {
        /// The version of the file when the data set was opened.
        planned: FileVersion,
        /// The version of the file when it was read.
        found: FileVersion,
    },
    /// A file has fewer batches than a task needs.
    #[error("the file has {found} batches; the task needs {wanted}")]
    Batches {
        /// The number of batches that the task needs.
        wanted: usize,
        /// The number of batches in the file.
        found: usize,
    },
    /// A file has another number of rows than its footer states.
    #[error("the batches of the task have {found} rows; {planned} were planned")]
    Rows {
        /// The number of rows in the footer.
        planned: u64,
        /// The number of rows that were read.
        found: u64,
    },
    /// The schemas of the files cannot be merged: see [`conflicting_column`](DatasetError::conflicting_column).
    #[error("the schema does not fit the schemas of preceding files: {0}")]
    Merge(MergeError),
    /// Other bytes than padding follow the end of a stream.
    #[error("bytes follow the end of the stream at byte {position}, perhaps those of another stream")]
    AfterStream {
        /// The byte offset after the end of the stream.
        position: u64,
    },
    /// A file of a task without schema has another schema than the first file of the task.
    #[error("the schema differs from the schema of the task's first file: {0}")]
    Schema(SchemaDifference),
    /// A file lacks a column that cannot be null.
    #[error("the file has no column {}, which is not nullable", QuotedText(.0))]
    MissingColumn(String),
    /// A column has values in names of folders, but some files also contain it.
    #[error("column {} is in the name of a folder and in this file, but not in all files", QuotedText(.0))]
    PartitionInFiles(String),
    /// Two folders on a path have values for the same partition column.
    #[error("two folders of the path name column {}", QuotedText(.0))]
    RepeatedPartition(String),
    /// There are more partition columns than are allowed.
    #[error("the names of folders contain more than {max} columns")]
    FolderColumns {
        /// The maximal number of partition columns.
        max: usize,
    },
    /// The name of a folder contains `=`, but is not UTF-8.
    #[error("the name of the folder {0:?} is not UTF-8, so it cannot name a column")]
    PartitionName(String),
    /// The value of a partition column does not fit the type of the column.
    #[error("the value {} in the name of the folder is not of type {data_type}", QuotedText(.text))]
    PartitionValue {
        /// The value in the name of the folder.
        text: String,
        /// The type of the partition column.
        data_type: DataType,
    },
    /// A column of a file cannot be cast to its type in the data set.
    #[error("{}column {}: {error}", in_batch(*.batch_idx), QuotedText(.column))]
    Cast {
        /// The index of the batch in its file. `None` if the types cannot be cast at all.
        batch_idx: Option<u64>,
        /// The name of the column.
        column: String,
        /// Why the column cannot be cast.
        error: CastError,
    },
    /// A column has nulls, which the schema of the data set does not allow.
    #[error("{}column {} has nulls, which the schema of the data set does not allow", in_batch(*.batch_idx), QuotedText(.column))]
    Nulls {
        /// The index of the batch in its file. `None` if the null is in the name of a folder.
        batch_idx: Option<u64>,
        /// The name of the column.
        column: String,
    },
    /// No column has this name, or several have.
    #[error(transparent)]
    Column(LookupError),
    /// The predicate does not fit the schema, or cannot be evaluated.
    #[error("the predicate: {0}")]
    Predicate(PredicateError),
    /// A path leads out of the folder of a data set, or readers do not read folders with these names.
    #[error(
        "{} is not a path of folders below the data set, with `/` between names that readers read: write the first character of a name as `%2E` for `.`, `%5F` for `_`, and `%61` for the `a` of `arrow-ipc-incomplete`",
        QuotedText(.0)
    )]
    PartPath(String),
    /// A part does not exist, or is not the file that was written.
    #[error("the part does not exist, or is not the file that was written")]
    MissingPart,
    /// The parts have been published or removed.
    #[error("the data set has been committed or given up; another writer writes more")]
    Committed,
    /// The folder of a new data set is not empty.
    #[error(
        "the folder is not empty: a data set is written to a new folder, which may be inside another data set"
    )]
    NotEmpty,
    /// The folder of a new data set is a mount point.
    #[error(
        "the folder is a mount point: parts are first written beside the folder, and files cannot be moved across its border; use a folder inside it"
    )]
    MountPoint,
    /// A part has another schema than the data set.
    #[error("the schema differs from the schema of the data set: {0}")]
    PartSchema(SchemaDifference),
    /// The statistics of a batch cannot be computed or stored.
    #[error("the statistics cannot be computed or stored: {0}")]
    Statistics(StatisticsError),
    /// The value of a partition column, or a null, cannot be stored in an array.
    #[error(transparent)]
    Value(ArrayError),
    /// A batch with the columns of the data set cannot be made.
    #[error(transparent)]
    Batch(SelectError),
}

impl DatasetErrorKind {
    /// How a program can react.
    pub fn class(&self) -> ErrorClass {
        match self {
            Self::Ipc(error) => error.class(),
            Self::Io(_) | Self::NoFiles | Self::NoFile | Self::Changed { .. } => ErrorClass::Io,
            Self::Incomplete => ErrorClass::Truncated,
            Self::Rows { .. } => ErrorClass::Malformed,
            Self::AfterStream { .. } => ErrorClass::Unsupported,
            Self::FolderColumns { .. } => ErrorClass::LimitExceeded,
            Self::Cast { error, .. } => error.class(),
            Self::Predicate(error) => error.class(),
            Self::Statistics(error) => error.class(),
            Self::Value(error) => error.class(),
            Self::Batch(error) => error.class(),
            Self::Batches { .. }
            | Self::Merge(_)
            | Self::Schema(_)
            | Self::MissingColumn(_)
            | Self::PartitionInFiles(_)
            | Self::RepeatedPartition(_)
            | Self::PartitionName(_)
            | Self::PartitionValue { .. }
            | Self::Nulls { .. }
            | Self::Column(_)
            | Self::PartPath(_)
            | Self::MissingPart
            | Self::Committed
            | Self::NotEmpty
            | Self::MountPoint
            | Self::PartSchema(_) => ErrorClass::Misuse,
        }
    }
}

/// The start of an error that is about a batch.
fn in_batch(batch_idx: Option<u64>) -> String {
    batch_idx.map_or_else(String::new, |batch_idx| format!("batch {batch_idx}: "))
}

impl DatasetErrorKind {
    /// The name of a column of which files have types without a wider type, and a type to which the values of both can be cast, if one is
    /// known. With it, [`with_types`](crate::DatasetOptions::with_types) reads the files as one data set.
    pub fn conflicting_column(&self) -> Option<(&str, Option<DataType>)> {
        let DatasetErrorKind::Merge(error) = self else { return None };
        let (PathStep::Child { name, .. }, _) = error.path().steps().split_first()? else { return None };
        let MergeErrorKind::Type { .. } = error.kind() else { return None };
        Some((name, error.column_types().and_then(castable_type)))
    }

    /// Checks that a file still has the version that was planned.
    ///
    /// # Errors
    /// If the versions differ.
    pub(crate) fn check_same(planned: FileVersion, found: FileVersion) -> Result<(), DatasetErrorKind> {
        if planned == found { Ok(()) } else { Err(DatasetErrorKind::Changed { planned, found }) }
    }
}

impl DatasetError {
    /// Makes an error about a file or folder.
    pub fn at(path: impl Into<PathBuf>, kind: impl Into<DatasetErrorKind>) -> DatasetError {
        DatasetError(Box::new((Some(path.into()), kind.into())))
    }

    /// The path of the file or folder that the error is about; `None` if it is unknown.
    pub fn path(&self) -> Option<&Path> {
        self.0.0.as_deref()
    }

    /// The cause, without the path.
    pub fn kind(&self) -> &DatasetErrorKind {
        &self.0.1
    }

    /// How a program can react.
    pub fn class(&self) -> ErrorClass {
        self.kind().class()
    }

    /// The [column](DatasetErrorKind::conflicting_column) of which files have types without a wider type, and a type for both.
    pub fn conflicting_column(&self) -> Option<(&str, Option<DataType>)> {
        self.kind().conflicting_column()
    }

    /// The cause, without the path.
    pub fn into_kind(self) -> DatasetErrorKind {
        self.0.1
    }
}

impl<K: Into<DatasetErrorKind>> From<K> for DatasetError {
    fn from(kind: K) -> DatasetError {
        DatasetError(Box::new((None, kind.into())))
    }
}

arrow_error::debug_as_display!(DatasetError);

/// Writes the path and the cause: `data/a.arrow: the file has changed …`.
impl fmt::Display for DatasetError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(path) = self.path() {
            write!(f, "{}: ", path.display())?;
        }
        self.kind().fmt(f)
    }
}

impl std::error::Error for DatasetError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        Some(self.kind())
    }
}

impl From<FormatError> for DatasetErrorKind {
    fn from(error: FormatError) -> DatasetErrorKind {
        DatasetErrorKind::Ipc(error.into())
    }
}

macro_rules! causes {
    ($($error:ty => $kind:ident),+ $(,)?) => {
        $(impl From<$error> for DatasetErrorKind {
            fn from(error: $error) -> DatasetErrorKind {
                DatasetErrorKind::$kind(error)
            }
        })+
    };
}

causes! {
    io::Error => Io,
    IpcError => Ipc,
    LookupError => Column,
    StatisticsError => Statistics,
    PredicateError => Predicate,
    ArrayError => Value,
    SelectError => Batch,
}

impl From<DataError> for DatasetErrorKind {
    fn from(error: DataError) -> DatasetErrorKind {
        SelectError::from(error).into()
    }
}
