//! Values as text: lossless JSON, CSV, and a table for people.
//!
//! A column is looked at once: out of its type grows a tree of writers, one for each nested array. Writing a
//! value walks that tree, allocates nothing and does not look at types again. What is written for a value is
//! fixed by `docs/JSON.md`; cells of tables hold the same text, without the quotes around it.
//!
//! A small array may stand for text without end: lists of nulls take no room, and views share what they show. So
//! text goes to where it is written to as it comes, and nothing gathers more of a value than it needs.

pub(crate) mod civil;
mod column;
mod columns;
mod csv;
pub(crate) mod cut;
pub(crate) mod digits;
mod encoded;
mod json;
mod lists;
mod numbers;
mod pieces;
mod records;
mod shape;
mod strings;
mod table;
pub(crate) mod temporal;

use std::fmt;

use arrow_data::ArrayData;

pub use self::{
    csv::{CsvOptions, CsvRow, CsvRows, CsvWriter, DelimiterError},
    json::{JsonColumn, JsonRow, JsonRowIter, JsonRows, JsonValue, JsonValueIter, JsonWriter},
    table::{BatchTable, Table, TableHeader, TableOptions, TableRow, TableRows},
};

/// Writes the value of a slot of one column.
pub(crate) trait WriteSlot: Send + Sync {
    /// Writes the slot; slots that are null or out of range as `null`.
    fn write(&self, slot: usize, out: &mut dyn fmt::Write) -> fmt::Result;

    /// Whether the slot is null as a whole, or out of range: whether `null` is all that is written of it.
    fn is_null(&self, slot: usize) -> bool;
}

/// How the outermost value is written; what is nested in it is always JSON.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Style {
    /// As JSON.
    Json,
    /// As JSON, but strings without quotes and escapes: the cell of a table or of CSV, which escape in their own way.
    Cell,
}

impl Style {
    /// What stands around a value that is a string in JSON.
    fn quote(self) -> &'static str {
        match self {
            Style::Json => "\"",
            Style::Cell => "",
        }
    }
}

/// Writes one value of an array whose content is valid; one that is null or out of range as `null`.
pub(crate) fn write_value(
    data: &ArrayData,
    slot: usize,
    style: Style,
    out: &mut dyn fmt::Write,
) -> fmt::Result {
    columns::writer_of(data, style).map_err(|_| fmt::Error)?.write(slot, out)
}

const NULL: &str = "null";
