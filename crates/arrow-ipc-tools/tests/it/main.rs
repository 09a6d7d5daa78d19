//! The tools as functions. What they say in all cases is tested by the program, over the files of `testing/corpus`.

mod assembling;
mod comparing;
mod converting;
mod corpus;
mod cost_laws;
mod counting;
mod importing;
mod inputs;
mod inspecting;
mod observing;
mod parts;
mod picturing;
mod recovering;
mod relaying;
mod reshaping;
mod samples;
mod sets;
mod shapes;
mod streams_in_parts;
mod summarizing;
mod unused;
mod validating;

/// The allocator for modules that count allocated bytes.
#[global_allocator]
static ALLOCATOR: testing_support::CountingAllocator = testing_support::CountingAllocator;
