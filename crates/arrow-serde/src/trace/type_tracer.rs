//! Finds the kinds of values that a Rust type requests when it is deserialized.

use serde_core::de::{
    DeserializeSeed, Deserializer, MapAccess, SeqAccess, Visitor, value::BorrowedStrDeserializer,
};

use super::kind::{ScalarKind, StructFields, TracedType, deeper, step};
use crate::error::{Result, SerdeError, SerdeErrorKind};

/// A deserializer that stores which kind of value a type requests, and returns a value of this kind.
pub(super) struct TypeTracer<'a> {
    traced: &'a mut TracedType,
    depth: usize,
    /// The number of options and newtypes around the value, which are no levels of a schema.
    n_wrappers: usize,
}

impl<'a> TypeTracer<'a> {
    pub(super) fn for_row(traced: &'a mut TracedType) -> TypeTracer<'a> {
        TypeTracer::new(traced, 0)
    }

    fn new(traced: &'a mut TracedType, depth: usize) -> TypeTracer<'a> {
        TypeTracer { traced, depth, n_wrappers: 0 }
    }

    /// The value in an option or newtype. Returns an error if there are too many, as in a type that contains itself without
    /// a field between.
    fn unwrapped(self) -> Result<TypeTracer<'a>> {
        Ok(TypeTracer { n_wrappers: deeper(self.n_wrappers)?, ..self })
    }
}

#[cold]
fn needs_samples<T>(what: &'static str) -> Result<T> {
    Err(SerdeErrorKind::NeedsSamples { what }.into())
}

/// Defines the methods for numbers. They return 1, since some types reject 0.
macro_rules! scalars {
    ($($method:ident => $scalar:expr, $visit:ident($value:expr);)*) => {$(
        fn $method<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
            self.traced.scalar($scalar)?;
            visitor.$visit($value)
        }
    )*};
}

impl<'de> Deserializer<'de> for TypeTracer<'_> {
    type Error = SerdeError;

    scalars! {
        deserialize_bool => ScalarKind::Boolean, visit_bool(false);
        deserialize_i8 => ScalarKind::Signed(8), visit_i8(1);
        deserialize_i16 => ScalarKind::Signed(16), visit_i16(1);
        deserialize_i32 => ScalarKind::Signed(32), visit_i32(1);
        deserialize_i64 => ScalarKind::Signed(64), visit_i64(1);
        deserialize_i128 => ScalarKind::Wide, visit_i128(1);
        deserialize_u8 => ScalarKind::Unsigned(8), visit_u8(1);
        deserialize_u16 => ScalarKind::Unsigned(16), visit_u16(1);
        deserialize_u32 => ScalarKind::Unsigned(32), visit_u32(1);
        deserialize_u64 => ScalarKind::Unsigned(64), visit_u64(1);
        deserialize_u128 => ScalarKind::Wide, visit_u128(1);
        deserialize_f32 => ScalarKind::Float(32), visit_f32(1.0);
        deserialize_f64 => ScalarKind::Float(64), visit_f64(1.0);
        deserialize_char => ScalarKind::Text, visit_char('a');
        deserialize_str => ScalarKind::Text, visit_borrowed_str("");
        deserialize_string => ScalarKind::Text, visit_borrowed_str("");
        deserialize_bytes => ScalarKind::Bytes, visit_borrowed_bytes(&[]);
        deserialize_byte_buf => ScalarKind::Bytes, visit_borrowed_bytes(&[]);
    }

    fn deserialize_any<V: Visitor<'de>>(self, _visitor: V) -> Result<V::Value> {
        needs_samples("a type that accepts any value")
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        self.traced.null();
        visitor.visit_some(self.unwrapped()?)
    }

    fn deserialize_unit<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        self.traced.unit();
        visitor.visit_unit()
    }

    fn deserialize_unit_struct<V: Visitor<'de>>(self, _name: &'static str, visitor: V) -> Result<V::Value> {
        self.deserialize_unit(visitor)
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        _name: &'static str,
        visitor: V,
    ) -> Result<V::Value> {
        visitor.visit_newtype_struct(self.unwrapped()?)
    }

    fn deserialize_seq<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        let depth = deeper(self.depth)?;
        let item: &mut TracedType = self.traced.list()?;
        visitor.visit_seq(TracedItems { items: std::slice::from_mut(item).iter_mut(), n_given: None, depth })
    }

    fn deserialize_tuple<V: Visitor<'de>>(self, n_items: usize, visitor: V) -> Result<V::Value> {
        let depth = deeper(self.depth)?;
        let items = self.traced.tuple(n_items)?.iter_mut();
        visitor.visit_seq(TracedItems { items, n_given: Some(0), depth })
    }

    fn deserialize_tuple_struct<V: Visitor<'de>>(
        self,
        _name: &'static str,
        n_items: usize,
        visitor: V,
    ) -> Result<V::Value> {
        self.deserialize_tuple(n_items, visitor)
    }

    fn deserialize_map<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        if self.depth == 0 {
            return needs_samples("a row that is a map");
        }
        let depth = deeper(self.depth)?;
        let [key, value]: &mut [TracedType; 2] = self.traced.map()?;
        visitor.visit_map(TracedEntry { key: Some(key), value, depth })
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _name: &'static str,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value> {
        let depth = deeper(self.depth)?;
        let known = self.traced.structure()?;
        known.n_structs = known.n_structs.saturating_add(1);
        let found = visitor.visit_map(TracedMembers { known, names: fields.iter(), current: None, depth });
        // All names of a struct are requested, and an alias is one of them.
        found.map_err(|error| {
            let is_repeated = matches!(error.kind(), SerdeErrorKind::Repeated);
            let what = "a field with an alias";
            if is_repeated { error.with_kind(SerdeErrorKind::NeedsSamples { what }) } else { error }
        })
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _name: &'static str,
        _variants: &'static [&'static str],
        _visitor: V,
    ) -> Result<V::Value> {
        needs_samples("an enum")
    }

    fn deserialize_identifier<V: Visitor<'de>>(self, _visitor: V) -> Result<V::Value> {
        needs_samples("an identifier")
    }

    fn deserialize_ignored_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        self.deserialize_unit(visitor)
    }
}

