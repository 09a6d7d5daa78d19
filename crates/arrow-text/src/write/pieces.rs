//! Passes text to an [`io::Write`] in large pieces.

use std::{fmt, io};

/// Gathers text into large pieces for an [`io::Write`], and keeps its error.
pub(crate) struct Pieces<'a, W> {
    out: &'a mut W,
    text: String,
    error: Option<io::Error>,
}

/// The length of a piece. Longer text is written directly.
pub(super) const PIECE_BYTES: usize = 64 << 10;

/// The bytes as the text from which they were made.
pub(super) fn as_text(bytes: &[u8]) -> Result<&str, fmt::Error> {
    str::from_utf8(bytes).map_err(|_| fmt::Error)
}

impl<'a, W: io::Write> Pieces<'a, W> {
    pub(crate) fn new(out: &'a mut W) -> Pieces<'a, W> {
        Pieces { out, text: String::with_capacity(PIECE_BYTES), error: None }
    }

    /// Writes the rest of the text. If formatting failed, the error is that of `out`, which was kept.
    pub(crate) fn finish(mut self, written: fmt::Result) -> io::Result<()> {
        match (written.and_then(|()| self.flush()), self.error) {
            (_, Some(error)) => Err(error),
            (Err(error), None) => Err(io::Error::other(error)),
            (Ok(()), None) => Ok(()),
        }
    }

    fn flush(&mut self) -> fmt::Result {
        let written = self.out.write_all(self.text.as_bytes());
        self.text.clear();
        written.map_err(|error| {
            self.error = Some(error);
            fmt::Error
        })
    }
}

impl<W: io::Write> fmt::Write for Pieces<'_, W> {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        if self.text.len().saturating_add(text.len()) > PIECE_BYTES {
            self.flush()?;
        }
        if text.len() < PIECE_BYTES {
            self.text.push_str(text);
            return Ok(());
        }
        self.out.write_all(text.as_bytes()).map_err(|error| {
            self.error = Some(error);
            fmt::Error
        })
    }
}
