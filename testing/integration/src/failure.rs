//! The failure of a command.

use std::{
    io::{self, Write},
    path::{Path, PathBuf},
    process::ExitCode,
};

use arrow_ipc::IpcError;

use crate::{DocumentError, Mismatch};

/// The reason why a command failed, or the difference that it found.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Failure {
    /// A file cannot be read or written.
    #[error("{}: {error}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// The error of the system.
        error: io::Error,
    },
    /// A document is not valid.
    #[error("{}: {error}", path.display())]
    Document {
        /// The document.
        path: PathBuf,
        /// The cause, and the path in the document.
        error: DocumentError,
    },
    /// An Arrow file cannot be read or written.
    #[error("{}: {error}", path.display())]
    Arrow {
        /// The file.
        path: PathBuf,
        /// The cause.
        error: IpcError,
    },
    /// A file differs from its document.
    #[error("{} is not what {} says: {error}", arrow.display(), json.display())]
    Mismatch {
        /// The document.
        json: PathBuf,
        /// The file.
        arrow: PathBuf,
        /// The first difference.
        error: Mismatch,
    },
    /// Standard input cannot be read as Arrow data, or standard output cannot be written.
    #[error("{0}")]
    Convert(#[from] IpcError),
    /// An environment variable is missing or invalid.
    #[error("the variable {name} {problem}")]
    Environment {
        /// The variable.
        name: &'static str,
        /// The problem with its value.
        problem: &'static str,
    },
}

impl Failure {
    pub(crate) fn io(path: &Path) -> impl FnOnce(io::Error) -> Failure + use<> {
        let path = path.to_owned();
        |error| Failure::Io { path, error }
    }

    pub(crate) fn document(path: &Path) -> impl FnOnce(DocumentError) -> Failure + use<> {
        let path = path.to_owned();
        |error| Failure::Document { path, error }
    }

    pub(crate) fn arrow(path: &Path) -> impl FnOnce(IpcError) -> Failure + use<> {
        let path = path.to_owned();
        |error| Failure::Arrow { path, error }
    }
}

/// The exit status of a program. A failure is also printed to standard error.
pub fn report(outcome: Result<(), Failure>) -> ExitCode {
    let Err(failure) = outcome else { return ExitCode::SUCCESS };
    // A failure of standard error cannot be reported.
    let _ = writeln!(io::stderr(), "error: {failure}");
    ExitCode::from(if matches!(failure, Failure::Environment { .. }) { 2 } else { 1 })
}
