//! Findings of an explanation, and the commands that fix them.

use std::fmt;

/// An oddity of an input, or a possible improvement. [`Display`](fmt::Display) writes its text.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Finding {
    /// The name of the finding in JSON, such as `no_end_marker`.
    pub name: &'static str,
    /// A sentence that says what was found.
    pub text: String,
    /// A command that fixes the input without changing the compression of bodies; `None` if there is no such command.
    pub remedy: Option<Remedy>,
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

/// A command of the program `arrow-ipc` that fixes a finding: `arrow-ipc COMMAND IN OUT OPTIONS`.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Remedy {
    /// The name of the command: `convert`, `split` or `recover`.
    pub command: &'static str,
    /// The options, which follow the input and the output.
    pub options: Vec<String>,
}
