//! Rows from JSON and CSV: what is written reads back, and what fails leaves no trace.

mod bad;
mod bad_csv;
mod good;
mod hostile;
mod plain;
mod sparse;
mod taken_back;
pub(crate) mod trip;
