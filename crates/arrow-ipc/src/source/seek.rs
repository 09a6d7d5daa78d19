//! Makes a source of a reader that can seek.

use std::{
    io::{self, Read, Seek, SeekFrom},
    ops::Range,
    sync::{Mutex, PoisonError},
};

use arrow_buffer::Buffer;

use super::{Source, fetch, read_at::ReadAt};

/// A [`Source`] over a reader that can seek. One thread at a time uses the reader.
#[derive(Debug)]
pub struct SeekSource<R>(Mutex<R>);

impl<R: Read + Seek> SeekSource<R> {
    /// Wraps a reader. Positions are counted from the start of the reader, and not from its current position.
    pub fn new(reader: R) -> SeekSource<R> {
        SeekSource(Mutex::new(reader))
    }
}

impl<R: Read + Seek + Send> Source for SeekSource<R> {
    fn n_bytes(&self) -> io::Result<u64> {
        self.locked(|reader| reader.seek(SeekFrom::End(0)))
    }

    fn fetch(&self, range: Range<u64>) -> io::Result<Buffer> {
        fetch(self, range)
    }

    fn read_at(&self) -> Option<&dyn ReadAt> {
        Some(self)
    }
}

impl<R: Read + Seek + Send> ReadAt for SeekSource<R> {
    fn read_at(&self, buffer: &mut [u8], position: u64) -> io::Result<usize> {
        self.locked(|reader| {
            reader.seek(SeekFrom::Start(position))?;
            reader.read(buffer)
        })
    }
}

impl<R> SeekSource<R> {
    /// Calls `read` with the locked reader. A panic of another thread does no harm, since each use begins with a seek.
    fn locked<T>(&self, read: impl FnOnce(&mut R) -> io::Result<T>) -> io::Result<T> {
        read(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
}
