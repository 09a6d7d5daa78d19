//! Casts text and bytes between layouts: with offsets, with views and of fixed size.

use arrow_array::{AnyArray, ArrayError, ArrayErrorKind, with_bytes};
use arrow_buffer::{Buffer, BufferMut, OffsetWidth, View};
use arrow_data::{ArrayData, ArrayParts, OffsetType, Physical, Validation, layout};
use arrow_schema::DataType;

use super::{CastContext, CastErrorKind, error::CastResult, memory};

/// The maximum length of a data buffer, since offsets in views have 32 bits.
const MAX_DATA_BYTES: usize = i32::MAX as usize;

/// Casts text or bytes. `None` if one of the types is neither.
pub(super) fn cast(
    casting: CastContext<'_>,
    array: &AnyArray,
    to: &DataType,
) -> CastResult<Option<ArrayData>> {
    if !(to.is_text() || to.is_binary()) {
        return Ok(None);
    }
    let bytes = array.data().text_as_bytes().map(AnyArray::try_from).transpose()?;
    let bytes = bytes.as_ref().unwrap_or(array);
    with_bytes!(bytes, values => Some(cast_bytes(casting, array, to, values.iter())), _ => None).transpose()
}

/// Copies the values to the layout of `to`. Reserves memory for all slots first, since a small array can have any number of
/// empty slots. Reserves memory for each value before it is copied, since many slots may share one long value.
pub(super) fn cast_bytes<'a>(
    casting: CastContext<'_>,
    array: &AnyArray,
    to: &DataType,
    values: impl Iterator<Item = Option<&'a [u8]>> + Clone,
) -> CastResult<ArrayData> {
    let (n_slots, unchecked) = (array.len(), values.clone());
    let mut parts = ArrayParts::new(to.clone(), n_slots);
    match layout(to).physical() {
        Physical::Bytes(offset) => {
            parts.buffers = match offset {
                OffsetType::Int32 => with_offsets::<i32>(casting, n_slots, values)?,
                OffsetType::Int64 => with_offsets::<i64>(casting, n_slots, values)?,
            };
        }
        Physical::Views => {
            let (views, data) = with_views(casting, n_slots, values)?;
            parts.buffers = [views, Buffer::new()];
            parts.variadic = (!data.is_empty()).then(|| data.into());
        }
        Physical::Fixed(n_bytes) => {
            parts.buffers = [fixed_size_values(casting, n_slots, n_bytes.as_usize(), values)?, Buffer::new()];
        }
        // The other layouts contain neither bytes nor text.
        Physical::Null
        | Physical::Bits
        | Physical::List(_)
        | Physical::ListView(_)
        | Physical::FixedSizeList(_)
        | Physical::Struct
        | Physical::Union(_)
        | Physical::Runs(_)
        | Physical::Dictionary(_) => {
            let from = array.data().data_type().clone();
            return Err(CastErrorKind::Unsupported { from, to: to.clone() }.into());
        }
    }
    parts.validity = array.validity().cloned();
    let checked = ArrayData::try_new(parts)?.validate(Validation::Content);
    if checked.is_err() && to.is_text() {
        // This check finds the slot and the byte that are invalid.
        check_utf8(unchecked)?;
    }
    Ok(checked?)
}

/// Makes offsets, and a buffer with the bytes of all values.
fn with_offsets<'a, O: OffsetWidth>(
    casting: CastContext<'_>,
    n_slots: usize,
    values: impl Iterator<Item = Option<&'a [u8]>> + Clone,
) -> CastResult<[Buffer; 2]> {
    let n_offset_bytes = (n_slots as u128).saturating_add(1).saturating_mul(size_of::<O>() as u128);
    let mut offsets = memory::bytes(n_offset_bytes, casting.budget)?;
    let n_bytes: u128 = values.clone().flatten().map(|value| value.len() as u128).sum();
    let fits = |len: usize| O::from_usize(len).ok_or_else(|| too_long::<O>(n_bytes));
    fits(usize::try_from(n_bytes).unwrap_or(usize::MAX))?;
    let mut bytes = memory::bytes(n_bytes, casting.budget)?;
    offsets.push(O::ZERO);
    for value in values {
        bytes.extend_from_slice(value.unwrap_or_default());
        offsets.push(fits(bytes.len())?);
    }
    Ok([offsets.freeze(), bytes.freeze()])
}

