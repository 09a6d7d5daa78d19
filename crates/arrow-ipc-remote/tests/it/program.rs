//! Runs the program and keeps its output.

use std::process::{Command, Stdio};

/// The status and output of a run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Outcome {
    pub(crate) status: i32,
    pub(crate) stdout: Vec<u8>,
    pub(crate) stderr: String,
}

/// Runs the program without input.
pub(crate) fn run(args: &[&str]) -> Outcome {
    let mut command = Command::new(env!("CARGO_BIN_EXE_arrow-ipc"));
    let output = command.args(args).stdin(Stdio::null()).output().expect("the program starts");
    Outcome {
        status: output.status.code().unwrap_or(-1),
        stdout: output.stdout,
        stderr: String::from_utf8(output.stderr).expect("standard error is text"),
    }
}
