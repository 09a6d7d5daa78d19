//! Whether bytes are UTF-8, fast where they are, and where not.

/// Small enough to stay in the first cache, large enough to be worth the call.
const BLOCK: usize = 4096;

/// What valid UTF-8 consists of.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Characters {
    /// One byte each, so that every position is the start of one.
    Ascii,
    /// One to four bytes each.
    Any,
}

/// Checks that `bytes` are UTF-8; else gives the length of the longest prefix that is.
pub(crate) fn check(bytes: &[u8]) -> Result<Characters, usize> {
    let n_ascii = bytes.chunks(BLOCK).take_while(|block| block.is_ascii()).map(<[u8]>::len).sum::<usize>();
    let rest = &bytes[n_ascii..];
    if rest.is_empty() {
        return Ok(Characters::Ascii);
    }
    if simdutf8::basic::from_utf8(rest).is_ok() {
        return Ok(Characters::Any);
    }
    match simdutf8::compat::from_utf8(rest) {
        Ok(_) => Ok(Characters::Any),
        Err(error) => Err(n_ascii + error.valid_up_to()),
    }
}

/// Whether a character can start at `position`, or whether the bytes end there. Tells nothing in other bytes than
/// UTF-8, and nothing behind their end.
#[inline]
pub(crate) fn is_boundary(bytes: &[u8], position: usize) -> bool {
    // Continuation bytes are 0b10xx_xxxx.
    bytes.get(position).is_none_or(|&byte| (byte as i8) >= -0x40)
}
