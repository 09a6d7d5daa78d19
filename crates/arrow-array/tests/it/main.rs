//! Tests of typed arrays, builders and rows, from outside.
//!
//! Modules that measure memory do it with the allocator of this program, which counts for each thread apart.

mod agreement;
mod builders;
mod columns;
mod csv;
mod deep;
mod dispatch;
mod endless;
mod jiff;
mod json;
mod nested;
mod overflow;
mod parts;
mod rows;
mod shared;
mod table;
mod typed;
mod types_table;

#[global_allocator]
static ALLOCATOR: testing_support::CountingAllocator = testing_support::CountingAllocator;