/// Returns one item for a list, or all items of a tuple.
struct TracedItems<'a> {
    items: std::slice::IterMut<'a, TracedType>,
    /// The number of items of a tuple returned so far. `None` for a list.
    n_given: Option<usize>,
    depth: usize,
}

impl<'de> SeqAccess<'de> for TracedItems<'_> {
    type Error = SerdeError;

    fn next_element_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<Option<T::Value>> {
        let Some(traced) = self.items.next() else { return Ok(None) };
        let item_step = match &mut self.n_given {
            None => step(0, "item"),
            Some(n_given) => {
                let position = *n_given;
                *n_given = position.saturating_add(1);
                step(position, &position.to_string())
            }
        };
        let value = seed.deserialize(TypeTracer::new(traced, self.depth));
        value.map(Some).map_err(|error| error.in_step(&item_step))
    }
}

/// Returns the fields that a struct requests.
struct TracedMembers<'a> {
    known: &'a mut StructFields,
    names: std::slice::Iter<'static, &'static str>,
    current: Option<&'static str>,
    depth: usize,
}

impl<'de> MapAccess<'de> for TracedMembers<'_> {
    type Error = SerdeError;

    fn next_key_seed<K: DeserializeSeed<'de>>(&mut self, seed: K) -> Result<Option<K::Value>> {
        self.current = self.names.next().copied();
        self.current.map(|name| seed.deserialize(BorrowedStrDeserializer::new(name))).transpose()
    }

    fn next_value_seed<V: DeserializeSeed<'de>>(&mut self, seed: V) -> Result<V::Value> {
        let name = self.current.unwrap_or_default();
        let (position, traced) = self.known.field(name);
        let value = seed.deserialize(TypeTracer::new(traced, self.depth));
        value.map_err(|error| error.in_step(&step(position, name)))
    }
}

/// Returns one entry for a map.
struct TracedEntry<'a> {
    key: Option<&'a mut TracedType>,
    value: &'a mut TracedType,
    depth: usize,
}

impl<'de> MapAccess<'de> for TracedEntry<'_> {
    type Error = SerdeError;

    fn next_key_seed<K: DeserializeSeed<'de>>(&mut self, seed: K) -> Result<Option<K::Value>> {
        let Some(traced) = self.key.take() else { return Ok(None) };
        let key = seed.deserialize(TypeTracer::new(traced, self.depth));
        key.map(Some).map_err(|error| error.in_step(&step(0, "key")))
    }

    fn next_value_seed<V: DeserializeSeed<'de>>(&mut self, seed: V) -> Result<V::Value> {
        let value = seed.deserialize(TypeTracer::new(&mut *self.value, self.depth));
        value.map_err(|error| error.in_step(&step(1, "value")))
    }
}
