//! Converts types between flatbuffers and [`DataType`]. Only this file uses the format's numbers for types.

use std::sync::Arc;

use crate::{
    flatbuffer::{FlatbufferWriter, Slot, Value},
    tables as fb,
};
use arrow_buffer::Budget;
use arrow_schema::{
    DataType, Field, FixedSize, IndexType, IntervalUnit, KeyOrder, MapType, RunEndEncodedType, Time32Unit,
    Time64Unit, TimeUnit, UnionMode, UnionType,
};

use crate::{
    error::{FormatErrorKind, Result},
    schema::SharedList,
};

type ChildFields = SharedList<Field>;

/// Converts a type of the flatbuffer. `children` have been converted before.
pub fn decode_type(data_type: fb::Type<'_>, children: ChildFields, budget: &mut Budget) -> Result<DataType> {
    use fb::Type::*;
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
            let unit = decode_unit(timestamp.unit()?);
            let zone = timestamp.timezone()?;
            let zone = zone.as_deref();
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
            DataType::Map(Arc::new(MapType::try_new(Field::clone(&entries), order)?.with_required_keys()))
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

fn decode_int(int: fb::Int<'_>) -> Result<DataType> {
    Ok(decode_index_type(int, "the bit width of the integer")?.into())
}

/// Converts a type of integers. `what` names the bit width in errors.
pub fn decode_index_type(int: fb::Int<'_>, what: &'static str) -> Result<IndexType> {
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
            let found = found.into();
            let allowed = "8, 16, 32 and 64";
            return Err(FormatErrorKind::OutOfRange { what, found, allowed }.into());
        }
    })
}

fn decode_decimal(decimal: fb::Decimal<'_>) -> Result<DataType> {
    let found = decimal.precision()?;
    let scale = decimal.scale()?;
    let Ok(precision) = u8::try_from(found) else {
        let what = "the precision of the decimal";
        let found = found.into();
        return Err(FormatErrorKind::OutOfRange { what, found, allowed: "1 to 76" }.into());
    };
    Ok(match decimal.bit_width()? {
        32 => DataType::decimal32(precision, scale)?,
        64 => DataType::decimal64(precision, scale)?,
        128 => DataType::decimal128(precision, scale)?,
        256 => DataType::decimal256(precision, scale)?,
        found => {
            let what = "the bit width of the decimal";
            let found = found.into();
            return Err(FormatErrorKind::OutOfRange { what, found, allowed: "32, 64, 128 and 256" }.into());
        }
    })
}

