//! Code that the tests of all crates share: random arrays, a simple reference reader for arrays, readers that return few
//! bytes, and an allocator that counts.
//!
//! - [`all_types`] lists every type of the format; [`Generator`] makes arrays and batches of any of them.
//! - [`array()`], [`ints`] and [`batch_of`] make arrays and batches from given numbers.
//! - [`make`] has functions that make arrays of any layout; [`disguise()`] gives an array another layout.
//! - [`Value`], [`values`] and [`rows`] read arrays in the simplest way. They are the reference for faster code.
//! - [`shortest_text`] is the text of a floating-point number, made by the standard library.
//! - [`ChunkedReader`] returns few bytes at a time; [`CountingAllocator`] counts the allocations of a piece of code.
//! - [`verify_message`] and [`verify_footer`] call the official verifier of flatbuffers.
//! - [`Hunt`] decides how many cases a test with very many cases runs.
//! - [`on_little_stack`] runs operations on the deepest types; [`endless_nulls`] and [`endless_views`] are arrays with
//!   very many values.
//! - [`corpus_dir`] and [`arrow_test_data`] find test data; [`map_file`] maps it.
//!
//! This crate is not for programs: it panics if the caller makes a mistake.

mod allocator;
mod by_hand;
mod corpus;
mod deep;
mod disguise;
mod endless;
mod flatbuf;
mod floats;
mod generate;
mod hunt;
mod logical;
pub mod make;
mod reader;
mod rng;
mod types;

pub use crate::allocator::{CountingAllocator, Usage};
pub use crate::by_hand::{array, batch_of, ints, list_of_ints};
pub use crate::corpus::{arrow_test_data, corpus_dir, files_below, map_file};
pub use crate::deep::{Operation, on_little_stack};
pub use crate::disguise::disguise;
pub use crate::endless::{endless_nulls, endless_views};
pub use crate::flatbuf::{verify_footer, verify_message};
pub use crate::floats::shortest_text;
pub use crate::generate::{Generator, Nulls};
pub use crate::hunt::Hunt;
pub use crate::logical::{Value, rows, value, values};
pub use crate::reader::ChunkedReader;
pub use crate::rng::Rng;
pub use crate::types::{all_types, schema_of_all_types};
