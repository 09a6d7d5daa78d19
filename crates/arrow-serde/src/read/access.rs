//! Reads the items of a list, the fields of a struct, and the entries of a map.

use std::ops::Range;

use serde_core::de::{
    DeserializeSeed, MapAccess, SeqAccess,
    value::{BorrowedStrDeserializer, SeqAccessDeserializer},
};

use super::{column::TypedColumn, slot::Slot};
use crate::error::{Result, SerdeError};

/// Reads the items of a list.
pub(super) struct ListItems<'de, 'b> {
    pub(super) list: Slot<'de, 'b>,
    pub(super) items: Range<usize>,
}

impl<'de> SeqAccess<'de> for ListItems<'de, '_> {
    type Error = SerdeError;

    #[inline]
    fn next_element_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<Option<T::Value>> {
        let Some((slot, column)) = self.items.next().zip(self.list.column.children.first()) else {
            return Ok(None);
        };
        Slot { column, slot, ..self.list }.read(seed).map(Some)
    }

    fn size_hint(&self) -> Option<usize> {
        Some(self.items.len().min(self.list.budget.left()))
    }
}

/// Reads the fields of a struct as a tuple.
pub(super) struct FieldsInOrder<'de, 'b> {
    row: Slot<'de, 'b>,
    next: usize,
}

impl<'de, 'b> FieldsInOrder<'de, 'b> {
    pub(super) fn new(row: Slot<'de, 'b>) -> FieldsInOrder<'de, 'b> {
        FieldsInOrder { row, next: 0 }
    }
}

impl<'de> SeqAccess<'de> for FieldsInOrder<'de, '_> {
    type Error = SerdeError;

    fn next_element_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<Option<T::Value>> {
        let Some(column) = self.row.column.children.get(self.next) else { return Ok(None) };
        self.next = self.next.saturating_add(1);
        Slot { column, ..self.row }.read(seed).map(Some)
    }

    fn size_hint(&self) -> Option<usize> {
        Some(self.row.column.children.len().saturating_sub(self.next))
    }
}

/// Reads the fields of a struct or row by name.
pub(super) struct NamedFields<'de, 'b> {
    row: Slot<'de, 'b>,
    rest: std::slice::Iter<'de, TypedColumn>,
    /// The field whose name was read last, and whose value is next.
    current: Option<&'de TypedColumn>,
}

impl<'de, 'b> NamedFields<'de, 'b> {
    #[inline]
    pub(super) fn new(row: Slot<'de, 'b>) -> NamedFields<'de, 'b> {
        NamedFields { row, rest: row.column.children.iter(), current: None }
    }
}

impl<'de> MapAccess<'de> for NamedFields<'de, '_> {
    type Error = SerdeError;

    #[inline]
    fn next_key_seed<K: DeserializeSeed<'de>>(&mut self, seed: K) -> Result<Option<K::Value>> {
        self.current = self.rest.next();
        match self.current {
            Some(column) => seed.deserialize(BorrowedStrDeserializer::new(column.name())).map(Some),
            None => Ok(None),
        }
    }

    #[inline]
    fn next_value_seed<V: DeserializeSeed<'de>>(&mut self, seed: V) -> Result<V::Value> {
        let Some(column) = self.current else { return Err(no_value()) };
        Slot { column, ..self.row }.read(seed)
    }

    fn size_hint(&self) -> Option<usize> {
        Some(self.rest.len())
    }
}

/// The error if a value is read before its key.
#[cold]
pub(super) fn no_value() -> SerdeError {
    serde_core::de::Error::custom("there is no value without a key")
}

/// Reads the entries of a map.
pub(super) struct KeyedEntries<'de, 'b> {
    pub(super) map: Slot<'de, 'b>,
    pub(super) entries: Range<usize>,
}

impl<'de> KeyedEntries<'de, '_> {
    fn read<T: DeserializeSeed<'de>>(&self, slot: usize, child: usize, seed: T) -> Result<T::Value> {
        let Some(column) = self.map.column.children.get(child) else { return Err(no_value()) };
        Slot { column, slot, ..self.map }.read(seed)
    }
}

impl<'de> MapAccess<'de> for KeyedEntries<'de, '_> {
    type Error = SerdeError;

    fn next_key_seed<K: DeserializeSeed<'de>>(&mut self, seed: K) -> Result<Option<K::Value>> {
        if self.entries.is_empty() {
            return Ok(None);
        }
        self.read(self.entries.start, 0, seed).map(Some)
    }

    fn next_value_seed<V: DeserializeSeed<'de>>(&mut self, seed: V) -> Result<V::Value> {
        let entry = self.entries.next().ok_or_else(no_value)?;
        self.read(entry, 1, seed)
    }

    fn size_hint(&self) -> Option<usize> {
        Some(self.entries.len().min(self.map.budget.left()))
    }
}

/// Reads the entries of a map as pairs of key and value.
pub(super) struct EntryPairs<'de, 'b>(pub(super) KeyedEntries<'de, 'b>);

impl<'de> SeqAccess<'de> for EntryPairs<'de, '_> {
    type Error = SerdeError;

    fn next_element_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<Option<T::Value>> {
        let Some(entry) = self.0.entries.next() else { return Ok(None) };
        seed.deserialize(SeqAccessDeserializer::new(MapEntry { entries: &self.0, entry, next: 0 })).map(Some)
    }

    fn size_hint(&self) -> Option<usize> {
        self.0.size_hint()
    }
}

/// Reads one entry as a pair.
struct MapEntry<'a, 'de, 'b> {
    entries: &'a KeyedEntries<'de, 'b>,
    entry: usize,
    next: usize,
}

impl<'de> SeqAccess<'de> for MapEntry<'_, 'de, '_> {
    type Error = SerdeError;

    fn next_element_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<Option<T::Value>> {
        let child = self.next;
        if child > 1 {
            return Ok(None);
        }
        self.next = child.saturating_add(1);
        self.entries.read(self.entry, child, seed).map(Some)
    }
}
