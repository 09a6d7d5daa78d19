//! Writes rows as JSON lines and as CSV.

mod cells;
mod csv;
mod json;
mod pieces;

pub(crate) use self::pieces::Pieces;
pub use self::{
    csv::{CsvOptions, CsvRow, CsvRows, CsvWriter, DelimiterError, NullTextError},
    json::{JsonRow, JsonRowIter, JsonRows, JsonWriter},
};
