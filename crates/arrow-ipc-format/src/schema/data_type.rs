//! Converts types between flatbuffers and [`DataType`]. Only this file uses the format's numbers for types.

use std::sync::Arc;

use crate::flatbuf as fb;
use arrow_schema::{
    DataType, Field, FixedSize, IndexType, IntervalUnit, KeyOrder, MapType, RunEndEncodedType, Time32Unit,
    Time64Unit, TimeUnit, UnionMode, UnionType,
};
use planus::{Builder, UnionOffset};

use crate::{
    error::{FormatErrorKind, WireResult as Result},
    limits::Budget,
    schema::SharedList,
};

type ChildFields = SharedList<Field>;

/// Converts a type of the flatbuffer. `children` have been converted before.
pub fn decode_type(
    data_type: fb::TypeRef<'_>,
    children: ChildFields,
    budget: &mut Budget,
) -> Result<DataType> {
    use fb::TypeRef::*;
    Ok(match data_type {
        Null(_) => leaf(DataType::Null, &children)?,
        Int(int) => leaf(decode_int(int)?, &children)?,
        FloatingPoint(float) => leaf(
            match float.precision()? {
                fb::Precision::Half => DataType::Float16,
                fb::Precision::Single => DataType::Float32,
                fb::Precision::Double => DataType::Float64,
            },
            &children,
        )?,
        Binary(_) => leaf(DataType::Binary, &children)?,
        Utf8(_) => leaf(DataType::Utf8, &children)?,
        Bool(_) => leaf(DataType::Boolean, &children)?,
        Decimal(decimal) => leaf(decode_decimal(decimal)?, &children)?,
        Date(date) => leaf(
            match date.unit()? {
                fb::DateUnit::Day => DataType::Date32,
                fb::DateUnit::Millisecond => DataType::Date64,
            },
            &children,
        )?,
        Time(time) => leaf(decode_time(time)?, &children)?,
        Timestamp(timestamp) => {
            let (unit, zone) = (decode_unit(timestamp.unit()?), timestamp.timezone()?);
            budget.spend("bytes of decoded schema", zone.map_or(0, str::len) as u64)?;
            leaf(DataType::Timestamp(unit, zone.map(Arc::from)), &children)?
        }
        Interval(interval) => leaf(
            DataType::Interval(match interval.unit()? {
                fb::IntervalUnit::YearMonth => IntervalUnit::YearMonth,
                fb::IntervalUnit::DayTime => IntervalUnit::DayTime,
                fb::IntervalUnit::MonthDayNano => IntervalUnit::MonthDayNano,
            }),
            &children,
        )?,
        Duration(duration) => leaf(DataType::Duration(decode_unit(duration.unit()?)), &children)?,
        FixedSizeBinary(binary) => {
            leaf(DataType::FixedSizeBinary(size(binary.byte_width()?, "the byte width")?), &children)?
        }
        LargeBinary(_) => leaf(DataType::LargeBinary, &children)?,
        LargeUtf8(_) => leaf(DataType::LargeUtf8, &children)?,
        BinaryView(_) => leaf(DataType::BinaryView, &children)?,
        Utf8View(_) => leaf(DataType::Utf8View, &children)?,
        List(_) => DataType::List(only_child("list", &children)?),
        LargeList(_) => DataType::LargeList(only_child("large_list", &children)?),
        ListView(_) => DataType::ListView(only_child("list_view", &children)?),
        LargeListView(_) => DataType::LargeListView(only_child("large_list_view", &children)?),
        FixedSizeList(list) => DataType::FixedSizeList(
            only_child("fixed_size_list", &children)?,
            size(list.list_size()?, "the list size")?,
        ),
        Struct(_) => DataType::Struct(children.into_shared()),
        Map(map) => {
            let order = if map.keys_sorted()? { KeyOrder::Sorted } else { KeyOrder::Unsorted };
            let entries = only_child("map", &children)?;
            DataType::Map(Arc::new(MapType::try_new(Field::clone(&entries), order)?))
        }
        Union(union) => decode_union(union, children)?,
        RunEndEncoded(_) => match &*children {
            [run_ends, values] => {
                let runs = RunEndEncodedType::try_new(run_ends.clone(), values.clone())?;
                DataType::RunEndEncoded(Arc::new(runs))
            }
            _ => return Err(child_count("run_end_encoded", "two children", &children).into()),
        },
    })
}

fn leaf(data_type: DataType, children: &ChildFields) -> Result<DataType> {
    if children.is_empty() {
        Ok(data_type)
    } else {
        Err(child_count(data_type.name(), "no children", children).into())
    }
}

fn only_child(data_type: &'static str, children: &ChildFields) -> Result<Arc<Field>> {
    match &**children {
        [child] => Ok(Arc::new(child.clone())),
        _ => Err(child_count(data_type, "one child", children).into()),
    }
}

fn child_count(data_type: &'static str, expected: &'static str, children: &ChildFields) -> FormatErrorKind {
    FormatErrorKind::ChildCount { data_type, expected, found: children.len() }
}

