//! Text and bytes of fixed and of variable size.

use arrow_buffer::Buffer;
use arrow_data::Count;

use super::{numbers, slots::Slots};
use crate::{
    error::{DocumentErrorKind as Kind, Result},
    hex::read_hex,
    json::{Json, Object},
    types::Notation,
};

/// Values that all have `n_bytes` bytes.
pub(super) fn read_fixed(object: &Object<'_>, slots: &Slots, n_bytes: u64) -> Result<Buffer> {
    let n_bytes = usize::try_from(n_bytes).unwrap_or(usize::MAX);
    let read = |json: Json<'_>| {
        let value = bytes(json, Notation::Hex)?;
        if value.len() == n_bytes {
            return Ok(value);
        }
        Err(Kind::ValueLength { expected: n_bytes as i128, found: value.len() }.into())
    };
    let values = slots.read_values(object, "DATA", read, || vec![0; n_bytes])?;
    Ok(Buffer::from(values.concat()))
}

/// Offsets of 32 or 64 bits, and the bytes between them. Null slots are empty, even if the document has values for them.
pub(super) fn read_variable(
    object: &Object<'_>,
    slots: &Slots,
    n_offset_bits: u64,
    notation: Notation,
) -> Result<[Buffer; 2]> {
    let declared: Vec<i64> = numbers::integers(object, "OFFSET", slots, Count::PerSlotPlusOne)?;
    let mut slot_idx = 0..;
    let values = slots.read_values(object, "DATA", |json| bytes(json, notation), Vec::new)?;
    let mut offsets = vec![0_i64];
    let mut data = Vec::new();
    for (value, declared) in values.iter().zip(declared.windows(2)) {
        let slot = slot_idx.next().unwrap_or(usize::MAX);
        let expected = i128::from(declared[1]) - i128::from(declared[0]);
        if slots.is_valid(slot) && expected != value.len() as i128 {
            let error = crate::DocumentError::from(Kind::ValueLength { expected, found: value.len() });
            return Err(error.in_item(slot).in_member("DATA"));
        }
        data.extend_from_slice(value);
        offsets.push(i64::try_from(data.len()).unwrap_or(i64::MAX));
    }
    let offsets = if n_offset_bits == 64 { Buffer::from(offsets) } else { narrow(&offsets)? };
    Ok([offsets, Buffer::from(data)])
}

fn narrow(offsets: &[i64]) -> Result<Buffer> {
    let too_large = |_| Kind::TooLarge { limit: i32::MAX as u64 };
    let offsets: Result<Vec<i32>, Kind> =
        offsets.iter().map(|offset| i32::try_from(*offset).map_err(too_large)).collect();
    Ok(Buffer::from(offsets?))
}

/// The bytes of a string: its UTF-8, or the bytes that its hexadecimal digits encode.
pub(super) fn bytes(json: Json<'_>, notation: Notation) -> Result<Vec<u8>> {
    let text = json.string()?;
    if notation == Notation::Text {
        return Ok(text.into_bytes());
    }
    read_hex(&text).ok_or_else(|| json.expected("pairs of hexadecimal digits"))
}
