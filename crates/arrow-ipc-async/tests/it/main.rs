//! Tests of the public API of asynchronous readers and writers: their results equal the results of the readers and
//! writers of `arrow-ipc`.

mod ahead;
mod bounds;
mod cancel;
mod files;
mod mutated;
mod remote;
mod runtimes;
mod send;
mod streams;
mod support;
mod writers;
mod wrong_answers;

#[global_allocator]
static ALLOCATOR: testing_support::CountingAllocator = testing_support::CountingAllocator;
