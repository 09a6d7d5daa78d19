//! Reads rows of JSON lines and CSV.
//!
//! A reader appends the values of one row after the other to the builders of the columns. It converts the schema to a
//! tree of nodes first; the tree has the same structure as the tree of builders. If a value fails, all values of its row
//! are removed.

mod available;
mod batches;
mod cells;
mod csv;
mod csv_parts;
mod error;
mod infer;
#[cfg(feature = "json")]
mod json;
mod leaf;
#[cfg(feature = "json")]
mod lines;
#[cfg_attr(not(feature = "json"), expect(dead_code))] // What JSON is read by.
mod node;
mod nulls;
mod parse;
mod parts;
mod records;

pub use self::{
    batches::SkippedRows,
    csv::CsvReader,
    csv_parts::{CsvPart, CsvParts},
    error::{RowError, RowErrorKind},
    infer::{InferRows, Sniff, SniffedCsv, SniffedDates, infer_csv, sniff_csv},
    leaf::append_text,
    nulls::NullBytes,
    parse::{Expected, Notation, ValueError},
};
#[cfg(feature = "json")]
pub use self::{
    infer::{infer_json, infer_json_except},
    json::{JsonPart, JsonParts, JsonReader},
};

/// The byte order mark that some programs put before UTF-8.
const MARK: &[u8] = b"\xef\xbb\xbf";
