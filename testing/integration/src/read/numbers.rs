//! Values of a fixed width, offsets, sizes and type ids.

use std::str::FromStr;

use arrow_buffer::{Bitmap, Buffer, F16, I128, I256, IntervalDayTime, IntervalMonthDayNano, NativeType};
use arrow_data::{BufferSpec, Count};

use super::slots::{Slots, check_length};
use crate::{
    error::Result,
    json::{Json, Object, read_items},
    types::Notation,
};

/// The values of all slots, as numbers or bits.
pub(super) fn read_values(object: &Object<'_>, slots: &Slots, notation: Notation) -> Result<Buffer> {
    match notation {
        Notation::Boolean => {
            let bits = slots.read_values(object, "DATA", Json::boolean, || false)?;
            Ok(Bitmap::from_iter(bits).buffer().clone())
        }
        Notation::Int8 => data(object, slots, |json| json.number::<i8>("an int8")),
        Notation::Int16 => data(object, slots, |json| json.number::<i16>("an int16")),
        Notation::Int32 => data(object, slots, |json| json.number::<i32>("an int32")),
        Notation::Int64 => data(object, slots, |json| json.number_or_string::<i64>("an int64 in a string")),
        Notation::UInt8 => data(object, slots, |json| json.number::<u8>("a uint8")),
        Notation::UInt16 => data(object, slots, |json| json.number::<u16>("a uint16")),
        Notation::UInt32 => data(object, slots, |json| json.number::<u32>("a uint32")),
        Notation::UInt64 => data(object, slots, |json| json.number_or_string::<u64>("a uint64 in a string")),
        Notation::Float16 => data(object, slots, |json| {
            float(
                json,
                |it: &F16| it.to_f32().is_finite(),
                |bits| u16::try_from(bits).ok().map(F16::from_bits),
            )
        }),
        Notation::Float32 => data(object, slots, |json| {
            float(json, |it: &f32| it.is_finite(), |bits| u32::try_from(bits).ok().map(f32::from_bits))
        }),
        Notation::Float64 => data(object, slots, |json| {
            float(json, |it: &f64| it.is_finite(), |bits| Some(f64::from_bits(bits)))
        }),
        Notation::Decimal32 => data(object, slots, decimal::<i32>),
        Notation::Decimal64 => data(object, slots, decimal::<i64>),
        Notation::Decimal128 => data(object, slots, decimal::<I128>),
        Notation::Decimal256 => data(object, slots, decimal::<I256>),
        Notation::DayTime => data(object, slots, day_time),
        Notation::MonthDayNano => data(object, slots, month_day_nano),
        // Written in other ways.
        Notation::None | Notation::Hex | Notation::Text => Ok(Buffer::new()),
    }
}

fn data<'a, T: NativeType>(
    object: &Object<'a>,
    slots: &Slots,
    read: impl FnMut(Json<'a>) -> Result<T>,
) -> Result<Buffer> {
    slots.read_values(object, "DATA", read, T::default).map(Buffer::from)
}

fn decimal<T: FromStr>(json: Json<'_>) -> Result<T> {
    json.number_or_string("the unscaled integer of a decimal in a string")
}

/// Parses digits, and rounds them once to the requested width. Values that are not JSON numbers are in strings, which is
/// our own addition.
fn float<T: FromStr>(
    json: Json<'_>,
    is_finite: impl Fn(&T) -> bool,
    from_bits: impl Fn(u64) -> Option<T>,
) -> Result<T> {
    const EXPECTED: &str = "a floating-point number";
    let Ok(text) = json.string() else {
        let value = json.number(EXPECTED)?;
        return if is_finite(&value) {
            Ok(value)
        } else {
            Err(json.expected("a number that the type can hold"))
        };
    };
    let value = match (text.as_str(), text.strip_prefix("0x")) {
        ("NaN" | "inf" | "-inf", _) => text.parse().ok(),
        (_, Some(bits)) => u64::from_str_radix(bits, 16).ok().and_then(from_bits),
        _ => None,
    };
    value.ok_or_else(|| json.expected(EXPECTED))
}

fn day_time(json: Json<'_>) -> Result<IntervalDayTime> {
    let object = json.object()?;
    Ok(IntervalDayTime {
        days: object.read("days", |json| json.number("an int32"))?,
        milliseconds: object.read("milliseconds", |json| json.number("an int32"))?,
    })
}

fn month_day_nano(json: Json<'_>) -> Result<IntervalMonthDayNano> {
    let object = json.object()?;
    Ok(IntervalMonthDayNano {
        months: object.read("months", |json| json.number("an int32"))?,
        days: object.read("days", |json| json.number("an int32"))?,
        nanoseconds: object.read("nanoseconds", |json| json.number_or_string("an int64"))?,
    })
}

/// Offsets, sizes or type ids, which null slots also have.
pub(super) fn read_integers(
    object: &Object<'_>,
    member: &'static str,
    slots: &Slots,
    spec: &BufferSpec,
) -> Result<Buffer> {
    match spec.bits {
        8 => integers::<i8>(object, member, slots, spec.count).map(Buffer::from),
        64 => integers::<i64>(object, member, slots, spec.count).map(Buffer::from),
        _ => integers::<i32>(object, member, slots, spec.count).map(Buffer::from),
    }
}

/// As many integers as the layout table requires. Integers of 64 bits may be strings.
pub(super) fn integers<T: FromStr>(
    object: &Object<'_>,
    member: &'static str,
    slots: &Slots,
    count: Count,
) -> Result<Vec<T>> {
    object.read(member, |json| {
        let items = json.array()?;
        let n_slots = slots.len();
        let is_short = count != Count::PerSlotPlusOne || (n_slots == 0 && items.is_empty());
        check_length(if is_short { n_slots } else { n_slots.saturating_add(1) }, items.len())?;
        read_items(&items, |_, item| item.number_or_string("an integer in range"))
    })
}
