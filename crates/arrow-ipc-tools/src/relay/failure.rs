//! Errors of writing a message, which belong to the input or to the output.

use arrow_ipc::{ErrorClass, IpcError, IpcErrorKind};

use super::body::CopyError;
use crate::error::ToolErrorKind;

#[derive(Debug)]
pub(crate) enum RelayFailure {
    Input(IpcError),
    /// The output cannot be written, or does not support the message.
    Output(IpcError),
}

impl From<RelayFailure> for ToolErrorKind {
    fn from(failure: RelayFailure) -> ToolErrorKind {
        match failure {
            RelayFailure::Input(error) => ToolErrorKind::Input(error),
            RelayFailure::Output(error) => ToolErrorKind::Output(error),
        }
    }
}

/// Converts an error of the transcoder. The class `Misuse` means that the output does not support the message. All
/// other errors are about the input.
pub(super) fn of_transcoder(error: IpcError) -> RelayFailure {
    if error.class() == ErrorClass::Misuse { RelayFailure::Output(error) } else { RelayFailure::Input(error) }
}

pub(super) fn copied(copied: Result<(), CopyError>) -> Result<(), RelayFailure> {
    copied.map_err(|error| match error {
        CopyError::Source(error) => RelayFailure::Input(IpcErrorKind::Io(error).into()),
        CopyError::Sink(error) => RelayFailure::Output(error.into()),
    })
}
