//! What the tests of all crates share: random arrays, a plain reading of them, awkward readers, counted memory.
//!
//! - [`all_types`] lists every type of the format; [`Generator`] makes arrays and batches of any of them.
//! - [`array()`], [`ints`] and [`batch_of`] make them of numbers that a test gives.
//! - [`Value`], [`values`] and [`rows`] read arrays in the plainest way: the oracle for whatever is faster.
//! - [`ChunkedReader`] gives few bytes at a time; [`CountingAllocator`] tells what a piece of code allocates.
//! - [`verify_message`] and [`verify_footer`] ask the official verifier of flatbuffers.
//! - [`Hunt`] tells tests of very many cases how many to try.
//! - [`on_little_stack`] runs operations on the deepest types; [`endless_nulls`] and [`endless_views`] unfold to very many values.
//! - [`corpus_dir`] and [`arrow_test_data`] find test data; [`map_file`] maps it.
//!
//! Nothing here is meant for programs: on a mistake of the caller it panics.

mod allocator;
mod by_hand;
mod corpus;
mod deep;
mod endless;
mod flatbuf;
mod generate;
mod hunt;
mod logical;
mod reader;
mod rng;
mod types;

pub use crate::allocator::{CountingAllocator, Usage};
pub use crate::by_hand::{array, batch_of, ints, list_of_ints};
pub use crate::corpus::{arrow_test_data, corpus_dir, files_below, map_file};
pub use crate::deep::{Operation, on_little_stack};
pub use crate::endless::{endless_nulls, endless_views};
pub use crate::flatbuf::{verify_footer, verify_message};
pub use crate::generate::{Generator, Nulls};
pub use crate::hunt::Hunt;
pub use crate::logical::{Value, rows, value, values};
pub use crate::reader::ChunkedReader;
pub use crate::rng::Rng;
pub use crate::types::{all_types, schema_of_all_types};
