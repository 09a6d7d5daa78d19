//! Reads rows of JSON lines and CSV.
//!
//! A reader converts the schema to a tree of nodes, parallel to the tree of builders. It then appends the values of each row to
//! the builders of the columns. If a value fails, the reader removes all values of its row.

mod batches;
mod cells;
mod csv;
mod csv_parts;
mod error;
mod infer;
#[cfg(feature = "json")]
mod json;
#[cfg(feature = "json")]
mod lines;
#[cfg_attr(not(feature = "json"), expect(dead_code))] // What JSON is read by.
mod node;
mod nulls;
mod parts;
mod reader;
mod records;

use std::io::{self, BufRead};

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
    json::{JsonPart, JsonParts, JsonReader, read_json_value},
};

/// The byte order mark, which some programs write before UTF-8.
const MARK: &[u8] = b"\xef\xbb\xbf";

/// The maximum number of bytes that are processed at once. A line or record may exceed its limit by this number of bytes before
/// the reader notices it.
const MAX_STEP_BYTES: usize = 64 << 10;

/// Returns the next bytes of an input that have arrived, at most [`MAX_STEP_BYTES`]. Empty at the end of the input. Repeats
/// interrupted reads.
///
/// # Errors
/// If the input cannot be read.
fn available(input: &mut impl BufRead) -> io::Result<&[u8]> {
    loop {
        match input.fill_buf() {
            Ok([]) => return Ok(&[]),
            Ok(_) => break,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    // The second call returns the same bytes and does not read.
    let bytes = input.fill_buf()?;
    Ok(bytes.get(..MAX_STEP_BYTES).unwrap_or(bytes))
}
