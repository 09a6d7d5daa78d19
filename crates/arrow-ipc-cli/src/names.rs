//! Names of inputs and outputs on the command line.

use std::{ffi::OsString, fmt, path::PathBuf};

/// An input as given on the command line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum InputName {
    Stdin,
    Path(PathBuf),
}

/// An output as given on the command line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum OutputName {
    Stdout,
    Path(PathBuf),
}

impl InputName {
    /// The name as an argument of a command line.
    pub(crate) fn as_argument(&self) -> String {
        let InputName::Path(path) = self else { return "-".to_owned() };
        let text = path.to_string_lossy();
        let is_plain = |char: char| char.is_alphanumeric() || "/._-+,:@%=".contains(char);
        if text.chars().all(is_plain) {
            text.into_owned()
        } else {
            format!("'{}'", text.replace('\'', "'\\''"))
        }
    }
}

impl From<OsString> for InputName {
    fn from(name: OsString) -> InputName {
        if name == "-" { InputName::Stdin } else { InputName::Path(PathBuf::from(name)) }
    }
}

impl From<OsString> for OutputName {
    fn from(name: OsString) -> OutputName {
        if name == "-" { OutputName::Stdout } else { OutputName::Path(PathBuf::from(name)) }
    }
}

impl fmt::Display for InputName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            InputName::Stdin => f.write_str("standard input"),
            InputName::Path(path) => fmt::Display::fmt(&path.display(), f),
        }
    }
}

impl fmt::Display for OutputName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            OutputName::Stdout => f.write_str("standard output"),
            OutputName::Path(path) => fmt::Display::fmt(&path.display(), f),
        }
    }
}
