//! Searches among bytes that look at many of them at once.

/// Whether the test is true for any of these bytes. It may be asked about bytes more than once, also after one was found; it should
/// have no branches.
///
/// ```
/// use arrow_buffer::any_byte;
///
/// assert!(any_byte(b"Lovelace, Ada", |byte| matches!(byte, b',' | b'"')));
/// assert!(!any_byte(b"Grace Hopper", |byte| matches!(byte, b',' | b'"')));
/// ```
#[inline]
pub fn any_byte(bytes: &[u8], test: impl Fn(u8) -> bool) -> bool {
    // Without a way out of these loops the compiler makes vectors of them. The last bytes are looked at again.
    if let (Some(_), Some(last)) = (bytes.first_chunk::<16>(), bytes.last_chunk::<16>()) {
        let (blocks, _) = bytes.as_chunks::<16>();
        return blocks.iter().any(|block| any_of(block, &test)) || any_of(last, &test);
    }
    if let (Some(first), Some(last)) = (bytes.first_chunk::<8>(), bytes.last_chunk::<8>()) {
        return any_of(first, &test) | any_of(last, &test);
    }
    if let (Some(first), Some(last)) = (bytes.first_chunk::<4>(), bytes.last_chunk::<4>()) {
        return any_of(first, &test) | any_of(last, &test);
    }
    bytes.iter().any(|byte| test(*byte))
}

#[inline]
fn any_of<const N: usize>(block: &[u8; N], test: &impl Fn(u8) -> bool) -> bool {
    block.iter().fold(false, |found, byte| found | test(*byte))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn agrees_with_one_byte_after_the_other() {
        for n_bytes in 0..70 {
            let mut bytes = vec![b'x'; n_bytes];
            assert!(!any_byte(&bytes, |byte| byte == b'"'));
            for place in 0..n_bytes {
                bytes[place] = b'"';
                assert!(any_byte(&bytes, |byte| byte == b'"'), "{place} of {n_bytes}");
                bytes[place] = b'x';
            }
        }
    }
}
