//! Writes a schema as JSON.

use std::fmt;

use arrow_schema::{
    DataType, DictionaryType, Field, IndexType, IntervalUnit, Metadata, QuotedText, Schema, TimeUnit,
    UnionMode, UnionType,
};

/// Writes a schema. `ids` are in pre-order.
pub(super) fn write_schema(schema: &Schema, ids: &[i64], out: &mut impl fmt::Write) -> fmt::Result {
    let mut writer = SchemaJsonWriter { ids: ids.iter().copied(), out };
    writer.out.write_str("{\"fields\":")?;
    writer.fields(schema.fields())?;
    writer.metadata(schema.metadata())?;
    writer.out.write_str("}")
}

struct SchemaJsonWriter<'a, W> {
    ids: std::iter::Copied<std::slice::Iter<'a, i64>>,
    out: &'a mut W,
}

impl<W: fmt::Write> SchemaJsonWriter<'_, W> {
    fn fields(&mut self, fields: &[Field]) -> fmt::Result {
        self.out.write_str("[")?;
        for (position, field) in fields.iter().enumerate() {
            self.out.write_str(if position == 0 { "" } else { "," })?;
            let id = if field.data_type().is_dictionary() { self.ids.next() } else { None };
            let name = QuotedText(field.name());
            let is_nullable = field.is_nullable();
            write!(self.out, "{{\"name\":{name},\"nullable\":{is_nullable},\"type\":")?;
            write_type(self.out, field.data_type())?;
            self.out.write_str(",\"children\":")?;
            self.fields(field.data_type().value_children())?;
            if let (Some(id), Some(dictionary)) = (id, field.data_type().as_dictionary()) {
                self.dictionary(id, dictionary)?;
            }
            self.metadata(field.metadata())?;
            self.out.write_str("}")?;
        }
        self.out.write_str("]")
    }

    fn dictionary(&mut self, id: i64, dictionary: &DictionaryType) -> fmt::Result {
        write!(self.out, ",\"dictionary\":{{\"id\":{id},\"indexType\":")?;
        write_integer(self.out, dictionary.index())?;
        write!(self.out, ",\"isOrdered\":{}}}", dictionary.is_ordered())
    }

    /// Writes metadata. This JSON cannot express absent keys and values, so they are written as empty ones.
    fn metadata(&mut self, metadata: &Metadata) -> fmt::Result {
        if metadata.is_empty() {
            return Ok(());
        }
        self.out.write_str(",\"metadata\":[")?;
        for (position, (key, value)) in metadata.iter().enumerate() {
            let key = QuotedText(key.unwrap_or_default());
            let value = QuotedText(value.unwrap_or_default());
            let separator = if position == 0 { "" } else { "," };
            write!(self.out, "{separator}{{\"key\":{key},\"value\":{value}}}")?;
        }
        self.out.write_str("]")
    }
}