fn size(found: i32, what: &'static str) -> Result<FixedSize> {
    FixedSize::try_from(found).map_err(|_| FormatErrorKind::Negative { what, found: found.into() }.into())
}

fn decode_int(int: fb::IntRef<'_>) -> Result<DataType> {
    Ok(decode_index_type(int, "the bit width of the integer")?.into())
}

/// Converts a type of integers. `what` names the bit width in errors.
pub fn decode_index_type(int: fb::IntRef<'_>, what: &'static str) -> Result<IndexType> {
    Ok(match (int.bit_width()?, int.is_signed()?) {
        (8, true) => IndexType::Int8,
        (16, true) => IndexType::Int16,
        (32, true) => IndexType::Int32,
        (64, true) => IndexType::Int64,
        (8, false) => IndexType::UInt8,
        (16, false) => IndexType::UInt16,
        (32, false) => IndexType::UInt32,
        (64, false) => IndexType::UInt64,
        (found, _) => {
            let (found, allowed) = (found.into(), "8, 16, 32 and 64");
            return Err(FormatErrorKind::OutOfRange { what, found, allowed }.into());
        }
    })
}

fn decode_decimal(decimal: fb::DecimalRef<'_>) -> Result<DataType> {
    let (found, scale) = (decimal.precision()?, decimal.scale()?);
    let Ok(precision) = u8::try_from(found) else {
        let (what, found) = ("the precision of the decimal", found.into());
        return Err(FormatErrorKind::OutOfRange { what, found, allowed: "1 to 76" }.into());
    };
    Ok(match decimal.bit_width()? {
        32 => DataType::decimal32(precision, scale)?,
        64 => DataType::decimal64(precision, scale)?,
        128 => DataType::decimal128(precision, scale)?,
        256 => DataType::decimal256(precision, scale)?,
        found => {
            let (what, found) = ("the bit width of the decimal", found.into());
            return Err(FormatErrorKind::OutOfRange { what, found, allowed: "32, 64, 128 and 256" }.into());
        }
    })
}

fn decode_time(time: fb::TimeRef<'_>) -> Result<DataType> {
    let (unit, found) = (time.unit()?, time.bit_width()?);
    let (data_type, bit_width, allowed) = match unit {
        fb::TimeUnit::Second => (DataType::Time32(Time32Unit::Second), 32, "32 for seconds"),
        fb::TimeUnit::Millisecond => (DataType::Time32(Time32Unit::Millisecond), 32, "32 for milliseconds"),
        fb::TimeUnit::Microsecond => (DataType::Time64(Time64Unit::Microsecond), 64, "64 for microseconds"),
        fb::TimeUnit::Nanosecond => (DataType::Time64(Time64Unit::Nanosecond), 64, "64 for nanoseconds"),
    };
    if found == bit_width {
        return Ok(data_type);
    }
    Err(FormatErrorKind::OutOfRange { what: "the bit width of the time", found: found.into(), allowed }
        .into())
}

fn decode_unit(unit: fb::TimeUnit) -> TimeUnit {
    match unit {
        fb::TimeUnit::Second => TimeUnit::Second,
        fb::TimeUnit::Millisecond => TimeUnit::Millisecond,
        fb::TimeUnit::Microsecond => TimeUnit::Microsecond,
        fb::TimeUnit::Nanosecond => TimeUnit::Nanosecond,
    }
}

fn decode_union(union: fb::UnionRef<'_>, children: ChildFields) -> Result<DataType> {
    let mode = match union.mode()? {
        fb::UnionMode::Sparse => UnionMode::Sparse,
        fb::UnionMode::Dense => UnionMode::Dense,
    };
    let type_ids = match union.type_ids()? {
        Some(ids) => Some(ids.iter().map(decode_type_id).collect::<Result<Vec<i8>>>()?),
        None => None,
    };
    Ok(DataType::Union(Arc::new(UnionType::try_new(children.into_shared(), type_ids.as_deref(), mode)?)))
}

fn decode_type_id(found: i32) -> Result<i8> {
    let (what, allowed) = ("a union type id", "0 to 127");
    i8::try_from(found).map_err(|_| FormatErrorKind::OutOfRange { what, found: found.into(), allowed }.into())
}

