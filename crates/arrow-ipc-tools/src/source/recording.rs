//! Stores text while it is read, so that it can be read again.

use std::io::{self, BufRead, BufReader, BufWriter, Read, Seek, Write};

use tempfile::SpooledTempFile;

/// Stores all bytes that are read, in memory or in a temporary file if there are more than `MAX_MEMORY_BYTES`.
pub(crate) struct RecordingReader<R> {
    input: R,
    /// A record is consumed at a time, and a write of the temporary file is a call of the system.
    seen: BufWriter<SpooledTempFile>,
    /// The first error of the temporary file.
    failure: Option<io::Error>,
}

/// The maximal number of bytes in memory. Enough for the rows from which a schema is inferred by default, and for the
/// longest record after these.
const MAX_MEMORY_BYTES: usize = 32 << 20;

impl<R: BufRead> RecordingReader<R> {
    pub(crate) fn new(input: R) -> RecordingReader<R> {
        let seen = BufWriter::with_capacity(256 << 10, SpooledTempFile::new(MAX_MEMORY_BYTES));
        RecordingReader { input, seen, failure: None }
    }

    /// Returns a reader from the start: first the stored bytes, then the rest of the input.
    ///
    /// # Errors
    /// If the bytes that were read could not be stored, or cannot be read again.
    pub(crate) fn rewound(mut self) -> io::Result<impl BufRead + use<R>> {
        self.failure.map_or(Ok(()), Err)?;
        // Writes what the buffer has, and goes to the start.
        self.seen.rewind()?;
        let (seen, _) = self.seen.into_parts();
        Ok(BufReader::with_capacity(64 << 10, seen).chain(self.input))
    }
}

impl<R: BufRead> Read for RecordingReader<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let n_read = self.input.read(buffer)?;
        self.seen.write_all(buffer.get(..n_read).unwrap_or_default())?;
        Ok(n_read)
    }
}

impl<R: BufRead> BufRead for RecordingReader<R> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        self.input.fill_buf()
    }

    fn consume(&mut self, n_bytes: usize) {
        // `fill_buf` returns the bytes in the buffer, which are not consumed yet. If it fails, there is nothing to
        // store.
        if let Ok(available) = self.input.fill_buf() {
            let saved = self.seen.write_all(available.get(..n_bytes).unwrap_or(available));
            self.failure = self.failure.take().or(saved.err());
        }
        self.input.consume(n_bytes);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_taken_is_recorded() {
        let text: Vec<u8> = (0..=255).collect();
        for n_taken in [0, 1, 7, 100, 256] {
            let mut recorded = RecordingReader::new(BufReader::with_capacity(8, &text[..]));
            let mut buffer = vec![0; n_taken / 2];
            recorded.read_exact(&mut buffer).unwrap();
            io::copy(&mut recorded.by_ref().take((n_taken - n_taken / 2) as u64), &mut io::sink()).unwrap();
            recorded.fill_buf().unwrap();
            let mut all = Vec::new();
            recorded.rewound().unwrap().read_to_end(&mut all).unwrap();
            assert_eq!(all, text);
        }
    }
}
