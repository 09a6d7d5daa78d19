//! Writes a schema as JSON.

use std::fmt;

use arrow_schema::{DataType, DictionaryType, Field, IndexType, Metadata, Quoted, Schema, UnionMode};

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
            let (name, is_nullable) = (Quoted(field.name()), field.is_nullable());
            write!(self.out, "{{\"name\":{name},\"nullable\":{is_nullable},\"type\":")?;
            write_type(self.out, field.data_type().value_type())?;
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
            let (key, value) = (Quoted(key.unwrap_or_default()), Quoted(value.unwrap_or_default()));
            let separator = if position == 0 { "" } else { "," };
            write!(self.out, "{separator}{{\"key\":{key},\"value\":{value}}}")?;
        }
        self.out.write_str("]")
    }
}

/// Writes the name and the parameters of a type that is not a dictionary, without its children. Types of one family have the
/// family's name. Other types have the name of their text form, without underscores.
fn write_type(out: &mut impl fmt::Write, data_type: &DataType) -> fmt::Result {
    if let Ok(integer) = IndexType::try_from(data_type) {
        return write_integer(out, integer);
    }
    let n_bits = data_type.bit_width().unwrap_or_default();
    let unit = unit(data_type);
    if data_type.is_floating_point() {
        let precision = match n_bits {
            16 => "HALF",
            32 => "SINGLE",
            _ => "DOUBLE",
        };
        return write!(out, r#"{{"name":"floatingpoint","precision":"{precision}"}}"#);
    }
    if let Some((precision, scale)) = data_type.as_decimal() {
        return write!(
            out,
            r#"{{"name":"decimal","precision":{precision},"scale":{scale},"bitWidth":{n_bits}}}"#
        );
    }
    if let Some((_, Some(zone))) = data_type.as_timestamp() {
        let zone = Quoted(zone);
        return write!(out, r#"{{"name":"timestamp","unit":"{unit}","timezone":{zone}}}"#);
    }
    // The width is part of the names of dates and times.
    let name = data_type.name().trim_end_matches(|digit: char| digit.is_ascii_digit());
    match (name, data_type.as_union()) {
        (_, Some(union)) => {
            let mode = match union.mode() {
                UnionMode::Sparse => "SPARSE",
                UnionMode::Dense => "DENSE",
            };
            let ids = union.type_ids();
            let ids = fmt::from_fn(|f| {
                ids.iter()
                    .enumerate()
                    .try_for_each(|(position, id)| write!(f, "{}{id}", if position == 0 { "" } else { "," }))
            });
            write!(out, r#"{{"name":"union","mode":"{mode}","typeIds":[{ids}]}}"#)
        }
        ("date", _) => {
            let unit = if n_bits == 32 { "DAY" } else { "MILLISECOND" };
            write!(out, r#"{{"name":"date","unit":"{unit}"}}"#)
        }
        ("time", _) => write!(out, r#"{{"name":"time","unit":"{unit}","bitWidth":{n_bits}}}"#),
        ("timestamp" | "duration" | "interval", _) => {
            write!(out, r#"{{"name":"{name}","unit":"{unit}"}}"#)
        }
        ("fixed_size_binary", _) => {
            let n_bytes = data_type.byte_width().unwrap_or_default();
            write!(out, r#"{{"name":"fixedsizebinary","byteWidth":{n_bytes}}}"#)
        }
        _ => write_other(out, name, data_type),
    }
}

fn write_other(out: &mut impl fmt::Write, name: &str, data_type: &DataType) -> fmt::Result {
    let name = name.replace('_', "");
    if let Some((_, n_items)) = data_type.as_fixed_size_list() {
        return write!(out, r#"{{"name":"{name}","listSize":{}}}"#, n_items.get());
    }
    if let Some(map) = data_type.as_map() {
        return write!(out, r#"{{"name":"{name}","keysSorted":{}}}"#, map.keys_sorted());
    }
    // The digit in the name of utf8 is not a width.
    let name = if data_type.is_text() { data_type.name().replace('_', "") } else { name };
    write!(out, r#"{{"name":"{name}"}}"#)
}

fn write_integer(out: &mut impl fmt::Write, of: IndexType) -> fmt::Result {
    write!(out, r#"{{"name":"int","isSigned":{},"bitWidth":{}}}"#, of.is_signed(), of.n_bits())
}

/// The word for the unit in this JSON.
fn unit(data_type: &DataType) -> &'static str {
    match data_type.unit() {
        Some("s") => "SECOND",
        Some("ms") => "MILLISECOND",
        Some("us") => "MICROSECOND",
        Some("ns") => "NANOSECOND",
        Some("year_month") => "YEAR_MONTH",
        Some("day_time") => "DAY_TIME",
        Some("month_day_nano") => "MONTH_DAY_NANO",
        Some(_) | None => "",
    }
}
