//! Writes values as text, for `Debug` and `Display` of arrays, and for tables, JSON and CSV.
//!
//! Each column becomes a tree of writers, with one writer for each nested array. To write a value, the writers call each other;
//! they allocate nothing and do not match on types again. `NOTATION.md` of `arrow-text` defines the text of each value.
//!
//! A small array may have an almost endless text: lists of nulls take no memory, and views share their bytes. So writers pass
//! text on in small pieces, and do not collect whole values in memory.

mod cache;
mod civil;
mod column;
mod debug;
mod encoded;
mod extensions;
mod lists;
mod numbers;
mod records;
mod shape;
mod strings;
mod temporal;
mod tensors;
mod text;
mod truncation;

use std::fmt;

use crate::{form::TensorAxes, time_zone::TimeZones};

pub use self::{
    cache::TextCache,
    text::{ColumnText, ColumnTextIter, ValueText},
};

/// Writes the value of a slot of one column.
trait WriteSlot: Send + Sync {
    /// Writes the value of a slot, or `null` if the slot is null or out of bounds.
    fn write(&self, slot: usize, out: &mut dyn fmt::Write) -> fmt::Result;

    /// Appends the text of a valid slot if the text is short. The text is the same as that of [`write`](WriteSlot::write).
    fn append(&self, slot: usize, _out: &mut Vec<u8>) -> AppendedText<'_> {
        if self.is_null(slot) { AppendedText::Null } else { AppendedText::Long }
    }

    /// Whether the whole text of a slot is `null`, since the slot is null or out of bounds.
    fn is_null(&self, slot: usize) -> bool;

    /// Writes a valid list as nested lists. Writes nothing and returns `None` if the value is not a list, or if its number of
    /// items differs from that of `_axes`.
    fn write_tensor(
        &self,
        _slot: usize,
        _axes: &TensorAxes,
        _out: &mut dyn fmt::Write,
    ) -> Option<fmt::Result> {
        None
    }
}

/// What [`ColumnText::append`] has appended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AppendedText<'a> {
    /// Nothing. The text of the slot is `null`.
    Null,
    /// The text, which consists of ASCII letters, digits, `+`, `-`, `.` and `:`.
    Plain,
    /// The text, which is not empty, has at most 4 KiB and may have any characters.
    Short,
    /// Nothing, since the text may be long. The variant contains the text.
    Text(&'a str),
    /// Nothing, since the text may be long. Call [`ColumnText::write`] to write it.
    Long,
}

/// The maximum length of text that is appended and not written.
const SHORT_BYTES: usize = 4 << 10;

/// How values are written as text. Values inside nested values are JSON in every style. Timestamps with a time zone are in UTC, except
/// in [`LocalCell`](TextStyle::LocalCell).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TextStyle {
    /// As in JSON rows: strings have quotes and escapes.
    Json,
    /// JSON, but without the quotes and escapes of values that are JSON strings, such as text and dates.
    Plain,
    /// Like [`Plain`](TextStyle::Plain), but for people: durations have their unit. A text is quoted if it is `null` or begins
    /// with a quote, so that it differs from a null.
    Cell,
    /// Like [`Cell`](TextStyle::Cell), but timestamps with a time zone are local times with their offset from UTC, such as
    /// `2024-03-31T03:30:00+02:00`, also inside nested values. If the zone is unknown, they are in UTC.
    LocalCell(TimeZones),
}

impl TextStyle {
    /// The quotes around a value that is a string in JSON: empty, or `"`.
    fn quote(self) -> &'static str {
        match self {
            TextStyle::Json => "\"",
            TextStyle::Plain | TextStyle::Cell | TextStyle::LocalCell(_) => "",
        }
    }
}

const NULL: &str = "null";

/// Calls `append`. If the text becomes too long, removes what `append` has appended.
fn append_nested(
    out: &mut Vec<u8>,
    append: impl FnOnce(&mut NestedText<'_>) -> Option<()>,
) -> AppendedText<'static> {
    let start = out.len();
    match append(&mut NestedText { out, start }) {
        Some(()) => AppendedText::Short,
        None => {
            out.truncate(start);
            AppendedText::Long
        }
    }
}

/// The JSON text of one value, up to the maximum length. Methods that append return `None` if the text is too long.
struct NestedText<'a> {
    out: &'a mut Vec<u8>,
    start: usize,
}

impl NestedText<'_> {
    fn push(&mut self, text: &str) -> Option<()> {
        let n_bytes = self.out.len().checked_sub(self.start)?.checked_add(text.len())?;
        if n_bytes > SHORT_BYTES {
            return None;
        }
        self.out.extend_from_slice(text.as_bytes());
        Some(())
    }

    /// Appends the value that `append` appends as JSON.
    fn value<'a>(&mut self, append: impl FnOnce(&mut Vec<u8>) -> AppendedText<'a>) -> Option<()> {
        match append(self.out) {
            AppendedText::Null => self.push(NULL),
            AppendedText::Plain | AppendedText::Short => self.push(""),
            // `Text` does not occur for JSON, since JSON text has quotes.
            AppendedText::Text(_) | AppendedText::Long => None,
        }
    }
}
