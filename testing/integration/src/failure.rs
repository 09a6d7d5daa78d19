//! Why a command could not be done.

use std::{
    io::{self, Write},
    path::{Path, PathBuf},
    process::ExitCode,
};

use arrow_ipc::IpcError;

use crate::{DocumentError, Mismatch};

/// Why a command could not be done, or what differs.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Failure {
    /// A file that cannot be read or written.
    #[error("{}: {error}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// Why not.
        error: io::Error,
    },
    /// A document that is not one.
    #[error("{}: {error}", path.display())]
    Document {
        /// The document.
        path: PathBuf,
        /// What is wrong, and where.
        error: DocumentError,
    },
    /// An Arrow file that cannot be read or written.
    #[error("{}: {error}", path.display())]
    Arrow {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        error: IpcError,
    },
    /// A file that is not what the document says.
    #[error("{} is not what {} says: {error}", arrow.display(), json.display())]
    Mismatch {
        /// The document.
        json: PathBuf,
        /// The file.
        arrow: PathBuf,
        /// The first difference.
        error: Mismatch,
    },
    /// What comes in on standard input or goes out on standard output.
    #[error("{0}")]
    Convert(#[from] IpcError),
    /// A variable of the environment that is missing or makes no sense.
    #[error("the variable {name} {problem}")]
    Environment {
        /// The variable.
        name: &'static str,
        /// What is wrong with it.
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

/// The status that a program ends with; what went wrong goes to standard error.
pub fn report(outcome: Result<(), Failure>) -> ExitCode {
    let Err(failure) = outcome else { return ExitCode::SUCCESS };
    // A failure of standard error cannot be reported.
    let _ = writeln!(io::stderr(), "error: {failure}");
    ExitCode::from(if matches!(failure, Failure::Environment { .. }) { 2 } else { 1 })
}
