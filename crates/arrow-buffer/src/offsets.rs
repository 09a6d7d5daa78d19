//! Offsets that have been checked to be in order.

use std::fmt::{self, Display};
use std::ops::Range;

use crate::native::NativeType;
use crate::values::Values;

mod sealed {
    pub trait Sealed {}
    impl Sealed for i32 {}
    impl Sealed for i64 {}
}

/// The integers that are used as offsets: `i32`, and `i64` for the large types.
pub trait OffsetWidth: NativeType + Ord + Display + Into<i64> + sealed::Sealed {
    /// Zero.
    const ZERO: Self;

    /// The offset as a position. `None` if it is negative or larger than a `usize`.
    fn to_usize(self) -> Option<usize>;

    /// The position as an offset. `None` if it does not fit.
    fn from_usize(position: usize) -> Option<Self>;

    /// Returns the offsets, each minus `first`. A difference that does not fit becomes the least or the greatest number.
    fn minus(offsets: &[Self], first: Self) -> Vec<Self>;

    /// Writes each offset minus `first` to `to`, in the byte order of this machine, until `to` is full. No offset may
    /// be negative.
    fn write_minus(offsets: &[Self], first: Self, to: &mut [u8]);
}

macro_rules! offset_width {
    ($($number:ty: $n_bytes:literal),*) => {$(
        impl OffsetWidth for $number {
            const ZERO: $number = 0;

            #[inline]
            fn to_usize(self) -> Option<usize> {
                usize::try_from(self).ok()
            }

            #[inline]
            fn from_usize(position: usize) -> Option<$number> {
                <$number>::try_from(position).ok()
            }

            // Neither function is inlined: callers may be compiled for size, and then loops are not vectorised.
            #[inline(never)]
            fn minus(offsets: &[$number], first: $number) -> Vec<$number> {
                offsets.iter().map(|offset| offset.saturating_sub(first)).collect()
            }

            #[inline(never)]
            fn write_minus(offsets: &[$number], first: $number, to: &mut [u8]) {
                for (to, offset) in to.as_chunks_mut::<$n_bytes>().0.iter_mut().zip(offsets) {
                    *to = offset.wrapping_sub(first).to_ne_bytes();
                }
            }
        }
    )*};
}

offset_width!(i32: 4, i64: 8);

/// A list of at least one offset: the first offset is not negative, and no offset is less than the offset before it.
///
/// Slot `i` begins at offset `i` and ends at offset `i + 1`. Specification: "Variable-size Binary Layout".
///
/// ```
/// use arrow_buffer::Offsets;
///
/// let offsets: Offsets<i32> = Offsets::try_from_sizes([2, 0, 3])?;
/// assert_eq!(offsets[..], [0, 2, 2, 5]);
/// assert_eq!(offsets.range(2), Some(2..5));
/// # Ok::<(), arrow_buffer::OffsetOverflow>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Offsets<O: OffsetWidth>(Values<O>);

impl<O: OffsetWidth> Offsets<O> {
    /// Makes offsets of numbers, after a check that they are in order.
    ///
    /// # Errors
    ///
    /// If there are no offsets, the first offset is negative, or an offset is less than the offset before it.
    pub fn try_new(offsets: Values<O>) -> Result<Offsets<O>, OffsetsError> {
        if offsets.is_empty() {
            return Err(OffsetsError::Empty);
        }
        check_offsets(&offsets)?;
        Ok(Offsets(offsets))
    }

    /// Makes the offsets of slots with these sizes. The first offset is 0.
    ///
    /// # Errors
    ///
    /// If the sum of the sizes does not fit the type of the offsets.
    pub fn try_from_sizes(sizes: impl IntoIterator<Item = usize>) -> Result<Offsets<O>, OffsetOverflow> {
        let sizes = sizes.into_iter();
        let mut offsets = Vec::with_capacity(sizes.size_hint().0.saturating_add(1));
        offsets.push(O::ZERO);
        let mut end = 0_usize;
        for (slot, size) in sizes.enumerate() {
            let next = end.checked_add(size).and_then(|next| Some((next, O::from_usize(next)?)));
            let Some((next, offset)) = next else {
                return Err(OffsetOverflow { slot, n_bits: size_of::<O>() * 8 });
            };
            end = next;
            offsets.push(offset);
        }
        Ok(Offsets(Values::from(offsets)))
    }

    /// The number of slots: one less than the number of offsets.
    #[inline]
    pub fn n_slots(&self) -> usize {
        self.0.len() - 1
    }

    /// The range of bytes or items of a slot. `None` if out of bounds.
    #[inline]
    pub fn range(&self, slot: usize) -> Option<Range<usize>> {
        let start = *self.0.get(slot)?;
        let end = *self.0.get(slot.checked_add(1)?)?;
        Some(start.to_usize()?..end.to_usize()?)
    }

