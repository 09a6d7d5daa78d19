//! Rows of JSON and CSV: written rows are read back, and failed rows leave no trace.

mod bad;
mod bad_csv;
mod good;
mod hostile;
mod plain;
mod sparse;
mod taken_back;
pub(crate) mod trip;
