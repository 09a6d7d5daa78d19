//! Apache Arrow IPC streams and files in asynchronous programs: thin shells over the state machines of `arrow-ipc`.
//!
//! - Streams: [`AsyncStreamReader`] over tokio's `AsyncRead`, [`AsyncStreamWriter`] over its `AsyncWrite`.
//! - Files: [`AsyncFileReader`] over any [`AsyncSource`], which answers for ranges; [`AsyncBatches`], which reads
//!   ahead, and [`UnorderedBatches`], which returns whichever batch is complete first; [`AsyncFileWriter`].
//!
//! Futures can be dropped at any time, and are `Send`. Only the traits of tokio are used, so any runtime will do.
//!
//! Decoding is done where the future is polled. An uncompressed batch takes as long as the check of its content. Decode large
//! compressed batches on a thread for blocking work.
//!
//! # Features
//!
//! - `blocking`: `BlockingSource`, for files and whatever else blocks; needs the runtime of tokio.
//! - `lz4`, `mmap` and `zstd`, on by default: as of `arrow-ipc`.
#![forbid(unsafe_code)]
#![deny(clippy::wildcard_enum_match_arm)] // docs/STYLE.md, rule 4. Tests may pick out one variant.

mod answer;
#[cfg(feature = "blocking")]
mod blocking;
mod file;
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
    writer::{AsyncFileWriter, AsyncStreamWriter},
};

/// The examples of the README are compiled and run.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
mod readme {}
