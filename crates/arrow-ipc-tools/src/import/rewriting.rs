//! Rewrites text while it is read.

use std::io::{self, BufRead, Read};

use crate::{compressed::ArrivingBytes, error::malformed_text::MalformedText};

/// Rewrites text, one byte after the other.
pub(super) trait Rewrite {
    /// Takes the byte at the position `at`, and appends what is written for it to `out`.
    ///
    /// # Errors
    /// The reason why the byte is wrong.
    fn byte(&mut self, byte: u8, at: u64, out: &mut Vec<u8>) -> Result<(), &'static str>;

    /// Called at the end of the text.
    ///
    /// # Errors
    /// The reason why the text cannot end here.
    fn end(&self) -> Result<(), &'static str>;
}

/// Text that is rewritten while it is read. It is not collected in memory.
pub(super) struct RewritingReader<R> {
    text: ArrivingBytes,
    rewrite: R,
    /// The number of bytes of the text that have been read.
    n_bytes: u64,
    out: io::Cursor<Vec<u8>>,
}

impl<R: Rewrite> RewritingReader<R> {
    pub(super) fn new(text: ArrivingBytes, rewrite: R) -> RewritingReader<R> {
        RewritingReader { text, rewrite, n_bytes: 0, out: io::Cursor::default() }
    }

    /// Rewrites the bytes that have arrived. Returns `false` at the end of the text.
    fn take(&mut self) -> io::Result<bool> {
        /// The maximal number of bytes that are rewritten at once. The output may be up to three times as long.
        const MAX_BYTES: usize = 64 << 10;
        let available = self.text.fill_buf()?;
        let bytes = available.get(..MAX_BYTES).unwrap_or(available);
        let mut out = Vec::with_capacity(bytes.len().saturating_add(16));
        let mut taken = if bytes.is_empty() { self.rewrite.end() } else { Ok(()) };
        for byte in bytes {
            taken = self.rewrite.byte(*byte, self.n_bytes, &mut out);
            if taken.is_err() {
                break;
            }
            self.n_bytes = self.n_bytes.saturating_add(1);
        }
        taken.map_err(|what| MalformedText::Byte { what, position: self.n_bytes })?;
        let n_taken = bytes.len();
        self.text.consume(n_taken);
        self.out = io::Cursor::new(out);
        Ok(n_taken > 0)
    }
}

impl<R: Rewrite> Read for RewritingReader<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        loop {
            match self.out.read(buffer)? {
                0 if !buffer.is_empty() => {}
                n_bytes => return Ok(n_bytes),
            }
            if !self.take()? {
                return Ok(0);
            }
        }
    }
}
