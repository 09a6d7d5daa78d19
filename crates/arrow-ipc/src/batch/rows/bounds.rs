//! The result of reading rows, and which unused slots of children are read.

use arrow_data::RecordBatch;

use crate::{
    batch::account::Account,
    error::{IpcError, Result},
};

/// Which slots of children to read if the rows do not refer to all slots. This affects only items of list views and
/// children of dense unions.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) enum ChildSlots {
    /// The range from the first to the last slot that the rows refer to.
    #[default]
    OfRows,
    /// The range of `OfRows`, extended to earlier slots that have not been read. So all slots are read once all rows
    /// are read.
    All,
}

pub(crate) enum BoundedRows {
    Read(Box<DecodedRows>),
    /// The rows need more bytes than allowed. No bytes beyond the limit were read. `is_scattered` means that the rows
    /// refer to bytes so far apart that fewer rows would need almost as many bytes.
    TooMany {
        is_scattered: bool,
    },
}

impl BoundedRows {
    /// Returns the rows, for callers that set no limit on bytes.
    ///
    /// # Errors
    /// An internal error if the rows need more bytes than allowed.
    pub(crate) fn unbounded(self) -> Result<DecodedRows> {
        match self {
            BoundedRows::Read(taken) => Ok(*taken),
            BoundedRows::TooMany { .. } => Err(IpcError::internal("rows were refused without a limit")),
        }
    }
}

pub(crate) struct DecodedRows {
    pub(crate) batch: RecordBatch,
    /// The charges of all rows of the batch so far.
    pub(crate) account: Account,
    /// The number of decompressed bytes of the body that the rows needed.
    pub(crate) n_bytes: u64,
}
