//! Writes values as text, for `Debug` and `Display` of arrays, and for tables, JSON and CSV.
//!
//! A column becomes a tree of writers: one writer for each nested array. Writing a value calls these writers, without
//! allocating or matching on types again. `docs/JSON.md` defines the text of each value.
//!
//! The text of a small array may be almost endless, since lists of nulls take no memory, and views share their bytes.
//! So writers write text piece by piece, and do not collect whole values in memory.

mod cache;
mod civil;
mod column;
mod cut;
mod debug;
mod encoded;
mod extensions;
mod lists;
mod nested;
mod numbers;
mod records;
mod shape;
mod shown;
mod strings;
mod temporal;
mod tensors;
mod text;

use std::fmt;

use crate::form::TensorAxes;

pub use self::{
    cache::TextCache,
    text::{ColumnText, ColumnTextIter, ValueText},
};

/// Writes the value of a slot of one column.
trait WriteSlot: Send + Sync {
    /// Writes the slot; `null` if it is null or out of bounds.
    fn write(&self, slot: usize, out: &mut dyn fmt::Write) -> fmt::Result;

    /// Appends the text of a valid slot if the text is short: the same text that [`write`](WriteSlot::write) writes.
    fn append(&self, slot: usize, _out: &mut Vec<u8>) -> Appended<'_> {
        if self.is_null(slot) { Appended::Null } else { Appended::Long }
    }

    /// Whether a slot is null or out of bounds, so that its whole text is `null`.
    fn is_null(&self, slot: usize) -> bool;

    /// Writes a valid list as nested lists. `None` if the value is no list, or has another number of items.
    fn write_tensor(
        &self,
        _slot: usize,
        _axes: &TensorAxes,
        _out: &mut dyn fmt::Write,
    ) -> Option<fmt::Result> {
        None
    }
}

/// The result of [`ColumnText::append`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Appended<'a> {
    /// Nothing was appended: the text of the slot is `null`.
    Null,
    /// The text was appended. It has only ASCII letters, digits, `+`, `-`, `.` and `:`.
    Plain,
    /// The text was appended. It has any characters, is not empty, and has at most 4 KiB.
    Short,
    /// Nothing was appended, since the text may be long. The variant contains the text.
    Text(&'a str),
    /// Nothing was appended, since the text may be long. [`ColumnText::write`] writes it.
    Long,
}

/// The greatest number of bytes of text that are appended.
const SHORT_BYTES: usize = 4 << 10;

/// The style of the text of a value. Values nested in it are always JSON.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TextStyle {
    /// JSON.
    Json,
    /// JSON, except that text, dates and other values that JSON writes as strings have no quotes and escapes.
    Plain,
    /// Like [`Plain`](TextStyle::Plain), but for people: durations have their unit, and a text that is `null` or begins
    /// with a quote is quoted, so that it differs from a null.
    Cell,
}

impl TextStyle {
    /// The quotes around a value that is a JSON string.
    fn quote(self) -> &'static str {
        match self {
            TextStyle::Json => "\"",
            TextStyle::Plain | TextStyle::Cell => "",
        }
    }
}

const NULL: &str = "null";
