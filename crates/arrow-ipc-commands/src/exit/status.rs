//! The exit statuses of the program.

use std::process::ExitCode;

/// The exit statuses, from best to worst.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Status {
    /// Success.
    Fine = 0,
    /// The input is malformed or truncated; the compared inputs differ.
    No = 1,
    /// The command line is wrong.
    Usage = 2,
    /// Success, but the output does not contain all of the input.
    DataLost = 3,
    /// The input cannot be read, or the output cannot be written.
    Io = 4,
    /// The input is unsupported, or over a limit.
    Refused = 5,
    /// It is unknown whether the inputs differ, because one of them is malformed or truncated.
    NoAnswer = 6,
}

impl From<Status> for ExitCode {
    fn from(status: Status) -> ExitCode {
        ExitCode::from(status as u8)
    }
}
