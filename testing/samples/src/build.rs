//! Arrays that are built value by value, from values that the reference reader has read.

use arrow_array::{AnyBuilder, ArrayError, Builder, NullBuilder, PrimitiveBuilder, PrimitiveType};
use arrow_buffer::{F16, I128, I256, IntervalDayTime, IntervalMonthDayNano, NativeType};
use arrow_data::{ArrayData, RecordBatch};
use testing_support::{Value, values};

/// An array with the same values as `array`, made by a builder.
///
/// # Errors
/// The errors of the builder.
pub fn rebuilt(array: &ArrayData) -> Result<ArrayData, ArrayError> {
    let mut builder = AnyBuilder::new(array.data_type());
    values(array).iter().for_each(|value| append(&mut builder, value));
    builder.finish_data()
}

/// A batch with the same rows as `batch`, made by builders.
///
/// # Errors
/// The errors of the builders.
pub fn rebuilt_batch(batch: &RecordBatch) -> Result<RecordBatch, ArrayError> {
    let columns = batch.columns().iter().map(rebuilt).collect::<Result<Vec<_>, _>>()?;
    Ok(RecordBatch::try_new_with_rows(batch.schema().clone(), columns, batch.n_rows())?)
}

/// Appends a value to a builder of its type.
///
/// # Panics
/// If the builder has another type.
pub fn append(builder: &mut AnyBuilder, value: &Value) {
    use AnyBuilder as B;
    if let (Value::Null, B::Union(_)) = (&value, &builder) {
        panic!("a union has no nulls of its own");
    }
    if *value == Value::Null {
        return builder.append_null();
    }
    match builder {
        B::Null(builder) => wrong(builder, value),
        B::Boolean(builder) => match value {
            Value::Bool(bit) => builder.append(*bit),
            other => panic!("{other:?} is no boolean"),
        },
        B::Int8(builder) => number(builder, value, |int| int as i8),
        B::Int16(builder) => number(builder, value, |int| int as i16),
        B::Int32(builder) => number(builder, value, |int| int as i32),
        B::Int64(builder) => number(builder, value, |int| int as i64),
        B::UInt8(builder) => number(builder, value, |int| int as u8),
        B::UInt16(builder) => number(builder, value, |int| int as u16),
        B::UInt32(builder) => number(builder, value, |int| int as u32),
        B::UInt64(builder) => number(builder, value, |int| int as u64),
        B::Float16(builder) => builder.append(F16::from_bits(bits(value) as u16)),
        B::Float32(builder) => builder.append(f32::from_bits(bits(value) as u32)),
        B::Float64(builder) => builder.append(f64::from_bits(bits(value))),
        B::Decimal32(builder) => builder.append(digits(value).parse::<i32>().expect("it fits")),
        B::Decimal64(builder) => builder.append(digits(value).parse::<i64>().expect("it fits")),
        B::Decimal128(builder) => builder.append(digits(value).parse::<I128>().expect("it fits")),
        B::Decimal256(builder) => builder.append(digits(value).parse::<I256>().expect("it fits")),
        B::Date32(builder) => number(builder, value, |int| int as i32),
        B::Date64(builder) => number(builder, value, |int| int as i64),
        B::Time32(builder) => number(builder, value, |int| int as i32),
        B::Time64(builder) => number(builder, value, |int| int as i64),
        B::Timestamp(builder) => number(builder, value, |int| int as i64),
        B::Duration(builder) => number(builder, value, |int| int as i64),
        B::IntervalYearMonth(builder) => builder.append(interval(value).0),
        B::IntervalDayTime(builder) => {
            let (_, days, milliseconds) = interval(value);
            let milliseconds = i32::try_from(milliseconds).expect("it is of 32 bits");
            builder.append(IntervalDayTime { days, milliseconds });
        }
        B::IntervalMonthDayNano(builder) => {
            let (months, days, nanoseconds) = interval(value);
            builder.append(IntervalMonthDayNano { months, days, nanoseconds });
        }
        B::FixedSizeBinary(builder) => builder.append(bytes(value)),
        B::Binary(builder) => builder.append(bytes(value)),
        B::LargeBinary(builder) => builder.append(bytes(value)),
        B::BinaryView(builder) => builder.append(bytes(value)),
        B::Utf8(builder) => builder.append(text(value)),
        B::LargeUtf8(builder) => builder.append(text(value)),
        B::Utf8View(builder) => builder.append(text(value)),
        B::List(builder) => builder.append_with(|items| append_all(items, list(value))),
        B::LargeList(builder) => builder.append_with(|items| append_all(items, list(value))),
        B::ListView(builder) => builder.append_with(|items| append_all(items, list(value))),
        B::LargeListView(builder) => builder.append_with(|items| append_all(items, list(value))),
        B::FixedSizeList(builder) => builder.append_with(|items| append_all(items, list(value))),
        B::Struct(builder) => match value {
            Value::Struct(fields) => builder.append_with(|columns| {
                assert_eq!(columns.len(), fields.len());
                columns.iter_mut().zip(fields).for_each(|(column, field)| append(column, field));
            }),
            other => panic!("{other:?} is no struct"),
        },
        B::Map(builder) => match value {
            Value::Map(entries) => builder.append_with(|keys, values| {
                for (key, value) in entries {
                    append(keys, key);
                    append(values, value);
                }
            }),
            other => panic!("{other:?} is no map"),
        },
        B::Union(builder) => match value {
            Value::Union(type_id, value) => {
                let child = builder.data_type().as_union().and_then(|union| union.child_of(*type_id));
                let child = child.expect("a known type id");
                builder.append_with(|children| append(&mut children[child], value));
            }
            other => panic!("{other:?} is no union"),
        },
        B::Dictionary(builder) => builder.append_with(|values| append(values, value)),
        B::RunEndEncoded(builder) => builder.append_with(|values| append(values, value)),
    }
}

fn wrong(_: &NullBuilder, value: &Value) {
    panic!("{value:?} is not null");
}

fn append_all(items: &mut AnyBuilder, values: &[Value]) {
    values.iter().for_each(|value| append(items, value));
}

fn number<T: PrimitiveType>(builder: &mut PrimitiveBuilder<T>, value: &Value, narrow: fn(i128) -> T::Native)
where
    T::Native: NativeType,
{
    match value {
        Value::Int(int) => builder.append(narrow(*int)),
        other => panic!("{other:?} is no integer"),
    }
}

fn bits(value: &Value) -> u64 {
    match value {
        Value::Float(bits) => *bits,
        other => panic!("{other:?} is no floating-point number"),
    }
}

fn digits(value: &Value) -> &str {
    match value {
        Value::Decimal(digits) => digits,
        other => panic!("{other:?} is no decimal"),
    }
}

fn interval(value: &Value) -> (i32, i32, i64) {
    match value {
        Value::Interval(months, days, rest) => (*months, *days, *rest),
        other => panic!("{other:?} is no interval"),
    }
}

fn bytes(value: &Value) -> &[u8] {
    match value {
        Value::Bytes(bytes) => bytes,
        other => panic!("{other:?} are no bytes"),
    }
}

fn text(value: &Value) -> &str {
    match value {
        Value::Str(text) => text,
        other => panic!("{other:?} is no text"),
    }
}

fn list(value: &Value) -> &[Value] {
    match value {
        Value::List(items) => items,
        other => panic!("{other:?} is no list"),
    }
}
