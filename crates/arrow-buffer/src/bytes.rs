//! Searches many bytes at once.

/// Whether `test` is true for any of these bytes. `test` may run more than once for a byte, and also runs for bytes
/// after the first match. It should have no branches.
///
/// ```
/// use arrow_buffer::any_byte;
///
/// assert!(any_byte(b"Lovelace, Ada", |byte| matches!(byte, b',' | b'"')));
/// assert!(!any_byte(b"Grace Hopper", |byte| matches!(byte, b',' | b'"')));
/// ```
#[inline]
pub fn any_byte(bytes: &[u8], test: impl Fn(u8) -> bool) -> bool {
    // The compiler vectorises these loops because they have no early exit. The last bytes are tested twice.
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

/// A number made of the length, the first eight and the last eight bytes. It tells most different bytes apart without reading
/// all. Others have the same number, which anybody can choose.
///
/// ```
/// use arrow_buffer::ends_of;
///
/// assert_ne!(ends_of(b"Lovelace, Ada"), ends_of(b"Lovelace, Eva"));
/// assert_eq!(ends_of(b"Lovelace, Ada, London"), ends_of(b"Lovelace, Eva, London"));
/// ```
#[inline]
pub fn ends_of(bytes: &[u8]) -> u64 {
    let (first, last) = if let (Some(first), Some(last)) = (bytes.first_chunk(), bytes.last_chunk()) {
        (u64::from_le_bytes(*first), u64::from_le_bytes(*last))
    } else if let (Some(first), Some(last)) = (bytes.first_chunk(), bytes.last_chunk()) {
        (u32::from_le_bytes(*first).into(), u32::from_le_bytes(*last).into())
    } else {
        (bytes.iter().fold(0, |number, byte| number << 8 | u64::from(*byte)), 0)
    };
    // Numbers with bits in no order, and the middle of a product, on which all bits of its factors have an influence.
    let first = u128::from(first ^ bytes.len() as u64 ^ 0x9E37_79B9_7F4A_7C15);
    let product = first * u128::from(last ^ 0xC2B2_AE3D_27D4_EB4F);
    (product >> 64) as u64 ^ product as u64
}

/// The position of the first byte that is in `wanted`; `None` if there is no such byte.
///
/// ```
/// use arrow_buffer::find_any;
///
/// assert_eq!(find_any(b"Lovelace, Ada", [b'"', b',']), Some(8));
/// assert_eq!(find_any(b"Grace Hopper", [b'"', b',']), None);
/// ```
#[inline]
pub fn find_any<const N: usize>(bytes: &[u8], wanted: [u8; N]) -> Option<usize> {
    const BLOCK: usize = 32;
    let (first, _) = bytes.split_at(bytes.len().min(BLOCK));
    if let Some(found) = find_near(first, wanted) {
        return Some(found);
    }
    let is_wanted = |byte: u8| wanted.iter().fold(false, |found, other| found | (byte == *other));
    let (blocks, _) = bytes.as_chunks::<BLOCK>();
    let n_blocks = blocks.iter().take_while(|block| !any_of(block, &is_wanted)).count();
    let n_without = n_blocks.saturating_mul(BLOCK);
    let found = find_near(bytes.get(n_without..)?, wanted)?;
    Some(n_without.saturating_add(found))
}

/// Does the same as [`find_any`] without preparation, which is faster if there are few bytes.
#[inline]
fn find_near<const N: usize>(bytes: &[u8], wanted: [u8; N]) -> Option<usize> {
    let (words, rest) = bytes.as_chunks();
    for (idx, word) in words.iter().enumerate() {
        let marks = marks_of_word(*word, wanted);
        if marks != 0 {
            return Some(idx * size_of_val(word) + marks.trailing_zeros() as usize / 8);
        }
    }
    let found = rest.iter().position(|byte| wanted.contains(byte))?;
    Some(bytes.len() - rest.len() + found)
}

/// Finds the bytes of a word that are in `wanted`. The result has the highest bit of each of these bytes set. The
/// lowest byte of the word is the first.
#[inline]
fn marks_of_word<const N: usize>(bytes: [u8; 8], wanted: [u8; N]) -> u64 {
    const LOW_BITS: u64 = u64::from_ne_bytes([0x7F; 8]);
    let word = u64::from_le_bytes(bytes);
    wanted.iter().fold(0, |marks, wanted| {
        let other = word ^ u64::from_ne_bytes([*wanted; 8]);
        // Before the negation, the highest bit of each byte that is not zero is set. The sum never carries into the
        // next byte.
        marks | !((other & LOW_BITS).wrapping_add(LOW_BITS) | other | LOW_BITS)
    })
}

/// The positions of all bytes that are in `wanted`, ascending.
///
/// ```
/// use arrow_buffer::find_all;
///
/// assert!(find_all(b"1,23,456\n", [b',', b'\n']).eq([1, 4, 8]));
/// ```
#[inline]
pub fn find_all<const N: usize>(bytes: &[u8], wanted: [u8; N]) -> FindAll<'_, N> {
    let (blocks, rest) = bytes.as_chunks();
    FindAll { blocks: blocks.iter(), rest, wanted, next_block: 0, marks: 0 }
}

