//! Errors of text or of a data set that is read as a stream of its rows: they pass through the reader of the stream as errors of its input.

use std::{
    fmt,
    sync::{Mutex, PoisonError},
};

use arrow_ipc::IpcErrorKind;

use crate::error::{ToolError, ToolErrorKind};

/// The error of the text, or of a file of a data set, that caused an error of the reader of the stream. If there is none, the
/// error of the reader.
pub fn cause_of(error: ToolError) -> ToolError {
    let cause = match (error.kind(), error.ipc_error().map(|error| error.kind())) {
        (ToolErrorKind::Read(error) | ToolErrorKind::Spool(error), _)
        | (_, Some(IpcErrorKind::Io(error))) => {
            error.get_ref().and_then(|error| error.downcast_ref::<TextFailure>())
        }
        _ => None,
    };
    cause.and_then(TextFailure::take).unwrap_or(error)
}

/// The error of a text, on its way through the reader of the stream.
pub(crate) struct TextFailure {
    text: String,
    error: Mutex<Option<ToolError>>,
}

impl TextFailure {
    pub(crate) fn new(error: ToolError) -> TextFailure {
        TextFailure { text: error.to_string(), error: Mutex::new(Some(error)) }
    }

    fn take(&self) -> Option<ToolError> {
        self.error.lock().unwrap_or_else(PoisonError::into_inner).take()
    }
}

impl fmt::Display for TextFailure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

/// Shows the error without its type.
impl fmt::Debug for TextFailure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("TextError").field("text", &self.text).finish_non_exhaustive()
    }
}

impl std::error::Error for TextFailure {}
