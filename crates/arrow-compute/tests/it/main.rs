//! Tests of statistics and casts, from outside.

mod cast;
mod cast_memory;
mod statistics;
