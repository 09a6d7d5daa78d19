//! The exit status of each failure.

use std::{io, process::ExitCode};

use arrow_compute::{CastErrorKind, StatisticsError};
use arrow_data::DataErrorKind;
use arrow_ipc::{ErrorClass, IpcError, IpcErrorKind};
use arrow_ipc_tools::{ShapesErrorKind, ToolErrorKind};

use super::{Failure, is_closed_pipe};

/// The exit statuses, from best to worst.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Status {
    /// Success.
    Fine = 0,
    /// The input is malformed or truncated; the compared inputs differ.
    No = 1,
    /// The command line is wrong.
    Usage = 2,
    /// Success, but the output does not hold all of the input.
    DataLost = 3,
    /// The input cannot be read, or the output cannot be written.
    Io = 4,
    /// Unsupported, or over a limit.
    Refused = 5,
    /// Unknown whether the inputs differ: one of them is malformed or truncated.
    NoAnswer = 6,
}

impl From<Status> for ExitCode {
    fn from(status: Status) -> ExitCode {
        ExitCode::from(status as u8)
    }
}

impl Failure {
    /// The exit status. A closed pipe is not a failure: its reader has seen enough.
    pub(crate) fn status(&self) -> Status {
        match self {
            Failure::Tool(error) | Failure::Advised { error, .. } => status_of(error.kind()),
            Failure::TooMuchText { .. } | Failure::SchemaLength { .. } => Status::Refused,
            Failure::UnknownTarget { .. }
            | Failure::FolderForOne { .. }
            | Failure::NoFolder { .. }
            | Failure::SameOutput { .. }
            | Failure::Unnamed { .. }
            | Failure::Needs { .. }
            | Failure::OfFooter { .. }
            | Failure::ColumnsOfTensors { .. }
            | Failure::Terminal { .. }
            | Failure::Locate { .. }
            | Failure::Asked { .. }
            | Failure::SchemaText { .. }
            | Failure::SameFile { .. }
            | Failure::PageOverData { .. }
            | Failure::NoCommand { .. }
            | Failure::OptionOf { .. }
            | Failure::SchemaJson { .. }
            | Failure::RepeatedStdin { .. } => Status::Usage,
            Failure::NotText { .. } => Status::No,
            Failure::Shapes { error, .. } => shapes_status(error.kind()),
            Failure::Options { error } => match error.class() {
                ErrorClass::Unsupported => Status::Refused,
                _ => Status::Usage,
            },
            Failure::Write { error, .. } if is_closed_pipe(error) => Status::Fine,
            Failure::Write { .. } | Failure::MissingFolder { .. } => Status::Io,
            Failure::Encode { error, .. }
            | Failure::Recover { error, .. }
            | Failure::Append { error, .. }
            | Failure::AppendInput { error, .. } => output_status(error),
        }
    }
}

fn status_of(kind: &ToolErrorKind) -> Status {
    match kind {
        kind if is_out_of_memory(kind) => Status::Io,
        // What decompresses an input says so.
        ToolErrorKind::Read(error) | ToolErrorKind::Spool(error)
            if error.kind() == io::ErrorKind::InvalidData =>
        {
            Status::No
        }
        ToolErrorKind::Read(_) | ToolErrorKind::Spool(_) => Status::Io,
        ToolErrorKind::Empty
        | ToolErrorKind::TrailingBytes(_)
        | ToolErrorKind::NoEndMarker { .. }
        | ToolErrorKind::StreamAfterTensors { .. }
        | ToolErrorKind::NotArrow { .. }
        | ToolErrorKind::Values(_)
        | ToolErrorKind::Statistics(_)
        | ToolErrorKind::Row(_)
        | ToolErrorKind::Contradiction(_) => Status::No,
        ToolErrorKind::OtherColumns { .. }
        | ToolErrorKind::OtherInput { .. }
        | ToolErrorKind::TensorsAlone
        | ToolErrorKind::Cast { .. }
        | ToolErrorKind::LongNames { .. }
        | ToolErrorKind::TooManyPieces { .. }
        | ToolErrorKind::RowMemory { .. }
        | ToolErrorKind::Stopped => Status::Refused,
        ToolErrorKind::Input(error)
        | ToolErrorKind::LaterStream { error, .. }
        | ToolErrorKind::Batch { error, .. }
        | ToolErrorKind::Block { error, .. }
        | ToolErrorKind::Message { error, .. } => match error.class() {
            ErrorClass::Io if is_damage(error) => Status::No,
            ErrorClass::Io | ErrorClass::OutOfMemory => Status::Io,
            ErrorClass::Truncated | ErrorClass::Malformed => Status::No,
            // Classes of future versions are refusals, too.
            _ => Status::Refused,
        },
        ToolErrorKind::Columns { .. }
        | ToolErrorKind::RepeatedName { .. }
        | ToolErrorKind::PastEnd { .. } => Status::Usage,
        ToolErrorKind::Output(error) => output_status(error),
        // The path is wrong for this schema, or for the nulls of these values.
        ToolErrorKind::Path(error) => match error.kind() {
            DataErrorKind::NullsAbove { .. } => Status::Refused,
            _ => Status::Usage,
        },
    }
}

/// Whether the tools themselves lacked memory for values, and not a reader or writer.
fn is_out_of_memory(kind: &ToolErrorKind) -> bool {
    let data = match kind {
        ToolErrorKind::Cast { error, .. } => match error.kind() {
            CastErrorKind::Data(error) => error,
            _ => return false,
        },
        ToolErrorKind::Statistics(StatisticsError::Data(error)) | ToolErrorKind::Path(error) => error,
        _ => return false,
    };
    data.is_out_of_memory()
}

/// Whether the decoder of a compressed input says that it is damaged.
fn is_damage(error: &IpcError) -> bool {
    matches!(error.kind(), IpcErrorKind::Io(error) if error.kind() == io::ErrorKind::InvalidData)
}

/// The status for an error of shapes. Shapes that contradict the schema or themselves are malformed.
fn shapes_status(kind: &ShapesErrorKind) -> Status {
    match kind {
        ShapesErrorKind::Plan(error) => match error.class() {
            ErrorClass::Unsupported | ErrorClass::LimitExceeded => Status::Refused,
            _ => Status::No,
        },
        _ => Status::No,
    }
}

fn output_status(error: &IpcError) -> Status {
    match (error.class(), error.kind()) {
        (_, IpcErrorKind::Io(error)) if is_closed_pipe(error) => Status::Fine,
        (ErrorClass::Io | ErrorClass::OutOfMemory, _) => Status::Io,
        // The input was read, so the output format does not support its content.
        _ => Status::Refused,
    }
}
