//! Finds the slot of a value through dictionaries and runs.

use arrow_array::AnyArray;
use serde_core::de::DeserializeSeed;

use super::{budget::RowBudget, column::TypedColumn};
use crate::error::{Result, SerdeErrorKind};

/// A slot of a column, and the budget of its row.
#[derive(Clone, Copy)]
pub(super) struct Slot<'de, 'b> {
    pub(super) column: &'de TypedColumn,
    pub(super) slot: usize,
    pub(super) budget: &'b RowBudget,
}

impl<'de, 'b> Slot<'de, 'b> {
    /// The slot of the decoded value. `None` if it is null.
    #[inline]
    pub(super) fn selected(self) -> Option<Slot<'de, 'b>> {
        if let AnyArray::Dictionary(_) | AnyArray::RunEndEncoded(_) = &self.column.array {
            return self.decoded();
        }
        (!self.column.is_null(self.slot)).then_some(self)
    }

    /// Does the work of [`selected`](Slot::selected) for dictionaries and runs.
    #[inline(never)]
    fn decoded(mut self) -> Option<Slot<'de, 'b>> {
        loop {
            if self.column.is_null(self.slot) {
                return None;
            }
            let slot = if let AnyArray::Dictionary(dictionary) = &self.column.array {
                dictionary.index(self.slot)
            } else if let AnyArray::RunEndEncoded(runs) = &self.column.array {
                runs.get(self.slot)
            } else {
                return Some(self);
            };
            self = Slot { column: self.column.children.first()?, slot: slot?, ..self };
        }
    }

    /// The slot of the decoded value. Returns an error if the value is null, since the requested type is not an
    /// `Option`.
    #[inline]
    pub(super) fn value(self) -> Result<Slot<'de, 'b>> {
        self.selected().ok_or_else(|| SerdeErrorKind::FoundNull.into())
    }

    /// Reads the value of this slot, and counts it.
    #[inline]
    pub(super) fn read<T: DeserializeSeed<'de>>(self, seed: T) -> Result<T::Value> {
        self.budget.value()?;
        match seed.deserialize(self) {
            Ok(value) => Ok(value),
            Err(error) => Err(error.in_step(&self.column.step)),
        }
    }

    #[cold]
    pub(super) fn wrong<T>(self, wanted: &'static str) -> Result<T> {
        let data_type = self.column.array.data().data_type().clone();
        Err(SerdeErrorKind::Read { wanted, data_type }.into())
    }
}
