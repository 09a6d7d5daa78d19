//! A value of any kind, which deserializes from any value and serializes to the same value.

use std::fmt;

use serde::{
    Deserialize, Deserializer, Serialize, Serializer,
    de::{MapAccess, SeqAccess, Visitor},
    ser::SerializeMap,
};

#[derive(Debug, Clone, PartialEq)]
pub(crate) enum DynamicValue {
    Null,
    Boolean(bool),
    Signed(i64),
    Unsigned(u64),
    Single(f32),
    Double(f64),
    Text(String),
    Bytes(Vec<u8>),
    Items(Vec<DynamicValue>),
    Entries(Vec<(DynamicValue, DynamicValue)>),
}

impl Serialize for DynamicValue {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            DynamicValue::Null => serializer.serialize_none(),
            DynamicValue::Boolean(flag) => serializer.serialize_bool(*flag),
            DynamicValue::Signed(number) => serializer.serialize_i64(*number),
            DynamicValue::Unsigned(number) => serializer.serialize_u64(*number),
            DynamicValue::Single(number) => serializer.serialize_f32(*number),
            DynamicValue::Double(number) => serializer.serialize_f64(*number),
            DynamicValue::Text(text) => serializer.serialize_str(text),
            DynamicValue::Bytes(bytes) => serializer.serialize_bytes(bytes),
            DynamicValue::Items(items) => items.serialize(serializer),
            DynamicValue::Entries(entries) => {
                let mut map = serializer.serialize_map(Some(entries.len()))?;
                entries.iter().try_for_each(|(key, value)| map.serialize_entry(key, value))?;
                map.end()
            }
        }
    }
}

impl<'de> Deserialize<'de> for DynamicValue {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<DynamicValue, D::Error> {
        deserializer.deserialize_any(ValueVisitor)
    }
}

struct ValueVisitor;

macro_rules! visits {
    ($($visit:ident: $value:ty => $form:expr;)*) => {$(
        fn $visit<E>(self, value: $value) -> Result<DynamicValue, E> {
            let form: fn($value) -> DynamicValue = $form;
            Ok(form(value))
        }
    )*};
}

impl<'de> Visitor<'de> for ValueVisitor {
    type Value = DynamicValue;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("anything")
    }

    visits! {
        visit_bool: bool => DynamicValue::Boolean;
        visit_i64: i64 => DynamicValue::Signed;
        visit_u64: u64 => DynamicValue::Unsigned;
        visit_f32: f32 => DynamicValue::Single;
        visit_f64: f64 => DynamicValue::Double;
        visit_str: &str => |text| DynamicValue::Text(text.to_owned());
        visit_bytes: &[u8] => |bytes| DynamicValue::Bytes(bytes.to_vec());
    }

    fn visit_unit<E>(self) -> Result<DynamicValue, E> {
        Ok(DynamicValue::Null)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut access: A) -> Result<DynamicValue, A::Error> {
        let mut items = Vec::new();
        while let Some(item) = access.next_element()? {
            items.push(item);
        }
        Ok(DynamicValue::Items(items))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut access: A) -> Result<DynamicValue, A::Error> {
        let mut entries = Vec::new();
        while let Some(entry) = access.next_entry()? {
            entries.push(entry);
        }
        Ok(DynamicValue::Entries(entries))
    }
}