fn decode_time(time: fb::Time<'_>) -> Result<DataType> {
    let unit = time.unit()?;
    let found = time.bit_width()?;
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

fn decode_union(union: fb::Union<'_>, children: ChildFields) -> Result<DataType> {
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
    let what = "a union type id";
    let allowed = "0 to 127";
    i8::try_from(found).map_err(|_| FormatErrorKind::OutOfRange { what, found: found.into(), allowed }.into())
}

/// The table of a type in a flatbuffer.
#[derive(Debug, Clone, Copy)]
pub struct TypeTable {
    /// The tag in the union `Type`.
    pub tag: fb::TypeTag,
    /// The position of the table.
    pub table: usize,
}

/// Writes a type without its children. For a dictionary, the caller passes the type of the values.
pub fn write_type(writer: &mut FlatbufferWriter, data_type: &DataType) -> TypeTable {
    use fb::TypeTag;
    let mut table = |tag, fields: &[(Slot, Value)]| TypeTable { tag, table: writer.table(fields).position };
    let int = |bit_width, is_signed| {
        [(fb::Int::BIT_WIDTH, Value::I32(bit_width)), (fb::Int::IS_SIGNED, Value::Bool(is_signed))]
    };
    let float = |precision| [(fb::FloatingPoint::PRECISION, Value::I16(precision as i16))];
    let decimal = |precision: u8, scale, bit_width| {
        [
            (fb::Decimal::PRECISION, Value::I32(precision.into())),
            (fb::Decimal::SCALE, Value::I32(scale)),
            (fb::Decimal::BIT_WIDTH, Value::I32(bit_width)),
        ]
    };
    let date = |unit| [(fb::Date::UNIT, Value::I16(unit as i16))];
    let time = |unit, bit_width| {
        [(fb::Time::UNIT, Value::I16(unit as i16)), (fb::Time::BIT_WIDTH, Value::I32(bit_width))]
    };
    let interval = |unit| [(fb::Interval::UNIT, Value::I16(unit as i16))];
    match data_type {
        DataType::Null => table(TypeTag::Null, &[]),
        DataType::Boolean => table(TypeTag::Bool, &[]),
        DataType::Int8 => table(TypeTag::Int, &int(8, true)),
        DataType::Int16 => table(TypeTag::Int, &int(16, true)),
        DataType::Int32 => table(TypeTag::Int, &int(32, true)),
        DataType::Int64 => table(TypeTag::Int, &int(64, true)),
        DataType::UInt8 => table(TypeTag::Int, &int(8, false)),
        DataType::UInt16 => table(TypeTag::Int, &int(16, false)),
        DataType::UInt32 => table(TypeTag::Int, &int(32, false)),
        DataType::UInt64 => table(TypeTag::Int, &int(64, false)),
        DataType::Float16 => table(TypeTag::FloatingPoint, &float(fb::Precision::Half)),
        DataType::Float32 => table(TypeTag::FloatingPoint, &float(fb::Precision::Single)),
        DataType::Float64 => table(TypeTag::FloatingPoint, &float(fb::Precision::Double)),
        DataType::Decimal32(precision, scale) => {
            table(TypeTag::Decimal, &decimal(precision.get(), *scale, 32))
        }
        DataType::Decimal64(precision, scale) => {
            table(TypeTag::Decimal, &decimal(precision.get(), *scale, 64))
        }
        DataType::Decimal128(precision, scale) => {
            table(TypeTag::Decimal, &decimal(precision.get(), *scale, 128))
        }
        DataType::Decimal256(precision, scale) => {
            table(TypeTag::Decimal, &decimal(precision.get(), *scale, 256))
        }
        DataType::Date32 => table(TypeTag::Date, &date(fb::DateUnit::Day)),
        DataType::Date64 => table(TypeTag::Date, &date(fb::DateUnit::Millisecond)),
        DataType::Time32(Time32Unit::Second) => table(TypeTag::Time, &time(fb::TimeUnit::Second, 32)),
        DataType::Time32(Time32Unit::Millisecond) => {
            table(TypeTag::Time, &time(fb::TimeUnit::Millisecond, 32))
        }
        DataType::Time64(Time64Unit::Microsecond) => {
            table(TypeTag::Time, &time(fb::TimeUnit::Microsecond, 64))
        }
        DataType::Time64(Time64Unit::Nanosecond) => table(TypeTag::Time, &time(fb::TimeUnit::Nanosecond, 64)),
        DataType::Timestamp(unit, zone) => {
            let unit = (fb::Timestamp::UNIT, Value::I16(encode_unit(*unit) as i16));
            let Some(zone) = zone else { return table(TypeTag::Timestamp, &[unit]) };
            let written = writer.table(&[unit, (fb::Timestamp::TIMEZONE, Value::Reference)]);
            let zone = writer.text(zone);
            writer.refer(written.position_of(&fb::Timestamp::TIMEZONE), zone);
            TypeTable { tag: TypeTag::Timestamp, table: written.position }
        }
        DataType::Duration(unit) => {
            table(TypeTag::Duration, &[(fb::Duration::UNIT, Value::I16(encode_unit(*unit) as i16))])
        }
        DataType::Interval(IntervalUnit::YearMonth) => {
            table(TypeTag::Interval, &interval(fb::IntervalUnit::YearMonth))
        }
        DataType::Interval(IntervalUnit::DayTime) => {
            table(TypeTag::Interval, &interval(fb::IntervalUnit::DayTime))
        }
        DataType::Interval(IntervalUnit::MonthDayNano) => {
            table(TypeTag::Interval, &interval(fb::IntervalUnit::MonthDayNano))
        }
        DataType::FixedSizeBinary(size) => {
            table(TypeTag::FixedSizeBinary, &[(fb::FixedSizeBinary::BYTE_WIDTH, Value::I32(size.as_i32()))])
        }
        DataType::Binary => table(TypeTag::Binary, &[]),
        DataType::LargeBinary => table(TypeTag::LargeBinary, &[]),
        DataType::BinaryView => table(TypeTag::BinaryView, &[]),
        DataType::Utf8 => table(TypeTag::Utf8, &[]),
        DataType::LargeUtf8 => table(TypeTag::LargeUtf8, &[]),
        DataType::Utf8View => table(TypeTag::Utf8View, &[]),
        DataType::List(_) => table(TypeTag::List, &[]),
        DataType::LargeList(_) => table(TypeTag::LargeList, &[]),
        DataType::ListView(_) => table(TypeTag::ListView, &[]),
        DataType::LargeListView(_) => table(TypeTag::LargeListView, &[]),
        DataType::FixedSizeList(_, size) => {
            table(TypeTag::FixedSizeList, &[(fb::FixedSizeList::LIST_SIZE, Value::I32(size.as_i32()))])
        }
        DataType::Struct(_) => table(TypeTag::Struct, &[]),
        DataType::Map(map) => table(TypeTag::Map, &[(fb::Map::KEYS_SORTED, Value::Bool(map.keys_sorted()))]),
        DataType::Union(union) => {
            let mode = match union.mode() {
                UnionMode::Sparse => fb::UnionMode::Sparse,
                UnionMode::Dense => fb::UnionMode::Dense,
            };
            let type_ids: Vec<[u8; 4]> =
                union.type_ids().iter().map(|type_id| i32::from(*type_id).to_le_bytes()).collect();
            let mode = (fb::Union::MODE, Value::I16(mode as i16));
            let written = writer.table(&[mode, (fb::Union::TYPE_IDS, Value::Reference)]);
            let type_ids = writer.vector(&type_ids);
            writer.refer(written.position_of(&fb::Union::TYPE_IDS), type_ids);
            TypeTable { tag: TypeTag::Union, table: written.position }
        }
        DataType::RunEndEncoded(_) => table(TypeTag::RunEndEncoded, &[]),
        // `DictionaryType` refuses a dictionary as its value, so this arm is unreachable.
        DataType::Dictionary(dictionary) => write_type(writer, dictionary.value()),
    }
}

fn encode_unit(unit: TimeUnit) -> fb::TimeUnit {
    match unit {
        TimeUnit::Second => fb::TimeUnit::Second,
        TimeUnit::Millisecond => fb::TimeUnit::Millisecond,
        TimeUnit::Microsecond => fb::TimeUnit::Microsecond,
        TimeUnit::Nanosecond => fb::TimeUnit::Nanosecond,
    }
}
