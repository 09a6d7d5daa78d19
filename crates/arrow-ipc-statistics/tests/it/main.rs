//! Tests of statistics in footers, with the public API.

mod sparse;
mod statistics;
