//! Grows the tree of writers of a column: the one walk over its type.

use arrow_data::ArrayData;

use super::{
    Style, WriteSlot,
    encoded::{Dictionaries, Runs},
    lists::{Lists, Maps, Ranges},
    numbers::{Floats, Integers, NumberFormat, Numbers, Scaled, Unsigned},
    records::{Record, Structs, Unions},
    strings::{ByteSlots, Hex, TextSlots, Texts},
    temporal::{Clock, Days, Intervals, Milliseconds, Moments},
};
use crate::{
    array::{PrimitiveArray, TimestampArray},
    dispatch::AnyArray,
    error::ArrayError,
    types::PrimitiveType,
};

/// The writer of a column. Content is validated unless it has been already.
pub(super) fn writer(data: &ArrayData, style: Style) -> Result<Box<dyn WriteSlot>, ArrayError> {
    Ok(match AnyArray::try_new(data)? {
        AnyArray::Null(array) => Box::new(array),
        AnyArray::Boolean(array) => Box::new(array),
        AnyArray::Int8(array) => numbers(array, Integers, style),
        AnyArray::Int16(array) => numbers(array, Integers, style),
        AnyArray::Int32(array) => numbers(array, Integers, style),
        AnyArray::Int64(array) => numbers(array, Integers, style),
        AnyArray::UInt8(array) => numbers(array, Integers, style),
        AnyArray::UInt16(array) => numbers(array, Integers, style),
        AnyArray::UInt32(array) => numbers(array, Integers, style),
        AnyArray::UInt64(array) => numbers(array, Unsigned, style),
        AnyArray::Float16(array) => numbers(array, Floats, style),
        AnyArray::Float32(array) => numbers(array, Floats, style),
        AnyArray::Float64(array) => numbers(array, Floats, style),
        AnyArray::Decimal32(array) => numbers(array.clone(), Scaled(array.scale()), style),
        AnyArray::Decimal64(array) => numbers(array.clone(), Scaled(array.scale()), style),
        AnyArray::Decimal128(array) => numbers(array.clone(), Scaled(array.scale()), style),
        AnyArray::Decimal256(array) => numbers(array.clone(), Scaled(array.scale()), style),
        AnyArray::Date32(array) => numbers(array, Days, style),
        AnyArray::Date64(array) => numbers(array, Milliseconds, style),
        AnyArray::Time32(array) => numbers(array.clone(), Clock(array.unit().into()), style),
        AnyArray::Time64(array) => numbers(array.clone(), Clock(array.unit().into()), style),
        AnyArray::Timestamp(array) => numbers(array.clone(), moments(&array), style),
        AnyArray::Duration(array) => numbers(array, Integers, style),
        AnyArray::IntervalYearMonth(array) => numbers(array, Intervals, style),
        AnyArray::IntervalDayTime(array) => numbers(array, Intervals, style),
        AnyArray::IntervalMonthDayNano(array) => numbers(array, Intervals, style),
        AnyArray::FixedSizeBinary(array) => bytes(array, style),
        AnyArray::Binary(array) => bytes(array, style),
        AnyArray::LargeBinary(array) => bytes(array, style),
        AnyArray::BinaryView(array) => bytes(array, style),
        AnyArray::Utf8(array) => texts(array, style),
        AnyArray::LargeUtf8(array) => texts(array, style),
        AnyArray::Utf8View(array) => texts(array, style),
        AnyArray::List(array) => lists(writer(array.items(), Style::Json)?, array),
        AnyArray::LargeList(array) => lists(writer(array.items(), Style::Json)?, array),
        AnyArray::ListView(array) => lists(writer(array.items(), Style::Json)?, array),
        AnyArray::LargeListView(array) => lists(writer(array.items(), Style::Json)?, array),
        AnyArray::FixedSizeList(array) => lists(writer(array.items(), Style::Json)?, array),
        AnyArray::Struct(array) => {
            let record = Record::new(array.fields(), writers(array.columns())?);
            Box::new(Structs { array, record })
        }
        AnyArray::Map(array) => {
            let keys = writer(array.keys(), Style::Json)?;
            Box::new(Maps { keys, values: writer(array.values(), Style::Json)?, array })
        }
        AnyArray::Union(array) => {
            let columns = writers(array.children())?;
            Box::new(Unions::new(array, columns))
        }
        AnyArray::Dictionary(array) => {
            Box::new(Dictionaries { values: writer(array.values(), style)?, array })
        }
        AnyArray::RunEndEncoded(array) => {
            let values = writer(array.values(), style)?;
            Box::new(Runs::new(array, values))
        }
    })
}

fn writers(columns: &[ArrayData]) -> Result<Vec<Box<dyn WriteSlot>>, ArrayError> {
    columns.iter().map(|column| writer(column, Style::Json)).collect()
}

fn numbers<T, F>(array: PrimitiveArray<T>, format: F, style: Style) -> Box<dyn WriteSlot>
where
    T: PrimitiveType,
    F: NumberFormat<T::Native>,
{
    Box::new(Numbers { array, format, style })
}

fn moments(array: &TimestampArray) -> Moments {
    let suffix = if array.time_zone().is_some() { "Z" } else { "" };
    Moments { unit: array.unit(), suffix }
}

fn bytes<A: ByteSlots + 'static>(array: A, style: Style) -> Box<dyn WriteSlot> {
    Box::new(Hex { array, style })
}

fn texts<A: TextSlots + 'static>(array: A, style: Style) -> Box<dyn WriteSlot> {
    Box::new(Texts { array, style })
}

fn lists<A: Ranges>(items: Box<dyn WriteSlot>, array: A) -> Box<dyn WriteSlot> {
    Box::new(Lists { array, items })
}
