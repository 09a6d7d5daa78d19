//! Reads the bytes of an input as they arrive.

use std::io::{self, BufRead};

/// The maximum number of bytes that are processed at once. A line or record may exceed its limit by this number of bytes before
/// the reader notices it.
const MAX_STEP_BYTES: usize = 64 << 10;

/// Returns the next bytes of an input that have arrived, at most [`MAX_STEP_BYTES`]. Empty at the end of the input. Repeats
/// interrupted reads.
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
    // The second call returns the same bytes and does not read.
    let bytes = input.fill_buf()?;
    Ok(bytes.get(..MAX_STEP_BYTES).unwrap_or(bytes))
}
