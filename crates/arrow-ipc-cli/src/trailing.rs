//! Bytes after the last stream of an input.

use std::fmt;

/// Bytes after the last stream that are not a stream, and not all zeros.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Rest {
    start: u64,
    n_bytes: u64,
}

impl Rest {
    pub(crate) fn new(start: u64, n_bytes: u64) -> Rest {
        Rest { start, n_bytes }
    }
}

impl fmt::Display for Rest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Rest { start, n_bytes } = self;
        write!(f, "the stream ends at byte {start}; {n_bytes} trailing bytes are not a stream, and not read")
    }
}
