//! Copies bits that start inside a byte to the start of a byte.

use arrow_buffer::Buffer;

use crate::error::{IpcError, Result};

pub(super) const BITS_OUTSIDE: &str = "bits lie outside of their buffer";

/// Copies bits so that they start at the first bit of `to`, and fills the last byte with zeros. By the structure of
/// arrays, the buffer has these bits. `to` must have `n_bits` bits, rounded up to bytes.
pub(super) fn shift(buffer: &Buffer, bit_offset: usize, n_bits: usize, to: &mut [u8]) -> Result<()> {
    let end = bit_offset.checked_add(n_bits);
    let from = end.and_then(|end| buffer.get(bit_offset / 8..end.div_ceil(8)));
    let from = from.ok_or_else(|| IpcError::internal(BITS_OUTSIDE))?;
    if to.len() != n_bits.div_ceil(8) {
        return Err(IpcError::internal("the bits do not fill their buffer"));
    }
    let n_skipped = bit_offset % 8;
    let n_done = shift_words(from, n_skipped, to);
    let rest = from.get(n_done..).ok_or_else(|| IpcError::internal(BITS_OUTSIDE))?;
    let above = rest.iter().skip(1).chain(&[0]);
    for (to, (low, high)) in to.iter_mut().skip(n_done).zip(rest.iter().zip(above)) {
        *to = (u16::from_le_bytes([*low, *high]) >> n_skipped) as u8;
    }
    let n_spare = (8 - n_bits % 8) % 8;
    if let Some(last) = to.last_mut() {
        *last = *last << n_spare >> n_spare;
    }
    Ok(())
}

/// Copies words of eight bytes, as long as both slices have a whole word. Returns the number of copied bytes.
fn shift_words(from: &[u8], n_skipped: usize, to: &mut [u8]) -> usize {
    // The low bits of a word come from eight bytes, and its high bits from the eight bytes that begin one byte later.
    // Both contribute the same bits in between.
    let Some((_, after_first)) = from.split_first() else { return 0 };
    let ((low, _), (high, _)) = (from.as_chunks::<8>(), after_first.as_chunks::<8>());
    let (words, _) = to.as_chunks_mut::<8>();
    let n_words = words.len().min(high.len());
    for ((word, low), high) in words.iter_mut().zip(low).zip(high) {
        let (low, high) = (u64::from_le_bytes(*low), u64::from_le_bytes(*high));
        *word = (low >> n_skipped | high << (8 - n_skipped)).to_le_bytes();
    }
    n_words * 8
}

#[cfg(test)]
mod tests {
    use testing_support::Rng;

    use super::*;
    use crate::error::IpcErrorKind;

    #[test]
    fn bits_are_those_that_are_read_one_by_one() {
        let mut rng = Rng::new(5);
        let buffer: Buffer = rng.bytes(40).into();
        for bit_offset in 0..=buffer.len() * 8 {
            for n_bits in
                (0..=buffer.len() * 8 - bit_offset).filter(|n_bits| n_bits % 64 < 18 || n_bits % 7 == 0)
            {
                // The earlier contents of `to` do not matter.
                let mut to = vec![0xa5; n_bits.div_ceil(8)];
                shift(&buffer, bit_offset, n_bits, &mut to).unwrap();
                let mut expected = vec![0; n_bits.div_ceil(8)];
                for bit in 0..n_bits {
                    let at = bit_offset + bit;
                    expected[bit / 8] |= (buffer[at / 8] >> (at % 8) & 1) << (bit % 8);
                }
                assert_eq!(to, expected, "{n_bits} from {bit_offset}");
            }
        }
    }

    #[test]
    fn bits_outside_of_a_buffer_are_an_error_and_no_zeros() {
        let mut to = [0; 2];
        for (buffer, bit_offset, n_bits) in [(&[0xff][..], 3, 9), (&[0xff; 2], 8, 9), (&[], usize::MAX, 9)] {
            let error = shift(&Buffer::copy_from(buffer), bit_offset, n_bits, &mut to).unwrap_err();
            assert!(matches!(error.kind(), IpcErrorKind::Internal { .. }), "{error}");
        }
        shift(&Buffer::from_static(&[0xff, 0xff]), 3, 9, &mut to).unwrap();
        assert_eq!(to, [0xff, 1]);
        assert!(shift(&Buffer::from_static(&[0xff, 0xff]), 3, 8, &mut to).is_err());
    }
}
