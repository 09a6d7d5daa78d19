//! Tests of statistics in footers, with the public API.

mod statistics;
