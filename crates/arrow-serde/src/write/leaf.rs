//! Writes values that are not nested. Decides which kinds of values each type accepts.

use std::fmt;

use arrow_array::{AnyBuilder, PrimitiveBuilder, PrimitiveType, append_text};
use arrow_buffer::F16;
use arrow_data::{StrictRule, layout};
use arrow_schema::DataType;

use crate::error::{Result, SerdeError, SerdeErrorKind};

/// A value that is not nested, as serde passes it to the serializer.
#[derive(Debug, Clone, Copy)]
pub(super) enum Value<'v> {
    Boolean(bool),
    Integer(i128),
    /// An integer that exceeds `i128`.
    Large(u128),
    Float(f64),
    Text(&'v str),
    Bytes(&'v [u8]),
}

impl Value<'_> {
    fn name(self) -> &'static str {
        match self {
            Value::Boolean(_) => "a boolean",
            Value::Integer(_) | Value::Large(_) => "an integer",
            Value::Float(_) => "a floating-point number",
            Value::Text(_) => "a string",
            Value::Bytes(_) => "bytes",
        }
    }
}

/// The error for a kind of value that the type of the builder does not accept.
#[cold]
pub(super) fn wrong(builder: &AnyBuilder, found: &'static str) -> SerdeError {
    SerdeErrorKind::Type { expected: builder.data_type().clone(), found }.into()
}

/// Appends a value to a builder whose type is not nested.
pub(super) fn append(builder: &mut AnyBuilder, value: Value<'_>) -> Result<()> {
    match value {
        Value::Boolean(flag) => {
            if let AnyBuilder::Boolean(flags) = builder {
                flags.append(flag);
                return Ok(());
            }
        }
        Value::Integer(number) => return integer(builder, number),
        Value::Large(number) => return large(builder, number),
        Value::Float(number) => return float(builder, number),
        Value::Text(value) => return text(builder, value),
        Value::Bytes(value) => return bytes(builder, value),
    }
    Err(wrong(builder, value.name()))
}

/// Writes an integer to an integer, a floating-point number or a decimal of this value, or to a temporal type as the stored
/// number.
fn integer(builder: &mut AnyBuilder, number: i128) -> Result<()> {
    match builder {
        AnyBuilder::Int8(numbers) => push(numbers, number),
        AnyBuilder::Int16(numbers) => push(numbers, number),
        AnyBuilder::Int32(numbers) => push(numbers, number),
        AnyBuilder::Int64(numbers) => push(numbers, number),
        AnyBuilder::UInt8(numbers) => push(numbers, number),
        AnyBuilder::UInt16(numbers) => push(numbers, number),
        AnyBuilder::UInt32(numbers) => push(numbers, number),
        AnyBuilder::UInt64(numbers) => push(numbers, number),
        AnyBuilder::Date32(numbers) => push(numbers, number),
        AnyBuilder::Timestamp(numbers) => push(numbers, number),
        AnyBuilder::Duration(numbers) => push(numbers, number),
        AnyBuilder::IntervalYearMonth(numbers) => push(numbers, number),
        AnyBuilder::Date64(numbers) => push_in_day(numbers, number),
        AnyBuilder::Time32(numbers) => push_in_day(numbers, number),
        AnyBuilder::Time64(numbers) => push_in_day(numbers, number),
        AnyBuilder::Float16(_)
        | AnyBuilder::Float32(_)
        | AnyBuilder::Float64(_)
        | AnyBuilder::Decimal32(_)
        | AnyBuilder::Decimal64(_)
        | AnyBuilder::Decimal128(_)
        | AnyBuilder::Decimal256(_) => {
            // `as` returns the maximum for all numbers above it, and no floating-point number is equal to the maximum.
            let is_exact = rounded(builder, number as f64) as i128 == number && number != i128::MAX;
            float_or_decimal(builder, &number, is_exact.then_some(number as f64))
        }
        AnyBuilder::Null(_)
        | AnyBuilder::Boolean(_)
        | AnyBuilder::IntervalDayTime(_)
        | AnyBuilder::IntervalMonthDayNano(_)
        | AnyBuilder::FixedSizeBinary(_)
        | AnyBuilder::Binary(_)
        | AnyBuilder::LargeBinary(_)
        | AnyBuilder::BinaryView(_)
        | AnyBuilder::Utf8(_)
        | AnyBuilder::LargeUtf8(_)
        | AnyBuilder::Utf8View(_)
        | AnyBuilder::List(_)
        | AnyBuilder::LargeList(_)
        | AnyBuilder::ListView(_)
        | AnyBuilder::LargeListView(_)
        | AnyBuilder::FixedSizeList(_)
        | AnyBuilder::Struct(_)
        | AnyBuilder::Map(_)
        | AnyBuilder::Union(_)
        | AnyBuilder::Dictionary(_)
        | AnyBuilder::RunEndEncoded(_) => Err(wrong(builder, "an integer")),
    }
}

