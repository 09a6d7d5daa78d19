//! Checks whether bytes are UTF-8, and finds where they are not.

use crate::offsets::OffsetWidth;

/// The number of bytes that are checked in one call. They fit in the first-level cache, and checking them takes much
/// longer than the call itself.
const BLOCK: usize = 4096;

/// The kind of characters in a text that is UTF-8.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Characters {
    /// Characters of one byte each, so that a character begins at every position.
    Ascii,
    /// Characters of one to four bytes each.
    Any,
}

/// Checks that `bytes` are UTF-8. The error is the length of the longest valid prefix.
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

/// Whether a byte of UTF-8 is the first byte of a character.
#[inline]
pub(crate) fn starts_character(byte: u8) -> bool {
    // Continuation bytes are 0b10xx_xxxx.
    (byte as i8) >= -0x40
}

/// Whether a character can start at `position`, or the bytes end there. The result has no meaning if the bytes are
/// not UTF-8, or if the position is past their end.
#[inline]
pub(crate) fn is_boundary(bytes: &[u8], position: usize) -> bool {
    bytes.get(position).is_none_or(|&byte| starts_character(byte))
}

/// The index of the first offset that lies inside a character of `text`, or past its end.
pub(crate) fn first_inside_character<O: OffsetWidth>(text: &str, offsets: &[O]) -> Option<usize> {
    let bytes = text.as_bytes();
    let is_boundary = |&offset: &O| {
        // Negative offsets become positions past the end of any text.
        let at = usize::try_from(Into::<i64>::into(offset) as u64).unwrap_or(usize::MAX);
        bytes.get(at).map_or(at == bytes.len(), |&byte| starts_character(byte))
    };
    let all_right = offsets.iter().fold(true, |all_right, offset| all_right & is_boundary(offset));
    if all_right { None } else { offsets.iter().position(|offset| !is_boundary(offset)) }
}
