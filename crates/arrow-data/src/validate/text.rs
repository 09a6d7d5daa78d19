//! Text with offsets: every valid slot is UTF-8 by itself.
//!
//! The bytes up to the last offset are checked at once. That the whole is UTF-8 does not say that its slots are:
//! offsets could cut characters, unless all is ASCII. Where either fails, valid slots are looked at one by one.
//! Null slots may cut characters and hold anything; reading one gives the empty string. So does reading an empty
//! slot that lies inside a character which two null slots share.

use std::{ops::Range, str};

use arrow_buffer::{
    Buffer, BufferMut, OffsetWidth, Text, TextError, TextOffsetsError, TextSlots, TextSlotsError, Values,
};

use super::{Repairs, offsets};
use crate::{
    array::{ArrayData, Storage},
    error::{DataError, DataErrorKind as Kind},
    layout::{OffsetType, Role},
    positions::offset_type,
};

/// Checks buffers 0 and 1, and keeps the proof.
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
    let offsets: &[O] = offsets::of_slots(array)?;
    let loose = |text| Storage::Text { offsets: array.buffer(0).clone(), text };
    let end = offsets.last().and_then(|last| last.to_usize()).unwrap_or(0);
    let bytes = array.buffer(1).slice(..end.min(array.buffer(1).len()));
    if offsets.is_empty() {
        // The buffer of offsets stays as it is, whatever is in it.
        return Text::try_new(bytes).map(loose).map_err(not_utf8);
    }
    let values = Values::try_new(array.buffer(0).clone(), offsets.len())
        .map_err(|_| Kind::Misaligned { needed: align_of::<O>() })?;
    let error = match TextSlots::try_new(values, bytes) {
        Ok(slots) => return Ok(storage(slots)),
        Err(error) => error,
    };
    // Something about the text, unless it is the offsets.
    offsets::check(array)?;
    match error {
        TextSlotsError::Offsets(error) => Err(offsets::misplaced(error)),
        TextSlotsError::Text(TextOffsetsError::NotBetween { buffer, .. }) => {
            check_valid_slots(array, offsets, &buffer, |_| Kind::SplitCharacter)?;
            Text::try_new(buffer).map(loose).map_err(not_utf8)
        }
        TextSlotsError::Text(TextOffsetsError::NotUtf8(TextError { buffer, .. })) => {
            check_valid_slots(array, offsets, &buffer, |valid_up_to| Kind::NotUtf8 { valid_up_to })?;
            repairs.count(buffer.len())?;
            // All slots that were kept are UTF-8, and so are zeros between them.
            Text::try_new(keep_valid_slots(array, offsets, &buffer)).map(loose).map_err(not_utf8)
        }
    }
}

fn not_utf8(error: TextError) -> DataError {
    Kind::NotUtf8 { valid_up_to: error.valid_up_to as u64 }.into()
}

fn check_valid_slots<O: OffsetWidth>(
    array: &ArrayData,
    offsets: &[O],
    bytes: &[u8],
    kind: impl Fn(u64) -> Kind,
) -> Result<(), DataError> {
    for (slot, range) in valid_ranges(array, offsets) {
        if let Err(error) = str::from_utf8(bytes.get(range).unwrap_or_default()) {
            return Err(DataError::from(kind(error.valid_up_to() as u64)).at_slot(slot));
        }
    }
    Ok(())
}

/// A copy in which all bytes are zero that no valid slot refers to.
fn keep_valid_slots<O: OffsetWidth>(array: &ArrayData, offsets: &[O], bytes: &[u8]) -> Buffer {
    let mut copy = BufferMut::with_capacity(bytes.len());
    copy.extend_zeros(bytes.len());
    for (_, range) in valid_ranges(array, offsets) {
        if let (Some(to), Some(from)) = (copy.as_mut_slice().get_mut(range.clone()), bytes.get(range)) {
            to.copy_from_slice(from);
        }
    }
    copy.freeze()
}

/// The byte ranges of valid slots; offsets are in order and not negative.
fn valid_ranges<O: OffsetWidth>(
    array: &ArrayData,
    offsets: &[O],
) -> impl Iterator<Item = (usize, Range<usize>)> {
    let ends = offsets.get(1..).unwrap_or_default();
    let ranges = offsets.iter().zip(ends).enumerate();
    ranges
        .filter(|(slot, _)| array.is_valid(*slot))
        .filter_map(|(slot, (start, end))| Some((slot, start.to_usize()?..end.to_usize()?)))
}
