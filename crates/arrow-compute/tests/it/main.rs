//! Tests of statistics, casts and predicates through the public interface.

mod cast;
mod cast_blocks;
mod cast_decimals;
mod cast_floats;
mod cast_hidden;
mod cast_lists;
mod cast_memory;
mod cast_pairs;
mod cast_parts;
mod decoded;
mod deep;
mod lost_digits;
mod patterns;
mod predicate;
mod statistics;
mod time_zones;
mod unfolding;
mod unordered_bounds;

use testing_support::CountingAllocator;

#[global_allocator]
static ALLOCATOR: CountingAllocator = CountingAllocator;
