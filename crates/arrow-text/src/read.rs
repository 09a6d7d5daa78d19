//! Reads rows of JSON lines and CSV.
//!
//! A reader converts the schema to a tree of nodes, parallel to the tree of builders. It then appends the values of each row to
//! the builders of the columns. If a value fails, the reader removes all values of its row.

mod available;
mod batches;
mod cells;
mod csv;
mod csv_parts;
mod digits;
mod error;
mod infer;
#[cfg(feature = "json")]
mod json;
#[cfg(feature = "json")]
mod json_value;
#[cfg(feature = "json")]
mod lines;
#[cfg_attr(not(feature = "json"), expect(dead_code))] // What JSON is read by.
mod node;
mod nulls;
mod parts;
mod reader;
mod records;

pub use self::{
    batches::SkippedRows,
    csv::CsvReader,
    csv_parts::{CsvPart, CsvParts},
    error::{RowError, RowErrorKind},
    infer::{
        InferRows, Sniff, SniffedCommas, SniffedCsv, SniffedDates, infer_csv, infer_csv_with, sniff_csv,
    },
    nulls::NullBytes,
    reader::TextReader,
};
#[cfg(feature = "json")]
pub use self::{
    infer::{infer_json, infer_json_except},
    json::{JsonPart, JsonParts, JsonReader},
    json_value::read_json_value,
};

/// The byte order mark, which some programs write before UTF-8.
const MARK: &[u8] = b"\xef\xbb\xbf";
