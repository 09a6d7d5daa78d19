//! Bindings to the tables of the format that share no code with the libraries: tests craft metadata with them, and compare
//! what the libraries read and write.
//!
//! `cargo xtask codegen` generates them with planus from the schemas in the folder `format`.

#[allow(missing_docs, unreachable_pub, elided_lifetimes_in_paths, clippy::all, clippy::pedantic)]
#[allow(clippy::undocumented_unsafe_blocks, clippy::multiple_unsafe_ops_per_block, clippy::mem_forget)]
#[rustfmt::skip]
mod generated;

pub use crate::generated::org::apache::arrow::flatbuf;
