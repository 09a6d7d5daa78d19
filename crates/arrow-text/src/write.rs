//! Writes rows as JSON lines and as CSV.

mod cells;
mod csv;
mod json;
mod pieces;

pub(crate) use self::pieces::in_pieces;
pub use self::{
    csv::{CsvRow, CsvRows, CsvWriter},
    json::{JsonRow, JsonRowIter, JsonRows, JsonWriter},
};
