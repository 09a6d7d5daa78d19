//! Colours on terminals, and labelled lines on standard error.

use std::{
    env,
    fmt::{self, Display},
    io::{self, Write},
};

use arrow_ipc_report::TextColors;
use arrow_text::format::Escaped;

use super::{is_stderr_terminal, is_stdout_terminal};
use crate::context::{ColorChoice, Context};

/// The role of a text in the output. It determines the colour.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum TextRole {
    Error,
    Hint,
    Note,
    /// Names of columns, heads of tables, and positions.
    Title,
    /// The type of a column, or the role of a buffer.
    Type,
    /// What is wrong or odd about an input.
    Problem,
    /// Text about the first of two inputs, or the word that says that the inputs differ.
    OnlyA,
    /// Text about the second of two inputs, or the word that says that the inputs are equal.
    OnlyB,
}

impl TextRole {
    fn begin(self) -> &'static str {
        match self {
            TextRole::Error => "\x1b[1;31m",
            TextRole::Hint => "\x1b[36m",
            TextRole::Note => "\x1b[33m",
            TextRole::Title => "\x1b[1m",
            TextRole::Type => "\x1b[36m",
            TextRole::Problem => "\x1b[33m",
            TextRole::OnlyA => "\x1b[31m",
            TextRole::OnlyB => "\x1b[32m",
        }
    }
}

/// Ends each colour.
const END: &str = "\x1b[0m";

/// Formats a text, with a colour if colours are enabled.
pub(crate) struct StyledText<T> {
    look: Option<TextRole>,
    shown: T,
}

impl Context {
    /// Formats a text for standard output, with a colour if it has colours.
    pub(crate) fn on_stdout<T: Display>(&self, look: TextRole, shown: T) -> StyledText<T> {
        StyledText { look: self.is_stdout_painted().then_some(look), shown }
    }

    /// Formats a text for standard error, with a colour if it has colours.
    pub(crate) fn on_stderr<T: Display>(&self, look: TextRole, shown: T) -> StyledText<T> {
        StyledText { look: is_colored(self.color(), is_stderr_terminal).then_some(look), shown }
    }

    /// The colours of a report on standard output; none if it has no colours.
    pub(crate) fn report_colors(&self) -> TextColors {
        if !self.is_stdout_painted() {
            return TextColors::default();
        }
        TextColors {
            name: TextRole::Title.begin(),
            data_type: TextRole::Type.begin(),
            problem: TextRole::Problem.begin(),
            end: END,
        }
    }

    /// Whether standard output has colours.
    pub(crate) fn is_stdout_painted(&self) -> bool {
        is_colored(self.color(), is_stdout_terminal)
    }

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

fn is_colored(when: ColorChoice, is_terminal: fn() -> bool) -> bool {
    match when {
        ColorChoice::Always => true,
        ColorChoice::Never => false,
        ColorChoice::Auto => {
            let is_refused = env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
            !is_refused && env::var_os("TERM").is_none_or(|term| term != "dumb") && is_terminal()
        }
    }
}

impl<T: Display> Display for StyledText<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.look {
            Some(look) => write!(f, "{}{}{END}", look.begin(), self.shown),
            None => self.shown.fmt(f),
        }
    }
}
