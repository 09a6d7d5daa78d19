//! Messages that are rewritten without arrays, and files that are planned before they are written.
//!
//! Modules that measure memory do it with the allocator of this program, which counts for each thread apart.

mod examples;
mod plan;
mod transcode;

#[global_allocator]
static ALLOCATOR: testing_support::CountingAllocator = testing_support::CountingAllocator;
