//! Checks indices of dictionary-encoded arrays: in valid slots they must select a value of the dictionary.

use std::ops::{BitAnd, BitOr};

use arrow_buffer::{Bitmap, NativeType};
use arrow_schema::IndexType;

use super::elements;
use crate::{
    array::{ArrayData, positions::index_type},
    error::{DataError, DataErrorKind as Kind},
    layout::Role,
};

/// Checks buffer 0 against the length of the dictionary.
pub(super) fn check(array: &ArrayData) -> Result<(), DataError> {
    let index = index_type(array)?;
    let is_signed = index.is_signed();
    match index {
        IndexType::Int8 | IndexType::UInt8 => check_width::<u8>(array, is_signed),
        IndexType::Int16 | IndexType::UInt16 => check_width::<u16>(array, is_signed),
        IndexType::Int32 | IndexType::UInt32 => check_width::<u32>(array, is_signed),
        IndexType::Int64 | IndexType::UInt64 => check_width::<u64>(array, is_signed),
    }
    .map_err(|error| error.in_role(Role::Values))
}

/// An index as an unsigned number, so that negative indices become large.
trait Index: NativeType + Ord + Into<u64> + TryFrom<u64> + BitOr<Output = Self> + BitAnd<Output = Self> {
    const N_BITS: u32;
    const ZERO: Self;
    const ALL: Self;
    const TOP: Self;
    /// All ones if the bit of the mask is set, otherwise all zeros.
    fn extend(mask: i8) -> Self;

    /// A number whose highest bit is set if and only if `self` exceeds `max`. The highest bit of `max` must not be set.
    fn above(self, max: Self) -> Self;
}

macro_rules! index {
    ($($number:ty, $signed:ty);*) => {$(
        impl Index for $number {
            const N_BITS: u32 = <$number>::BITS;
            const ZERO: Self = 0;
            const ALL: Self = <$number>::MAX;
            const TOP: Self = 1 << (<$number>::BITS - 1);

            #[inline]
            fn extend(mask: i8) -> Self {
                <$signed>::from(mask).cast_unsigned()
            }

            #[inline]
            fn above(self, max: Self) -> Self {
                self | max.wrapping_sub(self)
            }
        }
    )*};
}

index!(u8, i8; u16, i16; u32, i32; u64, i64);

fn check_width<T: Index>(array: &ArrayData, is_signed: bool) -> Result<(), DataError> {
    let indices: &[T] = elements(array, 0, array.len())?;
    let n_values = array.dictionary().map_or(0, |dictionary| dictionary.len() as u64);
    let n_reachable = if is_signed { n_values.min(T::TOP.into()) } else { n_values };
    let Some(max) = n_reachable.checked_sub(1) else {
        return find(array, indices, is_signed, |_| true);
    };
    let max = T::try_from(max).unwrap_or(T::ALL);
    if max == T::ALL || all_within(indices, max) {
        return Ok(());
    }
    match array.validity() {
        Some(validity) if valid_within(indices, validity, max) => Ok(()),
        Some(_) | None => find(array, indices, is_signed, |index| index > max),
    }
}

fn all_within<T: Index>(indices: &[T], max: T) -> bool {
    if max < T::TOP {
        indices.iter().fold(T::ZERO, |bits, index| bits | index.above(max)) < T::TOP
    } else {
        indices.iter().fold(T::ZERO, |highest, index| highest.max(*index)) <= max
    }
}

/// Like [`all_within`], but only for the slots whose bit is set.
fn valid_within<T: Index>(indices: &[T], validity: &Bitmap, max: T) -> bool {
    if max < T::TOP {
        fold_valid(indices, validity, |index| index.above(max), T::bitor) < T::TOP
    } else {
        fold_valid(indices, validity, |index| index, T::max) <= max
    }
}

