//! A reader that returns few bytes at a time.

use std::io::{self, BufRead, Read, Seek, SeekFrom};

use crate::rng::Rng;

/// Wraps a reader, so that every call reads only one or a few bytes. Some calls may fail with
/// [`ErrorKind::Interrupted`](io::ErrorKind::Interrupted), which callers must expect from any reader.
#[derive(Debug)]
pub struct ChunkedReader<R> {
    inner: R,
    rng: Rng,
    n_max_bytes: usize,
    interrupt_one_in: Option<usize>,
}

impl<R> ChunkedReader<R> {
    /// A reader whose calls read one to `n_max_bytes` bytes.
    ///
    /// # Panics
    /// If `n_max_bytes` is 0.
    pub fn new(inner: R, n_max_bytes: usize) -> ChunkedReader<R> {
        assert!(n_max_bytes > 0, "a reader that reads nothing is at its end");
        ChunkedReader { inner, rng: Rng::new(n_max_bytes as u64), n_max_bytes, interrupt_one_in: None }
    }

    /// Makes one in `n` calls fail with [`ErrorKind::Interrupted`](io::ErrorKind::Interrupted), on average.
    #[must_use]
    pub fn interrupted(self, n: usize) -> ChunkedReader<R> {
        ChunkedReader { interrupt_one_in: Some(n.max(2)), ..self }
    }

    /// Returns the inner reader.
    pub fn into_inner(self) -> R {
        self.inner
    }
}

impl<R: Read> Read for ChunkedReader<R> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        if self.interrupt_one_in.is_some_and(|n| self.rng.one_in(n)) {
            return Err(io::ErrorKind::Interrupted.into());
        }
        let n_bytes = (1 + self.rng.below(self.n_max_bytes)).min(into.len());
        self.inner.read(&mut into[..n_bytes])
    }
}

impl<R: BufRead> BufRead for ChunkedReader<R> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        let bytes = self.inner.fill_buf()?;
        Ok(&bytes[..bytes.len().min(self.n_max_bytes)])
    }

    fn consume(&mut self, n_bytes: usize) {
        self.inner.consume(n_bytes);
    }
}

impl<R: Seek> Seek for ChunkedReader<R> {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        self.inner.seek(to)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gives_all_bytes_in_small_pieces() {
        let bytes: Vec<u8> = (0..=255).collect();
        for n_max_bytes in [1, 2, 7, 1000] {
            let mut reader = ChunkedReader::new(&bytes[..], n_max_bytes).interrupted(3);
            let (mut read, mut n_interrupts, mut piece) = (Vec::new(), 0, [0; 2000]);
            loop {
                match reader.read(&mut piece) {
                    Ok(0) => break,
                    Ok(n) => read.extend_from_slice(&piece[..n.min(n_max_bytes)]),
                    Err(error) => {
                        assert_eq!(error.kind(), io::ErrorKind::Interrupted);
                        n_interrupts += 1;
                    }
                }
            }
            assert_eq!(read, bytes);
            assert!(n_interrupts > 0 || n_max_bytes == 1000);
        }
    }
}
