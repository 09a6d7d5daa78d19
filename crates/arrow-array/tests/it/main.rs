//! Tests of typed arrays and builders through the public interface.
//!
//! Modules that measure memory use the allocator of this program, which counts each thread separately.

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
