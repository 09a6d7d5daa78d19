//! Tests of typed arrays and builders, from outside.
//!
//! Modules that measure memory do it with the allocator of this program, which counts for each thread apart.

mod agreement;
mod builders;
mod columns;
mod deep;
mod dispatch;
mod jiff;
mod nested;
mod overflow;
mod parts;
mod scalar;
mod shared;
mod specification;
mod typed;

#[global_allocator]
static ALLOCATOR: testing_support::CountingAllocator = testing_support::CountingAllocator;
