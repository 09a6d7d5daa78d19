//! Tests of statistics in footers, from outside.

mod statistics;
