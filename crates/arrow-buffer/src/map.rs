//! Buffers over mapped files.

use std::fs::File;
use std::io;

use crate::buffer::Buffer;

impl Buffer {
    /// Maps a whole file into memory, for reading. An empty file gives an empty buffer.
    ///
    /// Pages are read when they are first touched; the buffer starts at a page, hence at a multiple of 64.
    ///
    /// # Safety
    ///
    /// As long as the buffer, or a clone or slice of it, lives, nobody may write to the file or shorten it, in this
    /// process or in another: bytes that were checked must stay what they were, and bytes that are gone end the
    /// process with a signal. Replacing the file by renaming another one over it is fine.
    ///
    /// # Errors
    ///
    /// When the system refuses, for example because the file is a pipe.
    pub unsafe fn map(file: &File) -> io::Result<Buffer> {
        if file.metadata()?.len() == 0 {
            return Ok(Buffer::new());
        }
        // SAFETY: the caller promises that the file is neither written nor shortened while the map lives.
        let map = unsafe { memmap2::Mmap::map(file)? };
        Ok(Buffer::from_map(map))
    }
}
