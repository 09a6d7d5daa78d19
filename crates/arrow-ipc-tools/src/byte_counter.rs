//! Counts the bytes of an input that have been read, to show progress.

use std::{
    io::{self, BufRead, BufReader, Read},
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
};

/// The number of bytes that each read request asks for.
pub(crate) const BUFFER_BYTES: usize = 256 << 10;

/// Counts the bytes that are read from an input. Clones share the count.
///
/// ```
/// use std::io::Read;
///
/// use arrow_ipc_tools::byte_counter::ByteCounter;
///
/// let count = ByteCounter::with_total(Some(10));
/// let mut text = count.count("0123456789".as_bytes());
/// text.read_exact(&mut [0; 4])?;
/// assert_eq!((count.n_read(), count.n_total()), (10, Some(10)));
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Debug, Clone, Default)]
pub struct ByteCounter(Arc<ReadCount>);

#[derive(Debug, Default)]
struct ReadCount {
    n_read: AtomicU64,
    n_total: Option<u64>,
}

impl ByteCounter {
    /// A counter for an input of `n_total` bytes; `None` if the length is unknown.
    pub fn with_total(n_total: Option<u64>) -> ByteCounter {
        ByteCounter(Arc::new(ReadCount { n_read: AtomicU64::new(0), n_total }))
    }

    /// A buffered reader that counts the bytes that it reads.
    pub fn count<R: Read>(&self, bytes: R) -> impl BufRead + use<R> {
        BufReader::with_capacity(BUFFER_BYTES, CountingReader { bytes, count: Arc::clone(&self.0) })
    }

    /// The number of bytes that have been read.
    pub fn n_read(&self) -> u64 {
        self.0.n_read.load(Ordering::Relaxed)
    }

    /// The length of the input in bytes; `None` if it is unknown.
    pub fn n_total(&self) -> Option<u64> {
        self.0.n_total
    }
}

/// A reader that counts its bytes.
struct CountingReader<R> {
    bytes: R,
    count: Arc<ReadCount>,
}

impl<R: Read> Read for CountingReader<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let n_bytes = self.bytes.read(buffer)?;
        self.count.n_read.fetch_add(n_bytes as u64, Ordering::Relaxed);
        Ok(n_bytes)
    }
}
