//! Writes notes and other labelled lines to standard error.

use std::io::{self, Write};

use arrow_text::format::Escaped;

use crate::{context::Context, terminal::color::TextRole};

impl Context {
    /// Writes a note to standard error. A note does not change the status.
    pub(crate) fn note(&self, text: &str) {
        self.write_line("", TextRole::Note, "note", text);
    }

    /// Writes a hint after notes to standard error. It does not change the status.
    pub(crate) fn hint(&self, text: &str) {
        self.write_line("  ", TextRole::Hint, "hint", text);
    }

    /// Writes a line to standard error. If this fails, nothing happens, because nothing could report it.
    pub(crate) fn write_line(&self, space: &str, look: TextRole, what: &str, text: &str) {
        let what = self.on_stderr(look, format!("{what}:"));
        let _ = writeln!(io::stderr(), "{space}{what} {}", Escaped(text));
    }
}
