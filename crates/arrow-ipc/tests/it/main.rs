//! Tests of reading and writing streams, files and tensors, from outside.
//!
//! Modules that measure memory do it with the allocator of this program, which counts for each thread apart.

mod access;
mod append;
mod buffer_map;
mod codecs;
mod compressed;
mod containers;
mod copies;
mod damage;
mod deep;
mod encoded_bytes;
mod ended;
mod exact_reads;
mod extensions;
mod extra_validity;
mod file_memory;
mod follow;
mod footer;
mod gold;
mod golden;
mod held_bytes;
mod hostile;
mod killed;
mod large_batches;
mod memory_budget;
mod message_sizes;
mod messages;
mod mutated;
mod not_utf8;
#[cfg(feature = "rayon")]
mod parallel;
mod parts_of;
mod plans;
mod prefetcher;
mod project_paths;
mod promises;
mod recycled;
mod remote;
mod requests;
mod row_counts;
mod rows;
mod rows_compressed;
mod schema_costs;
mod specification;
mod split;
mod store;
mod streams_at_random;
mod unreferenced;
mod verified;
mod windows;
mod write_bodies;
mod write_dictionaries;
mod write_encoders;
mod write_layout;
mod write_memory;
mod write_options;
mod write_policies;
mod write_proportion;
mod write_refusals;
mod write_rewrite;
mod write_round_trip;
mod write_sharing;
mod write_unused;
mod write_views;

#[global_allocator]
static ALLOCATOR: testing_support::CountingAllocator = testing_support::CountingAllocator;
