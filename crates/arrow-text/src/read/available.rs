//! The bytes of an input that have arrived.

use std::io::{self, BufRead};

/// The most bytes that are processed at once. A line or record may exceed its limit by this number of bytes before the
/// reader notices.
const MAX_STEP_BYTES: usize = 64 << 10;

/// The next bytes of an input: bytes that have arrived, at most [`MAX_STEP_BYTES`]. Empty at the end of the input.
/// Interrupted reads are repeated.
///
/// # Errors
/// If the input cannot be read.
pub(super) fn available(input: &mut impl BufRead) -> io::Result<&[u8]> {
    loop {
        match input.fill_buf() {
            Ok([]) => return Ok(&[]),
            Ok(_) => break,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    // This call returns the same bytes again, without reading more.
    let bytes = input.fill_buf()?;
    Ok(bytes.get(..MAX_STEP_BYTES).unwrap_or(bytes))
}
