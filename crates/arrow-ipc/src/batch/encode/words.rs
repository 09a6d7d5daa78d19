//! Reads and writes buffers of offsets, sizes, run ends and views.

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
