//! The error of a recovery whose schema fits no batch.

use std::{error, fmt};

use arrow_ipc::{ErrorClass, IpcError, IpcErrorKind};

/// No batch has as many nodes and buffers as the schema needs, so the schema is probably damaged. It is the error in an
/// [`IpcErrorKind::Other`].
#[derive(Debug)]
#[non_exhaustive]
pub struct SchemaMismatch {
    /// Whether the caller passed the schema.
    pub is_given: bool,
    /// The number of batches that were compared with the schema.
    pub n_batches: u64,
    /// Why the first batch does not fit the schema.
    pub first: IpcErrorKind,
}

impl SchemaMismatch {
    /// The mismatch that an error contains.
    ///
    /// ```
    /// use arrow_ipc::{IpcError, IpcErrorKind};
    /// use arrow_ipc_recover::SchemaMismatch;
    ///
    /// let error = IpcError::from(IpcErrorKind::EmptyInput);
    /// assert!(SchemaMismatch::from_error(&error).is_none());
    /// ```
    pub fn from_error(error: &IpcError) -> Option<&SchemaMismatch> {
        if let IpcErrorKind::Other { error, .. } = error.kind() { error.downcast_ref() } else { None }
    }

    pub(crate) fn into_ipc_error(self) -> IpcError {
        let what = if self.is_given { "the given schema is wrong" } else { "the schema is wrong" };
        IpcErrorKind::Other { what, class: ErrorClass::Malformed, error: Box::new(self) }.into()
    }
}

impl fmt::Display for SchemaMismatch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let SchemaMismatch { n_batches, first, .. } = self;
        match n_batches {
            1 => write!(f, "it does not fit the only batch: {first}"),
            _ => write!(f, "it fits none of the {n_batches} batches: {first}"),
        }
    }
}

impl error::Error for SchemaMismatch {}
