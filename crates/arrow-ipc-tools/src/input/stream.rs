//! The bytes of a stream, in their order.

use std::{
    fmt,
    io::{self, Read},
};

/// The bytes of a stream.
pub(crate) struct StreamSource {
    pub(super) rest: Box<dyn Read + Send>,
    /// The length, if the input is read by position.
    pub(super) n_bytes: Option<u64>,
}

impl StreamSource {
    /// The length, if the input is read by position.
    pub(crate) fn n_bytes(&self) -> Option<u64> {
        self.n_bytes
    }
}

impl Read for StreamSource {
    fn read(&mut self, place: &mut [u8]) -> io::Result<usize> {
        self.rest.read(place)
    }
}

impl fmt::Debug for StreamSource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("StreamSource").field("n_bytes", &self.n_bytes).finish_non_exhaustive()
    }
}
