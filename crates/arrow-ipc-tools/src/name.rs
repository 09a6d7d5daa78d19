//! Names of inputs.

use std::{
    fmt,
    path::{Path, PathBuf},
};

use arrow_schema::Quoted;

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

/// The output is not escaped. Use [`Escaped`](crate::Escaped) if names may contain control characters.
impl fmt::Display for InputName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            InputName::Path(path) => fmt::Display::fmt(&path.display(), f),
            InputName::Other(name) => f.write_str(name),
        }
    }
}

/// The name of an input as an argument of a shell command; `-` for standard input.
pub fn as_argument(name: &InputName) -> String {
    // In the program, only standard input has no path.
    let InputName::Path(path) = name else { return "-".to_owned() };
    quoted(&path.to_string_lossy())
}

/// The name of a column in the form that `--cast` and `--rename` accept before `=`.
pub fn name_of_option(name: &str) -> String {
    let is_plain = !name.starts_with('"') && !name.contains(|char: char| char == '=' || char.is_control());
    if is_plain { name.to_owned() } else { Quoted(name).to_string() }
}

/// A text as an argument of a shell command, in quotes if necessary.
pub fn quoted(text: &str) -> String {
    let is_plain = |char: char| char.is_alphanumeric() || "/._-+,:@%=".contains(char);
    let is_plain_in_double = |char: char| !"\"\\$`!".contains(char);
    if text.chars().all(is_plain) {
        text.to_owned()
    } else if text.contains('\'') && text.chars().all(is_plain_in_double) {
        format!("\"{text}\"")
    } else {
        format!("'{}'", text.replace('\'', "'\\''"))
    }
}
