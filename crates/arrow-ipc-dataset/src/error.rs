//! The errors of opening, reading and writing data sets.

use std::{
    fmt, io,
    path::{Path, PathBuf},
};

use arrow_array::ArrayError;
use arrow_compute::{CastError, PredicateError, StatisticsError};
use arrow_data::DataError;
use arrow_ipc::{FormatError, IpcError};
use arrow_schema::{DataType, LookupError, MergeError, Quoted, SchemaDifference};

use crate::{incomplete::INCOMPLETE_FOLDER, version::FileVersion};

/// An error of a data set: its cause, and the path of the file or folder if it is known.
pub struct DatasetError(Box<(Option<PathBuf>, DatasetErrorKind)>);

/// The cause of a [`DatasetError`]. The enum is exhaustive, because programs map each kind to an exit status.
#[derive(Debug, thiserror::Error)]
pub enum DatasetErrorKind {
    /// No file was found.
    #[error(
        "no files: the name of a file must end in .arrow, .feather or .ipc; files and folders whose names begin with `.` or `_` are left out"
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
    /// A file that the manifest lists does not exist.
    #[error("the file does not exist, but the manifest of its data set names it")]
    MissingPart,
    /// A path that the manifest lists is a folder, a pipe or a device.
    #[error("the manifest of the data set names it, but it is not a regular file")]
    SpecialPart,
    /// A file has another number of rows than its footer or the manifest states.
    #[error("the batches of the task have {found} rows; {planned} were planned")]
    Rows {
        /// The number of rows in the footer or the manifest.
        planned: u64,
        /// The number of rows that were read.
        found: u64,
    },
    /// The schemas of the files cannot be merged.
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
    #[error("the file has no column {}, which is not nullable", Quoted(.0))]
    MissingColumn(String),
    /// A column has values in names of folders, but some files also contain it.
    #[error("column {} is in the name of a folder and in this file, but not in all files", Quoted(.0))]
    PartitionInFiles(String),
    /// Two folders on a path have values for the same partition column.
    #[error("two folders of the path name column {}", Quoted(.0))]
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
    #[error("the value {} in the name of the folder is not of type {data_type}", Quoted(.text))]
    PartitionValue {
        /// The value in the name of the folder.
        text: String,
        /// The type of the partition column.
        data_type: DataType,
    },
    /// A column of a file cannot be cast to its type in the data set.
    #[error("{}column {}: {error}", in_batch(*.batch_idx), Quoted(.column))]
    Cast {
        /// The index of the batch in its file. `None` if the types cannot be cast at all.
        batch_idx: Option<u64>,
        /// The name of the column.
        column: String,
        /// Why the column cannot be cast.
        error: CastError,
    },
    /// A column has nulls, which the schema of the data set does not allow.
    #[error("{}column {} has nulls, which the schema of the data set does not allow", in_batch(*.batch_idx), Quoted(.column))]
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
    /// A manifest is not an Arrow file, or cannot be read.
    #[error("the manifest of the data set cannot be read: {0}")]
    Manifest(IpcError),
    /// A manifest has another number of parts than its metadata states.
    #[error("the manifest is incomplete: it names {found} parts instead of {n_parts}")]
    ManifestParts {
        /// The number of parts in the metadata.
        n_parts: usize,
        /// The number of rows in the manifest, each of which is a part.
        found: usize,
    },
    /// An Arrow file is not a manifest, or has a newer format than version 1.
    #[error("the file is not a manifest of format 1{}", .format.as_ref().map(|format| format!(", but of format {}", Quoted(format))).unwrap_or_default())]
    NoManifest {
        /// The format in the metadata; `None` if there is none.
        format: Option<String>,
    },
    /// A manifest lacks a column or metadata, or a column has the wrong type.
    #[error("the manifest has no valid column or metadata {}", Quoted(.0))]
    ManifestColumn(&'static str),
    /// A manifest has an invalid value for a part.
    #[error("the manifest has no valid value of {} in row {row}", Quoted(.what))]
    ManifestRow {
        /// The row of the part in its batch, from 0.
        row: usize,
        /// The name of the column.
        what: &'static str,
    },
    /// A manifest lists a part twice.
    #[error("the manifest names the part {} twice", Quoted(.0))]
    RepeatedPart(String),
    /// The path of a part leads out of the folder, or cannot be stored in a manifest.
    #[error("{} is not a valid path of a part: a path is UTF-8, is below the folder of the data set, and has at most 256 folders", Quoted(.0))]
    PartPath(String),
    /// Another writer committed first.
    #[error(
        "another commit came first: the data set has version {found}, and this commit was based on version {base}"
    )]
    Conflict {
        /// The version on which the commit was based.
        base: u64,
        /// The newest version, which another writer has committed.
        found: u64,
    },
    /// Another attempt of this task has already been committed.
    #[error("the part of this task has been committed already; begin another writer for another commit")]
    Committed,
    /// A data set cannot be created, because the folder already contains a data set or Arrow files.
    #[error("the folder has Arrow files already, or a data set with manifests in _NAME.manifests")]
    NotEmpty,
    /// New files would not belong to a data set, because old manifests beside the folder do not list them.
    #[error(
        "the folder {}, which is left of a data set of this name, has manifests, so readers would leave new files out; remove it, or choose another name",
        .0.display()
    )]
    OldManifests(PathBuf),
    /// A folder inside a data set cannot be another data set.
    #[error(
        "the path is inside the data set {}, whose manifest lists the files; write to the data set, or compact the data set",
        .0.display()
    )]
    InsideSet(PathBuf),
    /// Rows cannot be appended, because the path of the folder has no value for this partition column.
    #[error(
        "column {} has its values in the names of folders; append to one of these folders, or to a new folder with such a name",
        Quoted(.0)
    )]
    NoFolder(String),
    /// Rows cannot be appended, because there are partition columns but no manifest. Only a manifest shows which
    /// folder is the root of the data set.
    #[error("columns are in the names of folders, but no manifest marks the root of the data set, which may be {}", .0.display())]
    NoManifestYet(PathBuf),
    /// A part has a partition column that the data set lacks.
    #[error("the name of the folder contains column {}, which the other folders of the data set do not have", Quoted(.0))]
    OtherFolder(String),
    /// The folder of a data set is on another file system than its parent, so parts cannot be linked into it.
    #[error(
        "the folder is a mount point: parts are first written beside the folder, and cannot be moved to another file system; use a folder inside it"
    )]
    MountPoint,
    /// A part has another schema than the parts of the data set.
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
    Batch(DataError),
}

/// The start of an error that is about a batch.
fn in_batch(batch_idx: Option<u64>) -> String {
    batch_idx.map_or_else(String::new, |batch_idx| format!("batch {batch_idx}: "))
}

impl DatasetErrorKind {
    /// Checks that a file still has the version that was planned.
    ///
    /// # Errors
    /// If the versions differ.
    pub(crate) fn unless_same(planned: FileVersion, found: FileVersion) -> Result<(), DatasetErrorKind> {
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

arrow_buffer::debug_as_display!(DatasetError);

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
    DataError => Batch,
}