/// Makes views, and data buffers with the bytes of long values.
fn with_views<'a>(
    casting: CastContext<'_>,
    n_slots: usize,
    values: impl Iterator<Item = Option<&'a [u8]>> + Clone,
) -> CastResult<(Buffer, Vec<Buffer>)> {
    let mut views = memory::bytes(n_slots as u128 * size_of::<View>() as u128, casting.budget)?;
    let long = values.clone().flatten().filter(|value| View::inline(value).is_none());
    let mut n_left: u128 = long.map(|value| value.len() as u128).sum();
    let mut full = Vec::new();
    let mut open = BufferMut::new();
    for value in values {
        let value = value.unwrap_or_default();
        if let Some(view) = View::inline(value) {
            views.push(view);
            continue;
        }
        let n_bytes = value.len() as u64;
        let too_long = || ArrayError::from(ArrayErrorKind::ViewOverflow { n_bytes });
        if value.len() > MAX_DATA_BYTES {
            return Err(too_long().into());
        }
        if value.len() > open.capacity().saturating_sub(open.len()) {
            let filled = std::mem::replace(
                &mut open,
                memory::bytes(n_left.min(MAX_DATA_BYTES as u128), casting.budget)?,
            );
            full.extend((!filled.is_empty()).then(|| filled.freeze()));
        }
        let position = i32::try_from(full.len()).ok().zip(i32::try_from(open.len()).ok());
        let view = position.and_then(|(buffer_idx, offset)| View::long(value, buffer_idx, offset));
        views.push(view.ok_or_else(too_long)?);
        open.extend_from_slice(value);
        n_left = n_left.saturating_sub(u128::from(n_bytes));
    }
    full.extend((!open.is_empty()).then(|| open.freeze()));
    Ok((views.freeze(), full))
}

/// Makes a buffer of values that all have the length of the new type. Nulls become zeros.
fn fixed_size_values<'a>(
    casting: CastContext<'_>,
    n_slots: usize,
    n_bytes: usize,
    values: impl Iterator<Item = Option<&'a [u8]>>,
) -> CastResult<Buffer> {
    let mut bytes = memory::bytes(n_slots as u128 * n_bytes as u128, casting.budget)?;
    for value in values {
        match value {
            None => bytes.extend_zeros(n_bytes),
            Some(value) if value.len() == n_bytes => bytes.extend_from_slice(value),
            Some(value) => {
                let (expected, found) = (n_bytes as u64, value.len() as u64);
                let kind = ArrayErrorKind::ValueLength { expected, found };
                return Err(ArrayError::from(kind).into());
            }
        }
    }
    Ok(bytes.freeze())
}
/// The error for a number of bytes that offsets cannot express.
pub(super) fn too_long<O: OffsetWidth>(n_bytes: u128) -> ArrayError {
    let is_short = size_of::<O>() == size_of::<i32>();
    let (offsets, max) = if is_short { ("int32", i32::MAX as u64) } else { ("int64", i64::MAX as u64) };
    let n = u64::try_from(n_bytes).unwrap_or(u64::MAX);
    ArrayErrorKind::OffsetOverflow { n, unit: "bytes", offsets, max }.into()
}

fn check_utf8<'a>(values: impl Iterator<Item = Option<&'a [u8]>>) -> CastResult<()> {
    for (slot, value) in values.enumerate() {
        let text = std::str::from_utf8(value.unwrap_or_default());
        text.map_err(|error| CastErrorKind::NotUtf8 { slot, position: error.valid_up_to() })?;
    }
    Ok(())
}
