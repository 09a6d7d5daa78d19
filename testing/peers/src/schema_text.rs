//! The text form of types, fields and schemas: one field per line.

use crate::value_json::numbered_string;
use rs_schema::{DataType, Field, Fields, IntervalUnit, Schema, TimeUnit, UnionMode};

/// A line for each field; empty for a schema without fields.
pub fn schema_text(schema: &Schema) -> String {
    schema.fields().iter().map(|field| field_text(field) + "\n").collect()
}

fn field_text(field: &Field) -> String {
    let not_null = if field.is_nullable() { "" } else { " not null" };
    // Whether a dictionary is ordered is a property of the field in arrow-rs.
    let data_type = match (field.data_type(), field.dict_is_ordered()) {
        (DataType::Dictionary(index, value), Some(true)) => {
            format!("dictionary<{}, {}, ordered>", type_text(index), type_text(value))
        }
        (data_type, _) => type_text(data_type),
    };
    format!("{}: {data_type}{not_null}", name_text(field.name()))
}

fn fields_text(fields: &Fields) -> String {
    fields.iter().map(|field| field_text(field)).collect::<Vec<_>>().join(", ")
}

fn name_text(name: &str) -> String {
    let is_word = name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
    let starts_well = name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_');
    if is_word && starts_well { name.to_owned() } else { numbered_string(name) }
}

fn type_text(data_type: &DataType) -> String {
    use DataType::*;
    match data_type {
        Null => "null".into(),
        Boolean => "bool".into(),
        Int8 => "int8".into(),
        Int16 => "int16".into(),
        Int32 => "int32".into(),
        Int64 => "int64".into(),
        UInt8 => "uint8".into(),
        UInt16 => "uint16".into(),
        UInt32 => "uint32".into(),
        UInt64 => "uint64".into(),
        Float16 => "float16".into(),
        Float32 => "float32".into(),
        Float64 => "float64".into(),
        Decimal32(precision, scale) => format!("decimal32({precision}, {scale})"),
        Decimal64(precision, scale) => format!("decimal64({precision}, {scale})"),
        Decimal128(precision, scale) => format!("decimal128({precision}, {scale})"),
        Decimal256(precision, scale) => format!("decimal256({precision}, {scale})"),
        Date32 => "date32".into(),
        Date64 => "date64".into(),
        Time32(unit) => format!("time32({})", unit_text(unit)),
        Time64(unit) => format!("time64({})", unit_text(unit)),
        Timestamp(unit, None) => format!("timestamp({})", unit_text(unit)),
        Timestamp(unit, Some(zone)) => format!("timestamp({}, {})", unit_text(unit), numbered_string(zone)),
        Duration(unit) => format!("duration({})", unit_text(unit)),
        Interval(IntervalUnit::YearMonth) => "interval(year_month)".into(),
        Interval(IntervalUnit::DayTime) => "interval(day_time)".into(),
        Interval(IntervalUnit::MonthDayNano) => "interval(month_day_nano)".into(),
        FixedSizeBinary(n_bytes) => format!("fixed_size_binary({n_bytes})"),
        Binary => "binary".into(),
        LargeBinary => "large_binary".into(),
        BinaryView => "binary_view".into(),
        Utf8 => "utf8".into(),
        LargeUtf8 => "large_utf8".into(),
        Utf8View => "utf8_view".into(),
        List(item) => format!("list<{}>", field_text(item)),
        LargeList(item) => format!("large_list<{}>", field_text(item)),
        ListView(item) => format!("list_view<{}>", field_text(item)),
        LargeListView(item) => format!("large_list_view<{}>", field_text(item)),
        FixedSizeList(item, n_items) => format!("fixed_size_list<{}; {n_items}>", field_text(item)),
        Struct(fields) => format!("struct<{}>", fields_text(fields)),
        Map(entries, false) => format!("map<{}>", field_text(entries)),
        Map(entries, true) => format!("map<{}, sorted>", field_text(entries)),
        Union(fields, mode) => {
            let mode = match mode {
                UnionMode::Sparse => "sparse",
                UnionMode::Dense => "dense",
            };
            let children: Vec<_> =
                fields.iter().map(|(id, field)| format!("{id}={}", field_text(field))).collect();
            format!("{mode}_union<{}>", children.join(", "))
        }
        Dictionary(index, value) => format!("dictionary<{}, {}>", type_text(index), type_text(value)),
        RunEndEncoded(run_ends, values) => {
            format!("run_end_encoded<{}, {}>", field_text(run_ends), field_text(values))
        }
    }
}

fn unit_text(unit: &TimeUnit) -> &'static str {
    match unit {
        TimeUnit::Second => "s",
        TimeUnit::Millisecond => "ms",
        TimeUnit::Microsecond => "us",
        TimeUnit::Nanosecond => "ns",
    }
}
