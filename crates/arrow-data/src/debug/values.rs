//! The first values of an array, as they are stored: dates as days, decimals as unscaled integers.

use std::fmt::{self, Write};

use arrow_buffer::{F16, I128, I256, NativeType};
use arrow_schema::DataType;

use crate::{
    array::{
        ArrayData,
        positions::{
            DictionaryIndices, Ranges, RunEnds, SlotBytes, TypeIds, bits, inside, numbers, union_child,
        },
    },
    error::DataError,
    layout::Physical,
    validation::Validation,
};

/// The greatest number of slots, items or bytes that are shown.
const MAX_SHOWN: usize = 10;

/// Prints the first values of an array in brackets, or `invalid` if their content is.
pub(super) struct FirstValues<'a>(pub(super) &'a ArrayData);

impl fmt::Display for FirstValues<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let n_shown = self.0.len().min(MAX_SHOWN);
        let first = self.0.try_slice(0, n_shown).and_then(|first| first.validate(Validation::Content));
        let Ok(first) = first else { return f.write_str("invalid") };
        write_list(f, &first, 0, self.0.len())
    }
}

/// Writes the values of the slots from `start` on, of which only the first are shown.
fn write_list(f: &mut dyn Write, array: &ArrayData, start: usize, n_slots: usize) -> fmt::Result {
    let n_shown = n_slots.min(MAX_SHOWN);
    f.write_char('[')?;
    for position in 0..n_shown {
        f.write_str(if position == 0 { "" } else { ", " })?;
        write_value(f, array, start.saturating_add(position))?;
    }
    match n_slots.saturating_sub(n_shown) {
        0 => f.write_char(']'),
        n_more => write!(f, ", … {n_more} more]"),
    }
}

/// Writes a value of a validated array. Recurses once for each level of nesting.
fn write_value(f: &mut dyn Write, array: &ArrayData, slot: usize) -> fmt::Result {
    if array.validity().is_some() && !array.is_valid(slot) {
        return f.write_str("null");
    }
    let impossible = |_: DataError| fmt::Error;
    match array.layout().physical() {
        Physical::Null => f.write_str("null"),
        Physical::Bits => {
            let bit = bits(array).and_then(|bits| inside(bits.get(slot))).map_err(impossible)?;
            write!(f, "{bit}")
        }
        Physical::Fixed(size) => {
            write_fixed(f, array.data_type(), array, slot, size.as_usize()).map_err(|_| fmt::Error)
        }
        Physical::Bytes(_) | Physical::Views => {
            let values = SlotBytes::try_new(array).map_err(impossible)?;
            let bytes = values.get(slot).ok_or(fmt::Error)?;
            match std::str::from_utf8(bytes) {
                Ok(text) if array.data_type().is_text() => write!(f, "{text:?}"),
                Ok(_) | Err(_) => write_bytes(f, bytes),
            }
        }
        Physical::List(_) | Physical::ListView(_) | Physical::FixedSizeList(_) => {
            let range =
                Ranges::try_new(array).and_then(|ranges| inside(ranges.get(slot))).map_err(impossible)?;
            let items = inside(array.children().first()).map_err(impossible)?;
            write_list(f, items, range.start, range.len())
        }
        Physical::Struct => {
            f.write_char('{')?;
            let columns = array.data_type().children().iter().zip(array.children());
            for (position, (field, column)) in columns.enumerate() {
                write!(f, "{}{}: ", if position == 0 { "" } else { ", " }, field.name())?;
                write_value(f, column, slot)?;
            }
            f.write_char('}')
        }
        Physical::Union(_) => {
            let ids = TypeIds::try_new(array).map_err(impossible)?;
            let (id, child_slot) = ids.get(slot).ok_or(fmt::Error)?;
            let child =
                union_child(array.data_type(), id).and_then(|position| array.children().get(position));
            write_value(f, child.ok_or(fmt::Error)?, child_slot)
        }
        Physical::Runs(_) => {
            let run =
                RunEnds::try_new(array).and_then(|ends| inside(ends.run_of(slot))).map_err(impossible)?;
            write_value(f, array.children().get(1).ok_or(fmt::Error)?, run)
        }
        Physical::Dictionary(_) => {
            let indices = DictionaryIndices::try_new(array).map_err(impossible)?;
            write_value(f, array.dictionary().ok_or(fmt::Error)?, indices.get(slot).ok_or(fmt::Error)?)
        }
    }
}

/// Writes a value of `size` bytes: as a number, or as bytes if the type is no number.
fn write_fixed(
    f: &mut dyn Write,
    data_type: &DataType,
    array: &ArrayData,
    slot: usize,
    size: usize,
) -> Result<(), fmt::Error> {
    let is_number = data_type.is_numeric() || data_type.is_temporal();
    match size {
        2 if data_type.is_floating_point() => write!(f, "{}", f32::from(number::<F16>(array, slot)?)),
        4 if data_type.is_floating_point() => write!(f, "{:?}", number::<f32>(array, slot)?),
        8 if data_type.is_floating_point() => write!(f, "{:?}", number::<f64>(array, slot)?),
        1 if data_type.is_unsigned_integer() => write!(f, "{}", number::<u8>(array, slot)?),
        2 if data_type.is_unsigned_integer() => write!(f, "{}", number::<u16>(array, slot)?),
        4 if data_type.is_unsigned_integer() => write!(f, "{}", number::<u32>(array, slot)?),
        8 if data_type.is_unsigned_integer() => write!(f, "{}", number::<u64>(array, slot)?),
        1 if is_number => write!(f, "{}", number::<i8>(array, slot)?),
        2 if is_number => write!(f, "{}", number::<i16>(array, slot)?),
        4 if is_number => write!(f, "{}", number::<i32>(array, slot)?),
        8 if is_number => write!(f, "{}", number::<i64>(array, slot)?),
        16 if data_type.is_decimal() => write!(f, "{}", number::<I128>(array, slot)?),
        32 if data_type.is_decimal() => write!(f, "{}", number::<I256>(array, slot)?),
        _ => {
            let start = slot.saturating_mul(size);
            let bytes = array.buffer(0).get(start..start.saturating_add(size));
            return write_bytes(f, bytes.ok_or(fmt::Error)?);
        }
    }?;
    match data_type.as_decimal() {
        Some((_, scale)) if scale != 0 => write!(f, "e{}", -i64::from(scale)),
        Some(_) | None => Ok(()),
    }
}

fn number<T: NativeType>(array: &ArrayData, slot: usize) -> Result<T, fmt::Error> {
    let numbers = numbers::<T>(array.buffer(0), array.len()).map_err(|_| fmt::Error)?;
    numbers.get(slot).copied().ok_or(fmt::Error)
}

fn write_bytes(f: &mut dyn Write, bytes: &[u8]) -> fmt::Result {
    f.write_str("0x")?;
    bytes.iter().take(MAX_SHOWN).try_for_each(|byte| write!(f, "{byte:02x}"))?;
    f.write_str(if bytes.len() > MAX_SHOWN { "…" } else { "" })
}
