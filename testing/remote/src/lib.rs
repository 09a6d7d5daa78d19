//! Tests and measurements of reading remote files, with a server of byte ranges on loopback. The server can delay
//! answers, count requests, and answer wrongly.
//!
//! This crate is not for programs: it panics if the caller makes a mistake.
#![forbid(unsafe_code)]

mod answer;
mod fault;
mod files;
mod request;
mod server;
mod tls;

pub use crate::{
    answer::Tags,
    fault::Fault,
    files::{block_on, install_tls, people, retry, store, wide, wide_stream, write_once, write_wide},
    server::{Counts, RangeServer},
    tls::CERTIFICATE,
};
