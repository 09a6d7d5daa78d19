//! Names of inputs and outputs on the command line.

use std::{ffi::OsString, fmt, io, path::PathBuf};

use arrow_ipc_tools::{Input, ToolError};

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
    /// Opens the input and detects its kind.
    ///
    /// # Errors
    /// If it cannot be opened or read, or is neither a stream nor a file.
    pub(crate) fn open(&self) -> Result<Input, ToolError> {
        match self {
            InputName::Stdin => Input::try_from_reader(self.to_string(), io::stdin()),
            InputName::Path(path) => Input::open(path),
        }
    }
}

impl From<&InputName> for arrow_ipc_tools::InputName {
    fn from(name: &InputName) -> arrow_ipc_tools::InputName {
        match name {
            InputName::Stdin => name.to_string().into(),
            InputName::Path(path) => path.as_path().into(),
        }
    }
}

/// The name of an input as an argument of a command line.
pub(crate) fn as_argument(name: &arrow_ipc_tools::InputName) -> String {
    // Only standard input has another name than a path.
    let arrow_ipc_tools::InputName::Path(path) = name else { return "-".to_owned() };
    let text = path.to_string_lossy();
    let is_plain = |char: char| char.is_alphanumeric() || "/._-+,:@%=".contains(char);
    if text.chars().all(is_plain) { text.into_owned() } else { format!("'{}'", text.replace('\'', "'\\''")) }
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