    /// The first offset, where the first slot starts.
    pub fn first(&self) -> O {
        self.0.first().copied().unwrap_or_default()
    }

    /// The last offset, where the last slot ends.
    pub fn last(&self) -> O {
        self.0.last().copied().unwrap_or_default()
    }

    /// The offsets of `n_slots` slots from slot `start` on. Shares the memory, so the first offset need not be 0.
    ///
    /// # Panics
    ///
    /// If the range is out of bounds, like indexing into a slice.
    pub fn slice(&self, start: usize, n_slots: usize) -> Offsets<O> {
        let end = start.checked_add(n_slots).filter(|&end| end <= self.n_slots());
        let Some(end) = end else {
            panic!("{n_slots} slots from slot {start} are out of bounds of {} slots", self.n_slots())
        };
        Offsets(self.0.slice(start..=end))
    }

    /// The offsets as numbers, one more than there are slots.
    pub fn as_values(&self) -> &Values<O> {
        &self.0
    }

    /// The offsets as numbers, without the proof that they are in order.
    pub fn into_values(self) -> Values<O> {
        self.0
    }
}

impl<O: OffsetWidth> Default for Offsets<O> {
    /// Offsets without slots.
    fn default() -> Offsets<O> {
        Offsets(Values::from(vec![O::ZERO]))
    }
}

impl<O: OffsetWidth> std::ops::Deref for Offsets<O> {
    type Target = [O];

    #[inline]
    fn deref(&self) -> &[O] {
        &self.0
    }
}

/// Checks that the first offset is not negative and that no offset is less than the offset before it.
///
/// An empty list of offsets passes: some producers omit the offsets of empty arrays.
///
/// # Errors
///
/// If an offset is invalid. The error names the first invalid slot.
pub fn check_offsets<O: OffsetWidth>(offsets: &[O]) -> Result<(), OffsetsError> {
    let Some((&first, later)) = offsets.split_first() else { return Ok(()) };
    if first < O::ZERO {
        return Err(OffsetsError::NegativeFirst { offset: first.into() });
    }
    // Blocks are checked without a branch inside. A loop that stopped at the first wrong offset would be slower.
    const BLOCK: usize = 4096;
    for (block_idx, (starts, ends)) in offsets.chunks(BLOCK).zip(later.chunks(BLOCK)).enumerate() {
        let is_sorted = starts.iter().zip(ends).fold(true, |sorted, (start, end)| sorted & (start <= end));
        if !is_sorted {
            return Err(find_decrease(starts, ends, block_idx * BLOCK));
        }
    }
    Ok(())
}

/// Compares the offsets one by one to find the invalid slot, after the fast pass has found that there is one.
#[cold]
fn find_decrease<O: OffsetWidth>(starts: &[O], ends: &[O], n_before: usize) -> OffsetsError {
    let idx = starts.iter().zip(ends).position(|(start, end)| start > end).unwrap_or_default();
    let offset = |offsets: &[O]| offsets.get(idx).copied().unwrap_or_default().into();
    OffsetsError::Decreasing { slot: n_before + idx, start: offset(starts), end: offset(ends) }
}

/// The reason why offsets are invalid.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum OffsetsError {
    /// There are no offsets.
    Empty,
    /// The first offset is negative.
    NegativeFirst {
        /// The negative offset.
        offset: i64,
    },
    /// The slot ends before it starts.
    Decreasing {
        /// The index of the slot.
        slot: usize,
        /// The offset at which the slot starts.
        start: i64,
        /// The offset at which the slot ends.
        end: i64,
    },
}

arrow_error::debug_as_display!(OffsetsError);

impl fmt::Display for OffsetsError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            OffsetsError::Empty => f.write_str("there are no offsets; even an array without slots has one"),
            OffsetsError::NegativeFirst { offset } => {
                write!(f, "the first offset is {offset}, which is negative")
            }
            OffsetsError::Decreasing { slot, start, end } => {
                write!(f, "slot {slot}: offset {end} is less than the preceding offset {start}")
            }
        }
    }
}

impl std::error::Error for OffsetsError {}

impl OffsetsError {
    /// The index of the first invalid slot. `None` if there are no offsets.
    pub const fn slot(&self) -> Option<usize> {
        match self {
            OffsetsError::Empty => None,
            OffsetsError::NegativeFirst { .. } => Some(0),
            OffsetsError::Decreasing { slot, .. } => Some(*slot),
        }
    }
}

/// The error for sizes whose sum is more than the type of the offsets allows.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct OffsetOverflow {
    /// The first slot that does not fit.
    pub slot: usize,
    /// The number of bits that an offset has.
    pub n_bits: usize,
}

