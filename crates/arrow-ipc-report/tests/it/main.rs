//! Tests inspections as JSON and as maps of bytes. The tests of the program compare its output for the files of
//! `testing/corpus`.

mod copies;
mod explaining;
mod inspecting;
mod mapping;
#[path = "../../../arrow-ipc-tools/tests/it/samples.rs"]
mod samples;
mod schemas;

/// The allocator that counts bytes for the modules.
#[global_allocator]
static ALLOCATOR: testing_support::CountingAllocator = testing_support::CountingAllocator;