/// Writes an integer that exceeds `i128`.
fn large(builder: &mut AnyBuilder, number: u128) -> Result<()> {
    let is_exact = rounded(builder, number as f64) as u128 == number && number != u128::MAX;
    float_or_decimal(builder, &number, is_exact.then_some(number as f64))
}

/// Writes an integer as the floating-point number that is equal to it, if there is one, or to a decimal of this value.
fn float_or_decimal(builder: &mut AnyBuilder, number: &dyn fmt::Display, equal: Option<f64>) -> Result<()> {
    let data_type = builder.data_type();
    match equal {
        _ if data_type.is_decimal() => Ok(append_text(builder, &number.to_string())?),
        Some(equal) if data_type.is_floating_point() => float(builder, equal),
        _ if data_type.is_integer() || data_type.is_floating_point() => Err(out_of_range(number, data_type)),
        _ => Err(wrong(builder, "an integer")),
    }
}

fn push<T>(builder: &mut PrimitiveBuilder<T>, number: i128) -> Result<()>
where
    T: PrimitiveType<Native: TryFrom<i128>>,
{
    let stored = T::Native::try_from(number).map_err(|_| out_of_range(&number, builder.data_type()))?;
    builder.append(stored);
    Ok(())
}

/// Appends a date in milliseconds, which must be a whole day, or a time, which must be within a day.
fn push_in_day<T>(builder: &mut PrimitiveBuilder<T>, number: i128) -> Result<()>
where
    T: PrimitiveType<Native: TryFrom<i128>>,
{
    let is_good = match layout(builder.data_type()).strict() {
        StrictRule::MultipleOf(unit) => number.checked_rem(unit.into()) == Some(0),
        StrictRule::Below(end) => (0..end.into()).contains(&number),
        StrictRule::Any | StrictRule::Precision(_) | StrictRule::DenseOrder => true,
    };
    if is_good { push(builder, number) } else { Err(out_of_range(&number, builder.data_type())) }
}

#[cold]
fn out_of_range(number: &dyn fmt::Display, data_type: &DataType) -> SerdeError {
    SerdeErrorKind::Range { value: number.to_string().into(), data_type: data_type.clone() }.into()
}

/// Appends the nearest number of the type. Returns an error if the type would round a finite number to infinity.
fn float(builder: &mut AnyBuilder, number: f64) -> Result<()> {
    let rounded = rounded(builder, number);
    if rounded.is_infinite() && number.is_finite() {
        let data_type = builder.data_type().clone();
        return Err(SerdeErrorKind::FloatRange { value: number, data_type }.into());
    }
    if let AnyBuilder::Float64(numbers) = builder {
        numbers.append(rounded);
    } else if let AnyBuilder::Float32(numbers) = builder {
        numbers.append(rounded as f32);
    } else if let AnyBuilder::Float16(numbers) = builder {
        numbers.append(F16::from_f64(rounded));
    } else {
        return Err(wrong(builder, Value::Float(number).name()));
    }
    Ok(())
}

/// The nearest number of a floating-point type. The same number for builders of other types.
fn rounded(builder: &AnyBuilder, number: f64) -> f64 {
    if let AnyBuilder::Float32(_) = builder {
        f64::from(number as f32)
    } else if let AnyBuilder::Float16(_) = builder {
        f64::from(F16::from_f64(number))
    } else {
        number
    }
}

/// Writes a text to a text type, or to a type whose values are strings in JSON rows.
fn text(builder: &mut AnyBuilder, value: &str) -> Result<()> {
    let data_type = builder.data_type();
    let is_counted = matches!(
        builder,
        AnyBuilder::Duration(_)
            | AnyBuilder::IntervalYearMonth(_)
            | AnyBuilder::IntervalDayTime(_)
            | AnyBuilder::IntervalMonthDayNano(_)
    );
    let is_written = data_type.is_binary_like() || data_type.is_decimal() || data_type.is_temporal();
    if is_written && !is_counted { Ok(append_text(builder, value)?) } else { Err(wrong(builder, "a string")) }
}

fn bytes(builder: &mut AnyBuilder, value: &[u8]) -> Result<()> {
    if let AnyBuilder::Binary(values) = builder {
        values.append(value);
    } else if let AnyBuilder::LargeBinary(values) = builder {
        values.append(value);
    } else if let AnyBuilder::BinaryView(values) = builder {
        values.append(value);
    } else if let AnyBuilder::FixedSizeBinary(values) = builder {
        if values.value_bytes() != value.len() {
            let (expected, found) = (values.value_bytes() as u64, value.len() as u64);
            return Err(SerdeErrorKind::Width { expected, found }.into());
        }
        values.append(value);
    } else {
        return Err(wrong(builder, "bytes"));
    }
    Ok(())
}
