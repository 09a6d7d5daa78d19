//! A value of any kind, which deserializes from any value and serializes to the same value.

use std::fmt;

use serde::{
    Deserialize, Deserializer, Serialize, Serializer,
    de::{MapAccess, SeqAccess, Visitor},
    ser::SerializeMap,
};

#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Dynamic {
    Null,
    Boolean(bool),
    Signed(i64),
    Unsigned(u64),
    Single(f32),
    Double(f64),
    Text(String),
    Bytes(Vec<u8>),
    Items(Vec<Dynamic>),
    Entries(Vec<(Dynamic, Dynamic)>),
}

impl Serialize for Dynamic {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Dynamic::Null => serializer.serialize_none(),
            Dynamic::Boolean(flag) => serializer.serialize_bool(*flag),
            Dynamic::Signed(number) => serializer.serialize_i64(*number),
            Dynamic::Unsigned(number) => serializer.serialize_u64(*number),
            Dynamic::Single(number) => serializer.serialize_f32(*number),
            Dynamic::Double(number) => serializer.serialize_f64(*number),
            Dynamic::Text(text) => serializer.serialize_str(text),
            Dynamic::Bytes(bytes) => serializer.serialize_bytes(bytes),
            Dynamic::Items(items) => items.serialize(serializer),
            Dynamic::Entries(entries) => {
                let mut map = serializer.serialize_map(Some(entries.len()))?;
                entries.iter().try_for_each(|(key, value)| map.serialize_entry(key, value))?;
                map.end()
            }
        }
    }
}

impl<'de> Deserialize<'de> for Dynamic {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Dynamic, D::Error> {
        deserializer.deserialize_any(Anything)
    }
}

struct Anything;

macro_rules! visits {
    ($($visit:ident: $value:ty => $form:expr;)*) => {$(
        fn $visit<E>(self, value: $value) -> Result<Dynamic, E> {
            let form: fn($value) -> Dynamic = $form;
            Ok(form(value))
        }
    )*};
}

impl<'de> Visitor<'de> for Anything {
    type Value = Dynamic;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("anything")
    }

    visits! {
        visit_bool: bool => Dynamic::Boolean;
        visit_i64: i64 => Dynamic::Signed;
        visit_u64: u64 => Dynamic::Unsigned;
        visit_f32: f32 => Dynamic::Single;
        visit_f64: f64 => Dynamic::Double;
        visit_str: &str => |text| Dynamic::Text(text.to_owned());
        visit_bytes: &[u8] => |bytes| Dynamic::Bytes(bytes.to_vec());
    }

    fn visit_unit<E>(self) -> Result<Dynamic, E> {
        Ok(Dynamic::Null)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut access: A) -> Result<Dynamic, A::Error> {
        let mut items = Vec::new();
        while let Some(item) = access.next_element()? {
            items.push(item);
        }
        Ok(Dynamic::Items(items))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut access: A) -> Result<Dynamic, A::Error> {
        let mut entries = Vec::new();
        while let Some(entry) = access.next_entry()? {
            entries.push(entry);
        }
        Ok(Dynamic::Entries(entries))
    }
}
