//! How a task fails: lines for the person, a status for the shell.

use std::fmt;

/// The result of a task.
pub(crate) type Outcome = Result<(), Failure>;

/// What went wrong, one line per finding.
#[derive(Debug)]
pub(crate) struct Failure {
    pub(crate) status: u8,
    /// What to print, each on a line of its own.
    pub(crate) lines: Vec<String>,
}

impl Failure {
    /// The work could not be done, or found something wrong.
    pub(crate) fn new(line: impl Into<String>) -> Failure {
        Failure { status: 1, lines: vec![line.into()] }
    }

    /// The command line was wrong.
    pub(crate) fn usage(line: impl Into<String>) -> Failure {
        Failure { status: 2, lines: vec![line.into()] }
    }

    /// Something could not be read, written or run.
    pub(crate) fn io(what: impl fmt::Display, error: &std::io::Error) -> Failure {
        Failure::new(format!("{what}: {error}"))
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.lines.iter().try_for_each(|line| writeln!(f, "{line}"))
    }
}
