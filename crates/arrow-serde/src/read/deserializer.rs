//! Reads one value as the type that serde requests.

use arrow_array::AnyArray;
use serde_core::de::{
    Deserializer, Error as _, Unexpected, Visitor,
    value::{BorrowedStrDeserializer, SeqDeserializer},
};

use super::{
    access::{EntryPairs, FieldsInOrder, KeyedEntries, ListItems, NamedFields},
    leaf,
    slot::Slot,
    variant::Variant,
};
use crate::error::{Result, SerdeError, SerdeErrorKind};

/// Defines the methods for numbers. Reads the value directly if serde requests the type of the column. Otherwise the column's
/// type decides.
macro_rules! numbers {
    ($($method:ident, $array:ident, $visit:ident, $convert:ident;)*) => {$(
        #[inline]
        fn $method<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
            if let AnyArray::$array(numbers) = &self.column.array
                && let Some(number) = numbers.get(self.slot)
            {
                return visitor.$visit(number);
            }
            $convert(self.value()?, visitor)
        }
    )*};
}

macro_rules! valued {
    ($($method:ident => $visit:path;)*) => {$(
        #[inline]
        fn $method<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
            $visit(self.value()?, visitor)
        }
    )*};
}

impl<'de> Deserializer<'de> for Slot<'de, '_> {
    type Error = SerdeError;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        match self.selected() {
            Some(value) => value.visit(visitor),
            None => visitor.visit_unit(),
        }
    }

    numbers! {
        deserialize_i8, Int8, visit_i8, visit_integer;
        deserialize_i16, Int16, visit_i16, visit_integer;
        deserialize_i32, Int32, visit_i32, visit_integer;
        deserialize_i64, Int64, visit_i64, visit_integer;
        deserialize_u8, UInt8, visit_u8, visit_integer;
        deserialize_u16, UInt16, visit_u16, visit_integer;
        deserialize_u32, UInt32, visit_u32, visit_integer;
        deserialize_u64, UInt64, visit_u64, visit_integer;
        deserialize_f32, Float32, visit_f32, visit_single;
        deserialize_f64, Float64, visit_f64, visit_double;
    }

    valued! {
        deserialize_bool => Slot::visit;
        deserialize_i128 => visit_integer;
        deserialize_u128 => visit_integer;
        deserialize_char => visit_text;
        deserialize_str => visit_text;
        deserialize_string => visit_text;
        deserialize_bytes => leaf::visit;
        deserialize_byte_buf => leaf::visit;
        deserialize_identifier => visit_text;
    }

    #[inline]
    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        match self.selected() {
            Some(value) => visitor.visit_some(value),
            None => visitor.visit_none(),
        }
    }

    fn deserialize_unit<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        self.deserialize_any(visitor)
    }

    fn deserialize_unit_struct<V: Visitor<'de>>(self, _name: &'static str, visitor: V) -> Result<V::Value> {
        self.deserialize_any(visitor)
    }

    #[inline]
    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        _name: &'static str,
        visitor: V,
    ) -> Result<V::Value> {
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_seq<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        let value = self.value()?;
        if let AnyArray::Map(maps) = &value.column.array {
            let entries = maps.range(value.slot);
            return visitor.visit_seq(EntryPairs(KeyedEntries { map: value, entries }));
        }
        match leaf::bytes(&value.column.array, value.slot) {
            Some(bytes) => {
                self.budget.bytes(bytes.len())?;
                visitor.visit_seq(SeqDeserializer::new(bytes.iter().copied()))
            }
            None => value.visit(visitor),
        }
    }

    fn deserialize_tuple<V: Visitor<'de>>(self, n_items: usize, visitor: V) -> Result<V::Value> {
        self.tuple(n_items, visitor)
    }

    fn deserialize_tuple_struct<V: Visitor<'de>>(
        self,
        _name: &'static str,
        n_items: usize,
        visitor: V,
    ) -> Result<V::Value> {
        self.tuple(n_items, visitor)
    }

    fn deserialize_map<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        self.value()?.visit(visitor)
    }

    #[inline]
    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _name: &'static str,
        _fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value> {
        let value = self.value()?;
        if let AnyArray::Struct(_) = &value.column.array {
            visitor.visit_map(NamedFields::new(value))
        } else {
            value.visit(visitor)
        }
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _name: &'static str,
        _variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value> {
        let value = self.value()?;
        if let AnyArray::Union(unions) = &value.column.array {
            return visitor.visit_enum(Variant::try_new(value, unions)?);
        }
        match leaf::text(&value.column.array, value.slot) {
            Some(name) => {
                self.budget.name(name)?;
                visitor.visit_enum(BorrowedStrDeserializer::new(name))
            }
            None => value.wrong("an enum"),
        }
    }

    fn deserialize_ignored_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        visitor.visit_unit()
    }
}

