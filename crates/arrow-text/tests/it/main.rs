//! Tests of reading and writing tables, JSON and CSV through the public interface.

mod batches;
mod csv;
mod endless;
mod extensions;
mod infer;
mod infer_bounds;
mod json;
mod rows;
mod schema_json;
mod table;
mod types_table;

#[global_allocator]
static ALLOCATOR: testing_support::CountingAllocator = testing_support::CountingAllocator;
