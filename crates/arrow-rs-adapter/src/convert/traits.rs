//! The traits that convert, and the error that arrow-rs's functions can return.

use super::arrow::error::ArrowError;
use crate::error::{AdapterError, AdapterErrorKind, Result};

/// Values that can be passed to arrow-rs.
pub trait ToArrowRs {
    /// The type of arrow-rs.
    type Output;

    /// Makes arrow-rs's value, which shares the memory of this one.
    ///
    /// # Errors
    ///
    /// If arrow-rs has no such value, or the content of an array is invalid.
    fn to_arrow_rs(&self) -> Result<Self::Output>;
}

/// Values that can be made of those of arrow-rs.
pub trait FromArrowRs<T: ?Sized>: Sized {
    /// Makes our value, which shares the memory of `value`. The structure of arrays is checked, their content is not.
    ///
    /// # Errors
    ///
    /// If the format has no such value, or the structure of an array is invalid.
    fn try_from_arrow_rs(value: &T) -> Result<Self>;
}

/// An external error, which can be downcast.
impl From<AdapterError> for ArrowError {
    fn from(error: AdapterError) -> ArrowError {
        ArrowError::ExternalError(Box::new(error))
    }
}

/// An error of arrow-rs as the cause of ours.
pub(super) fn refused(error: ArrowError) -> AdapterError {
    AdapterErrorKind::ArrowRs(Box::new(error)).into()
}
