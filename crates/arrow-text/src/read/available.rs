//! The bytes of an input that are there.

use std::io::{self, BufRead};

/// So much is looked at once, at most: that much may be more than a line or record may have before it is noticed.
const MAX_STEP_BYTES: usize = 64 << 10;

/// The next bytes of an input, as far as they are there and not too many at once; none at its end. Reading that is interrupted
/// goes on.
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
    // The same bytes, without reading more.
    let bytes = input.fill_buf()?;
    Ok(bytes.get(..MAX_STEP_BYTES).unwrap_or(bytes))
}
