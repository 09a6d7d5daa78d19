//! Reads and writes buffers of offsets, sizes, run ends and views, and copies bits that start inside a byte.

use arrow_buffer::{Buffer, NativeType};
use arrow_data::{DataErrorKind, Swap};

use crate::error::{IpcError, Result};

/// The integer types of offsets, sizes and run ends.
pub(super) trait Position: NativeType + Ord + Into<i64> {
    const ZERO: Self;
    const MAX: Self;
    /// The kind of words whose byte order changes.
    const SWAP: Swap;

    /// The difference. It wraps, since unchecked numbers may be out of range.
    fn minus(self, other: Self) -> Self;

    /// Converts to this type. Returns `None` if `number` does not fit.
    fn from_usize(number: usize) -> Option<Self>;

    /// Converts to a position. Returns `None` if the number is negative or does not fit.
    fn to_usize(self) -> Option<usize>;
}

macro_rules! position {
    ($($number:ty: $swap:ident),*) => {$(
        impl Position for $number {
            const ZERO: $number = 0;
            const MAX: $number = <$number>::MAX;
            const SWAP: Swap = Swap::$swap;

            #[inline]
            fn minus(self, other: $number) -> $number {
                self.wrapping_sub(other)
            }

            #[inline]
            fn from_usize(number: usize) -> Option<$number> {
                <$number>::try_from(number).ok()
            }

            #[inline]
            fn to_usize(self) -> Option<usize> {
                usize::try_from(self).ok()
            }
        }
    )*};
}

position!(i16: Word2, i32: Word4, i64: Word8);

/// The first `n` numbers or views of a buffer.
///
/// # Errors
/// If the buffer is too short or unaligned, which the structure of arrays excludes.
pub(super) fn numbers<T: NativeType>(buffer: &Buffer, n: usize) -> std::result::Result<&[T], DataErrorKind> {
    let n_slots = n as u64;
    let found = buffer.len() as u64;
    let numbers = buffer.view::<T>().map_err(|error| DataErrorKind::Misaligned { needed: error.needed })?;
    numbers.get(..n).ok_or(DataErrorKind::BufferTooShort {
        n_slots,
        needed: n_slots.saturating_mul(size_of::<T>() as u64),
        found,
    })
}

/// Writes numbers or views into bytes, which may be unaligned.
///
/// # Errors
/// If the numbers do not fill `to` exactly.
pub(super) fn write<T: NativeType>(to: &mut [u8], numbers: impl ExactSizeIterator<Item = T>) -> Result<()> {
    if to.len() != numbers.len().saturating_mul(size_of::<T>()) {
        return Err(IpcError::internal("the numbers do not fill their buffer"));
    }
    for (to, number) in to.chunks_exact_mut(size_of::<T>()).zip(numbers) {
        to.copy_from_slice(bytemuck::bytes_of(&number));
    }
    Ok(())
}

/// Like `write`, for numbers that an invariant guarantees. `what` says in the error which invariant is broken.
///
/// # Errors
/// If a number is `None`.
pub(super) fn try_write<T: NativeType>(
    to: &mut [u8],
    mut numbers: impl Iterator<Item = Option<T>>,
    what: &'static str,
) -> Result<()> {
    to.chunks_exact_mut(size_of::<T>()).try_for_each(|to| match numbers.next().flatten() {
        Some(number) => {
            to.copy_from_slice(bytemuck::bytes_of(&number));
            Ok(())
        }
        None => Err(IpcError::internal(what)),
    })
}

pub(super) const BITS_OUTSIDE: &str = "bits lie outside of their buffer";

/// Copies bits so that they start at the first bit of `to`, and fills the last byte with zeros. By the structure of
/// arrays, the buffer has these bits. `to` must have `n_bits` bits, rounded up to bytes.
pub(super) fn shift_bits(buffer: &Buffer, bit_offset: usize, n_bits: usize, to: &mut [u8]) -> Result<()> {
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
                shift_bits(&buffer, bit_offset, n_bits, &mut to).unwrap();
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
            let error = shift_bits(&Buffer::copy_from(buffer), bit_offset, n_bits, &mut to).unwrap_err();
            assert!(matches!(error.kind(), IpcErrorKind::Internal { .. }), "{error}");
        }
        shift_bits(&Buffer::from_static(&[0xff, 0xff]), 3, 9, &mut to).unwrap();
        assert_eq!(to, [0xff, 1]);
        assert!(shift_bits(&Buffer::from_static(&[0xff, 0xff]), 3, 8, &mut to).is_err());
    }
}
