//! What the tests of all crates share: random arrays, a plain reading of them, awkward readers, counted memory.
//!
//! - [`all_types`] lists every type of the format; [`Generator`] makes arrays and batches of any of them.
//! - [`Value`], [`values`] and [`rows`] read arrays in the plainest way: the oracle for whatever is faster.
//! - [`ChunkedReader`] gives few bytes at a time; [`CountingAllocator`] tells what a piece of code allocates.
//! - [`corpus_dir`] and [`arrow_test_data`] find test data.
//!
//! Nothing here is meant for programs: on a mistake of the caller it panics.

mod allocator;
mod corpus;
mod generate;
mod logical;
mod reader;
mod rng;
mod types;

pub use crate::allocator::{CountingAllocator, Usage};
pub use crate::corpus::{arrow_test_data, corpus_dir, files_below};
pub use crate::generate::{Generator, Nulls};
pub use crate::logical::{Value, rows, value, values};
pub use crate::reader::ChunkedReader;
pub use crate::rng::Rng;
pub use crate::types::{all_types, schema_of_all_types};
