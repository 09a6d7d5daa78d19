//! Checks offsets and sizes of list views: every slot, null or not, must lie inside the child.

use arrow_buffer::NativeType;

use super::elements;
use crate::{
    array::{ArrayData, positions::offset_type},
    error::{DataError, DataErrorKind as Kind},
    layout::{OffsetType, Role},
};

/// Checks buffers 0 and 1 against the length of the child.
pub(super) fn check(array: &ArrayData) -> Result<(), DataError> {
    let end = array.children().first().map_or(0, ArrayData::len);
    let n_slots = array.len();
    match offset_type(array)? {
        OffsetType::Int32 => {
            check_width::<i32>(elements(array, 0, n_slots)?, elements(array, 1, n_slots)?, end)
        }
        OffsetType::Int64 => {
            check_width::<i64>(elements(array, 0, n_slots)?, elements(array, 1, n_slots)?, end)
        }
    }
}

trait ListViewNumber: NativeType + Into<i64> + TryFrom<usize> + std::ops::BitOr<Output = Self> {
    const ZERO: Self;
    const MAX: Self;

    /// Negative if and only if the range may reach beyond `0..end`.
    fn outside(offset: Self, size: Self, end: Self) -> Self;
}

macro_rules! number {
    ($($number:ty),*) => {$(
        impl ListViewNumber for $number {
            const ZERO: Self = 0;
            const MAX: Self = <$number>::MAX;

            #[inline]
            fn outside(offset: Self, size: Self, end: Self) -> Self {
                // Both numbers are not negative, so their wrapped sum is negative exactly when the sum does not fit.
                let sum = offset.wrapping_add(size);
                offset | size | sum | end.wrapping_sub(sum)
            }
        }
    )*};
}

number!(i32, i64);

fn check_width<N: ListViewNumber>(offsets: &[N], sizes: &[N], end: usize) -> Result<(), DataError> {
    let clamped = N::try_from(end).unwrap_or(N::MAX);
    let outside = offsets
        .iter()
        .zip(sizes)
        .fold(N::ZERO, |bits, (offset, size)| bits | N::outside(*offset, *size, clamped));
    if outside.into() >= 0 { Ok(()) } else { find(offsets, sizes, end) }
}

/// The slow pass, which is exact even if a sum of 32-bit numbers overflows.
fn find<N: ListViewNumber>(offsets: &[N], sizes: &[N], end: usize) -> Result<(), DataError> {
    for (slot, (offset, size)) in offsets.iter().zip(sizes).enumerate() {
        let (offset, size): (i64, i64) = ((*offset).into(), (*size).into());
        let (role, kind) = match (u64::try_from(offset), u64::try_from(size)) {
            (Err(_), _) => (Role::Offsets, Kind::NegativeOffset { offset }),
            (_, Err(_)) => (Role::Sizes, Kind::NegativeSize { size }),
            // No overflow: neither number is above `i64::MAX`.
            (Ok(from), Ok(n)) if from.saturating_add(n) <= end as u64 => continue,
            _ => (Role::Offsets, Kind::ListViewOutOfRange { offset, size, end: end as u64 }),
        };
        return Err(DataError::from(kind).in_role(role).at_slot(slot));
    }
    Ok(())
}
