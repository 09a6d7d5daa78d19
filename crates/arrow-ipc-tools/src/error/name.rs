//! Names of inputs.

use std::{
    fmt,
    path::{Path, PathBuf},
};

/// The name of an input in errors and notes.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum InputName {
    /// A file at this path.
    Path(PathBuf),
    /// An input without a path, such as standard input or bytes in memory.
    Other(String),
}

impl InputName {
    /// How a sentence refers to the input: `file` or `input`.
    pub(crate) fn noun(&self) -> &'static str {
        match self {
            InputName::Path(_) => "file",
            InputName::Other(_) => "input",
        }
    }
}

impl From<&InputName> for InputName {
    fn from(name: &InputName) -> InputName {
        name.clone()
    }
}

impl From<&Path> for InputName {
    fn from(path: &Path) -> InputName {
        InputName::Path(path.to_owned())
    }
}

impl From<PathBuf> for InputName {
    fn from(path: PathBuf) -> InputName {
        InputName::Path(path)
    }
}

/// Makes a name for an input that is not a file.
impl From<&str> for InputName {
    fn from(name: &str) -> InputName {
        InputName::Other(name.to_owned())
    }
}

/// Makes a name for an input that is not a file.
impl From<String> for InputName {
    fn from(name: String) -> InputName {
        InputName::Other(name)
    }
}

/// The output is not escaped. Use [`Escaped`](arrow_text::format::Escaped) if names may contain control characters.
impl fmt::Display for InputName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            InputName::Path(path) => fmt::Display::fmt(&path.display(), f),
            InputName::Other(name) => f.write_str(name),
        }
    }
}
