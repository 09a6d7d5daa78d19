//! Values as text: what `Debug` and `Display` of arrays show, and what tables, JSON and CSV are written with.
//!
//! The type of a column becomes a tree of writers, one for each nested array. Writing a value walks that tree, without
//! allocating or looking at types again. `docs/JSON.md` defines the text of each value.
//!
//! A small array may have endless text: lists of nulls take no memory, and views share their bytes. So text is written in
//! pieces, and no writer gathers more of a value than it needs.

mod cache;
mod civil;
mod column;
mod cut;
mod debug;
mod encoded;
mod lists;
mod nested;
mod numbers;
mod records;
mod shape;
mod shown;
mod strings;
mod temporal;
mod text;

use std::fmt;

pub use self::{
    cache::TextCache,
    text::{ColumnText, ColumnTextIter, ValueText},
};

/// Writes the value of a slot of one column.
trait WriteSlot: Send + Sync {
    /// Writes the slot; `null` if it is null or out of bounds.
    fn write(&self, slot: usize, out: &mut dyn fmt::Write) -> fmt::Result;

    /// Appends the text of a slot that is not null, if that is short: what [`write`](WriteSlot::write) writes.
    fn append(&self, slot: usize, _out: &mut Vec<u8>) -> Appended<'_> {
        if self.is_null(slot) { Appended::Null } else { Appended::Long }
    }

    /// Whether the slot is null as a whole, or out of bounds: whether `null` is all that is written of it.
    fn is_null(&self, slot: usize) -> bool;
}

/// What [`ColumnText::append`] has appended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Appended<'a> {
    /// Nothing: `null` is all that there is to write of the slot.
    Null,
    /// The text, which is of ASCII letters and digits, and of `+`, `-`, `.` and `:`.
    Plain,
    /// The text, of any characters. It is not empty, and has at most 4 KiB.
    Short,
    /// Nothing: this is the text, of any length.
    Text(&'a str),
    /// Nothing: the text may be long. [`ColumnText::write`] writes it.
    Long,
}

/// How much text is appended at most, in bytes.
const SHORT_BYTES: usize = 4 << 10;

/// How the outermost value is written; what is nested in it is always JSON.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TextStyle {
    /// As JSON.
    Json,
    /// As JSON, but strings, dates and all else that JSON writes as a string without quotes and escapes.
    Plain,
    /// As [`Plain`](TextStyle::Plain), for people: durations have their unit, and a text that reads as `null` or begins with
    /// a quote has quotes around it, so that it is not taken for a null.
    Cell,
}

impl TextStyle {
    /// The quotes around a value that is a string in JSON.
    fn quote(self) -> &'static str {
        match self {
            TextStyle::Json => "\"",
            TextStyle::Plain | TextStyle::Cell => "",
        }
    }
}

const NULL: &str = "null";
