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

    /// Whether the slot is null as a whole, or out of bounds: whether `null` is all that is written of it.
    fn is_null(&self, slot: usize) -> bool;
}

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
