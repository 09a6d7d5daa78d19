//! Tests the tools as functions. The tests of the program compare their output for the files of `testing/corpus`.

mod assembling;
mod comparing;
mod comparing_by_key;
mod comparing_closely;
mod converting;
mod corpus;
mod cost_laws;
mod counting;
mod errors;
mod feather;
mod importing;
mod inputs;
mod observing;
mod parts;
mod planned;
mod recovering;
mod recovering_in_steps;
mod recovering_written;
mod relaying;
mod reshaping;
mod rows_of_streams;
mod samples;
mod splitting;
mod streams_in_parts;
mod summarizing;
mod unused;
mod validating;

/// The allocator that counts bytes for the modules.
#[global_allocator]
static ALLOCATOR: testing_support::CountingAllocator = testing_support::CountingAllocator;
