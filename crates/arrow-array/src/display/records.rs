//! Writes columns of values with names: rows, structs and unions.

use std::{fmt, sync::Arc};

use super::{AppendedText, ColumnText, NULL, WriteSlot, append_nested, shape::NameText};
use crate::array::{StructArray, UnionArray, UnionValue};

/// Writes values with names as a JSON object, or as an array of pairs if names repeat.
pub(super) struct RecordColumn {
    pub(super) names: Arc<NameText>,
    /// The text of each field, in the order of the names.
    pub(super) columns: Vec<ColumnText>,
    pub(super) n_slots: usize,
}

impl WriteSlot for RecordColumn {
    fn write(&self, slot: usize, out: &mut dyn fmt::Write) -> fmt::Result {
        if self.is_null(slot) {
            return out.write_str(NULL);
        }
        for (before, column) in self.names.before.iter().zip(&self.columns) {
            out.write_str(before)?;
            column.write(slot, out)?;
        }
        out.write_str(self.names.end)
    }

    fn append(&self, slot: usize, out: &mut Vec<u8>) -> AppendedText<'_> {
        if self.is_null(slot) {
            return AppendedText::Null;
        }
        append_nested(out, |text| {
            for (before, column) in self.names.before.iter().zip(&self.columns) {
                text.push(before)?;
                text.value(|out| column.append(slot, out))?;
            }
            text.push(self.names.end)
        })
    }

    /// A row is never null, so only slots out of bounds are null.
    fn is_null(&self, slot: usize) -> bool {
        slot >= self.n_slots
    }
}

pub(super) struct Structs {
    pub(super) array: StructArray,
    pub(super) record: RecordColumn,
}

impl WriteSlot for Structs {
    fn write(&self, slot: usize, out: &mut dyn fmt::Write) -> fmt::Result {
        if self.array.is_valid(slot) { self.record.write(slot, out) } else { out.write_str(NULL) }
    }

    fn append(&self, slot: usize, out: &mut Vec<u8>) -> AppendedText<'_> {
        if self.array.is_valid(slot) { self.record.append(slot, out) } else { AppendedText::Null }
    }

    fn is_null(&self, slot: usize) -> bool {
        !self.array.is_valid(slot)
    }
}

/// Writes the value of a union as an object with one member, whose name is that of the child. If names of children repeat,
/// writes a pair of type id and value.
pub(super) struct UnionColumn {
    pub(super) array: UnionArray,
    pub(super) names: Arc<NameText>,
    /// The writer of each child, in the order of the names.
    pub(super) children: Vec<Box<dyn WriteSlot>>,
}

impl WriteSlot for UnionColumn {
    fn write(&self, slot: usize, out: &mut dyn fmt::Write) -> fmt::Result {
        let Some(UnionValue { child_idx, slot, .. }) = self.array.get(slot) else {
            return out.write_str(NULL);
        };
        let (Some(before), Some(child)) = (self.names.before.get(child_idx), self.children.get(child_idx))
        else {
            return out.write_str(NULL);
        };
        out.write_str(before)?;
        child.write(slot, out)?;
        out.write_str(self.names.end)
    }

    /// A union has no nulls of its own, so only slots out of bounds are null.
    fn is_null(&self, slot: usize) -> bool {
        self.array.get(slot).is_none_or(|value| value.child_idx >= self.children.len())
    }
}
