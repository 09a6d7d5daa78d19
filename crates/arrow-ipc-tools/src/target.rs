//! The container of the output.

use std::{ffi::OsStr, path::Path};

/// The container of the output.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Target {
    /// An Arrow IPC stream.
    Stream,
    /// An Arrow IPC file.
    File,
}

impl Target {
    /// The container that the extension of a name stands for, in upper or lower case: `.arrows` is a stream; `.arrow`,
    /// `.feather` and `.ipc` are files. `None` for all other extensions.
    pub fn of_name(path: &Path) -> Option<Target> {
        let extension = path.extension().and_then(OsStr::to_str)?.to_ascii_lowercase();
        match extension.as_str() {
            "arrows" => Some(Target::Stream),
            "arrow" | "feather" | "ipc" => Some(Target::File),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_say_what_they_hold() {
        let cases = [
            ("a.arrows", Some(Target::Stream)),
            ("a.arrow", Some(Target::File)),
            ("b/a.feather", Some(Target::File)),
            ("a.ipc", Some(Target::File)),
            ("A.ARROWS", Some(Target::Stream)),
            ("a.parquet", None),
            ("arrow", None),
            ("a.arrow/b", None),
        ];
        for (name, expected) in cases {
            assert_eq!(Target::of_name(Path::new(name)), expected, "{name}");
        }
    }
}
