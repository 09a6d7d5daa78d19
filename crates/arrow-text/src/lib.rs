//! Writes and reads Arrow data as text: tables for people, lossless JSON lines, and CSV.
//!
//! [`BatchTable`] prints a batch or a [`Table`](arrow_data::Table) for people, and [`TablePrinter`] prints many batches one by
//! one. [`JsonRows`] writes the rows of a batch without loss, and [`CsvRows`] writes them for programs that do not know Arrow
//! types. [`JsonWriter`] and [`CsvWriter`] write many batches, and prepare each dictionary only once. [`CsvReader`] and
//! `JsonReader` (feature `json`) read rows of a given schema. `NOTATION.md` defines the notation of values.
//! [`infer_csv`] and `infer_json` infer a schema from the first rows.
//!
//! ```
//! use arrow_text::{BatchTable, CsvReader, CsvRows, JsonRows};
//! use arrow_schema::Schema;
//!
//! let schema: Schema = "id: int64 not null\nday: date32".parse()?;
//! let batch = CsvReader::read_batch("id,day\n1,2024-02-29\n2,\n", schema)?;
//!
//! // A table, for people.
//! let table = BatchTable::try_new(&batch)?;
//! assert_eq!(table.to_string(), "   id  day\nint64  date32\n-----  ----------\n    1  2024-02-29\n    2  null\n");
//!
//! // Lines of JSON, which lose nothing.
//! let rows = JsonRows::try_new(&batch)?;
//! assert_eq!(rows.row(0).to_string(), r#"{"id":1,"day":"2024-02-29"}"#);
//!
//! // CSV.
//! let csv = CsvRows::try_new(&batch)?;
//! assert_eq!(csv.to_string(), "id,day\n1,2024-02-29\n2,\n");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! [`BatchTable`], [`JsonRows`] and [`CsvRows`] also write to an [`io::Write`](std::io::Write), with few large writes:
//! `rows.write_to(&mut out)?`.
//!
//! Text for people is in [`format`](mod@format): counts with commas, and names without characters that control a terminal.
//!
//! If a value of a row cannot be read, the whole row is dropped. The [`RowError`] contains the line, the field, and the
//! expected and the found value.
//!
//! # Features
//!
//! - `json`, off by default: `JsonReader`, and `JsonParts` for several threads; `JsonSchema`, a form of schemas that other
//!   implementations read; `schema_from_json`, for the form that the program writes; and cells of CSV that are lists, structs, maps or
//!   unions. Depends on `serde_json`.
#![forbid(unsafe_code)]
#![deny(clippy::wildcard_enum_match_arm)] // docs/STYLE.md, rule 4. Tests may pick out one variant.

mod csv_options;
mod date_order;
pub mod format;
mod read;
#[cfg(feature = "json")]
mod schema_json;
mod table;
mod write;

pub use arrow_array::parse::{Expectation, ValueError};
pub use arrow_buffer::Notation;

pub use crate::{
    csv_options::{CsvOptionError, CsvOptions, RaggedRows},
    date_order::DateOrder,
    read::{
        CsvPart, CsvParts, CsvReader, InferRows, NullBytes, RowError, RowErrorKind, SkippedRows, Sniff,
        SniffedCommas, SniffedCsv, SniffedDates, TextReader, infer_csv, infer_csv_with, sniff_csv,
    },
    table::{BatchTable, TableHeader, TableOptions, TablePrinter, TableRow, TableRows},
    write::{CsvRow, CsvRows, CsvWriter, JsonRow, JsonRowIter, JsonRows, JsonWriter},
};
#[cfg(feature = "json")]
pub use crate::{
    read::{JsonPart, JsonParts, JsonReader, infer_json, infer_json_except, read_json_value},
    schema_json::{JsonSchema, SchemaJsonError, SchemaJsonErrorKind, schema_from_json},
};

arrow_error::error_class! {
    CsvOptionError => Misuse,
}
#[cfg(feature = "json")]
arrow_error::error_class! {
    SchemaJsonError => Malformed,
}

/// The examples of the README are compiled and run.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
mod readme {}
