//! Reads the bytes of a stream in order.

use std::{
    fmt,
    io::{self, Read},
};

use crate::source::{PositionedRead, SharedSource};

pub(crate) enum StreamSource {
    /// A source whose bytes are read as they arrive.
    Pipe(Box<dyn Read + Send>),
    /// A source that is read by position, and its length in bytes.
    Positioned(PositionedRead, u64),
}

impl StreamSource {
    /// The length in bytes; `None` for a pipe.
    pub(crate) fn n_bytes(&self) -> Option<u64> {
        match self {
            StreamSource::Pipe(_) => None,
            StreamSource::Positioned(_, n_bytes) => Some(*n_bytes),
        }
    }

    /// The source, if it is read by position; `None` for a pipe.
    pub(crate) fn positioned(&self) -> Option<&SharedSource> {
        match self {
            StreamSource::Pipe(_) => None,
            StreamSource::Positioned(source, _) => Some(source.source()),
        }
    }

    /// Skips `n_bytes` bytes, or fewer at the end of the source. Returns the number of skipped bytes.
    ///
    /// # Errors
    /// If the input cannot be read.
    pub(crate) fn skip(&mut self, n_bytes: u64) -> io::Result<u64> {
        match self {
            StreamSource::Pipe(rest) => io::copy(&mut rest.by_ref().take(n_bytes), &mut io::sink()),
            StreamSource::Positioned(source, _) => source.skip(n_bytes),
        }
    }
}

impl Read for StreamSource {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        match self {
            StreamSource::Pipe(rest) => rest.read(buffer),
            StreamSource::Positioned(source, _) => source.read(buffer),
        }
    }
}

impl fmt::Debug for StreamSource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("StreamSource").field("n_bytes", &self.n_bytes()).finish_non_exhaustive()
    }
}
