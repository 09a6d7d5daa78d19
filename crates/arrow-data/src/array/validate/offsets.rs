//! Checks offsets of variable-size binary and lists: they must not be negative, decrease, or exceed the length of the
//! data buffer or child.
//!
//! The rule holds for every slot, null or not. Entries and keys of maps must not be null, either.

use arrow_buffer::{OffsetWidth, OffsetsError, check_offsets};

use super::{elements, live::live_ranges};
use crate::{
    array::{
        ArrayData,
        positions::{inside, offset_type},
    },
    error::{DataError, DataErrorKind as Kind},
    layout::{OffsetType, Physical, Role},
};

/// Checks buffer 0 against the length of the data buffer or the child.
pub(super) fn check(array: &ArrayData) -> Result<(), DataError> {
    check_within(array, end(array))
}

/// Checks buffer 0. The greatest valid offset is `end`.
pub(super) fn check_within(array: &ArrayData, end: usize) -> Result<(), DataError> {
    match offset_type(array)? {
        OffsetType::Int32 => check_width(slot_offsets::<i32>(array)?, end),
        OffsetType::Int64 => check_width(slot_offsets::<i64>(array)?, end),
    }
    .map_err(|error| error.in_role(Role::Offsets))
}

/// The offsets of all slots and the end of the last slot. Empty if there are no slots, since producers then write 0,
/// another number or no offset.
pub(super) fn slot_offsets<O: OffsetWidth>(array: &ArrayData) -> Result<&[O], DataError> {
    match array.len().checked_add(1) {
        Some(1) => Ok(&[]),
        Some(n_offsets) => elements(array, 0, n_offsets),
        None => Err(Kind::SizeOverflow { n_slots: array.len() as u64 }.into()),
    }
}

/// The largest valid offset: the length of the data buffer or of the child.
fn end(array: &ArrayData) -> usize {
    if matches!(array.layout().physical(), Physical::Bytes(_)) {
        array.buffer(1).len()
    } else {
        array.children().first().map_or(0, ArrayData::len)
    }
}

fn check_width<O: OffsetWidth>(offsets: &[O], end: usize) -> Result<(), DataError> {
    if offsets.is_empty() {
        return Ok(());
    }
    match check_offsets(offsets) {
        Ok(()) => check_end(offsets, end),
        Err(error) => {
            // The offsets before the first decrease are in order, and one of them may already be out of range.
            let n_in_order = error.slot().map_or(0, |slot| slot.saturating_add(1));
            check_end(offsets.get(..n_in_order).unwrap_or(offsets), end)?;
            Err(misplaced(error))
        }
    }
}

/// Checks that increasing offsets do not exceed the end.
fn check_end<O: OffsetWidth>(offsets: &[O], end: usize) -> Result<(), DataError> {
    // A negative first offset is reported by the caller.
    let end_offset = i64::try_from(end).unwrap_or(i64::MAX);
    let is_inside = |offset: &O| (*offset).into() <= end_offset;
    // Offsets do not decrease, so only the last one has to be compared.
    if offsets.last().is_none_or(is_inside) {
        return Ok(());
    }
    let position = offsets.partition_point(is_inside);
    let offset = offsets.get(position).map_or(0, |offset| (*offset).into());
    let kind = Kind::OffsetOutOfRange { offset, end: end as u64 };
    // The wrong offset is the end of the slot before this position.
    Err(DataError::from(kind).at_slot(position.saturating_sub(1)))
}

pub(super) fn misplaced(error: OffsetsError) -> DataError {
    let kind = match error {
        // This cannot happen: an array with slots has offsets.
        OffsetsError::Empty => Kind::NegativeOffset { offset: 0 },
        OffsetsError::NegativeFirst { offset } => Kind::NegativeOffset { offset },
        OffsetsError::Decreasing { slot: _, start: offset, end: next } => {
            Kind::OffsetsDecrease { offset, next }
        }
    };
    DataError::from(kind).at_slot(error.slot().unwrap_or(0))
}

/// Checks a map: its offsets, and that neither the entries nor the keys of a valid slot are null.
pub(super) fn check_map(array: &ArrayData) -> Result<(), DataError> {
    check(array)?;
    let entries = inside(array.children().first())?;
    let keys = inside(entries.children().first())?;
    if entries.null_count() == 0 && keys.null_count() == 0 {
        return Ok(());
    }
    for range in live_ranges(array, 0)? {
        for slot in range? {
            if !entries.is_valid(slot) {
                return Err(null(Kind::NullMapEntry, slot).in_child(array.data_type(), 0));
            }
            if !keys.is_valid(slot) {
                let error = null(Kind::NullMapKey, slot).in_child(entries.data_type(), 0);
                return Err(error.in_child(array.data_type(), 0));
            }
        }
    }
    Ok(())
}

fn null(kind: Kind, slot: usize) -> DataError {
    DataError::from(kind).in_role(Role::Validity).at_slot(slot)
}
