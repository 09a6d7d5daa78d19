//! Checks utf8 with offsets: every valid slot must be UTF-8 by itself.
//!
//! The bytes up to the last offset are checked at once. Even if all bytes together are UTF-8, a slot may not be:
//! offsets may lie inside characters, unless all bytes are ASCII. If the bytes are not UTF-8 or an offset lies inside a
//! character, valid slots are checked one by one. Offsets of null slots may lie inside characters, and their bytes need
//! not be UTF-8. Reading such a slot returns the empty string, and so does reading an empty slot between two null slots
//! that share a character.

use std::str;

use arrow_buffer::{
    Buffer, BufferMut, OffsetWidth, Text, TextError, TextOffsetsError, TextSlots, TextSlotsError, Values,
};

use super::{Repairs, offsets};
use crate::{
    array::{
        ArrayData, Storage,
        positions::{Ranges, inside, offset_type},
    },
    error::{DataError, DataErrorKind as Kind},
    layout::{OffsetType, Role},
};

/// Checks buffers 0 and 1, and stores them as a type that proves that the text is valid.
pub(super) fn check(array: &mut ArrayData, repairs: &mut Repairs) -> Result<(), DataError> {
    let storage = match offset_type(array)? {
        OffsetType::Int32 => prove(array, repairs, Storage::Text32),
        OffsetType::Int64 => prove(array, repairs, Storage::Text64),
    };
    array.storage = storage.map_err(|error| error.in_role(Role::Bytes))?;
    Ok(())
}

fn prove<O: OffsetWidth>(
    array: &ArrayData,
    repairs: &mut Repairs,
    storage: impl FnOnce(TextSlots<O>) -> Storage,
) -> Result<Storage, DataError> {
    let offsets: &[O] = offsets::slot_offsets(array)?;
    let loose = |text| Storage::Text { offsets: array.buffer(0).clone(), text };
    let end = offsets.last().and_then(|last| last.to_usize()).unwrap_or(0);
    let bytes = array.buffer(1).slice(..end.min(array.buffer(1).len()));
    if offsets.is_empty() {
        // The offsets stay as they are, even if they are out of order.
        return Text::try_new(bytes).map(loose).map_err(not_utf8);
    }
    let values = Values::try_new(array.buffer(0).clone(), offsets.len())
        .map_err(|_| Kind::Misaligned { needed: align_of::<O>() })?;
    let error = match TextSlots::try_new(values, bytes) {
        Ok(slots) => return Ok(storage(slots)),
        Err(error) => error,
    };
    // An error in the offsets is reported first. If there is none, the text is invalid.
    offsets::check(array)?;
    match error {
        TextSlotsError::Offsets(error) => Err(offsets::misplaced(error)),
        TextSlotsError::Text(TextOffsetsError::NotBetween { buffer, .. }) => {
            check_valid_slots(array, &buffer, |_| Kind::SplitCharacter)?;
            Text::try_new(buffer).map(loose).map_err(not_utf8)
        }
        TextSlotsError::Text(TextOffsetsError::NotUtf8(TextError { buffer, .. })) => {
            check_valid_slots(array, &buffer, |valid_up_to| Kind::NotUtf8 { valid_up_to })?;
            repairs.count(buffer.len())?;
            // The bytes of all valid slots are UTF-8, and so are the zeros between them.
            Text::try_new(keep_valid_slots(array, &buffer, repairs)?).map(loose).map_err(not_utf8)
        }
    }
}

fn not_utf8(error: TextError) -> DataError {
    Kind::NotUtf8 { valid_up_to: error.valid_up_to as u64 }.into()
}

/// Checks the slots of an array whose offsets have been checked.
fn check_valid_slots(array: &ArrayData, bytes: &[u8], kind: impl Fn(u64) -> Kind) -> Result<(), DataError> {
    let ranges = Ranges::try_new(array)?;
    for slot in (0..array.len()).filter(|slot| array.is_valid(*slot)) {
        let value = inside(ranges.get(slot).and_then(|range| bytes.get(range)))?;
        if let Err(error) = str::from_utf8(value) {
            return Err(DataError::from(kind(error.valid_up_to() as u64)).at_slot(slot));
        }
    }
    Ok(())
}

/// A copy with zeros for all bytes that no valid slot refers to.
fn keep_valid_slots(array: &ArrayData, bytes: &[u8], repairs: &Repairs) -> Result<Buffer, DataError> {
    let ranges = Ranges::try_new(array)?;
    let copy = BufferMut::try_with_capacity_in(bytes.len(), repairs.budget.as_ref());
    let mut copy = copy.map_err(Kind::Memory)?;
    copy.extend_zeros(bytes.len());
    for slot in (0..array.len()).filter(|slot| array.is_valid(*slot)) {
        let range = inside(ranges.get(slot))?;
        let to = inside(copy.as_mut_slice().get_mut(range.clone()))?;
        to.copy_from_slice(inside(bytes.get(range))?);
    }
    Ok(copy.freeze())
}
