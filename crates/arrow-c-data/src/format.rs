//! Format strings, which describe types in the interface. One table is used for import and for export.
//!
//! A format describes neither children nor dictionaries, which have structures of their own. A dictionary-encoded type
//! has the format of its indices.

use std::borrow::Cow;
use std::ffi::{CStr, CString};

use arrow_schema::{
    DataType, Field, FixedSize, IntervalUnit, KeyOrder, MapType, Precision, RunEndEncodedType, Time32Unit,
    Time64Unit, TimeUnit, TypeError, UnionMode, UnionType,
};

use crate::error::CDataErrorKind as Kind;

/// The format string of a type. Time zones are the only parameters that are text.
///
/// # Errors
/// If a time zone contains a NUL.
pub(crate) fn format_of(data_type: &DataType) -> Result<Cow<'static, CStr>, Kind> {
    let text = match written(data_type) {
        FormatText::Constant(format) => return Ok(Cow::Borrowed(format)),
        FormatText::Text(text) => text,
    };
    CString::new(text).map(Cow::Owned).map_err(|error| {
        let before = "tss:".len();
        Kind::Nul { what: "time zone", position: error.nul_position().saturating_sub(before) }
    })
}

/// The type of a format string, with these children.
///
/// # Errors
/// If the format is unknown, if its parameters are out of range, or if the type requires another number of children.
pub(crate) fn type_of(format: &str, children: Vec<Field>, key_order: KeyOrder) -> Result<DataType, Kind> {
    if let Some(data_type) = constant(format) {
        let [] = exactly(children)?;
        return Ok(data_type);
    }
    let (name, parameters) = match format.split_once(':') {
        Some((name, parameters)) => (name, Some(parameters)),
        None => (format, None),
    };
    let unknown = || Kind::Format { format: format.chars().take(MAX_QUOTED_CHARS).collect() };
    let data_type = match (name, parameters) {
        ("d", Some(parameters)) => {
            let [] = exactly(children)?;
            decimal(parameters).ok_or_else(unknown)??
        }
        ("w", Some(size)) => {
            let [] = exactly(children)?;
            DataType::FixedSizeBinary(fixed_size(size).ok_or_else(unknown)??)
        }
        ("tss" | "tsm" | "tsu" | "tsn", Some(zone)) => {
            let [] = exactly(children)?;
            let unit = match name {
                "tss" => TimeUnit::Second,
                "tsm" => TimeUnit::Millisecond,
                "tsu" => TimeUnit::Microsecond,
                _ => TimeUnit::Nanosecond,
            };
            DataType::Timestamp(unit, (!zone.is_empty()).then(|| zone.into()))
        }
        ("+l", None) => exactly(children).map(|[item]| DataType::list(item))?,
        ("+L", None) => exactly(children).map(|[item]| DataType::large_list(item))?,
        ("+vl", None) => exactly(children).map(|[item]| DataType::list_view(item))?,
        ("+vL", None) => exactly(children).map(|[item]| DataType::large_list_view(item))?,
        ("+w", Some(size)) => {
            let [item] = exactly(children)?;
            DataType::FixedSizeList(item.into(), fixed_size(size).ok_or_else(unknown)??)
        }
        ("+s", None) => DataType::struct_(children),
        ("+m", None) => {
            let [entries] = exactly(children)?;
            MapType::try_new(entries, key_order)?.into()
        }
        ("+ud", Some(ids)) => union(UnionMode::Dense, ids, children).ok_or_else(unknown)??,
        ("+us", Some(ids)) => union(UnionMode::Sparse, ids, children).ok_or_else(unknown)??,
        ("+r", None) => {
            let [run_ends, values] = exactly(children)?;
            RunEndEncodedType::try_new(run_ends, values)?.into()
        }
        _ => return Err(unknown()),
    };
    Ok(data_type)
}

/// The greatest number of characters of an unknown format that an error quotes.
const MAX_QUOTED_CHARS: usize = 40;

