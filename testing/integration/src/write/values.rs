//! Single values.

use std::fmt::{Display, Write};

use arrow_buffer::{F16, I128, I256, IntervalDayTime, IntervalMonthDayNano, NativeType};
use arrow_data::ArrayData;
use arrow_schema::QuotedText;

use super::columns::{in_data, numbers};
use crate::{error::Result, hex::write_hex, types::Notation};

/// Appends the numbers of all slots. Null slots have zeros.
pub(super) fn write_numbers(out: &mut String, array: &ArrayData, notation: Notation) -> Result<()> {
    match notation {
        Notation::Int8 => write_each::<i8>(out, array, plain),
        Notation::Int16 => write_each::<i16>(out, array, plain),
        Notation::Int32 => write_each::<i32>(out, array, plain),
        Notation::Int64 => write_each::<i64>(out, array, quoted),
        Notation::UInt8 => write_each::<u8>(out, array, plain),
        Notation::UInt16 => write_each::<u16>(out, array, plain),
        Notation::UInt32 => write_each::<u32>(out, array, plain),
        Notation::UInt64 => write_each::<u64>(out, array, quoted),
        Notation::Float16 => write_each(out, array, |out, float: F16| {
            write_float(out, float, [float, F16::from_f32(f32::NAN)].map(|float| float.to_bits().into()))
        }),
        Notation::Float32 => write_each(out, array, |out, float: f32| {
            write_float(out, float, [float, f32::NAN].map(|float| float.to_bits().into()))
        }),
        Notation::Float64 => write_each(out, array, |out, float: f64| {
            write_float(out, float, [float, f64::NAN].map(f64::to_bits))
        }),
        Notation::Decimal32 => write_each::<i32>(out, array, quoted),
        Notation::Decimal64 => write_each::<i64>(out, array, quoted),
        Notation::Decimal128 => write_each::<I128>(out, array, quoted),
        Notation::Decimal256 => write_each::<I256>(out, array, quoted),
        Notation::DayTime => write_each(out, array, |out, value: IntervalDayTime| {
            let _ = write!(out, "{{\"days\":{},\"milliseconds\":{}}}", value.days, value.milliseconds);
            Ok(())
        }),
        Notation::MonthDayNano => write_each(out, array, |out, value: IntervalMonthDayNano| {
            let IntervalMonthDayNano { months, days, nanoseconds } = value;
            let _ = write!(out, "{{\"months\":{months},\"days\":{days},\"nanoseconds\":{nanoseconds}}}");
            Ok(())
        }),
        // Written in other ways.
        Notation::None | Notation::Boolean | Notation::Hex | Notation::Text => Ok(()),
    }
}

fn write_each<T: NativeType>(
    out: &mut String,
    array: &ArrayData,
    mut write: impl FnMut(&mut String, T) -> Result<()>,
) -> Result<()> {
    out.push('[');
    for (slot, value) in numbers::<T>(array, 0).into_iter().take(array.len()).enumerate() {
        out.push_str(if slot == 0 { "" } else { "," });
        let value = if array.is_valid(slot) { value } else { T::default() };
        write(out, value).map_err(|error| in_data(error, slot))?;
    }
    out.push(']');
    Ok(())
}

fn plain(out: &mut String, value: impl Display) -> Result<()> {
    let _ = write!(out, "{value}");
    Ok(())
}

fn quoted(out: &mut String, value: impl Display) -> Result<()> {
    let _ = write!(out, "\"{value}\"");
    Ok(())
}

/// Appends a number with as many digits as necessary, or a string if JSON does not have the number. `bits` are the bits
/// of the number and those of the usual NaN.
fn write_float<T: Display + Into<f64> + Copy>(out: &mut String, value: T, bits: [u64; 2]) -> Result<()> {
    let [bits, nan_bits] = bits;
    let wide: f64 = value.into();
    match wide.is_nan() {
        true if bits != nan_bits => quoted(out, format_args!("{bits:#x}")),
        false if wide.is_finite() => plain(out, value),
        _ => quoted(out, value),
    }
}

/// Appends a text or digits for bytes.
pub(super) fn write_bytes(out: &mut String, value: &[u8], notation: Notation) {
    if notation == Notation::Text {
        // Text has been checked.
        let _ = write!(out, "{}", QuotedText(&String::from_utf8_lossy(value)));
        return;
    }
    out.push('"');
    write_hex(out, value);
    out.push('"');
}
