//! The version of a file: its length, and a modification time or a tag.

use std::{
    fs::File,
    io,
    time::{Duration, SystemTime},
};

/// The version of a file: two versions are equal if length and stamp are equal.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct FileVersion {
    /// The length of the file in bytes.
    pub n_bytes: u64,
    /// Distinguishes this version from others of the same length.
    pub stamp: FileStamp,
}

/// Distinguishes a version of a file from others of the same length. Stamps have no order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum FileStamp {
    /// The modification time, in nanoseconds since 1970; 0 if it is unknown.
    Modified(i64),
    /// The tag of a version in a store, such as an ETag, as a number: see [`from_tag`](FileStamp::from_tag).
    Tag(u64),
}

impl FileStamp {
    /// Makes a stamp from a tag: its hash (FNV-1a), which is the same on all machines.
    pub fn from_tag(tag: &str) -> FileStamp {
        let step = |hash: u64, byte: u8| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        FileStamp::Tag(tag.bytes().fold(0xcbf2_9ce4_8422_2325, step))
    }
}

impl FileVersion {
    /// A sentence that says how this version differs from `found`.
    pub(crate) fn difference(&self, found: &FileVersion) -> String {
        if self.n_bytes == found.n_bytes {
            "it was modified, and has as many bytes as before".to_owned()
        } else {
            format!("it had {} bytes and has {}", self.n_bytes, found.n_bytes)
        }
    }

    /// The version of an open file, with the modification time as stamp.
    ///
    /// # Errors
    /// If the metadata of the file cannot be read.
    pub fn from_file(file: &File) -> io::Result<FileVersion> {
        let metadata = file.metadata()?;
        let modified = metadata.modified().unwrap_or(SystemTime::UNIX_EPOCH);
        let ns = |duration: Duration| i64::try_from(duration.as_nanos()).unwrap_or(i64::MAX);
        let modified = match modified.duration_since(SystemTime::UNIX_EPOCH) {
            Ok(after) => ns(after),
            Err(before) => ns(before.duration()).saturating_neg(),
        };
        Ok(FileVersion { n_bytes: metadata.len(), stamp: FileStamp::Modified(modified) })
    }
}
