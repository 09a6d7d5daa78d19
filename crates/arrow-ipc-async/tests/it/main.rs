//! Tests of the public API: asynchronous readers and writers have the same results as the readers and writers of
//! `arrow-ipc`.

mod bounds;
mod cancel;
mod files;
mod mutated;
mod prefetch;
mod remote;
mod runtimes;
mod send;
mod streams;
mod support;
mod writers;
mod wrong_answers;

#[global_allocator]
static ALLOCATOR: testing_support::CountingAllocator = testing_support::CountingAllocator;
