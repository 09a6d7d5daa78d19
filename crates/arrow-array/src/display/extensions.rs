//! Columns of extension types whose values are not shown as those of their storage.

use std::{fmt, ops::Range};

use arrow_schema::{Bool8, Field, Uuid};

use super::{
    NULL, TextStyle, WriteSlot,
    numbers::{Integers, NumberFormat},
    strings::hex_digits,
};
use crate::{array::FixedSizeBinaryArray, digits::AsciiText};

/// An extension type that has a form of its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ExtensionForm {
    Bool8,
    Uuid,
}

impl ExtensionForm {
    /// The form of a field. A field whose metadata is damaged, or whose storage has another type, is shown as its storage.
    pub(super) fn of(field: &Field) -> Option<ExtensionForm> {
        if let Ok(Some(Uuid)) = field.extension_type() {
            Some(ExtensionForm::Uuid)
        } else if let Ok(Some(Bool8)) = field.extension_type() {
            Some(ExtensionForm::Bool8)
        } else {
            None
        }
    }
}

/// `arrow.bool8`: `true` for 1 and `false` for 0. Other numbers are true, too, but only the number keeps which one it is.
pub(super) struct Flags;

impl NumberFormat<i8> for Flags {
    fn push(&self, number: i8, quote: &str, text: &mut AsciiText) -> fmt::Result {
        match number {
            0 => text.push("false"),
            1 => text.push("true"),
            _ => Integers.push(number, quote, text),
        }
    }
}

/// `arrow.uuid`: hexadecimal digits in five groups, with hyphens between them.
pub(super) struct UuidColumn {
    pub(super) array: FixedSizeBinaryArray,
    pub(super) style: TextStyle,
}

/// Where the groups of digits begin and end.
const GROUPS: [Range<usize>; 5] = [0..8, 8..12, 12..16, 16..20, 20..32];

impl WriteSlot for UuidColumn {
    fn write(&self, slot: usize, out: &mut dyn fmt::Write) -> fmt::Result {
        let Some(bytes) = self.array.get(slot) else { return out.write_str(NULL) };
        let mut digits = [0; 64];
        let digits = hex_digits(bytes, &mut digits).ok_or(fmt::Error)?;
        out.write_str(self.style.quote())?;
        for (position, group) in GROUPS.into_iter().enumerate() {
            out.write_str(if position == 0 { "" } else { "-" })?;
            out.write_str(digits.get(group).ok_or(fmt::Error)?)?;
        }
        out.write_str(self.style.quote())
    }

    fn is_null(&self, slot: usize) -> bool {
        self.array.get(slot).is_none()
    }
}
