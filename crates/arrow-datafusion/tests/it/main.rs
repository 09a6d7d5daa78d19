//! Queries of files and streams by this crate, beside DataFusion's own scan and the readers of `arrow-ipc`.

mod answers;
mod damage;
mod requests;
mod spill;
mod sql_files;
mod support;

#[global_allocator]
static ALLOCATOR: testing_support::CountingAllocator = testing_support::CountingAllocator;
