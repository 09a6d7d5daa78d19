//! Tests of statistics and casts, from outside.

mod cast;
mod cast_lists;
mod cast_memory;
mod statistics;
