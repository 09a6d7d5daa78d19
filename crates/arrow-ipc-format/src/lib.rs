//! The flatbuffers bindings for the metadata of Arrow IPC: messages, schemas, footers, tensors.
//!
//! `cargo xtask codegen` generates all code here from the schemas in the folder `format` of the repository. Do not edit
//! the code.
//!
//! Read untrusted bytes only through the `…Ref` types, and limit the depth and the number of fields: tables may share
//! children, so a small input can describe a huge tree. Use the owned types (`Message`, `Schema`, …) only for writing:
//! their conversion from references reads the whole input without a limit.

#[allow(missing_docs, unreachable_pub, elided_lifetimes_in_paths, clippy::all, clippy::pedantic)]
#[allow(clippy::undocumented_unsafe_blocks, clippy::multiple_unsafe_ops_per_block, clippy::mem_forget)]
#[rustfmt::skip]
mod generated;

pub mod flatbuffer;
#[allow(missing_docs)]
#[rustfmt::skip]
pub mod tables;

pub use crate::generated::org::apache::arrow::flatbuf;

/// The examples of the README are compiled and run as tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
mod readme {}
