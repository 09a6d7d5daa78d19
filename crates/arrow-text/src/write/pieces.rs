//! Passes text to an [`io::Write`] with few large writes.

use std::{fmt, io};

/// Collects the output of `write`, and passes it to `out` in few large writes.
///
/// # Errors
/// If `out` returns an error, or if `write` fails.
pub(crate) fn in_pieces<W: io::Write>(
    out: &mut W,
    write: impl FnOnce(&mut Pieces<'_, W>) -> fmt::Result,
) -> io::Result<()> {
    let mut pieces = Pieces { out, text: String::with_capacity(PIECE_BYTES), error: None };
    let written = write(&mut pieces).and_then(|()| pieces.flush());
    match (written, pieces.error) {
        (_, Some(error)) => Err(error),
        (Err(error), None) => Err(io::Error::other(error)),
        (Ok(()), None) => Ok(()),
    }
}

/// Collects text for few large writes to an [`io::Write`], and stores the error of a write.
pub(crate) struct Pieces<'a, W> {
    out: &'a mut W,
    text: String,
    error: Option<io::Error>,
}

/// The number of bytes that are collected before a write. Longer text is written directly.
pub(super) const PIECE_BYTES: usize = 64 << 10;

/// Converts bytes that were made from text back to text.
pub(super) fn as_text(bytes: &[u8]) -> Result<&str, fmt::Error> {
    str::from_utf8(bytes).map_err(|_| fmt::Error)
}

impl<W: io::Write> Pieces<'_, W> {
    fn flush(&mut self) -> fmt::Result {
        let written = self.out.write_all(self.text.as_bytes());
        self.text.clear();
        self.keep(written)
    }

    /// Stores the error of a write.
    fn keep(&mut self, written: io::Result<()>) -> fmt::Result {
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
        let written = self.out.write_all(text.as_bytes());
        self.keep(written)
    }
}
