//! Errors of files, with their paths.

use std::{error::Error, fmt, sync::Arc};

use arrow_ipc::IpcError;
use arrow_ipc_object_store::ObjectError;
use arrow_rs_adapter::AdapterError;
use arrow_schema::FieldPath;
use datafusion::{error::DataFusionError, object_store::path::Path};

/// The error of a file: its path in the store, and the cause. It is inside `DataFusionError::External`, from which it can
/// be downcast.
#[derive(Clone)]
pub struct IpcFileError(Arc<(Path, IpcFileErrorKind)>);

/// The cause of an [`IpcFileError`].
#[derive(Debug)]
#[non_exhaustive]
pub enum IpcFileErrorKind {
    /// The file cannot be fetched, or is malformed, unsupported or over a limit. The error says where in the file.
    Ipc(IpcError),
    /// DataFusion has no type for a column, which the error names, or cannot hold its values.
    Adapter(AdapterError),
    /// The store does not say which version of the object it has.
    Object(ObjectError),
    /// Nulls of the columns up to this one take too much memory. DataFusion makes nulls of all columns for each plan.
    LargeNull {
        /// The column.
        column: FieldPath,
        /// The number of bytes of a null of this column, with the slots of its children.
        n_bytes: u64,
        /// The maximum for all columns of a table together.
        max_bytes: u64,
    },
    /// DataFusion cannot make a null of this column: runs are shorter than a null has slots, or a union has no children.
    NoNull {
        /// The column.
        column: FieldPath,
    },
    /// The batches that were selected claim more rows than their bytes can stand for.
    RowsWithoutBytes {
        /// The number of bytes of these batches.
        n_bytes: u64,
        /// The number of rows that is read of so many bytes.
        max_rows: u64,
    },
}

impl IpcFileError {
    pub(crate) fn at(path: &Path, kind: impl Into<IpcFileErrorKind>) -> IpcFileError {
        IpcFileError(Arc::new((path.clone(), kind.into())))
    }

    /// The path of the file in its store.
    pub fn path(&self) -> &Path {
        &self.0.0
    }

    /// The cause.
    pub fn kind(&self) -> &IpcFileErrorKind {
        &self.0.1
    }
}

/// What to do about a column that DataFusion cannot hold.
const WITHOUT_COLUMN: &str =
    "list the other columns in CREATE EXTERNAL TABLE, or give the table a schema without it";

impl fmt::Display for IpcFileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: ", self.path())?;
        match self.kind() {
            IpcFileErrorKind::Ipc(error) => error.fmt(f),
            IpcFileErrorKind::Adapter(error) => error.fmt(f),
            IpcFileErrorKind::Object(error) => error.fmt(f),
            IpcFileErrorKind::LargeNull { column, n_bytes, max_bytes } => write!(
                f,
                "a null of column {column} has {n_bytes} bytes; DataFusion makes nulls of all columns for each plan, and \
                 {max_bytes} bytes are allowed for them: {WITHOUT_COLUMN}"
            ),
            IpcFileErrorKind::NoNull { column } => {
                write!(f, "DataFusion can make no null of column {column}: {WITHOUT_COLUMN}")
            }
            IpcFileErrorKind::RowsWithoutBytes { n_bytes, max_rows } => {
                write!(
                    f,
                    "batches of {n_bytes} bytes claim more than {max_rows} rows, the maximum for so few bytes"
                )
            }
        }
    }
}

impl fmt::Debug for IpcFileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl Error for IpcFileError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match self.kind() {
            IpcFileErrorKind::Ipc(error) => Some(error),
            IpcFileErrorKind::Adapter(error) => Some(error),
            IpcFileErrorKind::Object(error) => Some(error),
            IpcFileErrorKind::LargeNull { .. }
            | IpcFileErrorKind::NoNull { .. }
            | IpcFileErrorKind::RowsWithoutBytes { .. } => None,
        }
    }
}

impl From<IpcFileError> for DataFusionError {
    fn from(error: IpcFileError) -> DataFusionError {
        DataFusionError::External(Box::new(error))
    }
}

macro_rules! kinds {
    ($($kind:ident($error:ty)),+) => {$(
        impl From<$error> for IpcFileErrorKind {
            fn from(error: $error) -> IpcFileErrorKind {
                IpcFileErrorKind::$kind(error)
            }
        }
    )+};
}

kinds!(Ipc(IpcError), Adapter(AdapterError), Object(ObjectError));
