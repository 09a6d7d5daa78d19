//! Reads rows as values of any type with serde, and writes them again. The rows must not change.

use std::{collections::HashSet, fmt};

use arrow_data::RecordBatch;
use arrow_schema::{DataType, Field};
use arrow_serde::{BatchRows, RowWriter, SerdeErrorKind};
use serde::{
    Deserialize, Deserializer, Serialize, Serializer,
    de::{MapAccess, SeqAccess, Visitor},
};
use testing_support::rows;

/// The greatest number of values and bytes of text of a row.
const MAX_VALUES: u64 = 1 << 16;

pub(super) fn write_with_serde(batch: &RecordBatch) -> Result<(), String> {
    let Ok(read) = BatchRows::try_new(batch) else { return Ok(()) };
    let read = read.with_max_values(MAX_VALUES);
    let Ok(values) = read.iter().collect::<Result<Vec<AnyValue>, _>>() else { return Ok(()) };
    if batch.schema().fields().iter().any(has_repeated_names) || are_repeated(batch.schema().fields()) {
        return Ok(());
    }
    let Ok(writer) = RowWriter::try_new(batch.schema().clone()) else { return Ok(()) };
    let mut writer = writer.with_batch_rows(usize::MAX);
    let mut write = || {
        values.iter().try_for_each(|value| writer.write(value).map(drop))?;
        writer.finish()
    };
    let written = match write() {
        Ok(written) => written,
        Err(error) if may_be_refused(error.kind()) => return Ok(()),
        Err(error) => return Err(error.to_string()),
    };
    let is_same = written.map_or(batch.n_rows() == 0, |written| rows(&written) == rows(batch));
    is_same.then_some(()).ok_or_else(|| "rows written by serde are other rows".to_owned())
}

/// Whether a batch can have values that are not written: decimals that exceed the precision of their type, nulls with very
/// many slots, and more values than a dictionary or runs have place for.
fn may_be_refused(error: &SerdeErrorKind) -> bool {
    matches!(error, SerdeErrorKind::Text(_) | SerdeErrorKind::TooManyNulls { .. } | SerdeErrorKind::Array(_))
}

/// Whether fields of a struct, or children of a union, have the same name. Their values are found by name.
fn has_repeated_names(field: &Field) -> bool {
    let children = field.data_type().children();
    let is_named = matches!(field.data_type(), DataType::Struct(_) | DataType::Union(_));
    is_named && are_repeated(children) || children.iter().any(has_repeated_names)
}

fn are_repeated(fields: &[Field]) -> bool {
    let names: HashSet<&str> = fields.iter().map(Field::name).collect();
    names.len() < fields.len()
}

/// A value of any type.
enum AnyValue {
    Null,
    Flag(bool),
    Integer(i128),
    Single(f32),
    Double(f64),
    Text(String),
    Bytes(Vec<u8>),
    Sequence(Vec<AnyValue>),
    Entries(Vec<(AnyValue, AnyValue)>),
}

impl<'de> Deserialize<'de> for AnyValue {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<AnyValue, D::Error> {
        deserializer.deserialize_any(AnyVisitor)
    }
}

struct AnyVisitor;

macro_rules! visits {
    ($($method:ident, $type:ty => $make:expr;)*) => {$(
        fn $method<E>(self, value: $type) -> Result<AnyValue, E> {
            Ok($make(value))
        }
    )*};
}

impl<'de> Visitor<'de> for AnyVisitor {
    type Value = AnyValue;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("any value")
    }

    visits! {
        visit_bool, bool => AnyValue::Flag;
        visit_i64, i64 => |value| AnyValue::Integer(i128::from(value));
        visit_u64, u64 => |value| AnyValue::Integer(i128::from(value));
        visit_i128, i128 => AnyValue::Integer;
        visit_f32, f32 => AnyValue::Single;
        visit_f64, f64 => AnyValue::Double;
        visit_str, &str => |value: &str| AnyValue::Text(value.to_owned());
        visit_bytes, &[u8] => |value: &[u8]| AnyValue::Bytes(value.to_vec());
    }

    fn visit_unit<E>(self) -> Result<AnyValue, E> {
        Ok(AnyValue::Null)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<AnyValue, A::Error> {
        let mut found = Vec::new();
        while let Some(item) = items.next_element()? {
            found.push(item);
        }
        Ok(AnyValue::Sequence(found))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<AnyValue, A::Error> {
        let mut found = Vec::new();
        while let Some(entry) = entries.next_entry()? {
            found.push(entry);
        }
        Ok(AnyValue::Entries(found))
    }
}

impl Serialize for AnyValue {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            AnyValue::Null => serializer.serialize_none(),
            AnyValue::Flag(flag) => serializer.serialize_bool(*flag),
            AnyValue::Integer(number) => serializer.serialize_i128(*number),
            AnyValue::Single(number) => serializer.serialize_f32(*number),
            AnyValue::Double(number) => serializer.serialize_f64(*number),
            AnyValue::Text(text) => serializer.serialize_str(text),
            AnyValue::Bytes(bytes) => serializer.serialize_bytes(bytes),
            AnyValue::Sequence(items) => serializer.collect_seq(items),
            AnyValue::Entries(entries) => {
                serializer.collect_map(entries.iter().map(|(key, value)| (key, value)))
            }
        }
    }
}
