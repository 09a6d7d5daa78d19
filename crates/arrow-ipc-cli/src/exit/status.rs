//! The exit statuses of the program.

use std::process::ExitCode;

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

impl From<Status> for ExitCode {
    fn from(status: Status) -> ExitCode {
        ExitCode::from(status as u8)
    }
}
