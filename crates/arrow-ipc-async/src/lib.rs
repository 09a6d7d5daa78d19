//! Reads and writes Apache Arrow IPC streams and files in asynchronous programs. This is a thin layer over the decoders
//! and encoders of `arrow-ipc`, which do no I/O.
//!
//! - Streams: [`AsyncStreamReader`] reads from an `AsyncRead` of tokio, [`AsyncStreamWriter`] writes to an `AsyncWrite`.
//! - Files: [`AsyncFileReader`] reads from any [`AsyncSource`], which returns ranges of bytes. [`AsyncBatches`]
//!   prefetches batches, and [`UnorderedBatches`] returns batches in the order in which they become complete.
//!   [`AsyncFileWriter`] writes files.
//!
//! You can drop a future at any time. All futures are `Send`. The crate uses only the traits of tokio, so it works with
//! any runtime.
//!
//! The thread that polls a future also decodes. For an uncompressed batch, this takes as long as validating its
//! content. Decode large compressed batches on a thread for blocking work.
//!
//! # Features
//!
//! - `blocking`: `BlockingSource`, for files and other sources that block. It needs a tokio runtime.
//! - `lz4`, `mmap` and `zstd`, off by default, enable the features of `arrow-ipc` with the same names.
#![forbid(unsafe_code)]
#![deny(clippy::wildcard_enum_match_arm)] // docs/STYLE.md, rule 4. Tests may pick out one variant.

#[cfg(feature = "blocking")]
mod blocking;
mod file;
mod pending;
mod pieces;
mod requests;
mod source;
mod stream;
mod writer;

#[cfg(feature = "blocking")]
pub use crate::blocking::BlockingSource;
pub use crate::{
    file::{AsyncBatches, AsyncFileReader, UnorderedBatches},
    source::{AsyncSource, Tail},
    stream::AsyncStreamReader,
    writer::{AsyncFileWriter, AsyncStreamWriter, AsyncWriter},
};

/// The examples of the README are compiled and run as tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
mod readme {}