/// Encodes a type without its children. For a dictionary, the caller passes the type of the values.
pub fn encode_type(b: &mut Builder, data_type: &DataType) -> UnionOffset<fb::Type> {
    use fb::Type;
    macro_rules! table {
        ($create:ident, $table:ident $(, $value:expr)*) => {{
            let table = fb::$table::create(b $(, $value)*);
            Type::$create(b, table)
        }};
    }
    match data_type {
        DataType::Null => table!(create_null, Null),
        DataType::Boolean => table!(create_bool, Bool),
        DataType::Int8 => table!(create_int, Int, 8i32, true),
        DataType::Int16 => table!(create_int, Int, 16i32, true),
        DataType::Int32 => table!(create_int, Int, 32i32, true),
        DataType::Int64 => table!(create_int, Int, 64i32, true),
        DataType::UInt8 => table!(create_int, Int, 8i32, false),
        DataType::UInt16 => table!(create_int, Int, 16i32, false),
        DataType::UInt32 => table!(create_int, Int, 32i32, false),
        DataType::UInt64 => table!(create_int, Int, 64i32, false),
        DataType::Float16 => table!(create_floating_point, FloatingPoint, fb::Precision::Half),
        DataType::Float32 => table!(create_floating_point, FloatingPoint, fb::Precision::Single),
        DataType::Float64 => table!(create_floating_point, FloatingPoint, fb::Precision::Double),
        DataType::Decimal32(precision, scale) => decimal(b, precision.get(), *scale, 32),
        DataType::Decimal64(precision, scale) => decimal(b, precision.get(), *scale, 64),
        DataType::Decimal128(precision, scale) => decimal(b, precision.get(), *scale, 128),
        DataType::Decimal256(precision, scale) => decimal(b, precision.get(), *scale, 256),
        DataType::Date32 => table!(create_date, Date, fb::DateUnit::Day),
        DataType::Date64 => table!(create_date, Date, fb::DateUnit::Millisecond),
        DataType::Time32(Time32Unit::Second) => table!(create_time, Time, fb::TimeUnit::Second, 32i32),
        DataType::Time32(Time32Unit::Millisecond) => {
            table!(create_time, Time, fb::TimeUnit::Millisecond, 32i32)
        }
        DataType::Time64(Time64Unit::Microsecond) => {
            table!(create_time, Time, fb::TimeUnit::Microsecond, 64i32)
        }
        DataType::Time64(Time64Unit::Nanosecond) => {
            table!(create_time, Time, fb::TimeUnit::Nanosecond, 64i32)
        }
        DataType::Timestamp(unit, zone) => {
            table!(create_timestamp, Timestamp, encode_unit(*unit), zone.as_deref())
        }
        DataType::Duration(unit) => table!(create_duration, Duration, encode_unit(*unit)),
        DataType::Interval(IntervalUnit::YearMonth) => {
            table!(create_interval, Interval, fb::IntervalUnit::YearMonth)
        }
        DataType::Interval(IntervalUnit::DayTime) => {
            table!(create_interval, Interval, fb::IntervalUnit::DayTime)
        }
        DataType::Interval(IntervalUnit::MonthDayNano) => {
            table!(create_interval, Interval, fb::IntervalUnit::MonthDayNano)
        }
        DataType::FixedSizeBinary(size) => table!(create_fixed_size_binary, FixedSizeBinary, size.as_i32()),
        DataType::Binary => table!(create_binary, Binary),
        DataType::LargeBinary => table!(create_large_binary, LargeBinary),
        DataType::BinaryView => table!(create_binary_view, BinaryView),
        DataType::Utf8 => table!(create_utf8, Utf8),
        DataType::LargeUtf8 => table!(create_large_utf8, LargeUtf8),
        DataType::Utf8View => table!(create_utf8_view, Utf8View),
        DataType::List(_) => table!(create_list, List),
        DataType::LargeList(_) => table!(create_large_list, LargeList),
        DataType::ListView(_) => table!(create_list_view, ListView),
        DataType::LargeListView(_) => table!(create_large_list_view, LargeListView),
        DataType::FixedSizeList(_, size) => table!(create_fixed_size_list, FixedSizeList, size.as_i32()),
        DataType::Struct(_) => table!(create_struct, Struct),
        DataType::Map(map) => table!(create_map, Map, map.keys_sorted()),
        DataType::Union(union) => {
            let mode = match union.mode() {
                UnionMode::Sparse => fb::UnionMode::Sparse,
                UnionMode::Dense => fb::UnionMode::Dense,
            };
            let type_ids: Vec<i32> = union.type_ids().iter().map(|type_id| i32::from(*type_id)).collect();
            table!(create_union, Union, mode, type_ids.as_slice())
        }
        DataType::RunEndEncoded(_) => table!(create_run_end_encoded, RunEndEncoded),
        // `DictionaryType` refuses a dictionary as its value, so this arm is unreachable.
        DataType::Dictionary(dictionary) => encode_type(b, dictionary.value()),
    }
}

fn decimal(builder: &mut Builder, precision: u8, scale: i32, bit_width: i32) -> UnionOffset<fb::Type> {
    let decimal = fb::Decimal::create(builder, i32::from(precision), scale, bit_width);
    fb::Type::create_decimal(builder, decimal)
}

fn encode_unit(unit: TimeUnit) -> fb::TimeUnit {
    match unit {
        TimeUnit::Second => fb::TimeUnit::Second,
        TimeUnit::Millisecond => fb::TimeUnit::Millisecond,
        TimeUnit::Microsecond => fb::TimeUnit::Microsecond,
        TimeUnit::Nanosecond => fb::TimeUnit::Nanosecond,
    }
}
