//! Bytes that know where they are.

use std::ops::Range;

use arrow_buffer::Buffer;

use crate::error::{IpcErrorKind, Result};

/// Some bytes of a file, input or body, and their position in it.
#[derive(Debug, Clone)]
pub(crate) struct LocatedBytes {
    pub(crate) start: u64,
    pub(crate) bytes: Buffer,
}

impl LocatedBytes {
    /// Checks bytes that a caller provides. `file_bytes` is the length of the file or input.
    ///
    /// # Errors
    /// If the number of bytes is not the length of the range, or the range ends after the file.
    pub(crate) fn try_new(range: Range<u64>, bytes: Buffer, file_bytes: u64) -> Result<LocatedBytes> {
        let (Range { start, end }, found) = (range, bytes.len() as u64);
        if end.checked_sub(start) != Some(found) || end > file_bytes {
            return Err(IpcErrorKind::ProvidedRange { start, end, found, file_bytes }.into());
        }
        Ok(LocatedBytes { start, bytes })
    }

    pub(crate) fn end(&self) -> u64 {
        // No overflow: the bytes lie inside the file, input or body.
        self.start + self.bytes.len() as u64
    }

    /// The bytes of a range; `None` if some of them are not here.
    pub(crate) fn slice(&self, range: &Range<u64>) -> Option<Buffer> {
        let start = range.start.checked_sub(self.start)?;
        self.bytes.try_slice(start, range.end.checked_sub(range.start)?).ok()
    }
}
