//! Metadata as one string of bytes: the number of pairs, then the length and the bytes of each key and each value. Numbers
//! are `int32` in the byte order of the machine.

use std::ffi::c_char;
use std::str;
use std::sync::Arc;

use arrow_schema::Metadata;

use crate::error::CDataErrorKind as Kind;

/// What all names, formats and metadata of a schema may have together.
const MAX_BYTES: u64 = 256 << 20;

/// Adds to the bytes that were read so far.
///
/// # Errors
/// If there are more than [`MAX_BYTES`].
pub(crate) fn charge(n_bytes: &mut u64, n: usize) -> Result<(), Kind> {
    *n_bytes = n_bytes.saturating_add(n as u64);
    if *n_bytes > MAX_BYTES { Err(Kind::TextTooLong { limit: MAX_BYTES }) } else { Ok(()) }
}

/// The bytes of metadata; `None` where there is none. A key or value that is absent is written as an empty one.
///
/// # Errors
/// If there are more pairs or bytes than the numbers can count.
pub(crate) fn encode(metadata: &Metadata) -> Result<Option<Vec<u8>>, Kind> {
    if metadata.is_empty() {
        return Ok(None);
    }
    let mut bytes = Vec::new();
    bytes.extend_from_slice(&count("pairs of metadata", metadata.len())?);
    for (key, value) in metadata {
        for text in [key, value] {
            let text = text.unwrap_or_default();
            bytes.extend_from_slice(&count("bytes of metadata", text.len())?);
            bytes.extend_from_slice(text.as_bytes());
        }
    }
    Ok(Some(bytes))
}

fn count(what: &'static str, n: usize) -> Result<[u8; 4], Kind> {
    let too_long = |_| Kind::TooLong { what, n: n as u64, limit: u64::from(i32::MAX.unsigned_abs()) };
    i32::try_from(n).map(i32::to_ne_bytes).map_err(too_long)
}

/// The pairs that are written at `start`, which may be null. `n_bytes` counts what was read so far.
///
/// # Safety
/// `start` is null, or valid for reads of as many bytes as the numbers there say.
///
/// # Errors
/// If a number is negative, a text is no UTF-8, or there is more than [`MAX_BYTES`].
pub(crate) unsafe fn decode(start: *const c_char, n_bytes: &mut u64) -> Result<Metadata, Kind> {
    if start.is_null() {
        return Ok(Metadata::new());
    }
    let mut cursor = Cursor { at: start.cast(), n_bytes };
    let n_pairs = cursor.count("number of pairs")?;
    let mut pairs = Vec::new();
    for _ in 0..n_pairs {
        let key = cursor.text("length of a key")?;
        let value = cursor.text("length of a value")?;
        pairs.push((Some(key), Some(value)));
    }
    Ok(Metadata::from_pairs(pairs))
}

/// Where metadata is read next. The promise of [`decode`] holds for what follows.
struct Cursor<'a> {
    at: *const u8,
    n_bytes: &'a mut u64,
}

impl Cursor<'_> {
    /// The next `n` bytes.
    fn bytes(&mut self, n: usize) -> Result<&[u8], Kind> {
        charge(self.n_bytes, n)?;
        let at = self.at;
        self.at = at.wrapping_add(n);
        // SAFETY: the caller of `decode` promises that as many bytes are there as the numbers say, and `n` is the size of
        // the next number, or was said by the one before.
        Ok(unsafe { std::slice::from_raw_parts(at, n) })
    }

    fn count(&mut self, what: &'static str) -> Result<usize, Kind> {
        let mut number = [0; 4];
        number.copy_from_slice(self.bytes(4)?);
        let found = i32::from_ne_bytes(number);
        usize::try_from(found).map_err(|_| Kind::Metadata { what, found })
    }

    fn text(&mut self, length: &'static str) -> Result<Arc<str>, Kind> {
        let n = self.count(length)?;
        let bytes = self.bytes(n)?;
        let text = str::from_utf8(bytes)
            .map_err(|error| Kind::NotUtf8 { member: "metadata", valid_up_to: error.valid_up_to() })?;
        Ok(text.into())
    }
}