/// Writes the name and the parameters of a type, without its children. Of a dictionary, writes the type of its values.
fn write_type(out: &mut impl fmt::Write, data_type: &DataType) -> fmt::Result {
    match data_type {
        DataType::Null => write_name(out, "null"),
        DataType::Boolean => write_name(out, "bool"),
        DataType::Int8 => write_integer(out, IndexType::Int8),
        DataType::Int16 => write_integer(out, IndexType::Int16),
        DataType::Int32 => write_integer(out, IndexType::Int32),
        DataType::Int64 => write_integer(out, IndexType::Int64),
        DataType::UInt8 => write_integer(out, IndexType::UInt8),
        DataType::UInt16 => write_integer(out, IndexType::UInt16),
        DataType::UInt32 => write_integer(out, IndexType::UInt32),
        DataType::UInt64 => write_integer(out, IndexType::UInt64),
        DataType::Float16 => out.write_str(r#"{"name":"floatingpoint","precision":"HALF"}"#),
        DataType::Float32 => out.write_str(r#"{"name":"floatingpoint","precision":"SINGLE"}"#),
        DataType::Float64 => out.write_str(r#"{"name":"floatingpoint","precision":"DOUBLE"}"#),
        DataType::Decimal32(precision, scale) => write_decimal(out, precision.get(), *scale, 32),
        DataType::Decimal64(precision, scale) => write_decimal(out, precision.get(), *scale, 64),
        DataType::Decimal128(precision, scale) => write_decimal(out, precision.get(), *scale, 128),
        DataType::Decimal256(precision, scale) => write_decimal(out, precision.get(), *scale, 256),
        DataType::Date32 => out.write_str(r#"{"name":"date","unit":"DAY"}"#),
        DataType::Date64 => out.write_str(r#"{"name":"date","unit":"MILLISECOND"}"#),
        DataType::Time32(unit) => write_time(out, (*unit).into(), 32),
        DataType::Time64(unit) => write_time(out, (*unit).into(), 64),
        DataType::Timestamp(unit, None) => {
            write!(out, r#"{{"name":"timestamp","unit":"{}"}}"#, name_of_unit(*unit))
        }
        DataType::Timestamp(unit, Some(zone)) => {
            let unit = name_of_unit(*unit);
            let zone = QuotedText(zone);
            write!(out, r#"{{"name":"timestamp","unit":"{unit}","timezone":{zone}}}"#)
        }
        DataType::Duration(unit) => write!(out, r#"{{"name":"duration","unit":"{}"}}"#, name_of_unit(*unit)),
        DataType::Interval(unit) => {
            let unit = match unit {
                IntervalUnit::YearMonth => "YEAR_MONTH",
                IntervalUnit::DayTime => "DAY_TIME",
                IntervalUnit::MonthDayNano => "MONTH_DAY_NANO",
            };
            write!(out, r#"{{"name":"interval","unit":"{unit}"}}"#)
        }
        DataType::FixedSizeBinary(n_bytes) => {
            write!(out, r#"{{"name":"fixedsizebinary","byteWidth":{}}}"#, n_bytes.get())
        }
        DataType::Binary => write_name(out, "binary"),
        DataType::LargeBinary => write_name(out, "largebinary"),
        DataType::BinaryView => write_name(out, "binaryview"),
        DataType::Utf8 => write_name(out, "utf8"),
        DataType::LargeUtf8 => write_name(out, "largeutf8"),
        DataType::Utf8View => write_name(out, "utf8view"),
        DataType::List(_) => write_name(out, "list"),
        DataType::LargeList(_) => write_name(out, "largelist"),
        DataType::ListView(_) => write_name(out, "listview"),
        DataType::LargeListView(_) => write_name(out, "largelistview"),
        DataType::FixedSizeList(_, n_items) => {
            write!(out, r#"{{"name":"fixedsizelist","listSize":{}}}"#, n_items.get())
        }
        DataType::Struct(_) => write_name(out, "struct"),
        DataType::Map(map) => write!(out, r#"{{"name":"map","keysSorted":{}}}"#, map.keys_sorted()),
        DataType::Union(union) => write_union(out, union),
        DataType::Dictionary(dictionary) => write_type(out, dictionary.value()),
        DataType::RunEndEncoded(_) => write_name(out, "runendencoded"),
    }
}

fn write_name(out: &mut impl fmt::Write, name: &str) -> fmt::Result {
    write!(out, r#"{{"name":"{name}"}}"#)
}

fn write_integer(out: &mut impl fmt::Write, of: IndexType) -> fmt::Result {
    write!(out, r#"{{"name":"int","isSigned":{},"bitWidth":{}}}"#, of.is_signed(), of.n_bits())
}

fn write_decimal(out: &mut impl fmt::Write, precision: u8, scale: i32, n_bits: u32) -> fmt::Result {
    write!(out, r#"{{"name":"decimal","precision":{precision},"scale":{scale},"bitWidth":{n_bits}}}"#)
}

fn write_time(out: &mut impl fmt::Write, unit: TimeUnit, n_bits: u32) -> fmt::Result {
    write!(out, r#"{{"name":"time","unit":"{}","bitWidth":{n_bits}}}"#, name_of_unit(unit))
}

fn write_union(out: &mut impl fmt::Write, union: &UnionType) -> fmt::Result {
    let mode = match union.mode() {
        UnionMode::Sparse => "SPARSE",
        UnionMode::Dense => "DENSE",
    };
    write!(out, r#"{{"name":"union","mode":"{mode}","typeIds":["#)?;
    for (position, id) in union.type_ids().iter().enumerate() {
        let separator = if position == 0 { "" } else { "," };
        write!(out, "{separator}{id}")?;
    }
    out.write_str("]}")
}

/// The word for the unit in this JSON.
fn name_of_unit(unit: TimeUnit) -> &'static str {
    match unit {
        TimeUnit::Second => "SECOND",
        TimeUnit::Millisecond => "MILLISECOND",
        TimeUnit::Microsecond => "MICROSECOND",
        TimeUnit::Nanosecond => "NANOSECOND",
    }
}
