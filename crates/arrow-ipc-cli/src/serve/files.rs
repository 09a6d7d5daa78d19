//! Files that are served, and the versions of their content.

use std::{fmt::Write as _, fs::File, io, path::Path, time::UNIX_EPOCH};

use arrow_ipc::ReadAt;

/// A file that stays open, so that its path may change.
#[derive(Debug)]
pub(super) struct ServedFile {
    file: File,
    /// What follows the token in its address.
    path: String,
}

/// A version of the content of a file: its length, and the time of the last change.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Version {
    pub(super) n_bytes: u64,
    pub(super) etag: String,
}

impl ServedFile {
    /// # Errors
    /// If the file cannot be opened, or is not a regular file.
    pub(super) fn open(idx: usize, path: &Path) -> io::Result<ServedFile> {
        let file = File::open(path)?;
        if !file.metadata()?.is_file() {
            return Err(io::Error::other("not a regular file, of which ranges can be read"));
        }
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        Ok(ServedFile { file, path: format!("{idx}/{}", encoded(&name)) })
    }

    pub(super) fn path(&self) -> &str {
        &self.path
    }

    pub(super) fn version(&self) -> io::Result<Version> {
        let metadata = self.file.metadata()?;
        let changed = metadata.modified()?.duration_since(UNIX_EPOCH).unwrap_or_default();
        let n_bytes = metadata.len();
        Ok(Version { n_bytes, etag: format!("\"{n_bytes:x}-{:x}\"", changed.as_nanos()) })
    }

    /// Reads up to the length of `buffer`.
    pub(super) fn read(&self, buffer: &mut [u8], position: u64) -> io::Result<usize> {
        self.file.read_at(buffer, position)
    }
}

/// A name as a part of a path of a URL. Only letters, digits, `-`, `_`, `.` and `~` stay as they are.
fn encoded(name: &str) -> String {
    let mut text = String::new();
    for byte in name.bytes() {
        if byte.is_ascii_alphanumeric() || b"-_.~".contains(&byte) {
            text.push(char::from(byte));
        } else {
            // Writing to a text does not fail.
            let _ = write!(text, "%{byte:02X}");
        }
    }
    text
}
