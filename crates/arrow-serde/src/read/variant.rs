//! Reads the value of a union: as a variant of an enum, or as a map of one entry.

use std::marker::PhantomData;

use arrow_array::UnionArray;
use serde_core::de::{
    DeserializeSeed, Deserializer, EnumAccess, MapAccess, VariantAccess, Visitor,
    value::BorrowedStrDeserializer,
};

use super::{access::no_value, slot::Slot};
use crate::error::{Result, SerdeError, SerdeErrorKind};

/// The child that a slot of a union selects, for reading its value.
pub(super) struct Variant<'de, 'b> {
    content: Slot<'de, 'b>,
    /// Whether the key of the map was read.
    has_name: bool,
}

impl<'de, 'b> Variant<'de, 'b> {
    pub(super) fn try_new(value: Slot<'de, 'b>, unions: &UnionArray) -> Result<Variant<'de, 'b>> {
        let Slot { column, slot, budget } = value;
        let selected = unions.get(slot);
        let child =
            selected.and_then(|selected| Some((column.children.get(selected.child_idx)?, selected.slot)));
        let (column, slot) = child.ok_or(SerdeErrorKind::FoundNull)?;
        Ok(Variant { content: Slot { column, slot, budget }, has_name: false })
    }

    /// The name of the child, which is counted.
    fn name(&self) -> Result<BorrowedStrDeserializer<'de, SerdeError>> {
        let Slot { column, slot: _, budget } = self.content;
        budget.name(column.name())?;
        Ok(BorrowedStrDeserializer::new(column.name()))
    }

    fn located<T>(&self, result: Result<T>) -> Result<T> {
        result.map_err(|error| error.in_step(&self.content.column.step))
    }
}

impl<'de, 'b> EnumAccess<'de> for Variant<'de, 'b> {
    type Error = SerdeError;
    type Variant = Variant<'de, 'b>;

    fn variant_seed<V: DeserializeSeed<'de>>(self, seed: V) -> Result<(V::Value, Variant<'de, 'b>)> {
        let value = seed.deserialize(self.name()?)?;
        Ok((value, self))
    }
}

impl<'de> VariantAccess<'de> for Variant<'de, '_> {
    type Error = SerdeError;

    fn unit_variant(self) -> Result<()> {
        self.content.read(PhantomData)
    }

    fn newtype_variant_seed<T: DeserializeSeed<'de>>(self, seed: T) -> Result<T::Value> {
        self.content.read(seed)
    }

    fn tuple_variant<V: Visitor<'de>>(self, n_items: usize, visitor: V) -> Result<V::Value> {
        self.content.budget.value()?;
        self.located(self.content.deserialize_tuple(n_items, visitor))
    }

    fn struct_variant<V: Visitor<'de>>(
        self,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value> {
        self.content.budget.value()?;
        self.located(self.content.deserialize_struct("", fields, visitor))
    }
}

impl<'de> MapAccess<'de> for Variant<'de, '_> {
    type Error = SerdeError;

    fn next_key_seed<K: DeserializeSeed<'de>>(&mut self, seed: K) -> Result<Option<K::Value>> {
        if std::mem::replace(&mut self.has_name, true) {
            return Ok(None);
        }
        seed.deserialize(self.name()?).map(Some)
    }

    fn next_value_seed<V: DeserializeSeed<'de>>(&mut self, seed: V) -> Result<V::Value> {
        if !self.has_name {
            return Err(no_value());
        }
        self.content.read(seed)
    }
}
