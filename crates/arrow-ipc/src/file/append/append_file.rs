//! The functions that an appender needs of its file.

use std::{
    fs::File,
    io::{self, Seek, Write},
};

use crate::source::Source;

/// A file that can be read and written by position, truncated and synced, for a [`FileAppender`](crate::FileAppender).
///
/// The file is complete after each step only if a write of ten bytes that extends the file is atomic: other processes see either the old
/// length, or the new length with these bytes. The ten bytes lie in one sector. Bytes inside the file that were never written must read as
/// zeros.
pub trait AppendFile: Source + Write + Seek {
    /// Truncates the file to `n_bytes`, which is at most its present length. After a crash, the file has either the old length or the new
    /// one.
    ///
    /// # Errors
    /// The error of the system.
    fn set_len(&mut self, n_bytes: u64) -> io::Result<()>;

    /// Waits until the file will survive a loss of power, with its length and everything that was written.
    ///
    /// # Errors
    /// The error of the system.
    fn sync(&mut self) -> io::Result<()>;
}

impl AppendFile for File {
    fn set_len(&mut self, n_bytes: u64) -> io::Result<()> {
        File::set_len(self, n_bytes)
    }

    fn sync(&mut self) -> io::Result<()> {
        self.sync_data()
    }
}

/// The failures after which the flushed batches of a [`FileAppender`](crate::FileAppender) are still in the file.
/// Batches are flushed once [`flush`](crate::FileAppender::flush) has returned.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Durability {
    /// A loss of power. Each step waits until the previous step is on the disk. A flush waits five times, and about twice more
    /// for each 8 MiB written since the last flush.
    #[default]
    Power,
    /// The end of the process, for any reason. The system may write in any order, so a loss of power may lose batches that the file had
    /// before.
    Process,
}
