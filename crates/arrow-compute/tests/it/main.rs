//! Tests of statistics and casts, from outside.

mod cast;
mod statistics;