arrow_error::debug_as_display!(OffsetOverflow);

impl fmt::Display for OffsetOverflow {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let OffsetOverflow { slot, n_bits } = self;
        write!(f, "slot {slot} ends past the largest offset of {n_bits} bits")
    }
}

impl std::error::Error for OffsetOverflow {}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::{OffsetOverflow, OffsetWidth, Offsets, OffsetsError, check_offsets, find_decrease};
    use crate::Values;

    fn naive(offsets: &[i32]) -> Result<(), OffsetsError> {
        if let Some(&offset) = offsets.first().filter(|&&offset| offset < 0) {
            return Err(OffsetsError::NegativeFirst { offset: offset.into() });
        }
        match offsets.windows(2).position(|pair| pair[0] > pair[1]) {
            Some(slot) => {
                let (start, end) = (offsets[slot].into(), offsets[slot + 1].into());
                Err(OffsetsError::Decreasing { slot, start, end })
            }
            None => Ok(()),
        }
    }

    #[test]
    fn offsets_are_less_by_the_first() {
        let offsets = [3, 3, 10, i32::MAX, 0, i32::MIN];
        assert_eq!(OffsetWidth::minus(&offsets, 3), [0, 0, 7, i32::MAX - 3, -3, i32::MIN]);
        let wide = offsets.map(i64::from);
        assert_eq!(OffsetWidth::minus(&wide, 3), wide.map(|offset| offset - 3));
        let mut bytes = [7; 20];
        OffsetWidth::write_minus(&offsets[..4], 3, &mut bytes);
        assert_eq!(bytes.as_chunks::<4>().0, [0, 0, 7, i32::MAX - 3, 0x0707_0707].map(i32::to_ne_bytes));
        OffsetWidth::write_minus(&wide, 3, &mut bytes);
        assert_eq!(bytes.as_chunks::<8>().0, [0, 0].map(i64::to_ne_bytes));
    }

    #[test]
    fn every_position_is_found() {
        for n_offsets in [1, 2, 3, 4095, 4096, 4097, 4098, 8193, 10_000] {
            let good: Vec<i32> = (0..n_offsets).collect();
            assert_eq!(check_offsets(&good), Ok(()));
            for at in [0, 1, 2, 4094, 4095, 4096, 4097, 8191, 8192, n_offsets as usize - 1] {
                let mut bad = good.clone();
                let Some(offset) = bad.get_mut(at) else { continue };
                *offset = -1;
                assert_eq!(check_offsets(&bad), naive(&bad));
                assert!(check_offsets(&bad).is_err());
                let wide: Vec<i64> = bad.iter().map(|&offset| offset.into()).collect();
                assert_eq!(check_offsets(&wide), naive(&bad));
            }
        }
    }

    #[test]
    fn what_was_found_wrong_stays_wrong() {
        // The slow pass finds no error here, but still names a slot.
        let error = OffsetsError::Decreasing { slot: 7, start: 1, end: 2 };
        assert_eq!(find_decrease(&[1, 2], &[2, 3], 7), error);
        assert_eq!(find_decrease(&[1, 3, 2], &[3, 2, 9], 7).slot(), Some(8));
    }

    #[test]
    fn edges() {
        assert_eq!(Offsets::<i32>::try_new(Values::default()), Err(OffsetsError::Empty));
        assert_eq!(check_offsets::<i32>(&[]), Ok(()));
        assert_eq!(Offsets::<i64>::default().n_slots(), 0);
        let overflow = Offsets::<i32>::try_from_sizes([1, i32::MAX as usize - 1, 0, 1]);
        assert_eq!(overflow, Err(OffsetOverflow { slot: 3, n_bits: 32 }));
        assert!(Offsets::<i64>::try_from_sizes([usize::MAX, usize::MAX]).is_err());
        let offsets = Offsets::try_new(Values::from(vec![3_i32, 5, 5, 9])).unwrap_or_default();
        assert_eq!((offsets.first(), offsets.last(), offsets.n_slots()), (3, 9, 3));
        assert_eq!(
            [0, 1, 2, 3, usize::MAX].map(|slot| offsets.range(slot)),
            [Some(3..5), Some(5..5), Some(5..9), None, None]
        );
        assert_eq!(offsets.slice(1, 2)[..], [5, 5, 9]);
        assert_eq!(offsets.slice(3, 0)[..], [9]);
    }

    proptest! {
        #[test]
        fn agrees_with_the_obvious(offsets in prop::collection::vec(-2..20_i32, 0..6), sorted: bool) {
            let mut offsets = offsets;
            if sorted {
                offsets.sort_unstable();
            }
            prop_assert_eq!(check_offsets(&offsets), naive(&offsets));
        }
    }
}
