//! The items of a list, and the fields of a struct as a tuple.

use std::ops::Range;

use serde_core::de::{DeserializeSeed, SeqAccess};

use super::slot::Slot;
use crate::error::{Result, SerdeError};

/// The items of a list.
pub(super) struct ListItems<'de, 'b> {
    list: Slot<'de, 'b>,
    items: Range<usize>,
}

impl<'de, 'b> ListItems<'de, 'b> {
    pub(super) fn new(list: Slot<'de, 'b>, items: Range<usize>) -> ListItems<'de, 'b> {
        ListItems { list, items }
    }
}

impl<'de> SeqAccess<'de> for ListItems<'de, '_> {
    type Error = SerdeError;

    #[inline]
    fn next_element_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<Option<T::Value>> {
        let Slot { column, slot: _, budget } = self.list;
        let Some((slot, column)) = self.items.next().zip(column.children.first()) else {
            return Ok(None);
        };
        budget.value()?;
        let value = seed.deserialize(Slot { column, slot, budget });
        value.map(Some).map_err(|error| error.in_step(&column.step))
    }

    fn size_hint(&self) -> Option<usize> {
        Some(self.items.len().min(self.list.budget.left()))
    }
}

/// The fields of a struct in order.
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
        let Slot { column, slot, budget } = self.row;
        let Some(column) = column.children.get(self.next) else { return Ok(None) };
        self.next = self.next.saturating_add(1);
        budget.value()?;
        let value = seed.deserialize(Slot { column, slot, budget });
        value.map(Some).map_err(|error| error.in_step(&column.step))
    }

    fn size_hint(&self) -> Option<usize> {
        Some(self.row.column.children.len().saturating_sub(self.next))
    }
}