enum FormatText {
    Constant(&'static CStr),
    Text(String),
}

macro_rules! formats {
    (
        constant { $($format:literal = [$($constant:tt)+];)* }
        others { $($pattern:pat => $written:expr;)* }
    ) => {
        /// The type of a format without parameters and children; `None` for other formats.
        fn constant(format: &str) -> Option<DataType> {
            let format = format.as_bytes();
            $(if format == $format.to_bytes() { return Some($($constant)+); })*
            None
        }

        fn written(data_type: &DataType) -> FormatText {
            match data_type {
                $($($constant)+ => FormatText::Constant($format),)*
                $($pattern => $written,)*
            }
        }
    };
}

formats! {
    constant {
        c"n" = [DataType::Null];
        c"b" = [DataType::Boolean];
        c"c" = [DataType::Int8];
        c"C" = [DataType::UInt8];
        c"s" = [DataType::Int16];
        c"S" = [DataType::UInt16];
        c"i" = [DataType::Int32];
        c"I" = [DataType::UInt32];
        c"l" = [DataType::Int64];
        c"L" = [DataType::UInt64];
        c"e" = [DataType::Float16];
        c"f" = [DataType::Float32];
        c"g" = [DataType::Float64];
        c"z" = [DataType::Binary];
        c"Z" = [DataType::LargeBinary];
        c"vz" = [DataType::BinaryView];
        c"u" = [DataType::Utf8];
        c"U" = [DataType::LargeUtf8];
        c"vu" = [DataType::Utf8View];
        c"tdD" = [DataType::Date32];
        c"tdm" = [DataType::Date64];
        c"tts" = [DataType::Time32(Time32Unit::Second)];
        c"ttm" = [DataType::Time32(Time32Unit::Millisecond)];
        c"ttu" = [DataType::Time64(Time64Unit::Microsecond)];
        c"ttn" = [DataType::Time64(Time64Unit::Nanosecond)];
        c"tss:" = [DataType::Timestamp(TimeUnit::Second, None)];
        c"tsm:" = [DataType::Timestamp(TimeUnit::Millisecond, None)];
        c"tsu:" = [DataType::Timestamp(TimeUnit::Microsecond, None)];
        c"tsn:" = [DataType::Timestamp(TimeUnit::Nanosecond, None)];
        c"tDs" = [DataType::Duration(TimeUnit::Second)];
        c"tDm" = [DataType::Duration(TimeUnit::Millisecond)];
        c"tDu" = [DataType::Duration(TimeUnit::Microsecond)];
        c"tDn" = [DataType::Duration(TimeUnit::Nanosecond)];
        c"tiM" = [DataType::Interval(IntervalUnit::YearMonth)];
        c"tiD" = [DataType::Interval(IntervalUnit::DayTime)];
        c"tin" = [DataType::Interval(IntervalUnit::MonthDayNano)];
    }
    others {
        DataType::Decimal32(precision, scale) => FormatText::Text(format!("d:{precision},{scale},32"));
        DataType::Decimal64(precision, scale) => FormatText::Text(format!("d:{precision},{scale},64"));
        DataType::Decimal128(precision, scale) => FormatText::Text(format!("d:{precision},{scale}"));
        DataType::Decimal256(precision, scale) => FormatText::Text(format!("d:{precision},{scale},256"));
        DataType::FixedSizeBinary(n_bytes) => FormatText::Text(format!("w:{n_bytes}"));
        DataType::Timestamp(TimeUnit::Second, Some(zone)) => FormatText::Text(format!("tss:{zone}"));
        DataType::Timestamp(TimeUnit::Millisecond, Some(zone)) => FormatText::Text(format!("tsm:{zone}"));
        DataType::Timestamp(TimeUnit::Microsecond, Some(zone)) => FormatText::Text(format!("tsu:{zone}"));
        DataType::Timestamp(TimeUnit::Nanosecond, Some(zone)) => FormatText::Text(format!("tsn:{zone}"));
        DataType::List(_) => FormatText::Constant(c"+l");
        DataType::LargeList(_) => FormatText::Constant(c"+L");
        DataType::ListView(_) => FormatText::Constant(c"+vl");
        DataType::LargeListView(_) => FormatText::Constant(c"+vL");
        DataType::FixedSizeList(_, n_items) => FormatText::Text(format!("+w:{n_items}"));
        DataType::Struct(_) => FormatText::Constant(c"+s");
        DataType::Map(_) => FormatText::Constant(c"+m");
        DataType::Union(union) => FormatText::Text(union_format(union));
        DataType::RunEndEncoded(_) => FormatText::Constant(c"+r");
        DataType::Dictionary(dictionary) => written(&dictionary.index_type());
    }
}

fn union_format(union: &UnionType) -> String {
    let ids: Vec<String> = union.type_ids().iter().map(i8::to_string).collect();
    let mode = match union.mode() {
        UnionMode::Dense => "+ud",
        UnionMode::Sparse => "+us",
    };
    format!("{mode}:{}", ids.join(","))
}

/// The union type with these type ids, which are separated by commas. `None` if they are not numbers.
fn union(mode: UnionMode, ids: &str, children: Vec<Field>) -> Option<Result<DataType, TypeError>> {
    let ids: Vec<i8> = match ids {
        "" => Vec::new(),
        ids => ids.split(',').map(|id| id.parse().ok()).collect::<Option<_>>()?,
    };
    Some(UnionType::try_new(children, Some(&ids), mode).map(DataType::from))
}

/// The decimal type with these parameters: precision, scale, and a width if it is not 128 bits. `None` if the text has
/// another form.
fn decimal(parameters: &str) -> Option<Result<DataType, TypeError>> {
    let mut parts = parameters.split(',');
    let precision: i32 = parts.next()?.parse().ok()?;
    let scale: i32 = parts.next()?.parse().ok()?;
    let n_bits = parts.next().unwrap_or("128");
    if parts.next().is_some() {
        return None;
    }
    Some(match n_bits {
        "32" => Precision::try_from(precision).map(|precision| DataType::Decimal32(precision, scale)),
        "64" => Precision::try_from(precision).map(|precision| DataType::Decimal64(precision, scale)),
        "128" => Precision::try_from(precision).map(|precision| DataType::Decimal128(precision, scale)),
        "256" => Precision::try_from(precision).map(|precision| DataType::Decimal256(precision, scale)),
        _ => return None,
    })
}

/// The size in this text. `None` if the text is not a number.
fn fixed_size(text: &str) -> Option<Result<FixedSize, TypeError>> {
    text.parse::<i32>().ok().map(FixedSize::try_from)
}

fn exactly<const N: usize>(children: Vec<Field>) -> Result<[Field; N], Kind> {
    children.try_into().map_err(|children: Vec<Field>| Kind::ChildCount {
        expected: N,
        found: i64::try_from(children.len()).unwrap_or(i64::MAX),
    })
}
