//! The failure of a task: lines for the person, and a status for the shell.

use std::fmt;

/// The status of a task or script that has done nothing, since something that it needs is not there. Test harnesses of others use it, too.
pub(crate) const SKIPPED: u8 = 77;

/// The result of a task.
pub(crate) type Outcome = Result<(), Failure>;

/// What failed, with one line for each finding.
#[derive(Debug)]
pub(crate) struct Failure {
    pub(crate) status: u8,
    /// The lines to print.
    pub(crate) lines: Vec<String>,
}

impl Failure {
    /// A task could not be done, or found a problem.
    pub(crate) fn new(line: impl Into<String>) -> Failure {
        Failure { status: 1, lines: vec![line.into()] }
    }

    /// The command line was invalid.
    pub(crate) fn usage(line: impl Into<String>) -> Failure {
        Failure { status: 2, lines: vec![line.into()] }
    }

    /// Nothing was done, since something is not there.
    pub(crate) fn skipped(why: &str) -> Failure {
        Failure { status: SKIPPED, lines: vec![format!("SKIPPED: {why}")] }
    }

    /// A file could not be read or written, or a program could not be run.
    pub(crate) fn io(what: impl fmt::Display, error: &std::io::Error) -> Failure {
        Failure::new(format!("{what}: {error}"))
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.lines.iter().try_for_each(|line| writeln!(f, "{line}"))
    }
}
