//! Tests of statistics, from outside.

mod statistics;
