//! Tests of selection, values as bytes and growth through the public API.

mod deep;
mod grow;
mod hidden;
mod referred;
mod select;
mod select_budget;
mod select_dictionaries;
mod used;
mod value_bytes;

#[global_allocator]
static ALLOCATOR: testing_support::CountingAllocator = testing_support::CountingAllocator;
