//! Messages of Arrow IPC that are written without arrays.
//!
//! - A [`Transcoder`] converts the messages of a stream or file to another container, framing, alignment or compression.
//! - [`plan`] computes a stream or file from the lengths of columns and buffers. Any byte range can then be read before the
//!   file or stream is written.
//!
//! Both do no I/O, and stand on the encoders of `arrow-ipc`. Codecs and threads are features of `arrow-ipc`.
#![forbid(unsafe_code)]
#![deny(clippy::wildcard_enum_match_arm)] // docs/STYLE.md, rule 4. Tests may pick out one variant.

pub mod plan;

mod error;
mod shape_error;
mod transcode;

pub use crate::{
    error::RewriteError,
    shape_error::ShapeError,
    transcode::{BufferMove, Relocation, Transcoder},
};

/// The examples of the README are compiled and run as tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
mod readme {}
