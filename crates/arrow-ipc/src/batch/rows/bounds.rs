//! The result of reading rows, and which unused slots of children are read with them.

use arrow_data::RecordBatch;

use crate::{
    batch::account::Account,
    error::{IpcError, Result},
};

/// Which slots of children are read if the rows do not refer to all of them. This only affects items of list views, and
/// children of dense unions.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) enum ChildSlots {
    /// The slots from the first one to the last one that the rows refer to.
    #[default]
    OfRows,
    /// The slots of `OfRows`, and also earlier slots that have not been read. So reading all rows reads all slots.
    All,
}

/// The result of reading rows.
pub(crate) enum RowsFound {
    Read(Box<TakenRows>),
    /// The rows need more bytes than allowed. Only the bytes that show this were read. `is_scattered` means that the
    /// rows refer to bytes so far apart that fewer rows would not need much less.
    TooMany {
        is_scattered: bool,
    },
}

impl RowsFound {
    /// The rows, if no limit on their bytes was set.
    ///
    /// # Errors
    /// An internal error if the rows were refused because of their bytes.
    pub(crate) fn unbounded(self) -> Result<TakenRows> {
        match self {
            RowsFound::Read(taken) => Ok(*taken),
            RowsFound::TooMany { .. } => {
                Err(IpcError::internal("rows are refused that may take any number of bytes"))
            }
        }
    }
}

/// Rows, and the cost of reading them.
pub(crate) struct TakenRows {
    pub(crate) batch: RecordBatch,
    /// The charges of the batch so far.
    pub(crate) account: Account,
    /// The number of decompressed bytes of the body that the rows took.
    pub(crate) n_bytes: u64,
}
