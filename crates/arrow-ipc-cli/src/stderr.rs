//! Writes notes and other labelled lines to standard error.

use std::io::{self, Write};

use arrow_ipc_tools::Escaped;

use crate::color::{TextRole, on_stderr};

/// Writes a note to standard error. A note does not change the status.
pub(crate) fn note(text: &str) {
    say("", TextRole::Note, "note", text);
}

/// Writes a hint after notes to standard error. It does not change the status.
pub(crate) fn hint(text: &str) {
    say("  ", TextRole::Hint, "hint", text);
}

/// Writes a line to standard error. If this fails, nothing happens, because nothing could report it.
pub(crate) fn say(space: &str, look: TextRole, what: &str, text: &str) {
    let what = on_stderr(look, format!("{what}:"));
    let _ = writeln!(io::stderr(), "{space}{what} {}", Escaped(text));
}
