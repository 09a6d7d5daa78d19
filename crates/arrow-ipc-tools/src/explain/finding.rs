//! Oddities of an input, and the commands that fix them.

use std::fmt;

/// Something odd about an input, or something that can be improved. [`Display`](fmt::Display) writes the text of the
/// finding.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Finding {
    /// The name of the finding, as in JSON; for example `no_end_marker`.
    pub name: &'static str,
    /// A sentence that says what was found.
    pub text: String,
    /// The command that fixes the input and keeps the compression of bodies; `None` if there is no such command.
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
    /// `convert`, `split` or `recover`.
    pub command: &'static str,
    /// The options after the input and the output.
    pub options: Vec<String>,
}