/// The number of bytes that are searched in one step. A larger number would slow down searches in short lines more than
/// it would speed up searches in long lines.
const MARKED: usize = 32;

/// The iterator that [`find_all`] returns.
#[derive(Debug, Clone)]
pub struct FindAll<'a, const N: usize> {
    blocks: std::slice::Iter<'a, [u8; MARKED]>,
    /// The bytes after the last whole block.
    rest: &'a [u8],
    wanted: [u8; N],
    /// The position at which the next block starts.
    next_block: usize,
    /// A set bit for each byte of the current block that was found and has not been returned.
    marks: u64,
}

impl<const N: usize> Iterator for FindAll<'_, N> {
    type Item = usize;

    #[inline(always)]
    fn next(&mut self) -> Option<usize> {
        while self.marks == 0 {
            if let Some(block) = self.blocks.next() {
                self.marks = marks(block, self.wanted);
            } else if let [_, ..] = self.rest {
                let mut block = [0; MARKED];
                block.iter_mut().zip(self.rest).for_each(|(to, from)| *to = *from);
                self.marks = marks(&block, self.wanted) & !(u64::MAX << self.rest.len());
                self.rest = &[];
            } else {
                return None;
            }
            self.next_block += MARKED;
        }
        let position = self.marks.trailing_zeros() as usize;
        self.marks &= self.marks - 1;
        Some(self.next_block - MARKED + position)
    }
}

/// Finds the bytes of a block that are in `wanted`, and sets a bit for each. The lowest bit is for the first byte.
#[inline]
fn marks<const N: usize>(block: &[u8; MARKED], wanted: [u8; N]) -> u64 {
    /// A different bit in each byte: bit 0 in the first byte, bit 7 in the last byte.
    const OWN_BIT: u64 = 0x8040_2010_0804_0201;
    // The compiler vectorises this, also in builds that inline little: a closure for each byte may become a call for each byte.
    let mut found = [0_u8; MARKED];
    for at in 0..MARKED {
        let mut is_wanted = false;
        for other in wanted {
            is_wanted |= block[at] == other;
        }
        found[at] = if is_wanted { u8::MAX } else { 0 };
    }
    let (words, _) = found.as_chunks();
    // The highest byte of the product is the sum of all bytes. No two of these bytes have a common bit.
    let bits = words
        .iter()
        .map(|word| (u64::from_le_bytes(*word) & OWN_BIT).wrapping_mul(u64::from_ne_bytes([1; 8])) >> 56);
    bits.rev().fold(0, |marks, bits| marks << 8 | bits)
}

/// The last boundary of characters that is not after `index`, or the end of the text. `str` has it since Rust 1.91.
#[doc(hidden)]
pub fn floor_char_boundary(text: &str, index: usize) -> usize {
    let mut boundary = index.min(text.len());
    while !text.is_char_boundary(boundary) {
        boundary -= 1;
    }
    boundary
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn agrees_with_one_byte_after_the_other() {
        for n_bytes in 0..70 {
            let mut bytes = vec![b'x'; n_bytes];
            assert!(!any_byte(&bytes, |byte| byte == b'"'));
            for position in 0..n_bytes {
                bytes[position] = b'"';
                assert!(any_byte(&bytes, |byte| byte == b'"'), "{position} of {n_bytes}");
                bytes[position] = b'x';
            }
        }
    }

    #[test]
    fn the_first_of_several() {
        for n_bytes in 0..70 {
            let mut bytes = vec![b'x'; n_bytes];
            assert_eq!(find_any(&bytes, [b'"', 0]), None);
            for position in 0..n_bytes {
                bytes[position..].fill(0);
                bytes[n_bytes - 1] = b'"';
                assert_eq!(find_any(&bytes, [b'"', 0]), Some(position), "of {n_bytes}");
                assert!(find_all(&bytes, [b'"', 0]).eq(position..n_bytes), "{position} of {n_bytes}");
                bytes[position..].fill(b'x');
            }
        }
    }

    #[test]
    fn marks_are_exact() {
        for wanted in [0, 1, b'\n', b',', 0x7F, 0x80, 0xFF] {
            for other in 0..=255_u8 {
                for mask in 0..=255_u8 {
                    let byte = |position: usize| if mask >> position & 1 == 1 { wanted } else { other };
                    let bytes: [u8; 8] = std::array::from_fn(byte);
                    let expected: [u8; 8] = bytes.map(|byte| if byte == wanted { 0x80 } else { 0 });
                    assert_eq!(marks_of_word(bytes, [wanted]), u64::from_le_bytes(expected));
                }
                // Each group of eight bytes has the wanted byte at other positions.
                let is_wanted = |at: usize| other.rotate_left(at as u32 / 8) >> (at % 8) & 1 == 1;
                let block = std::array::from_fn(|at| if is_wanted(at) { wanted } else { other });
                let bit = |at: usize| u64::from(block[at] == wanted) << at;
                assert_eq!(marks(&block, [wanted]), (0..MARKED).map(bit).sum());
            }
        }
    }
}
