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
    /// While the buffer, or a clone or slice of it, exists, no process may write to the file or shorten it. Checked
    /// bytes must not change, and access to bytes that were cut off ends the process with a signal. It is allowed to
    /// rename another file to the name of this file.
    ///
    /// # Errors
    ///
    /// If the system refuses, for example because the file is a pipe.
    ///
    /// ```no_run
    /// use std::fs::File;
    /// use arrow_buffer::Buffer;
    ///
    /// let file = File::open("people.arrow")?;
    /// // SAFETY: nothing writes to `people.arrow`; a new version of it is renamed over the old one.
    /// let bytes = unsafe { Buffer::map(&file) }?;
    /// // The map outlives the handle of the file.
    /// drop(file);
    /// println!("{} bytes, none of them read yet", bytes.len());
    /// # Ok::<(), std::io::Error>(())
    /// ```
    pub unsafe fn map(file: &File) -> io::Result<Buffer> {
        if file.metadata()?.len() == 0 {
            return Ok(Buffer::new());
        }
        // SAFETY: the caller promises that the file is neither written nor shortened while the map lives.
        let map = unsafe { memmap2::Mmap::map(file)? };
        Ok(Buffer::from_map(map))
    }
}
