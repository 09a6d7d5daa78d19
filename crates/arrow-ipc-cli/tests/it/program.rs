//! Runs the program and returns its output.

use std::{
    ffi::OsStr,
    io::Write,
    path::PathBuf,
    process::{Command, Output, Stdio},
};

/// The exit status and the output of a program.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Outcome {
    pub(crate) status: i32,
    pub(crate) stdout: Vec<u8>,
    pub(crate) stderr: String,
}

impl Outcome {
    pub(crate) fn text(&self) -> &str {
        std::str::from_utf8(&self.stdout).expect("standard output is text")
    }

    /// The summary of `diff`; empty if it has none.
    pub(crate) fn summary(&self) -> &str {
        let first = self.text().lines().next().unwrap_or_default();
        if first.starts_with("equal: ") || first.starts_with("differ: ") { first } else { "" }
    }

    /// The output of `diff` after its summary.
    pub(crate) fn differences(&self) -> &str {
        let text = self.text().strip_prefix(self.summary()).unwrap_or_default();
        text.strip_prefix('\n').unwrap_or(text)
    }

    /// Panics unless the status is one of these.
    #[track_caller]
    pub(crate) fn expect(&self, statuses: &[i32]) -> &Outcome {
        assert!(statuses.contains(&self.status), "{statuses:?} expected: {self:?}");
        self
    }
}

/// The program with these arguments, in the folder `testing/corpus`, with an unknown width of the terminal.
pub(crate) fn command<A: AsRef<OsStr>>(args: impl IntoIterator<Item = A>) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_arrow-ipc"));
    command.args(args).current_dir(corpus()).env_remove("COLUMNS");
    command
}

/// Runs the program with an empty standard input.
pub(crate) fn run<A: AsRef<OsStr>>(args: impl IntoIterator<Item = A>) -> Outcome {
    outcome(&command(args).stdin(Stdio::null()).output().expect("the program starts"))
}

/// Runs the program with these bytes at standard input.
pub(crate) fn run_with_input<A: AsRef<OsStr>>(args: impl IntoIterator<Item = A>, input: &[u8]) -> Outcome {
    finish(&mut command(args), input)
}

/// Runs a command with these bytes at standard input.
pub(crate) fn finish(command: &mut Command, input: &[u8]) -> Outcome {
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().expect("the program starts");
    let mut stdin = child.stdin.take().expect("a pipe");
    let output = std::thread::scope(|scope| {
        // Writing fails if the program closes the pipe early.
        scope.spawn(move || drop(stdin.write_all(input)));
        child.wait_with_output().expect("the program ends")
    });
    outcome(&output)
}

pub(crate) fn outcome(output: &Output) -> Outcome {
    Outcome {
        // The program was ended by a signal.
        status: output.status.code().unwrap_or(-1),
        stdout: output.stdout.clone(),
        stderr: String::from_utf8(output.stderr.clone()).expect("standard error is text"),
    }
}

pub(crate) fn corpus() -> PathBuf {
    testing_support::corpus_dir().canonicalize().expect("the corpus exists")
}

/// The golden files: the path without extension, and which of `.arrows` and `.arrow` exist.
pub(crate) fn golden_cases() -> Vec<(PathBuf, Vec<PathBuf>)> {
    let schemas = testing_support::files_below(&corpus().join("golden"), ".schema");
    let cases: Vec<_> = schemas
        .into_iter()
        .map(|schema| {
            let files = ["arrows", "arrow"].map(|suffix| schema.with_extension(suffix));
            (schema.with_extension(""), files.into_iter().filter(|file| file.exists()).collect())
        })
        .collect();
    assert!(cases.len() > 100, "{} golden cases", cases.len());
    cases
}

/// A folder for many small files, in memory if possible, because `convert` waits until its output is on the disk.
pub(crate) fn folder_in_memory() -> tempfile::TempDir {
    tempfile::tempdir_in("/dev/shm").unwrap_or_else(|_| temporary_folder())
}

/// A folder that is removed when the value is dropped.
pub(crate) fn temporary_folder() -> tempfile::TempDir {
    tempfile::tempdir().expect("a temporary folder")
}
