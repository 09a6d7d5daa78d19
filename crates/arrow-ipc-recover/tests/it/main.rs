//! Recovery of damaged files and streams.

mod again;
mod bare;
mod costs;
mod cut;
mod dictionaries;
mod ends;
mod footer_parts;
mod generated;
mod harness;
mod hostile;
mod inserted;
mod last_values;
mod metadata;
mod middle;
mod refused;
mod schemas;
mod shifted;
mod streams;

#[global_allocator]
static ALLOCATOR: testing_support::CountingAllocator = testing_support::CountingAllocator;