impl<'de> Slot<'de, '_> {
    /// Reads a value without a request, as what its column contains.
    #[inline(never)]
    fn visit<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        let array = &self.column.array;
        if let AnyArray::Struct(_) = array {
            // This type is not a struct, so it may copy the names, for example as keys of a map.
            self.budget.bytes(self.column.n_counted_name_bytes)?;
            visitor.visit_map(NamedFields::new(self))
        } else if let AnyArray::Map(maps) = array {
            visitor.visit_map(KeyedEntries { map: self, entries: maps.range(self.slot) })
        } else if let AnyArray::Union(unions) = array {
            visitor.visit_map(Variant::try_new(self, unions)?)
        } else if let Some(range) = leaf::items(array, self.slot) {
            visitor.visit_seq(ListItems { list: self, items: range })
        } else {
            leaf::visit(self, visitor)
        }
    }

    /// Reads a struct as a tuple of its fields in order, or a list as a tuple of its items.
    fn tuple<V: Visitor<'de>>(self, n_items: usize, visitor: V) -> Result<V::Value> {
        let value = self.value()?;
        let n_found = if let AnyArray::Struct(_) = &value.column.array {
            value.column.children.len()
        } else if let Some(range) = leaf::items(&value.column.array, value.slot) {
            range.len()
        } else {
            return self.deserialize_seq(visitor);
        };
        if n_found != n_items {
            let (expected, found) = (n_items as u64, n_found as u64);
            return Err(SerdeErrorKind::Count { expected, found, unit: "values of a tuple" }.into());
        }
        if let AnyArray::Struct(_) = &value.column.array {
            visitor.visit_seq(FieldsInOrder::new(value))
        } else {
            self.deserialize_seq(visitor)
        }
    }
}

/// Reads a value as text, if JSON rows write values of its type as strings.
#[inline]
fn visit_text<'de, V: Visitor<'de>>(value: Slot<'de, '_>, visitor: V) -> Result<V::Value> {
    let Slot { column, slot, budget } = value;
    if let Some(text) = leaf::text(&column.array, slot) {
        budget.bytes(text.len())?;
        return visitor.visit_borrowed_str(text);
    }
    let is_number =
        matches!(column.array, AnyArray::Duration(_)) || leaf::interval(&column.array, slot).is_some();
    if column.text.is_some() && !is_number {
        leaf::visit_written(value, visitor)
    } else {
        value.visit(visitor)
    }
}

/// Reads a value as an integer. Also works for temporal values, and for decimals without a fraction.
fn visit_integer<'de, V: Visitor<'de>>(value: Slot<'de, '_>, visitor: V) -> Result<V::Value> {
    match leaf::integer(&value.column.array, value.slot) {
        Some(number) => match (i64::try_from(number), u64::try_from(number)) {
            (Ok(number), _) => visitor.visit_i64(number),
            (_, Ok(number)) => visitor.visit_u64(number),
            _ => visitor.visit_i128(number),
        },
        None => match leaf::whole(&value.column.array, value.slot) {
            Some(number) => visitor.visit_u128(number),
            None => value.visit(visitor),
        },
    }
}

/// Defines functions that read a value as a floating-point number. Decimals and wider numbers are rounded once, to the nearest
/// number. An integer must be exact.
macro_rules! floats {
    ($($name:ident, $visit:ident, $float:ident;)*) => {$(
        fn $name<'de, V: Visitor<'de>>(value: Slot<'de, '_>, visitor: V) -> Result<V::Value> {
            let array = &value.column.array;
            let slot = value.slot;
            let found = if let AnyArray::Float64(numbers) = array {
                let number = numbers.get(slot).unwrap_or_default();
                let rounded = number as $float;
                if rounded.is_finite() || !number.is_finite() {
                    return visitor.$visit(rounded);
                }
                format!("number `{number:?}`")
            } else if let Some(text) = leaf::decimal(value) {
                match text.parse::<$float>() {
                    Ok(number) if number.is_finite() => return visitor.$visit(number),
                    _ => format!("number `{text}`"),
                }
            } else {
                match leaf::integer(array, slot) {
                    Some(number) if number as $float as i128 != number => format!("integer `{number}`"),
                    _ => return value.visit(visitor),
                }
            };
            Err(SerdeError::invalid_value(Unexpected::Other(&found), &visitor))
        }
    )*};
}

floats! {
    visit_single, visit_f32, f32;
    visit_double, visit_f64, f64;
}
