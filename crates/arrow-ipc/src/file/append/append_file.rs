//! The trait for files to which an appender can append.

use std::{
    fs::File,
    io::{self, Seek, Write},
};

use crate::source::Source;

/// A file that can be read and written by position, truncated and synced, for a [`FileAppender`](crate::FileAppender).
///
/// Writing ten bytes at the end of the file must be atomic: other processes see either the old length, or the new length
/// with these bytes. Otherwise the file may be incomplete for a moment. The ten bytes lie in one sector. Bytes inside the
/// file that were not written must read as zeros.
pub trait AppendFile: Source + Write + Seek {
    /// Truncates the file to `n_bytes`, which is at most its present length. After a crash, the file must have either the
    /// old or the new length.
    ///
    /// # Errors
    /// The I/O error of the system.
    fn set_len(&mut self, n_bytes: u64) -> io::Result<()>;

    /// Waits until a loss of power cannot lose the length and the written bytes of the file.
    ///
    /// # Errors
    /// The I/O error of the system.
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

/// The failures that batches survive once [`flush`](crate::FileAppender::flush) of a
/// [`FileAppender`](crate::FileAppender) has returned.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Durability {
    /// A loss of power. Each step waits until the previous step is on the disk. A flush waits five times, and about twice
    /// more for each 8 MiB written since the last flush.
    #[default]
    Power,
    /// The end of the process, for any reason. The system may write bytes to the disk in any order. So a loss of power
    /// may lose flushed batches, and batches that the file had before.
    Process,
}
