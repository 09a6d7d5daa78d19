//! From a type to its name and parameters.

use std::fmt::Write;

use arrow_schema::{DataType, IndexType, IntervalUnit, Quoted, Time32Unit, Time64Unit, TimeUnit, UnionMode};

/// Appends the JSON of a type; its children are told apart. A dictionary is written as its values' type.
pub(crate) fn write_type(out: &mut String, data_type: &DataType) {
    use DataType as T;
    let written = match data_type {
        T::Null => name(out, "null"),
        T::Boolean => name(out, "bool"),
        T::Int8 => integer(out, IndexType::Int8),
        T::Int16 => integer(out, IndexType::Int16),
        T::Int32 => integer(out, IndexType::Int32),
        T::Int64 => integer(out, IndexType::Int64),
        T::UInt8 => integer(out, IndexType::UInt8),
        T::UInt16 => integer(out, IndexType::UInt16),
        T::UInt32 => integer(out, IndexType::UInt32),
        T::UInt64 => integer(out, IndexType::UInt64),
        T::Float16 => write!(out, r#"{{"name":"floatingpoint","precision":"HALF"}}"#),
        T::Float32 => write!(out, r#"{{"name":"floatingpoint","precision":"SINGLE"}}"#),
        T::Float64 => write!(out, r#"{{"name":"floatingpoint","precision":"DOUBLE"}}"#),
        T::Decimal32(precision, scale) => decimal(out, precision.get(), *scale, 32),
        T::Decimal64(precision, scale) => decimal(out, precision.get(), *scale, 64),
        T::Decimal128(precision, scale) => decimal(out, precision.get(), *scale, 128),
        T::Decimal256(precision, scale) => decimal(out, precision.get(), *scale, 256),
        T::Date32 => write!(out, r#"{{"name":"date","unit":"DAY"}}"#),
        T::Date64 => write!(out, r#"{{"name":"date","unit":"MILLISECOND"}}"#),
        T::Time32(Time32Unit::Second) => time(out, TimeUnit::Second, 32),
        T::Time32(Time32Unit::Millisecond) => time(out, TimeUnit::Millisecond, 32),
        T::Time64(Time64Unit::Microsecond) => time(out, TimeUnit::Microsecond, 64),
        T::Time64(Time64Unit::Nanosecond) => time(out, TimeUnit::Nanosecond, 64),
        T::Timestamp(of, None) => write!(out, r#"{{"name":"timestamp","unit":"{}"}}"#, unit(*of)),
        T::Timestamp(of, Some(zone)) => {
            write!(out, r#"{{"name":"timestamp","unit":"{}","timezone":{}}}"#, unit(*of), Quoted(zone))
        }
        T::Duration(of) => write!(out, r#"{{"name":"duration","unit":"{}"}}"#, unit(*of)),
        T::Interval(of) => {
            let of = match of {
                IntervalUnit::YearMonth => "YEAR_MONTH",
                IntervalUnit::DayTime => "DAY_TIME",
                IntervalUnit::MonthDayNano => "MONTH_DAY_NANO",
            };
            write!(out, r#"{{"name":"interval","unit":"{of}"}}"#)
        }
        T::FixedSizeBinary(n_bytes) => {
            write!(out, r#"{{"name":"fixedsizebinary","byteWidth":{}}}"#, n_bytes.get())
        }
        T::Binary => name(out, "binary"),
        T::LargeBinary => name(out, "largebinary"),
        T::BinaryView => name(out, "binaryview"),
        T::Utf8 => name(out, "utf8"),
        T::LargeUtf8 => name(out, "largeutf8"),
        T::Utf8View => name(out, "utf8view"),
        T::List(_) => name(out, "list"),
        T::LargeList(_) => name(out, "largelist"),
        T::ListView(_) => name(out, "listview"),
        T::LargeListView(_) => name(out, "largelistview"),
        T::FixedSizeList(_, n_items) => {
            write!(out, r#"{{"name":"fixedsizelist","listSize":{}}}"#, n_items.get())
        }
        T::Struct(_) => name(out, "struct"),
        T::Map(map) => write!(out, r#"{{"name":"map","keysSorted":{}}}"#, map.keys_sorted()),
        T::Union(union) => {
            let mode = match union.mode() {
                UnionMode::Sparse => "SPARSE",
                UnionMode::Dense => "DENSE",
            };
            write!(out, r#"{{"name":"union","mode":"{mode}","typeIds":{:?}}}"#, union.type_ids())
        }
        T::Dictionary(dictionary) => {
            write_type(out, dictionary.value());
            Ok(())
        }
        T::RunEndEncoded(_) => name(out, "runendencoded"),
    };
    written.expect("writing to a string cannot fail");
}

/// Appends the JSON of the type of a dictionary's indices.
pub(crate) fn write_index_type(out: &mut String, index: IndexType) {
    integer(out, index).expect("writing to a string cannot fail");
}

fn name(out: &mut String, name: &str) -> std::fmt::Result {
    write!(out, r#"{{"name":"{name}"}}"#)
}

fn integer(out: &mut String, of: IndexType) -> std::fmt::Result {
    write!(out, r#"{{"name":"int","isSigned":{},"bitWidth":{}}}"#, of.is_signed(), of.n_bits())
}

fn decimal(out: &mut String, precision: u8, scale: i32, n_bits: u32) -> std::fmt::Result {
    write!(out, r#"{{"name":"decimal","precision":{precision},"scale":{scale},"bitWidth":{n_bits}}}"#)
}

fn time(out: &mut String, of: TimeUnit, n_bits: u32) -> std::fmt::Result {
    write!(out, r#"{{"name":"time","unit":"{}","bitWidth":{n_bits}}}"#, unit(of))
}

fn unit(unit: TimeUnit) -> &'static str {
    match unit {
        TimeUnit::Second => "SECOND",
        TimeUnit::Millisecond => "MILLISECOND",
        TimeUnit::Microsecond => "MICROSECOND",
        TimeUnit::Nanosecond => "NANOSECOND",
    }
}
