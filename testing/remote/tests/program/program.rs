//! Runs the program and returns its output.

use std::process::{Command, Stdio};

/// The status and output of a run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Outcome {
    pub(crate) status: i32,
    pub(crate) stdout: Vec<u8>,
    pub(crate) stderr: String,
}

impl Outcome {
    /// Removes the headline of `schema`. The headline needs the metadata of all batches, which the program does not
    /// fetch from URLs.
    pub(crate) fn without_headline(mut self) -> Outcome {
        let n_bytes = if self.stdout.starts_with(b"# ") {
            self.stdout.iter().position(|byte| *byte == b'\n').map_or(0, |position| position + 1)
        } else {
            0
        };
        self.stdout.drain(..n_bytes);
        self
    }
}

/// Runs the program with an empty standard input.
pub(crate) fn run(args: &[&str]) -> Outcome {
    run_with(args, &[])
}

/// Like [`run`], with environment variables.
pub(crate) fn run_with(args: &[&str], variables: &[(&str, &str)]) -> Outcome {
    let mut command = Command::new(env!("CARGO_BIN_EXE_program"));
    command.args(args).envs(variables.iter().copied()).stdin(Stdio::null());
    let output = command.output().expect("the program starts");
    Outcome {
        status: output.status.code().unwrap_or(-1),
        stdout: output.stdout,
        stderr: String::from_utf8(output.stderr).expect("standard error is text"),
    }
}
