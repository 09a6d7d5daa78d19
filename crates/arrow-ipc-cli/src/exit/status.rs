//! The exit statuses of the program.

use arrow_compute::PredicateErrorKind;
use arrow_ipc::{ErrorClass, IpcError, IpcErrorKind};
use arrow_ipc_dataset::DatasetErrorKind;
use arrow_ipc_tools::ToolErrorKind;

use super::is_closed_pipe;

/// The exit statuses. If several inputs have different statuses, the greatest counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Status {
    /// The command has succeeded.
    Fine = 0,
    /// The input is malformed or truncated, or the compared inputs differ.
    No = 1,
    /// The command line is wrong.
    Usage = 2,
    /// The command has succeeded, but the output lacks something in the input.
    DataLost = 3,
    /// The input cannot be read, or the output cannot be written.
    Io = 4,
    /// The input is unsupported, or over a limit.
    Refused = 5,
    /// It is unknown whether the compared inputs differ, because one is malformed or truncated.
    NoAnswer = 6,
}

impl Status {
    /// The status for the error of a tool.
    pub(super) fn from_kind(kind: &ToolErrorKind) -> Status {
        if let ToolErrorKind::Output(error) = kind {
            return Status::from_output_error(error);
        }
        match kind.class() {
            ErrorClass::Io | ErrorClass::OutOfMemory => Status::Io,
            ErrorClass::Truncated | ErrorClass::Malformed => Status::No,
            ErrorClass::Misuse if is_of_arguments(kind) => Status::Usage,
            // The command line can be right for other inputs. Later versions of the library may add error classes.
            _ => Status::Refused,
        }
    }

    /// The status for an error of writing. The input was read without error, so the output does not support its content.
    pub(super) fn from_output_error(error: &IpcError) -> Status {
        match (error.class(), error.kind()) {
            (_, IpcErrorKind::Write(error)) if is_closed_pipe(error) => Status::Fine,
            (ErrorClass::Io | ErrorClass::OutOfMemory, _) => Status::Io,
            _ => Status::Refused,
        }
    }
}

/// Whether a misuse is an argument that is wrong in itself, or names what the input does not have. Otherwise the values of
/// the input do not fit what is requested.
fn is_of_arguments(kind: &ToolErrorKind) -> bool {
    use ToolErrorKind::{
        CastTwice, Columns, Condition, Extension, FolderColumn, KeyTypes, MetadataKey, NewName, NoColumnLeft,
        PastEnd, Path, RenamedTwice, RepeatedKey, RepeatedName, Row, Set,
    };
    match kind {
        Condition(error) => {
            !matches!(error.kind(), PredicateErrorKind::Array(_) | PredicateErrorKind::Cast(_))
        }
        // A parent has nulls that the type cannot store.
        Path(error) => !matches!(error.kind(), arrow_data::DataErrorKind::NullsAbove { .. }),
        Set(error) => matches!(error, DatasetErrorKind::Column(_)),
        kind => matches!(
            kind,
            CastTwice { .. }
                | Columns { .. }
                | Extension { .. }
                | FolderColumn { .. }
                | KeyTypes { .. }
                | MetadataKey { .. }
                | NewName { .. }
                | NoColumnLeft
                | PastEnd { .. }
                | RenamedTwice { .. }
                | RepeatedKey { .. }
                | RepeatedName { .. }
                | Row(_)
        ),
    }
}
