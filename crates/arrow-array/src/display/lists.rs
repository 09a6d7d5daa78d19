//! Writes columns of lists and of maps.

use std::fmt;

use super::{AppendedText, NULL, WriteSlot, append_nested};
use crate::{
    array::{Lists, MapArray},
    form::TensorAxes,
};

/// Writes lists as JSON arrays.
pub(super) struct ListColumn<A> {
    pub(super) array: A,
    pub(super) items: Box<dyn WriteSlot>,
}

impl<A: Lists> WriteSlot for ListColumn<A> {
    fn write(&self, slot: usize, out: &mut dyn fmt::Write) -> fmt::Result {
        if !self.array.is_valid(slot) {
            return out.write_str(NULL);
        }
        let mut separator = "[";
        for item in self.array.range(slot) {
            out.write_str(separator)?;
            self.items.write(item, out)?;
            separator = ",";
        }
        out.write_str(if separator == "[" { "[]" } else { "]" })
    }

    fn append(&self, slot: usize, out: &mut Vec<u8>) -> AppendedText<'_> {
        if !self.array.is_valid(slot) {
            return AppendedText::Null;
        }
        append_nested(out, |text| {
            let mut separator = "[";
            for item in self.array.range(slot) {
                text.push(separator)?;
                text.value(|out| self.items.append(item, out))?;
                separator = ",";
            }
            text.push(if separator == "[" { "[]" } else { "]" })
        })
    }

    fn is_null(&self, slot: usize) -> bool {
        !self.array.is_valid(slot)
    }

    fn write_tensor(&self, slot: usize, axes: &TensorAxes, out: &mut dyn fmt::Write) -> Option<fmt::Result> {
        let range = self.array.range(slot);
        let item = |offset, out: &mut dyn fmt::Write| self.items.write(range.start + offset, out);
        (range.len() == axes.n_elements()).then(|| axes.write(out, item))
    }
}

/// Writes maps as JSON arrays of pairs.
pub(super) struct Maps {
    pub(super) array: MapArray,
    pub(super) keys: Box<dyn WriteSlot>,
    pub(super) values: Box<dyn WriteSlot>,
}

impl WriteSlot for Maps {
    fn write(&self, slot: usize, out: &mut dyn fmt::Write) -> fmt::Result {
        if !self.array.is_valid(slot) {
            return out.write_str(NULL);
        }
        let mut separator = "[[";
        for entry in self.array.range(slot) {
            out.write_str(separator)?;
            self.keys.write(entry, out)?;
            out.write_str(",")?;
            self.values.write(entry, out)?;
            separator = "],[";
        }
        out.write_str(if separator == "[[" { "[]" } else { "]]" })
    }

    fn is_null(&self, slot: usize) -> bool {
        !self.array.is_valid(slot)
    }
}
