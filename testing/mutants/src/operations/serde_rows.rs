//! Reads rows as values of any type with serde, and writes them again. The rows must not change.

use std::{collections::HashSet, fmt};

use arrow_array::ArrayErrorKind;
use arrow_data::{RecordBatch, Validation};
use arrow_schema::{DataType, Field};
use arrow_serde::{BatchRows, RowWriter, SerdeError, SerdeErrorKind};
use serde::{
    Deserialize, Deserializer, Serialize, Serializer,
    de::{MapAccess, SeqAccess, Visitor},
};

use super::json_of;

/// The greatest number of values and bytes of text of a row.
const MAX_VALUES: u64 = 1 << 16;

/// The memory for the nulls of a row, which lists of nulls do not need where they are read from.
const MAX_NULL_BYTES: u64 = 1 << 20;

pub(super) fn write_with_serde(batch: &RecordBatch) -> Result<(), String> {
    let fields = batch.schema().fields();
    // The schema may forbid nulls that the batch has. Children of a union are found by name.
    if batch.clone().validate(Validation::Strict).is_err() || any_type(fields, &has_repeated_names) {
        return Ok(());
    }
    let Ok(read) = BatchRows::try_new(batch) else { return Ok(()) };
    let read = read.with_max_values(MAX_VALUES);
    let values = match read.iter().collect::<Result<Vec<AnyValue>, _>>() {
        Ok(values) => values,
        Err(error) if matches!(error.kind(), SerdeErrorKind::TooManyValues { .. }) => return Ok(()),
        Err(error) => return Err(format!("reading as any value: {error}")),
    };
    let Ok(writer) = RowWriter::try_new(batch.schema().clone()) else { return Ok(()) };
    let mut writer = writer.with_batch_rows(usize::MAX).with_max_null_bytes(MAX_NULL_BYTES);
    let mut written = Vec::new();
    let mut write = || -> Result<(), SerdeError> {
        for value in &values {
            written.extend(writer.write(value)?);
        }
        written.extend(writer.finish()?);
        Ok(())
    };
    match write() {
        Ok(()) => {}
        Err(error) if may_be_refused(error.kind(), fields) => return Ok(()),
        Err(error) => return Err(format!("writing any value: {error}")),
    }
    // As text: the bits of a NaN are not kept.
    let found: Option<String> = written.iter().map(json_of).collect();
    (found == json_of(batch)).then_some(()).ok_or_else(|| "rows written by serde are other rows".to_owned())
}

/// Whether an error may be right: decimals may exceed the precision of their type, nulls have very many slots, and dictionaries
/// or runs have no place for more values.
fn may_be_refused(error: &SerdeErrorKind, fields: &[Field]) -> bool {
    match error {
        SerdeErrorKind::TooManyNulls { .. } => true,
        SerdeErrorKind::Array(error) => has_no_location(error.kind()),
        SerdeErrorKind::Text(_) => any_type(fields, &|data_type| data_type.is_decimal()),
        _ => false,
    }
}

fn has_no_location(error: &ArrayErrorKind) -> bool {
    matches!(error, ArrayErrorKind::DictionaryOverflow { .. } | ArrayErrorKind::RunEndOverflow { .. })
}

fn has_repeated_names(data_type: &DataType) -> bool {
    let children = data_type.children();
    let names: HashSet<&str> = children.iter().map(Field::name).collect();
    data_type.is_union() && names.len() < children.len()
}

/// Whether a type of the fields, or a type inside it, has a property.
fn any_type(fields: &[Field], property: &dyn Fn(&DataType) -> bool) -> bool {
    fields
        .iter()
        .map(|field| field.data_type().value_type())
        .any(|data_type| property(data_type) || any_type(data_type.children(), property))
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
