//! Reads the items of a list, and the fields of a struct as a tuple.

use std::ops::Range;

use serde_core::de::{DeserializeSeed, SeqAccess};

use super::slot::Slot;
use crate::error::{Result, SerdeError};

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
