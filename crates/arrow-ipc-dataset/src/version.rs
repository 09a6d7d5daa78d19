//! The version of a file: its length, and a stamp. The stamp is a modification time, a tag, or a number from the
//! footer.

use std::{
    fs::File,
    io,
    time::{Duration, SystemTime},
};

use arrow_ipc::file::Footer;

/// The key in the footer of a part for its random number. The number has 16 hexadecimal digits, and no other part has
/// it.
pub(crate) const PART_KEY: &str = "arrow-ipc.part";

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
    /// The tag of a version in a store, such as an ETag, as a number: see [`of_tag`](FileStamp::of_tag).
    Tag(u64),
    /// The random number in the footer of a part: see [`PartAttempt`](crate::PartAttempt). Copies of the file have
    /// the same number.
    Part(u64),
    /// A hash of the lengths of the batches. Manifests use it for files that are older than the first manifest.
    /// Copies of the file have the same hash. A file with other values in batches of the same lengths has it, too.
    Batches(u64),
}

impl FileStamp {
    /// Makes a stamp from a tag: its hash (FNV-1a), which is the same on all machines.
    pub fn of_tag(tag: &str) -> FileStamp {
        FileStamp::Tag(hashed(tag.bytes()))
    }

    /// Makes a stamp from the lengths of the batches of a file.
    pub(crate) fn of_batches(n_bytes: impl Iterator<Item = u64>) -> FileStamp {
        FileStamp::Batches(hashed(n_bytes.flat_map(u64::to_le_bytes)))
    }
}

impl FileVersion {
    /// A sentence that says how this version differs from `found`.
    pub(crate) fn difference(&self, found: &FileVersion) -> String {
        match self.n_bytes == found.n_bytes {
            true => "it was modified, and has as many bytes as before".to_owned(),
            false => format!("it had {} bytes and has {}", self.n_bytes, found.n_bytes),
        }
    }

    /// The version of an open file, with the modification time as stamp.
    ///
    /// # Errors
    /// If the metadata of the file cannot be read.
    pub fn of(file: &File) -> io::Result<FileVersion> {
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

/// The random number in the footer of a part; `None` if there is none.
pub(crate) fn part_id(footer: &Footer) -> Option<u64> {
    parse_id(footer.metadata().get(PART_KEY)?)
}

fn hashed(bytes: impl Iterator<Item = u8>) -> u64 {
    let step = |hash: u64, byte: u8| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
    bytes.fold(0xcbf2_9ce4_8422_2325, step)
}

pub(crate) fn id_text(id: u64) -> String {
    format!("{id:016x}")
}

pub(crate) fn parse_id(text: &str) -> Option<u64> {
    let is_id = text.len() == 16 && text.bytes().all(|byte| byte.is_ascii_hexdigit());
    u64::from_str_radix(text, 16).ok().filter(|_| is_id)
}
