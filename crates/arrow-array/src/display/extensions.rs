//! Writes columns of extension types whose text differs from the text of their storage.

use std::{fmt, ops::Range};

use arrow_buffer::any_byte;
use arrow_schema::Json;

use super::{
    AppendedText, SHORT_BYTES, WriteSlot,
    numbers::{Integers, NumberFormat},
    strings::{ByteSlots, Hex, TextColumn, TextValues, hex_digits},
};
use crate::digits::AsciiText;

/// Writes `arrow.bool8`: `true` for 1 and `false` for 0. Other numbers also mean true, but are written as numbers, so that they
/// can be read back.
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

/// Writes `arrow.uuid`: 32 hexadecimal digits in five groups, with hyphens between the groups.
pub(super) struct UuidColumn<A>(pub(super) Hex<A>);

const GROUPS: [Range<usize>; 5] = [0..8, 8..12, 12..16, 16..20, 20..32];

impl<A: ByteSlots> WriteSlot for UuidColumn<A> {
    fn write(&self, slot: usize, out: &mut dyn fmt::Write) -> fmt::Result {
        // A bound in statistics may have fewer bytes than a UUID.
        let whole = self.0.array.bytes(slot).filter(|bytes| bytes.len() == 16);
        let Some(bytes) = whole else { return self.0.write(slot, out) };
        let mut digits = [0; 64];
        let digits = hex_digits(bytes, &mut digits).ok_or(fmt::Error)?;
        out.write_str(self.0.style.quote())?;
        for (position, group) in GROUPS.into_iter().enumerate() {
            out.write_str(if position == 0 { "" } else { "-" })?;
            out.write_str(digits.get(group).ok_or(fmt::Error)?)?;
        }
        out.write_str(self.0.style.quote())
    }

    fn is_null(&self, slot: usize) -> bool {
        self.0.is_null(slot)
    }
}

/// Writes `arrow.json`. Objects, arrays, numbers, `true` and `false` are written unchanged if they are on one line. Any other
/// text is written as a JSON string that contains it.
pub(super) struct JsonTexts<A>(pub(super) TextColumn<A>);

impl<A: TextValues> JsonTexts<A> {
    /// The text of a slot. `None` if it cannot be written unchanged.
    fn nested(&self, slot: usize) -> Option<&str> {
        let text = self.0.array.text(slot)?;
        let may_be_control = |byte| (byte < b' ') | (byte == 0x7F) | (byte == 0xC2);
        let is_one_line = || !any_byte(text.as_bytes(), may_be_control) || !text.contains(char::is_control);
        let is_nested = !text.starts_with(['"', 'n']) && is_one_line() && Json::is_value(text);
        is_nested.then_some(text)
    }
}

impl<A: TextValues> WriteSlot for JsonTexts<A> {
    fn write(&self, slot: usize, out: &mut dyn fmt::Write) -> fmt::Result {
        match self.nested(slot) {
            Some(text) => out.write_str(text),
            None => self.0.write(slot, out),
        }
    }

    fn append(&self, slot: usize, out: &mut Vec<u8>) -> AppendedText<'_> {
        match self.nested(slot) {
            Some(text) if text.len() > SHORT_BYTES => AppendedText::Long,
            Some(text) => {
                out.extend_from_slice(text.as_bytes());
                AppendedText::Short
            }
            None => self.0.append(slot, out),
        }
    }

    fn is_null(&self, slot: usize) -> bool {
        self.0.is_null(slot)
    }
}