/// Joins the results of `map` for the indices of valid slots. Other slots count as 0, which is inside every dictionary.
#[inline]
fn fold_valid<T: Index>(
    indices: &[T],
    validity: &Bitmap,
    map: impl Fn(T) -> T,
    join: impl Fn(T, T) -> T,
) -> T {
    let mut lanes = [T::ZERO; 8];
    let mut fold_eight = |indices: &[T; 8], byte: u8| {
        let masks = &MASKS[usize::from(byte)];
        for ((lane, index), mask) in lanes.iter_mut().zip(indices).zip(masks) {
            *lane = join(*lane, map(*index & T::extend(*mask)));
        }
    };
    for (indices, word) in indices.chunks(64).zip(validity.words()) {
        let (eights, rest) = indices.as_chunks::<8>();
        let mut bytes = word.to_le_bytes().into_iter();
        for (eight, byte) in eights.iter().zip(bytes.by_ref()) {
            fold_eight(eight, byte);
        }
        if let Some(byte) = bytes.next() {
            let mut eight = [T::ZERO; 8];
            eight.iter_mut().zip(rest).for_each(|(to, index)| *to = *index);
            fold_eight(&eight, byte);
        }
    }
    lanes.into_iter().fold(T::ZERO, join)
}

/// Eight masks for each possible byte of a bitmap: all bits of a mask are set if the corresponding bit of the byte is set.
/// Loading masks is faster than testing each bit.
static MASKS: [[i8; 8]; 256] = {
    let mut masks = [[0; 8]; 256];
    let mut byte = 0;
    while byte < 256 {
        let mut bit = 0;
        while bit < 8 {
            masks[byte][bit] = if byte >> bit & 1 == 1 { -1 } else { 0 };
            bit += 1;
        }
        byte += 1;
    }
    masks
};

/// The first valid slot whose index is out of bounds.
fn find<T: Index>(
    array: &ArrayData,
    indices: &[T],
    is_signed: bool,
    is_bad: impl Fn(T) -> bool,
) -> Result<(), DataError> {
    match indices.iter().enumerate().find(|(slot, index)| array.is_valid(*slot) && is_bad(**index)) {
        None => Ok(()),
        Some((slot, index)) => {
            let bits: u64 = (*index).into();
            let unused = u64::BITS.saturating_sub(T::N_BITS);
            let index = if is_signed {
                i128::from((bits << unused).cast_signed() >> unused)
            } else {
                i128::from(bits)
            };
            let n_values = array.dictionary().map_or(0, |dictionary| dictionary.len() as u64);
            Err(DataError::from(Kind::IndexOutOfRange { index, n_values }).at_slot(slot))
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// The masked pass only finds whether there is an error, and the slow pass names the slot. This tests the masked pass by
    /// itself.
    fn check<T: Index>(indices: &[T], bits: &[bool], max: T) {
        let is_good = |(index, bit): (&T, &bool)| !bit || *index <= max;
        let expected = indices.iter().zip(bits).all(is_good);
        assert_eq!(valid_within(indices, &bits.iter().copied().collect(), max), expected);
        assert_eq!(all_within(indices, max), indices.iter().all(|index| *index <= max));
    }

    proptest! {
        #[test]
        fn passes_agree_with_the_obvious(
            slots in prop::collection::vec((any::<u64>(), prop::bool::weighted(0.3), 0..40_u32), 0..200),
            max: u64,
            n_bits in 0..64_u32,
        ) {
            // Most numbers are small, so many indices are valid.
            let indices = slots.iter().map(|(index, _, shift)| index >> (n_bits.max(*shift)));
            let bits: Vec<bool> = slots.iter().map(|(_, bit, _)| *bit).collect();
            let max = max >> n_bits;
            let bytes: Vec<u8> = indices.clone().map(|index| index.to_le_bytes()[0]).collect();
            check(&bytes, &bits, max.to_le_bytes()[0]);
            let words: Vec<u32> = indices.clone().map(|index| u32::try_from(index).unwrap_or(u32::MAX)).collect();
            check(&words, &bits, u32::try_from(max).unwrap_or(u32::MAX));
            check(&indices.collect::<Vec<u64>>(), &bits, max);
        }
    }
}
