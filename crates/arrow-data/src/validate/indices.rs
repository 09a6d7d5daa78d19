//! Indices of dictionary-encoded arrays: those of valid slots select a value of the dictionary.

use std::ops::{BitAnd, BitOr};

use arrow_buffer::{Bitmap, Native};

use super::elements;
use crate::{
    array::ArrayData,
    error::{DataError, DataErrorKind as Kind},
    layout::Role,
};

/// Whether the index type has a sign.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Sign {
    Signed,
    Unsigned,
}

/// Checks buffer 0 against the length of the dictionary.
pub(super) fn check(array: &ArrayData, sign: Sign) -> Result<(), DataError> {
    match array.layout().data_buffers().first().map_or(0, |spec| spec.bits) {
        8 => check_width::<u8>(array, sign),
        16 => check_width::<u16>(array, sign),
        32 => check_width::<u32>(array, sign),
        _ => check_width::<u64>(array, sign),
    }
    .map_err(|error| error.in_role(Role::Values))
}

/// An index read without its sign: negative ones become those above the middle.
trait Index: Native + Ord + Into<u64> + TryFrom<u64> + BitOr<Output = Self> + BitAnd<Output = Self> {
    const N_BITS: u32;
    const ZERO: Self;
    const ALL: Self;
    const TOP: Self;
    /// Bit 0 to 7, one each.
    const BITS: [Self; 8];

    fn from_byte(byte: u8) -> Self;

    /// Its highest bit is set exactly when `self` is above `max`, whose own highest bit must not be set.
    fn above(self, max: Self) -> Self;
}

macro_rules! index {
    ($($number:ty),*) => {$(
        impl Index for $number {
            const N_BITS: u32 = <$number>::BITS;
            const ZERO: Self = 0;
            const ALL: Self = <$number>::MAX;
            const TOP: Self = 1 << (<$number>::BITS - 1);
            const BITS: [Self; 8] = [1, 2, 4, 8, 16, 32, 64, 128];

            #[inline]
            fn from_byte(byte: u8) -> Self {
                Self::from(byte)
            }

            #[inline]
            fn above(self, max: Self) -> Self {
                self | max.wrapping_sub(self)
            }
        }
    )*};
}

index!(u8, u16, u32, u64);

fn check_width<T: Index>(array: &ArrayData, sign: Sign) -> Result<(), DataError> {
    let indices: &[T] = elements(array, 0, array.len())?;
    let n_values = array.dictionary().map_or(0, |dictionary| dictionary.len() as u64);
    let n_reachable = match sign {
        Sign::Signed => n_values.min(T::TOP.into()),
        Sign::Unsigned => n_values,
    };
    let Some(max) = n_reachable.checked_sub(1) else {
        return find(array, indices, sign, |_| true);
    };
    let max = T::try_from(max).unwrap_or(T::ALL);
    if max == T::ALL || all_within(indices, max) {
        return Ok(());
    }
    match array.validity() {
        Some(validity) if valid_within(indices, validity, max) => Ok(()),
        Some(_) | None => find(array, indices, sign, |index| index > max),
    }
}

fn all_within<T: Index>(indices: &[T], max: T) -> bool {
    if max < T::TOP {
        indices.iter().fold(T::ZERO, |bits, index| bits | index.above(max)) < T::TOP
    } else {
        indices.iter().fold(T::ZERO, |highest, index| highest.max(*index)) <= max
    }
}

/// As [`all_within`] for the slots whose bit is set.
fn valid_within<T: Index>(indices: &[T], validity: &Bitmap, max: T) -> bool {
    // The highest bit decides where `max` lacks it; else the largest index does.
    let mut above = T::ZERO;
    let mut highest = T::ZERO;
    for (indices, word) in indices.chunks(64).zip(validity.words()) {
        let (eights, rest) = indices.as_chunks::<8>();
        let mut bytes = word.to_le_bytes().into_iter();
        for (eight, byte) in eights.iter().zip(bytes.by_ref()) {
            for (index, bit) in eight.iter().zip(T::BITS) {
                let live = live(*index, byte, bit);
                above = above | (live.above(max));
                highest = highest.max(live);
            }
        }
        let byte = bytes.next().unwrap_or(0);
        for (index, bit) in rest.iter().zip(T::BITS) {
            let live = live(*index, byte, bit);
            above = above | live.above(max);
            highest = highest.max(live);
        }
    }
    if max < T::TOP { above < T::TOP } else { highest <= max }
}

/// The index where the bit is set, else zero, which is inside of every dictionary that has values.
#[inline]
fn live<T: Index>(index: T, byte: u8, bit: T) -> T {
    let mask = if T::from_byte(byte) & bit == T::ZERO { T::ZERO } else { T::ALL };
    index & mask
}

/// The first valid slot whose index is bad.
fn find<T: Index>(
    array: &ArrayData,
    indices: &[T],
    sign: Sign,
    is_bad: impl Fn(T) -> bool,
) -> Result<(), DataError> {
    match indices.iter().enumerate().find(|(slot, index)| array.is_valid(*slot) && is_bad(**index)) {
        None => Ok(()),
        Some((slot, index)) => {
            let bits: u64 = (*index).into();
            let unused = u64::BITS.saturating_sub(T::N_BITS);
            let index = match sign {
                Sign::Signed => i128::from((bits << unused).cast_signed() >> unused),
                Sign::Unsigned => i128::from(bits),
            };
            let n_values = array.dictionary().map_or(0, |dictionary| dictionary.len() as u64);
            Err(DataError::from(Kind::IndexOutOfRange { index, n_values }).at_slot(slot))
        }
    }
}
